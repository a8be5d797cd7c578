"""One turn in notation, both ways (rules.md, "Notation"; docs/notation.md has it in full with examples).

D1-D2     a move that dropped its ring         D1-D2~    no ring dropped
G1-F1x    its ring filled the socket           *-D2      a first placing (free placement)
+D2 D2-E2   before the turn a claim at D2 was used
G1-F1 &C3   after the move a penalty ring at C3; `&C3x` when it filled the socket
pass  forfeit  skip                            turns without a move
"""

from __future__ import annotations

import re
from typing import Final, Literal, get_args

import attrs

from tamsk_pi.rules.board import Player, is_socket
from tamsk_pi.rules.quoting import quoted

MoveRing = Literal["dropped", "filled", "none"]
"""What became of a move's ring: dropped, dropped and its socket filled by it, or not dropped."""

Standstill = Literal["pass", "forfeit", "skip"]
"""A turn without a move."""

PASS: Final = "pass"
STANDSTILLS: Final[tuple[Standstill, ...]] = get_args(Standstill)

_RING_MARKS: Final[dict[MoveRing, str]] = {"dropped": "", "filled": "x", "none": "~"}
_RINGS: Final = {mark: ring for ring, mark in _RING_MARKS.items()}
_OFF_BOARD: Final = "*"
_MOVE: Final = re.compile(r"([A-G][1-7]|\*)-([A-G][1-7])([x~]?)")
_PENALTY: Final = re.compile(r"&([A-G][1-7])(x?)")
_CLAIM: Final = re.compile(r"\+([A-G][1-7])")


class NotationError(ValueError):
    """A text that is not notation. The message says what stands there and what may."""


def _check_socket(_: object, attribute: attrs.Attribute[str], value: object) -> None:
    if not is_socket(value):
        raise NotationError(f"{attribute.name}: no such socket: {value!r}")


@attrs.frozen
class PenaltyRing:
    """A penalty ring, and whether it filled its socket."""

    socket: str = attrs.field(validator=_check_socket)
    filled: bool = False


@attrs.frozen
class Move:
    """A move with what belongs to it. Whether the rules allow it is not asked here."""

    origin: str | None = attrs.field(validator=attrs.validators.optional(_check_socket))
    """The socket it came from; None for a first placing with free placement."""
    to: str = attrs.field(validator=_check_socket)
    ring: MoveRing = attrs.field(default="none", validator=attrs.validators.in_(tuple(_RING_MARKS)))
    penalty: PenaltyRing | None = None
    """The penalty ring this move gave the right to, where it was set."""


@attrs.frozen
class Turn:
    """One side's turn."""

    player: Player
    action: Move | Standstill | None
    """None: a claim was used, and the game ended before this turn was taken."""
    claim: str | None = attrs.field(default=None, validator=attrs.validators.optional(_check_socket))
    """The socket of a claim used since the turn before. It belongs to the side that did not make the last move,
    which need not be this turn's: at `D1-D2~ pass +D2 D2-D3` the side that passed claims while the other lifts."""
    t_ms: int | None = None
    """When the move was made (its placing) or the turn was lost, in ms since the game's start."""

    def __attrs_post_init__(self) -> None:
        if self.action is None and self.claim is None:
            raise NotationError("a turn with neither a claim nor a move is none")
        if self.t_ms is not None and self.t_ms < 0:
            raise NotationError(f"a time before the game's start: {self.t_ms} ms")


def format_move(move: Move) -> str:
    """A move in notation, with its penalty ring."""
    text = f"{move.origin or _OFF_BOARD}-{move.to}{_RING_MARKS[move.ring]}"
    if move.penalty is None:
        return text
    return f"{text} &{move.penalty.socket}{'x' if move.penalty.filled else ''}"


def format_turn(turn: Turn) -> str:
    """A turn in notation, without its time and without saying whose it is."""
    action = format_move(turn.action) if isinstance(turn.action, Move) else turn.action
    return " ".join(part for part in (turn.claim and f"+{turn.claim}", action) if part)


def parse_move(text: str) -> Move:
    """The move a text stands for, with its penalty ring. `NotationError` when it is none."""
    turn = parse_turn(text, "red")
    if not isinstance(turn.action, Move) or turn.claim is not None:
        raise NotationError(f"{quoted(text)} is not one move")
    return turn.action


def parse_turn(text: str, player: Player, t_ms: int | None = None) -> Turn:
    """The turn of `player` that a text stands for. `NotationError` when it is none."""
    claim: str | None = None
    action: Move | Standstill | None = None
    for word in text.split():
        if action is None and claim is None and is_claim(word):
            claim = parse_claim(word)
        elif action is None:
            action = parse_action(word)
        elif isinstance(action, Move) and action.penalty is None and is_penalty(word):
            action = attrs.evolve(action, penalty=parse_penalty(word))
        else:
            raise NotationError(f"{quoted(word)} cannot stand there: a turn is [+SOCKET] MOVE [&SOCKET]")
    return Turn(player, action, claim, t_ms)


def is_claim(word: str) -> bool:
    """Whether a word means to be a claim."""
    return word.startswith("+")


def is_penalty(word: str) -> bool:
    """Whether a word means to be a penalty ring."""
    return word.startswith("&")


def parse_claim(word: str) -> str:
    """The socket of a claim such as `+D2`."""
    if found := _CLAIM.fullmatch(word):
        return _socket(found[1])
    raise NotationError(f"{quoted(word)} is no claim (allowed: +SOCKET, such as +D2)")


def parse_penalty(word: str) -> PenaltyRing:
    """A penalty ring such as `&C3` or `&C3x`."""
    if found := _PENALTY.fullmatch(word):
        return PenaltyRing(_socket(found[1]), filled=bool(found[2]))
    raise NotationError(f"{quoted(word)} is no penalty ring (allowed: &SOCKET or &SOCKETx, such as &C3)")


def parse_action(word: str) -> Move | Standstill:
    """A move such as `D1-D2`, `G1-F1x`, `D1-D2~` or `*-D2`, or one of `pass`, `forfeit`, `skip`."""
    if word in STANDSTILLS:
        return word
    if found := _MOVE.fullmatch(word):
        origin = None if found[1] == _OFF_BOARD else _socket(found[1])
        return Move(origin, _socket(found[2]), _RINGS[found[3]])
    allowed = f"FROM-TO, with x or ~ after it or neither, or {', '.join(STANDSTILLS)}"
    raise NotationError(f"{quoted(word)} is no move (allowed: {allowed})")


def _socket(name: str) -> str:
    if not is_socket(name):
        raise NotationError(f"no such socket: {name}")
    return name
