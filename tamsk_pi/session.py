"""The whole path from raw edges to rulings, as one sans-I/O object.

`feed` edges in order of time, `advance` the time when nothing comes, and ask `next_deadline` when to come back. The
rulings depend on the times stamped on the edges alone: fed one by one, in batches, or with any number of advances in
between, they are the same (sensing.md, "From sensor edges to rulings").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy, deepcopy
from typing import Final, NamedTuple, Protocol

import attrs

from tamsk_pi.referee.blind import Dark, Differences, differences
from tamsk_pi.referee.game import Game, new_game
from tamsk_pi.referee.picture import take_picture
from tamsk_pi.referee.referee import Referee
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import SetupProblem, Snapshot
from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import GLASSES, PLAYERS, SOCKETS, TIMER, owner_of
from tamsk_pi.sensing.edges import BUTTONS, Edge, EdgeValue, InputKind
from tamsk_pi.sensing.faults import Faults, broken_wire
from tamsk_pi.sensing.gestures import Blocked, Gesture, Lift, Oddity, Place, Press
from tamsk_pi.sensing.hands import Hands
from tamsk_pi.sensing.order import FOREVER_MS, CapNews, Event, Late, Order, Told, Unsteady
from tamsk_pi.sensing.presses import Presses, TwiceTogether
from tamsk_pi.sensing.seen import Seen
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sensing.settle import RATTLE_MS, Change, Input
from tamsk_pi.trace import End, LinkDown, LinkUp, Record

_NOTHING: Final[Sequence[Ruling]] = ()
_UP_FIELD: Final = {"a": "N", "b": "S"}
_UNHEARD_MS: Final = 30_000
"""A cap that is told to be silent was last heard so long ago at most: 25 s without a sign of life, and what a receiver
takes to tell of it."""


class OutOfOrderError(ValueError):
    """An edge or an advance that is earlier than what was taken before."""


class Deadline(NamedTuple):
    """Something fell due."""

    t_ms: int


class Begun(NamedTuple):
    """The board came to be set up as a game begins, so it began."""

    t_ms: int


Cause = Gesture | Word | Deadline | Begun | LinkDown | LinkUp
"""What rulings come of."""


class Witness(Protocol):
    """Looks on while a session judges, so that its rulings can be explained later; it changes nothing.

    Around each thing that may bring rulings about, `before` gets the game as it was and `after` what it was.
    """

    def heard(self, edge: Edge) -> None:
        """An edge was taken; whatever was certain before it has been judged."""
        ...

    def before(self, game: Game) -> None: ...

    def after(self, cause: Cause, game: Game) -> None: ...


class Session:
    """One game, from its settings on."""

    def __init__(self, settings: Settings, witness: Witness | None = None) -> None:
        self.settings = settings
        self._witness: Final = witness
        inputs = _inputs(settings)
        self._order: Final = Order(inputs)
        self._begins_with: Final = settings.begins_with
        self._hands: Final = Hands(settings)
        self._presses: Final = Presses()
        self._twice_together: Final = TwiceTogether()
        self._faults: Final = Faults()
        self._seen = Seen(
            fields={i.name: i.settled for i in inputs if i.kind == "socket" and i.settled},
            up=dict(settings.up),
            **_counted_at_first(settings),
        )
        self._seen_at_pause: Seen = self._seen.copy()
        self._back_in_hand: set[str] = set()
        """Glasses whose caps were heard again while they were in a hand."""
        self._unjudged: list[Change] = []
        """Changes that could not be judged any more when judging ended."""
        self.referee: Final = Referee(new_game(settings, {}, settings.up))
        self.referee.game.unheard = self._hands.unheard
        self._started = False
        self._started_ms = 0
        self._link_is_up = True
        self._blocked: Blocked | None = None
        self._now_ms = 0
        self._wake_ms = 0
        self._no_wire_ms = -1
        """When changes were last found not to be those of a wire."""
        self._ended = False
        self._start_if_ready(0)

    # -- what is fed

    def feed(self, edge: Edge) -> Sequence[Ruling]:
        """Take one edge, no earlier than anything taken before; the rulings that are certain now."""
        self._go_to(edge.t_ms)
        if edge.t_ms >= self._wake_ms:
            self._run()
        if edge.kind == "cap":
            if self._witness is not None:
                self._witness.heard(edge)
            return self._hear_of_cap(edge)
        if not self._link_is_up:
            return _NOTHING
        due_ms = self._order.edge(edge)
        if self._witness is not None:
            self._witness.heard(edge)
        if due_ms is not None and due_ms < self._wake_ms:
            self._wake_ms = due_ms
        return self.referee.fetch() if self.referee.game.said else _NOTHING

    def _hear_of_cap(self, edge: Edge) -> Sequence[Ruling]:
        self._order.hear(CapNews(edge.t_ms, edge.name, str(edge.value) if edge.value else None))
        if self._link_is_up:
            self._run()
        return self.referee.fetch()

    def feed_all(self, edges: Iterable[Edge]) -> list[Ruling]:
        """Take a batch of edges in order of time."""
        return [ruling for edge in edges for ruling in self.feed(edge)]

    def advance(self, now_ms: int) -> Sequence[Ruling]:
        """Time has come to `now_ms`: every edge stamped earlier has been fed."""
        self._go_to(now_ms)
        if now_ms >= self._wake_ms and self._link_is_up:
            self._run()
        return self.referee.fetch() if self.referee.game.said else _NOTHING

    def finish(self, t_ms: int) -> Sequence[Ruling]:
        """Nothing more will come: let deadlines up to and with `t_ms` fall due. What has not settled stays unknown."""
        self._go_to(t_ms)
        if self._link_is_up:
            self._order.settle()
            self._order.known_before_ms = t_ms + 1
            self._judge_what_is_certain(t_ms + 1)
        self._now_ms = self._order.known_before_ms = t_ms + 1
        self._ended = True
        return self.referee.fetch()

    def take(self, record: Record) -> Sequence[Ruling]:
        """Take any record of a trace."""
        match record:
            case Edge():
                return self.feed(record)
            case Word():
                return self.say(record)
            case LinkDown(t_ms):
                return self.link_down(t_ms)
            case LinkUp():
                return self.link_up(record)
            case End(t_ms):
                return self.finish(t_ms)

    def say(self, word: Word) -> Sequence[Ruling]:
        """Take a word of the arbiter's; it is obeyed in its place in the order."""
        self._go_to(word.t_ms)
        self._order.tell(word.t_ms, word)
        self._run()
        if word.what == "pause" and self._is_judging() and self._link_is_up:
            # What is not certain by now must not keep the pause waiting.
            self._judge_what_is_certain(word.t_ms + 1)
        return self.referee.fetch()

    def link_down(self, t_ms: int) -> Sequence[Ruling]:
        """The sensors went silent: what has not settled stays unknown, and nothing is judged until `link_up`."""
        self._go_to(t_ms)
        self._run()
        self._judge_what_is_certain(t_ms)
        self._order.forget_unsettled()
        self._link_is_up = False
        self._presses.forget()
        if self._is_judging():
            self._note_what_is_seen()
        self._unjudged.clear()
        self._look_on()
        if self._started:
            self.referee.pause(t_ms, "link")
        self._looked_on(LinkDown(t_ms))
        self._wake_ms = FOREVER_MS
        return self.referee.fetch()

    def compare(self, record: LinkUp) -> Differences:
        """How a board that tells this differs from what the referee has; what it would be told as `unobserved`."""
        return differences(self.referee.game, self._hands, self._seen_at_pause, self._with(record))

    def _with(self, record: LinkUp) -> Seen:
        seen = self._seen.copy()
        seen.up |= record.up
        seen.up |= {g: self._hands.up[g] for g in self._hands.unheard if self._started}
        seen.rings |= record.rings
        seen.holders |= record.holders
        if record.occupied is None:
            return seen
        hall, standing = self.settings.sockets == "hall", self._hands.standing
        told: EdgeValue = "N" if hall else True
        seen.fields = {s: self._seen.fields.get(s, told) for s in record.occupied}
        if hall:
            seen.fields |= {s: _UP_FIELD[seen.up[standing[s]]] for s in seen.fields if s in standing}
            seen.fields |= {s: f for s, f in record.fields.items() if s in seen.fields}
        return seen

    def link_up(self, record: LinkUp) -> Sequence[Ruling]:
        """The sensors are back, and this is what they tell."""
        self._go_to(record.t_ms)
        self._link_is_up = True
        seen = self._seen = self._with(record)
        self._order.reset(_values(seen, self.settings))
        if self._started:
            self._look_on()
            dark = Dark(gap_known=record.gap_known, up_told=frozenset(record.up))
            # First, as it tells what stopped meanwhile, at its own time.
            self._go_on(self._seen_at_pause, seen, record.t_ms, dark)
            for cleared in self._faults.all_cleared(record.t_ms):
                self._take_gesture(cleared)
            if not record.gap_known:
                self.referee.ask_for_sand(record.t_ms)
            self._looked_on(record)
        else:
            self._start_if_ready(record.t_ms)
        self._run()
        return self.referee.fetch()

    def next_deadline(self) -> int | None:
        """When to `advance` at the latest if no edge comes; None: only an edge can bring anything about."""
        return None if self._wake_ms >= FOREVER_MS else self._wake_ms

    def snapshot(self) -> Snapshot:
        """An immutable picture of the game now."""
        return take_picture(
            self.referee.game,
            self._now_ms,
            self.referee.life.phase,
            up=self._hands.up if self._started else self._seen.up,
            faults={*self._faults.names(), *self._hands.untrusted()},
            setup_problems=() if self._started else self._setup_problems(),
        )

    def twin(self) -> Session:
        """The game as it is now once more, which goes its own way; nobody looks on at it."""
        twin = copy(self)
        vars(twin).update(deepcopy({name: value for name, value in vars(self).items() if name != "_witness"}))
        vars(twin)["_witness"] = None
        return twin

    def raw_value(self, kind: InputKind, name: str) -> EdgeValue:
        """What an input told last, settled or not."""
        return self._order.input(kind, name).value

    @property
    def link_is_up(self) -> bool:
        """Whether the sensors are listened to."""
        return self._link_is_up

    @property
    def ended(self) -> bool:
        """Whether the end of the trace has been taken."""
        return self._ended

    @property
    def now_ms(self) -> int:
        """The time of the last edge or advance."""
        return self._now_ms

    def _go_to(self, t_ms: int) -> None:
        if t_ms < self._now_ms or self._ended:
            told = "the trace has ended" if self._ended else f"time goes back from {self._now_ms} to {t_ms}"
            raise OutOfOrderError(told)
        self._now_ms = self._order.known_before_ms = t_ms

    def _judge_what_is_certain(self, until_ms: int) -> None:
        """Judging ends: rule on what happened before `until_ms`, as far as it is certain; the rest stays unknown."""
        self._hands.unsure = {(i.kind, i.name) for i in self._order.unsettled()}
        self._run(final_ms=until_ms)
        self._hands.unsure.clear()

    def _note_what_is_seen(self) -> None:
        """Remember what the sensors told when judging ended; what could not be judged any more differs from that."""
        self._seen_at_pause = self._seen.copy()
        for change in self._unjudged:
            self._seen.take(change)
        self._unjudged.clear()

    # -- the loop

    def _run(self, *, final_ms: int | None = None) -> None:
        """Handle everything that is certain by now, in order of time: an action at t before a deadline at t.

        `final_ms`: handle everything before that, and pass over what is not certain.
        """
        order, presses, referee = self._order, self._presses, self.referee
        order.settle()
        self._blocked = None
        while True:
            horizon_ms = order.horizon_ms() if final_ms is None else final_ms
            change = order.peek()
            held_ms = presses.next_held_ms()
            deadline_ms = referee.next_deadline_ms() if self._started else None
            action_ms = FOREVER_MS if change is None else change.t_ms
            if held_ms is not None and held_ms < action_ms:
                if held_ms < horizon_ms and (deadline_ms is None or held_ms <= deadline_ms):
                    press = presses.pop_held()
                    if press is not None:
                        self._judge([press])
                    continue
                action_ms = held_ms
            elif change is not None and action_ms < horizon_ms and (deadline_ms is None or action_ms <= deadline_ms):
                blocked = self._handle(change)
                if blocked is not None and blocked.meanwhile is not None:
                    self._judge([blocked.meanwhile])
                if blocked is not None and blocked.by_hands and isinstance(change, Change) and order.is_told():
                    self._hands.give_up(change)
                    continue
                if blocked is None:
                    continue
                if final_ms is not None and isinstance(change, Change):
                    self._pass_over(change)
                    continue
                self._blocked = blocked
                break
            if deadline_ms is None or deadline_ms >= horizon_ms or deadline_ms >= action_ms:
                break
            self._look_on()
            referee.fall_due(deadline_ms)
            if referee.game.result is not None:
                self._note_what_is_seen()
            self._looked_on(Deadline(deadline_ms))
        self._wake_ms = self._next_wake_ms()

    def _pass_over(self, change: Change) -> None:
        """Handle a change that can't be judged for certain any more."""
        self._order.pop()
        if change.kind == "button":
            return
        if change.kind == "socket":
            gestures = self._hands.cut_short(change, self._order, self.referee)
            self._seen.take(change)
            self._judge(gestures)
            for glass in self._hands.unjudged:
                # Of a game that is over the referee follows no hands.
                if glass in self.referee.game.held:
                    self.referee.game.held[glass].set_down = True
        else:
            self._unjudged.append(change)

    def _next_wake_ms(self) -> int:
        now_ms = self._now_ms
        wake_ms = self._order.next_due_ms()
        later = [self._presses.next_held_ms()]
        if self._blocked is not None:
            later.append(self._blocked.until_ms)
        elif self._started:
            later.append(self.referee.next_deadline_ms())
        for t_ms in later:
            if t_ms is not None and now_ms <= t_ms < wake_ms:
                wake_ms = t_ms + 1
        return wake_ms

    def _handle(self, event: Event) -> Blocked | None:
        """Handle the earliest event; `Blocked` leaves it waiting."""
        if isinstance(event, Told):
            self._order.pop()
            if isinstance(event.what, Word):
                self._look_on()
                self._obey(event.what)
                self._looked_on(event.what)
            return None
        if isinstance(event, CapNews):
            self._order.pop()
            self._take_cap(event)
            return None
        if isinstance(event, Late | Unsteady):
            self._order.pop()
            self._judge([event.what] if isinstance(event, Late) else self._unsteady(event))
            return None
        if not _is_used(event, self.settings) or (self._started and self._faults.ignores(event)):
            self._order.pop()
            return None
        if event.t_ms != self._no_wire_ms and self._is_judging():
            self._no_wire_ms = event.t_ms
            # A press says nothing of a wire, nor does what is not listened to.
            at_once = [c for c in self._order.at_once_with(event) if c.kind != "button" and _is_used(c, self.settings)]
            wire = broken_wire(at_once, self._hands.standing) if len(at_once) > 1 else None
            if wire is not None:
                self._order.drop(at_once)
                self._judge([wire])
                return None
        gestures = self._understood(event)
        if isinstance(gestures, Blocked):
            return gestures
        self._order.pop()
        if not self._started:
            self._start_if_ready(event.t_ms)
            return None
        self._judge(gestures)
        return None

    def _understood(self, change: Change) -> list[Gesture] | Blocked:
        """What a settled change means; it is entered in what is seen unless it is not believed."""
        if change.kind == "button":
            stuck = self._held_from_start(change)
            if stuck is not None:
                return [stuck]
            press = self._presses.take(change, self._order)
            if press is None or isinstance(press, Blocked):
                return press or []
            return self._together_with_its_glass(press)
        cleared: list[Gesture] = []
        if change.kind in ("ring", "holder") and self._started:
            last = self._seen.count(change.kind, change.name)
            count = self._faults.believed_count(change, last, self._order)
            if isinstance(count, Blocked):
                return count
            if isinstance(count, Oddity):
                return [count]
            end = self._faults.cleared(change.t_ms, change.kind, change.name)
            cleared = [] if end is None or end.code != "impossible_count" else [end]
            change = change._replace(before=last)
            if count == last:
                return cleared
        told: list[Gesture] | Blocked = []
        if self._is_judging():
            told = self._hands.take(change, self._order, self.referee)
            if isinstance(told, Blocked):
                return told
        self._seen.take(change)
        return [*cleared, *told]

    def _held_from_start(self, change: Change) -> Oddity | None:
        """A button that was down as the game began is not pressed but stuck, until it has been let go."""
        details = {"kind": "button", "input": change.name}
        if change.value and change.t_ms <= self._started_ms:
            return Oddity(change.t_ms, "fault", "held_from_start", details)
        if not change.value and self._faults.cleared(change.t_ms, "button", change.name) is not None:
            return Oddity(change.t_ms, "fault_cleared", "held_from_start", details)
        return None

    def _together_with_its_glass(self, press: Press) -> list[Gesture] | Blocked:
        """A press for a ring may come a moment before the glass it belongs to: then it counts from the placing."""
        game = self.referee.game
        early = (
            self.settings.rings == "buttons"
            and self._is_judging()
            and press.length == "short"
            and any(owner_of(g) == press.who for g in game.held)
            and not any(r.player == press.who for r in game.rights)
        )
        placed_ms = self._hands.move_to_come(press.t_ms, None, press.who, self._order, self.referee) if early else None
        if placed_ms is None or isinstance(placed_ms, Blocked):
            return placed_ms or [press]
        self._order.delay(placed_ms, press._replace(t_ms=placed_ms))
        return []

    def _unsteady(self, event: Unsteady) -> list[Gesture]:
        """What is told of an input that gives no rest, or is quiet again."""
        t_ms, kind, name, what = event
        details = {"kind": kind, "input": name}
        if what == "weak":
            return [Oddity(t_ms, "notice", "weak", details)]
        if what == "quiet":
            found = self._faults.what_was_ignored(t_ms, kind, name)
            if found is not None:
                self._order.put(found)
            return [Oddity(t_ms, "fault_cleared", "noisy", details)]
        if what == "rattles" and not self._is_worth_a_fault(event):
            return []
        return [Oddity(t_ms, "fault", "noisy", details)]

    def _is_worth_a_fault(self, rattle: Unsteady) -> bool:
        """Whether what rattles is not in a hand."""
        if not self._started or not _is_used(rattle, self.settings):
            return False
        if rattle.kind != "tilt" or rattle.name == TIMER:
            return True
        if rattle.name in self._hands.in_hand or not self.referee.game.senses_tilt(rattle.name):
            return False
        return rattle.t_ms - self._hands.placed_ms.get(rattle.name, 0) >= RATTLE_MS

    def _is_judging(self) -> bool:
        game = self.referee.game
        return self._started and game.paused_ms is None and game.result is None

    def _judge(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            self._look_on()
            self._take_gesture(gesture)
            self._looked_on(gesture)

    def _take_gesture(self, gesture: Gesture) -> None:
        if isinstance(gesture, Press) and gesture.who == "arbiter":
            self._obey(Word(gesture.t_ms, self._word_for(gesture)))
        elif isinstance(gesture, Oddity):
            if self._faults.is_news(gesture):
                self.referee.take(gesture)
        elif self._is_judging():
            if isinstance(gesture, Lift):
                self._faults.forget_turning(gesture.glass)
            self.referee.take(gesture)
            if isinstance(gesture, Lift):
                held = self.referee.game.held.get(gesture.glass)
                if held is not None and held.socket is None:
                    self._hands.lay_beside(gesture.glass, held.up)
            if isinstance(gesture, Press) and self._twice_together.take(gesture) and self._is_judging():
                self._obey(Word(gesture.t_ms, "takeback"))
            if self.referee.game.result is not None:
                self._note_what_is_seen()
        self._hear_of_turnings()
        if isinstance(gesture, Place) and gesture.glass in self._back_in_hand:
            self._believe_cap(gesture.t_ms, gesture.glass)

    def _hear_of_turnings(self) -> None:
        for glass in self.referee.game.turned_unseen:
            self._hands.turn_unseen(glass)
            if glass in self._hands.unheard:
                self._seen.up[glass] = self._hands.up[glass]
        self.referee.game.turned_unseen.clear()

    def _go_on(self, then: Seen, now: Seen, t_ms: int, dark: Dark | None = None) -> None:
        self.referee.go_on(self._hands, then, now, t_ms, dark)
        self._hear_of_turnings()

    def _look_on(self) -> None:
        if self._witness is not None:
            self._witness.before(self.referee.game)

    def _looked_on(self, cause: Cause) -> None:
        if self._witness is not None:
            self._witness.after(cause, self.referee.game)

    # -- radio caps

    def _take_cap(self, news: CapNews) -> None:
        """From a glass whose cap is silent nothing is believed; once it is back its end is taken as it is."""
        t_ms, glass, up = news
        if up is None:
            self._hands.unheard.add(glass)
            self._order.listen("tilt", glass, on=False)
            silent = Oddity(t_ms, "fault", "cap_silent", {"glass": glass})
            self._judge([silent])
            if self._is_judging():
                self._look_on()
                self.referee.believe_turned(t_ms, glass, t_ms - _UNHEARD_MS)
                self._looked_on(silent)
                self._hear_of_turnings()
            return
        self._order.note("tilt", glass, up)
        self._judge([Oddity(t_ms, "fault_cleared", "cap_silent", {"glass": glass})])
        if self._is_judging() and glass in self._hands.in_hand:
            # What it was before it was lifted is not known: this handling is still one that nobody tells of.
            self._hands.unheard.add(glass)
            self._order.listen("tilt", glass, on=False)
            self._order.note("tilt", glass, up)
            self._back_in_hand.add(glass)
        else:
            self._believe_cap(t_ms, glass)

    def _believe_cap(self, t_ms: int, glass: str) -> None:
        """Take the end that a cap tells for the one that is up; nobody is blamed for what it was turned meanwhile."""
        self._hands.unheard.discard(glass)
        self._back_in_hand.discard(glass)
        up = str(self._order.input("tilt", glass).value)
        self._order.take_over("tilt", glass, up)
        self._seen.up[glass] = up
        by_field = self.settings.sockets == "hall" and glass in self._hands.standing.values()
        if not self._is_judging() or not self.settings.senses_tilt or by_field:
            return
        if self._hands.take_over(glass, up):
            self._look_on()
            self.referee.turned_while_unheard(t_ms, glass)
            self._looked_on(Oddity(t_ms, "notice", "unobserved", {"turned": [glass]}))

    # -- the arbiter

    def _word_for(self, press: Press) -> str:
        if press.length == "short":
            return "pause" if self.referee.game.paused_ms is None else "resume"
        return "recheck" if press.length == "long" else "annul"

    def _obey(self, word: Word) -> None:
        referee, t_ms = self.referee, word.t_ms
        if not self._started:
            if word.what == "dead":
                # A sensor that cannot be right must not keep the game from beginning.
                self._declare_dead(word)
                self._start_if_ready(t_ms)
            else:
                referee.refuse(word, "the game has not begun")
            return
        match word.what:
            case "pause":
                if self._is_judging():
                    self._note_what_is_seen()
                    referee.pause(t_ms, "arbiter")
            case "resume":
                if self._link_is_up:
                    self._go_on(self._seen_at_pause, self._seen, t_ms)
            case "place":
                self._place_by_word(word)
            case "dead":
                self._declare_dead(word)
            case "names":
                self._name_players(word)
            case _:
                was_over = referee.game.result is not None
                if referee.obey(word):
                    # While the game was over nothing was judged: the board may have been changed.
                    self._go_on(self._seen_at_pause, self._seen, t_ms)
                elif not was_over and referee.game.result is not None:
                    self._note_what_is_seen()

    def _name_players(self, word: Word) -> None:
        red = str(word.details.get("red", self.settings.red))
        black = str(word.details.get("black", self.settings.black))
        self.settings = self.referee.game.settings = attrs.evolve(self.settings, red=red, black=black)
        self.referee.game.say(word.t_ms, "notice", code="names_corrected", red=red, black=black)

    def _place_by_word(self, word: Word) -> None:
        glass, socket = str(word.details["glass"]), str(word.details["socket"])
        if not self._is_judging() or self.referee.game.result is not None:
            self.referee.refuse(word, "nothing is judged now")
            return
        told = self._hands.place_by_word(word.t_ms, glass, socket, turned=bool(word.details["turned"]))
        if told is None:
            self.referee.refuse(word, "another glass stands there")
        else:
            cleared = self._faults.cleared(word.t_ms, "socket", socket)
            if cleared is not None and cleared.code == "unexpected_closed":
                # Now it is known what had closed it.
                self._take_gesture(cleared)
            for gesture in told:
                self._take_gesture(gesture)

    def _declare_dead(self, word: Word) -> None:
        socket, dead = str(word.details["socket"]), bool(word.details["dead"])
        self._order.listen("socket", socket, on=not dead)
        (self._hands.dead.add if dead else self._hands.dead.discard)(socket)
        self.referee.game.say(word.t_ms, "notice", code="socket_dead" if dead else "socket_alive", socket=socket)
        if dead:
            return
        # What it is blamed for from now on is a fault of its own, to be told again.
        cleared = self._faults.cleared(word.t_ms, "socket", socket)
        if cleared is not None:
            self._take_gesture(cleared)
        self._seen.take(Change(word.t_ms, "socket", socket, self._order.input("socket", socket).value, None))
        if self._is_judging():
            self._note_what_is_seen()
            self.referee.pause(word.t_ms, "arbiter")
            self._go_on(self._seen_at_pause, self._seen, word.t_ms)

    # -- before play

    def _setup_problems(self) -> list[SetupProblem]:
        closed, wanted = set(self._seen.fields) - self._hands.dead, self._wanted() - self._hands.dead
        return sorted(
            [SetupProblem(s, "put_glass") for s in wanted - closed]
            + [SetupProblem(s, "take_glass") for s in closed - wanted]
            + [
                SetupProblem(s, "put_rings" if count < self._begins_with.rings[s] else "take_rings")
                for s, count in self._seen.rings.items()
                if count != self._begins_with.rings[s]
            ],
            key=lambda problem: (problem.socket, problem.what),
        )

    def _wanted(self) -> set[str]:
        return set(self._begins_with.glasses.values())

    def _start_if_ready(self, t_ms: int) -> None:
        if self._setup_problems():
            return
        standing = dict(self._begins_with.glasses)
        up = dict(self._seen.up)
        self._hands.start(standing, up, t_ms)
        said_before = self.referee.game.said
        self.referee.game = new_game(self.settings, standing, up)
        self.referee.game.unheard = self._hands.unheard
        self.referee.game.said = said_before
        self._look_on()
        self.referee.game.say(t_ms, "ready")
        self.referee.start(
            t_ms, {g: up[g] for g in GLASSES if g not in standing}, from_position=bool(self.settings.position)
        )
        self._looked_on(Begun(t_ms))
        self._started = True
        self._started_ms = t_ms


def _is_used(event: Change | Unsteady, settings: Settings) -> bool:
    """Rings are noticed in one way, by the setting; what other sensors tell of them is passed over."""
    return not (
        (event.kind == "ring" and settings.rings != "stack") or (event.kind == "holder" and settings.rings != "holder")
    )


def _values(seen: Seen, settings: Settings) -> dict[tuple[InputKind, str], EdgeValue]:
    """What the sensors told, as the values of inputs; every button is up."""
    empty: EdgeValue = None if settings.sockets == "hall" else False
    values: dict[tuple[InputKind, str], EdgeValue] = {("socket", s): seen.fields.get(s, empty) for s in SOCKETS}
    values |= {("tilt", g): up for g, up in seen.up.items()}
    values |= {("ring", s): count for s, count in seen.rings.items()}
    values |= {("holder", p): count for p, count in seen.holders.items()}
    values |= {("button", b): False for b in BUTTONS}
    return values


def _counted_at_first(settings: Settings) -> dict[str, dict[str, int]]:
    """What a set-up position says of rings; nothing for the usual start, at which none lies anywhere."""
    if not settings.position:
        return {}
    begins_with = settings.begins_with
    return {"rings": dict(begins_with.rings), "holders": {str(p): n for p, n in begins_with.rings_left.items()}}


def _inputs(settings: Settings) -> list[Input]:
    """Every input of a board with these settings, as it is at t = 0."""
    hall = settings.sockets == "hall"
    begins_with = settings.begins_with
    fields = {socket: _UP_FIELD[settings.up[g]] for g, socket in begins_with.glasses.items()}
    at_start = Seen({s: fields.get(s, "N") if hall else True for s in settings.occupied}, dict(settings.up))
    values = _values(at_start, settings)
    values |= {("ring", s): begins_with.rings[s] for s in SOCKETS}
    values |= {("holder", p): begins_with.rings_left[p] for p in PLAYERS}
    return [
        Input(kind, name, value, settings.gap_ms[kind], settings.settle_ms[kind], settings.weak_flickers)
        for (kind, name), value in values.items()
    ]
