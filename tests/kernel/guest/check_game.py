"""A whole short game at level 3, refereed by edges that came through the kernel, in virtual time."""

from __future__ import annotations

from typing import Final

from tamsk_pi.config.profile import BoardProfile
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import START
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tests.kernel.guest.simulated_header import Wires

SETTINGS: Final = Settings(level=3, rings="buttons")

# (t in ms, crossing or input, closed): what hands do. `tilt R2` closes when end b is up.
HANDS: Final = (
    (1000, "D1", False),  # red lifts R2; the contact bounces
    (1002, "D1", True),
    (1003, "D1", False),
    (1300, "tilt R2", True),
    (1600, "E1", True),
    (2500, "button red", True),  # the ring fills E1
    (2600, "button red", False),
    (5000, "D7", False),
    (5300, "tilt B2", True),
    (5600, "D6", True),
    (6500, "button black", True),
    (6620, "button black", False),
    (8000, "tilt N", True),  # black turns the timer over
    (9000, "G4", False),  # red holds R3 when it runs out
    (23_500, "tilt R3", True),
    (24_000, "G3", True),
    (24_900, "button red", True),
    (25_000, "button red", False),
    (27_000, "A1", False),
    (27_200, "tilt B1", True),
    (27_500, "C1", True),  # not adjacent
    (29_000, "C1", False),
    (29_500, "B1", True),  # made good
    (30_500, "button black", True),  # its move ring, at B1
    (30_600, "button black", False),
    (31_000, "button black", True),  # its penalty ring: the lamp goes on from B2, the next that is not full,
    (31_100, "button black", False),
    (31_500, "button black", True),
    (31_600, "button black", False),
    (32_000, "button black", True),  # to B5,
    (32_100, "button black", False),
    (33_000, "button black", True),  # and a long press sets it there
    (34_000, "button black", False),
    (40_000, "A4", False),
    (40_300, "tilt R1", True),
    (40_600, "B5", True),  # red sets R1 on the full B5 and loses
)
END_MS: Final = 45_000

RULINGS: Final[tuple[tuple[int, str, dict[str, object]], ...]] = (
    (0, "ready", {}),
    (1600, "move", {"player": "red", "glass": "R2", "from": "D1", "to": "E1"}),
    (2500, "ring", {"player": "red", "socket": "E1", "count": 1, "reason": "move"}),
    (5600, "move", {"player": "black", "glass": "B2", "from": "D7", "to": "D6"}),
    (6500, "ring", {"player": "black", "socket": "D6", "count": 1, "reason": "move"}),
    (8000, "timer_started", {"player": "black"}),
    (23_000, "timeout", {"player": "red", "begun": True}),
    (24_000, "move", {"player": "red", "glass": "R3", "from": "G4", "to": "G3"}),
    (24_900, "ring", {"player": "red", "socket": "G3", "count": 1, "reason": "move"}),
    (27_500, "violation", {"code": "not_adjacent", "player": "black", "glass": "B1", "to": "C1"}),
    (29_500, "resolved", {"code": "not_adjacent"}),
    (29_500, "move", {"player": "black", "glass": "B1", "from": "A1", "to": "B1"}),
    (30_500, "ring", {"player": "black", "socket": "B1", "count": 1, "reason": "move"}),
    (33_000, "ring", {"player": "black", "socket": "B5", "count": 1, "reason": "penalty"}),
    (40_600, "violation", {"code": "full_socket", "player": "red", "glass": "R1", "to": "B5"}),
    (40_600, "game_over", {"winner": "black", "reason": "full_socket"}),
)


def crossing_of(profile: BoardProfile, name: str) -> str:
    """Where in the matrix an input of `HANDS` is."""
    kind, _, which = name.rpartition(" ")
    if kind == "tilt":
        return profile.matrix.tilt[which]
    return str(getattr(profile.matrix.buttons, which)) if kind == "button" else name


def test_a_short_game_is_refereed(board: MatrixBoard, profile: BoardProfile, wires: Wires) -> None:
    for socket in START.values():
        wires.set(socket, True)
    inputs = board.inputs()
    assert {name for (kind, name), value in inputs.items() if kind == "socket" and value} == set(START.values())
    assert {value for (kind, _), value in inputs.items() if kind == "tilt"} == {"a"}
    session = Session(SETTINGS)
    said: list[Ruling] = []
    for t_ms, name, closed in HANDS:
        said += session.feed_all(board.scan_once(t_ms - 1))  # nothing happens in between
        wires.set(crossing_of(profile, name), closed)
        edges = board.scan_once(t_ms)
        assert len(edges) == 1
        said += session.feed_all(edges)
    said += session.finish(END_MS)
    told = [ruling.as_json() for ruling in said]
    kinds = {what for _, what, _ in RULINGS}
    judged = [ruling for ruling in told if ruling["ruling"] in kinds]
    wanted = [{"t": t_ms, "ruling": what} | details for t_ms, what, details in RULINGS]
    assert [{key: ruling.get(key) for key in want} for ruling, want in zip(judged, wanted, strict=True)] == wanted
    assert not {ruling["ruling"] for ruling in told} & {"fault", "forfeit", "pass"}
