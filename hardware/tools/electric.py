"""Electrical checks of a circuit: what would harm a Pi or a Mega, or light and sound before the program runs.

The checks read the circuit that everything else is made from (`matrix_board`, `bridge_board`), so what is drawn,
ordered and soldered is what is checked. They are worst-case sums over the parts at a line, not a simulation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import attrs

from hardware.tools import kinds
from hardware.tools.bridge_board import DATA_ONLY, SUPPLY_FUSED, SUPPLY_IN
from hardware.tools.circuit import GROUND, RAIL_3V3, RAIL_5V, Circuit, Component, Pin
from hardware.tools.limits import LED_V, figure, ohms
from hardware.tools.loads import SWITCHES, at, budget, far_net, lines, loads, on_pi, supply_v, total_ma
from hardware.tools.supplies import supply_of

POWER: Final = frozenset({GROUND, RAIL_3V3, RAIL_5V, SUPPLY_IN, SUPPLY_FUSED})
EEPROM_LINES: Final = ("GPIO0", "GPIO1")
SERIAL_CONSOLE_LINES: Final = ("GPIO14", "GPIO15")
PULLED_UP_AT_BOOT: Final = frozenset(f"GPIO{line}" for line in range(9))


@attrs.frozen
class Finding:
    """Something that must not be: which rule, where, and in words with figures."""

    rule: str
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text} [{self.rule}]"


def findings(circuit: Circuit) -> list[Finding]:
    """Everything that is wrong with a circuit; empty when it may be switched on."""
    found = [*_loads_found(circuit), *_shared_lines(circuit), *_budget(circuit)]
    if on_pi(circuit):
        found += [*_reserved(circuit), *_five_volts(circuit), *_boot(circuit), *_levels(circuit)]
    return [
        *found, *_drivers(circuit), *_two_supplies(circuit), *_dim(circuit), *_decoupled(circuit), *_protected(circuit),
    ]  # fmt: skip


def _loads_found(circuit: Circuit) -> Iterator[Finding]:
    brain = "pi" if on_pi(circuit) else "mega"
    carried = loads(circuit)
    limit = figure(f"{brain}_line_mA")
    for load in carried:
        if load.current_ma > limit:
            text = f"carries {load.current_ma:.1f} mA through {load.through}, allowed are {limit:g} mA"
            yield Finding("line current", f"{load.line} ({load.net})", text)
    total = total_ma(circuit)
    if total > figure(f"{brain}_total_mA"):
        text = f"all lines together carry {total:.1f} mA, allowed are {figure(f'{brain}_total_mA'):g} mA"
        yield Finding("total current", circuit.title, text)


def _shared_lines(circuit: Circuit) -> Iterator[Finding]:
    by_net: dict[str, list[str]] = {}
    for line, net in lines(circuit):
        by_net.setdefault(net, []).append(line)
    for net, names in by_net.items():
        if net in POWER:
            yield Finding("line on a rail", net, f"{' and '.join(names)} wired straight to a supply")
        elif len(names) > 1:
            yield Finding("line twice", net, f"joins {' and '.join(names)}")


def _reserved(circuit: Circuit) -> Iterator[Finding]:
    nets = circuit.nets()
    for line, net in lines(circuit):
        if line in EEPROM_LINES:
            yield Finding("reserved line", line, "belongs to the ID EEPROM; the firmware drives it while it starts")
        if line in SERIAL_CONSOLE_LINES:
            others = [c for c, _ in nets[net] if c.kind is not kinds.PI_HEADER]
            if any(c.kind is not kinds.RESISTOR or ohms(c.value) < 220 for c in others):
                text = "may be driven by the serial console at boot: needs a series resistor of 220 ohm or more"
                yield Finding("reserved line", line, text)


def _conducts(component: Component, pin: Pin) -> Iterator[str]:
    """The nets that a voltage at a pin may reach through a part: contacts both ways, diodes and junctions forward."""
    kind, here = component.kind, component.nets.get(pin.number)
    if kind in (kinds.RESISTOR, kinds.BUZZER, *SWITCHES):
        yield from (net for net in component.nets.values() if net != here)
    elif kind in (kinds.DIODE, kinds.LED) and pin.name == "A":
        yield component.net("K") or ""
    elif kind in (kinds.AHCT125, kinds.MAX7219, kinds.HALL, kinds.LOAD_CELL, kinds.HC4067) and pin.kind == "power in":
        # A chip on this supply may put it on each of its outputs.
        yield from (component.nets.get(p.number, "") for p in kind.pins if p.kind == "out" or p.name == "COM")


def reaches(circuit: Circuit, start: str) -> dict[str, str]:
    """Every net that a supply can reach, with the part through which. Other supplies and ground end the way."""
    nets = circuit.nets()
    reached: dict[str, str] = {start: "supply"}
    waiting = [start]
    while waiting:
        for component, pin in nets.get(waiting.pop(), []):
            for net in _conducts(component, pin):
                if net and net not in reached and net not in POWER:
                    reached[net] = component.ref
                    waiting.append(net)
    return reached


def _five_volts(circuit: Circuit) -> Iterator[Finding]:
    reached = reaches(circuit, RAIL_5V)
    for line, net in lines(circuit):
        if net in reached:
            yield Finding("5 V", f"{line} ({net})", f"5 V reach it through {reached[net]}; a Pi's line stands 3.3 V")
    for component, pin, net in circuit.connections():
        if component.kind is kinds.PI_HEADER and pin.name.startswith("3V3") and net == RAIL_5V:
            yield Finding("5 V", pin.name, "5 V wired to the 3.3 V rail")


def boot_voltage(circuit: Circuit, line: str, net: str) -> float:
    """Voltage at the far side of a line's series resistor at power-up, from the line's own pull and the parts there."""
    nets = circuit.nets()
    for component, _ in nets[net]:
        if component.kind is kinds.RESISTOR and (far := far_net(component, net)) is not None:
            down = [ohms(c.value) for c, _ in nets[far] if c.kind is kinds.RESISTOR and far_net(c, far) == GROUND]
            series = figure("pi_pull_ohm") + ohms(component.value)
            if line not in PULLED_UP_AT_BOOT:
                return 0.0
            return supply_v(circuit) * (min(down) / (min(down) + series) if down else 1.0)
    return supply_v(circuit) if line in PULLED_UP_AT_BOOT else 0.0


def _boot(circuit: Circuit) -> Iterator[Finding]:
    nets = circuit.nets()
    for line, net in lines(circuit):
        far = [far_net(c, net) for c, _ in nets[net] if c.kind is kinds.RESISTOR] + [net]
        beyond = [(c, p) for f in far if f for c, p in nets.get(f, [])]
        level = boot_voltage(circuit, line, net)
        if any(c.kind is kinds.NPN and p.name == "B" for c, p in beyond) and level > figure("base_off_V"):
            yield Finding("boot", line, f"its pull-up puts {level:.2f} V on the buzzer's transistor at power-up")
        if any(c.kind is kinds.LED for c, _ in beyond):
            current = max(0.0, level - figure("led_V")) / figure("pi_pull_ohm") * 1000
            if line in PULLED_UP_AT_BOOT or current > figure("led_dark_mA"):
                yield Finding("boot", line, "is pulled up at power-up and makes its lamp glow; use GPIO9 to GPIO27")


def row_drop_v(circuit: Circuit) -> float:
    """What stays at a row's series resistor while every contact of the row is closed."""
    worst = max((load.current_ma for load in loads(circuit) if load.net.startswith("ROW_")), default=0.0)
    series = [ohms(c.value) for c in circuit.of(kinds.RESISTOR) if any(n.startswith("ROW_") for n in c.nets.values())]
    return worst / 1000 * max(series, default=0.0)


