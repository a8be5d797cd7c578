"""The boards are electrically sound, and each check finds the fault that it is there for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import pytest

from hardware.tools import boards, electric, kinds, loads, tables, wiring
from hardware.tools.circuit import GROUND, RAIL_3V3, RAIL_5V, Circuit, Component
from tamsk_pi.config.profile import load_profile


def test_every_build_of_every_board_may_be_switched_on(circuits: dict[str, Circuit]) -> None:
    found = {name: [str(f) for f in electric.findings(circuit)] for name, circuit in circuits.items()}
    assert found == {name: [] for name in circuits}
    assert len(circuits) == 8


def _replace(circuit: Circuit, wanted: Callable[[Component], bool], **changes: Any) -> None:
    hit = [i for i, component in enumerate(circuit.components) if wanted(component)]
    assert hit, "the fault must hit something"
    for index in hit:
        circuit.components[index] = attrs.evolve(circuit.components[index], **changes)


def _rewire(circuit: Circuit, ref: str, nets: Mapping[str, str]) -> None:
    """Put pins (by name) of a part on other nets."""
    component = next(c for c in circuit.components if c.ref == ref)
    changed = dict(component.nets) | {component.kind.pin(pin).number: net for pin, net in nets.items()}
    _replace(circuit, lambda c: c is component, nets=changed)


def _thin_lamp_resistor(circuit: Circuit) -> None:
    _replace(circuit, lambda c: c.kind is kinds.RESISTOR and c.note == "lamp alarm", value="47")


def _lamp_without_resistor(circuit: Circuit) -> None:
    _rewire(circuit, "LED_alarm", {"A": "LAMP_alarm_PI"})


def _strong_pull_ups(circuit: Circuit) -> None:
    _replace(circuit, lambda c: c.kind is kinds.RESISTOR and RAIL_3V3 in c.nets.values(), value="1k")


def _many_bright_lamps(circuit: Circuit) -> None:
    _replace(circuit, lambda c: c.kind is kinds.RESISTOR and c.note.startswith("lamp "), value="100")


def _pull_ups_to_five_volts(circuit: Circuit) -> None:
    for component in [c for c in circuit.components if c.note == "pulls column C up"]:
        _rewire(circuit, component.ref, {"1": RAIL_5V})


def _chain_back_to_the_pi(circuit: Circuit) -> None:
    _rewire(circuit, "J1", {"GPIO9": "LAMPS_OUT"})


def _buzzer_on_a_pulled_up_line(circuit: Circuit) -> None:
    _rewire(circuit, "J1", {"GPIO18": "UNUSED", "GPIO2": "BUZZER_PI"})
    _replace(circuit, lambda c: c.note == "keeps the buzzer silent at boot", value="100k")


def _lamp_on_a_pulled_up_line(circuit: Circuit) -> None:
    _rewire(circuit, "J1", {"GPIO20": "UNUSED", "GPIO3": "LAMP_alarm_PI"})


def _eeprom_line(circuit: Circuit) -> None:
    _rewire(circuit, "J1", {"GPIO0": "ROW_1_PI"})


def _two_lines_on_one_row(circuit: Circuit) -> None:
    _rewire(circuit, "J1", {"GPIO2": "ROW_1_PI"})


def _line_on_ground(circuit: Circuit) -> None:
    _rewire(circuit, "J1", {"GPIO2": GROUND})


def _serial_console_unprotected(circuit: Circuit) -> None:
    _replace(circuit, lambda c: c.note.endswith("column A is ever driven"), value="47")


def _silicon_diodes(circuit: Circuit) -> None:
    _replace(circuit, lambda c: c.kind is kinds.DIODE and c.place == "field", value="1N4148")


def _diode_the_wrong_way(circuit: Circuit) -> None:
    _rewire(circuit, "D_D4", {"A": "ROW_4", "K": "X_D4"})


def _no_pull_up(circuit: Circuit) -> None:
    circuit.components = [c for c in circuit.components if c.note != "pulls column E up"]


def _blue_lamp(circuit: Circuit) -> None:
    _replace(circuit, lambda c: c.ref == "LED_turn_black", value="blue")


def _row_straight_to_the_pi(circuit: Circuit) -> None:
    _rewire(circuit, "J1", {"GPIO4": "ROW_1"})


def _lamp_driver_without_shifter(circuit: Circuit) -> None:
    _rewire(circuit, "U_LAMPS", {"DIN": "SPI_data_PI"})


FAULTS = {
    "line current": (_thin_lamp_resistor, _lamp_without_resistor, _strong_pull_ups),
    "total current": (_many_bright_lamps,),
    "5 V": (_pull_ups_to_five_volts, _chain_back_to_the_pi),
    "boot": (_buzzer_on_a_pulled_up_line, _lamp_on_a_pulled_up_line),
    "reserved line": (_eeprom_line, _serial_console_unprotected),
    "line twice": (_two_lines_on_one_row,),
    "line on a rail": (_line_on_ground,),
    "dim lamp": (_blue_lamp,),
    "bare line": (_row_straight_to_the_pi,),
    "levels": (_silicon_diodes, _diode_the_wrong_way, _no_pull_up, _lamp_driver_without_shifter),
}


@pytest.mark.parametrize(
    ("rule", "fault"),
    [(rule, fault) for rule, faults in FAULTS.items() for fault in faults],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_fault_in_the_matrix_board_is_found(rule: str, fault: Callable[[Circuit], None]) -> None:
    circuit = boards.matrix("matrix")
    fault(circuit)
    assert rule in {finding.rule for finding in electric.findings(circuit)}


def _field_on_a_supply_of_its_own(circuit: Circuit) -> None:
    """Lamps and sensors on the adapter, Mega and multiplexers on USB: as the bridge board was drawn at first."""
    for component in list(circuit.components):
        if component.kind in (kinds.HALL, kinds.MAX7219):
            moved = {pin: "+5V_FIELD" if net == RAIL_5V else net for pin, net in component.nets.items()}
            _replace(circuit, lambda c, old=component: c is old, nets=moved)  # type: ignore[misc]


def _planes_on_an_adapter_of_their_own(circuit: Circuit) -> None:
    _field_on_a_supply_of_its_own(circuit)
    for name in ("load", "clock", "data"):
        series = next(c for c in circuit.components if c.nets.get("1") == f"PLANE_{name}_MCU")
        circuit.components.remove(series)
    for index, component in enumerate(circuit.components):
        nets = {pin: net.removesuffix("_MCU") if "PLANE" in net else net for pin, net in component.nets.items()}
        circuit.components[index] = attrs.evolve(component, nets=nets)


def _power_through_usb_as_well(circuit: Circuit) -> None:
    _replace(circuit, lambda c: c.kind is kinds.USB_CABLE, value="USB A to B")


def _no_fuse(circuit: Circuit) -> None:
    circuit.components = [c for c in circuit.components if c.kind is not kinds.FUSE]


def _no_guard_against_reversal(circuit: Circuit) -> None:
    circuit.components = [c for c in circuit.components if c.kind is not kinds.PFET]


def _sensor_without_capacitor(circuit: Circuit) -> None:
    circuit.components = [c for c in circuit.components if c.ref != "C_D4"]


def _button_straight_to_the_mega(circuit: Circuit) -> None:
    _rewire(circuit, "B_red", {"1": "BUTTON_red_MCU"})


BRIDGE_FAULTS = {
    "two supplies": (
        _field_on_a_supply_of_its_own, _planes_on_an_adapter_of_their_own, _power_through_usb_as_well,
    ),
    "supply": (_no_fuse, _no_guard_against_reversal),
    "decoupling": (_sensor_without_capacitor,),
    "bare line": (_button_straight_to_the_mega,),
}  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "fault"),
    [(rule, fault) for rule, faults in BRIDGE_FAULTS.items() for fault in faults],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_fault_in_the_hall_bridge_is_found(rule: str, fault: Callable[[Circuit], None]) -> None:
    circuit = boards.bridge("hall", "buttons")
    fault(circuit)
    assert rule in {finding.rule for finding in electric.findings(circuit)}


def test_hall_sensors_on_usb_are_too_much() -> None:
    circuit = boards.bridge("hall", "buttons")
    circuit.components = [c for c in circuit.components if c.kind not in (kinds.SUPPLY, kinds.FUSE, kinds.PFET)]
    assert [f.rule for f in electric.findings(circuit)] == ["supply"]


def test_the_zero_of_a_hall_sensor_is_far_from_both_thresholds_on_one_supply_and_not_on_two() -> None:
    circuit = boards.bridge("hall", "buttons")
    assert electric.hall_zero_steps(circuit) < tables.HALL_OFF_COUNTS / 2
    _field_on_a_supply_of_its_own(circuit)
    # Every socket that once saw a north pole would keep seeing it.
    assert electric.hall_zero_steps(circuit) > tables.HALL_OFF_COUNTS


def test_the_supplys_cable_loses_little() -> None:
    for name, circuit in boards.every_circuit().items():
        if not loads.on_pi(circuit):
            assert wiring.supply_drop_v(loads.budget(circuit)[RAIL_5V]) < 0.15, name


def test_a_row_sinks_each_column_once() -> None:
    circuit = boards.matrix("matrix")
    row = next(load for load in loads.loads(circuit) if load.net == "ROW_8_PI")
    # Seven columns through 10 kΩ, from 3.3 V to an output's 0.1 V.
    assert row.current_ma == pytest.approx(7 * 3.2 / 10)


def test_the_driver_waits_longer_than_a_column_rises() -> None:
    for name in boards.MATRIX_BOARDS:
        profile = load_profile(name)
        assert profile.matrix.row_settle_us >= 3 * electric.settle_us(boards.matrix(name))


def test_the_starter_kit_grows_into_the_matrix_board_without_moving_a_wire() -> None:
    starter, matrix = load_profile("starter"), load_profile("matrix")
    assert len(starter.matrix.sockets) == 7
    assert starter.matrix.rows.items() <= matrix.matrix.rows.items()
    assert starter.matrix.columns.items() <= matrix.matrix.columns.items()
    assert (starter.matrix.buttons, starter.lamps) == (matrix.matrix.buttons, matrix.lamps)
    assert starter.buzzer is not None
    assert matrix.buzzer is not None
    assert starter.buzzer.line == matrix.buzzer.line
