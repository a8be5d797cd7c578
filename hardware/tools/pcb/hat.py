"""The HAT of the matrix board: where its parts lie."""

from __future__ import annotations

from typing import Final

from hardware.tools import boards
from hardware.tools.circuit import Circuit
from hardware.tools.pcb.design import LICENCE, REVISION, Design, Hole, Place, Words

WIDTH_MM: Final = 85.0
HEIGHT_MM: Final = 58.0
FIRST_PIN: Final = (8.37, 4.77)
_STEP: Final = 0.3175


def _snap(x: float, y: float, turn_deg: float = 0.0, label: tuple[float, float] | None = None) -> Place:
    """A place on the router's grid, which goes through the header's pins."""
    x0, y0 = FIRST_PIN
    return Place(x0 + round((x - x0) / _STEP) * _STEP, y0 + round((y - y0) / _STEP) * _STEP, turn_deg, label=label)


def design() -> Design:
    """The HAT of the whole matrix board; the starter kit uses the same one."""
    circuit = boards.matrix("matrix")
    return Design(
        name="hat",
        title="tamsk-pi HAT",
        circuit=circuit,
        width=WIDTH_MM,
        height=HEIGHT_MM,
        places=_places(circuit),
        origin=("J1", "1"),
        holes=tuple(Hole(x, y, 2.7) for x, y in ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (81.5, 54.5))),
        words=(
            Words(66.5, 2.6, "tamsk-pi HAT"),
            Words(66.5, 4.6, f"rev {REVISION}  {LICENCE}", 0.9),
            Words(66.5, 6.4, "not yet ordered or built", 0.9),
        ),
    )


def _places(circuit: Circuit) -> dict[str, Place]:
    x, y = FIRST_PIN
    # The socket is on the underside: the Pi's pins come from below.
    places = {"J1": Place(x, y, 270.0, "underside")}
    places |= {
        ref: _snap(x, 51, 90, (0.6, 2.6)) for ref, x in {"J3": 9, "J2": 28.5, "J4": 50.5, "J5": 65, "J6": 71.5}.items()
    }
    pairs = [c.ref for c in circuit.components if c.note.startswith(("pulls column", "keeps the Pi whole"))]
    for n, ref in enumerate(pairs):
        places[ref] = _snap(9 + 3.175 * (n // 2), 43 if n % 2 == 0 else 30, 90)
    lamps = [c.ref for c in circuit.components if c.note.startswith("lamp ") and c.place == "board"]
    for n, ref in enumerate(lamps):
        places[ref] = _snap(46.5 + 3.175 * n, 43, 90)
    buzzer = {"base of": (46.5, 30), "keeps the buzzer": (49.7, 30), "limits the": (68.5, 46)}
    for c in circuit.components:
        for begins, (x, y) in buzzer.items():
            if c.note.startswith(begins):
                places[c.ref] = _snap(x, y, 90)
    one = {c.kind.name: c.ref for c in circuit.components if c.place == "board"}
    places[one["diode"]] = _snap(63.2, 46.5, 90)
    places[one["NPN transistor"]] = _snap(62.2, 32.3, 270)
    places[one["74AHCT125"]] = _snap(71.5, 18)
    places[one["capacitor"]] = _snap(72.8, 13)
    return places
