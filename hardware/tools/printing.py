"""Whether a part prints without supports in the position that is stated for it: overhangs, bridges, thin walls.

A face that looks down at more than `STEEPEST_DEG` from upright and does not lie on the bed hangs in the air. Where its
rim meets walls that go down it is carried; where the rim is free, the slicer lays plastic on nothing. A free stretch
between two carried ones is the edge of a *bridge*; a free rim that closes on itself, or that nothing carries, is an
*overhang*.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any, Final

import attrs
import numpy as np
import trimesh

STEEPEST_DEG: Final = 50.0
"""An outer wall may lean out by so much from upright."""

LONGEST_BRIDGE_MM: Final = 24.0
LONGEST_OVERHANG_MM: Final = 1.2
"""How far a layer may reach beyond the one below it with nothing at its other end."""

BULGE_MM: Final = 0.8
"""How far the edge of a bridge may bulge beyond six tenths of its length, as the round top of a hole does."""

SMALLEST_BED_MM2: Final = 25.0
THINNEST_WALL_MM: Final = 0.8
"""Two perimeters of a 0.4 mm nozzle."""

LARGEST_MM: Final = (220.0, 220.0, 250.0)
"""Bed and height of the printers that most people have."""


@attrs.frozen
class Hanging:
    """One face, or group of faces, that hangs in the air: its kind, how far it reaches, and at which height."""

    kind: str
    reach_mm: float
    height_mm: float
    area_mm2: float


def about_x(turn_deg: float) -> Any:
    """The matrix (4 x 4) of a turn about the x axis."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return np.array([[1, 0, 0, 0], [0, cos, -sin, 0], [0, sin, cos, 0], [0, 0, 0, 1]])


def laid(solid: Any, turn_deg: float) -> Any:
    """A copy of a solid turned about the x axis (0: as drawn, 180: upside down), its lowest point at z = 0."""
    copy = solid.copy()
    copy.apply_transform(about_x(turn_deg))
    copy.apply_translation((0, 0, -copy.bounds[0][2]))
    return copy


def bed_mm2(laid_solid: Any) -> float:
    """The area that touches the bed."""
    down = laid_solid.face_normals[:, 2] < -0.999
    low = laid_solid.triangles[:, :, 2].max(axis=1) < 0.02
    return float(laid_solid.area_faces[down & low].sum())


def hangings(laid_solid: Any) -> list[Hanging]:
    """What hangs in the air, largest reach first."""
    mesh = laid_solid
    steep = mesh.face_normals[:, 2] < -math.sin(math.radians(STEEPEST_DEG))
    above = mesh.triangles[:, :, 2].max(axis=1) > 0.02
    hanging = np.flatnonzero(steep & above)
    chosen = set(hanging.tolist())
    inner = [pair for pair in mesh.face_adjacency.tolist() if pair[0] in chosen and pair[1] in chosen]
    groups = trimesh.graph.connected_components(np.array(inner).reshape(-1, 2), nodes=hanging)
    return sorted((_hanging(mesh, group) for group in groups), key=lambda found: -found.reach_mm)


def _hanging(mesh: Any, group: Any) -> Hanging:
    faces = set(int(face) for face in group)
    carried, free = _rim(mesh, faces)
    points = mesh.vertices
    area = float(mesh.area_faces[list(faces)].sum())
    height = float(points[mesh.faces[list(faces)].ravel(), 2].min())
    chains = _chains(free)
    overhang = 0.0
    bridge = 0.0
    held = {vertex for edge in carried for vertex in edge}
    segments = [(points[a], points[b]) for a, b in carried]
    for chain in chains:
        ends = [vertex for vertex in chain if vertex in held]
        reach = max((_distance(points[v], segments) for v in chain), default=math.inf)
        if len(ends) >= 2:
            bridge = max(bridge, max(float(np.linalg.norm(points[a] - points[b])) for a in ends for b in ends))
            # Between two ends it is a bridge, unless it bulges far beyond the straight line between them.
            overhang = max(overhang, reach if reach > 0.6 * bridge + BULGE_MM else 0.0)
        else:
            overhang = max(overhang, reach)
    if not free:
        bridge = _narrowest(points[list({int(v) for face in faces for v in mesh.faces[face]})])
    if overhang > LONGEST_OVERHANG_MM or (overhang and not bridge):
        return Hanging("overhang", overhang, height, area)
    return Hanging("bridge", bridge, height, area)


