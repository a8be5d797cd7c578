"""Where the opponent's turns come from: the engine in a process of its own, or, in virtual time, at once.

A mind is asked and then asked again until it has an answer; it never makes anybody wait.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import Final, Protocol

from tamsk_pi.engine.going_on import IllegalTurn, after
from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine.strength import BEST, STRENGTHS, USES_TIMER_FROM
from tamsk_pi.engine.think import Limits, NothingToDecide, best_thought
from tamsk_pi.engine.timer import timer_wait_ms
from tamsk_pi.rules.notation import NotationError, Turn, parse_turn
from tamsk_pi.uti.answers import AnswerError, read_best
from tamsk_pi.uti.client import EngineFailed, EngineProcess, own_command

MEMORY_MB: Final = 200
"""What the engine's process may take at most; it takes about 60."""

NICE: Final = 10

_START_AGAIN_MS: Final = 2_000
_LOOK_S: Final = 0.02
"""Whoever asks owns the game: it is not kept waiting for how an engine ended."""
_TOO_LONG_MS: Final = 15_000
"""An engine that has not answered for so long beyond its time is ended and started again."""


class Mind(Protocol):
    """Thinks about situations."""

    problem: str | None
    """Why the engine had to be started again, in one line."""

    def turn(self, situation: Situation, key: object, now_ms: int, think_ms: int) -> Turn | None:
        """The turn of the side to move, once there is one. `key` tells one situation from another: a new one begins
        anew, whatever is still being thought about."""
        ...

    def timer_wait_ms(self, situation: Situation) -> int | None:
        """After how many ms of this turn of the other side to turn the timer; None: not at all."""
        ...

    def ponder(self, situation: Situation, key: object, now_ms: int) -> None:
        """Think in the other side's time, whose turn it is."""
        ...

    def close(self) -> None: ...


class DirectMind:
    """Answers at once, by nodes alone: for games in virtual time."""

    def __init__(self, strength: int = BEST, *, nodes: int | None = None, seed: int = 0) -> None:
        self.problem: str | None = None
        self._strength: Final = strength
        self._nodes: Final = nodes
        self._seed: Final = seed
        self._known: tuple[object, Turn] | None = None

    def turn(self, situation: Situation, key: object, now_ms: int, think_ms: int) -> Turn | None:
        if self._known is None or self._known[0] != key:
            try:
                thought = best_thought(
                    situation, Limits(nodes=self._nodes), strength=self._strength, seed=self._seed ^ now_ms
                )
            except NothingToDecide:
                return None
            self._known = (key, thought.turn)
        return self._known[1]

    def timer_wait_ms(self, situation: Situation) -> int | None:
        return timer_wait_ms(situation) if self._strength >= USES_TIMER_FROM else None

    def ponder(self, situation: Situation, key: object, now_ms: int) -> None:
        """It thinks when it is asked."""

    def close(self) -> None:
        """Nothing to end."""


class ProcessMind:
    """Asks an engine in a process of its own, which is started again when it dies or answers nonsense."""

    def __init__(
        self, strength: int = BEST, *, start: Callable[[], EngineProcess] | None = None, seed: int = 0
    ) -> None:
        self.problem: str | None = None
        self._strength: Final = strength
        self._seed: Final = seed
        self._start: Final = start or self._own_engine
        self._process: EngineProcess | None = None
        self._start_at_ms = 0
        self._asked: object = None
        self._asked_at_ms = 0
        self._think_ms = 0
        self._situation: Situation | None = None
        self._answer: Turn | None = None
        self._expected: str | None = None
        self._pondered: object = None
        self._is_thinking = False
        self._skips = 0
        """So many bestmoves are still to come that nobody waits for any more."""

    def _own_engine(self) -> EngineProcess:
        return EngineProcess(own_command("--nice", str(NICE), "--memory", str(MEMORY_MB), "--strength",
                                         str(self._strength)))  # fmt: skip

    @property
    def pid(self) -> int | None:
        """The engine's process, while there is one."""
        return None if self._process is None else self._process.pid

    def turn(self, situation: Situation, key: object, now_ms: int, think_ms: int) -> Turn | None:
        if key != self._asked:
            self._asked, self._answer, self._situation = key, None, situation
            self._pondered = None
            self._ask(situation, now_ms, think_ms)
        self._read(now_ms)
        if self._process is None and now_ms >= self._start_at_ms and self._answer is None:
            self._ask(situation, now_ms, think_ms)
        return self._answer

    def timer_wait_ms(self, situation: Situation) -> int | None:
        # Small enough to be thought here; asking would stop the pondering.
        return timer_wait_ms(situation) if self._strength >= USES_TIMER_FROM else None

    def ponder(self, situation: Situation, key: object, now_ms: int) -> None:
        self._read(now_ms)
        if key == self._pondered or self._expected is None or self._process is None:
            return
        self._pondered = key
        try:
            reply = parse_turn(self._expected, situation.to_move)
            then = after(situation, reply)
            self._process.tell(then)
            self._process.say("go ponder")
            self._skips += 1
        except (NotationError, IllegalTurn):
            # The board went another way than was expected: there is nothing to think ahead of.
            self._expected = None
        except EngineFailed as failed:
            self._gone(str(failed), now_ms)

    def _ask(self, situation: Situation, now_ms: int, think_ms: int) -> None:
        try:
            if self._process is None:
                if now_ms < self._start_at_ms:
                    return
                self._process = self._start()
                self._skips = 0
                self._process.say(f"setoption name Seed value {self._seed % 1_000_000}")
            if self._is_thinking:
                self._skips += 1
            self._process.tell(situation)
            # Strengths are told apart by how many positions they look at; only the best one uses all the time it has.
            limit = "" if self._strength == BEST else f" nodes {STRENGTHS[self._strength].nodes}"
            self._process.say(f"go movetime {think_ms}{limit}")
            self._asked_at_ms, self._think_ms, self._is_thinking = now_ms, think_ms, True
        except EngineFailed as failed:
            self._gone(str(failed), now_ms)

    def _read(self, now_ms: int) -> None:
        process = self._process
        if process is None:
            return
        while True:
            try:
                line = process.lines.get_nowait()
            except queue.Empty:
                break
            if line is None:
                self._gone(process.end_text(_LOOK_S), now_ms)
                return
            if line.startswith("bestmove"):
                self._take(line, now_ms)
            elif line.startswith("info string error"):
                self._gone(f"it answers {line.removeprefix('info string ')}", now_ms)
                return
        if self._is_thinking and now_ms - self._asked_at_ms > self._think_ms + _TOO_LONG_MS:
            self._gone("it does not answer", now_ms)

    def _take(self, line: str, now_ms: int) -> None:
        if self._skips:
            self._skips -= 1
            return
        if self._situation is None or not self._is_thinking:
            return
        self._is_thinking = False
        try:
            best = read_best(line, self._situation.to_move)
        except AnswerError as error:
            self._gone(str(error), now_ms)
            return
        self._answer, self._expected = best.turn, best.expected

    def _gone(self, why: str, now_ms: int) -> None:
        """The engine is of no use any more: end it, and start another before long."""
        self.problem = why
        self._is_thinking = False
        self._start_at_ms = now_ms + _START_AGAIN_MS
        process, self._process = self._process, None
        if process is not None:
            process.end_at_once()

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None
