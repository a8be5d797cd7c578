"""A printed board before it is drawn: its circuit, its outline, and where each part lies.

Millimetres from the board's upper left corner, y downwards, seen from above. A part's place is that of its pad 1, or of
its middle where it is soldered flat.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, Literal

import attrs

from hardware.tools.circuit import GROUND, Circuit

Side = Literal["top", "underside"]
REVISION: Final = "A"
LICENCE: Final = "CERN-OHL-P-2.0"


@attrs.frozen
class Place:
    """Where a part lies: its pad 1, how far it is turned (anticlockwise), on which side, and where its reference stands
    on the silk if not where the footprint has it (an offset from pad 1 on the board)."""

    x: float
    y: float
    turn_deg: float = 0.0
    side: Side = "top"
    label: tuple[float, float] | None = None
    named: bool = True
    """Whether its reference is on the silk."""


@attrs.frozen
class Hole:
    """A hole without copper; `round` through it goes a screw, a stilt."""

    x: float
    y: float
    diameter: float


@attrs.frozen
class Words:
    """A text on the silk, its lower left corner, its height."""

    x: float
    y: float
    text: str
    height: float = 1.2


@attrs.frozen
class Design:
    """One printed board. `origin` names the pin that the router's grid goes through: a part and a pad."""

    name: str
    title: str
    circuit: Circuit
    width: float
    height: float
    places: Mapping[str, Place]
    origin: tuple[str, str]
    holes: tuple[Hole, ...] = ()
    words: tuple[Words, ...] = ()
    is_round: bool = False
    """A circle of diameter `width`, which then equals `height`."""
    is_fine: bool = False
    """Routed on a grid half as wide, with tracks of 0.2 mm: for parts that are soldered flat."""
    bare: tuple[tuple[float, float, float, float], ...] = ()
    """Boxes (left, top, right, bottom) that stay without copper on both layers: an aerial is above them."""

    def job(self) -> str:
        """What the drawing program needs, as JSON; `ValueError` where parts and places are not the same."""
        parts = {c.ref: c for c in self.circuit.components if c.place == "board"}
        if parts.keys() != self.places.keys():
            odd = sorted(parts.keys() ^ self.places.keys())
            raise ValueError(f"{self.name}: parts and places differ in {', '.join(odd)}")
        return json.dumps(
            {
                "name": self.name,
                "title": f"{self.title}, revision {REVISION}",
                "licence": LICENCE,
                "ground": GROUND,
                "size": [self.width, self.height],
                "round": self.is_round,
                "grid": {"step": 0.15875, "track": 0.2} if self.is_fine else {},
                "bare": [list(box) for box in self.bare],
                "origin": list(self.origin),
                "parts": [
                    {
                        "ref": ref,
                        "value": part.value,
                        "footprint": part.kind.footprint,
                        "nets": dict(part.nets),
                        **attrs.asdict(self.places[ref]),
                    }
                    for ref, part in parts.items()
                ],
                "holes": [attrs.asdict(hole) for hole in self.holes],
                "words": [attrs.asdict(words) for words in self.words],
            },
            indent=1,
        )
