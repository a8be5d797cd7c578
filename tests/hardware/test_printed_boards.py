"""The printed boards: KiCad finds nothing, they join what the circuits join, and drawing them again gives the same."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import attrs
import pytest

from hardware.tools import layout, strips
from hardware.tools.measures import Measures
from hardware.tools.pcb import check
from hardware.tools.pcb.boards import BOARDS, FOLDER
from tests.tiers import lacking

pytestmark = pytest.mark.hardware


@pytest.fixture(scope="module")
def kicad() -> None:
    if needed := check.lacking():
        lacking(f"needs {needed}")


def _copy(name: str, folder: Path) -> Path:
    for suffix in (".kicad_pcb", ".kicad_pro"):
        shutil.copy(FOLDER / f"{name}{suffix}", folder / f"{name}{suffix}")
    return folder / f"{name}.kicad_pcb"


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.usefixtures("kicad")
def test_kicads_check_finds_nothing_at_any_severity(name: str, tmp_path: Path) -> None:
    assert check.violations(_copy(name, tmp_path), tmp_path) == []


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_joins_what_its_circuit_joins(name: str) -> None:
    assert check.nets_of_board(FOLDER / f"{name}.kicad_pcb") == check.nets_of_circuit(BOARDS[name]().circuit)


@pytest.mark.parametrize("name", ["hat", "cap", "strip-hall-4", "strip-matrix-4"])
@pytest.mark.usefixtures("kicad")
def test_drawing_a_board_again_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    drawn = check.draw(BOARDS[name]().job(), tmp_path, name)
    for suffix in (".kicad_pcb", ".kicad_pro"):
        assert drawn.with_suffix(suffix).read_bytes() == (FOLDER / f"{name}{suffix}").read_bytes(), "run make hardware"


@pytest.mark.parametrize("name", ["hat", "cap"])
@pytest.mark.usefixtures("kicad")
def test_a_track_that_moved_is_found(name: str, tmp_path: Path) -> None:
    board = _copy(name, tmp_path)
    text = board.read_text(encoding="utf-8")
    ground = re.search(r'\(net (\d+) "GND"\)', text)
    assert ground is not None
    # A track of ground is joined by the zones all the same.
    pattern = r"\(segment\s+\(start ([\d.]+) ([\d.]+)\)\s+\(end ([\d.]+) ([\d.]+)\)"
    pattern += r"[^()]*\(width [\d.]+\)\s+\(layer [^)]*\)\s+\(net (\d+)\)"
    segments = [found for found in re.findall(pattern, text) if found[4] != ground[1]]
    longest = max(segments, key=lambda s: abs(float(s[0]) - float(s[2])) + abs(float(s[1]) - float(s[3])))
    x1, y1, x2, y2 = map(float, longest[:4])
    old = re.search(rf"\(start {longest[0]} {longest[1]}\)\s+\(end {longest[2]} {longest[3]}\)", text)
    assert old is not None
    moved = f"(start {x1 + 1.27} {y1})\n\t\t(end {x2 + 1.27} {y2})"
    board.write_text(text.replace(old.group(0), moved), encoding="utf-8")
    found = check.violations(board, tmp_path)
    assert any(line.startswith(("shorting_items", "clearance", "unconnected_items")) for line in found)


@pytest.mark.usefixtures("kicad")
def test_without_its_rules_a_board_is_not_judged(tmp_path: Path) -> None:
    board = _copy("strip-hall-4", tmp_path)
    board.with_suffix(".kicad_pro").unlink()
    with pytest.raises(FileNotFoundError, match="rules"):
        check.violations(board, tmp_path)


def test_a_pin_on_another_net_is_found() -> None:
    circuit = BOARDS["hat"]().circuit
    plug = next(index for index, part in enumerate(circuit.components) if part.ref == "J3")
    nets = dict(circuit.components[plug].nets)
    nets["1"], nets["2"] = nets["2"], nets["1"]
    circuit.components[plug] = attrs.evolve(circuit.components[plug], nets=nets)
    assert check.nets_of_board(FOLDER / "hat.kicad_pcb") != check.nets_of_circuit(circuit)


@pytest.mark.parametrize("sockets", strips.HEIGHTS)
def test_a_strips_lamps_lie_under_the_holes_of_the_top_plate(sockets: int, measures: Measures) -> None:
    design = BOARDS[f"strip-hall-{sockets}"]()
    column = {4: "A", 5: "B", 6: "C", 7: "D"}[sockets]
    stilts = sorted((hole.y, hole.x) for hole in design.holes)
    for row in range(1, sockets + 1):
        y, x = stilts[sockets - row]
        centre = layout.centre(f"{column}{row}", measures["board.pitch"])
        for number, plane in (("1", "red"), ("2", "green")):
            hole = layout.lamp(f"{column}{row}", plane, measures)
            place = design.places[f"D{number}{row}"]
            assert place.x + 1.27 - x == pytest.approx(hole.x - centre.x, abs=0.01)
            assert y - place.y == pytest.approx(hole.y - centre.y, abs=0.01)


def test_strips_of_neighbouring_columns_do_not_touch(measures: Measures) -> None:
    width = BOARDS["strip-hall-4"]().width
    assert width + 1 < measures["board.pitch"] * 3**0.5 / 2


def test_a_strip_is_clear_of_the_pillars(measures: Measures) -> None:
    spacer_mm = 6.4
    for sockets, columns in ((4, "AG"), (5, "BF"), (6, "CE"), (7, "D")):
        design = BOARDS[f"strip-hall-{sockets}"]()
        top_hole = min(design.holes, key=lambda hole: hole.y)
        for column in columns:
            centre = layout.centre(f"{column}{sockets}", measures["board.pitch"])
            left, top = centre.x - top_hole.x, centre.y + top_hole.y
            for pillar in layout.pillars(measures):
                beside = not left - spacer_mm / 2 < pillar.x < left + design.width + spacer_mm / 2
                beyond = not top - design.height - spacer_mm / 2 < pillar.y < top + spacer_mm / 2
                assert beside or beyond, (column, pillar)


@pytest.mark.parametrize("kind", ["hall", "reed"])
def test_every_strip_of_a_kind_has_the_same_plugs(kind: strips.StripKind) -> None:
    whole = {c.ref: c.nets for c in strips.circuit(kind, 7).components}
    for sockets in strips.HEIGHTS:
        for part in strips.circuit(kind, sockets).components:
            assert part.nets.items() <= whole[part.ref].items()
