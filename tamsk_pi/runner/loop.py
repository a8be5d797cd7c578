"""The loop that owns the referee: everything else only posts to its inbox, and gets immutable pictures.

`go_round` does one round and tells when the next is due, so that tests and fast games drive it in virtual time; `run`
goes round for ever in a thread. Nothing that is posted can stop it: an action that fails is answered with its reason.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import attrs

from tamsk_pi.clock import Clock
from tamsk_pi.devices.base import Device, DeviceError, LampFrame, Tone
from tamsk_pi.devices.caps import CapState, HasCaps
from tamsk_pi.explain.moment import Moment
from tamsk_pi.referee.blind import Differences
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.runner.desk import Desk, NoKeeper, OpenKeeper
from tamsk_pi.runner.evening import Evening
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.advice import Advice, lit_up
from tamsk_pi.signals.table import SIGNALS

_log = logging.getLogger(__name__)


class Conductor(Protocol):
    """Turns rulings and pictures into lamps and tones (`tamsk_pi.signals.conductor`). Times are the game's."""

    def tell(self, rulings: Sequence[Ruling]) -> None: ...

    def look(self, snapshot: Snapshot) -> None: ...

    def look_ahead(self, snapshot: Snapshot) -> None: ...

    def frame(self, now_ms: int, *, ready: bool) -> LampFrame: ...

    def tones(self, now_ms: int) -> Sequence[Tone]: ...

    def next_change_ms(self) -> int | None: ...


@attrs.frozen
class View:
    """What there is to show after a round."""

    game: int
    """Counts the games of this run from 1."""
    snapshot: Snapshot
    rulings: Sequence[Ruling]
    lamps: LampFrame
    ready: bool
    problem: str | None
    """Why the box is not watching, or not keeping the game, in one line."""
    differences: Differences = attrs.field(factory=Differences)
    """How a board that is heard again differs from the game, until that is accepted or put right."""
    rechecked: Moment | None = None
    """The ruling that the arbiter looks at again, until the next move is completed."""
    rechecked_ms: int | None = None
    """When the arbiter asked for it."""
    advice: Advice | None = None
    """What the opponent at the board wants, where there is one."""
    hint: Advice | None = None
    """What the coach says to the side to move, where it was asked."""
    caps: Mapping[str, CapState] = attrs.field(factory=dict)
    """How each glass's radio cap is, where there are any."""


class Watcher(Protocol):
    """Told what there is to see and hear, in the loop's thread: must return at once."""

    def show(self, view: View) -> None: ...

    def sound(self, tones: Sequence[Tone]) -> None: ...


class Pump(Protocol):
    """A board that lives in the loop's thread (the simulator's): brought up to the time before each round."""

    def run_to(self, now_ms: int) -> None: ...

    def next_ms(self) -> int | None: ...


class Adviser(Protocol):
    """An opponent at the board, or a coach: sees the game's pictures in the loop's thread, and must return at once."""

    def look(self, desk: Desk, game: int, now_ms: int) -> Advice | None:
        """What it wants done now; None where it has nothing to say. `game` tells one game from the next."""
        ...

    @property
    def lights_lamps(self) -> bool:
        """Whether its wishes are shown on the lamps, as a person is to carry them out."""
        ...


Task = Callable[[int], None]
"""Done in the loop's thread, with the host's time."""


