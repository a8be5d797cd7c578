"""A position of the game and its text form: where glasses and rings are, whose turn it is, how many rings are left.

    0b000r/00000/000000/0r000000b/000000/00000/0b000r r 32 32

Columns `A` to `G` separated by `/`; each socket from the bottom one digit (its rings), and `r` or `b` where a glass
stands; then the side to move, then the rings left of red and of black. Glasses are numbered per colour in the order in
which they appear. A fifth word `free` marks a game with free placement, where glasses may still be off the board.

What the sand does is no part of a position: it belongs to a moment of a game at levels 2 and 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, Self

import attrs

from tamsk_pi.rules.board import (
    CAPACITY,
    COLUMN_HEIGHTS,
    COLUMNS,
    GLASSES,
    NEIGHBOURS,
    PLAYERS,
    RINGS_PER_SIDE,
    SOCKETS,
    START,
    Player,
    glasses_of,
    is_socket,
    opponent,
    owner_of,
)
from tamsk_pi.rules.quoting import quoted

Setup = Literal["corners", "free"]

FREE_MARK: Final = "free"
GLASSES_PER_SIDE: Final = 3
RINGS_IN_ALL: Final = 2 * RINGS_PER_SIDE

_LETTERS: Final[Mapping[Player, str]] = MappingProxyType({"red": "r", "black": "b"})
_SIDES: Final[Mapping[str, Player]] = MappingProxyType({"r": "red", "b": "black"})
_FIELDS: Final = ("the columns", "the side to move", "red's rings left", "black's rings left")


class PositionError(ValueError):
    """A position, or the text of one, that is not legal. `problems` names everything that is wrong with it."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems: tuple[str, ...] = tuple(problems)


@attrs.frozen
class Position:
    """An immutable, legal position.

    Raises `PositionError`, with every problem at once, when it would be illegal: more than three glasses of a colour
    or (unless `setup` is `free`) fewer, two glasses in a socket, a socket above its capacity, a side with fewer than 0
    or more than 32 rings, or rings on the board and left that do not make 64 (rules.md, "Board").
    """

    glasses: Mapping[str, str]
    """Glass to the socket it stands in; a glass that is still to be placed is missing."""
    rings: Mapping[str, int]
    """Socket to the rings around it; a socket without rings may be missing."""
    to_move: Player
    rings_left: Mapping[Player, int]
    setup: Setup = "corners"
    """`free`: the variation with free placement, the only one in which glasses may be off the board."""

    def __attrs_post_init__(self) -> None:
        unreadable = list(_name_problems(self))
        problems = [
            *unreadable,
            *_glass_problems({player: len(self._sockets_of(player)) for player in PLAYERS}, self.setup),
            *_capacity_problems({s: n for s, n in self.rings.items() if is_socket(s) and type(n) is int}),
            *_left_problems({p: n for p, n in self.rings_left.items() if p in PLAYERS and type(n) is int}),
        ]
        if not unreadable:  # a sum means something only where all of its parts could be read
            problems += _sum_problems(self.rings, self.rings_left)
        if problems:
            raise PositionError(problems)
        # Own copies, in one order and with every socket named: equal positions compare equal, and stay what they are.
        glasses = {glass: self.glasses[glass] for glass in GLASSES if glass in self.glasses}
        rings = {socket: self.rings.get(socket, 0) for socket in SOCKETS}
        rings_left = {player: self.rings_left[player] for player in PLAYERS}
        for name, own in (("glasses", glasses), ("rings", rings), ("rings_left", rings_left)):
            object.__setattr__(self, name, MappingProxyType(own))

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __hash__(self) -> int:
        return hash((self.text(), *self.glasses.items()))

    def __str__(self) -> str:
        return self.text()

    @classmethod
    def start(cls, setup: Setup = "corners") -> Position:
        """The position a game begins with: glasses in the six corners, or (`free`) none on the board."""
        return cls(
            glasses=START if setup == "corners" else {},
            rings={},
            to_move="red",
            rings_left={"red": RINGS_PER_SIDE, "black": RINGS_PER_SIDE},
            setup=setup,
        )

    @classmethod
    def parse(cls, text: str) -> Position:
        """The position a text stands for. `PositionError` names everything that is wrong with the text at once."""
        return _Reader(text).position()

    def text(self) -> str:
        """The text form. `Position.parse` of it gives this position back, its glasses `numbered()`."""
        letters = {socket: _LETTERS[owner_of(glass)] for glass, socket in self.glasses.items()}
        columns = "/".join(
            "".join(f"{self.rings[socket]}{letters.get(socket, '')}" for socket in SOCKETS if socket[0] == column)
            for column in COLUMNS
        )
        words = [columns, _LETTERS[self.to_move], *(str(self.rings_left[player]) for player in PLAYERS)]
        return " ".join(words if self.setup == "corners" else [*words, FREE_MARK])

    def numbered(self) -> Position:
        """The same position with each colour's glasses numbered in the order in which its text names them."""
        standing = {player: sorted(self._sockets_of(player), key=SOCKETS.index) for player in PLAYERS}
        return attrs.evolve(self, glasses=_number(standing))

    def is_vacant(self, socket: str) -> bool:
        """Whether no glass stands in the socket."""
        return socket not in self.glasses.values()

    def is_full(self, socket: str) -> bool:
        """Whether the socket holds its capacity of rings."""
        return self.rings[socket] >= CAPACITY[socket]

    def unplaced(self, player: Player) -> tuple[str, ...]:
        """A side's glasses that are still to be placed; empty unless `setup` is `free`."""
        return tuple(glass for glass in glasses_of(player) if glass not in self.glasses)

    def moves(self, player: Player) -> tuple[tuple[str | None, str], ...]:
        """Where a side's glasses may go by board and rings alone, as pairs of sockets (from, to) in board order.

        This is the whole of the rule at level 1: to an adjacent socket that holds no glass and is not full. While a
        side still has glasses to place, from is None and to any such socket (rules.md, "Variation: free placement").
        """
        open_sockets = [socket for socket in SOCKETS if self.is_vacant(socket) and not self.is_full(socket)]
        if self.unplaced(player):
            return tuple((None, socket) for socket in open_sockets)
        origins = sorted(self._sockets_of(player), key=SOCKETS.index)
        return tuple((origin, to) for origin in origins for to in open_sockets if to in NEIGHBOURS[origin])

    def after(self, origin: str | None, to: str) -> Position:
        """The position after the side to move goes from `origin` to `to` and drops its ring there.

        `origin` None places the side's first unplaced glass. `ValueError` when `moves` does not allow it or no ring
        is left.
        """
        player = self.to_move
        if (origin, to) not in self.moves(player):
            raise ValueError(f"{player} cannot go from {origin or 'off the board'} to {to} in {self}")
        if not self.rings_left[player]:
            raise ValueError(f"{player} has no ring left to drop in {self}")
        glass = self.unplaced(player)[0] if origin is None else self._glass_in(origin)
        return attrs.evolve(
            self,
            glasses={**self.glasses, glass: to},
            rings={**self.rings, to: self.rings[to] + 1},
            to_move=opponent(player),
            rings_left={**self.rings_left, player: self.rings_left[player] - 1},
        )

    def passed(self) -> Position:
        """The same position with the other side to move."""
        return attrs.evolve(self, to_move=opponent(self.to_move))

    def _sockets_of(self, player: Player) -> list[str]:
        return [self.glasses[glass] for glass in glasses_of(player) if glass in self.glasses]

    def _glass_in(self, socket: str) -> str:
        return next(glass for glass, standing in self.glasses.items() if standing == socket)


