"""What the lines and supplies of a circuit carry at worst. Currents in mA, voltages in V."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from hardware.tools import kinds
from hardware.tools.circuit import GROUND, RAIL_3V3, RAIL_5V, Circuit, Component, Pin
from hardware.tools.limits import figure, ohms

SWITCHES: Final = (kinds.REED, kinds.BALL_SWITCH, kinds.BUTTON, kinds.CONTACT)


@attrs.frozen
class LineLoad:
    """What one line of the Pi or the Mega carries at worst, and through what."""

    line: str
    net: str
    current_ma: float
    through: str


def on_pi(circuit: Circuit) -> bool:
    """Whether the circuit hangs on a Pi's header (else on a Mega's)."""
    return any(component.kind is kinds.PI_HEADER for component in circuit.components)


def supply_v(circuit: Circuit) -> float:
    """What a line drives when it is high."""
    return figure("pi_supply_V" if on_pi(circuit) else "mega_supply_V")


def lines(circuit: Circuit) -> Iterator[tuple[str, str]]:
    """The lines in use: name (`GPIO17`, `PA0`) and net."""
    for component, pin, net in circuit.connections():
        if pin.kind == "both" and component.kind.prefix == "J":
            yield pin.name, net


def at(circuit: Circuit, net: str) -> list[tuple[Component, Pin]]:
    """The pins on a net; none where there is no such net."""
    return circuit.nets().get(net, [])


def far_net(component: Component, net: str) -> str | None:
    """The net at the other end of a part with two pins."""
    return next((far for far in component.nets.values() if far != net), None)


def loads(circuit: Circuit) -> list[LineLoad]:
    """The worst current of every line that feeds or sinks one, largest first.

    A row that is driven low sinks the pull-ups of all its columns at once. A line that a contact joins to ground
    sinks its own pull-up only and is no load.
    """
    found = []
    for line, net in lines(circuit):
        shares = [*_driven(circuit, net), *_sunk(circuit, net)]
        if shares:
            named = [name for name, _ in shares]
            through = ", ".join(named) if len(named) < 4 else f"{named[0]} and {len(named) - 1} more"
            found.append(LineLoad(line, net, sum(current for _, current in shares), through))
    return sorted(found, key=lambda load: (-load.current_ma, load.line))


def _driven(circuit: Circuit, net: str) -> Iterator[tuple[str, float]]:
    """What a line that is driven high gives: part and current."""
    for component, pin in at(circuit, net):
        if component.kind is kinds.LED and pin.name == "A":
            yield f"{component.ref} without a resistor", float("inf")
        if component.kind is kinds.NPN and pin.name == "B":
            yield f"{component.ref} without a resistor", float("inf")
        if component.kind is kinds.RESISTOR and (far := far_net(component, net)) is not None:
            drops = [drop for part, far_pin in at(circuit, far) if (drop := _drop(part, far_pin)) is not None]
            drops += [0.0] if far == GROUND else []
            if drops:
                current = (supply_v(circuit) - min(drops)) / ohms(component.value) * 1000
                yield f"{component.ref} {component.value}", current


def _drop(component: Component, pin: Pin) -> float | None:
    """The voltage that stays at a part that a line feeds through a resistor; None: the part takes nothing."""
    if component.kind is kinds.LED and pin.name == "A":
        return figure("led_V")
    if component.kind is kinds.NPN and pin.name == "B":
        return figure("base_V")
    return None


def _sunk(circuit: Circuit, row: str) -> Iterator[tuple[str, float]]:
    """What flows into a row that is driven low, with all its contacts closed: crossing's diode and current."""
    columns: dict[str, str] = {}
    series = [c for c, _ in at(circuit, row) if c.kind is kinds.RESISTOR and row.startswith("ROW_")]
    beyond = [pair for c in series for pair in at(circuit, far_net(c, row) or "")]
    for diode, pin in [*at(circuit, row), *beyond]:
        if diode.kind is kinds.DIODE and pin.name == "K":
            anode = diode.net("A") or ""
            for switch, _ in at(circuit, anode):
                if switch.kind in SWITCHES and (column := far_net(switch, anode)) is not None:
                    columns.setdefault(column, diode.ref)
    for column, ref in columns.items():
        pulls = [ohms(c.value) for c, _ in at(circuit, column) if _is_pull_up(c)]
        yield ref, sum((supply_v(circuit) - figure("output_low_V")) / pull * 1000 for pull in pulls)


def _is_pull_up(component: Component) -> bool:
    return component.kind is kinds.RESISTOR and RAIL_3V3 in component.nets.values()


def total_ma(circuit: Circuit) -> float:
    """The worst current of all lines at once. Rows are driven one at a time: only the largest of them counts."""
    carried = loads(circuit)
    rows = [load.current_ma for load in carried if load.net.startswith("ROW_")]
    return sum(load.current_ma for load in carried if not load.net.startswith("ROW_")) + max(rows, default=0.0)


def budget(circuit: Circuit) -> dict[str, float]:
    """What each 5 V supply gives at worst: its net to mA. The Pi's own need is not in it, the Mega's is."""
    per_kind = {kinds.MAX7219: "max7219_mA", kinds.HALL: "hall_mA", kinds.LOAD_CELL: "hx711_mA"}
    found: dict[str, float] = {RAIL_5V: 0.0}
    for component in circuit.components:
        if component.kind in per_kind:
            net = component.net("V+" if component.kind is kinds.MAX7219 else "VCC") or "unconnected"
            found[net] = found.get(net, 0.0) + figure(per_kind[component.kind])
        if component.kind is kinds.BUZZER and (high := component.net("+")) is not None:
            series = [c for c, _ in at(circuit, high) if c.kind is kinds.RESISTOR]
            found[RAIL_5V] += 5000 / (sum(ohms(c.value) for c in series) + figure("buzzer_ohm"))
    if not on_pi(circuit):
        found[RAIL_5V] += figure("mega_board_mA") + total_ma(circuit)
    return found
