"""`tamsk-pi simulate`: the referee, a board's driver and a virtual board, on any computer."""

from __future__ import annotations

import json
import math
import os
import sys
import time
import webbrowser
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import click
from click.core import ParameterSource

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.commands.game_options import game_options, settings_from
from tamsk_pi.commands.interrupting import interruptible
from tamsk_pi.commands.opponent_option import opponent_option
from tamsk_pi.commands.printing import printer
from tamsk_pi.commands.speaking import language_option, usage_error
from tamsk_pi.commands.virtual_board import fitted_settings, rig_maker
from tamsk_pi.config.load import BRIDGE
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.devices.base import DeviceError, Post
from tamsk_pi.ending import on_ending
from tamsk_pi.journal import SUFFIX, Journal
from tamsk_pi.kept_games import GameBeside, NextGame
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.desk import Keeper, OpenKeeper
from tamsk_pi.runner.loop import Loop
from tamsk_pi.runner.speech import Spoken, words_for
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.language import N_, Language, catalogue, say_for
from tamsk_pi.terminal import complain

if TYPE_CHECKING:
    from tamsk_pi.app.auto import MakeRig
    from tamsk_pi.opponent.seat import Choice
    from tamsk_pi.sim.rig import Rig

CANNOT_SERVE = 1
NOT_KEPT = 1
UNCLEAR = 2


_ONLY_AUTO: Final = {"speed": "--speed", "clumsy": "--clumsy", "games": "--games", "as_json": "--json"}


