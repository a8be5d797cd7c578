"""A situation as words of a `position` line, and back.

    position startpos moves D1-D2 G1-F1x
    position pos 0b000r/00000/000000/0r000000b/000000/00000/0b000r r 32 32 sand A4:- D1:91000/180000 pace 5000 8000

Glasses are named by their sockets, so that nothing hangs on how they are numbered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tamsk_pi.engine.going_on import IllegalTurn, after
from tamsk_pi.engine.situation import GlassSand, Situation
from tamsk_pi.rules.board import CAPACITY, GLASSES, PLAYERS, Player
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.rules.notation import NotationError, Turn, is_claim, is_penalty, parse_turn
from tamsk_pi.rules.position import FREE_MARK, Position, PositionError
from tamsk_pi.rules.quoting import quoted

SECTIONS: Final = ("sand", "pace", "claim", "owed", "skip", "timer", "expires", "moves")
"""What may follow the position, each at most once; `moves` comes last."""

_MOST_MS: Final = 100_000_000
_SIDES: Final[Mapping[str, Player]] = {"r": "red", "b": "black"}
_LETTER: Final[Mapping[Player, str]] = {"red": "r", "black": "b"}
_SAND: Final = re.compile(r"([A-G][1-7]):(?:(-)|(x)|([0-9]{1,9}))(?:/([0-9]{1,9})(?:/([0-9]{1,9}))?)?")


class PositionLineError(ValueError):
    """A `position` line that is none; the text says what stands there and what may."""


def format_position(situation: Situation) -> str:
    """The `position` line of a situation. Level, edition and set-up are options and not in it."""
    position = situation.position
    words = ["position pos", position.text()]
    if situation.level > 1:
        sand = [f"{position.glasses[g]}:{_sand_word(situation.sand[g])}" for g in GLASSES if g in position.glasses]
        words += ["sand", *sand] if sand else []
        words += ["pace", *(str(situation.paces_ms[player]) for player in PLAYERS)]
    if situation.claim is not None:
        words += ["claim", situation.claim]
    for name, sides in (("owed", situation.penalty_owed), ("skip", situation.skip_owed)):
        if sides:
            words += [name, "".join(_LETTER[player] for player in PLAYERS if player in sides)]
    if situation.level == 3:
        words += ["timer", f"{situation.timer_left_ms}/{situation.timer_full_ms}"]
        if situation.expires_ms is not None:
            words += ["expires", str(situation.expires_ms)]
    return " ".join(words)


def _sand_word(sand: GlassSand) -> str:
    times = f"{sand.full_ms}/{sand.other_full_ms}"
    if sand.out:
        return f"x/{times}"
    if sand.moved:
        return f"{sand.left_ms}/{times}"
    return "-" if sand == GlassSand() else f"-/{times}"


def parse_position(words: Sequence[str], *, level: int, rules: str, setup: str = "corners") -> Situation:
    """The situation that the words after `position` tell. `PositionLineError` where they tell none."""
    if not words or words[0] not in ("startpos", "pos"):
        stands = quoted(words[0]) if words else "nothing"
        raise PositionLineError(f"position {stands}: allowed are startpos and pos POSITION")
    first = next((n for n, word in enumerate(words) if word in SECTIONS), len(words))
    if words[0] == "startpos":
        if first != 1:
            raise PositionLineError(f"{quoted(words[1])} after startpos (allowed: {', '.join(SECTIONS)})")
        position = Position.start("free" if setup == FREE_MARK else "corners")
    else:
        try:
            position = Position.parse(" ".join(words[1:first]))
        except PositionError as error:
            raise PositionLineError(f"position: {error}") from None
    sections = _sections(words[first:])
    if rules not in EDITIONS:
        raise PositionLineError(f"no such edition: {quoted(rules)}")
    told = sections.pop("moves", [])
    try:
        situation = Situation(position=position, level=level, rules=rules, **_read(sections, position))  # type: ignore[arg-type]
    except ValueError as error:
        raise PositionLineError(str(error)) from None
    return _followed(situation, told)


def _sections(words: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        if word in SECTIONS and "moves" not in found:
            if word in found:
                raise PositionLineError(f"{word} stands there twice")
            found[word] = []
        else:
            found[list(found)[-1]].append(word)
    return found


def _read(sections: Mapping[str, Sequence[str]], position: Position) -> dict[str, object]:
    values: dict[str, object] = {}
    for name, words in sections.items():
        match name:
            case "sand":
                values["sand"] = _read_sand(words, position)
            case "pace":
                if len(words) != 2:
                    raise PositionLineError("pace takes two numbers of ms: red's and black's")
                values["paces_ms"] = dict(zip(PLAYERS, (max(1, _ms(name, word)) for word in words), strict=True))
            case "claim":
                if len(words) != 1 or words[0] not in CAPACITY:
                    raise PositionLineError(f"claim {quoted(' '.join(words))}: it takes one socket")
                values["claim"] = words[0]
            case "owed" | "skip":
                if len(words) != 1 or words[0] not in ("r", "b", "rb"):
                    raise PositionLineError(f"{name} {quoted(' '.join(words))} (allowed: r, b or rb)")
                key = "penalty_owed" if name == "owed" else "skip_owed"
                values[key] = frozenset(_SIDES[letter] for letter in words[0])
            case "timer":
                if len(words) != 1 or words[0].count("/") > 1:
                    raise PositionLineError("timer takes LEFT or LEFT/FULL, in ms")
                left_word, _, full_word = words[0].partition("/")
                values["timer_left_ms"] = _ms(name, left_word)
                if full_word:
                    values["timer_full_ms"] = max(1, _ms(name, full_word))
            case "expires":
                if len(words) != 1:
                    raise PositionLineError("expires takes one number of ms")
                values["expires_ms"] = _ms(name, words[0])
    return values


def _read_sand(words: Sequence[str], position: Position) -> dict[str, GlassSand]:
    standing = {socket: glass for glass, socket in position.glasses.items()}
    sand = dict.fromkeys(GLASSES, GlassSand())
    for word in words:
        found = _SAND.fullmatch(word)
        if not found or found[1] not in standing:
            raise PositionLineError(
                f"sand {quoted(word)} (allowed: SOCKET:LEFT[/FULL[/OTHER]] of a glass,"
                " LEFT in ms, - not moved yet, x stopped)"
            )
        full_ms = int(found[5] or GlassSand().full_ms)
        left_ms, moved = int(found[4] or 0), not found[2]
        out = moved and not left_ms
        sand[standing[found[1]]] = GlassSand(left_ms, full_ms, int(found[6] or full_ms), moved=moved, out=out)
    return sand


def _ms(name: str, word: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", word) or int(word) > _MOST_MS:
        raise PositionLineError(f"{name} {quoted(word)}: it takes whole ms from 0 to {_MOST_MS}")
    return int(word)


def turns_of(words: Sequence[str]) -> list[str]:
    """Words of turns, put together: a claim belongs to what follows it, a penalty ring to what went before."""
    found: list[str] = []
    claim = ""
    for word in words:
        if is_claim(word):
            claim = f"{word} "
        elif is_penalty(word) and found:
            found[-1] += f" {word}"
        else:
            found.append(claim + word)
            claim = ""
    return [*found, claim.strip()] if claim else found


def _followed(situation: Situation, words: Sequence[str]) -> Situation:
    for text in turns_of(words):
        try:
            turn: Turn = parse_turn(text, situation.to_move)
            situation = after(situation, turn)
        except (NotationError, IllegalTurn) as error:
            raise PositionLineError(f"moves: {error}") from None
    return situation


def level_options(situation: Situation) -> list[str]:
    """The lines that set what a `position` line takes for granted."""
    return [
        f"setoption name Level value {situation.level}",
        f"setoption name Rules value {situation.rules}",
        f"setoption name Setup value {situation.position.setup}",
    ]
