"""`tamsk-pi calibrate`: which sensor answers to which socket, and how long each glass runs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import attrs
import click

from tamsk_pi.calibrate.drive import Ended, Typed
from tamsk_pi.calibrate.glasses import GlassCalibration, glass_findings, wanders
from tamsk_pi.calibrate.progress import (
    GlassProgress,
    ProgressError,
    ProgressFile,
    SocketProgress,
    calibration_folder,
    glass_progress,
    socket_progress,
)
from tamsk_pi.calibrate.saying import Finding, Say
from tamsk_pi.calibrate.socket_report import Report, report_on
from tamsk_pi.calibrate.sockets import Result, SocketCalibration, is_clean, sensor_of
from tamsk_pi.calibrate.spread import timed
from tamsk_pi.commands.calibrate_caps import command as caps
from tamsk_pi.commands.calibrate_holders import command as holders
from tamsk_pi.commands.calibration_board import CalibrationBoard, drive, open_board, real_board, virtual_board
from tamsk_pi.commands.speaking import usage_error
from tamsk_pi.config.load import Configuration, default_files, load_settings, parse_overrides, user_file
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.profile import profile_folder, profile_path
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.ending import on_ending
from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.signals.calibration import REPORT, CalibrationWords
from tamsk_pi.signals.findings import mark
from tamsk_pi.signals.language import LANGUAGES, N_, catalogue, chosen_language, say_for
from tamsk_pi.terminal import complain, reason_of

BAD_CONFIG: Final = 2
BROKEN_OFF: Final = 130
_F = TypeVar("_F", bound=Callable[..., Any])


def _common_options(command: _F) -> _F:
    for option in reversed(
        (
            click.option(
                "--board", metavar="NAME", help="matrix, bridge, or a profile's name or path; else as configured."
            ),
            click.option("--simulated", is_flag=True, help="A virtual board, with hands that do as they are asked."),
            click.option(
                "--simulated-fault",
                "faults",
                metavar="FAULT",
                multiple=True,
                help="With --simulated: what is wrong there, as stuck-open@socket:D4, exchanged@D4+D5, columns@A+B,"
                " wandering@R2. May be given more than once.",
            ),
            click.option("--restart", is_flag=True, help="Begin anew instead of going on where the last one ended."),
            click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object."),
            click.option(
                "--language", type=click.Choice(["auto", *LANGUAGES]), help="What is spoken; else as configured."
            ),
            click.option(
                "--set", "pairs", metavar="KEY=VALUE", multiple=True, help="Set a value over those of the files."
            ),
        )
    ):
        command = option(command)
    return command


@attrs.frozen
class Asked:
    """What both calibrations are told on the command line."""

    command: str
    configuration: Configuration
    board: CalibrationBoard
    words: CalibrationWords
    restart: bool
    as_json: bool

    @property
    def folder(self) -> Path | None:
        """Where the progress is kept; that of a virtual board apart, as it says nothing of the real one."""
        folder = calibration_folder(os.environ)
        return folder / "simulated" if folder is not None and self.board.is_virtual else folder

    def tell(self, text: str) -> None:
        """Something for a person: not among the JSON."""
        click.echo(text, err=self.as_json)

    def report(self, code: str, **blanks: object) -> None:
        """One of the texts around a calibration."""
        self.tell(self.words.text(REPORT[code], command=f"tamsk-pi calibrate {self.command}", **blanks))

    def say(self, said: Iterable[Say]) -> None:
        for one in said:
            self.tell(self.words.step(one.code, one.blanks))

    def show(self, findings: Iterable[Finding]) -> None:
        """Findings, each with its remedy below it."""
        say = catalogue(self.words.language).gettext
        for finding in findings:
            text, remedy = self.words.found(finding.code, finding.names, finding.blanks)
            beginning = mark(finding.weight, say)
            self.tell(f"{beginning}  {text}\n{'':<{len(beginning) + 2}}-> {remedy}")

    def as_plain(self, finding: Finding) -> dict[str, object]:
        text, remedy = self.words.found(finding.code, finding.names, finding.blanks)
        return {
            "code": finding.code,
            "weight": finding.weight,
            "names": finding.names,
            "text": text,
            "remedy": remedy,
        }


def _fail(text: object, status: int) -> NoReturn:
    complain(text)
    sys.exit(status)


def _asked(
    command: str,
    *,
    board: str | None,
    simulated: bool,
    faults: tuple[str, ...],
    restart: bool,
    as_json: bool,
    language: str | None,
    pairs: tuple[str, ...],
) -> Asked:
    if faults and not simulated:
        raise usage_error(N_("--simulated-fault goes with --simulated"))
    try:
        overrides = parse_overrides(pairs) | ({} if language is None else {"language": language})
        configuration = load_settings(overrides)
        settings = configuration.settings
        name = settings.board if board is None else board
        made = virtual_board(name, settings, faults) if simulated else real_board(name, settings)
    except ConfigError as error:
        _fail(error, BAD_CONFIG)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    words = CalibrationWords(chosen_language(settings.language, os.environ))
    return Asked(command, configuration, made, words, restart, as_json)


def _stopper() -> Callable[[], bool]:
    """Whether Ctrl-C was pressed, or the process told to end, since this was called."""
    stop: list[bool] = []
    on_ending(lambda: stop.append(True))
    return lambda: bool(stop)


def _read_progress(asked: Asked, kept: ProgressFile[Any]) -> Any:
    try:
        if asked.restart:
            kept.forget()
        return kept.read()
    except ProgressError as error:
        _fail(error, 1)


class _Keeper:
    """Writes progress; where it cannot be, says so once and goes on."""

    def __init__(self, kept: ProgressFile[Any]) -> None:
        self._kept = kept
        self._failed = False

    def write(self, progress: Any) -> None:
        try:
            self._kept.write(progress)
        except ProgressError as error:
            if not self._failed:
                complain(error)
            self._failed = True


def _end_early(asked: Asked, ended: Ended, done: int, count: int) -> None:
    if ended == "broken off":
        asked.report("broken_off", done=done, count=count)
        sys.exit(BROKEN_OFF)
    if ended == "board silent":
        asked.report("board_silent")
        sys.exit(1)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Find out which sensor answers to which socket, and how long each glass really runs.

    Both light what is to be done next, say it, and find what is wrong. Ctrl-C breaks off and leaves the lamps dark;
    the same command goes on from there. Holders on load cells are weighed, radio caps
    paired.
    """


