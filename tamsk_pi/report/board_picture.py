"""The board with a position on it, in the shapes of the page: seen from above and a little from the front."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree.ElementTree import Element

from tamsk_pi.referee.snapshot import GlassView, Snapshot
from tamsk_pi.report.svg import draw
from tamsk_pi.rules.board import (
    CAPACITY,
    COLUMN_HEIGHTS,
    COLUMNS,
    GLASSES,
    PLAYERS,
    RINGS_PER_SIDE,
    SOCKETS,
    TIMER,
    Player,
    owner_of,
)

WIDTH: Final = 628
HEIGHT: Final = 778
"""The size of the drawing in its own units, those of the page."""

_LEFT, _ACROSS, _MIDDLE_Y, _BACK, _TILT = 50, 88, 372, 80, 0.8
_RING, _HOLDER_RING, _TUBE, _RING_OUT, _RING_IN = 9, 4, 19, 35, 22.5
_HOLDERS: Final = {"red": (62, 700), "black": (WIDTH - 62, 700)}
_TIMER_AT: Final = (WIDTH / 2, 752)
_BESIDE: Final = {"R1": 28, "R2": 72, "R3": 116, "B1": WIDTH - 116, "B2": WIDTH - 72, "B3": WIDTH - 28}
_NOTCHES_DEG: Final = (20, 55, 90, 125, 160)

_BULB_TOP: Final = "M-13 -46C-13 -36 -3 -31 -1.6 -26L1.6 -26C3 -31 13 -36 13 -46Z"
_BULB_LOW: Final = "M-1.6 -26C-3 -21 -13 -16 -13 -6L13 -6C13 -16 3 -21 1.6 -26Z"
_CAPS: Final = {
    "red": "M-9 -66H9A9.5 9.5 0 0 1 9 -46H-9A9.5 9.5 0 0 1 -9 -66Z",
    "black": "M-13 -66H13L18 -56L13 -46H-13L-18 -56Z",
    "timer": "M-17 -66H17V-46H-17Z",
}


def place(socket: str) -> tuple[float, float]:
    """Where the middle of a socket's foot is."""
    column = COLUMNS.index(socket[0])
    return _LEFT + _ACROSS * column, _MIDDLE_Y + ((COLUMN_HEIGHTS[column] - 1) / 2 - (int(socket[1]) - 1)) * _BACK


def board_picture(snapshot: Snapshot, owners: Mapping[str, Mapping[int, Player]], at_ms: int) -> Element:
    """The position; sand as it is at `at_ms`. Rings whose owner was not told are hatched."""
    standing = {glass.socket: glass for glass in snapshot.glasses.values() if glass.socket}
    board = draw("g", {"class": "board"}, _definitions(), *_plate())
    for socket in sorted(SOCKETS, key=lambda name: (place(name)[1], place(name)[0])):
        board.append(_socket(socket, snapshot.rings.get(socket, 0), owners.get(socket, {})))
        if socket in standing:
            x, y = place(socket)
            board.append(_glass(standing[socket], x, y - _tube_height(socket) + 5, at_ms))
    board.extend(_holder(player, snapshot.rings_left[player]) for player in PLAYERS)
    if snapshot.level == 3:
        board.append(draw("g", {"transform": _at(*_TIMER_AT)}, _ellipse(44, 0, "floor")))
        board.append(_glass(snapshot.glasses[TIMER], *_TIMER_AT, at_ms))
    for name in GLASSES:
        if snapshot.glasses[name].socket is None:
            board.append(_glass(snapshot.glasses[name], _BESIDE[name], 92, at_ms))
    return board


def _at(x: float, y: float) -> str:
    return f"translate({x:g} {y:g})"


def _tube_height(socket: str) -> int:
    return 6 + _RING * CAPACITY[socket]


def _definitions() -> Element:
    clips = (("bulb-top", _BULB_TOP), ("bulb-low", _BULB_LOW))
    return draw("defs", {}, *(draw("clipPath", {"id": name}, draw("path", {"d": d})) for name, d in clips))


def _plate() -> Iterator[Element]:
    middle = place("D4")
    corners = []
    for x, y in map(place, ("A1", "D1", "G1", "G4", "D7", "A4")):
        by = 1 + 38 / math.hypot(x - middle[0], y - middle[1])
        corners.append(f"{middle[0] + (x - middle[0]) * by:.0f},{middle[1] + (y - middle[1]) * by:.0f}")
    points = " ".join(corners)
    yield draw("polygon", {"class": "plate-side", "points": points, "transform": "translate(0 9)"})
    yield draw("polygon", {"class": "plate-top", "points": points})


def _ellipse(rx: float, y: float, kind: str) -> Element:
    return draw("ellipse", {"cx": 0, "cy": y, "rx": rx, "ry": rx * _TILT, "class": kind})


