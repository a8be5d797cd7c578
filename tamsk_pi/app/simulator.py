"""What hands do to the virtual board from the page, and what the page sees of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs

from tamsk_pi.opponent.seat import Choice
from tamsk_pi.rules.board import CAPACITY, GLASSES, PLAYERS, RINGS_PER_SIDE, TIMER, Player, opponent, owner_of
from tamsk_pi.rules.position import Position
from tamsk_pi.runner.lessons import TASKS, Lesson, settings_for
from tamsk_pi.runner.loop import Loop
from tamsk_pi.runner.opponents import Coach, OpponentAtBoard
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sim.faults import Bouncy, Fault, Stuck, Weak
from tamsk_pi.sim.rig import Rig, Table
from tamsk_pi.sim.truth import Fitted, Glass, ImpossibleAct, Truth
from tamsk_pi.web import actions
from tamsk_pi.web.inbox import Inbox
from tamsk_pi.web.source import BoardView, LyingGlass, OrderedFault

_INPUT_FAULTS: Final[dict[str, Callable[[str], Fault]]] = {
    "stuck_closed": lambda socket: Stuck(("socket", socket), True),
    "stuck_open": lambda socket: Stuck(("socket", socket), False),
    "weak": lambda socket: Weak(("socket", socket)),
    "bouncing": lambda socket: Bouncy(("socket", socket)),
}


def table_for(settings: Settings, table: Table) -> Table:
    """The table laid out for a game with these settings."""
    begins_with = settings.begins_with
    return attrs.evolve(
        table,
        fitted=Fitted(settings.sockets, settings.tilt, settings.rings),
        standing=begins_with.glasses,
        stacks=stacks_of(begins_with),
        glass_ms={g: dict(ends) for g, ends in settings.glass_ms.items()},
    )


def stacks_of(position: Position) -> dict[str, tuple[Player, ...]]:
    """Whose rings might lie where: a position tells how many each side has dropped, not which."""
    dropped = {player: RINGS_PER_SIDE - left for player, left in position.rings_left.items()}
    # Mixed evenly, as they would be after so many turns.
    mixed: list[Player] = []
    left = dict(dropped)
    while any(left.values()):
        player: Player = max(PLAYERS, key=lambda side: (left[side] / max(1, dropped[side]), side == "red"))
        left[player] -= 1
        mixed.append(player)
    stacks = {}
    for socket, count in position.rings.items():
        if count:
            stacks[socket], mixed = tuple(mixed[:count]), mixed[count:]
    return stacks


class SimulatorHands:
    """Does what pages ask of the hands, in the loop's thread. `inbox` is what the page posts to."""

    def __init__(
        self,
        rig: Rig,
        settings: Settings,
        *,
        opponent: OpponentAtBoard | None = None,
        coach: Coach | None = None,
        lesson: Lesson | None = None,
    ) -> None:
        self.inbox: Final[Inbox[actions.HandAction]] = Inbox(self._wake)
        self._rig: Final = rig
        self._settings = settings
        self._glass_ms: Final = settings.glass_ms
        """What the lesson's tasks change for a while."""
        self._opponent: Final = opponent
        self._coach: Final = coach
        self._lesson: Final = lesson
        self._loop: Loop | None = None

    @property
    def settings(self) -> Settings:
        """Of the game that is played now; from any thread."""
        return self._settings

    def attach(self, loop: Loop) -> None:
        """The loop in whose thread things are done."""
        self._loop = loop

    def _wake(self) -> None:
        if self._loop is not None:
            self._loop.call(self._do_all)

    def _do_all(self, now_ms: int) -> None:
        for action, answer in self.inbox.take():
            reason: str | None = "it could not be done; the log tells why"
            try:
                self._do(action, max(now_ms, self._rig.board.now_ms))
                reason = None
            except (ImpossibleAct, ValueError) as error:
                reason = str(error)
            finally:
                answer(reason)

    def _do(self, action: actions.HandAction, now_ms: int) -> None:
        hands, truth = self._rig.hands, self._rig.board.foreseen()
        match action:
            case actions.Lift(glass):
                hands.lift(owner_of(glass), glass, now_ms)
            case actions.Place(glass, socket, turned):
                self._turn_if(turned, glass, now_ms)
                hands.place(owner_of(glass), glass, socket, now_ms)
            case actions.PlaceBetween(glass, socket, other):
                hands.drop_between(owner_of(glass), glass, (socket, other), now_ms)
            case actions.PutBack(glass):
                hands.put_back(owner_of(glass), glass, now_ms)
            case actions.TurnInPlace(glass):
                hands.lift(owner_of(glass), glass, now_ms)
                hands.turn_over(owner_of(glass), glass, now_ms)
                hands.put_back(owner_of(glass), glass, now_ms)
            case actions.DropRing(player, socket):
                hands.drop_ring(player, socket, now_ms)
            case actions.TakeRing(socket):
                if not truth.stacks[socket]:
                    raise ImpossibleAct(f"no ring lies on {socket}")
                hands.take_ring_off(truth.stacks[socket][-1], socket, now_ms)
            case actions.TurnTimer():
                hands.turn_timer(self._waiting_side(), now_ms)
            case actions.PressButton(button, press, lays_ring):
                if lays_ring and button != "arbiter":
                    self._lay_ring(button, press, now_ms)
                hands.press(button if button != "arbiter" else self._waiting_side(), button, now_ms, press)
            case actions.NewGame():
                self._new_game(action)
            case actions.Lesson(task):
                self._begin_task(task)
            case actions.Hint():
                if self._coach is None:
                    raise ImpossibleAct("there is no coach here")
                self._coach.ask()
            case actions.SetNames(red, black):
                self._settings = attrs.evolve(self._settings, red=red, black=black)
                if self._loop is not None:
                    self._loop.desk.say("names", {"red": red, "black": black}, now_ms)
            case actions.SetFault(fault, socket, on):
                self._set_fault(fault, socket, on)

    def _turn_if(self, turned: bool, glass: str, now_ms: int) -> None:
        if turned:
            self._rig.hands.turn_over(owner_of(glass), glass, now_ms)

    def _lay_ring(self, player: Player, press: str, now_ms: int) -> None:
        """Drop the ring that this press is going to tell of, where a right is open and no ring lies there yet."""
        if self._loop is None or self._settings.rings != "buttons":
            return
        snapshot = self._loop.desk.snapshot()
        rights = {right.kind: right.socket for right in snapshot.rights if right.player == player}
        if press == "short":
            socket = rights.get("move") or rights.get("claim")
        else:
            socket = snapshot.penalty_lamp if press == "long" and "penalty" in rights else None
        stacks = self._rig.board.foreseen().stacks
        if socket is not None and len(stacks[socket]) <= snapshot.rings.get(socket, 0) < CAPACITY[socket]:
            self._rig.hands.drop_ring(player, socket, now_ms)

    def _waiting_side(self) -> Player:
        loop = self._loop
        return opponent(loop.desk.session.referee.game.to_move) if loop is not None else "black"

    def _new_game(self, action: actions.NewGame) -> None:
        self._settings = attrs.evolve(
            self._settings,
            level=action.level,
            rules=action.rules,
            rings=action.rings,
            setup=action.setup,
            red=action.red,
            black=action.black,
            position=action.position,
            glass_ms=self._glass_ms,
        )
        if self._opponent is not None:
            self._opponent.choose(Choice(action.opponent, action.strength) if action.opponent else None)
        elif action.opponent:
            raise ImpossibleAct("there is no opponent here")
        self._rig.lay_out(table_for(self._settings, self._rig.table))
        if self._loop is not None:
            self._loop.begin(self._settings)

    def _begin_task(self, number: int) -> None:
        if self._lesson is None or self._opponent is None:
            raise ImpossibleAct("there is no lesson here")
        self._lesson.begin(number)
        if not number:
            # What was set for its tasks, sand above all, does not stay.
            self._settings = attrs.evolve(self._settings, glass_ms=self._glass_ms, position="")
            self._opponent.choose(None)
        else:
            self._settings = settings_for(number, self._settings)
            self._opponent.choose(TASKS[number - 1].opponent)
        self._rig.lay_out(table_for(self._settings, self._rig.table))
        if self._loop is not None:
            self._loop.begin(self._settings)

    def _set_fault(self, name: str, socket: str | None, on: bool) -> None:
        if socket is None:
            if name == "link_cut":
                self._rig.link_is_cut = on
            else:
                self._rig.scan_is_stopped = on
        else:
            fault = _INPUT_FAULTS[name](socket)
            (self._rig.board.switch_on if on else self._rig.board.switch_off)(fault)


