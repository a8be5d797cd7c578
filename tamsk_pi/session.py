"""The whole path from raw edges to rulings, as one sans-I/O object.

`feed` edges in order of time, `advance` the time when nothing comes, and ask `next_deadline` when to come back. The
rulings depend on the times stamped on the edges alone: fed one by one, in batches, or with any number of advances in
between, they are the same (sensing.md, "From sensor edges to rulings").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tamsk_pi.referee.game import new_game
from tamsk_pi.referee.picture import take_picture
from tamsk_pi.referee.referee import Referee
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import CAPACITY, GLASSES, RINGS_PER_SIDE, SOCKETS, START, TIMER
from tamsk_pi.sensing.edges import BUTTONS, HOLDERS, Edge, EdgeValue, InputKind
from tamsk_pi.sensing.gestures import Blocked, Gesture
from tamsk_pi.sensing.hands import Hands
from tamsk_pi.sensing.order import FOREVER_MS, Noise, Order
from tamsk_pi.sensing.presses import Presses
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sensing.settle import Change, Input
from tamsk_pi.trace import End, LinkDown, LinkUp, Record

_NOTHING: Final[Sequence[Ruling]] = ()
_UP_FIELD: Final = {"a": "N", "b": "S"}


class OutOfOrderError(ValueError):
    """An edge or an advance that is earlier than what was taken before."""


class Session:
    """One game, from its settings on."""

    def __init__(self, settings: Settings) -> None:
        self.settings: Final = settings
        self._order: Final = Order(_inputs(settings))
        self._hands: Final = Hands(settings)
        self._presses: Final = Presses()
        self._closed: set[str] = set(settings.occupied)
        self._up: dict[str, str] = dict(settings.up)
        self._rings_lie: set[str] = set()
        self.referee: Final = Referee(new_game(settings, {}, settings.up))
        self._started = False
        self._blocked: Blocked | None = None
        self._now_ms = 0
        self._wake_ms = 0
        self._ended = False
        self._start_if_ready(0)

    # -- what is fed

    def feed(self, edge: Edge) -> Sequence[Ruling]:
        """Take one edge, no earlier than anything taken before; the rulings that are certain now."""
        self._go_to(edge.t_ms)
        if edge.t_ms >= self._wake_ms:
            self._run()
        due_ms = self._order.edge(edge)
        if due_ms is not None and due_ms < self._wake_ms:
            self._wake_ms = due_ms
        return self.referee.fetch() if self.referee.game.said else _NOTHING

    def feed_all(self, edges: Iterable[Edge]) -> list[Ruling]:
        """Take a batch of edges in order of time."""
        return [ruling for edge in edges for ruling in self.feed(edge)]

    def advance(self, now_ms: int) -> Sequence[Ruling]:
        """Time has come to `now_ms`: every edge stamped earlier has been fed."""
        self._go_to(now_ms)
        if now_ms >= self._wake_ms:
            self._run()
        return self.referee.fetch() if self.referee.game.said else _NOTHING

    def finish(self, t_ms: int) -> Sequence[Ruling]:
        """Nothing more will come: let deadlines up to and with `t_ms` fall due. What has not settled stays unknown."""
        self._go_to(t_ms)
        self._order.settle()
        self._order.forget_unsettled()
        self._go_to(t_ms + 1)
        self._run()
        self._ended = True
        return self.referee.fetch()

    def take(self, record: Record) -> Sequence[Ruling]:
        """Take any record of a trace."""
        match record:
            case Edge():
                return self.feed(record)
            case LinkDown(t_ms):
                return self.advance(t_ms)
            case LinkUp(t_ms):
                return self.advance(t_ms)
            case End(t_ms):
                return self.finish(t_ms)

    def next_deadline(self) -> int | None:
        """When to `advance` at the latest if no edge comes; None: only an edge can bring anything about."""
        return None if self._wake_ms >= FOREVER_MS else self._wake_ms

    def snapshot(self) -> Snapshot:
        """An immutable picture of the game now."""
        return take_picture(
            self.referee.game,
            self._now_ms,
            self.referee.life.phase,
            up=self._hands.up if self._started else self._up,
            faults=[f"{i.kind}:{i.name}" for i in self._order.inputs() if i.noisy] + self._hands.untrusted(),
            setup_problems=() if self._started else self._setup_problems(),
        )

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

    # -- the loop

    def _run(self) -> None:
        """Handle everything that is certain by now, in order of time: an action at t before a deadline at t."""
        order, presses, referee = self._order, self._presses, self.referee
        order.settle()
        self._blocked = None
        while True:
            horizon_ms = order.horizon_ms()
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
                if blocked is None:
                    continue
                self._blocked = blocked
                break
            if deadline_ms is None or deadline_ms >= horizon_ms or deadline_ms >= action_ms:
                break
            referee.fall_due(deadline_ms)
        self._wake_ms = self._next_wake_ms()

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

    def _handle(self, change: Change | Noise) -> Blocked | None:
        gestures: list[Gesture] = []
        if isinstance(change, Change) and change.kind == "button":
            press = self._presses.take(change, self._order)
            if isinstance(press, Blocked):
                return press
            if press is not None:
                gestures = [press]
        elif not self._started:
            self._set_up(change)
        else:
            told = self._hands.take(change, self._order, self.referee)
            if isinstance(told, Blocked):
                return told
            gestures = told
        self._order.pop()
        if self._started:
            self._judge(gestures)
        return None

    def _judge(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            self.referee.take(gesture)

    # -- before play

    def _set_up(self, change: Change | Noise) -> None:
        if isinstance(change, Noise):
            return
        if change.kind == "socket":
            (self._closed.add if change.value else self._closed.discard)(change.name)
        elif change.kind == "tilt":
            self._up[change.name] = str(change.value)
        elif change.kind == "ring":
            (self._rings_lie.add if change.value else self._rings_lie.discard)(change.name)
        self._start_if_ready(change.t_ms)

    def _setup_problems(self) -> list[str]:
        wanted = set() if self.settings.setup == "free" else set(START.values())
        return sorted(
            [f"{s}: put a glass here" for s in wanted - self._closed]
            + [f"{s}: take this glass away" for s in self._closed - wanted]
            + [f"{s}: take the rings off" for s in self._rings_lie]
        )

    def _start_if_ready(self, t_ms: int) -> None:
        free = self.settings.setup == "free"
        if self._rings_lie or self._closed != (set() if free else set(START.values())):
            return
        standing = {} if free else dict(START)
        self._hands.start(standing, self._up, t_ms)
        self.referee.game = new_game(self.settings, standing, self._up)
        self.referee.game.say(t_ms, "ready")
        self.referee.start(t_ms, {g: self._up[g] for g in GLASSES if g not in standing})
        self._started = True


def _inputs(settings: Settings) -> list[Input]:
    """Every input of a board with these settings, as it is at t = 0."""
    hall = settings.sockets == "hall"
    fields = {socket: _UP_FIELD[settings.up[g]] for g, socket in START.items()} if hall else {}
    empty: EdgeValue = None if hall else False

    def value_of(socket: str) -> EdgeValue:
        return fields.get(socket, "N" if hall else True) if socket in settings.occupied else empty

    values: dict[tuple[InputKind, str], EdgeValue] = {("socket", s): value_of(s) for s in SOCKETS}
    values |= {("tilt", g): settings.up[g] for g in (*GLASSES, TIMER)}
    values |= {("ring", s): 0 for s in CAPACITY}
    values |= {("holder", p): RINGS_PER_SIDE for p in HOLDERS}
    values |= {("button", b): False for b in BUTTONS}
    return [
        Input(kind, name, value, settings.gap_ms[kind], settings.settle_ms[kind])
        for (kind, name), value in values.items()
    ]
