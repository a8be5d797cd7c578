"""What the rules give for what hands did: told the true acts in order of time, it says what ought to be ruled.

It knows the virtual board's acts alone and shares no code with the referee. What happened in the dark (a link that was
cut, a sensor that lied) it cannot judge any more than the referee can: there it takes the referee's picture over
(`adopt`), by the documented decision that the position stands as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import GLASSES, SOCKETS, TIMER, Player, opponent
from tamsk_pi.sim.acts import Act, DropRing, Lift, PickRing, ReturnRing, Seat, TakeRing, Turn
from tamsk_pi.sim.truth import Fitted
from tamsk_pi.soak.ring_hands import RingHands
from tamsk_pi.soak.scene import Due, Handled, Scene, Wrong, scene_at_start

RING_MS: Final = 3_000
PENALTY_MS: Final = 10_000
LONG_MS: Final = 800
HELD_MS: Final = 3_000


@attrs.frozen
class Expected:
    """A ruling that ought to come: its time, its kind, and the details that are certain."""

    t_ms: int
    kind: str
    details: Mapping[str, object]
    loose_ms: int = 0
    """By how much its time may be off."""


class Witness:
    """Follows one game. `expected` grows as acts are told."""

    def __init__(self, level: int, rules: str, fitted: Fitted, glass_ms: Mapping[str, Mapping[str, int]]) -> None:
        self.scene: Scene = scene_at_start(level, rules, glass_ms)
        self.expected: list[Expected] = []
        self._fitted: Final = fitted
        self._rings: Final = RingHands()
        self._sees_turning: Final = level > 1 and (fitted.tilt or fitted.sockets == "hall")
        self._sees_tilt: Final = fitted.tilt and level > 1
        self.now_ms = 0

    def _say(self, t_ms: int, kind: str, /, **details: object) -> None:
        self.expected.append(Expected(t_ms, kind, details))

    # -- time

    def run_to(self, t_ms: int) -> None:
        """Let fall due what is due before `t_ms`: an action at an instant comes before its deadlines."""
        scene = self.scene
        while not scene.over:
            due_ms = min(self._deadlines(), default=None)
            if due_ms is None or due_ms >= t_ms:
                break
            self.now_ms = max(self.now_ms, due_ms)
            self._fall_due(due_ms)
        self.now_ms = max(self.now_ms, t_ms)

    def _deadlines(self) -> Iterable[int]:
        scene = self.scene
        if scene.level > 1:
            yield from (ms for glass in scene.glasses.values() if (ms := self._stop_of(glass)) is not None)
        if scene.expires_ms is not None:
            yield scene.expires_ms
        yield from (due.closes_ms for due in scene.dues if due.closes_ms is not None)

    def _stop_of(self, glass: Handled) -> int | None:
        """When the glass stops next, if that has not been told and it is not out."""
        stop_ms = glass.sand.stops_at_ms
        return None if glass.out_at_ms is not None or stop_ms is None or stop_ms == glass.stop_told_ms else stop_ms

    def _fall_due(self, t_ms: int) -> None:
        scene = self.scene
        if scene.level > 1:
            for name in sorted(GLASSES):
                if self._stop_of(scene.glasses[name]) == t_ms:
                    self._stop(scene.glasses[name], t_ms)
            self._pass_if_stuck(t_ms)
        if scene.expires_ms == t_ms:
            self._expire(t_ms)
        for kind in ("move", "claim", "penalty"):
            for due in [d for d in scene.dues if d.kind == kind and d.closes_ms == t_ms]:
                scene.close(t_ms, due, RING_MS)
        self._follow_up(t_ms)

    def _stop(self, glass: Handled, t_ms: int) -> None:
        glass.stop_told_ms = t_ms
        self._say(t_ms, "glass_stopped", glass=glass.name)
        if glass.at is None:
            glass.stopped_in_hand_ms = t_ms
        elif glass.moved:
            glass.out, glass.out_at_ms = True, t_ms

    def _expire(self, t_ms: int) -> None:
        scene, side = self.scene, self.scene.to_move
        scene.expires_ms = None
        begun = scene.holds(side) or bool(scene.wrong)
        self._say(t_ms, "timeout", player=side, begun=begun)
        if begun:
            scene.begun_late = True
            return
        self._say(t_ms, "forfeit", player=side)
        if scene.rules == "rulebook":
            scene.owed.add(opponent(side))
        elif scene.rules == "schmidt1998":
            scene.skips.add(side)
        self._begin_turn(t_ms, opponent(side))

    def _begin_turn(self, t_ms: int, side: Player) -> None:
        scene = self.scene
        while True:
            scene.to_move, scene.expires_ms, scene.begun_late = side, None, False
            if not scene.can_move(side):
                if not scene.can_move(opponent(side)):
                    self._close(t_ms)
                    return
                self._say(t_ms, "pass", player=side)
            elif side in scene.skips:
                scene.skips.discard(side)
                self._say(t_ms, "skip", player=side)
            else:
                return
            side = opponent(side)

    def _close(self, t_ms: int) -> None:
        scene = self.scene
        scene.closing_ms = t_ms
        scene.owed.clear()
        for due in scene.dues:
            due.closes_ms = t_ms + RING_MS if due.closes_ms is None else due.closes_ms

    def _pass_if_stuck(self, t_ms: int) -> None:
        scene = self.scene
        if scene.closing_ms is None and not scene.wrong and not scene.over:
            side = scene.to_move
            if not scene.can_move(side) and not scene.holds(side):
                self._begin_turn(t_ms, side)

    def _follow_up(self, t_ms: int) -> None:
        scene = self.scene
        self._pass_if_stuck(t_ms)
        if scene.closing_ms is None or scene.dues or scene.over:
            return
        red, black = scene.left["red"], scene.left["black"]
        if red != black:
            self._finish(t_ms, reason="rings", winner="red" if red < black else "black")
        elif scene.level == 1:
            self._finish(t_ms, reason="rings", winner=None)
        else:
            self._finish(t_ms, reason="tie_break")

    def _finish(self, t_ms: int, **details: object) -> None:
        self.scene.over = True
        self._say(t_ms, "game_over", red=self.scene.left["red"], black=self.scene.left["black"], **details)

    # -- acts

    def see(self, t_ms: int, act: Act) -> None:
        """An act was done at `t_ms`, in plain sight."""
        owner = self._rings.follow(act)
        self.run_to(t_ms)
        if self.scene.over:
            return
        match act:
            case Lift(glass) if glass != TIMER:
                self._lift(t_ms, self.scene.glasses[glass])
            case Turn(glass):
                self._turn(t_ms, glass)
            case Seat(glass, socket):
                self._seat(t_ms, self.scene.glasses[glass], socket)
            case DropRing(_, socket) if self._fitted.rings == "stack":
                self._ring_came(t_ms, socket)
            case PickRing(_, socket) if self._fitted.rings == "stack":
                self._ring_went(t_ms, socket)
            case TakeRing(_, holder) if self._fitted.rings == "holder":
                self._ring_left_holder(t_ms, holder)
            case ReturnRing() if self._fitted.rings == "holder":
                self._ring_returned(t_ms, owner)
        self._follow_up(t_ms)

    def see_press(self, t_ms: int, side: Player, length_ms: int) -> None:
        """A side's button was pressed, at `t_ms` and for `length_ms`."""
        self.run_to(t_ms)
        if not self.scene.over:
            if length_ms < LONG_MS:
                self._short(t_ms, side)
            elif length_ms < HELD_MS and self._fitted.rings == "buttons":
                due = next((d for d in self.scene.dues if d.kind == "penalty" and d.player == side), None)
                if due is not None:
                    self._use(t_ms, due, self.scene.lamps[side])
        self._follow_up(t_ms)

    def _short(self, t_ms: int, side: Player) -> None:
        scene, mode = self.scene, self._fitted.rings
        due = scene.due_of(side)
        if due is not None and due.socket is not None and mode == "buttons":
            self._use(t_ms, due, due.socket)
        elif mode != "stack" and any(d.kind == "penalty" and d.player == side for d in scene.dues):
            here = SOCKETS.index(scene.lamps[side])
            scene.lamps[side] = scene.lamp_from(SOCKETS[(here + 1) % len(SOCKETS)])
        elif due is not None:
            return
        elif scene.closing_ms is None and scene.to_move == side:
            if scene.can_move(side):
                self._say(t_ms, "violation", code="must_move", player=side)
        elif mode == "buttons":
            self._say(t_ms, "violation", code="ring_not_due", player=side)

    def _lift(self, t_ms: int, glass: Handled) -> None:
        scene = self.scene
        if glass.at is None:
            return
        glass.home, glass.home_up, glass.at, glass.lifted_ms = glass.at, glass.sand.up, None, t_ms
        stop_ms = glass.sand.stops_at_ms
        glass.ran = glass.out_at_ms is None and stop_ms is not None and t_ms <= stop_ms
        glass.stopped_in_hand_ms = None
        glass.flipped = False
        for due in list(scene.dues):
            own = due.player == glass.owner
            if (due.kind == "move" and (own or scene.level == 1)) or (due.kind == "penalty" and own):
                scene.close(t_ms, due, RING_MS)

    def _turn(self, t_ms: int, name: str) -> None:
        scene = self.scene
        if name != TIMER:
            glass = scene.glasses[name]
            if self._sees_tilt and glass.at is None:
                glass.sand.turn_over(t_ms)
            elif self._sees_turning and glass.at is None:
                glass.flipped = not glass.flipped
            return
        if scene.level < 3 or not self._fitted.tilt:
            return
        runs = scene.timer.left_ms(t_ms) > 0
        scene.timer.turn_over(t_ms)
        if runs:
            scene.expires_ms = None
            if scene.closing_ms is None:
                self._say(t_ms, "violation", code="timer_running", player=opponent(scene.to_move))
        elif scene.closing_ms is None and not scene.wrong:
            scene.expires_ms = scene.timer.stops_at_ms
            self._say(t_ms, "timer_started", player=opponent(scene.to_move))

    # -- placings

    def _seat(self, t_ms: int, glass: Handled, socket: str) -> None:
        scene = self.scene
        wrong = scene.wrong.get(glass.name)
        home, home_up = (wrong.home, wrong.home_up) if wrong else (glass.home, glass.home_up)
        if glass.flipped:
            self._turn_midway(t_ms, glass)
        turned = self._sees_turning and glass.sand.up != home_up
        if socket == home:
            self._put(t_ms, glass, socket, moved=False)
            if wrong is not None:
                del scene.wrong[glass.name]
                self._say(t_ms, "resolved", code=wrong.code, glass=glass.name)
            if turned:
                self._violation(t_ms, "flipped_in_place", glass, socket, home, home_up)
            return
        code = scene.fault_in(glass, socket, home)
        if code is None and self._sees_turning and not turned:
            code = "not_flipped"
        if code is None and scene.wrong.keys() - {glass.name}:
            code = "must_mend"
        elif code is not None and wrong is not None and wrong.stands == socket:
            self._put(t_ms, glass, socket, moved=False)
            return
        if code is not None:
            self._put(t_ms, glass, socket, moved=False)
            self._violation(t_ms, code, glass, socket, home, home_up)
            if code == "full_socket":
                self._finish(t_ms, reason="full_socket", winner=opponent(scene.to_move))
            elif code == "wrong_glass":
                scene.expires_ms = None
            return
        if wrong is not None:
            del scene.wrong[glass.name]
            self._say(t_ms, "resolved", code=wrong.code, glass=glass.name)
        if scene.closing_ms is not None:
            self._put(t_ms, glass, socket, moved=False)
            return
        if scene.level > 1 and not self._sees_turning:
            self._turn_midway(t_ms, glass)
        self._put(t_ms, glass, socket, moved=True)
        self._move(t_ms, glass, home, socket)

    def _turn_midway(self, t_ms: int, glass: Handled) -> None:
        """No tilt sensor told when: by the contract the glass was turned half way between lift and placing."""
        turned = glass.sand
        turned.turn_over((glass.lifted_ms + t_ms) // 2)
        glass.flipped = False
        stop_ms = turned.stops_at_ms
        if stop_ms is not None and stop_ms < t_ms and stop_ms != glass.stop_told_ms and glass.out_at_ms is None:
            glass.stop_told_ms = glass.stopped_in_hand_ms = stop_ms
            self._say(stop_ms, "glass_stopped", glass=glass.name)

    def _put(self, t_ms: int, glass: Handled, socket: str, *, moved: bool) -> None:
        """The glass stands there now; what its stops mean is known with that."""
        glass.at = glass.home = socket
        glass.home_up = glass.sand.up
        if self.scene.level == 1 or glass.out_at_ms is not None or not (moved or glass.moved):
            return
        if glass.stopped_in_hand_ms is not None and not moved:
            glass.out, glass.out_at_ms = True, glass.stopped_in_hand_ms
        else:
            # A glass in which nothing runs is not to be counted on, though it is not out.
            glass.out = glass.sand.left_ms(t_ms) == 0 and glass.sand.stops_at_ms != t_ms

    def _violation(self, t_ms: int, code: str, glass: Handled, socket: str, home: str, home_up: str) -> None:
        player = glass.owner if code == "flipped_in_place" else self.scene.to_move
        self._say(t_ms, "violation", code=code, player=player, glass=glass.name, to=socket)
        self.scene.wrong[glass.name] = Wrong(home, home_up, code, socket)

    def _move(self, t_ms: int, glass: Handled, home: str, socket: str) -> None:
        scene, side = self.scene, self.scene.to_move
        self._say(t_ms, "move", player=side, glass=glass.name, **{"from": home, "to": socket})
        glass.moved = True
        scene.dues = [due for due in scene.dues if due.kind != "claim"]
        for due in scene.dues:
            due.overtaken = True
        scene.dues.append(Due("move", side, socket, None if scene.level == 1 else t_ms + RING_MS))
        if side in scene.owed:
            scene.owed.discard(side)
            scene.dues.append(Due("penalty", side, None, t_ms + PENALTY_MS))
            scene.lamps[side] = scene.lamp_from(socket)
        if scene.begun_late:
            if scene.rules == "schmidt1998":
                scene.skips.add(side)
            else:
                scene.owed.add(opponent(side))
        self._begin_turn(t_ms, opponent(side))

    # -- rings

    def _use(self, t_ms: int, due: Due, socket: str | None) -> None:
        scene = self.scene
        scene.dues.remove(due)
        scene.left[due.player] -= 1
        told: dict[str, object] = {"player": due.player, "reason": due.kind}
        if socket is not None:
            scene.counted[socket] += 1
            told |= {"socket": socket, "count": scene.counted[socket]}
            if scene.is_full(socket):
                scene.dues = [d for d in scene.dues if d.socket != socket]
                scene.lamps = {side: scene.lamp_from(lamp) for side, lamp in scene.lamps.items()}
        self._say(t_ms, "ring", **told)
        if scene.left[due.player] == 0:
            self._finish(t_ms, reason="last_ring", winner=due.player)

    def _ring_came(self, t_ms: int, socket: str) -> None:
        scene = self.scene
        if scene.stray[socket] < 0:
            scene.stray[socket] += 1
            self._say(t_ms, "resolved", code="ring_removed", socket=socket)
        elif (due := scene.due_at(socket)) is not None:
            self._use(t_ms, due, socket)
        else:
            scene.stray[socket] += 1
            self._say(t_ms, "violation", code="ring_not_due", socket=socket)

    def _ring_went(self, t_ms: int, socket: str) -> None:
        scene = self.scene
        scene.stray[socket] -= 1
        if scene.stray[socket] >= 0:
            self._say(t_ms, "resolved", code="ring_not_due", socket=socket)
        else:
            self._say(t_ms, "violation", code="ring_removed", socket=socket)

    def _ring_left_holder(self, t_ms: int, side: Player) -> None:
        scene = self.scene
        if scene.holder_stray[side] < 0:
            scene.holder_stray[side] += 1
            self._say(t_ms, "resolved", code="ring_removed", player=side)
        elif (due := scene.due_of(side)) is not None:
            self._use(t_ms, due, due.socket or scene.lamps[side])
        else:
            scene.holder_stray[side] += 1
            self._say(t_ms, "violation", code="ring_not_due", player=side)

    def _ring_returned(self, t_ms: int, owner: Player) -> None:
        debt = self.scene.holder_stray
        debt[owner] -= 1
        if debt[owner] >= 0:
            self._say(t_ms, "resolved", code="ring_not_due", player=owner)
        else:
            self._say(t_ms, "violation", code="ring_removed", player=owner)

    # -- darkness, and what ends it

    def see_in_the_dark(self, act: Act) -> None:
        """An act that no sensor told."""
        self._rings.follow(act)

    def hear_place(self, t_ms: int, name: str, socket: str, *, turned: bool) -> None:
        """The arbiter says that a glass that no sensor told of was lifted and set down there."""
        self.run_to(t_ms)
        glass = self.scene.glasses[name]
        if self.scene.over:
            return
        self._lift(t_ms, glass)
        if self._sees_turning and turned and glass.sand.up == glass.home_up:
            glass.flipped = True
        self._seat(t_ms, glass, socket)
        self._follow_up(t_ms)

    def hear_sand(self, t_ms: int, name: str, left_ms: int | None) -> None:
        """The arbiter says how long a glass still runs; None: it has stopped."""
        self.run_to(t_ms)
        glass = self.scene.glasses[name]
        if self.scene.over:
            return
        if left_ms is None:
            if glass.out_at_ms is None:
                self._stop(glass, t_ms)
            glass.sand.stops_at_ms = None
        else:
            full_ms = glass.sand.full_ms[glass.sand.up]
            glass.sand.stops_at_ms = t_ms + min(left_ms, full_ms)
            glass.out, glass.out_at_ms, glass.stop_told_ms = False, None, None
        self._follow_up(t_ms)

    def hear_rings(self, t_ms: int, socket: str, count: int, side: Player) -> None:
        """The arbiter says how many rings count on a socket; the difference is that side's."""
        self.run_to(t_ms)
        scene = self.scene
        if scene.over:
            return
        more = count - scene.counted[socket]
        scene.counted[socket] = count
        scene.left[side] -= more
        scene.stray[socket] = 0
        if scene.is_full(socket):
            scene.dues = [d for d in scene.dues if d.socket != socket]
        if scene.left[side] == 0:
            self._finish(t_ms, reason="last_ring", winner=side)
        self._follow_up(t_ms)

    def adopt(self, t_ms: int, picture: Snapshot) -> None:
        """Nothing was watched up to `t_ms`: the position is taken as it stands, with no ring due and no timer armed."""
        scene = self.scene
        self.now_ms = max(self.now_ms, t_ms)
        scene.over = picture.phase == "over"
        scene.dues = [Due(r.kind, r.player, r.socket, r.closes_at_ms) for r in picture.rights]
        scene.expires_ms = picture.timer_expires_at_ms
        if picture.to_move is not None:
            scene.to_move = picture.to_move
        if picture.phase in ("closing", "tie_break") and scene.closing_ms is None:
            scene.closing_ms = t_ms
        scene.counted.update(picture.rings)
        scene.left.update({side: picture.rings_left[side] for side in scene.left})
        scene.owed, scene.skips = set(picture.penalty_owed), set(picture.skip_owed)
        self._adopt_rings(picture)
        for name in GLASSES:
            self._adopt_glass(name, picture)
        timer = picture.glasses[TIMER]
        scene.timer.up, scene.timer.stops_at_ms = timer.up, timer.stops_at_ms
        told = {v.glass: v for v in picture.violations if v.glass is not None}
        scene.wrong = {name: wrong for name, wrong in scene.wrong.items() if name in told}

    def _adopt_rings(self, picture: Snapshot) -> None:
        """Rings that were wrong before the dark still are; what came in the dark is nobody's, and right."""
        scene = self.scene
        open_at = {v.socket or v.player for v in picture.violations if v.glass is None}
        scene.stray = {s: n if s in open_at else 0 for s, n in scene.stray.items()}
        scene.holder_stray = {p: n if p in open_at else 0 for p, n in scene.holder_stray.items()}

    def _adopt_glass(self, name: str, picture: Snapshot) -> None:
        glass, view = self.scene.glasses[name], picture.glasses[name]
        was_in_hand = glass.at is None
        glass.at = view.socket
        glass.home = view.socket or view.lifted_from or glass.home
        if view.socket is not None or not was_in_hand:
            glass.home_up = view.up
            glass.lifted_ms = picture.now_ms
            glass.ran = glass.out_at_ms is None
        has_run = glass.sand.stops_at_ms is not None
        glass.sand.up, glass.sand.stops_at_ms = view.up, view.stops_at_ms
        glass.moved, glass.out = view.moved, view.out
        if view.out and has_run and glass.out_at_ms is None:
            # One that was moved with nothing in it may not move again either, but it has not stopped yet.
            glass.out_at_ms = picture.now_ms
        glass.stop_told_ms = None if view.stops_at_ms is not None else glass.stop_told_ms
