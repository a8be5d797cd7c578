"""Everything that is generated, by file: how each is made, whether what lies there is current, and writing it.

*Texts* come out of Python alone and are compared to the letter; so are WireViz's drawings and SKiDL's netlists, with
the pinned versions of those tools. *Pictures* are compared by their pixels, since another version of OpenSCAD may cut
a solid into other triangles.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import attrs

from hardware.tools import boards, cap_circuit, scad, tables, template, wiring
from hardware.tools.circuit import Circuit
from hardware.tools.measures import Measures, load_measures
from hardware.tools.paths import HARDWARE
from hardware.tools.pcb import check as pcb
from hardware.tools.pcb.boards import BOARDS
from hardware.tools.schematic import schematic

Family = Literal["text", "wiring", "netlist", "schematic", "picture", "board"]

COLOURS_IN_PICTURE: Final = 48
PIXELS_THAT_MAY_DIFFER: Final = 0.005
"""Share of a picture's pixels."""


@attrs.frozen
class Product:
    """A generated file: its path under `hardware`, and what makes its content."""

    path: str
    family: Family
    make: Callable[[], bytes]

    @property
    def file(self) -> Path:
        return HARDWARE / self.path

    def is_current(self, content: bytes) -> bool:
        """Whether the file holds this content already."""
        if not self.file.is_file():
            return False
        kept = self.file.read_bytes()
        return kept == content or (self.family == "picture" and _alike(kept, content))


def lacking(family: Family) -> str | None:
    """What a family of products needs and is not installed, as words for a person; None when all is there."""
    import importlib.util

    wanted = {
        "text": ("", ("ezdxf", "yaml")),
        "wiring": ("dot", ("wireviz", "yaml")),
        "netlist": ("", ("skidl",)),
        "schematic": ("", ("schemdraw",)),
        "picture": ("openscad", ("numpy", "PIL", "trimesh")),
        "board": ("", ()),
    }
    if family == "board":
        return pcb.lacking()
    program, modules = wanted[family]
    packages = {"dot": "graphviz", "openscad": "openscad"}
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        return f"Python's {' and '.join(missing)} (pip install '.[hardware]')"
    if program and shutil.which(program) is None:
        return f"{program} (Debian package {packages[program]})"
    return None


def products(folder: Path) -> Iterator[Product]:
    """All products; `folder` is a scratch folder that outlives their making."""
    measures = load_measures()
    yield from _texts(measures)
    yield from _wiring(folder)
    yield from _netlists()
    yield from _schematics()
    yield from _pictures(folder, measures)
    yield from _boards(folder)


def _boards(folder: Path) -> Iterator[Product]:
    for name in BOARDS:
        for suffix in ("kicad_pcb", "kicad_pro"):
            yield Product(f"pcb/{name}.{suffix}", "board", partial(_drawn, folder, name, suffix))


def _drawn(folder: Path, name: str, suffix: str) -> bytes:
    """Draw a printed board once; `subprocess.CalledProcessError` where KiCad or the router gives up."""
    board = folder / f"{name}.kicad_pcb"
    if not board.is_file():
        pcb.draw(BOARDS[name]().job(), folder, name)
    return board.with_suffix(f".{suffix}").read_bytes()


def _text(path: str, make: Callable[[], str]) -> Product:
    return Product(path, "text", lambda: make().encode())


def _texts(measures: Measures) -> Iterator[Product]:
    yield _text("mechanics/params.scad", partial(scad.params, measures))
    yield _text("mechanics/centres.scad", partial(scad.centres, measures))
    for plate in template.PLATES:
        drawing = template.drawing(plate, measures)
        yield _text(f"mechanics/template-{plate}.svg", partial(template.svg, drawing))
        yield _text(f"mechanics/template-{plate}.dxf", partial(template.dxf, drawing))
    for name in boards.MATRIX_BOARDS:
        yield _text(f"tables/lines-{name}.md", partial(tables.matrix_lines, name))
    yield _text("tables/lines-bridge.md", tables.bridge_lines)
    yield _text("tables/currents.md", tables.currents)
    yield _text("tables/magnets.md", partial(tables.magnet_tables, measures))
    yield _text("tables/measures.md", partial(tables.measure_table, measures))
    yield _text("tables/parts.md", tables.parts_table)


