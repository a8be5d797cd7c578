"""From the picture that lamps and pages get to the situation that the engine thinks about."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from tamsk_pi.engine.situation import PACE_MS, GlassSand, Situation
from tamsk_pi.referee.snapshot import GlassView, Snapshot
from tamsk_pi.rules.board import GLASSES, PLAYERS, TIMER, Player
from tamsk_pi.rules.position import Position, PositionError
from tamsk_pi.rules.sand import other_end

FullMs = Mapping[str, Mapping[str, int]]
"""Per glass and per end up: ms for a full upper chamber."""


def situation_of(
    picture: Snapshot,
    full_ms: FullMs,
    *,
    setup: str = "corners",
    paces_ms: Mapping[Player, int] | None = None,
    side: Player | None = None,
) -> Situation | None:
    """The situation of the side to move, or of `side`; None where there is none to think about.

    There is none before play, after it, while the game is paused, and where rings came or went unobserved so that
    what lies on the board and what is left do not make up a whole set.
    """
    to_move = side or picture.to_move
    if to_move is None:
        return None
    # A glass in hand counts as standing where it was lifted.
    standing = {g: picture.glasses[g].socket or picture.glasses[g].lifted_from for g in GLASSES}
    try:
        position = Position(
            glasses={g: socket for g, socket in standing.items() if socket is not None},
            rings=dict(picture.rings),
            to_move=to_move,
            rings_left={player: picture.rings_left[player] for player in PLAYERS},
            setup="free" if setup == "free" else "corners",
        )
    except PositionError:
        return None
    timer = picture.glasses[TIMER]
    expires_ms = picture.timer_expires_at_ms if picture.timer_armed_against == to_move else None
    return Situation(
        position=position,
        level=picture.level,
        rules=picture.rules,
        sand={g: _sand(picture.glasses[g], full_ms[g], picture.now_ms) for g in GLASSES},
        paces_ms=dict(paces_ms) if paces_ms is not None else dict.fromkeys(PLAYERS, PACE_MS),
        claim=next((r.socket for r in picture.rights if r.kind == "claim" and r.player == to_move), None),
        penalty_owed=frozenset(p for p in PLAYERS if p in picture.penalty_owed),
        skip_owed=frozenset(p for p in PLAYERS if p in picture.skip_owed),
        timer_left_ms=_left_ms(timer, picture.now_ms),
        timer_full_ms=timer.full_ms,
        expires_ms=None if expires_ms is None else max(0, expires_ms - picture.now_ms),
    )


def _left_ms(glass: GlassView, now_ms: int) -> int:
    return 0 if glass.stops_at_ms is None else min(glass.full_ms, max(0, glass.stops_at_ms - now_ms))


def _sand(glass: GlassView, full_ms: Mapping[str, int], now_ms: int) -> GlassSand:
    return GlassSand(_left_ms(glass, now_ms), glass.full_ms, full_ms[other_end(glass.up)], glass.moved, glass.out)


@attrs.define
class Paces:
    """How long each side takes for its turns, measured while the game goes on."""

    first_ms: int = PACE_MS
    _weight: int = 4
    """The last turns count most: each new one moves the pace by one part in so many."""
    paces_ms: dict[Player, int] = attrs.field(factory=dict)
    _since_ms: int | None = None
    _last: tuple[Player | None, tuple[str | None, str] | None] = (None, None)

    def see(self, picture: Snapshot) -> None:
        """Look at a picture; to be called whenever there is a new one."""
        now = (picture.to_move, picture.last_move)
        if picture.phase not in ("to_move", "carrying", "mending"):
            self._since_ms, self._last = None, (None, None)
            return
        if now == self._last:
            return
        before = self._last[0]
        if before is not None and self._since_ms is not None and picture.last_move != self._last[1]:
            took_ms = max(1, picture.now_ms - self._since_ms)
            old_ms = self.paces_ms.get(before, took_ms)
            self.paces_ms[before] = max(1, old_ms + (took_ms - old_ms) // self._weight)
        self._since_ms, self._last = picture.now_ms, now

    def now_ms(self) -> dict[Player, int]:
        """Both sides' paces; where nothing was measured yet the usual one."""
        return {player: self.paces_ms.get(player, self.first_ms) for player in PLAYERS}


def shifted(picture: Snapshot, by_ms: int) -> Snapshot:
    """The picture with every time so much later: on the clock of a board's hands, which is not the game's."""
    if not by_ms:
        return picture

    def later(t_ms: int | None) -> int | None:
        return None if t_ms is None else t_ms + by_ms

    return attrs.evolve(
        picture,
        now_ms=picture.now_ms + by_ms,
        glasses={n: attrs.evolve(g, stops_at_ms=later(g.stops_at_ms)) for n, g in picture.glasses.items()},
        rights=tuple(attrs.evolve(right, closes_at_ms=later(right.closes_at_ms)) for right in picture.rights),
        violations=tuple(attrs.evolve(one, since_ms=one.since_ms + by_ms) for one in picture.violations),
        timer_expires_at_ms=later(picture.timer_expires_at_ms),
    )
