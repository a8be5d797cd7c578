"""The printed boards that are offered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from hardware.tools import strips
from hardware.tools.paths import HARDWARE
from hardware.tools.pcb import cap, hat, strip
from hardware.tools.pcb.design import Design

FOLDER: Final = HARDWARE / "pcb"

BOARDS: Final[Mapping[str, Callable[[], Design]]] = MappingProxyType(
    {
        "hat": hat.design,
        "cap": cap.design,
        **{
            f"strip-{kind}-{sockets}": partial(strip.design, kind, sockets)
            for kind in strips.STRIP_KINDS
            for sockets in strips.HEIGHTS
        },
    }
)
"""Name (`hardware/pcb/NAME.kicad_pcb`) to design."""
