"""The other side of UTI: an engine in a process of its own, asked by lines.

Whatever it does wrong (no such program, silence, nonsense, death) comes out as `EngineFailed` with one line.
"""

from __future__ import annotations

import contextlib
import queue
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import IO, Final

from tamsk_pi.engine.situation import Situation
from tamsk_pi.rules.quoting import quoted
from tamsk_pi.uti.positions import format_position, level_options

START_WITHIN_S: Final = 30.0
"""So long an engine may take to introduce itself."""

_LONGEST_LINE: Final = 100_000


class EngineFailed(Exception):
    """The engine cannot be asked any more; the text says why, in one line."""


def own_command(*options: str) -> list[str]:
    """The command that runs this program's engine, with the Python that runs now."""
    return [sys.executable, "-m", "tamsk_pi", "engine", *options]


class EngineProcess:
    """An engine that has been started. Lines it says are in `lines`, None after the last."""

    def __init__(self, command: str | Sequence[str]) -> None:
        argv = shlex.split(command) if isinstance(command, str) else list(command)
        self.name: Final = shlex.join(argv)
        self.lines: Final[queue.SimpleQueue[str | None]] = queue.SimpleQueue()
        if not argv:
            raise EngineFailed("no command to start an engine with")
        try:
            self._process = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                encoding="utf-8", errors="replace", bufsize=1, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise EngineFailed(f"cannot be started: {error.strerror or error}") from None
        self._reader: Final = threading.Thread(target=self._read, name="engine's lines", daemon=True)
        self._reader.start()
        self._options: list[str] = []

    @property
    def pid(self) -> int:
        return self._process.pid

    def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while line := stdout.readline(_LONGEST_LINE):
                self.lines.put(line.rstrip("\r\n"))
        except (OSError, ValueError):
            # The pipe was closed under the reader, which ends the conversation as its end would.
            self.lines.put(None)
        else:
            self.lines.put(None)

    def say(self, line: str) -> None:
        """Send a line. `EngineFailed` where nobody listens any more."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(f"{line}\n")
            stdin.flush()
        except (OSError, ValueError):
            raise EngineFailed(self.end_text()) from None

    def wait_for(self, first_word: str, within_s: float) -> str:
        """The next line that begins with this word; those before it are passed over."""
        until_s = time.monotonic() + within_s
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, until_s - time.monotonic()))
            except queue.Empty:
                raise EngineFailed(f"no {first_word} within {within_s:g} s") from None
            if line is None:
                raise EngineFailed(self.end_text())
            if line.split()[:1] == [first_word]:
                return line
            if line.startswith("info string error"):
                raise EngineFailed(f"it answers {quoted(line)}")

    def introduce(self, options: Sequence[str] = ()) -> None:
        """Wait until it is ready, and set options (whole lines)."""
        self.say("uti")
        self.wait_for("utiok", START_WITHIN_S)
        for line in options:
            self.say(line)
        self.say("isready")
        self.wait_for("readyok", START_WITHIN_S)

    def tell(self, situation: Situation) -> None:
        """Tell it the situation, and the options this takes for granted where they have changed."""
        options = level_options(situation)
        for line in options:
            if line not in self._options:
                self.say(line)
        self._options = options
        self.say(format_position(situation))

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def end_text(self, within_s: float = 2.0) -> str:
        """How it ended."""
        try:
            status = self._process.wait(timeout=within_s)
        except subprocess.TimeoutExpired:
            return "it has closed its ends of the pipes"
        return f"it died by signal {-status}" if status < 0 else f"it ended with status {status}"

    def end_at_once(self) -> None:
        """End it by force, and wait for nothing."""
        self._process.kill()
        threading.Thread(target=self.close, name="engine's end", daemon=True).start()

    def close(self) -> None:
        """End it, by word and if need be by force."""
        if self.is_alive():
            try:
                self.say("quit")
                self._process.wait(timeout=1)
            except (EngineFailed, subprocess.TimeoutExpired):
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                _close(pipe)
        self._reader.join(timeout=2)


def _close(pipe: IO[str]) -> None:
    # What could not be written to an engine that is gone is nobody's loss.
    with contextlib.suppress(OSError):
        pipe.close()