command.add_command(caps)
command.add_command(holders)


# -- sockets


@command.command()
@_common_options
@click.option("--write", "target", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
              help="Write a copy of the board's profile in which the exchanged lines are right.")  # fmt: skip
def sockets(target: Path | None, **options: Any) -> None:
    """Carry one glass through every socket, both ways up, and find what is wrong with sensors and wires.

    The socket that is asked for is lit. A press of any button, or Enter, says that the glass stands as asked and
    nothing happens. Once all are done, the next call tries those again that were not right.

    The exit status is 1 if anything stops play, 130 if it was broken off.
    """
    asked = _asked("sockets", **options)
    kept = socket_progress(asked.folder, asked.board.name)
    progress: SocketProgress = _read_progress(asked, kept)
    settings = asked.configuration.settings
    keeper = _Keeper(kept)
    results: dict[str, Result] = {}
    # Before the board is opened: a signal must find somebody who puts its lamps out.
    stopped = _stopper()
    try:
        inputs = open_board(asked.board)
        calibration = SocketCalibration(
            inputs,
            asked.board.clock.now_ms(),
            _to_go_on_with(progress, inputs),
            gap_ms=attrs.asdict(settings.gap_ms),
            settle_ms=attrs.asdict(settings.settle_ms),
            keep=lambda socket, result: keeper.write(SocketProgress(calibration.sensor, results | {socket: result})),
        )
        results = calibration.results

        def typed(line: Typed) -> list[Say]:
            return calibration.press(line.t_ms)

        ended = drive(asked.board, calibration, asked.say, typed, stopped)
    except DeviceError as error:
        _fail(error, 1)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    finally:
        asked.board.device.close()
    _end_early(asked, ended, len(results), len(calibration.sockets))
    report = report_on(results, calibration.sockets, asked.board.wiring(calibration.sensor))
    if not report.findings:
        kept.forget()
    _tell_sockets(asked, report, calibration)
    if target is not None:
        _write_profile(asked, report, target)
    sys.exit(1 if report.stops_play else 0)


