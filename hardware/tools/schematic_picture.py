"""A circuit as a schematic that a person reads: every part with its value, every pin with the net it is on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import schemdraw
from schemdraw import elements as elm

from hardware.tools.circuit import GROUND, Circuit, Component, Pin

WIDTH: Final = 44.0
"""Of the sheet, in units of which a resistor is three long."""
PIN_PITCH: Final = 0.7
SMALL: Final = 9
NOT_CONNECTED: Final = "–"
_SYMBOLS: Final[Mapping[str, type[elm.Element]]] = {
    "R": elm.Resistor,
    "C": elm.Capacitor,
    "D": elm.Diode,
    "T": elm.Switch,
    "F": elm.Fuse,
    "BT": elm.BatteryCell,
}


def picture(circuit: Circuit) -> str:
    """The sheet as SVG: chips and connectors first, then what has two pins, each in rows.

    A net is named at each of its pins and not drawn as a line: where it goes on is looked for by its name.
    """
    schemdraw.use("svg")
    drawing = schemdraw.Drawing(show=False, fontsize=11)
    drawing += elm.Label().label(circuit.title, loc="right", halign="left", fontsize=16).at((0, 2))
    boxes = [part for part in circuit.components if len(part.kind.pins) > 2]
    others = [part for part in circuit.components if len(part.kind.pins) <= 2]
    bottom = _boxes(drawing, boxes, 0.0)
    _pairs(drawing, others, bottom - 2.5)
    return drawing.get_imagedata("svg").decode()


def _boxes(drawing: schemdraw.Drawing, parts: Sequence[Component], top: float) -> float:
    x, lowest = 0.0, top
    for part in parts:
        left, right = _sides(part)
        height = max(len(left), len(right)) * PIN_PITCH + 0.6
        name_width = 0.16 * max(len(pin.name) for pin in part.kind.pins)
        width = max(2.6, 2 * name_width + 1.4)
        margin = 0.9 + 0.17 * max(len(net) for net in (*part.nets.values(), NOT_CONNECTED))
        if x and x + width + 2 * margin > WIDTH:
            x, top = 0.0, lowest - 2.2
        x += margin
        drawing += elm.Rect(corner1=(0, 0), corner2=(width, -height)).at((x, top))
        _text(drawing, f"{part.ref}  {part.value}", (x + width / 2, top + 0.35), "center")
        for pins, at, out in ((left, x, -1), (right, x + width, 1)):
            for row, pin in enumerate(pins):
                y = top - 0.5 - row * PIN_PITCH
                net = part.nets.get(pin.number, NOT_CONNECTED)
                drawing += elm.Line().at((at, y)).to((at + out * 0.6, y))
                _text(drawing, net, (at + out * (0.7 if out > 0 else 0.8), y), "left" if out > 0 else "right")
                _text(drawing, pin.name, (at - out * 0.2, y), "right" if out > 0 else "left", SMALL)
                _text(drawing, pin.number, (at + out * 0.3, y + 0.17), "center", 7)
        lowest = min(lowest, top - height)
        x += width + margin
    return lowest


def _sides(part: Component) -> tuple[list[Pin], list[Pin]]:
    """Its pins as on the package, the first half down the left, the rest up the right; a connector's all right."""
    pins = list(part.kind.pins)
    if part.kind.prefix == "J":
        return [], pins
    half = (len(pins) + 1) // 2
    return pins[:half], pins[half:][::-1]


def _pairs(drawing: schemdraw.Drawing, parts: Sequence[Component], top: float) -> None:
    x = 0.0
    for part in parts:
        first, last = (part.nets.get(pin.number, NOT_CONNECTED) for pin in (part.kind.pins[0], part.kind.pins[-1]))
        room = 1.6 + 0.17 * max(len(first), len(last), len(part.value) + 4)
        if x and x + room > WIDTH:
            x, top = 0.0, top - 5.2
        x += room / 2
        symbol = _SYMBOLS.get(part.kind.prefix, elm.RBox)
        drawing += symbol().at((x, top)).to((x, top - 2.4))
        _text(drawing, f"{part.ref} {part.value}", (x + 0.5, top - 1.2), "left", SMALL)
        _text(drawing, first, (x, top + 0.3), "center")
        if last == GROUND:
            drawing += elm.Ground().at((x, top - 2.4))
        else:
            _text(drawing, last, (x, top - 2.8), "center")
        x += room / 2 + 0.8


def _text(
    drawing: schemdraw.Drawing,
    text: str,
    at: tuple[float, float],
    halign: Literal["left", "center", "right"],
    size: int = 11,
) -> None:
    drawing += elm.Label().at(at).theta(0).label(text, loc="center", halign=halign, valign="center", fontsize=size)
