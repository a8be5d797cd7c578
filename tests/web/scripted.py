"""A small game behind the page, for tests: hands that do what they are told, and a referee that knows four rules.

It stands for the real runner as `GameSource` describes it (its own thread, an inbox, immutable pictures), and is kept
simple on purpose: what the page shows is under test here, not the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Event, Lock, Thread

import attrs

from tamsk_pi.clock import Clock
from tamsk_pi.devices.base import LampFrame, Tone
from tamsk_pi.referee.blind import Differences
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import GlassView, RightView, Snapshot, ViolationView
from tamsk_pi.rules.board import CAPACITY, GLASSES, NEIGHBOURS, START, TIMER, Player, opponent, owner_of
from tamsk_pi.signals.language import Language
from tamsk_pi.web import actions
from tamsk_pi.web.actions import ArbiterAction, HandAction, Verb
from tamsk_pi.web.inbox import Inbox
from tamsk_pi.web.source import Answer, BoardView, GamePicture, LyingGlass, Mode, OrderedFault, Viewers

GLASS_MS = 180_000
TIMER_MS = 15_000
ALARM = (Tone(440, 120), Tone(330, 200))


class Refused(Exception):
    """An act that no hand can do."""


def plain_words(ruling: Ruling, language: Language = "en") -> str:
    """A ruling in words plain enough to be looked for in a test."""
    said = " ".join([ruling.kind, *(str(value) for value in ruling.details.values())])
    return said if language == "en" else f"{language}: {said}"


@attrs.define
class Hourglass:
    name: str
    socket: str | None
    lifted_from: str | None = None
    between: tuple[str, str] | None = None
    in_hand: bool = False
    up: str = "a"
    stops_at_ms: int | None = None
    moved: bool = False
    stood: dict[str, str] = attrs.field(factory=dict)

    def turn(self, now_ms: int, full_ms: int) -> None:
        above = max(0, (self.stops_at_ms or now_ms) - now_ms)
        self.stops_at_ms = now_ms + full_ms - above
        self.up = "b" if self.up == "a" else "a"


class ScriptedGame:
    """A `GameSource`. All but the protocol's own methods happens in its thread, or in `settle` before it runs."""

    def __init__(self, clock: Clock, *, mode: Mode = "simulator", with_hands: bool = True, level: int = 3) -> None:
        self.mode: Mode = mode
        self._clock = clock
        self._zero_ms = clock.now_ms()
        self._wake = Event()
        self._ended = False
        self._viewers: Viewers | None = None
        self._lock = Lock()
        self.hands: Inbox[HandAction] | None = Inbox(self._wake.set) if with_hands else None
        self.arbiter: ScriptedArbiter | None = ScriptedArbiter(self._wake)
        self.presses: list[tuple[str, str]] = []
        self.is_alive = True
        self._game = 0
        self._new(level, "rulebook", "stack", {"red": "Ada", "black": "Lin"})
        self._thread = Thread(target=self._run, name="scripted", daemon=True)

    # The protocol.

    def start(self, viewers: Viewers) -> None:
        self._viewers = viewers
        viewers.show(self.picture())
        if not self._thread.is_alive():
            self._thread.start()

    def now_ms(self) -> int:
        return self._clock.now_ms() - self._zero_ms

    def alive(self) -> bool:
        return self.is_alive

    def close(self) -> None:
        self._ended = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    # What tests do behind the page's back.

    def change(self, **values: object) -> None:
        """Set attributes of the game and show it."""
        with self._lock:
            for name, value in values.items():
                if not hasattr(self, name):
                    raise AttributeError(name)
                setattr(self, name, value)
            picture = self.picture()
        if self._viewers is not None:
            self._viewers.show(picture)

    def sound(self, tones: Sequence[Tone]) -> None:
        if self._viewers is not None:
            self._viewers.sound(tones)

    # The game.

    def _new(self, level: int, rules: str, ring_mode: str, names: Mapping[str, str]) -> None:
        self._game += 1
        self.level, self.rules, self.ring_mode, self.names = level, rules, ring_mode, dict(names)
        self.glasses = {name: Hourglass(name, START[name]) for name in GLASSES} | {TIMER: Hourglass(TIMER, None)}
        self.rings: dict[str, tuple[Player, ...]] = {}
        self.holders: dict[Player, int] = {"red": 32, "black": 32}
        self.differences = Differences()
        self.to_move: Player = "red"
        self.last_move: tuple[str, str] | None = None
        self.violations: tuple[ViolationView, ...] = ()
        self.rights: tuple[RightView, ...] = ()
        self.rulings: tuple[Ruling, ...] = (Ruling(0, "started"),)
        self.faults: tuple[OrderedFault, ...] = ()
        self.kept = ""
        self.result: str | None = None

    def _run(self) -> None:
        while not self._ended:
            self._wake.wait()
            self._wake.clear()
            self.settle()

    def settle(self) -> None:
        """Do all that waits, and show it."""
        taken = self.hands.take() if self.hands is not None else []
        asked = self.arbiter.inbox.take() if self.arbiter is not None else []
        for action, answer in taken:
            with self._lock:
                try:
                    self._do(action)
                    reason = None
                except Refused as refusal:
                    reason = str(refusal)
                picture = self.picture()
            if self._viewers is not None:
                self._viewers.show(picture)
            answer(reason)
        for word, answer in asked:
            self._say("paused" if word.verb == "pause" else "resumed")
            answer(None)
        if asked and self._viewers is not None:
            self._viewers.show(self.picture())

    def _do(self, action: HandAction) -> None:
        match action:
            case actions.Lift(name):
                glass = self.glasses[name]
                if glass.socket is None:
                    raise Refused(f"{name} stands in no socket")
                self.rights = ()
                glass.stood[glass.socket] = glass.up
                glass.lifted_from, glass.socket, glass.in_hand = glass.socket, None, True
            case actions.Place(name, socket, turned):
                self._place(self._held(name), socket, turned)
            case actions.PlaceBetween(name, socket, other):
                glass = self._held(name)
                glass.between, glass.in_hand = (socket, other), False
                self._say("fault", code="ambiguous_placing", socket=socket)
            case actions.PutBack(name):
                glass = self._held(name)
                self._place(glass, glass.lifted_from or START[name], turned=False)
            case actions.TurnInPlace(name):
                glass = self.glasses[name]
                glass.turn(self.now_ms(), GLASS_MS)
                self._violate("flipped_in_place", glass, glass.socket or "", glass.socket)
            case actions.DropRing(player, socket):
                self._drop_ring(player, socket)
            case actions.TakeRing(socket):
                self._take_ring(socket)
            case actions.TurnTimer():
                self.glasses[TIMER].turn(self.now_ms(), TIMER_MS)
                self._say("timer_started", player=opponent(self.to_move))
            case actions.PressButton(button, press):
                self.presses.append((button, press))
            case actions.NewGame(level, rules, rings, _, red, black, _):
                self._new(level, rules, rings, {"red": red, "black": black})
            case actions.SetNames(red, black):
                self.names = {"red": red, "black": black}
            case actions.SetFault(fault, socket, on):
                ordered = OrderedFault(fault, socket)
                others = tuple(one for one in self.faults if one != ordered)
                self.faults = (*others, ordered) if on else others

    def _held(self, name: str) -> Hourglass:
        glass = self.glasses[name]
        if not glass.in_hand:
            raise Refused(f"{name} is not in hand")
        return glass

    def _place(self, glass: Hourglass, socket: str, turned: bool) -> None:
        if any(other.socket == socket for other in self.glasses.values()):
            raise Refused(f"a glass stands in {socket} already")
        open_now = next((v for v in self.violations if v.glass == glass.name), None)
        home = open_now.home if open_now and open_now.home else glass.lifted_from or START[glass.name]
        if turned:
            glass.turn(self.now_ms(), GLASS_MS)
        glass.socket, glass.in_hand = socket, False
        self.violations = tuple(v for v in self.violations if v is not open_now)
        if open_now and socket == home:
            self._say("resolved", code=open_now.code)
        if socket == home:
            return
        if owner_of(glass.name) != self.to_move:
            self._violate("wrong_glass", glass, home, socket)
        elif socket not in NEIGHBOURS[home]:
            self._violate("not_adjacent", glass, home, socket)
        elif self.level > 1 and glass.stood[home] == glass.up:
            self._violate("not_flipped", glass, home, socket)
        else:
            glass.moved = True
            self._say("move", player=self.to_move, glass=glass.name, **{"from": home, "to": socket})
            self.last_move = (home, socket)
            self.rights = (RightView("move", self.to_move, socket, None),)
            self.to_move = opponent(self.to_move)

    def _violate(self, code: str, glass: Hourglass, home: str, socket: str | None) -> None:
        self._say("violation", code=code, player=self.to_move, glass=glass.name, to=socket)
        view = ViolationView(code, self.to_move, glass.name, home, socket, self.now_ms())
        self.violations = (*self.violations, view)
        self.sound(ALARM)

    def _drop_ring(self, player: Player, socket: str) -> None:
        stack = self.rings.get(socket, ())
        if len(stack) >= CAPACITY[socket]:
            raise Refused(f"{socket} is full")
        self.rings[socket] = (*stack, player)
        self.holders[player] -= 1
        if any(right.socket == socket and right.player == player for right in self.rights):
            self.rights = ()
            self._say("ring", player=player, socket=socket, count=len(stack) + 1, reason="move")
        else:
            self._say("violation", code="ring_not_due", socket=socket)
            view = ViolationView("ring_not_due", None, None, None, socket, self.now_ms())
            self.violations = (*self.violations, view)

    def _take_ring(self, socket: str) -> None:
        stack = self.rings.get(socket, ())
        if not stack:
            raise Refused(f"no ring lies on {socket}")
        self.rings[socket] = stack[:-1]
        self.holders[stack[-1]] += 1
        if any(v.code == "ring_not_due" and v.socket == socket for v in self.violations):
            self.violations = tuple(v for v in self.violations if v.socket != socket)
            self._say("resolved", code="ring_not_due")

    def _say(self, kind: str, **details: object) -> None:
        self.rulings = (*self.rulings, Ruling(self.now_ms(), kind, details))

    # The picture.

    def picture(self) -> GamePicture:
        board = BoardView(
            glasses={name: self._lying(glass) for name, glass in self.glasses.items()},
            rings=dict(self.rings),
            holders=dict(self.holders),
            faults=self.faults,
        )
        lamps = LampFrame(
            {
                "turn_red": self.to_move == "red",
                "turn_black": self.to_move == "black",
                "alarm": bool(self.violations),
                "ready": True,
            },
            red_sockets=frozenset(v.socket for v in self.violations if v.socket),
            green_sockets=frozenset(v.home for v in self.violations if v.home),
        )
        shown = board if self.hands is not None else None
        differ = self.differences
        return GamePicture(
            self._game, self._snapshot(), self.rulings, lamps, shown, self.ring_mode, differences=differ, kept=self.kept
        )

    def _full_ms(self, glass: Hourglass) -> int:
        return TIMER_MS if glass.name == TIMER else GLASS_MS

    def _lying(self, glass: Hourglass) -> LyingGlass:
        return LyingGlass(
            socket=glass.socket,
            between=glass.between,
            in_hand=glass.in_hand,
            lifted_from=glass.lifted_from,
            up=glass.up,
            stops_at_ms=glass.stops_at_ms,
            full_ms=self._full_ms(glass),
            stood=dict(glass.stood),
        )

    def _targets(self) -> dict[str, tuple[str, ...]]:
        taken = {glass.socket for glass in self.glasses.values()}
        found: dict[str, tuple[str, ...]] = {}
        for name in GLASSES:
            home = self.glasses[name].socket or self.glasses[name].lifted_from
            if owner_of(name) == self.to_move and home is not None:
                found[name] = tuple(s for s in NEIGHBOURS[home] if s not in taken)
        return found

    def _snapshot(self) -> Snapshot:
        counts = {socket: len(stack) for socket, stack in self.rings.items()}
        held = any(glass.in_hand for glass in self.glasses.values())
        return Snapshot(
            now_ms=self.now_ms(),
            phase="over" if self.result else "mending" if self.violations else "carrying" if held else "to_move",
            level=self.level,
            rules=self.rules,
            names=self.names,
            to_move=self.to_move,
            glasses={
                name: GlassView(
                    name=name,
                    socket=glass.socket,
                    in_hand=glass.in_hand,
                    lifted_from=glass.lifted_from,
                    up=glass.up,
                    stops_at_ms=glass.stops_at_ms,
                    full_ms=self._full_ms(glass),
                    moved=glass.moved,
                    out=False,
                )
                for name, glass in self.glasses.items()
            },
            rings=counts,
            seen_rings=counts,
            rings_left={str(side): count for side, count in self.holders.items()},
            rights=self.rights,
            violations=self.violations,
            targets=self._targets(),
            timer_armed_against=None,
            timer_expires_at_ms=None,
            penalty_owed=(),
            skip_owed=(),
            penalty_lamp=None,
            last_move=self.last_move,
            faults=(),
            setup_problems=(),
            winner=None,
            result=self.result,
        )


class ScriptedArbiter:
    """An arbiter that can pause and go on."""

    def __init__(self, wake: Event) -> None:
        self.inbox: Inbox[ArbiterAction] = Inbox(wake.set)

    def offers(self) -> tuple[Verb, ...]:
        return ("pause", "resume")

    def do(self, action: ArbiterAction, answer: Answer) -> None:
        self.inbox.do(action, answer)
