"""The pictures of the mechanics: which solids, where, in which colour, seen from where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
import trimesh
from PIL import Image

from hardware.tools import layout, scad
from hardware.tools.measures import Measures
from hardware.tools.render import Body, Colour, Floats, picture
from tamsk_pi.rules.board import CAPACITY, SOCKETS, START

WOOD: Final[Colour] = (206, 178, 138)
PLATE: Final[Colour] = (142, 148, 156)
BLACK: Final[Colour] = (84, 86, 92)
DARK: Final[Colour] = (52, 54, 60)
RED: Final[Colour] = (196, 62, 52)
WHITE: Final[Colour] = (232, 230, 224)
STEEL: Final[Colour] = (160, 168, 180)
GLASS: Final[Colour] = (186, 212, 220)
GREEN: Final[Colour] = (86, 150, 96)
BLUE: Final[Colour] = (84, 120, 176)


class Workshop:
    """Compiles the solids that the scenes need, each once, in a folder of its own."""

    def __init__(self, folder: Path, measures: Measures) -> None:
        self.measures = measures
        self._folder = folder
        self._solids: dict[tuple[str, tuple[str, ...]], Floats] = {}

    def solid(self, colour: Colour, source: str, *defines: str) -> Body:
        """A solid of a source with these `-D` definitions, in a colour."""
        key = (source, defines)
        if key not in self._solids:
            part = scad.Part(f"solid-{len(self._solids)}", source, defines, 0, "")
            mesh = trimesh.load_mesh(scad.compile_part(part, self._folder))
            self._solids[key] = np.asarray(mesh.triangles, dtype=float)
        return Body(self._solids[key], colour)

    def tube(self, rings: int) -> Body:
        return self.solid(BLACK, "tube.scad", f"rings={rings}")


def _tubes(shop: Workshop) -> Image.Image:
    """The four heights, and under each the stilt that carries its reed."""
    bodies = []
    for rings in (1, 2, 3, 4):
        x = (rings - 1) * 46.0
        stilt = shop.solid(BLUE, "stilt.scad", f"rings={rings}", 'kind="reed"')
        bodies += [shop.tube(rings).moved(x), stilt.moved(x, z=-62)]
    return picture(bodies, 8, 28, 900, 520)


def _section(shop: Workshop) -> Image.Image:
    """A two-ring socket cut open with a glass standing in it."""
    colours = {
        "plates": WOOD,
        "tube": BLACK,
        "stilt": BLUE,
        "caps": RED,
        "low magnet": STEEL,
        "high magnet": STEEL,
        "rings": WHITE,
        "glass": GLASS,
        "reed": GREEN,
    }
    bodies = [shop.solid(c, "section.scad", f'what="{what}"', "rings=2") for what, c in colours.items()]
    return picture(bodies, 16, 14, 620, 900)


def _board(shop: Workshop) -> Image.Image:
    """All 37 sockets with the six glasses' caps at their starting places."""
    measures = shop.measures
    bodies = [shop.solid(WOOD, "plates.scad", 'plate="top"')]
    where = layout.centres(measures["board.pitch"])
    bodies += [shop.tube(CAPACITY[socket]).moved(*where[socket]) for socket in SOCKETS]
    for glass, socket in START.items():
        rings = f"rings={CAPACITY[socket]}"
        colour = RED if glass[0] == "R" else DARK
        bodies.append(shop.solid(GLASS, "section.scad", 'what="glass"', rings, "cut=false").moved(*where[socket]))
        bodies.append(shop.solid(colour, "section.scad", 'what="caps"', rings, "cut=false").moved(*where[socket]))
    return picture(bodies, 8, 42, 1000, 760)


def _caps(shop: Workshop) -> Image.Image:
    """The three caps, open side up: magnet only, ball switch with tether, radio with coin cell."""
    kinds = ("magnet", "tilt", "radio")
    bodies = [shop.solid(RED, "cap.scad", f'kind="{kind}"').moved(i * 36.0) for i, kind in enumerate(kinds)]
    return picture(bodies, -20, 48, 800, 380)


def _stilts(shop: Workshop) -> Image.Image:
    """The stilt's head for a reed (left) and for a hall sensor (right)."""
    bodies = [
        shop.solid(BLUE, "stilt.scad", "rings=1", 'kind="reed"'),
        shop.solid(BLUE, "stilt.scad", "rings=1", 'kind="hall"').moved(22.0),
    ]
    return picture(bodies, 30, 40, 520, 640)


def _panel(shop: Workshop) -> Image.Image:
    """The box's panel seen from the front, and a player's pod."""
    panel = shop.solid(PLATE, "panel.scad", 'part="panel"').upside_down()
    pod = shop.solid(PLATE, "panel.scad", 'part="pod"').upside_down()
    return picture([panel, pod.moved(105.0)], 12, 55, 900, 380)


def _cradle(shop: Workshop) -> Image.Image:
    """The timer's cradle with its yoke in it."""
    measures = shop.measures
    axle = scad.cradle_axle_mm(measures)
    stand = shop.solid(WOOD, "cradle.scad", 'part="stand"')
    yoke = shop.solid(GREEN, "cradle.scad", 'part="yoke"')
    return picture([stand, yoke.moved(z=axle)], 32, 24, 620, 640)


SCENES: Final[Mapping[str, Callable[[Workshop], Image.Image]]] = MappingProxyType(
    {
        "tubes": _tubes,
        "section": _section,
        "board": _board,
        "caps": _caps,
        "stilts": _stilts,
        "panel": _panel,
        "cradle": _cradle,
    }
)
"""Picture name (`hardware/mechanics/pictures/NAME.png`) to how it is drawn."""
