"""One game at one board: edges to the session and to the journal, and what to do while the board is not heard.

The desk keeps no thread and reads no clock: whoever owns it calls `go_round` with the host's monotonic time, at the
latest when the last call asked for it. Source: architecture.md, "Manners of failure".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, Protocol, runtime_checkable

import attrs

from tamsk_pi.devices.base import Device
from tamsk_pi.devices.caps import Held, HoldsBack
from tamsk_pi.explain.chronicle import Chronicle
from tamsk_pi.referee.blind import Differences, to_be_done
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import SOCKETS, START
from tamsk_pi.runner.ahead import Ahead
from tamsk_pi.runner.arbiters_button import ArbitersButton
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sensing.hands import FIELD_UP
from tamsk_pi.sensing.self_check import SelfCheck, Suspect
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.trace import End, LinkDown, LinkUp, Record, header_line, record_line

SILENT_MS: Final = 1_000
"""A board that has not been read for so long is not heard any more."""

LOOK_EVERY_MS: Final = 250
"""How often to look whether the board is still heard."""


class Keeper(Protocol):
    """Where the trace is kept: `Journal`, or nothing."""

    @property
    def problem(self) -> str | None: ...

    def write(self, lines: str, *, urgent: bool = False) -> None: ...

    def close(self) -> None: ...


@runtime_checkable
class TakesBack(Protocol):
    """A keeper that can take back the last line that it was given."""

    def take_back(self, line: str) -> None: ...


class NoKeeper:
    """Keeps nothing, and has no problem with that."""

    problem: str | None = None

    def write(self, lines: str, *, urgent: bool = False) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Nothing to close."""


def settings_at(settings: Settings, inputs: Mapping[tuple[str, str], EdgeValue]) -> Settings:
    """The settings with the board as it is at t = 0; what it does not sense stays as it is in `settings`."""
    occupied = tuple(s for s in SOCKETS if inputs.get(("socket", s)))
    fields = {glass: FIELD_UP.get(inputs.get(("socket", socket))) for glass, socket in START.items()}
    up = {glass: end for glass, end in fields.items() if end is not None}
    up |= {name: str(value) for (kind, name), value in inputs.items() if kind == "tilt"}
    return attrs.evolve(settings, occupied=occupied, up={**settings.up, **up})


def link_up_at(t_ms: int, inputs: Mapping[tuple[str, str], EdgeValue]) -> LinkUp:
    """What a board tells as it is heard again."""
    return LinkUp(
        t_ms,
        tuple(s for s in SOCKETS if inputs.get(("socket", s))),
        {name: str(value) for (kind, name), value in inputs.items() if kind == "tilt"},
        {name: value for (kind, name), value in inputs.items() if kind == "ring" and isinstance(value, int)},
        fields={name: value for (kind, name), value in inputs.items() if kind == "socket" and isinstance(value, str)},
        holders={name: value for (kind, name), value in inputs.items() if kind == "holder" and isinstance(value, int)},
    )


