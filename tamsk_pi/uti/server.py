"""The engine's side of UTI: lines come in, lines go out, and while it thinks it still listens.

`take` handles one line; thinking goes on in a thread of its own, which `stop` and `quit` end.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final

import attrs

from tamsk_pi import __version__
from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine.strength import BEST
from tamsk_pi.engine.think import Limits, NothingToDecide, Thought, think
from tamsk_pi.engine.timer import timer_wait_ms
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.rules.quoting import quoted
from tamsk_pi.uti.answers import best_line, info_line, timer_line
from tamsk_pi.uti.positions import PositionLineError, parse_position

COMMANDS: Final = ("uti", "isready", "setoption", "newgame", "position", "go", "stop", "ponderhit", "quit")

_MANY_NODES: Final = 1 << 50
_LIMITS: Final = ("movetime", "nodes", "depth")


@attrs.define
class _Options:
    level: int = 1
    rules: str = "rulebook"
    setup: str = "corners"
    strength: int = BEST
    seed: int = 0


@attrs.frozen
class _Go:
    """What a `go` line asks for."""

    limits: Limits
    movetime_ms: int | None = None
    holds: bool = False
    """`infinite` and `ponder`: no answer before `stop` or `ponderhit`."""


class UtiError(ValueError):
    """A line that cannot be obeyed; the text says why."""


class Engine:
    """One conversation. `say` takes each line that is answered, from either thread; `now_ms` is any steady clock."""

    def __init__(self, say: Callable[[str], None], now_ms: Callable[[], int]) -> None:
        self._say: Final = say
        self._now_ms: Final = now_ms
        self._options = _Options()
        self._position: list[str] = ["startpos"]
        self._stop: Final = threading.Event()
        self._release: Final = threading.Event()
        self._ends_at_ms: int | None = None
        self._thinking: threading.Thread | None = None
        self._pondered_ms: int | None = None
        self._holds = False

    def take(self, line: str) -> bool:
        """Obey a line; False once it was `quit`. What cannot be obeyed is answered with one `info string error`."""
        words = line.split()
        try:
            return self._obey(words) if words else True
        except (UtiError, PositionLineError) as error:
            self._say(f"info string error: {error}")
            return True

    def close(self) -> None:
        """End what is being thought about."""
        self._end()

    def _obey(self, words: Sequence[str]) -> bool:
        match words[0]:
            case "uti":
                self._introduce()
            case "isready":
                self._say("readyok")
            case "setoption":
                self._set(words[1:])
            case "newgame":
                self._end()
                self._position = ["startpos"]
            case "position":
                self._end()
                self._situation(words[1:])
                self._position = list(words[1:])
            case "go":
                self._go(words[1:])
            case "stop":
                self._end()
            case "ponderhit":
                if self._thinking is None:
                    raise UtiError("ponderhit: nothing is being thought about")
                if self._pondered_ms is not None:
                    self._ends_at_ms = self._now_ms() + self._pondered_ms
                self._release.set()
            case "quit":
                self._end()
                return False
            case _:
                raise UtiError(f"{quoted(words[0])} is no command (allowed: {', '.join(COMMANDS)})")
        return True

    def _introduce(self) -> None:
        self._say(f"id name tamsk-pi {__version__}")
        self._say("id author the authors of tamsk-pi")
        self._say("option name Level type spin default 1 min 1 max 3")
        self._say(f"option name Rules type combo default rulebook {' '.join(f'var {name}' for name in EDITIONS)}")
        self._say("option name Setup type combo default corners var corners var free")
        self._say(f"option name Strength type spin default {BEST} min 1 max {BEST}")
        self._say("option name Seed type spin default 0 min 0 max 1000000")
        self._say("utiok")

    def _set(self, words: Sequence[str]) -> None:
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise UtiError("setoption takes: name NAME value VALUE")
        name, value = words[1].lower(), words[3]
        match name:
            case "level":
                self._options.level = _number(name, value, 1, 3)
            case "strength":
                self._options.strength = _number(name, value, 1, BEST)
            case "seed":
                self._options.seed = _number(name, value, 0, 1_000_000)
            case "rules" | "setup":
                allowed = tuple(EDITIONS) if name == "rules" else ("corners", "free")
                if value not in allowed:
                    raise UtiError(f"{name} {quoted(value)} (allowed: {', '.join(allowed)})")
                setattr(self._options, name, value)
            case _:
                raise UtiError(f"{quoted(words[1])} is no option (allowed: Level, Rules, Setup, Strength, Seed)")

    def _situation(self, words: Sequence[str]) -> Situation:
        options = self._options
        return parse_position(words, level=options.level, rules=options.rules, setup=options.setup)

    def _go(self, words: Sequence[str]) -> None:
        self._end()
        situation = self._situation(self._position)
        if list(words) == ["timer"]:
            self._say(timer_line(timer_wait_ms(situation)))
            return
        go = _read_go(words)
        self._stop.clear()
        self._release.clear()
        self._holds, self._pondered_ms = go.holds, go.movetime_ms
        self._ends_at_ms = None if go.movetime_ms is None or go.holds else self._now_ms() + go.movetime_ms
        self._thinking = threading.Thread(target=self._think, args=(situation, go), name="thinking", daemon=True)
        self._thinking.start()

    def _think(self, situation: Situation, go: _Go) -> None:
        began_ms = self._now_ms()
        last: Thought | None = None
        try:
            for thought in think(
                situation, go.limits, strength=self._options.strength, seed=self._options.seed, stop=self._is_over
            ):
                last = thought
                self._say(info_line(thought, self._now_ms() - began_ms))
        except NothingToDecide as error:
            self._say(f"info string {error}")
        if go.holds:
            self._release.wait()
        self._say(best_line(last) if last is not None else "bestmove pass")

    def _is_over(self) -> bool:
        return self._stop.is_set() or (self._ends_at_ms is not None and self._now_ms() >= self._ends_at_ms)

    def _end(self) -> None:
        if self._thinking is None:
            return
        self._stop.set()
        self._release.set()
        self._thinking.join()
        self._thinking = None

    def wait(self) -> None:
        """Wait until what is being thought about has been answered; what would go on for ever is answered now."""
        if self._thinking is not None:
            if self._holds:
                self._stop.set()
            self._release.set()
            self._thinking.join()
            self._thinking = None


def _read_go(words: Sequence[str]) -> _Go:
    found: dict[str, int] = {}
    holds = False
    place = 0
    while place < len(words):
        word = words[place]
        if word in ("infinite", "ponder"):
            holds = True
            place += 1
        elif word in _LIMITS:
            if place + 1 >= len(words):
                raise UtiError(f"go {word} takes a number")
            found[word] = _number(f"go {word}", words[place + 1], 1, 1_000_000_000)
            place += 2
        else:
            raise UtiError(f"go {quoted(word)} (allowed: movetime MS, nodes N, depth N, infinite, ponder, or timer)")
    nodes = found.get("nodes")
    if nodes is None and ("movetime" in found or "depth" in found or holds):
        nodes = _MANY_NODES
    return _Go(Limits(nodes, found.get("depth")), found.get("movetime"), holds)


def _number(name: str, value: str, least: int, most: int) -> int:
    if not value.isascii() or not value.isdigit() or len(value) > 10 or not least <= int(value) <= most:
        raise UtiError(f"{name} {quoted(value)} (allowed: {least} to {most})")
    return int(value)
