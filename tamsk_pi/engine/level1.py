"""The search at level 1, where sand does not count: alpha-beta on bit masks.

Source: rules.md, "A turn" and "Ring rights". A move drops its ring, but on the walk of a side whose opponent is stuck
for good: while the other side can move, leaving the ring away is never better, as that one may claim it,
which makes the same board with one ring more for it and one less for the mover. (It may also leave it, if that suits
it better still.)
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.engine.masks import BOARD, OFF, PLACE_OF, PLACES, REACH, mixed
from tamsk_pi.engine.regions import Walk, is_stuck_for_good, region
from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine.tree import KEEP, Budget, packed, room_of, unpacked
from tamsk_pi.engine.weights import RING, WIN, Weights
from tamsk_pi.rules.board import glasses_of, opponent

_TABLE_SIZE: Final = 150_000
"""Positions remembered at most: some 25 MB. A full table is emptied, which costs less than choosing."""

_UPPER: Final = 1
_LOWER: Final = 2
_EXACT: Final = 3

NEARLY_LOST: Final = -19 * RING
"""What a side is given that loses unless it does something that the search does not look at."""

_FEW_OPEN: Final = 13
"""With so few sockets open it is worth asking whether the sides can still meet."""

_SIDE: Final = mixed(1)
_GLASS: Final[list[list[int]]] = [[mixed(1_000 + 100 * c + p) for p in range(PLACES)] for c in range(2)]
_PLANE: Final[list[list[int]]] = [[mixed(2_000 + 100 * n + p) for p in range(PLACES)] for n in range(4)]
_LEFT: Final[list[list[int]]] = [[mixed(3_000 + 100 * c + n) for n in range(40)] for c in range(2)]


class LevelOneSearch:
    """Searches from one situation. Moves are numbers, as `tamsk_pi.engine.tree` packs them."""

    def __init__(self, situation: Situation, weights: Weights) -> None:
        self.nodes = 0
        self.budget: Final = Budget()
        self.limit = 1 << 60
        """Once so many nodes have been looked at, `budget` says whether to go on."""
        self.guessed = False
        """Whether a score hangs on what a position looks like, and not on the game's end alone."""
        self._table: dict[int, int] = {}
        self._history: list[int] = [0] * (2 * KEEP)
        self._walk: Final = Walk()
        self._mobility: Final[list[int]] = weights.mobility
        self._near: Final[int] = weights.near
        self._far: Final[int] = weights.far
        self._own: Final[int] = weights.own
        self._room: Final[int] = weights.room
        self._tempo: Final[int] = weights.tempo
        position = situation.position
        color = 0 if position.to_move == "red" else 1
        mine = [PLACE_OF.get(position.glasses.get(g, ""), OFF) for g in glasses_of(position.to_move)]
        theirs = [PLACE_OF.get(position.glasses.get(g, ""), OFF) for g in glasses_of(opponent(position.to_move))]
        r1, r2, r3, r4 = room_of(position.rings)
        left, other = position.rings_left[position.to_move], position.rings_left[opponent(position.to_move)]
        taken = key = 0
        for place in mine:
            taken |= 1 << place
            key ^= _GLASS[color][place]
        for place in theirs:
            taken |= 1 << place
            key ^= _GLASS[1 - color][place]
        for plane, room in enumerate((r1, r2, r3, r4)):
            for place in range(PLACES):
                if room >> place & 1:
                    key ^= _PLANE[plane][place]
        key ^= _LEFT[color][left] ^ _LEFT[1 - color][other] ^ (_SIDE if color else 0)
        self._root: Final = (color, *mine, *theirs, taken & BOARD, r1, r2, r3, r4, left, other, key)

    # -- the root

    def moves(self) -> list[int]:
        """Every move of the side to move with its ring; first the one without that leads to more rings, if any."""
        _color, m1, m2, m3, o1, o2, o3, taken, r1, r2, r3, r4, left, _other, _key = self._root
        codes = self._codes(m1, m2, m3, taken, r1)
        if not left:
            return []
        kept = []
        if codes and OFF not in (m1, m2, m3, o1, o2, o3) and is_stuck_for_good((o1, o2, o3), r1):
            step = self._walk.next_step((m1, m2, m3), r1, r2, r3, r4, taken)
            if step is not None:
                kept.append(packed(*step, keep=True))
        return kept + codes

    def score(self, code: int, depth: int, alpha: int, beta: int) -> int:
        """What this move of the root is worth to the side that makes it, looking `depth` moves ahead."""
        color, m1, m2, m3, o1, o2, o3, taken, r1, r2, r3, r4, left, other, key = self._root
        return self._after(code, depth - 1, alpha, beta, color, m1, m2, m3, o1, o2, o3, taken, r1, r2, r3, r4,
                           left, other, key)  # fmt: skip

    def line(self, code: int, longest: int) -> list[int]:
        """The moves that are thought to follow from this one on, with it; -1 for a pass."""
        color, m1, m2, m3, o1, o2, o3, taken, r1, r2, r3, r4, left, other, key = self._root
        found: list[int] = []
        while code >= 0 and len(found) < longest:
            found.append(code)
            origin, to, keep = unpacked(code)
            key ^= _GLASS[color][origin] ^ _GLASS[color][to]
            n1, n2, n3 = (to if m1 == origin else m1), m2, m3
            if m1 != origin:
                n2, n3 = (to, m3) if m2 == origin else (m2, to)
            taken = (taken & ~(1 << origin)) | 1 << to
            if not keep:
                bit = 1 << to
                if r4 & bit:
                    r4 ^= bit
                    key ^= _PLANE[3][to]
                elif r3 & bit:
                    r3 ^= bit
                    key ^= _PLANE[2][to]
                elif r2 & bit:
                    r2 ^= bit
                    key ^= _PLANE[1][to]
                else:
                    r1 ^= bit
                    key ^= _PLANE[0][to]
                key ^= _LEFT[color][left] ^ _LEFT[color][left - 1]
                left -= 1
            color, m1, m2, m3, o1, o2, o3, left, other = 1 - color, o1, o2, o3, n1, n2, n3, other, left
            key ^= _SIDE
            if not left or not other:
                break
            if not self._codes(m1, m2, m3, taken, r1) and self._codes(o1, o2, o3, taken, r1):
                found.append(-1)
                color, m1, m2, m3, o1, o2, o3, left, other = 1 - color, o1, o2, o3, m1, m2, m3, other, left
                key ^= _SIDE
            known = self._table.get(key, 0)
            code = (known >> 32 & 0x3FFF) - 1
            if code >= 0 and code & (KEEP - 1) not in self._codes(m1, m2, m3, taken, r1):
                break
        return found

    # -- the tree

    def _codes(self, m1: int, m2: int, m3: int, taken: int, r1: int) -> list[int]:
        vacant = r1 & ~taken
        codes: list[int] = []
        if m1 == OFF or m2 == OFF or m3 == OFF:
            m1, m2, m3 = OFF, -1, -1
        for place in (m1, m2, m3):
            if place < 0:
                continue
            goals = REACH[place] & vacant
            first = place << 6
            while goals:
                bit = goals & -goals
                goals ^= bit
                codes.append(first | (bit.bit_length() - 1))
        return codes

    def _after(
        self, code: int, depth: int, alpha: int, beta: int, color: int, m1: int, m2: int, m3: int,
        o1: int, o2: int, o3: int, taken: int, r1: int, r2: int, r3: int, r4: int, left: int, other: int, key: int,
    ) -> int:  # fmt: skip
        """The score, for the mover, of making the move `code`."""
        origin = code >> 6 & 63
        to = code & 63
        bit = 1 << to
        key ^= _SIDE ^ _GLASS[color][origin] ^ _GLASS[color][to]
        taken = (taken & ~(1 << origin)) | bit
        if not code & KEEP:
            if left == 1:
                self.nodes += 1
                return WIN + RING * other
            if r4 & bit:
                r4 ^= bit
                key ^= _PLANE[3][to]
            elif r3 & bit:
                r3 ^= bit
                key ^= _PLANE[2][to]
            elif r2 & bit:
                r2 ^= bit
                key ^= _PLANE[1][to]
            else:
                r1 ^= bit
                key ^= _PLANE[0][to]
            key ^= _LEFT[color][left] ^ _LEFT[color][left - 1]
            left -= 1
        if m1 == origin:
            m1 = to
        elif m2 == origin:
            m2 = to
        else:
            m3 = to
        return -self._node(depth, -beta, -alpha, 1 - color, o1, o2, o3, m1, m2, m3, taken, r1, r2, r3, r4,
                           other, left, key)  # fmt: skip

    def _node(
        self, depth: int, alpha: int, beta: int, color: int, m1: int, m2: int, m3: int, o1: int, o2: int, o3: int,
        taken: int, r1: int, r2: int, r3: int, r4: int, left: int, other: int, key: int,
    ) -> int:  # fmt: skip
        """The score for the side to move, with `m1` to `m3` its places and `o1` to `o3` the other side's."""
        self.nodes += 1
        if self.nodes > self.limit:
            self.limit = self.budget.extended(self.nodes)
        vacant = r1 & ~taken
        to1, to2, to3 = REACH[m1] & vacant, REACH[m2] & vacant, REACH[m3] & vacant
        near = to1 | to2 | to3
        their1, their2, their3 = REACH[o1] & vacant, REACH[o2] & vacant, REACH[o3] & vacant
        their_near = their1 | their2 | their3
        if not near:
            if not their_near:
                return _ended(other - left)
            return -self._node(depth, -beta, -alpha, 1 - color, o1, o2, o3, m1, m2, m3, taken, r1, r2, r3, r4,
                               other, left, key ^ _SIDE)  # fmt: skip
        if depth <= 0:
            self.guessed = True
            far = (near | near << 1 | near >> 1 | near << 8 | near >> 8 | near << 9 | near >> 9) & vacant
            their_far = (
                their_near | their_near << 1 | their_near >> 1 | their_near << 8 | their_near >> 8
                | their_near << 9 | their_near >> 9
            ) & vacant  # fmt: skip
            wide = (far | far << 1 | far >> 1 | far << 8 | far >> 8 | far << 9 | far >> 9) & vacant
            their_wide = (
                their_far | their_far << 1 | their_far >> 1 | their_far << 8 | their_far >> 8
                | their_far << 9 | their_far >> 9
            ) & vacant  # fmt: skip
            mobility = self._mobility
            return (
                RING * (other - left)
                + mobility[to1.bit_count()] + mobility[to2.bit_count()] + mobility[to3.bit_count()]
                - mobility[their1.bit_count()] - mobility[their2.bit_count()] - mobility[their3.bit_count()]
                + self._near * (near.bit_count() - their_near.bit_count())
                + self._far * (far.bit_count() - their_far.bit_count())
                + self._own * ((wide & ~their_wide).bit_count() - (their_wide & ~wide).bit_count())
                + self._room * ((far & r2).bit_count() - (their_far & r2).bit_count())
                + self._tempo
            )  # fmt: skip
        known = self._table.get(key, 0)
        best_code = -1
        if known:
            best_code = (known >> 32 & 0x3FFF) - 1
            if known >> 26 & 63 >= depth:
                score = (known & 0x3FFFFFF) - (1 << 25)
                flag = known >> 46 & 3
                if flag == _EXACT or (flag == _LOWER and score >= beta) or (flag == _UPPER and score <= alpha):
                    self.guessed = self.guessed or not known >> 48
                    return score
        if r1.bit_count() <= _FEW_OPEN:
            proven = self._apart(m1, m2, m3, o1, o2, o3, taken, r1, r2, r3, r4, left, other)
            if proven:
                return proven
        guessed_before, self.guessed = self.guessed, False
        codes = self._codes(m1, m2, m3, taken, r1)
        if depth > 1:
            codes.sort(key=self._history.__getitem__, reverse=True)
        if best_code >= 0 and best_code in codes:
            codes.remove(best_code)
            codes.insert(0, best_code)
        may_keep = False
        best = -(1 << 24)
        first_alpha = alpha
        for tried, code in enumerate(codes):
            if tried == 0:
                score = self._after(code, depth - 1, alpha, beta, color, m1, m2, m3, o1, o2, o3, taken,
                                    r1, r2, r3, r4, left, other, key)  # fmt: skip
            else:
                shorter = depth - 2 if depth > 2 and tried > 3 else depth - 1
                score = self._after(code, shorter, alpha, alpha + 1, color, m1, m2, m3, o1, o2, o3, taken,
                                    r1, r2, r3, r4, left, other, key)  # fmt: skip
                if score > alpha and (score < beta or shorter < depth - 1):
                    score = self._after(code, depth - 1, alpha, beta, color, m1, m2, m3, o1, o2, o3, taken,
                                        r1, r2, r3, r4, left, other, key)  # fmt: skip
            if score > best:
                best, best_code = score, code
                if score > alpha:
                    alpha = score
                    if alpha >= beta:
                        self._history[code] += depth * depth
                        break
            if not their_near & ~(1 << (code & 63)):
                after = r1 & ~((taken & ~(1 << (code >> 6))) | 1 << (code & 63))
                may_keep = may_keep or not (REACH[o1] | REACH[o2] | REACH[o3]) & after
        if may_keep and best < -WIN // 2:
            # It might have done better without a ring while the other side is stuck, which is not looked at.
            best = NEARLY_LOST
            self.guessed = True
        flag = _UPPER if best <= first_alpha else _LOWER if best >= beta else _EXACT
        if len(self._table) >= _TABLE_SIZE:
            self._table.clear()
        solid = 0 if self.guessed else 1
        self.guessed = self.guessed or guessed_before
        self._table[key] = solid << 48 | flag << 46 | (best_code + 1) << 32 | depth << 26 | (best + (1 << 25))
        return best

    def _apart(
        self, m1: int, m2: int, m3: int, o1: int, o2: int, o3: int, taken: int,
        r1: int, r2: int, r3: int, r4: int, left: int, other: int,
    ) -> int:  # fmt: skip
        """A proven score where the sides cannot meet any more and it is clear who wins; else 0."""
        if OFF in (m1, m2, m3, o1, o2, o3):
            return 0
        mine, theirs = (m1, m2, m3), (o1, o2, o3)
        stuck = is_stuck_for_good(theirs, r1)
        if not stuck and region(mine, r1) & region(theirs, r1):
            return 0
        at_least, at_most = self._walk.bounds(mine, r1, r2, r3, r4, taken, keeps=stuck)
        if at_least >= left:
            return WIN + RING * other if stuck else 0
        their_least = their_most = 0
        if not stuck:
            their_least, their_most = self._walk.bounds(theirs, r1, r2, r3, r4, taken, keeps=False)
            # Once this side is stuck, the other may walk on without dropping rings.
            their_most = max(their_most, _all_room(theirs, r1, r2, r3, r4))
            at_most = max(at_most, _all_room(mine, r1, r2, r3, r4))
        if at_most >= left or their_most >= other:
            return 0
        worst = (other - their_most) - (left - at_least)
        best = (other - their_least) - (left - at_most)
        if worst > 0:
            return WIN + RING * worst
        if best < 0:
            return -WIN + RING * best
        return 0


def _all_room(glasses: tuple[int, int, int], r1: int, r2: int, r3: int, r4: int) -> int:
    mask = region(glasses, r1)
    return (mask & r1).bit_count() + (mask & r2).bit_count() + (mask & r3).bit_count() + (mask & r4).bit_count()


def _ended(margin: int) -> int:
    """The score of a game that is over, by how many rings fewer than the other the side to move has left."""
    if margin == 0:
        return 0
    return WIN + RING * margin if margin > 0 else RING * margin - WIN