class Desk:
    """Runs one game. `origin_ms` is the host's monotonic time at which the game's clock stood at 0."""

    def __init__(
        self, session: Session, device: Device, keeper: Keeper, origin_ms: int, chronicle: Chronicle | None = None
    ) -> None:
        """`chronicle`: the session's witness, so that rulings can be explained."""
        self.session: Final = session
        self.chronicle: Final = chronicle
        self._device: Final = device
        self._keeper: Final = keeper
        self.origin_ms: Final = origin_ms
        self.rulings: list[Ruling] = []
        """Everything said in this game."""
        self.late_edges = 0
        """Edges that came so late that time had already gone on without them; they are taken at the time it had."""
        self._closed = self._resting = False
        self._end = ""
        """The last line of the trace, once the game rests."""
        self._gap_known = True
        self._caps_meanwhile: dict[str, EdgeValue] = {}
        """What was told of each cap while the board was not listened to."""
        self._set_aside: Callable[[], None] | None = None
        """What sets the game aside, while it is still to be decided whether it goes on."""
        self._holds_back: Final = device if isinstance(device, HoldsBack) else None
        self.ahead: Final = Ahead(origin_ms)
        """What is to be seen of the game before it is certain."""
        self._button: Final = ArbitersButton(session.settings)
        self._self_check: SelfCheck | None = SelfCheck(session.settings)
        """Until the first move is made."""

    @classmethod
    def begin(cls, settings: Settings, device: Device, keeper: Keeper, now_ms: int) -> Desk:
        """A new game on the board as it is now; the header goes to the keeper first."""
        as_it_is = attrs.evolve(settings_at(settings, device.inputs()), origin_ms=now_ms)
        keeper.write(header_line(as_it_is), urgent=True)
        chronicle = Chronicle(as_it_is)
        desk = cls(Session(as_it_is, chronicle), device, keeper, now_ms, chronicle)
        desk.rulings += desk.session.advance(0)
        return desk

    @classmethod
    def resume(
        cls,
        session: Session,
        rulings: list[Ruling],
        device: Device,
        keeper: Keeper,
        origin_ms: int,
        *,
        gap_known: bool,
        chronicle: Chronicle | None = None,
    ) -> Desk:
        """Go on with a game whose trace has been replayed: as after a link that was down since its last record."""
        desk = cls(session, device, keeper, origin_ms, chronicle)
        desk.rulings = rulings
        desk._gap_known = gap_known
        if session.link_is_up:
            desk._take(LinkDown(session.now_ms))
        return desk

    @classmethod
    def waiting(cls, settings: Settings, device: Device, now_ms: int) -> Desk:
        """No game yet: one is waited for, and nothing is judged or kept."""
        not_set_up = () if settings.setup == "corners" else tuple(START.values())
        desk = cls(Session(attrs.evolve(settings, occupied=not_set_up)), device, NoKeeper(), now_ms)
        desk._resting = True
        return desk

    # -- time and edges

    def game_ms(self, now_ms: int) -> int:
        """The game's time at a host time."""
        return max(now_ms - self.origin_ms, self.session.now_ms)

    def take_edges(self, edges: Sequence[Edge]) -> None:
        """Take what the device has posted, stamped with the host's time."""
        if self._closed or self._resting:
            return
        if self._self_check is not None:
            self._self_check.take([edge for edge in edges if edge.kind != "cap"])
        if not self.session.link_is_up:
            for edge in edges:
                if edge.kind == "cap":
                    self._caps_meanwhile[edge.name] = edge.value
                else:
                    self._button.take(edge)
            return
        for edge in edges:
            t_ms = edge.t_ms - self.origin_ms
            if t_ms < self.session.now_ms:
                self.late_edges += 1
                t_ms = self.session.now_ms
            self._take(Edge(t_ms, edge.kind, edge.name, edge.value))
            self.ahead.took(edge, t_ms)

    def go_round(self, now_ms: int) -> int:
        """Let time pass; when to be called again at the latest, on the host's clock."""
        if self._closed or self._resting:
            return now_ms + LOOK_EVERY_MS
        alive_ms = self._device.alive_at_ms()
        if self.session.link_is_up:
            if now_ms - alive_ms > SILENT_MS:
                held = self._held()
                self._let_go()
                self._take(LinkDown(self.game_ms(alive_ms if held is None else held.read_ms)))
            else:
                # No further than the board has been read: what it has not told yet may still come with an older stamp.
                self._pass_time(self.game_ms(min(now_ms, alive_ms)))
        else:
            self._hear_button(now_ms)
            if not self.is_offered and not self.session.link_is_up and not self.differences(now_ms):
                self.accept_board(now_ms)
        wake_ms = self.session.next_deadline()
        held = self._held()
        due = [] if wake_ms is None else [wake_ms + self.origin_ms + (held.hold_ms if held is not None else 0)]
        if held is not None and held.edges:
            due.append(held.edges[0][1].t_ms + held.hold_ms + 1)
        return min(now_ms + LOOK_EVERY_MS, max(min(due, default=now_ms + LOOK_EVERY_MS), now_ms + 1))

    def _let_go(self) -> None:
        """Take what the board holds back: judging ends, or somebody's word comes, and it was done before that."""
        if self._holds_back is not None and self.session.link_is_up:
            self.take_edges(self._holds_back.release())

    def _held(self) -> Held | None:
        return self._holds_back.held() if self._holds_back is not None else None

    # -- a game that was cut off

    def offer(self, set_aside: Callable[[], None]) -> None:
        """Wait for a word whether this game goes on: `resume`, or `discard`, by which `set_aside` is called."""
        self._set_aside = set_aside

    @property
    def is_offered(self) -> bool:
        """Whether it is still to be decided that this game goes on."""
        return self._set_aside is not None

    def _hear_button(self, now_ms: int) -> None:
        """The arbiter's button while nothing is judged: short is yes, long sets a game aside that was cut off."""
        press = self._button.press(now_ms)
        if press == "short":
            self.say("resume", {}, now_ms)
        elif press == "long" and self.is_offered:
            self.say("discard", {}, now_ms)

    # -- a board that is heard again

    def is_heard(self, now_ms: int) -> bool:
        """Whether the board has been read within the last second."""
        return now_ms - self._device.alive_at_ms() <= SILENT_MS

    def differences(self, now_ms: int) -> Differences:
        """While nothing is judged because the board was not heard: how it differs from the game."""
        if self.session.link_is_up or self._closed or self._resting or not self.is_heard(now_ms):
            return Differences()
        return self.session.compare(link_up_at(self.game_ms(now_ms), self._device.inputs()))

    def accept_board(self, now_ms: int) -> None:
        """Go on with the board as it is now."""
        if not self.session.link_is_up and self.is_heard(now_ms):
            self._set_aside = None
            heard = link_up_at(self.game_ms(now_ms), self._device.inputs())
            self._take(attrs.evolve(heard, gap_known=self._gap_known))
            self._gap_known = True
            for glass, value in self._caps_meanwhile.items():
                self._take(Edge(self.session.now_ms, "cap", glass, value))
            self._caps_meanwhile.clear()

    # -- the arbiter

    def say(self, what: str, details: Mapping[str, object], now_ms: int) -> None:
        """Pass on a word of the arbiter's; `accept` and `resume` also accept a board that is heard again."""
        if self._closed or self._resting:
            return
        if what == "discard":
            if self._set_aside is not None:
                self._set_aside()
        elif self.is_offered and what == "resume":
            # Where the board differs from the game, that is the next question.
            self._set_aside = None
        elif not self.session.link_is_up and what in ("accept", "resume"):
            self.accept_board(now_ms)
        else:
            self._let_go()
            self._take(Word(self.game_ms(now_ms), what, details))

    # -- the record

    def _take(self, record: Record) -> None:
        if not isinstance(record, Edge):
            self.ahead.forget()
        said = self.session.take(record)
        self._keeper.write(record_line(record, self.session.settings), urgent=bool(said))
        self.rulings += said

    def _pass_time(self, t_ms: int) -> None:
        due_ms = self.session.next_deadline()
        said = self.session.advance(t_ms)
        if due_ms is not None and due_ms <= t_ms:
            # That time passed is what settled a change or let something fall due, so the trace must tell it: a replay
            # of the edges alone would end before it. A value that repeats the one before is no edge.
            mark = Edge(t_ms, "button", "arbiter", self.session.raw_value("button", "arbiter"))
            self._keeper.write(record_line(mark, self.session.settings), urgent=bool(said))
        self.rulings += said

    @property
    def problem(self) -> str | None:
        """What keeps the game from being recorded, in one line."""
        return self._keeper.problem

    def snapshot(self) -> Snapshot:
        """The game now."""
        return self.session.snapshot()

    def picture(self, now_ms: int) -> Snapshot:
        """The game now, with what is asked for while the board is compared with it, and before play the suspects."""
        if self._closed or self._resting:
            return self.snapshot()
        if self.session.link_is_up:
            return attrs.evolve(self.snapshot(), suspects=self._suspects(now_ms))
        found = self.differences(now_ms)
        waits: Literal["", "resume", "accept"] = "resume" if self.is_offered else "accept" if found else ""
        return attrs.evolve(self.snapshot(), waits=waits, differing=to_be_done(found))

    def picture_ahead(self, certain: Snapshot) -> Snapshot | None:
        """The game as it is to be seen before it is certain, on a board that holds its edges back."""
        held = None if self._closed or self._resting else self._held()
        if held is None:
            return None
        self.ahead.follow(self.session, held)
        return self.ahead.picture(certain)

    def _suspects(self, now_ms: int) -> tuple[Suspect, ...]:
        if self._self_check is None:
            return ()
        if self.session.referee.game.last_move is not None:
            self._self_check = None
            return ()
        return self._self_check.suspects(self._device.inputs(), now_ms)

    # -- the end

    @property
    def is_closed(self) -> bool:
        """Whether nothing of this game is listened to any more."""
        return self._closed

    @property
    def is_resting(self) -> bool:
        """Whether the game is over and its trace has its end, or none has begun."""
        return self._resting

    def rest(self, now_ms: int) -> None:
        """The game is over: end its trace, and listen no more, unless the end is taken back."""
        if self._closed or self._resting:
            return
        if self.session.link_is_up:
            # Where it ends: what follows is no longer on record, whatever an end that is taken back brings.
            self._let_go()
            self._take(LinkDown(self.game_ms(now_ms)))
        self._end = record_line(End(self.game_ms(now_ms)), self.session.settings)
        self._keeper.write(self._end, urgent=True)
        self._resting = True

    def take_up_again(self, now_ms: int) -> bool:
        """Listen again to a game that rests, with the board as it is now; whether its trace could be opened again."""
        if not self._resting or not self._end or not isinstance(self._keeper, TakesBack):
            return False
        self._keeper.take_back(self._end)
        self._resting, self._end = False, ""
        self.accept_board(now_ms)
        return True

    def close(self, now_ms: int, *, for_good: bool = False) -> None:
        """Stop. A game that is over is ended in its trace; any other can be resumed from it.

        `for_good`: no game is to be resumed from it, over or not.
        """
        if self._closed:
            return
        self._closed = True
        if self._resting:
            self._keeper.close()
            return
        over = self.session.referee.game.result is not None and self.session.link_is_up
        if for_good and not over:
            self._keeper.write(record_line(End(self.game_ms(now_ms)), self.session.settings), urgent=True)
        elif over:
            end = End(self.game_ms(now_ms))
            self._keeper.write(record_line(end, self.session.settings), urgent=True)
            self.rulings += self.session.take(end)
        self._keeper.close()


OpenKeeper = Callable[[Settings], Keeper]
"""Makes the keeper of a new game with these settings."""
