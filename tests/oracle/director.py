"""What the hands do: mostly play, often clumsily, and now and then at the very instant of a deadline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from tamsk_pi.witness.geometry import CAPACITY, GLASSES, NEIGHBOURS, SOCKETS, other_side, owner
from tamsk_pi.witness.state import Glass
from tests.oracle.table import Table


@dataclass(frozen=True)
class Temper:
    """How the hands play. Probabilities, but for the pace (a factor on all pauses)."""

    name: str
    clumsy: float
    ties: float
    timer: float
    rings: float
    waits: float
    untidy: float
    pace: float


TEMPERS = (
    Temper("tidy", clumsy=0.02, ties=0.05, timer=0.25, rings=0.9, waits=0.05, untidy=0.6, pace=1.0),
    Temper("clumsy", clumsy=0.35, ties=0.1, timer=0.2, rings=0.75, waits=0.1, untidy=1.0, pace=1.0),
    Temper("dropper", clumsy=0.15, ties=0.15, timer=0.2, rings=0.5, waits=0.05, untidy=0.5, pace=0.6),
    Temper("brinkman", clumsy=0.1, ties=0.5, timer=0.5, rings=0.8, waits=0.15, untidy=0.3, pace=1.0),
    Temper("blitz", clumsy=0.03, ties=0.05, timer=0.1, rings=0.97, waits=0.01, untidy=0.5, pace=0.25),
    Temper("muddle", clumsy=0.45, ties=0.15, timer=0.3, rings=0.6, waits=0.1, untidy=1.0, pace=0.5),
)
MIN_TILT_SPACING_MS = 640
"""Rattling lasts up to 480 ms and settles in 150: changes closer together would be one."""


class Director:
    """Plays one game on a table."""

    def __init__(self, table: Table, temper: Temper, rng: Random) -> None:
        self.table, self.temper, self.rng = table, temper, rng
        self.game = table.game
        self.level = table.settings.level

    def play(self, duration_ms: int) -> None:
        """Act until the game is over or the time is up."""
        while not self.game.over and self.table.now < duration_ms:
            self._step()
        self._afterthought()
        self.table.drain()

    def _afterthought(self) -> None:
        """After the end nothing counts: do a little more now and then."""
        if self.game.over and self._chance(0.3):
            self._any_handling(self.rng.choice(GLASSES))

    # -- chance ------------------------------------------------------------------------------------------------------

    def _chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def _pause(self, low: int, high: int) -> int:
        return max(1, int(self.rng.randint(low, high) * self.temper.pace))

    # -- steps -------------------------------------------------------------------------------------------------------

    def _step(self) -> None:
        table, game = self.table, self.game
        if self._chance(0.03 * self.temper.untidy):
            self._sensor_trouble()
        if self.level == 3 and self._chance(self.temper.timer):
            self._turn_timer()
        if self._chance(self.temper.ties) and self._on_the_brink():
            return
        if self._chance(0.25 * self.temper.clumsy):
            self._ring_mischief()
        if game.penalties and self._chance(0.5):
            self._penalty_ring()
        elif game.claims and self._chance(0.3):
            self._claim()
        if self._chance(self.temper.waits):
            table.advance(table.now + self._pause(2_000, 20_000))
            return
        wrong = [glass.name for glass in game.glasses.values() if glass.violation and table.is_free(glass.name)]
        if wrong and not self._chance(0.12):
            self._mend(game.glasses[self.rng.choice(wrong)])
        elif self._chance(self.temper.clumsy):
            self._clumsy()
        elif not self._play_well():
            table.advance(table.now + self._pause(300, 6_000))
        if self._chance(0.01 if self.table.settings.rings == "stack" else 0.1):
            held = self._chance(0.01)
            duration = 3_000 if held else self.rng.choice((60, 120, 300, 799, 800, 1_200))
            table.press(table.now + self._pause(50, 800), self.rng.choice(("red", "black")), duration)

    def _play_well(self) -> bool:
        """A legal move by the side to move, if it has a glass free for it."""
        choices = self._legal_moves(self.game.to_move)
        if not choices:
            return False
        glass, socket = self.rng.choice(choices)
        place_at = self._handle(glass, socket, turns=self._proper_turns())
        self._go_on_after(place_at)
        return True

    def _proper_turns(self) -> int:
        return 1 if self.level >= 2 and not self._chance(0.02) else self.rng.choice((0, 0, 1, 2))

    def _legal_moves(self, side: str) -> list[tuple[str, str]]:
        found = []
        vacant = self.table.vacant()
        for name in GLASSES:
            glass = self.game.glasses[name]
            if owner(name) != side or self.table.busy_until[name] > self.table.now:
                continue
            at = self.table.at[name]
            if glass.unplaced:
                found += [(name, socket) for socket in vacant if self.game.would_be_legal(name, socket)]
            elif at is not None and (not glass.moved or not glass.sand.empty or self.level == 1):
                targets = [socket for socket in NEIGHBOURS[at] if socket in vacant and not self.game.is_full(socket)]
                found += [(name, socket) for socket in targets if not self._asks_for_another(glass)]
        return found

    def _asks_for_another(self, glass: Glass) -> bool:
        mates = [mate for mate in self.game.glasses.values() if mate.owner == glass.owner]
        return self.level >= 2 and glass.moved and any(not mate.moved for mate in mates)

    def _go_on_after(self, place_at: int) -> None:
        if self._chance(0.12):
            # Somebody begins before this is done.
            self.table.advance(max(self.table.now, place_at - self._pause(1, 900)))
        else:
            self.table.advance(place_at + self._pause(150, 2_500))

    # -- handling a glass --------------------------------------------------------------------------------------------

    def _handle(
        self,
        glass: str,
        socket: str,
        turns: int,
        start: int | None = None,
        place_at: int | None = None,
        then: Callable[[int, str], None] | None = None,
    ) -> int:
        """Lift, turn, carry and set down; the time of the placing."""
        table, rng = self.table, self.rng
        start = table.now + self._pause(50, 900) if start is None else start
        slow = self._chance(0.1)
        length = rng.randint(1_500, 6_000) if slow else rng.randint(200, 1_800)
        place_at = start + length if place_at is None else max(place_at, start + 1)
        tilts = self._tilt_times(glass, start, place_at, turns)
        table.lift(start, glass)
        for t in tilts:
            table.tilt(t, glass)
        table.place(place_at, glass, socket, then or self._after_placing)
        table.busy_until[glass] = max([place_at, *tilts]) + self._least_standing() + rng.choice((0, 0, 200, 600))
        if place_at - start > 400 and self._chance(0.3 * self.temper.untidy):
            on_the_way = rng.choice(SOCKETS)
            if on_the_way != socket:
                longest = table.settings.settle_ms["socket"] - 10
                table.plan(start + 150, 6, lambda t: table.pass_over(t, on_the_way, rng.randint(15, longest)))
        if self._chance(0.03 * self.temper.untidy):
            # A strong magnet closes a second socket too, and lets it go.
            beside, offset = rng.choice(NEIGHBOURS[socket]), rng.randint(-100, 100)
            duration = rng.choice((200, 700, 3_000))
            table.plan(place_at + offset, 6, lambda t: table.pass_over(t, beside, duration))
        return place_at

    def _tilt_times(self, glass: str, start: int, place_at: int, turns: int) -> list[int]:
        grace, rng = self.table.settings.flip_grace_ms, self.rng
        low, high = start + 1, place_at
        times: list[int] = []
        for _ in range(turns):
            kind = rng.random()
            if kind < 0.08 and not times:
                t = start - rng.choice((0, 1, grace - 1, grace, grace + 1, rng.randint(0, grace)))
                t = max(t, self.table.now, self.table.busy_until[glass])
            elif kind < 0.2:
                t = place_at + rng.choice((0, 1, grace - 1, grace, grace + 1, rng.randint(0, grace)))
            else:
                t = rng.randint(min(low, high), high)
            if times and t < times[-1] + MIN_TILT_SPACING_MS:
                t = times[-1] + MIN_TILT_SPACING_MS
            times.append(t)
        return times

    def _after_placing(self, t: int, socket: str) -> None:
        """Drop the ring of a move, if that was one; sometimes by nearly the end of its window, or not at all."""
        rights = [right for right in self.game.move_rights if right.opened_ms == t and right.socket == socket]
        if not rights or not self._chance(self.temper.rings):
            return
        window, side = self.table.settings.ring_window_ms, rights[0].side
        delay = self._pause(100, 2_400)
        if self._chance(0.1 + self.temper.ties / 2):
            delay = self.rng.choice((0, 1, window - 1, window, window + 1, window + 500))
        self._drop(t + delay, socket, side)

    def _drop(self, t: int, socket: str, side: str) -> None:
        if self.table.settings.rings == "buttons":
            self.table.press(t, side, self.rng.choice((60, 200, 500)))
        else:
            self.table.ring_on(t, socket, side)

    def _any_handling(self, glass: str) -> None:
        if self.table.is_free(glass):
            self._go_on_after(self._handle(glass, self.rng.choice(self._targets()), self.rng.randint(0, 2)))

    # -- clumsiness --------------------------------------------------------------------------------------------------

    def _clumsy(self) -> None:
        free = [glass for glass in GLASSES if self.table.is_free(glass)]
        if not free:
            self.table.advance(self.table.now + self._pause(200, 1_500))
            return
        mine = [glass for glass in free if owner(glass) == self.game.to_move] or free
        theirs = [glass for glass in free if owner(glass) != self.game.to_move] or free
        kind = self.rng.choice(
            (
                *("wrong", "wrong", "far", "unturned", "unturned", "in_place", "in_place", "back", "back", "moved"),
                *("full", "two", "early", "early", "early", "twice", "twice", "any", "hold"),
            )
        )
        glass = self.rng.choice(mine)
        at = self.table.at[glass] or "D4"
        near = [socket for socket in NEIGHBOURS[at] if socket not in self.table.at.values()] or self.table.vacant()
        if kind == "wrong":
            glass = self.rng.choice(theirs)
            moves = [socket for name, socket in self._legal_moves(owner(glass)) if name == glass]
            target = self.rng.choice(moves or self._targets())
            self._go_on_after(self._handle(glass, target, self.rng.randint(0, 2)))
        elif kind == "far":
            self._go_on_after(self._handle(glass, self.rng.choice(self._targets()), self._proper_turns()))
        elif kind == "unturned":
            self._go_on_after(self._handle(glass, self.rng.choice(near), self.rng.choice((0, 0, 2))))
        elif kind in ("in_place", "back"):
            glass = self.rng.choice(free)
            turns = self.rng.choice((1, 1, 3)) if kind == "in_place" else self.rng.choice((0, 0, 2))
            self._go_on_after(self._handle(glass, self.table.at[glass] or at, turns))
        elif kind == "moved":
            moved = [name for name in mine if self.game.glasses[name].moved] or mine
            self._any_handling(self.rng.choice(moved))
        elif kind == "full" and self._chance(0.3):
            full = [socket for socket in self.table.vacant() if self.game.is_full(socket)]
            self._go_on_after(self._handle(glass, self.rng.choice(full or near), 1))
        elif kind == "two":
            self._two_in_hand(free)
        elif kind == "early":
            self._opponent_lifts_early()
        elif kind == "twice":
            self._lift_again_at_once(glass, near)
        elif kind == "hold":
            start = self.table.now + self._pause(50, 800)
            held = start + self.rng.randint(2_000, 20_000)
            self._go_on_after(self._handle(glass, self.rng.choice(near), self._proper_turns(), start, held))
        else:
            self._any_handling(self.rng.choice(free))

    def _targets(self) -> list[str]:
        """Vacant sockets, seldom a full one: that would end the game."""
        vacant = self.table.vacant()
        return (
            vacant if self._chance(0.03) else [socket for socket in vacant if not self.game.is_full(socket)] or vacant
        )

    def _two_in_hand(self, free: Sequence[str]) -> None:
        last = 0
        for glass in self.rng.sample(free, min(2, len(free))):
            at = self.table.at[glass] or "D4"
            target = self.rng.choice([*NEIGHBOURS[at], at])
            last = max(last, self._handle(glass, target, self.rng.choice((0, 1, 1))))
        self._go_on_after(last)

    def _opponent_lifts_early(self) -> None:
        """The other side lifts before this move is completed, and sets down after (or just before) it."""
        game, table = self.game, self.table
        moves, replies = self._legal_moves(game.to_move), self._legal_moves(other_side(game.to_move))
        replies = [reply for reply in replies if table.at[reply[0]]]
        if not moves or not replies:
            return
        glass, socket = self.rng.choice(moves)
        placed = self._handle(glass, socket, self._proper_turns())
        reply, target = self.rng.choice(replies)
        start = max(table.now, placed - self._pause(1, 1_200))
        self._go_on_after(
            self._handle(reply, target, self._proper_turns(), start, placed + self.rng.choice((-150, 0, 1, 200, 900)))
        )

    def _lift_again_at_once(self, glass: str, near: Sequence[str]) -> None:
        """A glass is set down, and lifted again within its flip grace."""
        table, grace = self.table, self.table.settings.flip_grace_ms
        target = self.rng.choice([*near, table.at[glass] or near[0]])
        start = table.now + self._pause(100, 900)
        placed = start + self.rng.randint(300, 1_500)
        again = placed + self.rng.randint(self._least_standing(), grace + 300)
        end = again + self.rng.randint(200, 1_200)
        tilts = [t for t in (start + 100, placed + self.rng.randint(0, grace + 1), end) if self._chance(0.5)]
        spaced = [t for index, t in enumerate(tilts) if index == 0 or t - tilts[index - 1] >= MIN_TILT_SPACING_MS]
        table.lift(start, glass)
        table.place(placed, glass, target, self._after_placing)
        table.lift(again, glass)
        second = self.rng.choice([target, *NEIGHBOURS[target], table.at[glass] or target])
        table.place(end, glass, second, self._after_placing)
        for t in spaced:
            table.tilt(t, glass)
        table.busy_until[glass] = end + MIN_TILT_SPACING_MS + 1
        self._go_on_after(end)

    def _least_standing(self) -> int:
        """How long a glass must stand to be seen standing, whatever its contact's bouncing."""
        return self.table.settings.settle_ms["socket"] + 75

    def _mend(self, glass: Glass) -> None:
        """Put a glass right, or try to."""
        table, rng = self.table, self.rng
        home = glass.home or "D4"
        other_way = int(glass.up != glass.home_up)
        near = [socket for socket in NEIGHBOURS[home] if socket not in table.at.values()] or [home]
        here = table.at[glass.name] or home
        kind = rng.choice(("home",) * 6 + ("home_turned", "whole", "whole", "whole_here", "same", "half", "any"))
        if kind == "home":
            self._go_on_after(self._handle(glass.name, home, other_way))
        elif kind == "home_turned":
            self._go_on_after(self._handle(glass.name, home, 1 - other_way))
        elif kind == "whole":
            self._go_on_after(self._handle(glass.name, rng.choice(near), 1 - other_way))
        elif kind == "whole_here":
            self._go_on_after(self._handle(glass.name, here, 1 - other_way))
        elif kind == "same":
            self._go_on_after(self._handle(glass.name, here, rng.choice((0, 2))))
        elif kind == "half":
            self._go_on_after(self._handle(glass.name, rng.choice(near), other_way))
        else:
            self._any_handling(glass.name)

    # -- rings -------------------------------------------------------------------------------------------------------

    def _penalty_ring(self) -> None:
        right = self.rng.choice(self.game.penalties)
        window = self.table.settings.penalty_window_ms
        t = self.table.now + self._pause(100, 6_000)
        if self._chance(self.temper.ties):
            t = max(self.table.now + 1, right.opened_ms + window + self.rng.choice((-1, 0, 0, 1)))
        room = [socket for socket in SOCKETS if self.table.rings[socket] < CAPACITY[socket]]
        if self.table.settings.rings == "buttons":
            self.table.press(t, right.side, self.rng.choice((60, 900, 1_500)))
        elif room:
            self.table.ring_on(t, self.rng.choice(room), right.side)

    def _claim(self) -> None:
        right = self.rng.choice(self.game.claims)
        self._drop(self.table.now + self._pause(50, 3_000), right.socket, right.side)

    def _ring_mischief(self) -> None:
        table, rng = self.table, self.rng
        side = rng.choice(("red", "black"))
        t = table.now + self._pause(50, 2_000)
        socket = rng.choice([socket for socket in SOCKETS if table.rings[socket]] or SOCKETS)
        back = t + rng.choice((400, 2_000, 8_000))
        if self._chance(0.5):
            socket = rng.choice([*SOCKETS, *(at for at in table.at.values() if at)])
            table.ring_on(t, socket, side)
            if self._chance(0.7):
                table.ring_off(back, socket, side)
        else:
            table.ring_off(t, socket, side)
            if self._chance(0.8):
                table.ring_on(back, socket, side)

    # -- the timer, ties, trouble ------------------------------------------------------------------------------------

    def _turn_timer(self) -> None:
        table, timer = self.table, self.game.timer
        if table.busy_until["N"] > table.now or (timer.stop_ms > table.now and not self._chance(0.1)):
            return
        t = table.now + self._pause(50, 3_000)
        table.tilt(t, "N")
        table.busy_until["N"] = t + MIN_TILT_SPACING_MS
        if self._chance(0.5):
            # Think on, so that it may run out: with a glass in the hand, or not.
            moves = [move for move in self._legal_moves(self.game.to_move) if table.at[move[0]]]
            runs_out = t + timer.full_ms["b" if timer.end == "a" else "a"]
            if moves and self._chance(0.4):
                glass, socket = self.rng.choice(moves)
                placed = runs_out + self.rng.choice((-200, 0, 1, 300, 2_000))
                self._go_on_after(self._handle(glass, socket, self._proper_turns(), t + 500, placed))
            else:
                table.advance(t + int(self.rng.uniform(0.5, 1.6) * timer.full_ms["a"]))

    def _on_the_brink(self) -> bool:
        """Do something at, or within a millisecond of, the next deadline."""
        table, game, rng = self.table, self.game, self.rng
        due = sorted(deadline[:3] for deadline in game.deadlines() if deadline[0] > table.now + 200)
        if game.timer.stop_ms > table.now + 200 and self.level == 3:
            due.append((game.timer.stop_ms, 9, "N"))
        due = [one for one in due if one[0] < table.now + 25_000]
        if not due:
            return False
        moment, _, _ = rng.choice(due[:3])
        if self._chance(0.3) and self._stop_together(rng.choice(due)[0]):
            return True
        moment += rng.choice((0, 0, 0, -1, 1))
        table.advance(max(table.now, moment - self._pause(100, 1_500)))
        if game.over:
            return True
        what = rng.choice(("lift", "place", "ring", "ring", "timer", "turn"))
        moves = self._legal_moves(rng.choice((game.to_move, game.to_move, other_side(game.to_move))))
        moves = [move for move in moves if table.at[move[0]]]
        if what == "ring":
            rights = [*game.move_rights, *game.claims]
            if rights:
                right = rng.choice(rights)
                self._drop(moment, right.socket, right.side)
        elif what == "timer" and self.level == 3 and table.busy_until["N"] <= moment:
            table.tilt(moment, "N")
            table.busy_until["N"] = moment + MIN_TILT_SPACING_MS
        elif moves:
            glass, socket = rng.choice(moves)
            before = max(table.now, moment - rng.randint(150, 1_200))
            if what == "lift":
                self._handle(glass, socket, self._proper_turns(), start=moment)
            elif what == "place":
                self._handle(glass, socket, self._proper_turns(), start=before, place_at=moment)
            else:
                table.lift(before, glass)
                table.tilt(moment, glass)
                table.place(moment + rng.randint(0, 600), glass, socket, self._after_placing)
                table.busy_until[glass] = moment + 1_300
        table.advance(moment + self._pause(1, 700))
        return True

    def _stop_together(self, moment: int) -> bool:
        """Turn a glass over at such a time that it will stop at the same moment as something else is due."""
        moves = [move for move in self._legal_moves(self.game.to_move) if self.table.at[move[0]]]
        if not moves or self.level == 1 or not self.table.settings.tilt:
            return False
        glass, socket = self.rng.choice(moves)
        start = self.table.now + 100
        for turn_at in range(start + 1, start + 3_000):
            sand = self.game.glasses[glass].sand.copy()
            if not sand.empty and sand.stop_ms <= turn_at:
                return False
            sand.turn(turn_at)
            if sand.stop_ms == moment:
                placed = turn_at + self.rng.randint(1, 600)
                self.table.lift(start, glass)
                self.table.tilt(turn_at, glass)
                self.table.place(placed, glass, socket, self._after_placing)
                self.table.busy_until[glass] = max(placed + self._least_standing(), turn_at + MIN_TILT_SPACING_MS)
                self._go_on_after(placed)
                return True
        return False

    def _cut_the_link(self) -> bool:
        """The board goes silent for a while, when nobody has a hand on it."""
        table = self.table
        table.advance(table.now + 1_500)
        if not table.is_quiet() or self.game.over:
            return False
        table.cut_link(table.now, self.rng.choice((100, 2_000, 15_000)))
        return True

    def _sensor_trouble(self) -> None:
        """A tilt sensor that changes by itself, a contact that flickers."""
        table, rng = self.table, self.rng
        glass = rng.choice(GLASSES)
        t = table.now + rng.randint(0, 400)
        if self._chance(0.05):
            table.make_noise(t, rng.choice(SOCKETS), rng.choice((41, 60)))
        elif self._chance(0.05) and self._cut_the_link():
            return
        elif self._chance(0.5) and table.is_free(glass):
            table.tilt(t, glass)
            table.busy_until[glass] = t + rng.choice((MIN_TILT_SPACING_MS, 300))
        elif (at := table.at[glass]) is not None:
            table.plan(t, 6, lambda moment: table.flicker(moment, at, rng.randint(2, 100)))
