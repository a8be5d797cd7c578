"""What hands do that are not careful."""

from __future__ import annotations

from collections.abc import Sequence

from tamsk_pi.witness.geometry import GLASSES, NEIGHBOURS, other_side, owner
from tamsk_pi.witness.state import Glass
from tests.oracle.hands import MIN_TILT_SPACING_MS
from tests.oracle.rattling import Rattling


class Clumsy(Rattling):
    """Clumsy hands."""

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