def _rim(mesh: Any, faces: set[int]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The rim's edges of a group of faces: those that a wall below carries, and free ones."""
    carried: list[tuple[int, int]] = []
    free: list[tuple[int, int]] = []
    for (first, second), (a, b) in zip(mesh.face_adjacency.tolist(), mesh.face_adjacency_edges.tolist(), strict=True):
        if (first in faces) == (second in faces):
            continue
        other = second if first in faces else first
        rim_low = min(mesh.vertices[a][2], mesh.vertices[b][2])
        goes_down = mesh.triangles[other][:, 2].min() < rim_low - 0.01
        (carried if goes_down else free).append((a, b))
    return carried, free


def _chains(edges: list[tuple[int, int]]) -> list[set[int]]:
    """Vertices of edges that hang together."""
    near: dict[int, set[int]] = defaultdict(set)
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    chains, seen = [], set()
    for start in near:
        if start in seen:
            continue
        chain, waiting = set(), [start]
        while waiting:
            vertex = waiting.pop()
            if vertex not in chain:
                chain.add(vertex)
                waiting += near[vertex]
        seen |= chain
        chains.append(chain)
    return chains


def _distance(point: Any, segments: list[tuple[Any, Any]]) -> float:
    best = math.inf
    for start, end in segments:
        along = end - start
        length = float(along @ along)
        part = 0.0 if length == 0 else min(1.0, max(0.0, float((point - start) @ along) / length))
        best = min(best, float(np.linalg.norm(point - start - part * along)))
    return best


def _narrowest(points: Any) -> float:
    """The narrowest width of a set of points seen from above."""
    widths = []
    for degrees in range(0, 180, 3):
        turned = points[:, :2] @ np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
        widths.append(float(turned.max() - turned.min()))
    return min(widths)


def thinnest_wall_mm(solid: Any, samples: int = 400) -> float:
    """The thinnest that the upright walls get, but for a twentieth of them: there the edges of holes and grooves lie.

    Found by rays from points on the surface straight inwards; the points are always the same. Floors are not walls: a
    slicer lays them in layers.
    """
    points, faces = trimesh.sample.sample_surface_even(solid, samples, seed=1)
    normals = solid.face_normals[faces]
    upright = np.abs(normals[:, 2]) < 0.2
    points, normals = points[upright], normals[upright]
    proximity: Any = trimesh.proximity
    thickness = proximity.thickness(solid, points, exterior=False, normals=normals, method="ray")
    return float(np.percentile(thickness[thickness > 0.05], 5))


def problems(laid_solid: Any) -> list[str]:
    """Why a part would not print as laid, one line each; empty where it prints."""
    found = []
    size = laid_solid.extents
    if not (sorted(size[:2]) <= sorted(LARGEST_MM[:2]) and size[2] <= LARGEST_MM[2]):
        found.append(f"is {size[0]:.0f} x {size[1]:.0f} x {size[2]:.0f} mm, larger than the bed")
    bed = bed_mm2(laid_solid)
    if bed < SMALLEST_BED_MM2:
        found.append(f"touches the bed with {bed:.0f} mm2, less than {SMALLEST_BED_MM2:.0f}")
    for hanging in hangings(laid_solid):
        limit = LONGEST_OVERHANG_MM if hanging.kind == "overhang" else LONGEST_BRIDGE_MM
        if hanging.reach_mm > limit:
            found.append(
                f"has an {hanging.kind} of {hanging.reach_mm:.1f} mm at {hanging.height_mm:.1f} mm above the bed"
                f" ({hanging.area_mm2:.0f} mm2), allowed are {limit:g}"
            )
    return found
