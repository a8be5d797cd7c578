"""Follows a game by its rulings alone, and finds what no game by the rules can contain.

It shares no code with the referee, so that it can hold it to its word.
"""

from __future__ import annotations

from typing import Final

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import CAPACITY, NEIGHBOURS, SOCKETS, START

RING_CODES: Final = ("ring_not_due", "ring_removed")
OTHER: Final = {"red": "black", "black": "red"}


@attrs.define
class Ledger:
    """`check` one ruling after the other; every broken rule is an AssertionError that shows the ruling."""

    free: bool = False
    ring_mode: str = "stack"
    to_move: str = "red"
    stands: dict[str, str | None] = attrs.field(factory=dict)
    """By completed moves alone: where each glass belongs."""
    rings: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(SOCKETS, 0))
    dropped: dict[str, int] = attrs.field(factory=lambda: {"red": 0, "black": 0})
    wrong_glasses: dict[str, str] = attrs.field(factory=dict)
    """Open glass violations: the glass, and the code reported last."""
    wrong_rings: set[tuple[str, str]] = attrs.field(factory=set)
    """Ring violations that have been told: the code, and the socket or side."""
    last_t_ms: int = 0
    over: bool = False

    def __attrs_post_init__(self) -> None:
        self.stands = dict.fromkeys(START) if self.free else dict(START)

    def check(self, ruling: Ruling) -> None:
        """Take the next ruling."""
        assert ruling.t_ms >= self.last_t_ms, ruling
        self.last_t_ms = ruling.t_ms
        assert not self.over or ruling.kind in ("notice", "fault", "fault_cleared"), f"after the end: {ruling}"
        match ruling.kind:
            case "move":
                self._move(ruling)
            case "pass" | "skip" | "forfeit":
                assert not self._waits(), f"the game waits for {self.wrong_glasses}: {ruling}"
                self._turn_ends(ruling)
            case "timeout":
                assert ruling.get("player") == self.to_move, ruling
            case "timer_started":
                assert ruling.get("player") == OTHER[self.to_move], ruling
            case "ring":
                self._ring(ruling)
            case "violation":
                self._violation(ruling)
            case "resolved":
                self._resolved(ruling)
            case "game_over":
                self._game_over(ruling)
            case "notice" if ruling.get("code") == "ring_undone":
                self.rings[str(ruling.get("socket"))] -= 1
                self.dropped[str(ruling.get("player"))] -= 1

    def _waits(self) -> bool:
        """A glass of the side not to move (`wrong_glass`) holds nobody up."""
        return any(code != "wrong_glass" for code in self.wrong_glasses.values())

    def _turn_ends(self, ruling: Ruling) -> None:
        assert ruling.get("player") == self.to_move, f"{self.to_move} is to move: {ruling}"
        self.to_move = OTHER[self.to_move]

    def _move(self, ruling: Ruling) -> None:
        glass, home, to = (str(ruling.get(key)) if ruling.get(key) else None for key in ("glass", "from", "to"))
        assert glass is not None
        assert to is not None
        assert not self._waits(), f"the game waits for {self.wrong_glasses}: {ruling}"
        assert (glass[0] == "R") == (ruling.get("player") == "red"), ruling
        assert home == self.stands[glass], ruling
        if home is None:
            assert self.free, ruling
        else:
            assert to in NEIGHBOURS[home], ruling
        self.stands[glass] = to
        self._turn_ends(ruling)

    def _ring(self, ruling: Ruling) -> None:
        socket, player = str(ruling.get("socket")), str(ruling.get("player"))
        before = ruling.get("instead_of")
        if before is None:
            self.rings[socket] += 1
        else:
            # Given anew: the other side had it.
            self.dropped[str(before)] -= 1
        self.dropped[player] += 1
        assert self.rings[socket] <= CAPACITY[socket], ruling
        assert ruling.get("count") == self.rings[socket] or before is not None, ruling
        assert self.dropped[player] <= 32, ruling

    def _violation(self, ruling: Ruling) -> None:
        code, glass = str(ruling.get("code")), ruling.get("glass")
        if code in ("timer_running", "must_move") or (code == "ring_not_due" and self.ring_mode == "buttons"):
            assert glass is None, ruling
        elif code in RING_CODES:
            self.wrong_rings.add((code, str(ruling.get("socket") or ruling.get("player"))))
        else:
            self.wrong_glasses[str(glass)] = code

    def _resolved(self, ruling: Ruling) -> None:
        code = str(ruling.get("code"))
        if code in RING_CODES:
            # Told once for all rings that are put right in one go.
            assert (code, str(ruling.get("socket") or ruling.get("player"))) in self.wrong_rings, ruling
        else:
            # `resolved` names the code reported last.
            assert self.wrong_glasses.pop(str(ruling.get("glass"))) == code, ruling

    def _game_over(self, ruling: Ruling) -> None:
        left = {side: 32 - count for side, count in self.dropped.items()}
        assert (ruling.get("red"), ruling.get("black")) == (left["red"], left["black"]), ruling
        winner = ruling.get("winner")
        match ruling.get("reason"):
            case "rings" if winner is None:
                assert left["red"] == left["black"], ruling
            case "rings":
                assert left[str(winner)] < left[OTHER[str(winner)]], ruling
            case "tie_break":
                assert left["red"] == left["black"], ruling
            case "last_ring":
                assert left[str(winner)] == 0, ruling
            case "full_socket":
                assert winner == OTHER[self.to_move], ruling
                assert "full_socket" in self.wrong_glasses.values(), ruling
        self.over = True

    def hold(self, picture: Snapshot) -> None:
        """Hold a picture of the game, taken after the last ruling, against what the rulings told."""
        assert dict(picture.rings) == self.rings
        assert {side: 32 - left for side, left in picture.rings_left.items()} == self.dropped
        assert sum(picture.rings_left.values()) + sum(picture.rings.values()) == 64
        standing = [glass.socket for glass in picture.glasses.values() if glass.socket is not None]
        assert len(standing) == len(set(standing)), f"two glasses in one socket: {picture.glasses}"
        for glass in picture.glasses.values():
            if glass.stops_at_ms is not None:
                assert glass.stops_at_ms - picture.now_ms <= glass.full_ms, glass
        if picture.to_move is not None and picture.phase in ("to_move", "carrying", "mending"):
            assert picture.to_move == self.to_move
        told = sorted((v.code, v.glass) for v in picture.violations if v.glass is not None)
        open_now = sorted((code, glass) for glass, code in self.wrong_glasses.items())
        assert told == open_now, "every violation is told, and every one told is open"
