"""When which fault begins and ends in a game. One at a time, drawn from the game's seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from tamsk_pi.rules.board import GLASSES, PLAYERS, SOCKETS, TIMER
from tamsk_pi.sensing.edges import EdgeValue
from tamsk_pi.sim.acts import Knock, ReturnRing
from tamsk_pi.sim.faults import Bouncy, Fault, Noisy, Rattling, Stuck, Weak
from tamsk_pi.sim.truth import Input
from tamsk_pi.soak.compare import SLACK_MS, Dark
from tamsk_pi.soak.plan import LONGEST_MS

if TYPE_CHECKING:
    from tamsk_pi.soak.game import SoakGame

_QUIET_AGAIN_MS: Final = 300
"""So long after a sensor was mended it is listened to again."""


class Troubles:
    """Acts on a game."""

    def __init__(self, game: SoakGame) -> None:
        self._game: Final = game
        self._rng: Final = game.rng
        makers: Mapping[str, Callable[[int], None]] = {
            "bounce": self._bounce,
            "rattle": self._jolt,
            "stuck": self._stick,
            "shake": self._shake,
            "hang": self._hang,
            "pause": self._pause,
            "takeback": self._take_back,
            "weak": self._weaken,
            "noisy": self._make_noisy,
            "link": self._cut,
            "kill": self._kill,
            "power": self._lose_power,
        }
        self._makers: Final = {name: make for name, make in makers.items() if name in game.plan.faults}
        self._on: Fault | None = None
        self._then: Callable[[int], None] | None = None
        """What is to be done next; None: begin another trouble."""
        self._at_ms: int | None = self._rng.randrange(4_000, 30_000) if self._makers else None

    def next_ms(self) -> int | None:
        return self._at_ms

    def act(self, t_ms: int) -> None:
        """Begin or end what is due."""
        if self._at_ms is None or t_ms < self._at_ms:
            return
        if self._then is not None:
            then, self._then = self._then, None
            then(t_ms)
            return
        name = self._rng.choice(tuple(self._makers))
        if name in ("stuck", "noisy") and not self._is_quiet():
            self._at_ms = t_ms + 200
            return
        self._game.tally.faults[name] += name != "rattle"
        self._makers[name](t_ms)

    def _later(self, t_ms: int, then: Callable[[int], None], from_ms: int, to_ms: int) -> None:
        self._then, self._at_ms = then, t_ms + self._rng.randint(from_ms, to_ms)

    def _rest(self, t_ms: int) -> None:
        self._then, self._at_ms = None, t_ms + self._rng.randint(6_000, 40_000)

    def _is_quiet(self) -> bool:
        """No hand at work and nothing open, so that what a sensor tells wrongly is nobody's doing."""
        game = self._game
        picture = game.desk.snapshot()
        hands = any(game.board.truth.held_by(side) or game.hands.is_busy(side, game.now_ms) for side in PLAYERS)
        open_now = picture.violations or picture.rights or picture.timer_armed_against
        # One beside the board, for a free placement, is taken for what a socket tells.
        agrees = all(picture.glasses[g].socket == game.board.truth.glasses[g].socket is not None for g in GLASSES)
        return game.is_watching and not (hands or open_now) and picture.phase == "to_move" and agrees

    # -- sensors that are only untidy

    def _switch_on(self, t_ms: int, fault: Fault, from_ms: int = 5_000, to_ms: int = 30_000) -> None:
        self._game.board.switch_on(fault)
        self._on = fault
        self._later(t_ms, self._switch_off, from_ms, to_ms)

    def _switch_off(self, t_ms: int) -> None:
        assert self._on is not None
        self._game.board.switch_off(self._on)
        self._on = None
        self._rest(t_ms)

    def _stop_flickering(self, t_ms: int) -> None:
        since_ms, _ = self._game.flickering.pop()
        self._game.flickering.append((since_ms, t_ms + SLACK_MS))
        self._switch_off(t_ms)

    def _bounce(self, t_ms: int) -> None:
        self._switch_on(t_ms, Bouncy(("socket", self._rng.choice(SOCKETS)), pairs=self._rng.randint(2, 6)))

    def _weaken(self, t_ms: int) -> None:
        occupied = [g.socket for g in self._game.board.truth.glasses.values() if g.socket is not None]
        self._game.flickering.append((t_ms - SLACK_MS, LONGEST_MS))
        self._switch_on(t_ms, Weak(("socket", self._rng.choice(occupied or SOCKETS))))
        self._then = self._stop_flickering

    def _jolt(self, t_ms: int) -> None:
        """Somebody bumps into the table: the tilt balls of some glasses come off for a moment.

        Not of one that a hand is bound for: a jolt that runs into a turning is one burst with it, and so shifts its
        time (sensing.md, "Edges, bursts, settled changes").
        """
        planned = {getattr(act, "glass", None) for _, act in self._game.board.planned()}
        for glass in [g for g in GLASSES if g not in planned and self._rng.random() < 0.5]:
            self._game.board.plan([(t_ms, Knock(glass))])
        self._rest(t_ms)

    def _shake(self, t_ms: int) -> None:
        """An input goes to and fro without a rest until its time is up, or a hand is bound for what it senses."""
        game, fitted = self._game, self._game.plan.fitted
        choices: list[Input] = []
        if fitted.tilt:
            standing = [g for g in GLASSES if game.board.truth.glasses[g].socket is not None]
            choices += [("tilt", g) for g in (*standing, TIMER)]
        if fitted.rings == "stack":
            choices += [("ring", self._rng.choice(SOCKETS))]
        elif fitted.rings == "holder":
            choices += [("holder", side) for side in PLAYERS]
        choices = [which for which in choices if not self._is_wanted(which[1])]
        # What rattles on from a turning is one burst with it, and shifts its time, as a jolt does.
        if not choices or not game.has_settled():
            self._rest(t_ms)
            return
        which = self._rng.choice(choices)
        self._switch_on(t_ms, Rattling(which), 1_000, 1_000)
        # Rings, and a timer turned, are believed only once it is quiet where theirs rattles for longer.
        of_a_glass = which[0] == "tilt" and which[1] != TIMER
        until_ms = t_ms + (self._rng.choice((2_000, 10_000, 60_000)) if of_a_glass else 2_000)

        def look(now_ms: int) -> None:
            if now_ms >= until_ms or self._is_wanted(which[1]):
                self._switch_off(now_ms)
            else:
                self._then, self._at_ms = look, now_ms + 20

        self._then, self._at_ms = look, t_ms + 20

    def _is_wanted(self, name: str) -> bool:
        """Whether a hand is bound for a glass, a socket or a holder; a holder is wanted with every ring."""
        game = self._game
        acts = [act for _, act in game.board.planned()]
        named = any(name in (getattr(a, "glass", ""), getattr(a, "socket", ""), getattr(a, "holder", "")) for a in acts)
        held = any(glass.name == name for side in PLAYERS for glass in game.board.truth.held_by(side))
        return named or held or (name in PLAYERS and any(isinstance(act, ReturnRing) for act in acts))

    # -- sensors that lie

    def _hang(self, t_ms: int) -> None:
        """A tilt ball or a ring stack tells nothing for a while."""
        game, fitted = self._game, self._game.plan.fitted
        choices: list[Input] = []
        if fitted.tilt:
            choices += [("tilt", g) for g in GLASSES if game.board.truth.glasses[g].socket is not None]
        if fitted.rings == "stack":
            choices += [("ring", self._rng.choice(SOCKETS))]
        choices = [which for which in choices if not self._is_wanted(which[1])]
        # One that hangs while something is to be put right can keep it from ever being right.
        if not choices or not game.is_steady() or game.is_counting or not self._is_quiet():
            self._rest(t_ms)
            return
        which = self._rng.choice(choices)
        game.hang(which, True)
        self._switch_on(t_ms, Stuck(which, game.board.inputs[which]), 5_000, 25_000)

        def end(now_ms: int) -> None:
            if self._is_wanted(which[1]) or not self._is_quiet():
                self._then, self._at_ms = end, now_ms + 200
                return
            game.hang(which, False)
            self._switch_off(now_ms)

        self._then = end

    def _stick(self, t_ms: int) -> None:
        game = self._game
        occupied = [g.socket for g in game.board.truth.glasses.values() if g.socket is not None]
        socket = self._rng.choice(occupied) if self._rng.random() < 0.5 else self._rng.choice(SOCKETS)
        closed = self._rng.random() < 0.5
        value: EdgeValue = closed
        if game.plan.fitted.sockets == "hall":
            value = (game.board.inputs["socket", socket] or "N") if closed else None
        self._lie(t_ms, Stuck(("socket", socket), value), socket)

    def _make_noisy(self, t_ms: int) -> None:
        socket = self._rng.choice(SOCKETS)
        self._lie(t_ms, Noisy(("socket", socket)), socket)

    def _lie(self, t_ms: int, fault: Fault, socket: str) -> None:
        game = self._game
        game.eyes.blinded.add(socket)
        self._ask_for_care(True)
        standing = game.board.truth.glass_in(socket)
        game.board.switch_on(fault)
        self._on = fault
        if isinstance(fault, Stuck) and not fault.value and standing is not None:
            game.eyes.phantom.add(standing.name)
        known = len(game.desk.rulings)

        def declare_dead(now_ms: int) -> None:
            if isinstance(fault, Noisy) or (isinstance(fault, Stuck) and fault.value and standing is None):
                code = "noisy" if isinstance(fault, Noisy) else "unexpected_closed"
                if not any(r.kind == "fault" and r.get("code") == code for r in game.desk.rulings[known:]):
                    game.tally.missed_faults += 1
                    game.tally.note(f"{game.name}: the fault {code} of {socket} at {t_ms} ms was not told")
            game.say("dead", {"socket": socket, "dead": True})
            if standing is not None and standing.name in game.eyes.phantom:
                # For so long it looked as if it were in hand, and what it is to lose its last glass had to wait.
                game.dark.append(Dark(t_ms, now_ms))
                game.eyes.wonder(now_ms, standing.name)
            self._later(now_ms, end, 6_000, 25_000)

        def end(now_ms: int) -> None:
            if not self._is_quiet() or game.eyes.unseen:
                self._then, self._at_ms = end, now_ms + 200
                return
            game.board.switch_off(fault)
            self._on = None
            self._later(now_ms, listen_again, _QUIET_AGAIN_MS, _QUIET_AGAIN_MS)

        def listen_again(now_ms: int) -> None:
            if not self._is_quiet() or game.eyes.unseen:
                self._then, self._at_ms = listen_again, now_ms + 200
                return
            game.eyes.blinded.discard(socket)
            self._ask_for_care(False)
            game.listen_again(socket)
            self._rest(now_ms)

        noisy = isinstance(fault, Noisy)
        self._later(t_ms, declare_dead, 1_500 if noisy else 400, 2_000 if noisy else 700)

    def _ask_for_care(self, wanted: bool) -> None:
        for player in self._game.table.players:
            player.is_careful = wanted

    # -- nobody watches

    def _pause(self, t_ms: int) -> None:
        self._game.pause()
        self._later(t_ms, self._resume, 500, 20_000)

    def _resume(self, t_ms: int) -> None:
        if not self._game.is_steady():
            self._later(t_ms, self._resume, 20, 20)
            return
        self._game.resume()
        self._rest(t_ms)

    def _take_back(self, t_ms: int) -> None:
        """The last move is taken back, as long as nobody has begun the next."""
        game, picture = self._game, self._game.desk.snapshot()
        hands = any(game.board.truth.held_by(side) or game.hands.is_busy(side, game.now_ms) for side in PLAYERS)
        idle = game.is_watching and not (hands or picture.violations or game.is_counting) and game.has_settled()
        # The one before it is known by the rulings only while none was taken back.
        last = (r.kind for r in reversed(game.desk.rulings) if r.kind == "move" or r.get("code") == "taken_back")
        moved = next(last, "") == "move"
        if not (idle and moved and picture.phase == "to_move" and not game.board.planned()):
            self._game.tally.faults["takeback"] -= 1
            self._rest(t_ms)
            return
        game.take_back()
        self._then, self._at_ms = self._wait_until_taken_back, t_ms + 200

    def _wait_until_taken_back(self, t_ms: int) -> None:
        if self._game.is_watching:
            self._rest(t_ms)
        else:
            self._then, self._at_ms = self._wait_until_taken_back, t_ms + 200

    def _cut(self, t_ms: int) -> None:
        self._game.cut_link()
        self._later(t_ms, self._mend, 1_300, 8_000)

    def _mend(self, t_ms: int) -> None:
        if not self._game.is_steady():
            self._later(t_ms, self._mend, 20, 20)
            return
        self._game.mend_link()
        self._rest(t_ms)

    def _kill(self, t_ms: int) -> None:
        self._game.kill()
        self._later(t_ms, self._start_again, 500, 6_000)

    def _lose_power(self, t_ms: int) -> None:
        if not self._game.is_steady() or not self._game.has_settled():
            # In which hands the glasses are as it goes dark is another trouble's.
            self._then, self._at_ms = self._lose_power, t_ms + 50
            return
        self._game.lose_power(self._rng.randint(1_000, 60_000))
        self._later(t_ms, self._start_again, 500, 6_000)

    def _start_again(self, t_ms: int) -> None:
        if not self._game.is_steady():
            self._later(t_ms, self._start_again, 20, 20)
            return
        self._game.start_again()
        self._rest(t_ms)