def _to_go_on_with(progress: SocketProgress, inputs: Mapping[tuple[str, str], Any]) -> Mapping[str, Result]:
    """What need not be tried again: all that was, or, where all were tried, those that were right."""
    fitted = {name for kind, name in inputs if kind == "socket"}
    known = {name: result for name, result in progress.results.items() if name in fitted}
    if progress.sensor != sensor_of(inputs):
        return {}
    if set(known) == fitted:
        known = {name: result for name, result in known.items() if is_clean(name, result)}
    return {} if set(known) == fitted else known


def _tell_sockets(asked: Asked, report: Report, calibration: SocketCalibration) -> None:
    if asked.as_json:
        whole = {
            "calibration": "sockets",
            "board": asked.board.name,
            "sensor": calibration.sensor,
            "plays": not report.stops_play,
            "findings": [asked.as_plain(finding) for finding in report.findings],
            "exchange": {
                "columns": dict(report.lines.columns),
                "rows": dict(report.lines.rows),
                "pins": dict(report.pins),
            },
            "sockets": {name: attrs.asdict(result) for name, result in calibration.results.items()},
        }
        click.echo(json.dumps(whole, ensure_ascii=False, indent=2))
    elif report.findings:
        asked.show(report.findings)
        asked.report("again")
    else:
        asked.report("all_right")


def _write_profile(asked: Asked, report: Report, target: Path) -> None:
    from firmware_bridge.pins import problems
    from tamsk_pi.calibrate.files import replace_file
    from tamsk_pi.calibrate.record import with_lines_exchanged, with_pins_exchanged
    from tamsk_pi.config.structure import read_toml

    if not report.lines and not report.pins:
        asked.report("nothing_to_write")
        return
    try:
        if report.pins:
            source = profile_folder() / "bridge.toml"
            text = with_pins_exchanged(source.read_text(encoding="utf-8"), report.pins)
        else:
            source = profile_path(asked.board.called)
            text = with_lines_exchanged(source.read_text(encoding="utf-8"), report.lines, target.stem)
        replace_file(target, text)
        if report.pins and (found := problems(read_toml(target))):
            raise ConfigError([Problem(str(target), "", line) for line in found])
    except ConfigError as error:
        _fail(error, BAD_CONFIG)
    except OSError as error:
        _fail(f"{target}: {reason_of(error)}", 1)
    asked.report("written_profile", path=target)


# -- glasses


@command.command()
@_common_options
@click.option("--glass", "chosen", type=click.Choice([*GLASSES, TIMER]), multiple=True,
              help="Time this glass; may be given more than once. Else all seven are timed.")  # fmt: skip
@click.option("--repeats", type=click.IntRange(2, 20), default=3, show_default=True,
              help="How many runs from each end must agree.")  # fmt: skip
@click.option("--into", "target", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
              help="The configuration that the times are written into; else the user's own file.")  # fmt: skip
