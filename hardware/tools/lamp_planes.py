"""A MAX7219 and the socket lamps that it drives: the same for both boards, but for which digit and segment is which."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from hardware.tools import kinds
from hardware.tools.circuit import GROUND, Circuit


@attrs.frozen
class Chain:
    """The nets that a plane hangs on."""

    data: str
    load: str
    clock: str
    supply: str


def add_plane(
    circuit: Circuit,
    plane: str,
    chain: Chain,
    sockets: Sequence[str],
    colour: str,
    place: Callable[[str], tuple[str, str]],
) -> str:
    """Add a plane (`plane`: its name, empty where there is one only) with a lamp at each socket.

    `place` gives a socket's digit (the lamp's cathode) and segment (its anode) by the chip's pin names. Returns the
    net of the chip's data output, for the next plane of the chain.
    """
    tag = f"_{plane}" if plane else ""
    name = f"lamp plane {plane}".strip()
    out = f"LAMPS_OUT{tag}"
    places = {socket: place(socket) for socket in sockets}
    nets = {"DIN": chain.data, "LOAD": chain.load, "CLK": chain.clock, "V+": chain.supply}
    nets |= {"GND": GROUND, "GND2": GROUND, "ISET": f"ISET{tag}", "DOUT": out}
    nets |= {pin: f"{pin}{tag}" for pins in places.values() for pin in pins}
    circuit.add(kinds.MAX7219, "MAX7219", "field", name, nets, f"U_LAMPS{tag}")
    iset = {"1": chain.supply, "2": f"ISET{tag}"}
    circuit.add(kinds.RESISTOR, "27k", "field", f"{name}: peak current", iset, f"R_ISET{tag}")
    across = {"1": chain.supply, "2": GROUND}
    circuit.add(kinds.CAPACITOR, "100n", "field", name, across, f"C_LAMPS{tag}")
    circuit.add(kinds.ELECTROLYTIC, "10u", "field", name, across, f"C_LAMPS_BULK{tag}")
    for socket, (digit, segment) in places.items():
        nets = {"A": f"{segment}{tag}", "K": f"{digit}{tag}"}
        circuit.add(kinds.LED, colour, "field", f"{name}: {socket}", nets, f"L_{socket}{tag}")
    return out
