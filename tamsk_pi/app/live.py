"""Runs a real board: opened (or waited for), a game begun or resumed, the page beside it if wanted."""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from typing import Final, Literal

import attrs

from tamsk_pi.clock import Clock, MonotonicClock
from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.club.side import ClubSide
from tamsk_pi.devices.base import Device, DeviceError, Tone
from tamsk_pi.ending import on_ending
from tamsk_pi.journal import Journal
from tamsk_pi.kept_games import NextGame
from tamsk_pi.opponent.seat import Choice
from tamsk_pi.runner.asking import ask_on_terminal
from tamsk_pi.runner.desk import Keeper
from tamsk_pi.runner.ear import Ear
from tamsk_pi.runner.loop import Loop, View, Watcher
from tamsk_pi.runner.opponents import OpponentAtBoard
from tamsk_pi.runner.record import Record
from tamsk_pi.runner.resume import CutOff, discard, find_cut_off, finish, go_on, this_boot
from tamsk_pi.runner.sentry import Sentry
from tamsk_pi.runner.speech import Spoken, words_for
from tamsk_pi.runner.telling import Telling, TerminalTeller
from tamsk_pi.runner.terminal import Typed
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.service import Notifier
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.signals.language import N_, Language, catalogue
from tamsk_pi.signals.remarks import remark
from tamsk_pi.terminal import complain
from tamsk_pi.trace import TraceError
from tamsk_pi.web.access import Pairing, WebSettings

LOOK_EVERY_S: Final = 2.0
FAILED: Final = 1
UNCLEAR: Final = 2


class Stop(Exception):
    """The run ends with one line for the user and an exit status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status: Final = status


@attrs.frozen(kw_only=True)
class Run:
    """What to run."""

    mode: Literal["play", "referee"]
    settings: Settings
    folder: Path
    """Where journals are kept."""
    wait: bool
    """Look for a missing board for ever, instead of giving up."""
    cut_off: Literal["ask", "resume", "discard"]
    web: WebSettings | None
    club: ClubSettings | None = None
    """The hub to which the games are told."""
    opponent: Choice | None = None
    """The side that the program plays, whose moves a person carries out."""
    language: Language = "en"
    notifier: Notifier = attrs.field(factory=Notifier.from_environment)
    """Tells systemd, where the run is a service."""
    clock: Clock = attrs.field(factory=MonotonicClock)
    drive: Callable[[Loop], None] = Loop.run
    """Goes round until the run is to end."""

    def told(self, text: str, **blanks: object) -> str:
        """A text of the catalogues in the language of the run, filled in."""
        return catalogue(self.language).gettext(text).format_map(blanks)


class StatusTeller:
    """A watcher that keeps systemd's line about the service true."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier: Final = notifier

    def show(self, view: View) -> None:
        """Tell what keeps the box from watching, or what it watches."""
        waits = view.snapshot.upcoming is not None or view.snapshot.phase == "setting_up"
        doing = "waiting for the next game" if waits else f"watching a game at level {view.snapshot.level}"
        self._notifier.status(view.problem or doing)

    def sound(self, tones: Sequence[Tone]) -> None:
        """A line of text sounds nothing."""


def run(what: Run, device: Device, say: Callable[[str], None]) -> None:
    """Run until SIGINT, SIGTERM or SIGHUP. `Stop` where it cannot go on."""
    stopped = Event()
    stop: list[Callable[[], None]] = [stopped.set]
    on_ending(lambda: [end() for end in stop])
    if what.web is not None:
        _import_page()
    _open(device, what, stopped, say)
    try:
        if not stopped.is_set():
            telling = Telling(what.language, what.mode, by_place=what.settings.setup == "corners")
            record = Record()
            with contextlib.closing(TerminalTeller(telling, say, record.wait_for_now)) as teller:
                _run_open(what, device, stopped, stop, say, teller, record)
    finally:
        what.notifier.stopping()
        device.close()


def _import_page() -> None:
    """Import what the page needs while the service still starts: on a slow card that takes longer than the watchdog
    of one that runs would wait."""
    for name in ("loop_source", "reports", "sensors", "games", "server"):
        importlib.import_module(f"tamsk_pi.web.{name}")


def _open(device: Device, what: Run, stopped: Event, say: Callable[[str], None]) -> None:
    told = False
    while not stopped.is_set():
        try:
            device.open()
            return
        except DeviceError as error:
            if not what.wait:
                raise Stop(str(error), FAILED) from None
            if not told:
                what.notifier.ready("looking for the board")
                say(what.told(N_("Looking for the board: {error}"), error=remark(str(error), what.language)))
                told = True
            what.notifier.looking(f"looking for the board: {error}")
            stopped.wait(LOOK_EVERY_S)