def _number(standing: Mapping[Player, Sequence[str]]) -> dict[str, str]:
    """Glass names for each side's sockets, in the order given. Glasses beyond the third get none."""
    return {g: socket for player in PLAYERS for g, socket in zip(glasses_of(player), standing[player], strict=False)}


def _name_problems(position: Position) -> Iterator[str]:
    """What makes a position's parts unreadable: names and values that do not exist."""
    for glass, socket in position.glasses.items():
        if glass not in START:
            yield f"no such glass: {glass!r} (allowed: {', '.join(GLASSES)})"
        if not is_socket(socket):
            yield f"{glass} stands in no socket: {socket!r}"
    for socket in sorted({s for s in position.glasses.values() if is_socket(s)}, key=SOCKETS.index):
        together = [glass for glass, standing in position.glasses.items() if standing == socket]
        if len(together) > 1:
            yield f"{socket}: {len(together)} glasses in one socket ({', '.join(together)})"
    for socket, count in position.rings.items():
        if not is_socket(socket):
            yield f"rings around no socket: {socket!r}"
        if type(count) is not int:
            yield f"{socket}: {count!r} is no number of rings"
    if position.to_move not in PLAYERS:
        yield f"side to move: {position.to_move!r} (allowed: {' or '.join(PLAYERS)})"
    if set(position.rings_left) != set(PLAYERS):
        yield f"rings left: given for {', '.join(map(repr, position.rings_left)) or 'nobody'}, needed for red and black"
    for player, left in position.rings_left.items():
        if type(left) is not int:
            yield f"{player}'s rings left: {left!r} is no number"
    if position.setup not in ("corners", "free"):
        yield f"setup: {position.setup!r} (allowed: corners or free)"


