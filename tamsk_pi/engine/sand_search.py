"""The search at levels 2 and 3, where every act costs time and a glass that stops is lost.

Source: rules.md, "Levels", "Ring rights" and "The 15-second timer (level 3)".
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.engine.masks import OFF, REACH, expand, places
from tamsk_pi.engine.regions import Walk, is_stuck_for_good
from tamsk_pi.engine.sand_state import HURRIED_MS, Clockwork, SandState
from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine.tree import KEEP, PASS_CODE, Budget, packed
from tamsk_pi.engine.weights import RING, WIN, Weights

_TABLE_SIZE: Final = 60_000

_PENALTIES_LOOKED_AT: Final = 3
"""In the tree: how many sockets for a penalty ring are looked at, the most promising first."""

_SAFE_MS: Final = 60_000
"""More sand than this is worth nothing by itself."""

_Key = tuple[int, tuple[int, ...], int, int, int, int]


class SandSearch:
    """Searches from one situation. Moves are numbers, as `tamsk_pi.engine.tree` packs them."""

    def __init__(self, situation: Situation, weights: Weights, *, hurries: bool = True) -> None:
        """`hurries`: the side to move saves a glass of its own that would stop within its pace."""
        self.nodes = 0
        self.budget: Final = Budget()
        self.limit = 1 << 60
        """Once so many nodes have been looked at, `budget` says whether to go on."""
        self.guessed = False
        self._clock: Final = Clockwork(situation)
        self._clock.hurries = hurries
        self._weights: Final = weights
        self._cycle_ms: Final[int] = self._clock.paces[0] + self._clock.paces[1]
        self._best: dict[_Key, int] = {}
        """The best move found last in each position, whatever its sand: to be tried first."""
        self._history: list[int] = [0] * (2 * KEEP)

    # -- the root

    def moves(self) -> list[int]:
        """Every move of the side to move with its ring; first the one without that leads to more rings, if any."""
        root = self._clock.root
        if not root.left[root.color]:
            return []
        codes = self._clock.codes(root)
        return self._kept(root) + codes

    def _kept(self, root: SandState) -> list[int]:
        """Where the other side is stuck for good: the step without a ring that leads to more rings."""
        mine, theirs = root.places[3 * root.color :][:3], root.places[3 - 3 * root.color :][:3]
        clock = self._clock
        running = tuple(p for n, p in enumerate(theirs) if not clock.is_out(root, 3 - 3 * root.color + n))
        if OFF in root.places or not is_stuck_for_good(running, root.r1):
            return []
        own = tuple(p for n, p in enumerate(mine) if clock.lift_ms(root, 3 * root.color + n) >= 0)
        if not own:
            return []
        step = Walk().next_step(own, root.r1, root.r2, root.r3, root.r4, root.taken())
        return [] if step is None or packed(*step) not in clock.codes(root) else [packed(*step, keep=True)]

    def score(self, code: int, depth: int, alpha: int, beta: int) -> int:
        """What this move of the root is worth to the side that makes it, looking `depth` moves ahead."""
        return self._after(self._clock.root, code, depth - 1, alpha, beta)

    def line(self, code: int, longest: int) -> list[int]:
        """The moves that are thought to follow from this one on, with it; -1 for a turn without a move."""
        clock, state = self._clock, self._clock.root
        found: list[int] = []
        while code >= 0 and len(found) < longest:
            found.append(code)
            state = clock.after(state, code)
            if not all(state.left):
                break
            if not clock.codes(state) and clock.can_move(state, 1 - state.color):
                found.append(PASS_CODE)
                state = clock.passed(state)
            code = self._best.get(self._key(state), -1)
            if code & (KEEP - 1) not in clock.codes(state):
                break
        return found

    def penalty(self, code: int, depth: int) -> int | None:
        """Where the penalty ring that comes with this move is best dropped; None where none is owed."""
        root = self._clock.root
        if not root.owed >> root.color & 1:
            return None
        then = self._clock.after(root, code)
        best_place, best = None, -(1 << 24)
        for place in self._by_promise(then):
            after = self._clock.with_penalty(then, place)
            score = WIN if not after.left[root.color] else -self._node(after, depth, -(1 << 24), -best)
            if score > best:
                best_place, best = place, score
        return best_place

    # -- the tree

    def _key(self, state: SandState) -> _Key:
        return (state.color, state.places, state.r1, state.r2, state.r3, state.r4)

    def _after(self, state: SandState, code: int, depth: int, alpha: int, beta: int) -> int:
        """The score, for the mover, of making the move `code`."""
        mover = state.color
        then = self._clock.after(state, code)
        if not then.left[mover]:
            self.nodes += 1
            return WIN + RING * then.left[1 - mover]
        if not state.owed >> mover & 1:
            return -self._node(then, depth, -beta, -alpha)
        best = -(1 << 24)
        for place in self._by_promise(then)[:_PENALTIES_LOOKED_AT]:
            after = self._clock.with_penalty(then, place)
            if not after.left[mover]:
                return WIN + RING * after.left[1 - mover]
            best = max(best, -self._node(after, depth, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best if best > -(1 << 24) else -self._node(then, depth, -beta, -alpha)

    def _by_promise(self, state: SandState) -> list[int]:
        """The sockets for a ring of the side that has just moved, the one that harms the other side most first."""
        open_ = places(state.r1)
        return sorted(open_, key=lambda place: (self._static(self._clock.with_penalty(state, place)), place))

    def _node(self, state: SandState, depth: int, alpha: int, beta: int) -> int:
        """The score for the side to move."""
        self.nodes += 1
        if self.nodes > self.limit:
            self.limit = self.budget.extended(self.nodes)
        clock, color = self._clock, state.color
        codes = clock.codes(state)
        if not codes:
            if not clock.can_move(state, 1 - color):
                return self._ended(state)
            return -self._node(clock.passed(state), depth, -beta, -alpha)
        if state.skips >> color & 1:
            return -self._node(clock.skipped(state), depth, -beta, -alpha)
        if depth <= 0:
            self.guessed = True
            return self._static(state)
        key = self._key(state)
        if depth > 1:
            codes.sort(key=self._history.__getitem__, reverse=True)
        known = self._best.get(key, -1)
        if known in codes:
            codes.remove(known)
            codes.insert(0, known)
        best, best_code = -(1 << 24), codes[0]
        for tried, code in enumerate(codes):
            if tried == 0:
                score = self._after(state, code, depth - 1, alpha, beta)
            else:
                shorter = depth - 2 if depth > 2 and tried > 3 else depth - 1
                score = self._after(state, code, shorter, alpha, alpha + 1)
                if score > alpha and (score < beta or shorter < depth - 1):
                    score = self._after(state, code, depth - 1, alpha, beta)
            if score > best:
                best, best_code = score, code
                if score > alpha:
                    alpha = score
                    if alpha >= beta:
                        self._history[code] += depth * depth
                        break
        if len(self._best) >= _TABLE_SIZE:
            self._best.clear()
        self._best[key] = best_code
        return best

    def _ended(self, state: SandState) -> int:
        """The score of a game in which neither side can move."""
        margin = state.left[1 - state.color] - state.left[state.color]
        if margin == 0:
            last = self._clock.last_to_stop(state)
            return 0 if last < 0 else WIN if last == state.color else -WIN
        return WIN + RING * margin if margin > 0 else RING * margin - WIN

    def _static(self, state: SandState) -> int:
        """What the state is worth to the side to move, without looking further."""
        weights, color = self._weights, state.color
        vacant = state.r1 & ~state.taken()
        near_mine, mine = self._side(state, color, vacant)
        near_theirs, theirs = self._side(state, 1 - color, vacant)
        far, their_far = expand(near_mine) & vacant, expand(near_theirs) & vacant
        wide, their_wide = expand(far) & vacant, expand(their_far) & vacant
        return (
            RING * (state.left[1 - color] - state.left[color])
            + mine - theirs
            + weights.near * (near_mine.bit_count() - near_theirs.bit_count())
            + weights.far * (far.bit_count() - their_far.bit_count())
            + weights.own * ((wide & ~their_wide).bit_count() - (their_wide & ~wide).bit_count())
            + weights.room * ((far & state.r2).bit_count() - (their_far & state.r2).bit_count())
            + weights.tempo
        )  # fmt: skip

    def _side(self, state: SandState, color: int, vacant: int) -> tuple[int, int]:
        """What one side's glasses reach with one move, and what they and their sand are worth."""
        weights, clock = self._weights, self._clock
        near = value = waiting = 0
        stops: list[int] = []
        for glass in (3 * color, 3 * color + 1, 3 * color + 2):
            moved = state.moved >> glass & 1
            if moved and state.stops[glass] < state.t_ms:
                value -= weights.lost
                continue
            goals = REACH[state.places[glass]] & vacant
            near |= goals
            value += weights.mobility[goals.bit_count() if state.places[glass] != OFF else 6]
            if not moved:
                waiting += 1
            elif goals:
                stops.append(state.stops[glass])
                left_ms = min(_SAFE_MS, state.stops[glass] - state.t_ms)
                value += weights.sand * left_ms // _SAFE_MS
        # Its turns come one by one, and what has not moved yet comes first.
        own_ms, cycle_ms = clock.paces[color], self._cycle_ms
        turn_ms = state.t_ms + own_ms + waiting * cycle_ms
        if color != state.color:
            turn_ms += cycle_ms - own_ms
        for stop in sorted(stops):
            short_ms = turn_ms - own_ms + min(own_ms, HURRIED_MS) - stop
            if short_ms > 0:
                value -= weights.late * min(short_ms, cycle_ms) // cycle_ms + weights.late // 2
            else:
                turn_ms += cycle_ms
        return near, value
