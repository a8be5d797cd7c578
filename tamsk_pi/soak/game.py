"""One game of a soak: two players, a board that fails to order, and the program that watches it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import attrs

from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import PLAYERS, START
from tamsk_pi.runner.desk import Desk
from tamsk_pi.sim.acts import Hover, Knock, ReturnRing, Turn
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.deeds import Deed
from tamsk_pi.sim.hands import Hands
from tamsk_pi.sim.players import Table
from tamsk_pi.sim.recorder import trace_header
from tamsk_pi.sim.sensors import Habits
from tamsk_pi.sim.truth import Input
from tamsk_pi.soak.board import SoakBoard
from tamsk_pi.soak.caps import CapSoakBoard
from tamsk_pi.soak.compare import SLACK_MS, UNSETTLED_MS, Dark, compare
from tamsk_pi.soak.eyes import Eyes
from tamsk_pi.soak.kept import KeptJournal
from tamsk_pi.soak.killing import Resumed, resume
from tamsk_pi.soak.log import Back, Cut, Done, Entry, Hung, Said, testify
from tamsk_pi.soak.plan import LONGEST_MS, Plan
from tamsk_pi.soak.taking_back import TakeBack
from tamsk_pi.soak.tally import Tally
from tamsk_pi.soak.troubles import Troubles
from tamsk_pi.trace_header import read_header
from tamsk_pi.witness.settings import settings_of

BOOT: Final = "soak"


class SoakGame:
    """Deterministic from its plan. `folder` is where a killed program's journal lies while it is resumed."""

    def __init__(self, plan: Plan, tally: Tally, folder: Path) -> None:
        self.plan: Final = plan
        self.tally: Final = tally
        standing: Mapping[str, str] = {} if plan.setup == "free" else START
        self.board: Final = VirtualBoard(
            plan.seed, fitted=plan.fitted, glass_ms=plan.glass_ms, standing=standing, habits=plan.habits
        )
        self.device: Final = self._fit_out()
        self.hands: Final = Hands(self.board, plan.seed, plan.tempo)
        self.table: Final = Table(self.hands, plan.seed, clumsy=plan.clumsy)
        self.rng: Final = random.Random(f"{plan.seed}/faults")
        self.eyes: Final = Eyes(self.board, plan.level, self.rng)
        self.journal = KeptJournal()
        header = trace_header(
            self.board, level=plan.level, rules=plan.rules, setup=plan.setup, tolerance_ms=plan.tolerance_ms
        )
        settings = read_header(header)
        self._judged_by: Final = settings_of(header)
        if plan.settle_ms is not None:
            settings = attrs.evolve(settings, settle_ms={**settings.settle_ms, "socket": plan.settle_ms})
        self.settings: Final = attrs.evolve(settings, boot=BOOT)
        self.desk = Desk.begin(self.settings, self.device, self.journal, 0)
        self.deeds: list[Deed] = []
        self.dark: list[Dark] = []
        self.flickering: list[tuple[int, int]] = []
        """From when until when a contact flickered."""
        self._folder: Final = folder
        self._troubles: Final = Troubles(self)
        self._log: Final[list[Entry]] = []
        self._told = 0
        self._wake_ms = 0
        self._cut_ms: int | None = None
        self._before: Snapshot | None = None
        self._accept_ms: int | None = None
        self._counts_rings = False
        self._is_paused = False
        self._has_lost_power = False
        self._takeback: TakeBack | None = None
        self._done_ms = 0

    def _fit_out(self) -> SoakBoard:
        if self.plan.cap_loss is None:
            return SoakBoard(self.board)
        return CapSoakBoard(self.board, random.Random(f"{self.plan.seed}/air"), self.plan.cap_loss)

    @property
    def now_ms(self) -> int:
        return self.board.now_ms

    @property
    def name(self) -> str:
        return f"game {self.plan.number}"

    @property
    def is_over(self) -> bool:
        return self.desk.session.referee.game.result is not None

    @property
    def is_heard(self) -> bool:
        """Whether what is done now is judged."""
        return not (self.device.link_is_cut or self._is_paused)

    @property
    def is_watching(self) -> bool:
        """Whether the program runs and hears the board."""
        return self._cut_ms is None

    @property
    def are_hands_at_work(self) -> bool:
        """Whether the players go by what they are told."""
        return self.is_watching or (self._takeback is not None and self._takeback.is_answered(self))

    def play(self) -> None:
        """Play the game to its end, and add to the tally what came of it."""
        while not self.is_over and self.now_ms < LONGEST_MS:
            self._step()
        for _ in range(12):
            # What was still settling when the game ended is told too.
            self._pass_time(self.now_ms + 250)
        if self._cut_ms is not None:
            # It ended before the hands had rested.
            self.dark.append(Dark(self._cut_ms, self.now_ms, at_work=self._takeback is not None))
        self.tally.games += 1
        if self.is_over:
            self.tally.finished += 1
        else:
            self.tally.note(f"{self.name}: not over after {self.now_ms} ms")
        self._compare()

    def _step(self) -> None:
        times = (
            self.board.next_ms(),
            self.table.next_ms() if self.are_hands_at_work else None,
            self._wake_ms if self.desk is not None else None,
            self._troubles.next_ms(),
            self.eyes.next_ms(),
            self._accept_ms,
        )
        t_ms = max(min(t for t in times if t is not None), self.now_ms)
        self._pass_time(t_ms)
        if self._takeback is not None and self._takeback.is_done(self):
            self._is_taken_back(self._takeback)
        is_up = not self.is_watching and self.desk.session.link_is_up and self._cut_ms is not None
        if is_up and self._accept_ms and self.has_settled():
            # The hands put right what differed.
            self._is_back(t_ms)
        if self._accept_ms is not None and t_ms >= self._accept_ms and not (self.is_steady() and self.has_settled()):
            self._accept_ms = t_ms + 20
        if self._accept_ms is not None and t_ms >= self._accept_ms:
            self._accept_ms = None
            self.say("accept", {})
            self._is_back(t_ms)
        if self.is_watching:
            self.eyes.say_what_is_due(t_ms, self.say)
            if self._counts_rings:
                self._count_rings()
        self._troubles.act(t_ms)
        if len(self.desk.rulings) > self._told:
            self._told = len(self.desk.rulings)
            self.table.hear(t_ms)
        if self.are_hands_at_work:
            self.table.act(self.desk.snapshot, t_ms)
        self.deeds += self.table.take_deeds()

    def _pass_time(self, t_ms: int) -> None:
        edges = self.device.run_to(t_ms)
        for done_ms, act in self.board.take_done():
            self._done_ms = done_ms
            seen = self.eyes.is_seen(done_ms, act) and self.is_heard
            self._log.append(Done(done_ms, act, seen))
            self.tally.faults["transit"] += isinstance(act, Hover) and "transit" in self.plan.faults
            self.tally.faults["rattle"] += isinstance(act, Knock | Turn) and "rattle" in self.plan.faults
        self.journal.pass_time(t_ms)
        self.desk.take_edges(edges)
        self._wake_ms = max(self.desk.go_round(t_ms), t_ms + 1)

    @property
    def is_counting(self) -> bool:
        """Whether the arbiter is still to count the rings."""
        return self._counts_rings

    def hang(self, which: Input, hangs: bool) -> None:
        """From now on an input tells nothing of what is done, or tells it again."""
        self._log.append(Hung(self.now_ms, which, hangs))

    def pause(self) -> None:
        """The arbiter pauses the game."""
        self._before = self.desk.snapshot()
        self._cut_ms = self.now_ms
        self._is_paused = True
        self.say("pause", {})
        self._log.append(Cut(self.now_ms))

    def resume(self) -> None:
        """The arbiter lets it go on; where the board differs, he accepts it after a while."""
        self.say("resume", {})
        self._is_paused = False
        if self.desk.snapshot().phase != "paused":
            self._is_back(self.now_ms)
        else:
            self._accept_ms = self.now_ms + self.rng.randint(300, 2_500)

    def take_back(self) -> None:
        """The players agree to take the last move back, and put the board as it was."""
        self._takeback = TakeBack.of(self)
        self._cut_ms = self.now_ms
        self._log.append(Cut(self.now_ms))
        self.say("takeback", {})

    def _is_taken_back(self, takeback: TakeBack) -> None:
        assert self._cut_ms is not None
        self._go_on(self._cut_ms, self.now_ms, takeback.problem(self))
        self._cut_ms = self._takeback = None

    def say(self, what: str, details: Mapping[str, object]) -> None:
        """A word of the arbiter's, now."""
        self.desk.say(what, details, self.now_ms)
        self._log.append(Said(self.now_ms, what, details))

    def listen_again(self, socket: str) -> None:
        """The arbiter says that a dead socket works again: the board is taken as it stands."""
        self._log.append(Cut(self.now_ms))
        before = self.desk.snapshot()
        self.say("dead", {"socket": socket, "dead": False})
        self._go_on(self.now_ms, self.now_ms, self._differs(before, self.desk.snapshot()))

    def _count_rings(self) -> None:
        """Rings that came while nobody watched count for nobody, and those that went still count, until the arbiter
        says otherwise."""
        picture, truth = self.desk.snapshot(), self.board.truth
        busy = any(self.hands.is_busy(side, self.now_ms) for side in PLAYERS)
        # Where a ring is due it may be on its way; at level 1 one is due nearly always.
        due = {right.socket for right in picture.rights}
        if busy or picture.violations or None in due or picture.phase not in ("to_move", "carrying"):
            return
        kept = [side for side in PLAYERS if truth.in_hand[side]]
        if kept:
            # Taken off in the dark, and so nobody's error: back to the holder with it.
            self.board.plan([(self.now_ms, ReturnRing(side)) for side in kept])
            return
        self._counts_rings = False
        rings = {socket: stack for socket, stack in truth.stacks.items() if socket not in due}
        uncounted = next((side for socket, stack in rings.items() for side in stack[picture.rings[socket] :]), None)
        for socket, stack in truth.stacks.items():
            if socket in due:
                self._counts_rings |= len(stack) != picture.rings[socket]
                continue
            for number in range(picture.rings[socket], len(stack)):
                # The one that was not noticed need not lie on top: whose it is the holders tell.
                left = self.desk.snapshot().rings_left
                side = next((side for side in PLAYERS if truth.holders[side] < left[side]), stack[number])
                self.say("rings", {"socket": socket, "count": number + 1, "side": side})
            for count in range(picture.rings[socket] - 1, len(stack) - 1, -1):
                left = self.desk.snapshot().rings_left
                # Where one lies elsewhere than it was counted, the holders tell nothing: it is the same one.
                owner = next((side for side in PLAYERS if truth.holders[side] > left[side]), uncounted)
                if owner is None:
                    # The ring is in a hand, and will be put back.
                    self._counts_rings = True
                    return
                self.say("rings", {"socket": socket, "count": count, "side": owner})

    # -- nobody watches

    def is_steady(self) -> bool:
        """Whether no contact is on its way: what one tells in the middle of its bouncing is neither old nor new."""
        return all(value == self.board.expected(which) for which, value in self.board.inputs.items())

    def has_settled(self) -> bool:
        """Whether the hands have rested for so long that the referee's picture holds all that they did."""
        return self.now_ms - self._done_ms >= UNSETTLED_MS

    def cut_link(self) -> None:
        """From now on the board is not heard."""
        self.device.link_is_cut = True
        self._before = self.desk.snapshot()
        self._cut_ms = self.now_ms
        self._log.append(Cut(self.now_ms))

    def mend_link(self) -> None:
        """The board is heard again; where it differs, the arbiter accepts it after a while."""
        self.device.link_is_cut = False
        self._pass_time(self.now_ms)
        if self.desk.session.link_is_up:
            self._is_back(self.now_ms)
        else:
            self._accept_ms = self.now_ms + self.rng.randint(300, 2_500)

    def kill(self) -> None:
        """The program dies while it writes; nobody watches until `start_again`."""
        self.cut_link()

    def lose_power(self, off_ms: int) -> None:
        """Everything is off for so long; no clock tells that, only the sand."""
        self.kill()
        self._has_lost_power = True
        for glass in self.board.truth.glasses.values():
            if glass.sand.stops_at_ms is not None:
                glass.sand.stops_at_ms -= off_ms

    def start_again(self) -> None:
        """The program is started again, and goes on with what is left of its journal."""
        assert self._cut_ms is not None
        self.device.link_is_cut = False
        self._pass_time_unwatched()
        boot = None if self._has_lost_power else BOOT
        resumed: Resumed = resume(self.desk, self.journal, self.device, self._folder, self._cut_ms, self.rng, boot)
        if resumed.problem is not None:
            self.tally.broken_recoveries += 1
            self.tally.note(f"{self.name}: killed at {self._cut_ms} ms: {resumed.problem}")
        self.desk, self.journal = resumed.desk, resumed.journal
        self._told = min(self._told, len(self.desk.rulings))
        self.mend_link()

    def _pass_time_unwatched(self) -> None:
        self.device.run_to(self.now_ms)

    def _is_back(self, t_ms: int) -> None:
        assert self._cut_ms is not None
        assert self._before is not None
        self._accept_ms = None
        self._go_on(self._cut_ms, t_ms, self._differs(self._before, self.desk.snapshot()))
        self._cut_ms = self._before = None
        if self._has_lost_power:
            self._has_lost_power = False
            self.eyes.say_what_runs(t_ms, self.say)

    def _go_on(self, cut_ms: int, back_ms: int, problem: str | None) -> None:
        picture = self.desk.snapshot()
        self.eyes.forget()
        meanwhile = [r for r in self.desk.rulings if cut_ms <= r.t_ms <= back_ms]
        resumed = [r.t_ms for r in meanwhile if r.kind == "resumed"]
        opened = [r.get("opened") for r in meanwhile if r.kind == "notice" and r.get("code") == "unobserved"]
        unobserved = frozenset(str(socket) for sockets in opened if isinstance(sockets, list) for socket in sockets)
        off = {side: picture.rings_left[side] - self.board.truth.holders[side] for side in PLAYERS}
        of_timer = [r for r in meanwhile if r.kind in ("timeout", "move", "pass", "forfeit")]
        ran_out = bool(of_timer[-1].get("begun")) if of_timer else None
        since_ms = max(resumed, default=back_ms)
        known = not self._has_lost_power
        self._log.append(Back(back_ms, picture, since_ms, off, known, opened=unobserved, ran_out=ran_out))
        self.dark.append(Dark(cut_ms, back_ms, at_work=self._takeback is not None))
        self._counts_rings = True
        if problem is None:
            self.tally.recoveries += 1
        else:
            self.tally.broken_recoveries += 1
            self.tally.note(f"{self.name}: back at {back_ms} ms: {problem}")

    def _differs(self, before: Snapshot, after: Snapshot) -> str | None:
        """What of a game must not have changed while nobody watched, and has."""
        if after.phase in ("paused", "setting_up"):
            return f"the game is {after.phase}"
        if after.rings_left != before.rings_left or after.rings != before.rings:
            return None if self._ruled_since(before, "ring") else "rings were counted that nobody saw"
        if after.to_move != before.to_move and not self._ruled_since(
            before, "move", "pass", "skip", "forfeit", "game_over"
        ):
            in_play = None not in (after.to_move, before.to_move)
            return f"the turn went from {before.to_move} to {after.to_move}" if in_play else None
        if after.penalty_owed != before.penalty_owed and not self._ruled_since(before, "move", "forfeit", "game_over"):
            return "a penalty came or went"
        return None

    def _ruled_since(self, before: Snapshot, *kinds: str) -> bool:
        # What had not settled at the cut may still have been told by the referee, with its own time.
        return any(r.kind in kinds and r.t_ms >= before.now_ms - 900 for r in self.desk.rulings)

    def trace(self) -> str:
        """The game's journal, resumed and all: what `tamsk-pi replay` reads."""
        return self.journal.data.decode()

    # -- the comparison

    def _compare(self) -> None:
        over_ms = next((r.t_ms for r in self.desk.rulings if r.kind == "game_over"), self.now_ms)
        expected = testify(self._judged_by, self.plan.fitted, self._log, over_ms + self._slack_ms(over_ms))
        compare(self.name, expected, self.desk.rulings, self.dark, self._slack_ms, self.tally)

    def _slack_ms(self, t_ms: int) -> int:
        """By how much a time may be off: not at all, but while a contact flickered.

        Where no tilt switch tells when a glass was turned, its sand follows from the times of lift and placing, and so
        may be off ever after. A cap tells nothing of what its switches say for less than they settle, so that one which
        rattles long seems to rest in between, and to turn later, by which its sand is off twice.
        """
        if self.plan.cap_loss is not None and self.plan.habits != Habits():
            return 2 * SLACK_MS
        if not self.plan.fitted.tilt and self.flickering and t_ms >= self.flickering[0][0]:
            return SLACK_MS
        return SLACK_MS if any(since_ms <= t_ms <= until_ms for since_ms, until_ms in self.flickering) else 0
