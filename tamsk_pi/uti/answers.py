"""The lines an engine answers with: written by ours, read from anyone's."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from tamsk_pi.engine.think import Thought
from tamsk_pi.rules.board import Player, opponent
from tamsk_pi.rules.notation import NotationError, Turn, format_turn, parse_turn
from tamsk_pi.rules.quoting import quoted
from tamsk_pi.uti.positions import turns_of


class AnswerError(ValueError):
    """A line that is no answer; the text says what stands there."""


def info_line(thought: Thought, took_ms: int) -> str:
    """`info` for a thought."""
    speed = thought.nodes * 1000 // max(1, took_ms)
    end = (
        " proven win" if thought.wins else " proven loss" if thought.loses else " proven draw" if thought.proven else ""
    )
    counted = f"nodes {thought.nodes} time {took_ms} nps {speed}"
    return f"info depth {thought.depth} score {thought.score} {counted}{end} pv {' '.join(thought.line)}"


def best_line(thought: Thought) -> str:
    """`bestmove`, with what it expects of the other side where it expects anything."""
    expected = f" ponder {thought.line[1]}" if len(thought.line) > 1 else ""
    return f"bestmove {format_turn(thought.turn)}{expected}"


def timer_line(wait_ms: int | None) -> str:
    """`besttimer`: after how many ms of the other side's turn to turn the timer."""
    return f"besttimer {'none' if wait_ms is None else wait_ms}"


@attrs.frozen
class Best:
    """What `bestmove` told."""

    turn: Turn
    expected: str | None = None
    """The other side's turn that the engine expects, in notation."""


def read_best(line: str, player: Player) -> Best:
    """The turn that a `bestmove` line tells."""
    words = line.split()
    if not words or words[0] != "bestmove":
        raise AnswerError(f"{quoted(line)} is no bestmove")
    told, expected = _apart(words[1:], "ponder")
    turns = turns_of(told)
    if len(turns) != 1:
        raise AnswerError(f"{quoted(line)} tells {len(turns)} turns; bestmove takes one")
    try:
        turn = parse_turn(turns[0], player)
        if expected:
            parse_turn(expected[0], opponent(player))
    except NotationError as error:
        raise AnswerError(str(error)) from None
    return Best(turn, expected[0] if expected else None)


def _apart(words: Sequence[str], at: str) -> tuple[Sequence[str], list[str]]:
    if at not in words:
        return words, []
    place = list(words).index(at)
    return words[:place], turns_of(words[place + 1 :])


def read_timer(line: str) -> int | None:
    """After how many ms to turn the timer, by a `besttimer` line; None: not at all."""
    found = re.fullmatch(r"besttimer (none|[0-9]{1,7})", line.strip())
    if not found:
        raise AnswerError(f"{quoted(line)} is no besttimer (allowed: besttimer MS or besttimer none)")
    return None if found[1] == "none" else int(found[1])


def info_values(line: str) -> dict[str, str]:
    """What an `info` line tells, by its words: `depth`, `score`, `nodes`, `proven`, `pv` and the like."""
    words = line.split()[1:]
    found: dict[str, str] = {}
    place = 0
    while place < len(words):
        if words[place] in ("pv", "string"):
            found[words[place]] = " ".join(words[place + 1 :])
            break
        found[words[place]] = words[place + 1] if place + 1 < len(words) else ""
        place += 2
    return found
