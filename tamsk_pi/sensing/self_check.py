"""The self-check before play: every sensor whose state cannot be right, told from what the board reads and posts.

It looks at raw inputs, as whoever set the board up cannot know yet which of them to believe. Times are in ms, on one
clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from tamsk_pi.rules.board import CAPACITY, GLASSES, RINGS_PER_SIDE, START
from tamsk_pi.sensing.edges import BUTTONS, HOLDERS, Edge, EdgeValue
from tamsk_pi.sensing.settings import Settings

SuspectKind = Literal["beyond", "ghost", "ring_beyond", "button_down", "restless_tilt", "flickers"]

FLICKERS: Final = 3
FLICKERS_WITHIN_MS: Final = 10_000
"""So many short pulses in this time make a sensor one that flickers at rest."""

TURNS: Final = 4
TURNS_WITHIN_MS: Final = 5_000
"""So many tilt edges in this time, while no socket changes, are no hand's."""

_CORNERS: Final = frozenset(START.values())


class Suspect(NamedTuple):
    """A sensor whose state cannot be right. `kind` and `name` are those of its input."""

    what: SuspectKind
    kind: str
    name: str


class SelfCheck:
    """Remembers just enough of the edges to tell which inputs change though nothing is touched."""

    def __init__(self, settings: Settings) -> None:
        self._settings: Final = settings
        self._episodes: dict[tuple[str, str], _Episode] = {}
        self._flickers: dict[tuple[str, str], deque[int]] = {}
        self._turns: dict[str, deque[int]] = {}
        self._socket_ms: int | None = None
        """When a socket changed last."""

    def take(self, edges: Sequence[Edge]) -> None:
        """Take raw edges in order of time."""
        for edge in edges:
            self._flicker(edge)
            if edge.kind == "socket":
                self._socket_ms = edge.t_ms
            elif edge.kind == "tilt":
                self._turns.setdefault(edge.name, deque(maxlen=TURNS)).append(edge.t_ms)

    def _flicker(self, edge: Edge) -> None:
        """Count the pulses that end where they began; the bounce of a contact that closes is none."""
        key = (edge.kind, edge.name)
        episode = self._episodes.get(key)
        if episode is None or edge.t_ms - episode.last_ms >= self._settings.settle_ms[edge.kind]:
            if episode is not None and episode.edges % 2 == 0:
                self._flickers.setdefault(key, deque(maxlen=FLICKERS)).append(episode.last_ms)
            self._episodes[key] = _Episode(edge.t_ms, 1)
        else:
            self._episodes[key] = _Episode(edge.t_ms, episode.edges + 1)

    def suspects(self, inputs: Mapping[tuple[str, str], EdgeValue], now_ms: int) -> tuple[Suspect, ...]:
        """Every sensor that is suspect now, in order of kind and name; `inputs` is what the board reads."""
        found = [*self._by_state(inputs), *self._by_edges(now_ms)]
        return tuple(sorted(found, key=lambda suspect: suspect[1:]))

    def _by_state(self, inputs: Mapping[tuple[str, str], EdgeValue]) -> Iterator[Suspect]:
        closed = {name for (kind, name), value in inputs.items() if kind == "socket" and value}
        for socket in closed - _CORNERS:
            if _corner_makes_ghost(socket, closed):
                yield Suspect("ghost", "socket", socket)
            elif len(closed) > len(GLASSES):
                yield Suspect("beyond", "socket", socket)
        for (kind, name), value in inputs.items():
            if kind == "button" and name in BUTTONS and value:
                yield Suspect("button_down", kind, name)
            most = CAPACITY.get(name) if kind == "ring" else RINGS_PER_SIDE if name in HOLDERS else None
            if kind in ("ring", "holder") and isinstance(value, int) and most is not None and not 0 <= value <= most:
                yield Suspect("ring_beyond", kind, name)

    def _by_edges(self, now_ms: int) -> Iterator[Suspect]:
        for (kind, name), times in self._flickers.items():
            if len(times) == FLICKERS and now_ms - times[0] <= FLICKERS_WITHIN_MS:
                yield Suspect("flickers", kind, name)
        for name, times in self._turns.items():
            first_ms = times[0]
            untouched = self._socket_ms is None or self._socket_ms < first_ms
            lately = now_ms - times[-1] <= FLICKERS_WITHIN_MS
            if len(times) == TURNS and untouched and lately and times[-1] - first_ms <= TURNS_WITHIN_MS:
                yield Suspect("restless_tilt", "tilt", name)


class _Episode(NamedTuple):
    """Edges of one input with less than its settle time between them."""

    last_ms: int
    edges: int


def _corner_makes_ghost(socket: str, closed: set[str]) -> bool:
    """Whether three closed sockets make a rectangle with this one.

    In a matrix without a working diode at one of them, current finds its way round and the fourth reads closed too.
    """
    column, row = socket[0], socket[1]
    return any(
        {other, column + other[1], other[0] + row} <= closed
        for other in closed
        if other[0] != column and other[1] != row
    )
