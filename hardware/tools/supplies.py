"""Which supply a part hangs on: the net that feeds it, and whose it is."""

from __future__ import annotations

from hardware.tools import kinds
from hardware.tools.circuit import RAIL_3V3, RAIL_5V, Circuit, Component

PIS_OWN = frozenset({RAIL_3V3, RAIL_5V})
"""On a Pi's header both rails come and go together."""


def supply_of(circuit: Circuit, component: Component) -> str:
    """The supply that a part hangs on; empty for what needs none. A Pi's or a Mega's header counts by its 5 V."""
    on_pi = any(c.kind is kinds.PI_HEADER for c in circuit.components)
    if component.kind is kinds.PI_HEADER:
        return "the Pi's"
    if component.kind.name.startswith("Mega "):
        return RAIL_5V
    fed = [component.nets.get(p.number, "") for p in component.kind.pins if p.kind == "power in" and p.name in _PLUS]
    if not fed:
        return ""
    return "the Pi's" if on_pi and fed[0] in PIS_OWN else fed[0]


_PLUS = frozenset({"VCC", "V+"})
