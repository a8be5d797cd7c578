"""The radio cap's round board: where its parts lie.

The radio's module lies flat on the upper side, its pins at one edge, its aerial at the other, where the board has no
copper; everything else is on the underside, towards the cell. The ball switches stand beside the module, one on its
head.
"""

from __future__ import annotations

from typing import Final

from hardware.tools import cap_circuit
from hardware.tools.circuit import Circuit
from hardware.tools.pcb.design import REVISION, Design, Place, Words

DIAMETER_MM: Final = 20.4
MODULE_MM: Final = (18.0, 12.0)
AERIAL_MM: Final = 5.4
"""So far from the aerial's edge of the board there is no copper."""
FIRST_PIN: Final = (3.1, 5.755)
SWITCH_MM: Final = 4.2
"""What is left for a ball switch between the module and the wall."""
_STEP: Final = 0.3175


def design() -> Design:
    """The board in a cap."""
    circuit = cap_circuit.build()
    return Design(
        name="cap",
        title="tamsk-pi radio cap",
        circuit=circuit,
        width=DIAMETER_MM,
        height=DIAMETER_MM,
        is_round=True,
        is_fine=True,
        places=_places(circuit),
        origin=("U2", "1"),
        bare=((DIAMETER_MM - AERIAL_MM, 0.0, DIAMETER_MM, DIAMETER_MM),),
        words=(Words(14.4, 10.0, f"cap {REVISION}", 0.9), Words(14.4, 12.0, "not built", 0.8)),
    )


def _snap(x: float, y: float, turn_deg: float = 0.0, *, top: bool = False) -> Place:
    """A place on the router's grid, which goes through the module's pins."""
    x0, y0 = FIRST_PIN
    x, y = x0 + round((x - x0) / _STEP) * _STEP, y0 + round((y - y0) / _STEP) * _STEP
    return Place(x, y, turn_deg, "top" if top else "underside", named=False)


def _places(circuit: Circuit) -> dict[str, Place]:
    places = {
        "U1": _snap(8.2, 10.2, 180),
        "U2": _snap(*FIRST_PIN, top=True),
        "T_A": _snap(5.2, 3.2, top=True),
        "T_B": _snap(10.65, 3.2, top=True),
        "BT1": _snap(11.3, 17.5, top=True),
        "J_ISP": _snap(5.9, 16.9, 90, top=True),
    }
    where = {
        "at U2": (5.0, 4.8, 0), "the radio is": (8.05, 4.8, 0), "end a: against": (11.3, 4.8, 0),
        "end a: what": (9.2, 1.6, 0), "end b: what": (13.6, 5.6, 90), "end b: against": (13.0, 15.86, 0),
        "RESET": (13.6, 8.8, 90), "at U1": (9.8, 16.4, 90), "carries": (13.62, 12.6, 90),
    }  # fmt: skip
    for component in circuit.components:
        for begins, (x, y, turn_deg) in where.items():
            if component.note.startswith(begins):
                places[component.ref] = _snap(x, y, turn_deg)
    return places
