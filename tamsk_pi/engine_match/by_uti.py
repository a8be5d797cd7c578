"""A player for matches that is an engine of its own, asked by UTI. It is started anew when it has died."""

from __future__ import annotations

from typing import Final, NoReturn

from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine_match.refereed import PlayerFailed
from tamsk_pi.rules.notation import Turn
from tamsk_pi.uti.answers import AnswerError, read_best, read_timer
from tamsk_pi.uti.client import EngineFailed, EngineProcess

GRACE_S: Final = 5.0
"""How much longer than asked an engine may take before it counts as too slow."""

NODES_WITHIN_S: Final = 60.0


class UtiPlayer:
    """Asks one command. `go`: the limit of each `go`, such as `movetime 100`."""

    def __init__(self, command: str, go: str, within_s: float) -> None:
        self.name: str = command
        self._command: Final = command
        self._go: Final = go
        self._within_s: Final = within_s
        self._process: EngineProcess | None = None
        self._knows_timer = True

    def new_game(self, seed: int) -> None:
        """Get ready for a game. `PlayerFailed` where it cannot be started."""
        try:
            if self._process is None:
                self._process = EngineProcess(self._command)
                self._process.introduce()
            self._process.say("newgame")
            self._process.say(f"setoption name Seed value {seed % 1_000_000}")
        except EngineFailed as error:
            self._failed(error)

    def choose(self, situation: Situation) -> Turn:
        try:
            process = self._running()
            process.tell(situation)
            process.say(f"go {self._go}")
            return read_best(process.wait_for("bestmove", self._within_s), situation.to_move).turn
        except (EngineFailed, AnswerError) as error:
            self._failed(error)

    def timer_wait_ms(self, situation: Situation) -> int | None:
        if not self._knows_timer:
            return None
        try:
            process = self._running()
            process.tell(situation)
            process.say("go timer")
            return read_timer(process.wait_for("besttimer", GRACE_S))
        except (EngineFailed, AnswerError):
            # An engine need not know of the timer; whether it still lives is seen when it is asked for its turn.
            self._knows_timer = False
            return None

    def _running(self) -> EngineProcess:
        if self._process is None:
            raise EngineFailed("it is not running")
        return self._process

    def _failed(self, error: Exception) -> NoReturn:
        self.close()
        raise PlayerFailed(str(error)) from None

    def close(self) -> None:
        """End the engine."""
        if self._process is not None:
            self._process.close()
            self._process = None