def board_view(rig: Rig, origin_ms: int) -> BoardView:
    """What really lies on the virtual board; `origin_ms` is the host's time at which the game's clock stood at 0."""
    truth = rig.board.truth
    return BoardView(
        glasses={name: _lying(truth, name, origin_ms) for name in (*GLASSES, TIMER)},
        rings={socket: stack for socket, stack in truth.stacks.items() if stack},
        holders=dict(truth.holders),
        faults=tuple(_ordered(rig)),
    )


def _lying(truth: Truth, name: str, origin_ms: int) -> LyingGlass:
    glass: Glass = truth.glasses[name]
    sand = glass.sand
    stops_ms = sand.stops_at_ms
    return LyingGlass(
        socket=glass.socket,
        between=glass.straddles,
        in_hand=glass.hand is not None,
        lifted_from=glass.lifted_from,
        up=glass.up,
        stops_at_ms=None if stops_ms is None else stops_ms - origin_ms,
        full_ms=sand.full_ms[glass.up],
        stood=dict(glass.stood),
    )


def _ordered(rig: Rig) -> list[OrderedFault]:
    found = []
    for fault in rig.board.faults:
        match fault:
            case Stuck(("socket", socket), value):
                found.append(OrderedFault("stuck_closed" if value else "stuck_open", socket))
            case Weak(("socket", socket)):
                found.append(OrderedFault("weak", socket))
            case Bouncy(("socket", socket)):
                found.append(OrderedFault("bouncing", socket))
    if rig.link_is_cut:
        found.append(OrderedFault("link_cut", None))
    if rig.scan_is_stopped:
        found.append(OrderedFault("scan_stopped", None))
    return found
