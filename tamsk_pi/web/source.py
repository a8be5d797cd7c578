"""What the page shows and whom it asks: the seam between the web server and whatever runs a game.

The runner of a game owns the referee in its own thread. It hands out immutable pictures, and takes actions from a
queue; the web server never touches the referee, so no browser can stall or crash it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol, runtime_checkable

import attrs

from tamsk_pi.devices.base import LampFrame, Tone
from tamsk_pi.referee.blind import Differences
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import Player
from tamsk_pi.signals.advice import Advice
from tamsk_pi.web.actions import ArbiterAction, Choose, FaultKind, HandAction, Verb

Mode = Literal["simulator", "play", "referee"]


@attrs.frozen
class LyingGlass:
    """Where one of the seven glasses really is on a virtual board. Times are ms since the game's start."""

    socket: str | None
    """None in hand, off the board, between two tubes, and for the timer."""
    between: tuple[str, str] | None
    """The two sockets between which it was dropped."""
    in_hand: bool
    lifted_from: str | None
    up: str
    stops_at_ms: int | None
    """When its upper chamber runs out; None when it is empty."""
    full_ms: int
    stood: Mapping[str, str] = attrs.field(factory=dict)
    """For each socket in which it has stood, the end that was up when it last did: what players remember."""


@attrs.frozen
class OrderedFault:
    """A fault that was ordered on the virtual board; `socket` is None for the whole board's."""

    fault: FaultKind
    socket: str | None


@attrs.frozen
class BoardView:
    """What really lies on a virtual board, whatever its sensors tell and the referee believes."""

    glasses: Mapping[str, LyingGlass]
    rings: Mapping[str, tuple[Player, ...]]
    """Whose rings lie around each socket, the lowest first."""
    holders: Mapping[Player, int]
    faults: tuple[OrderedFault, ...] = ()


@attrs.frozen
class GamePicture:
    """All there is to show at one moment. Rulings only ever grow within one `game`."""

    game: int
    """Counts the games of this run from 1; a new game starts a new list of rulings."""
    snapshot: Snapshot
    rulings: Sequence[Ruling]
    lamps: LampFrame
    board: BoardView | None = None
    """The virtual board; None on a real one."""
    ring_mode: str = "stack"
    """How rings are noticed: `stack`, `holder` or `buttons`."""
    setup: str = "corners"
    """`corners` or `free`."""
    position: str = ""
    """The position that the game began from, where that is a set-up one."""
    problem: str | None = None
    """Why the box is not watching, or not keeping the game, in one line."""
    unkept: str | None = None
    """Why the game is not being kept, in one line, where that is the problem: all is judged all the same."""
    kept: str = ""
    """The name among the games kept of the one that is going on; empty where it is not kept."""
    differences: Differences = attrs.field(factory=Differences)
    """How a board that is heard again differs from the game: nothing is judged until they are gone, or accepted."""
    lesson: Mapping[str, object] | None = None
    """How the first lesson's task stands: `task`, `of` how many, whether it is `done`; None outside the lesson."""
    advice: Advice | None = None
    """What the opponent at the board wants, where there is one."""
    hint: Advice | None = None
    """What the coach says to the side to move."""
    caps: Mapping[str, Mapping[str, object]] = attrs.field(factory=dict)
    """How each glass's radio cap is (`CapState.told`), where there are any."""
    explanation: Mapping[str, object] | None = None
    """Why the ruling that the arbiter looks at again was given (docs/traces.md), by language; `asked_ms` says when."""


class Viewers(Protocol):
    """Where a source sends what there is to see and hear. Safe from any thread; never blocks."""

    def show(self, picture: GamePicture) -> None:
        """Show this picture from now on."""
        ...

    def sound(self, tones: Sequence[Tone]) -> None:
        """Play these tones instead of whatever sounds now; none: silence."""
        ...


Answer = Callable[[str | None], None]
"""Called once, from any thread: with None when the action was done, else with one line that says why not."""


class Hands(Protocol):
    """Hands over a virtual board.

    Must: return at once (post the action to the owner's queue), call `answer` exactly once, and raise nothing.
    """

    def do(self, action: HandAction, answer: Answer) -> None: ...


class Arbiter(Protocol):
    """The arbiter's words to the referee; the same duties as `Hands`."""

    def offers(self) -> tuple[Verb, ...]:
        """What may be asked of it."""
        ...

    def do(self, action: ArbiterAction, answer: Answer) -> None: ...


@runtime_checkable
class ChoosesNext(Protocol):
    """An arbiter by whom it can be chosen how the next game is played; the same duties as `Hands`."""

    def choose(self, choice: Choose, answer: Answer) -> None: ...


class GameSource(Protocol):
    """A game to be shown.

    Must: `start(viewers)` show a picture before it returns, then one after every change, for ever; `now_ms()` tell
    the game's clock and `alive()` whether the thread that owns the referee has gone round within the last second,
    both at once and from any thread.
    May: offer `hands` (a virtual board) and an `arbiter`.
    """

    @property
    def mode(self) -> Mode:
        """`referee` shows no legal targets; the others do."""
        ...

    @property
    def hands(self) -> Hands | None: ...

    @property
    def arbiter(self) -> Arbiter | None: ...

    def start(self, viewers: Viewers) -> None: ...

    def now_ms(self) -> int: ...

    def alive(self) -> bool: ...
