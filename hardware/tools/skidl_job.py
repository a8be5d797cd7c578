"""The part of `schematic` that runs in a process of its own: `python -m hardware.tools.skidl_job CIRCUIT RESULT`."""

from __future__ import annotations

import logging
import pickle
import sys
from pathlib import Path
from typing import Any

from hardware.tools.circuit import Circuit, Component


def run(circuit: Circuit) -> tuple[str, list[str]]:
    """KiCad's netlist of the parts on the board, and the complaints of SKiDL's electrical rule check."""
    import skidl
    from skidl.net import NCNet

    built = skidl.Circuit()
    parts = {c.ref: _part(skidl, built, c) for c in circuit.components if c.place == "board"}
    for name, pins in circuit.nets().items():
        here = [(component, pin) for component, pin in pins if component.ref in parts]
        if here:
            net = skidl.Net(name, circuit=built)
            for component, pin in here:
                net += parts[component.ref][pin.number]
    netlist = str(built.generate_netlist(tool=skidl.KICAD8, file_="board.net"))
    # Only now: SKiDL would write all unconnected pins as one net that joins them.
    unconnected = NCNet(circuit=built)
    for component in circuit.components:
        for pin in component.kind.pins if component.ref in parts else ():
            if pin.number not in component.nets:
                unconnected += parts[component.ref][pin.number]
    return netlist, _complaints(built)


class _Listener(logging.Handler):
    """Keeps what the rule check says."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def _complaints(built: Any) -> list[str]:
    from skidl.logger import erc_logger

    listener = _Listener()
    erc_logger.addHandler(listener)
    built.ERC()
    return listener.lines


def _part(skidl: Any, built: Any, component: Component) -> Any:
    types = skidl.Pin.types
    functions = {
        "in": types.INPUT,
        "out": types.OUTPUT,
        "both": types.BIDIR,
        "passive": types.PASSIVE,
        "power in": types.PWRIN,
        "power out": types.PWROUT,
        "open": types.OPENCOLL,
    }
    template = skidl.Part(
        name=component.kind.name,
        tool=skidl.SKIDL,
        dest=skidl.TEMPLATE,
        ref_prefix=component.kind.prefix,
        footprint=component.kind.footprint,
        description=component.note,
        pins=[skidl.Pin(num=p.number, name=p.name, func=functions[p.kind]) for p in component.kind.pins],
    )
    return template(ref=component.ref, value=component.value, tag=component.ref, circuit=built)


def main() -> None:
    """Read a pickled circuit, write a pickled pair of netlist and complaints."""
    given, made = map(Path, sys.argv[1:])
    made.write_bytes(pickle.dumps(run(pickle.loads(given.read_bytes()))))


if __name__ == "__main__":
    main()
