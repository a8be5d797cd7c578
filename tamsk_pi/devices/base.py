"""What every board must offer: one contract for the matrix, the bridge, the virtual board and a recorded trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.signals.frames import LampFrame, Tone

__all__ = ["Device", "DeviceError", "LampFrame", "Post", "Tone"]

Post = Callable[[Sequence[Edge]], None]
"""Takes a batch of edges, stamped, in order of time. May be called from the device's own thread."""


class Device(Protocol):
    """A board: edges come from it, lamps and tones go to it.

    Must: `open()` raise `DeviceError` (one readable line) when the board is not there; `inputs()` give the state
    of every input it has, read and not inferred from edges, keyed `(kind, name)`; `start()` begin to post edges,
    stamped where they are read in ms of the host's monotonic clock (the runner takes the game's start off), and
    never an edge for a state that `inputs()` already told; `close()` leave every lamp and the buzzer off and be
    safe to call twice.
    May: ignore lamps and tones it has no hardware for.
    """

    def open(self) -> None: ...

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]: ...

    def start(self, post: Post) -> None: ...

    def show(self, frame: LampFrame) -> None: ...

    def sound(self, tones: Sequence[Tone]) -> None:
        """Play tones one after the other instead of whatever sounds now; none: silence. Pitch 0 is a rest.
        Never blocks."""
        ...

    def alive_at_ms(self) -> int:
        """When the inputs were last known to be read, on the same clock as the edges: `ready` hangs on it."""
        ...

    def close(self) -> None: ...


class DeviceError(Exception):
    """The board is not there or cannot be used; the text is one line for the user, with the remedy."""