def low_level_v(circuit: Circuit) -> float:
    """Voltage of a column that reads low, at worst: the row's output, its series resistor and the diode."""
    values = {c.value for c in circuit.of(kinds.DIODE, "field")}
    drop = figure("silicon_V") if "1N4148" in values else figure("schottky_V")
    return drop + figure("output_low_V") + row_drop_v(circuit)


def settle_us(circuit: Circuit) -> float:
    """Time in which a released column rises to a certain high: pull-up times wiring, to 2.0 of 3.3 V."""

    pulls = [ohms(c.value) for c in circuit.of(kinds.RESISTOR, "board") if RAIL_3V3 in c.nets.values()]
    supply = figure("pi_supply_V")
    slowest = max(pulls, default=0.0) * figure("wire_pF") * 1e-6
    return slowest * math.log((supply - low_level_v(circuit)) / (supply - figure("pi_high_V")))


def _levels(circuit: Circuit) -> Iterator[Finding]:
    columns = [net for line, net in lines(circuit) if net.startswith("COL_")]
    for net in columns:
        field = net.removesuffix("_PI")
        pulls = [c for c, _ in at(circuit, field) if c.kind is kinds.RESISTOR and RAIL_3V3 in c.nets.values()]
        if not pulls:
            yield Finding("levels", field, "has no pull-up to 3.3 V")
    if columns and low_level_v(circuit) > figure("pi_low_V"):
        text = f"a closed contact reads {low_level_v(circuit):.2f} V, a Pi takes up to {figure('pi_low_V'):g} V for low"
        yield Finding("levels", "matrix", f"{text}: use Schottky diodes")
    for component in circuit.of(kinds.DIODE, "field"):
        switch = [c for c, _ in at(circuit, component.net("A") or "") if c.kind in SWITCHES]
        if not switch:
            yield Finding("levels", component.ref, "its anode is not at a contact: it lies the wrong way round")


def _drivers(circuit: Circuit) -> Iterator[Finding]:
    """A MAX7219 takes 3.5 V for high: a Pi's line may not drive it straight."""
    brain = {net: line for line, net in lines(circuit)} if on_pi(circuit) else {}
    for chip in circuit.of(kinds.MAX7219):
        for name in ("DIN", "LOAD", "CLK"):
            net = chip.net(name)
            if net in brain:
                text = f"{brain[net]} drives {name} with 3.3 V, the chip asks for {figure('max7219_high_V'):g} V"
                yield Finding("levels", chip.ref, text)


