"""What a viewer of the page may ask for: acts of the hands on a virtual board, and the arbiter's words.

An action is checked for its form here and for whether it can be done by whoever carries it out. It is not checked
against the rules of the game: illegal play is the referee's business, and showing it is what the simulator is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

import attrs

from tamsk_pi.rules.board import CAPACITY, NEIGHBOURS, Player, is_socket
from tamsk_pi.rules.position import PositionError
from tamsk_pi.trace_header import settled_position

Glass = Literal["R1", "R2", "R3", "B1", "B2", "B3"]
Press = Literal["short", "long", "held"]
Seat = Literal["both", "red", "black"]
AnyGlass = Literal["R1", "R2", "R3", "B1", "B2", "B3", "N"]
Verb = Literal[
    "pause",
    "resume",
    "discard",
    "annul",
    "recheck",
    "accept",
    "takeback",
    "rings",
    "glass",
    "place",
    "dead",
    "penalty",
    "turn",
    "end",
    "names",
    "new_game",
]
FaultKind = Literal["stuck_closed", "stuck_open", "weak", "bouncing", "link_cut", "scan_stopped"]

NAME_CHARS: Final = 40
STRONGEST: Final = 10
LONGEST_SAND_MS: Final = 600_000

INPUT_FAULTS: Final[tuple[FaultKind, ...]] = ("stuck_closed", "stuck_open", "weak", "bouncing")
"""The faults of one socket's sensor; the others are of the whole board."""


def _is_socket(_: object, field: attrs.Attribute[str], value: str) -> None:
    if not is_socket(value):
        raise ValueError(f"{field.name} must be a socket, A1 to G4")


def _is_name(_: object, field: attrs.Attribute[str], value: str) -> None:
    if len(value) > NAME_CHARS or not (value == "" or value.isprintable()):
        raise ValueError(f"{field.name} must be a name of at most {NAME_CHARS} printable characters")


def _is_strength(_: object, field: attrs.Attribute[int], value: int) -> None:
    if not 1 <= value <= STRONGEST:
        raise ValueError(f"{field.name} must be a whole number from 1 to {STRONGEST}")


def _is_position(_: object, field: attrs.Attribute[str], value: str) -> None:
    if value:
        try:
            settled_position(value)
        except PositionError as error:
            raise ValueError(f"{field.name}: {error}") from None


@attrs.frozen
class Lift:
    """Take a glass off its socket into the hand."""

    glass: Glass


@attrs.frozen
class Place:
    """Set a glass that is in hand into a socket, turned over on the way or not."""

    glass: Glass
    socket: str = attrs.field(validator=_is_socket)
    turned: bool


@attrs.frozen
class PlaceBetween:
    """Drop a glass that is in hand between two tubes, so that it closes both sockets."""

    glass: Glass
    socket: str = attrs.field(validator=_is_socket)
    other: str = attrs.field(validator=_is_socket)

    def __attrs_post_init__(self) -> None:
        if self.other not in NEIGHBOURS[self.socket]:
            raise ValueError("other must be a socket that touches socket")


@attrs.frozen
class PutBack:
    """Set a glass that is in hand back where it was lifted, the same way up."""

    glass: Glass


@attrs.frozen
class TurnInPlace:
    """Lift a glass, turn it over and set it back into its own socket."""

    glass: Glass


@attrs.frozen
class DropRing:
    """Drop a ring from a side's holder around a socket."""

    player: Player
    socket: str = attrs.field(validator=_is_socket)


@attrs.frozen
class TakeRing:
    """Take the uppermost ring off a socket; it goes back to the holder it came from."""

    socket: str = attrs.field(validator=_is_socket)


@attrs.frozen
class TurnTimer:
    """Turn the 15-second timer over."""


@attrs.frozen
class PressButton:
    """Press a button: under 0.8 s (`short`), longer (`long`), or for more than 3 s (`held`)."""

    button: Literal["red", "black", "arbiter"]
    press: Press
    lays_ring: bool = False
    """Where the button is what tells of a ring: drop that ring first, if none lies there yet."""


@attrs.frozen
class NewGame:
    """Set the board up for a new game. Names may be empty."""

    level: Literal[1, 2, 3]
    rules: Literal["rulebook", "wikipedia", "schmidt1998"]
    rings: Literal["stack", "holder", "buttons"]
    setup: Literal["corners", "free"]
    red: str = attrs.field(validator=_is_name)
    black: str = attrs.field(validator=_is_name)
    position: str = attrs.field(default="", validator=_is_position)
    """The position to begin from, in the text form of `tamsk_pi.rules.position`; empty: as `setup` says."""
    opponent: Literal["", "red", "black"] = ""
    """The side that the program's opponent plays; empty: none."""
    strength: int = attrs.field(default=5, validator=_is_strength)
    """How well it plays, 1 to 10."""

    def __attrs_post_init__(self) -> None:
        if self.position and self.setup != "corners":
            raise ValueError("position is for setup corners only")