def harnesses() -> dict[str, wiring.Harness]:
    """All harnesses of all boards, by file name without suffix."""
    made: dict[str, wiring.Harness] = {}
    for name in boards.MATRIX_BOARDS:
        made |= wiring.harnesses(name, boards.matrix(name))
    made |= wiring.harnesses("bridge", boards.bridge("reed", "holder"))
    # The fuller build last: its multiplexers serve halls and rings.
    return made | wiring.harnesses("bridge", boards.bridge("hall", "stack"))


def _wiring(folder: Path) -> Iterator[Product]:
    for name, harness in harnesses().items():
        text = harness.text()
        yield _text(f"wiring/{name}.yml", partial(str, text))
        for suffix in ("svg", "bom.tsv"):
            yield Product(f"wiring/{name}.{suffix}", "wiring", partial(_wireviz, folder, name, text, suffix))


def _wireviz(folder: Path, name: str, text: str, suffix: str) -> bytes:
    """Draw a harness once; `subprocess.CalledProcessError` where WireViz refuses it."""
    made = folder / f"{name}.{suffix}"
    if not made.is_file():
        source = folder / f"{name}.yml"
        source.write_text(text, encoding="utf-8")
        command = Path(sys.executable).parent / "wireviz"
        subprocess.run([command, "-f", "st", str(source)], check=True, capture_output=True, text=True, timeout=120)
    content = made.read_text(encoding="utf-8")
    # Graphviz writes its version into a comment: nothing that a drawing needs.
    return re.sub(r"<!-- Generated by graphviz.*?-->\n", "", content, flags=re.DOTALL).encode()


def _netlists() -> Iterator[Product]:
    for name, circuit in board_circuits().items():
        yield Product(f"schematics/{name}.net", "netlist", partial(_netlist, name, circuit))


def _schematics() -> Iterator[Product]:
    for name, circuit in board_circuits().items():
        yield Product(f"schematics/{name}.svg", "schematic", partial(_schematic, circuit))


def _schematic(circuit: Circuit) -> bytes:
    from hardware.tools.schematic_picture import picture

    return picture(circuit).encode()


def _netlist(name: str, circuit: Circuit) -> bytes:
    return schematic(circuit, f"hardware/schematics/{name}.net").netlist.encode()


def board_circuits() -> dict[str, Circuit]:
    """The circuit boards that have a netlist."""
    return {
        "matrix-hat": boards.matrix("matrix"),
        "mega-shield-reed": boards.bridge("reed", "holder"),
        "mega-shield-hall": boards.bridge("hall", "stack"),
        "cap": cap_circuit.build(),
    }


def _pictures(folder: Path, measures: Measures) -> Iterator[Product]:
    if lacking("picture"):
        return
    from hardware.tools.scenes import SCENES, Workshop

    shop = Workshop(folder, measures)
    for name, draw in SCENES.items():
        yield Product(f"mechanics/pictures/{name}.png", "picture", partial(_png, draw, shop))


def _png(draw: Callable[[Any], Any], shop: Any) -> bytes:
    stream = io.BytesIO()
    draw(shop).quantize(COLOURS_IN_PICTURE, dither=0).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _alike(kept: bytes, made: bytes) -> bool:
    import numpy as np
    from PIL import Image

    first, second = (np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=int) for data in (kept, made))
    if first.shape != second.shape:
        return False
    return bool((np.abs(first - second).max(axis=2) > 24).mean() <= PIXELS_THAT_MAY_DIFFER)


def strays() -> list[str]:
    """Files among the generated ones that nothing generates any more."""
    with tempfile.TemporaryDirectory() as folder:
        known = {product.path for product in products(Path(folder))}
    generated = [
        *HARDWARE.glob("wiring/*"),
        *HARDWARE.glob("schematics/*"),
        *HARDWARE.glob("tables/*"),
        *HARDWARE.glob("pcb/*.kicad_*"),
        *(HARDWARE.glob("mechanics/pictures/*") if not lacking("picture") else ()),
    ]
    return sorted(path for file in generated if (path := str(file.relative_to(HARDWARE))) not in known)