class Loop:
    """Runs one game after the other on one board."""

    def __init__(
        self,
        device: Device,
        clock: Clock,
        make_conductor: Callable[[Settings], Conductor],
        *,
        open_keeper: OpenKeeper = lambda settings: NoKeeper(),
        watchers: Sequence[Watcher] = (),
        pump: Pump | None = None,
        after_pump: Callable[[], None] = lambda: None,
        heartbeat: Callable[[], None] = lambda: None,
        label: Callable[[Settings], Settings] = lambda settings: settings,
        opponent: Adviser | None = None,
        coach: Adviser | None = None,
    ) -> None:
        """`label` adds to a new game's settings what only its beginning tells.

        `after_pump` is called in every round once the board has been brought up to the time.

        `heartbeat` is called after every round in which the board was heard and everything was shown.
        """
        self._device: Final = device
        self._clock: Final = clock
        self._make_conductor: Final = make_conductor
        self.evening: Final = Evening(device, open_keeper, label)
        """The games, one after the other; only for the loop's own thread."""
        self._watchers: Final = list(watchers)
        self._pump: Final = pump
        self._after_pump: Final = after_pump
        self._heartbeat: Final = heartbeat
        self._opponent: Final = opponent
        self._coach: Final = coach
        self._inbox: queue.SimpleQueue[Sequence[Edge] | Task] = queue.SimpleQueue()
        self._waited_for: Sequence[Edge] | Task | None = None
        """What ended the wait between two rounds: the first thing to take in the next."""
        self._stop: Final = threading.Event()
        self._conductor: Conductor | None = None
        self._game = 0
        self._told = 0
        self._shown: View | None = None
        self._frame: LampFrame | None = None
        self._tones: Sequence[Tone] = ()
        self._device_problem: str | None = None
        self.round_at_ms = 0
        """The host's time of the last round: whoever watches the loop looks at it."""

    # -- from any thread

    def post(self, edges: Sequence[Edge]) -> None:
        """Edges from the board."""
        self._inbox.put(edges)

    def call(self, task: Task) -> None:
        """Have something done in the loop's thread."""
        self._inbox.put(task)

    def put_ready_out(self) -> None:
        """Show and sound that nobody watches, as this loop is stalled. Its next round shows everything anew."""
        frame = self._frame or LampFrame({})
        try:
            self._device.show(attrs.evolve(frame, panel={**frame.panel, "ready": False}))
            self._device.sound(SIGNALS["paused"].tones)
        except DeviceError:
            _log.exception("the lamps cannot tell that the loop is stalled")
        # Last, as the loop may just have come round and shown a frame.
        self._frame = None

    def stop(self) -> None:
        """End `run` after the round that is going on."""
        self._stop.set()
        self._inbox.put(())

    # -- in the loop's thread

    @property
    def desk(self) -> Desk:
        """The game that is going on; only for the loop's own thread."""
        return self.evening.desk

    def open(self, settings: Settings) -> None:
        """Begin with a first game: at once where the board is set up, else as soon as it is."""
        self.evening.open(settings, self._clock.now_ms())

    def begin(self, settings: Settings) -> None:
        """Begin a new game; the one that is going on is closed."""
        self.evening.begin(settings, self._clock.now_ms())

    def go_on_with(self, desk: Desk, origin_ms: int, settings: Settings | None = None) -> None:
        """Go on with a game that was resumed from its journal; the next one is begun with `settings`."""
        self.evening.go_on_with(desk, settings)

    def go_round(self) -> int:
        """Take what has come, judge it, and show what follows; the host's time of the next round at the latest."""
        now_ms = self._clock.now_ms()
        if self._pump is not None:
            self._pump.run_to(now_ms)
        self._take_inbox(now_ms)
        self._after_pump()
        wake_ms = self.evening.go_round(now_ms)
        change_ms = self._show(now_ms)
        for due_ms in (change_ms, self._pump.next_ms() if self._pump is not None else None):
            if due_ms is not None:
                wake_ms = min(wake_ms, max(due_ms, now_ms + 1))
        self.round_at_ms = now_ms
        return wake_ms

    def _take_inbox(self, now_ms: int) -> None:
        while True:
            try:
                item = self._waited_for if self._waited_for is not None else self._inbox.get_nowait()
            except queue.Empty:
                return
            self._waited_for = None
            if callable(item):
                try:
                    item(now_ms)
                except Exception:  # noqa: BLE001
                    # Whoever posted it is not here to be told; the game must go on.
                    _log.exception("something that was asked of the game failed")
            else:
                self.evening.take_edges(item)

    def _show(self, now_ms: int) -> int | None:
        desk = self.desk
        if self._conductor is None or self._game != self.evening.games:
            self._game, self._told = self.evening.games, 0
            self._conductor = self._make_conductor(desk.session.settings)
        conductor = self._conductor
        # A game that was begun in this round began later than the round did.
        game_ms = max(0, now_ms - desk.origin_ms)
        fresh = desk.rulings[self._told :]
        self._told = len(desk.rulings)
        conductor.tell(fresh)
        snapshot = self.evening.picture(now_ms)
        conductor.look(snapshot)
        ahead = self.evening.picture_ahead(snapshot)
        if ahead is not None:
            conductor.look_ahead(ahead)
        problem = self._problem(now_ms)
        heard = desk.is_heard(now_ms) and desk.session.link_is_up
        ready = heard and problem is None and snapshot.phase not in ("paused", "setting_up")
        ready = ready and snapshot.upcoming is None
        frame = conductor.frame(game_ms, ready=ready)
        advice = self._opponent.look(desk, self._game, now_ms) if self._opponent is not None else None
        hint = self._coach.look(desk, self._game, now_ms) if self._coach is not None else None
        if advice is not None and self._opponent is not None and self._opponent.lights_lamps:
            frame = lit_up(frame, advice, game_ms)
        tones = conductor.tones(game_ms)
        if not tones and heard and problem is not None and self._shown is not None and self._shown.problem is None:
            # A board that is lost sounds by the ruling that pauses the game; a record that is lost pauses nothing.
            tones = SIGNALS["paused"].tones
        self._drive(frame, tones)
        rulings = self._shown.rulings if self._shown and not fresh and self._shown.game == self._game else None
        view = View(
            self._game,
            snapshot if ahead is None else ahead,
            rulings or tuple(desk.rulings),
            frame,
            ready,
            problem,
            Differences() if self.evening.is_between else desk.differences(now_ms),
            *self._rechecked(desk, anew=bool(fresh)),
            advice,
            hint,
            self._device.caps() if isinstance(self._device, HasCaps) else {},
        )
        if self._is_news(view):
            self._shown = view
            for watcher in self._watchers:
                watcher.show(view)
        if tones:
            for watcher in self._watchers:
                watcher.sound(tones)
        if desk.is_heard(now_ms) and self._device_problem is None:
            self._heartbeat()
        change_ms = conductor.next_change_ms()
        due = [None if change_ms is None else change_ms + desk.origin_ms, desk.ahead.next_ms()]
        return min((t_ms for t_ms in due if t_ms is not None), default=None)

    def _rechecked(self, desk: Desk, *, anew: bool) -> tuple[Moment | None, int | None]:
        shown = self._shown
        if shown is not None and shown.game == self._game and not anew:
            return shown.rechecked, shown.rechecked_ms
        chronicle = desk.chronicle
        moment = chronicle.rechecked() if chronicle is not None else None
        if chronicle is None or moment is None:
            return None, None
        return moment, chronicle.asked_ms()

    def _problem(self, now_ms: int) -> str | None:
        if not self.desk.is_heard(now_ms):
            return "the board is not heard"
        if self.desk.is_offered:
            return "a game was cut off: let it go on, or set it aside"
        if not self.desk.session.link_is_up and not self.evening.is_between:
            return "the board differs from the game: accept it or put it right"
        return self.desk.problem or self._device_problem

    def _is_news(self, view: View) -> bool:
        shown = self._shown
        if shown is None:
            return True
        return attrs.evolve(view, snapshot=attrs.evolve(view.snapshot, now_ms=shown.snapshot.now_ms)) != shown

    def _drive(self, frame: LampFrame, tones: Sequence[Tone]) -> None:
        try:
            if frame != self._frame:
                self._device.show(frame)
                self._frame = frame
            if tones:
                self._device.sound(tones)
            self._device_problem = None
        except DeviceError as error:
            self._device_problem = str(error)
            self._frame = None

    def run(self) -> None:
        """Go round until `stop`."""
        while not self._stop.is_set():
            wake_ms = self.go_round()
            wait_s = (wake_ms - self._clock.now_ms()) / 1000
            if wait_s > 0:
                with contextlib.suppress(queue.Empty):
                    self._waited_for = self._inbox.get(timeout=wait_s)

    def close(self) -> None:
        """Close the game that is going on. The board is its owner's to close."""
        self.evening.close(self._clock.now_ms())