def _two_supplies(circuit: Circuit) -> Iterator[Finding]:
    """A line between chips of two supplies feeds the one that is off, through the diodes at its pins."""
    for net, pins in circuit.nets().items():
        fed = {c.ref: supply_of(circuit, c) for c, pin in pins if not pin.kind.startswith("power")}
        supplies = {supply for supply in fed.values() if supply}
        if len(supplies) > 1 and net not in POWER:
            parts, rails = " and ".join(sorted(fed)), " and ".join(sorted(supplies))
            text = f"joins {parts}, which hang on {rails}: the one that is on feeds the other"
            yield Finding("two supplies", net, text)
    sources = [c for c in circuit.of(kinds.SUPPLY)]
    for cable in circuit.of(kinds.USB_CABLE):
        if sources and cable.value != DATA_ONLY:
            yield Finding(
                "two supplies", cable.ref, "brings the Pi's 5 V to a board that has its adapter's: cut its 5 V wire"
            )


def _dim(circuit: Circuit) -> Iterator[Finding]:
    """A panel lamp whose type needs nearly all the voltage that its line gives."""
    supply = figure("pi_supply_low_V") if on_pi(circuit) else supply_v(circuit)
    for lamp in circuit.of(kinds.LED, "field"):
        series = [c for c, _ in at(circuit, lamp.net("A") or "") if c.kind is kinds.RESISTOR]
        for resistor in series:
            current = max(0.0, supply - LED_V[lamp.value][1]) / ohms(resistor.value) * 1000
            if current < figure("led_seen_mA"):
                needed = figure("led_seen_mA")
                text = f"a {lamp.value} lamp gets {current:.1f} mA at worst, {needed:g} are needed to see it"
                yield Finding("dim lamp", lamp.ref, text)


def _decoupled(circuit: Circuit) -> Iterator[Finding]:
    """Every chip wants a capacitor of its own between supply and ground (at a hall sensor: TI, DRV5055, VCC pin)."""
    chips = [
        c
        for c in circuit.components
        if any(p.kind == "power in" for p in c.kind.pins) and c.kind is not kinds.LOAD_CELL
    ]
    for place in ("board", "field"):
        needed = [c for c in chips if c.place == place]
        fitted = [c for c in circuit.of(kinds.CAPACITOR) if c.place == place and GROUND in c.nets.values()]
        if len(fitted) < len(needed):
            text = (
                f"{len(needed)} chips share {len(fitted)} capacitors: each wants 100 nF between its supply and ground"
            )
            yield Finding("decoupling", f"{circuit.title}, {place}", text)


def _protected(circuit: Circuit) -> Iterator[Finding]:
    """A supply from outside passes a fuse and a guard against reversal; a wire that leaves the board, a resistor."""
    for source in circuit.of(kinds.SUPPLY):
        net = source.net("+") or ""
        parts = [c for c, _ in at(circuit, net) if c.kind is kinds.FUSE]
        behind = [c for fuse in parts for c, _ in at(circuit, far_net(fuse, net) or "") if c.kind is kinds.PFET]
        if not parts:
            yield Finding("supply", source.ref, "reaches the board without a fuse")
        if not behind:
            yield Finding("supply", source.ref, "reaches the board with its poles exchanged if somebody exchanges them")
    for line, net in lines(circuit):
        contacts = [
            c for c, _ in at(circuit, net) if c.kind in SWITCHES or (c.kind is kinds.DIODE and c.place == "field")
        ]
        if contacts:
            text = (
                f"a wire from {contacts[0].ref} runs straight into it: sparks and wrong wires need a resistor between"
            )
            yield Finding("bare line", f"{line} ({net})", text)


def hall_zero_steps(circuit: Circuit) -> float:
    """How far a hall sensor's reading may lie from its middle without a magnet, in steps of 8 bits."""
    supplies = {supply_of(circuit, c) for c in (*circuit.of(kinds.HALL), *circuit.of(kinds.HC4067))}
    apart = 0.0 if len(supplies) < 2 else SUPPLIES_APART
    return figure("hall_zero_V") * 256 / figure("mega_supply_V") + figure("adc_steps") + 128 * apart


SUPPLIES_APART: Final = 5.25 / 4.4 - 1
"""By how much two supplies of nominally 5 V may differ: an adapter of 5 % and USB at its lowest."""


def _budget(circuit: Circuit) -> Iterator[Finding]:
    limits = {RAIL_5V: "fuse_mA" if circuit.of(kinds.FUSE) else "usb_mA"}
    for net, current in budget(circuit).items():
        limit = figure(limits[net]) if net in limits else 0.0
        if current > limit:
            yield Finding("supply", net, f"gives {current:.0f} mA, allowed are {limit:.0f} mA")
