"""Seats an opponent at the board that a loop runs, and a coach beside it; both in the loop's thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tamsk_pi.engine.strength import BEST
from tamsk_pi.opponent.mind import Mind, ProcessMind
from tamsk_pi.opponent.player import SeatedPlayer
from tamsk_pi.opponent.seat import Choice, Seat
from tamsk_pi.opponent.seeing import shifted, situation_of
from tamsk_pi.rules.board import GLASSES
from tamsk_pi.rules.notation import Move
from tamsk_pi.runner.desk import Desk
from tamsk_pi.signals.advice import Advice
from tamsk_pi.sim.hands import Hands

MakeMind = Callable[[int], Mind]
"""Makes a mind of a strength."""

COACH_MS: Final = 1_500
"""How long the coach thinks."""


class OpponentAtBoard:
    """An `Adviser`. With `hands` it plays on a virtual board; without, a person carries out what it wants."""

    def __init__(
        self, choice: Choice | None, *, hands: Callable[[], Hands] | None = None, make_mind: MakeMind = ProcessMind
    ) -> None:
        """`hands`: those over the virtual board as it is laid out now."""
        self._choice = choice
        self._hands: Final = hands
        self._make_mind: Final = make_mind
        self._game: int | None = None
        self._mind: tuple[int, Mind] | None = None
        self._seat: Seat | None = None
        self._player: SeatedPlayer | None = None
        self._told = 0

    @property
    def lights_lamps(self) -> bool:
        return self._hands is None

    def choose(self, choice: Choice | None) -> None:
        """From the next game on."""
        self._choice = choice
        self._game = None

    def look(self, desk: Desk, game: int, now_ms: int) -> Advice | None:
        """See the game, act if there are hands to act with, and say what is wanted."""
        if game != self._game:
            self._sit_down(desk, game)
        seat = self._seat
        if seat is None:
            return None
        picture = shifted(desk.snapshot(), desk.origin_ms if self._player is not None else 0)
        seat.see(picture)
        player = self._player
        if player is None:
            advice = seat.advice(picture)
            if advice.stage in ("", "timer"):
                seat.ponder(picture)
            return advice
        if len(desk.rulings) != self._told:
            self._told = len(desk.rulings)
            player.hear(now_ms)
        if player.wakes_at_ms is None or player.wakes_at_ms <= now_ms:
            player.act(picture, now_ms)
        return seat.advice(picture)

    def _sit_down(self, desk: Desk, game: int) -> None:
        self._game, self._told = game, 0
        self._seat = self._player = None
        choice = self._choice
        if choice is None:
            return
        if self._mind is None or self._mind[0] != choice.strength:
            self.close()
            self._mind = (choice.strength, self._make_mind(choice.strength))
        settings = desk.session.settings
        self._seat = Seat(
            choice.side, choice.strength, self._mind[1], settings.glass_ms, setup=settings.setup, game=game
        )
        if self._hands is not None:
            self._player = SeatedPlayer(self._seat, self._hands(), f"opponent/{game}")

    def close(self) -> None:
        """End its engine."""
        if self._mind is not None:
            self._mind[1].close()
            self._mind = None


class Coach:
    """An `Adviser` that speaks when it is asked: first which glass, asked again in the same turn where to."""

    lights_lamps: Final = False

    def __init__(self, make_mind: MakeMind = ProcessMind) -> None:
        self._make_mind: Final = make_mind
        self._mind: Mind | None = None
        self._asked = 0
        self._turn: tuple[object, ...] | None = None

    def ask(self) -> None:
        """A hint is wanted."""
        self._asked += 1

    def look(self, desk: Desk, game: int, now_ms: int) -> Advice | None:
        if not self._asked:
            return None
        picture = desk.snapshot()
        turn = (game, picture.to_move, picture.last_move)
        if self._turn is None:
            self._turn = turn
        elif self._turn != turn:
            # The turn that it was asked about has been taken.
            self._asked, self._turn = 0, None
            return None
        side = picture.to_move or "red"
        settings = desk.session.settings
        situation = situation_of(picture, settings.glass_ms, setup=settings.setup)
        if situation is None or not picture.targets:
            self._asked, self._turn = 0, None
            return Advice(side, BEST, "hint_none")
        if self._mind is None:
            self._mind = self._make_mind(BEST)
        key = (*turn, tuple(picture.rings.values()))
        found = self._mind.turn(situation, key, now_ms, COACH_MS)
        if found is None or not isinstance(found.action, Move):
            return Advice(side, BEST, "hint_thinking")
        move = found.action
        standing = {g: picture.glasses[g].socket or picture.glasses[g].lifted_from for g in GLASSES}
        glass = next((g for g in picture.targets if standing[g] == move.origin), None)
        if self._asked == 1:
            return Advice(side, BEST, "hint_glass", glass, move.origin)
        return Advice(side, BEST, "hint_move", glass, move.origin, move.to)

    def close(self) -> None:
        """End its engine."""
        if self._mind is not None:
            self._mind.close()
            self._mind = None