def _run_open(
    what: Run,
    device: Device,
    stopped: Event,
    stop: list[Callable[[], None]],
    say: Callable[[str], None],
    teller: Watcher,
    record: Record,
) -> None:
    clock = what.clock
    boot = this_boot()

    source = reports = sensors = None
    watchers: list[Watcher] = [teller, StatusTeller(what.notifier)]
    if what.web is not None:
        from tamsk_pi.web.loop_source import LoopSource
        from tamsk_pi.web.reports import Reports
        from tamsk_pi.web.sensors import SensorLog

        reports = Reports()
        sensors = SensorLog(device, clock)
        source = LoopSource(
            what.mode,
            clock,
            words=lambda of: words_for(loop.desk.session.settings, of),
            kept=reports.name,
            look=sensors.look,
        )
        watchers.append(source)

    club = None if what.club is None else ClubSide(what.club, say, what.told)
    if club is not None:
        watchers.append(club.rulings)

    def kept_at(path: Path, game: int | None = None) -> None:
        if club is not None:
            club.rulings.kept_at(loop.evening.games if game is None else game, path)
        if reports is not None:
            reports.kept_at(path)

    def open_keeper(settings: Settings) -> Keeper:
        if reports is not None:
            reports.forget()
        kept = functools.partial(kept_at, game=loop.evening.games + 1)
        return record.take(Journal(lambda: NextGame(what.folder, settings.started_at, kept)))

    def labelled(settings: Settings) -> Settings:
        return attrs.evolve(settings, started_at=time.strftime("%Y-%m-%dT%H:%M:%S"), boot=boot)

    opponent = OpponentAtBoard(what.opponent) if what.opponent is not None else None
    loop = Loop(
        device,
        clock,
        lambda settings: Conductor(what.mode),
        open_keeper=open_keeper,
        watchers=watchers,
        heartbeat=what.notifier.alive,
        label=labelled,
        opponent=opponent,
    )
    stop.append(loop.stop)
    if stopped.is_set():
        # It came while the board was being opened: nobody else would tell the loop.
        loop.stop()
    if source is not None:
        source.attach(loop)
    if club is not None:
        club.attach(loop)
    _begin(what, device, loop, clock.now_ms(), boot, say, kept_at, record)
    device.start(loop.post if sensors is None else sensors.passing(loop.post))
    loop.go_round()
    page = None
    if source is not None and what.web is not None:
        from tamsk_pi.web.games import FolderGames
        from tamsk_pi.web.server import ServerError, live_server

        guessed = N_("Somebody at {address} guesses the pairing code; from now on it is {code}.")
        pairing = Pairing(clock, told=lambda of: say(what.told(guessed, address=of.address, code=of.code)))
        page = live_server(
            source,
            Spoken(loop).say,
            what.web,
            pairing,
            games=FolderGames(what.folder),
            reports=reports,
            sensors=sensors,
        )
        try:
            page.open()
        except ServerError as error:
            raise Stop(str(error), FAILED) from None
        text = N_("The page is at {url}; pairing code {code}") if what.web.needs_pairing else N_("The page is at {url}")
        say(what.told(text, url=page.url, code=pairing.code))
    sentry = Sentry(loop, clock)
    sentry.start()
    typed = Typed(loop, what.told)
    ear = Ear(what.folder, typed.answer)
    ear.open()
    if sys.stdin is not None and sys.stdin.isatty():
        if loop.desk.is_offered:
            then = functools.partial(typed.take, say=say)
            ask_on_terminal(loop, loop.desk, sys.stdin, lambda text: say(what.told(text)), then)
        else:
            typed.listen(sys.stdin, say)
    # Not before: from here on the loop gives signs of life.
    what.notifier.ready()
    try:
        what.drive(loop)
    finally:
        ear.close()
        sentry.close()
        loop.close()
        if club is not None:
            club.close()
        if opponent is not None:
            opponent.close()
        if page is not None:
            page.close()


def _begin(
    what: Run,
    device: Device,
    loop: Loop,
    now_ms: int,
    boot: str,
    say: Callable[[str], None],
    kept_at: Callable[[Path], None],
    record: Record,
) -> None:
    try:
        cut_off = find_cut_off(what.folder)
        while cut_off is not None and cut_off.is_over:
            # Only its end is missing: there is nothing to ask.
            finish(cut_off)
            cut_off = find_cut_off(what.folder)
    except (TraceError, OSError) as error:
        text = N_("The last game in {folder} cannot be read ({error}); it is left as it is.")
        say(what.told(text, folder=what.folder, error=error))
        cut_off = None
    if cut_off is not None and what.cut_off != "discard":
        if cut_off.torn:
            say(what.told(N_("The last line of the journal was cut short and is dropped.")))
        journal = record.take(Journal(cut_off.store))
        desk, origin_ms = go_on(cut_off, device, now_ms, boot, keeper=journal)
        loop.go_on_with(desk, origin_ms, what.settings)
        kept_at(cut_off.path)
        if what.cut_off == "resume":
            say(what.told(N_("Going on with {path}."), path=cut_off.path))
        else:
            _offer(what, cut_off, loop, say)
        return
    if cut_off is not None:
        discard(cut_off)
    _begin_new(what, loop, say)


def _offer(what: Run, cut_off: CutOff, loop: Loop, say: Callable[[str], None]) -> None:
    """Wait for the arbiter's word whether a game that was cut off goes on: nothing is judged and `ready` is out."""
    offered = loop.desk

    def set_aside(now_ms: int) -> None:
        if loop.desk is offered and offered.is_offered:
            _begin_new(what, loop, say)
            discard(cut_off)
            say(what.told(N_("{path} is set aside."), path=cut_off.path))

    # In a round of its own: the desk that asks for it is in the midst of one.
    offered.offer(lambda: loop.call(set_aside))
    say(what.told(N_("{path} is a game that was cut off."), path=cut_off.path))


def _begin_new(what: Run, loop: Loop, say: Callable[[str], None]) -> None:
    loop.open(what.settings)
    if loop.evening.is_between:
        say(what.told(N_("Waiting for the board to be set up (Ctrl-C ends).")))
        return
    text = N_("Watching a game at level {level} by the rules of {rules} (Ctrl-C ends).")
    say(what.told(text, level=what.settings.level, rules=what.settings.rules))


def quit_with(error: Stop) -> None:
    """Tell the user in one line, and exit."""
    complain(error)
    raise SystemExit(error.status)