@click.option("--no-write", is_flag=True, help="Print the settings instead of writing them into a file.")
def glasses(chosen: tuple[str, ...], repeats: int, target: Path | None, no_write: bool, **options: Any) -> None:
    """Time every glass from both ends, and write the times, their date and the tolerance into the configuration.

    A glass is timed from its turning over to a press as its last grain falls; runs that stray are refused and
    repeated. It takes about an hour. What is measured on a virtual board is printed, and written only with --into.

    The exit status is 1 if a glass or its tilt switch is not fit to play with, 130 if it was broken off.
    """
    if no_write and target is not None:
        raise usage_error(N_("--no-write and --into exclude each other"))
    asked = _asked("glasses", **options)
    settings = asked.configuration.settings
    file = target if target is not None or no_write or asked.board.is_virtual else user_file(os.environ)
    if file is None and not (no_write or asked.board.is_virtual):
        text = N_("there is no home to keep a configuration in: name a file with --into")
        _fail(say_for(os.environ)(text), BAD_CONFIG)
    kept = glass_progress(asked.folder, asked.board.name)
    progress: GlassProgress = _read_progress(asked, kept)
    keeper = _Keeper(kept)
    wanted = chosen or (*GLASSES, TIMER)

    def whole_progress() -> GlassProgress:
        return GlassProgress({**progress.runs, **_frozen(calibration.runs)})

    # Before the board is opened: a signal must find somebody who puts its lamps out.
    stopped = _stopper()
    try:
        inputs = open_board(asked.board)
        if settings.tilt is False:
            inputs = {name: value for name, value in inputs.items() if name[0] != "tilt"}
        calibration = GlassCalibration(
            inputs,
            asked.board.clock.now_ms(),
            glasses=wanted,
            repeats=repeats,
            runs=progress.runs,
            gap_ms=attrs.asdict(settings.gap_ms),
            settle_ms=attrs.asdict(settings.settle_ms),
            keep=lambda glass, end, run_ms: keeper.write(whole_progress()),
        )

        def typed(line: Typed) -> list[Say]:
            return calibration.press(line.t_ms, "red" if line.text == "r" else "black" if line.text == "b" else None)

        ended = drive(asked.board, calibration, asked.say, typed, stopped)
    except DeviceError as error:
        _fail(error, 1)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    finally:
        asked.board.device.close()
    runs = calibration.runs
    done = [glass for glass in runs if all(len(runs[glass][end]) >= repeats for end in "ab")]
    _end_early(asked, ended, len(done), len(runs))
    findings = glass_findings(runs, repeats, calibration.unheard)
    fit = {glass: ends for glass, ends in runs.items() if not wanders(ends, repeats)}
    written = _write_times(asked, fit, file)
    left = {glass: ends for glass, ends in progress.runs.items() if glass not in runs}
    if left:
        keeper.write(GlassProgress(left))
    else:
        kept.forget()
    if asked.as_json:
        _print_times(asked, runs, findings, fit, written)
    elif findings:
        asked.show(findings)
    sys.exit(1 if any(finding.weight == "stops" for finding in findings) else 0)


def _frozen(runs: Mapping[str, Mapping[str, Iterable[int]]]) -> dict[str, dict[str, tuple[int, ...]]]:
    return {glass: {end: tuple(runs_ms) for end, runs_ms in ends.items()} for glass, ends in runs.items()}


def _measured(asked: Asked, fit: Mapping[str, Mapping[str, list[int]]]) -> dict[str, Any]:
    from tamsk_pi.calibrate.record import measured_settings

    return measured_settings(fit, date.today().isoformat(), asked.configuration.settings.tolerance_ms)


def _write_times(asked: Asked, fit: Mapping[str, Mapping[str, list[int]]], file: Path | None) -> Path | None:
    """Write what was measured into the file, or show it where there is none; the file that was written."""
    from tamsk_pi.calibrate.record import settings_lines, write_settings

    if not fit:
        asked.report("not_written")
        return None
    measured = _measured(asked, fit)
    if file is None:
        asked.tell(settings_lines(measured))
        return None
    try:
        write_settings(file, measured, default_files())
    except ConfigError as error:
        asked.tell(settings_lines(measured))
        _fail(error, BAD_CONFIG)
    except OSError as error:
        asked.tell(settings_lines(measured))
        _fail(f"{file}: {reason_of(error)}", 1)
    asked.report("written_settings", path=file)
    return file


def _print_times(
    asked: Asked,
    runs: Mapping[str, Mapping[str, list[int]]],
    findings: Iterable[Finding],
    fit: Mapping[str, Mapping[str, list[int]]],
    written: Path | None,
) -> None:
    listed = list(findings)
    times = {
        glass: {
            end: {
                "time_ms": timed(runs_ms).time_ms,
                "spread_ms": timed(runs_ms).spread_ms,
                "runs_ms": runs_ms,
                "refused_ms": timed(runs_ms).refused,
            }
            for end, runs_ms in ends.items()
            if runs_ms
        }
        for glass, ends in runs.items()
    }
    whole = {
        "calibration": "glasses",
        "board": asked.board.name,
        "plays": not any(finding.weight == "stops" for finding in listed),
        "findings": [asked.as_plain(finding) for finding in listed],
        "glasses": times,
        "measured": _measured(asked, fit) if fit else {},
        "written": None if written is None else str(written),
    }
    click.echo(json.dumps(whole, ensure_ascii=False, indent=2))
