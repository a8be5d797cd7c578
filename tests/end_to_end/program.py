"""The installed command as a process of its own, as a user starts it."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from threading import Thread
from typing import Final

COMMAND: Final = Path(sysconfig.get_path("scripts")) / "tamsk-pi"
WAIT_S: Final = 60.0
"""For a process to start, to speak or to end: a bound for what has gone wrong, no measure of anything."""
_PAGE: Final = re.compile(r"The board is at (http://\S+/)")


class Program:
    """`tamsk-pi` with some arguments, running. What it prints is read as it comes."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [str(COMMAND), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "LANGUAGE": "en"},
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._complaints: list[str] = []
        out, err = self._process.stdout, self._process.stderr
        assert out is not None
        assert err is not None
        self._readers = [
            Thread(target=self._pass_on, args=(out,), daemon=True),
            Thread(target=self._complaints.extend, args=(err,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _pass_on(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._lines.put(line)
        self._lines.put(None)

    def line(self) -> str:
        """The next line on standard output; empty when there will be none."""
        return self._lines.get(timeout=WAIT_S) or ""

    def url(self) -> str:
        """Where the page is, as the program says when it can be opened."""
        line = self.line()
        found = _PAGE.match(line)
        if found is None:
            self.end(signal.SIGKILL)
            raise AssertionError(f"the program did not say where the page is: {line!r} {self.complaints!r}")
        return found[1]

    def end(self, number: signal.Signals) -> int:
        """Send a signal, if it still runs; its exit status."""
        if self._process.poll() is None:
            self._process.send_signal(number)
        return self.status()

    def status(self) -> int:
        """Wait for the end; the exit status (minus the signal's number for one that killed it)."""
        try:
            return self._process.wait(WAIT_S)
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            for reader in self._readers:
                reader.join()
            for stream in (self._process.stdout, self._process.stderr):
                if stream is not None:
                    stream.close()

    @property
    def complaints(self) -> str:
        """What came on standard error; complete once it has ended."""
        return "".join(self._complaints)