def _wall(rx: float, low: float, high: float, kind: str) -> Element:
    """A standing cylinder from `low` to `high` above the board."""
    ry = rx * _TILT
    arc = f"A{rx:g} {ry:g} 0 0"
    d = f"M{-rx:g} {-high:g}V{-low:g}{arc} 0 {rx:g} {-low:g}V{-high:g}{arc} 1 {-rx:g} {-high:g}Z"
    return draw("path", {"class": kind, "d": d})


def _annulus(out: float, inner: float, y: float) -> str:
    def turn(rx: float, sweep: int) -> str:
        arc = f"A{rx:g} {rx * _TILT:g} 0 1 {sweep}"
        return f"M{-rx:g} {y:g}{arc} {rx:g} {y:g}{arc} {-rx:g} {y:g}Z"

    return turn(out, 1) + turn(inner, 0)


def _ring(owner: Player | None, low: float, height: int = _RING) -> Element:
    """A ring with its underside at `low`: red ones are plain, black ones notched, others dashed."""
    kind = owner or "unknown"
    top = low + height - 1
    ring = draw("g", {"class": f"ring {kind}"}, _wall(_RING_OUT, low, top, "ring-wall"))
    ring.append(draw("path", {"class": "ring-top", "fill-rule": "evenodd", "d": _annulus(_RING_OUT, _RING_IN, -top)}))
    if kind != "red" and height >= _RING:
        for turn in _NOTCHES_DEG:
            x, y = math.cos(math.radians(turn)) * _RING_OUT, math.sin(math.radians(turn)) * _RING_OUT * _TILT
            ring.append(draw("path", {"class": "ring-notch", "d": f"M{x:.1f} {y - low - height + 2:.1f}v{height - 3}"}))
    return ring


def _socket(name: str, count: int, owners: Mapping[int, Player]) -> Element:
    capacity, high = CAPACITY[name], _tube_height(name)
    body = draw(
        "g", {"transform": _at(*place(name)), "class": "socket"}, _ellipse(41, 3, "hollow"), _ellipse(41, 0, "floor")
    )
    body.extend(_ring(owners.get(level + 1), level * _RING + 1) for level in range(count))
    body.append(_wall(_TUBE, count * _RING + 1 if count else 0, high, "tube-wall"))
    for level in range(count + 1, capacity):
        y = -(level * _RING) - 1
        arc = f"M{-_TUBE} {y}A{_TUBE} {_TUBE * _TILT:g} 0 0 0 {_TUBE} {y}"
        body.append(draw("path", {"class": "tube-line", "d": arc}))
    body.extend((_ellipse(_TUBE, -high, "tube-top"), _ellipse(13, -high, "tube-hole")))
    body.append(draw("text", {"class": "socket-name", "x": -31, "y": 37}, text=name))
    return body


def _glass(glass: GlassView, x: float, y: float, at_ms: int) -> Element:
    side = "timer" if glass.name == TIMER else owner_of(glass.name)
    left_ms = 0 if glass.stops_at_ms is None else min(max(0, glass.stops_at_ms - at_ms), glass.full_ms)
    above = left_ms / glass.full_ms
    # Sand in a bulb that is narrow at its neck and wide at its other end.
    top, low = 19 * above**0.55, 19 * (1 - above**0.6)
    node = draw("g", {"class": f"glass {side}{' is-out' if glass.out else ''}", "transform": _at(x, y)})
    node.append(draw("path", {"class": "post", "d": "M-15 -5V-47M15 -5V-47"}))
    node.extend(draw("path", {"class": "bulb", "d": d}) for d in (_BULB_TOP, _BULB_LOW))
    sand_top = draw("rect", {"class": "sand", "x": -14, "width": 28, "y": -26 - top, "height": top})
    node.append(draw("g", {"clip-path": "url(#bulb-top)"}, sand_top))
    if low > 0:
        surface, cone = -6 - low, min(5.0, low * 0.5)
        heap = f"M-14 {surface + cone:.1f}L0 {surface - cone * 0.6:.1f}L14 {surface + cone:.1f}V-5H-14Z"
        node.append(draw("g", {"clip-path": "url(#bulb-low)"}, draw("path", {"class": "sand", "d": heap})))
    node.append(draw("path", {"class": "foot", "d": "M-17 -6H17V-3A17 5 0 0 1 -17 -3Z"}))
    node.append(draw("path", {"class": "cap", "d": _CAPS[side]}))
    node.append(draw("text", {"class": "glass-name", "x": 0, "y": -50.2}, text=glass.name))
    if glass.out:
        node.append(draw("path", {"class": "out-mark", "d": "M-12 -38L12 -14M12 -38L-12 -14"}))
    return node


def _holder(player: Player, count: int) -> Element:
    body = draw("g", {"transform": _at(*_HOLDERS[player]), "class": "holder"})
    body.append(draw("ellipse", {"class": "floor", "rx": 45, "ry": 36}))
    body.extend(_ring(player, level * _HOLDER_RING, _HOLDER_RING) for level in range(min(count, RINGS_PER_SIDE)))
    body.append(draw("text", {"class": "holder-count", "y": 56}, text=str(count)))
    return body
