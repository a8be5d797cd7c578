"""The bridge's inputs: their numbers on the wire, their names, and what their values mean.

The numbers are part of the protocol (PROTOCOL.md, "Inputs"): 0-36 sockets, 37-43 tilts, 44-46 buttons, 47-83 ring
stacks, 84-85 ring holders. Which of them a board has depends on its build.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import attrs

Value = bool | int | str | None
InputName = tuple[str, str]
SocketSensor = Literal["reed", "hall"]
RingSensor = Literal["buttons", "stack", "holder"]
TiltSensor = Literal["wired", "caps"]

SOCKET_SENSORS: Final[tuple[SocketSensor, ...]] = ("reed", "hall")
RING_SENSORS: Final[tuple[RingSensor, ...]] = ("buttons", "stack", "holder")
TILT_SENSORS: Final[tuple[TiltSensor, ...]] = ("wired", "caps")

SOCKETS: Final = tuple(
    f"{column}{row}" for column, height in zip("ABCDEFG", (4, 5, 6, 7, 6, 5, 4), strict=True)
    for row in range(1, height + 1)
)  # fmt: skip
TILTS: Final = ("R1", "R2", "R3", "B1", "B2", "B3", "N")
BUTTONS: Final = ("red", "black", "arbiter")
TRAVELLING: Final = TILTS[:6]
"""The glasses that leave their sockets; the timer's tilt is wired in every build."""
HOLDERS: Final = ("red", "black")

NAMES: Final[tuple[InputName, ...]] = (
    *(("socket", name) for name in SOCKETS),
    *(("tilt", name) for name in TILTS),
    *(("button", name) for name in BUTTONS),
    *(("ring", name) for name in SOCKETS),
    *(("holder", name) for name in HOLDERS),
)
"""Kind and name of every input; its place is its number on the wire."""

NUMBERS: Final[Mapping[InputName, int]] = MappingProxyType({name: number for number, name in enumerate(NAMES)})

RINGS_MAX: Final = 4
HOLDER_MAX: Final = 32
HOLDER_UNKNOWN: Final = 63
"""A holder's raw value while its load cell is silent or not calibrated."""

_FIELDS: Final[tuple[Value, ...]] = (None, "N", "S")


@attrs.frozen
class Build:
    """What a firmware was built for."""

    sockets: SocketSensor = "reed"
    rings: RingSensor = "buttons"
    tilts: TiltSensor = "wired"
    """How the glasses that travel tell of their tilt: by wire (a bench rig), or by caps with a radio."""

    @property
    def name(self) -> str:
        return f"{self.sockets}-{self.rings}" + ("-caps" if self.tilts == "caps" else "")

    def numbers(self) -> tuple[int, ...]:
        """The numbers of the inputs this build has, ascending: the order of the state bits."""
        return tuple(number for number in range(len(NAMES)) if self.width(number))

    def width(self, number: int) -> int:
        """How many bits an input takes in a state; 0 when the build lacks it."""
        kind = NAMES[number][0]
        if kind == "socket":
            return 2 if self.sockets == "hall" else 1
        if kind == "ring":
            return 3 if self.rings == "stack" else 0
        if kind == "holder":
            return 6 if self.rings == "holder" else 0
        return 1

    def is_valid(self, number: int, raw: int) -> bool:
        """Whether an input of this build may have the raw value."""
        if not 0 <= number < len(NAMES) or not self.width(number):
            return False
        kind = NAMES[number][0]
        if kind == "holder":
            return 0 <= raw <= HOLDER_MAX or raw == HOLDER_UNKNOWN
        top = {"socket": 2 if self.sockets == "hall" else 1, "ring": RINGS_MAX}.get(kind, 1)
        return 0 <= raw <= top

    def value(self, number: int, raw: int) -> Value:
        """A raw value in the sensors' own terms: `True`/`False`, `"N"`/`"S"`/None, `"a"`/`"b"`, a count.

        A holder whose count is unknown gives None.
        """
        kind = NAMES[number][0]
        if kind == "socket" and self.sockets == "hall":
            return _FIELDS[raw]
        if kind == "tilt":
            return "b" if raw else "a"
        if kind == "ring":
            return raw
        if kind == "holder":
            return None if raw == HOLDER_UNKNOWN else raw
        return bool(raw)

    def raw(self, number: int, value: Value) -> int:
        """The opposite of `value`. A value that the input cannot have: `ValueError`."""
        kind, name = NAMES[number]
        for raw in range(HOLDER_UNKNOWN + 1):
            if self.is_valid(number, raw) and self._same(self.value(number, raw), value):
                return raw
        raise ValueError(f"{kind} {name} of a {self.name} build cannot be {value!r}")

    @staticmethod
    def _same(one: Value, other: Value) -> bool:
        return one == other and isinstance(one, bool) == isinstance(other, bool)


ALL_BUILDS: Final = tuple(
    Build(sockets, rings, tilts) for tilts in TILT_SENSORS for sockets in SOCKET_SENSORS for rings in RING_SENSORS
)
