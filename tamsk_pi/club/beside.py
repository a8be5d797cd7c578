"""The game's side of the publisher: starts its process, starts it again should it end, and passes words to the game."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Mapping
from threading import Event, Thread
from typing import IO, Any, Final

from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.web.actions import ArbiterAction
from tamsk_pi.web.messages import Arbitrate, MessageError, MessageReader
from tamsk_pi.web.source import Answer

_log = logging.getLogger(__name__)

AGAIN_S: Final = 5.0
"""How long to wait before a process that ended is started again."""

Say = Callable[[ArbiterAction, Answer], None]


class ClubProcess:
    """Runs the publisher beside a game. Nothing here waits in the game's thread."""

    def __init__(self, settings: ClubSettings, say: Say, tell: Callable[[str | None], None]) -> None:
        """`say` passes a word to the game; `tell` gets what is wrong, whenever that changes (None: nothing)."""
        self._settings: Final = settings
        self._say: Final = say
        self._tell: Final = tell
        self._reader: Final = MessageReader()
        self._stopped: Final = Event()
        self._process: subprocess.Popen[str] | None = None
        self._thread: Final = Thread(target=self._run, name="club", daemon=True)

    def start(self) -> None:
        """Start the process."""
        self._thread.start()

    def close(self, timeout_s: float = 2.0) -> None:
        """End the process."""
        self._stopped.set()
        process = self._process
        if process is not None and process.stdin is not None:
            try:
                process.stdin.close()
                process.wait(timeout_s)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                process.kill()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._serve()
            except OSError as error:
                self._tell(f"the games are not told to the hub: {error.strerror or error}")
            self._stopped.wait(AGAIN_S)

    def _serve(self) -> None:
        command = [sys.executable, "-m", "tamsk_pi.club"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
            self._process = process
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(self._settings.as_line())
            for line in process.stdout:
                self._hear(line, process.stdin)
        if not self._stopped.is_set():
            self._tell(f"the games are not told to the hub: its process ended with status {process.returncode}")

    def _hear(self, line: str, back: IO[str]) -> None:
        told: Mapping[str, Any] = json.loads(line)
        if "problem" in told:
            self._tell(told["problem"])
            return
        identity = told["word"]

        def answer(reason: str | None) -> None:
            try:
                back.write(json.dumps({"word": identity, "reason": reason}) + "\n")
            except (OSError, ValueError):
                _log.warning("the answer to a word of the arbiter's could not be told")

        try:
            action = read_word(self._reader, told["said"])
        except MessageError as error:
            answer(str(error))
            return
        _log.info("%s says %s %s", told["said"].get("by"), action.verb, dict(action.details))
        self._say(action, answer)


def read_word(reader: MessageReader, said: object) -> ArbiterAction:
    """The arbiter's word in what a hub sent: `verb`, what belongs to it, and `by`. `MessageError`: it is none."""
    if not isinstance(said, dict) or not isinstance(said.get("by"), str) or not said["by"]:
        raise MessageError("a word needs the name of the arbiter")
    action = {key: value for key, value in said.items() if key != "by"}
    message = reader.read(json.dumps({"type": "arbitrate", "id": 0, "action": action}))
    if not isinstance(message, Arbitrate):
        raise MessageError("that is no word of an arbiter's")
    return message.action