def _glass_problems(counts: Mapping[Player, int], setup: Setup) -> Iterator[str]:
    for player, count in counts.items():
        if count > GLASSES_PER_SIDE or (count < GLASSES_PER_SIDE and setup == "corners"):
            allowed = "exactly" if setup == "corners" else "at most"
            yield f"{player} glasses: {count} on the board ({allowed} {GLASSES_PER_SIDE} allowed)"


def _capacity_problems(rings: Mapping[str, int]) -> Iterator[str]:
    for socket, count in rings.items():
        if not 0 <= count <= CAPACITY[socket]:
            yield f"{socket}: {count} rings (allowed: 0 to {CAPACITY[socket]})"


def _left_problems(left: Mapping[Player, int]) -> Iterator[str]:
    for player, count in left.items():
        if not 0 <= count <= RINGS_PER_SIDE:
            yield f"{player}'s rings left: {count} (allowed: 0 to {RINGS_PER_SIDE})"


def _sum_problems(rings: Mapping[str, int], left: Mapping[Player, int]) -> Iterator[str]:
    on_board = sum(rings.values())
    total = on_board + sum(left.values())
    if total != RINGS_IN_ALL:
        parts = f"{on_board} on the board and {left['red']} + {left['black']} left"
        yield f"rings: {parts} make {total} (must be {RINGS_IN_ALL})"


class _Reader:
    """Reads one text to its end, however broken it is, and gathers what is wrong with it."""

    def __init__(self, text: str) -> None:
        self._words = text.split()
        self._problems: list[str] = []
        self._standing: dict[Player, list[str]] = {player: [] for player in PLAYERS}
        self._rings: dict[str, int] = {}
        self._left: dict[Player, int] = {}

    def position(self) -> Position:
        words = self._words
        if len(words) < len(_FIELDS):
            self._problems.append(f"missing: {', '.join(_FIELDS[len(words) :])}")
        setup = self._read_setup(words[len(_FIELDS) :])
        if words:
            self._read_board(words[0], setup)
        to_move = self._read_side(words[1]) if len(words) > 1 else None
        for player, word in zip(PLAYERS, words[2:], strict=False):
            self._read_left(player, word)
        self._problems += _capacity_problems(self._rings)
        self._problems += _left_problems(self._left)
        # A sum means something only where all of its parts could be read.
        if set(self._rings) == set(SOCKETS) and set(self._left) == set(PLAYERS):
            self._problems += _sum_problems(self._rings, self._left)
        if self._problems or to_move is None:
            raise PositionError(self._problems)
        return Position(_number(self._standing), self._rings, to_move, self._left, setup)

    def _read_setup(self, words: Sequence[str]) -> Setup:
        marked = bool(words) and words[0] == FREE_MARK
        rest = words[1:] if marked else words
        if rest:
            allowed = f"after the rings left only {FREE_MARK!r} may stand"
            self._problems.append(f"too much: {quoted(' '.join(rest))} ({allowed})")
        return "free" if marked else "corners"

    def _read_side(self, word: str) -> Player | None:
        if word not in _SIDES:
            self._problems.append(f"side to move: {quoted(word)} (allowed: r or b)")
        return _SIDES.get(word)

    def _read_left(self, player: Player, word: str) -> None:
        if re.fullmatch("0|[1-9][0-9]{0,3}", word):
            self._left[player] = int(word)
        else:
            self._problems.append(f"{player}'s rings left: {quoted(word)} (allowed: 0 to {RINGS_PER_SIDE})")

    def _read_board(self, word: str, setup: Setup) -> None:
        columns = word.split("/")
        for column, height, text in zip(COLUMNS, COLUMN_HEIGHTS, columns, strict=False):
            self._read_column(column, height, text)
        if len(columns) != len(COLUMNS):
            self._problems.append(f"{len(columns)} columns (must be {len(COLUMNS)}, separated by '/')")
        else:
            self._problems += _glass_problems({player: len(self._standing[player]) for player in PLAYERS}, setup)

    def _read_column(self, column: str, height: int, text: str) -> None:
        strange = "".join(sorted(set(re.sub("[0-9rb]", "", text))))
        if strange:
            self._problems.append(f"column {column}: {quoted(strange)} (allowed: digits, r and b)")
        if text.startswith(tuple(_SIDES)):
            self._problems.append(f"column {column}: a glass before the first socket's digit")
        sockets = re.findall("([0-9])([^0-9]*)", text)
        if len(sockets) != height:
            self._problems.append(f"column {column}: {len(sockets)} sockets (must be {height})")
        for row, (digit, letters) in enumerate(sockets[:height], start=1):
            socket = f"{column}{row}"
            self._rings[socket] = int(digit)
            glasses = [_SIDES[letter] for letter in letters if letter in _SIDES]
            if len(glasses) > 1:
                self._problems.append(f"{socket}: {len(glasses)} glasses in one socket")
            for player in glasses:
                self._standing[player].append(socket)
