"""Sockets, lamps and templates lie where the rules' geometry and the measures say."""

from __future__ import annotations

import io
import itertools
import math
import xml.etree.ElementTree as ET

import pytest

from hardware.tools import layout, scad, template
from hardware.tools.measures import Measures, MeasuresError, load_measures
from hardware.tools.paths import HARDWARE
from tamsk_pi.rules.board import CAPACITY, NEIGHBOURS, SOCKETS
from tests.hardware.conftest import need


def test_neighbours_are_one_pitch_apart_and_nobody_else_is_nearer(measures: Measures) -> None:
    pitch = measures["board.pitch"]
    where = layout.centres(pitch)
    for first, second in itertools.combinations(SOCKETS, 2):
        distance = math.dist(where[first], where[second])
        if second in NEIGHBOURS[first]:
            assert distance == pytest.approx(pitch)
        else:
            assert distance > 1.7 * pitch


def test_lamps_are_clear_of_rings_and_nearest_to_their_own_socket(measures: Measures) -> None:
    where = layout.centres(measures["board.pitch"])
    reach = measures["ring.outer_diameter"] / 2 + measures["lamp.diameter"] / 2
    for socket, plane in itertools.product(SOCKETS, layout.LAMP_ANGLES_DEG):
        hole = layout.lamp(socket, plane, measures)
        distances = {other: math.dist(hole, centre) for other, centre in where.items()}
        assert min(distances, key=distances.__getitem__) == socket
        assert min(distances.values()) > reach


def test_as_many_tubes_of_each_height_as_the_rules_have() -> None:
    assert {n: list(CAPACITY.values()).count(n) for n in (1, 2, 3, 4)} == scad.TUBES_OF_HEIGHT


@pytest.mark.parametrize("plate", template.PLATES)
def test_the_svg_template_has_every_hole_at_its_place_in_millimetres(plate: template.Plate, measures: Measures) -> None:
    drawing = template.drawing(plate, measures)
    root = ET.fromstring(template.svg(drawing))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert root.attrib["width"] == f"{width:.3f}mm"
    holes = {
        element.findtext("{*}title"): (float(element.attrib["cx"]), float(element.attrib["cy"]))
        for element in root.iter("{http://www.w3.org/2000/svg}circle")
    }
    where = layout.centres(measures["board.pitch"])
    for first, second in itertools.combinations(SOCKETS, 2):
        assert math.dist(holes[first], holes[second]) == pytest.approx(math.dist(where[first], where[second]), abs=0.01)
    assert holes["D1"][1] > holes["D7"][1], "row 1 is at the bottom"
    assert holes["A1"][0] < holes["G1"][0], "column A is on the left"
    assert all(0 < x < width and 0 < y < height for x, y in holes.values())


@pytest.mark.parametrize("plate", template.PLATES)
def test_the_dxf_template_can_be_read_and_has_the_same_holes(plate: template.Plate, measures: Measures) -> None:
    need("text")
    from ezdxf.filemanagement import read as read_dxf

    drawing = template.drawing(plate, measures)
    space = read_dxf(io.StringIO(template.dxf(drawing))).modelspace()
    read = sorted((round(c.dxf.center.x, 2), round(c.dxf.center.y, 2), c.dxf.radius) for c in space.query("CIRCLE"))
    drawn = sorted((round(c.centre.x, 2) + 0, round(c.centre.y, 2) + 0, c.diameter_mm / 2) for c in drawing.circles)
    assert len(read) == len(drawn)
    for got, wanted in zip(read, drawn, strict=True):
        assert got == pytest.approx(wanted, abs=0.011)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[ring.inner_diameter]\nvalue = 34.0", "[ring.inner_diameter]\nvalue = 30.0", "does not pass through a ring"),
        ("[board.pitch]\nvalue = 48.0", "[board.pitch]\nvalue = 44.0", "less than 4 mm for fingers"),
        ("[board.spacing]\nvalue = 25.0", "[board.spacing]\nvalue = 15.0", "widen board.spacing"),
        ("[board.spacing]\nvalue = 25.0", '[board.spacing]\nvalue = "25"', "board.spacing: needs value"),
        ("[board.spacing]", "[board.spacng]", "board.spacng: unknown"),
        ("[board.spacing]", "[board.spacng]", "board.spacing: missing"),
    ],
)
def test_measures_that_do_not_fit_are_refused_in_words(
    old: str, new: str, said: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = (HARDWARE / "mechanics" / "measures.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path_factory.mktemp("measures") / "measures.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(MeasuresError, match=said):
        load_measures(path)
