"""What the host's end tells of a board. Times are µs of the host's monotonic clock."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from firmware_bridge.inputs import InputName, Value
from firmware_bridge.protocol import CapsHealth, Done, Hello, Type


@attrs.frozen
class Change:
    """One input took a value at a time of the host's clock."""

    t_us: int
    name: InputName
    value: Value
    timed: bool = True
    """False: it changed while it was out of reach, nobody knows when; `t_us` is when that was told."""


@attrs.frozen
class Greeted:
    """The board has said who it is."""

    hello: Hello


@attrs.frozen
class Snapshot:
    """The state of every input at a time; edges follow from here. `healed`: edges before it were lost."""

    t_us: int
    values: Mapping[InputName, Value]
    healed: bool


@attrs.frozen
class Edges:
    """Changes in order of time."""

    changes: tuple[Change, ...]


@attrs.frozen
class InputLimited:
    """An input changes more often than the limit: its edges are left out (`limited`), or told again."""

    t_us: int
    name: InputName
    limited: bool


@attrs.frozen
class CommandEnded:
    """A command's end; `done` is None when the board never answered."""

    command: Type
    done: Done | None


@attrs.frozen
class Caps:
    """How the caps and their receiver are, as of `t_us`."""

    t_us: int
    health: CapsHealth


@attrs.frozen
class Lost:
    """The board is gone, restarted, or not to be understood; a new handshake follows by itself."""

    reason: str


@attrs.frozen
class Refused:
    """The board speaks a protocol this host does not; nothing more will come of it."""

    reason: str


@attrs.frozen
class Fault:
    """Something that should not happen and was put right."""

    text: str


Event = Greeted | Snapshot | Edges | InputLimited | Caps | CommandEnded | Lost | Refused | Fault
