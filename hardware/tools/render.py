"""Pictures of solids without a screen or a graphics card: a small z-buffer in NumPy.

OpenSCAD's own picture export needs an OpenGL display, which a builder's server and CI lack; its solids do not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Floats: TypeAlias = NDArray[np.float64]
Colour: TypeAlias = tuple[int, int, int]

BACKGROUND: Final[Colour] = (250, 249, 246)
OVERSAMPLING: Final = 2


@attrs.frozen(eq=False)
class Body:
    """Triangles of one colour: an array of shape (n, 3, 3), corners in millimetres, anticlockwise from outside."""

    triangles: Floats
    colour: Colour

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Body:
        """The same body elsewhere, offsets in millimetres."""
        return attrs.evolve(self, triangles=self.triangles + np.array([x, y, z]))

    def upside_down(self) -> Body:
        """Turned over about the x axis."""
        return attrs.evolve(self, triangles=self.triangles * np.array([1.0, -1.0, -1.0]))


def picture(bodies: Sequence[Body], turn_deg: float, tilt_deg: float, width: int, height: int) -> Image.Image:
    """Draw bodies seen from `turn_deg` around z (0: from the front, -y) and `tilt_deg` above the horizon.

    Parallel projection, fitted to `width` x `height` pixels with a margin.
    """
    view = _view(turn_deg, tilt_deg)
    seen = [(body.triangles @ view.T, body) for body in bodies]
    every = np.concatenate([points.reshape(-1, 3) for points, _ in seen])
    low, high = every.min(axis=0), every.max(axis=0)
    wide, tall = width * OVERSAMPLING, height * OVERSAMPLING
    scale = 0.94 * min(wide / (high[0] - low[0]), tall / (high[1] - low[1]))
    middle = (low + high) / 2
    depth = np.full((tall, wide), -np.inf)
    image = np.empty((tall, wide, 3), dtype=np.uint8)
    image[:] = BACKGROUND
    for points, body in seen:
        flat = np.empty_like(points)
        flat[..., 0] = (points[..., 0] - middle[0]) * scale + wide / 2
        flat[..., 1] = tall / 2 - (points[..., 1] - middle[1]) * scale
        flat[..., 2] = points[..., 2]
        shades = _shades(body, view)
        for corners, shade in zip(flat, shades, strict=True):
            _fill(image, depth, corners, shade)
    return Image.fromarray(image).resize((width, height), Image.Resampling.BOX)


def _view(turn_deg: float, tilt_deg: float) -> Floats:
    """Rows: the picture's right, its up, and towards the eye."""
    turn, tilt = math.radians(turn_deg), math.radians(tilt_deg)
    right = np.array([math.cos(turn), math.sin(turn), 0.0])
    eye = np.array([math.sin(turn) * math.cos(tilt), -math.cos(turn) * math.cos(tilt), math.sin(tilt)])
    return np.array([right, np.cross(eye, right), eye])


def _shades(body: Body, view: Floats) -> NDArray[np.uint8]:
    sides = body.triangles
    normals = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.where(lengths > 0, lengths, 1)
    # The light turns with the eye, so that every view is lit from above left.
    light = view[0] * -0.45 + view[1] * 0.6 + view[2] * 0.66
    bright = 0.45 + 0.55 * np.clip(normals @ light, 0, 1)
    result: NDArray[np.uint8] = (bright[:, None] * np.array(body.colour)).astype(np.uint8)
    return result


def _fill(image: NDArray[np.uint8], depth: Floats, corners: Floats, shade: Any) -> None:
    """Fill one triangle where it is nearer to the eye than what is there."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners.tolist()
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if area >= 0:  # turned away, as the picture's y runs downwards; or seen edge on
        return
    left, right = math.ceil(min(ax, bx, cx) - 0.5), math.floor(max(ax, bx, cx) - 0.5)
    top, bottom = math.ceil(min(ay, by, cy) - 0.5), math.floor(max(ay, by, cy) - 0.5)
    if right < left or bottom < top:
        return
    x = np.arange(left, right + 1) + 0.5
    y = (np.arange(top, bottom + 1) + 0.5)[:, None]
    u = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area
    v = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area
    w = 1 - u - v
    z = u * az + v * bz + w * cz
    behind = depth[top : bottom + 1, left : right + 1]
    visible = (u >= 0) & (v >= 0) & (w >= 0) & (z > behind)
    behind[visible] = z[visible]
    image[top : bottom + 1, left : right + 1][visible] = shade
