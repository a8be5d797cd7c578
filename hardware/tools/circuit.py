"""A circuit as data: parts, pins, nets. Schematics, wiring, parts list and electrical checks are made from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, Literal

import attrs

Place = Literal["pi", "mega", "board", "field"]
"""Where a part sits: on the Pi, on the Mega, on the circuit board between, or out in the field (under the sockets,
in panel, pods and cradle)."""

PinKind = Literal["in", "out", "both", "passive", "power in", "power out", "open"]

GROUND: Final = "GND"
RAIL_3V3: Final = "+3V3"
RAIL_5V: Final = "+5V"


@attrs.frozen
class Pin:
    """A pin of a kind of part: its number on the package, its name, and what it does."""

    number: str
    name: str
    kind: PinKind = "passive"


@attrs.frozen
class Kind:
    """A kind of part. `footprint` is a name out of KiCad's own libraries; empty for what is not on the board."""

    name: str
    prefix: str
    pins: tuple[Pin, ...]
    footprint: str = ""

    def pin(self, name: str) -> Pin:
        """A pin by its name or number; `KeyError` if there is none."""
        for pin in self.pins:
            if name in (pin.name, pin.number):
                return pin
        raise KeyError(f"{self.name} has no pin {name}; it has {', '.join(p.name for p in self.pins)}")


@attrs.frozen
class Component:
    """One part: reference, kind, value, where it sits and what it is for. `nets` maps a pin's number to its net."""

    ref: str
    kind: Kind
    value: str
    place: Place
    note: str
    nets: Mapping[str, str]

    def net(self, pin: str) -> str | None:
        """The net at a pin (name or number), or None where nothing is connected."""
        return self.nets.get(self.kind.pin(pin).number)


@attrs.define
class Circuit:
    """Parts under construction; references are given out in order of adding."""

    title: str
    components: list[Component] = attrs.field(factory=list)
    _numbers: dict[str, int] = attrs.field(factory=lambda: defaultdict(int))

    def add(
        self, kind: Kind, value: str, place: Place, note: str, nets: Mapping[str, str], ref: str | None = None
    ) -> Component:
        """Add a part. `nets`: pin name or number to net. `ref` (None: the next free one) must be new: `ValueError`."""
        if ref is None:
            self._numbers[kind.prefix] += 1
            ref = f"{kind.prefix}{self._numbers[kind.prefix]}"
        if any(component.ref == ref for component in self.components):
            raise ValueError(f"{self.title}: {ref} is there twice")
        part = Component(ref, kind, value, place, note, {kind.pin(pin).number: net for pin, net in nets.items()})
        self.components.append(part)
        return part

    def nets(self) -> dict[str, list[tuple[Component, Pin]]]:
        """Every net with the pins on it, nets in order of first use."""
        found: dict[str, list[tuple[Component, Pin]]] = defaultdict(list)
        for component, pin, net in self.connections():
            found[net].append((component, pin))
        return dict(found)

    def connections(self) -> Iterator[tuple[Component, Pin, str]]:
        """Every connected pin with its net."""
        for component in self.components:
            for pin in component.kind.pins:
                if net := component.nets.get(pin.number):
                    yield component, pin, net

    def of(self, kind: Kind, place: Place | None = None) -> list[Component]:
        """The parts of a kind, in order; only those of a place if one is given."""
        return [c for c in self.components if c.kind is kind and place in (None, c.place)]