LAST_TASK: Final = 10


def _is_task(_: object, field: attrs.Attribute[int], value: int) -> None:
    if not 0 <= value <= LAST_TASK:
        raise ValueError(f"{field.name} must be a whole number from 0 to {LAST_TASK}")


@attrs.frozen
class Lesson:
    """Begin a task of the first lesson, counted from 1; 0 ends the lesson."""

    task: int = attrs.field(validator=_is_task)


@attrs.frozen
class Hint:
    """Ask the coach: first which glass to move, then, asked again, where to."""


@attrs.frozen
class SetNames:
    """Who plays, set or corrected while a game goes on. Names may be empty."""

    red: str = attrs.field(validator=_is_name)
    black: str = attrs.field(validator=_is_name)


@attrs.frozen
class SetFault:
    """Make a fault begin or end. `socket` is given for a sensor's fault and null for the whole board's."""

    fault: FaultKind
    socket: str | None
    on: bool

    def __attrs_post_init__(self) -> None:
        if self.fault in INPUT_FAULTS and not is_socket(self.socket):
            raise ValueError(f"socket must be a socket, A1 to G4, for the fault {self.fault}")
        if self.fault not in INPUT_FAULTS and self.socket is not None:
            raise ValueError(f"socket must be null for the fault {self.fault}, which is of the whole board")


HandAction = (
    Lift
    | Place
    | PlaceBetween
    | PutBack
    | TurnInPlace
    | DropRing
    | TakeRing
    | TurnTimer
    | PressButton
    | NewGame
    | Hint
    | Lesson
    | SetNames
    | SetFault
)


# ---- the arbiter's words (`tamsk_pi.referee.words` says what each does) ----


@attrs.frozen
class Nothing:
    """A word that stands alone."""


@attrs.frozen
class RingCount:
    """So many rings count at a socket; the difference is taken from this side's, or given to it."""

    socket: str = attrs.field(validator=_is_socket)
    count: int
    side: Player

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.count <= CAPACITY[self.socket]:
            raise ValueError(f"count must be from 0 to {CAPACITY[self.socket]}, which is what {self.socket} holds")


@attrs.frozen
class Sand:
    """A glass has stopped (`left_ms` null), or runs for so long."""

    glass: AnyGlass
    state: Literal["stopped", "running"]
    left_ms: int | None

    def __attrs_post_init__(self) -> None:
        if self.state == "stopped" and self.left_ms is not None:
            raise ValueError("left_ms must be null for a glass that has stopped")
        if self.state == "running" and not (self.left_ms is not None and 1 <= self.left_ms <= LONGEST_SAND_MS):
            raise ValueError(f"left_ms must be from 1 to {LONGEST_SAND_MS} for a glass that runs")


@attrs.frozen
class Placing:
    """A glass was lifted and set down there, whatever the sensors told."""

    glass: Glass
    socket: str = attrs.field(validator=_is_socket)
    turned: bool


@attrs.frozen
class DeadSocket:
    """Do not listen to a socket any more, or listen again."""

    socket: str = attrs.field(validator=_is_socket)
    dead: bool


@attrs.frozen
class OwedPenalty:
    """A side is owed a penalty ring, or is not."""

    side: Player
    given: bool


@attrs.frozen
class Turn:
    """Whose turn it is."""

    side: Player


@attrs.frozen
class Ending:
    """The game is over; null: a draw."""

    winner: Player | None


WORDS: Final[Mapping[Verb, type[Any]]] = MappingProxyType(
    {
        "pause": Nothing,
        "resume": Nothing,
        "discard": Nothing,
        "annul": Nothing,
        "recheck": Nothing,
        "accept": Nothing,
        "takeback": Nothing,
        "rings": RingCount,
        "glass": Sand,
        "place": Placing,
        "dead": DeadSocket,
        "penalty": OwedPenalty,
        "turn": Turn,
        "end": Ending,
        "names": SetNames,
        "new_game": Nothing,
    }
)
"""Each word with what must be said along with it."""


@attrs.frozen
class Choose:
    """Choose for the next game: level, edition, names; whoever is named `red` plays red. Names may be empty."""

    level: Literal[1, 2, 3]
    rules: Literal["rulebook", "wikipedia", "schmidt1998"]
    red: str = attrs.field(validator=_is_name)
    black: str = attrs.field(validator=_is_name)


@attrs.frozen
class ArbiterAction:
    """A word of the arbiter, with the keys that `tamsk_pi.referee.words` wants beside it."""

    verb: Verb
    details: Mapping[str, object] = attrs.field(factory=dict)