class Number(click.FloatRange):
    """A range of numbers. NaN, which lies below and above no bound, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(say_for(os.environ)(N_("{value} is no number.")).format(value=value), param, ctx)
        return number


def _checked_position(text: str, parameter: click.Parameter) -> str:
    """The text of a position in its one form; an error of usage that names everything that is wrong with it."""
    from tamsk_pi.rules.position import PositionError
    from tamsk_pi.trace_header import settled_position

    try:
        return settled_position(text) if text else ""
    except PositionError as error:
        raise click.BadParameter(str(error), param=parameter) from None


def _is_given(parameter: str) -> bool:
    return click.get_current_context().get_parameter_source(parameter) is ParameterSource.COMMANDLINE


@click.command(name="simulate")
@game_options(default_level=1)
@click.option(
    "--board",
    metavar="NAME",
    default="matrix",
    show_default=True,
    help="matrix, starter or a path to a profile: on mock pins; bridge: on the firmware of the bridge, in simavr where"
    " it is installed.",
)
@click.option(
    "--rings",
    type=click.Choice(["stack", "holder", "buttons"]),
    default="stack",
    show_default=True,
    help="How rings are noticed; stack is told straight, the others go through the matrix.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="Where the page is served. 0.0.0.0 is for phones and others in the same network too, who need the code that is"
    " shown here.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8037,
    show_default=True,
    help="The port of the page; 0 takes any free one.",
)
@click.option(
    "--position",
    metavar="TEXT",
    default="",
    callback=lambda _context, parameter, value: _checked_position(value, parameter),
    help="Begin from a set-up position, in the form that docs/notation.md gives.",
)
@click.option("--no-browser", is_flag=True, help="Serve the page without opening a browser.")
@click.option("--no-web", is_flag=True, help="No page: needs no display and no port.")
@click.option("--no-diodes", is_flag=True, help="A matrix without diodes: three closed corners close a phantom fourth.")
@click.option("--caps", is_flag=True, help="With --board bridge: the glasses tell of their tilt by radio caps.")
@click.option("--auto", is_flag=True, help="Play by itself, print the rulings, and keep the traces.")
@click.option("--seed", type=int, default=1, show_default=True, help="What the hands do and how contacts bounce.")
@click.option(
    "--speed",
    type=Number(min=0.01),
    default=1.0,
    show_default=True,
    help="With --auto: how many times faster than life.",
)
@click.option("--clumsy", type=Number(0, 1), default=0.0, show_default=True, help="With --auto: how often hands err.")
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=1,
    show_default=True,
    help="With --auto: how many games to play.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("traces"),
    show_default=True,
    help="Folder for the traces of the games.",
)
@opponent_option()
@language_option()
@click.option("--json", "as_json", is_flag=True, help="With --auto: print the rulings as JSON Lines.")
def command(
    board: str,
    rings: str,
    host: str,
    port: int,
    position: str,
    no_browser: bool,
    no_web: bool,
    no_diodes: bool,
    caps: bool,
    auto: bool,
    seed: int,
    speed: float,
    clumsy: float,
    games: int,
    out: Path,
    opponent: Choice | None,
    language: Language,
    as_json: bool,
    **options: object,
) -> None:
    """Play on a virtual board: its contacts are wired to mock pins, or to the firmware of the bridge, and from there
    on everything is the real program.

    Without --auto the board is on a page at http://127.0.0.1:8037, where anything can be done to it, legal or not.
    """
    if not auto and (useless := [name for name in _ONLY_AUTO.items() if _is_given(name[0])]):
        raise usage_error(N_("{options}: only with --auto"), options=", ".join(option for _, option in useless))
    if auto and opponent is not None:
        raise usage_error(N_("{options}: choose one"), options="--auto, --opponent")
    if auto and position:
        raise usage_error(N_("--position: not with --auto"))
    if position and options["setup"] == "free":
        raise usage_error(N_("--position: not with --setup free"))
    try:
        settings = fitted_settings(board, settings_from({**options, "rings": rings, "position": position}), auto=auto)
        if caps and board != BRIDGE:
            raise usage_error(N_("--caps goes with --board bridge"))
        make_rig = rig_maker(board, diodes=not no_diodes, say=complain, caps=caps)
    except ConfigError as error:
        complain(error)
        raise SystemExit(UNCLEAR) from None
    try:
        if not auto:
            web = None if no_web else (host, port)
            _serve(settings, make_rig, seed, out, language, opponent, web=web, browser=not no_browser)
            return
        for number in range(1, games + 1):
            path = out / f"simulate-{seed}-{number}{SUFFIX}"
            tell = printer(words_for(settings, language), as_json=as_json)
            with interruptible(lambda path=path, number=number: _tell_so_far(path, number, games, as_json=as_json)):  # type: ignore[misc]
                path, problem = _play_by_itself(settings, make_rig, f"{seed}/{number}", clumsy, speed, path, tell)
            if problem is not None:
                complain(path, problem)
                raise SystemExit(NOT_KEPT)
            click.echo(json.dumps({"trace": str(path)}) if as_json else f"The trace is in {path}.")
    except DeviceError as error:
        complain(error)
        raise SystemExit(CANNOT_SERVE) from None


def _tell_so_far(path: Path, number: int, games: int, *, as_json: bool) -> None:
    """What there is of a game that was interrupted: the others have been told of."""
    if as_json:
        click.echo(json.dumps({"trace": str(path), "interrupted": True}))
    else:
        text = N_("Interrupted in game {number} of {games}; what was played of it is in {path}.")
        click.echo(say_for(os.environ)(text).format(number=number, games=games, path=path))


def _keepers_in(
    folder: Path, created: Callable[[Path], None] = lambda path: None, begun: Callable[[], None] = lambda: None
) -> OpenKeeper:
    def open_keeper(settings: Settings) -> Keeper:
        begun()
        return Journal(lambda: NextGame(folder, settings.started_at, created))

    return open_keeper


def _labelled(settings: Settings) -> Settings:
    return attrs.evolve(settings, started_at=time.strftime("%Y-%m-%dT%H:%M:%S"))


def _play_by_itself(
    settings: Settings,
    make_rig: MakeRig,
    seed: str,
    clumsy: float,
    speed: float,
    path: Path,
    tell: Callable[[Iterable[Ruling]], None],
) -> tuple[Path, str | None]:
    """Play one game; where its trace is, and None or why it is not kept there.

    It is at `path`, or beside it where there is a file already. A ruling is told once its trace is kept.
    """
    from tamsk_pi.app.auto import AutoGame, play

    behind_s = 0.0

    def wait(ms: int) -> None:
        # Sleeps shorter than a system's timer are saved up.
        nonlocal behind_s
        behind_s += ms / 1000 / speed
        if behind_s >= 0.02:
            time.sleep(behind_s)
            behind_s = 0.0

    # Now, not after a whole game: a folder must not be missing.
    path.parent.mkdir(parents=True, exist_ok=True)
    kept_at = [path]
    journal = Journal(lambda: GameBeside(path, lambda found: kept_at.__setitem__(0, found)))
    waiting: deque[tuple[int, Sequence[Ruling]]] = deque()

    def tell_what_is_kept(rulings: Sequence[Ruling]) -> None:
        waiting.append((journal.mark(), rulings))
        while waiting and (journal.has_kept(waiting[0][0]) or journal.problem is not None):
            tell(waiting.popleft()[1])

    try:
        play(AutoGame(settings, seed, clumsy), make_rig, lambda _: journal, tell=tell_what_is_kept, wait=wait)
    except BaseException:
        journal.close()
        raise
    # The game's end has closed the journal: what can be kept is.
    for _, rulings in waiting:
        tell(rulings)
    return kept_at[0], journal.problem


def _serve(
    settings: Settings,
    make_rig: MakeRig,
    seed: int,
    out: Path,
    language: Language,
    opponent: Choice | None,
    *,
    web: tuple[str, int] | None,
    browser: bool,
) -> None:
    from tamsk_pi.app.simulator import SimulatorHands, board_view, table_for
    from tamsk_pi.runner.lessons import Lesson
    from tamsk_pi.runner.opponents import Coach, OpponentAtBoard
    from tamsk_pi.signals.conductor import Conductor
    from tamsk_pi.sim.rig import Table

    clock = MonotonicClock()
    rig = make_rig(clock, seed, table_for(settings, Table()))
    seated, coach = OpponentAtBoard(opponent, hands=lambda: rig.hands), Coach()
    if web is None:
        _tell_if_nothing_is_kept(out, language)
        open_keeper = _keepers_in(out)
        loop = Loop(
            rig,
            clock,
            lambda of: Conductor("play"),
            open_keeper=open_keeper,
            pump=rig,
            label=_labelled,
            opponent=seated,
        )
        text = catalogue(language).gettext(N_("The board has no page (Ctrl-C ends)."))
        try:
            _run(loop, rig, settings, lambda: click.echo(text), loop.post)
        finally:
            seated.close()
        return

    from tamsk_pi.web.access import Pairing, WebSettings
    from tamsk_pi.web.games import FolderGames
    from tamsk_pi.web.loop_source import LoopSource
    from tamsk_pi.web.reports import Reports
    from tamsk_pi.web.sensors import SensorLog
    from tamsk_pi.web.server import ServerError, live_server

    lesson = Lesson()
    hands = SimulatorHands(rig, settings, opponent=seated, coach=coach, lesson=lesson)
    reports = Reports()
    sensors = SensorLog(rig, clock)
    pairing = Pairing(clock)

    source = LoopSource(
        "simulator",
        clock,
        hands=hands.inbox,
        board=lambda: board_view(rig, loop.desk.origin_ms),
        words=lambda of: words_for(loop.desk.session.settings, of),
        kept=reports.name,
        look=sensors.look,
        lesson=lesson.look,
    )
    loop = Loop(
        rig,
        clock,
        lambda of: Conductor("play"),
        open_keeper=_keepers_in(out, reports.kept_at, reports.forget),
        label=_labelled,
        watchers=[source],
        pump=rig,
        after_pump=source.look_again,
        opponent=seated,
        coach=coach,
    )
    source.attach(loop)
    hands.attach(loop)
    page = live_server(
        source,
        Spoken(loop).say,
        WebSettings(host=web[0], port=web[1], language=language),
        pairing,
        games=FolderGames(out),
        reports=reports,
        sensors=sensors,
    )

    def opened() -> None:
        page.open()
        say = catalogue(language).gettext
        click.echo(say(N_("The board is at {url} (Ctrl-C ends).")).format(url=page.url))
        for link in page.links():
            from tamsk_pi.web.links import qr_lines, seat_link

            told = N_("For phones and others in the same network: {link} (pairing code {code}).")
            click.echo(say(told).format(link=link, code=pairing.code))
            if sys.stdout.isatty():
                click.echo(qr_lines(seat_link(link, "black", pairing.code)))
        if browser:
            webbrowser.open(page.url)

    try:
        # Before the game begins: one that nobody can see need not leave a trace.
        page.reserve()
        _tell_if_nothing_is_kept(out, language)
        _run(loop, rig, settings, opened, sensors.passing(loop.post))
    except ServerError as error:
        complain(error)
        raise SystemExit(CANNOT_SERVE) from None
    finally:
        page.close()
        seated.close()
        coach.close()


def _tell_if_nothing_is_kept(out: Path, language: Language) -> None:
    """Say at once that the folder of the traces cannot be had; the game is judged all the same."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = N_("{folder}: {error}: nothing is kept of these games; everything is judged all the same.")
        told = catalogue(language).gettext(text).format(folder=out, error=error.strerror or error)
        complain(told)


def _run(loop: Loop, rig: Rig, settings: Settings, opened: Callable[[], None], post: Post) -> None:
    # Before anybody is told that it runs: a signal that comes at once must end it as cleanly as a later one.
    on_ending(loop.stop)
    rig.open()
    try:
        rig.start(post)
        loop.begin(settings)
        try:
            loop.go_round()
            opened()
            loop.run()
        finally:
            loop.close()
    finally:
        rig.close()
    sys.stdout.flush()
