"""`tamsk-pi replay`: judge traces by the rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from tamsk_pi.commands.printing import printer
from tamsk_pi.commands.reading import UnreadableError, opened
from tamsk_pi.commands.speaking import language_option, usage_error
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.true_record import check
from tamsk_pi.rules.record import RecordError, build_record, format_record
from tamsk_pi.runner.speech import words_for
from tamsk_pi.session import Session
from tamsk_pi.signals.language import N_, Language
from tamsk_pi.trace import TORN, TraceError, TraceReader
from tamsk_pi.trace_header import write_header

NO_TRACE = 2
NO_RECORD = 1


def rulings_of(reader: TraceReader, session: Session | None = None) -> Iterator[Ruling]:
    """The rulings on a trace, as they become certain; `session` judges it."""
    session = session or Session(reader.settings)
    last_ms = 0
    for record in reader:
        yield from session.take(record)
        last_ms = record.t_ms
    if not session.ended:
        yield from session.finish(last_ms)


@click.command(name="replay")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, the form that other programs read.")
@click.option("--record", "as_record", is_flag=True, help="Print each game's record in notation instead.")
@click.option("--page", "on_page", is_flag=True, help="Play one trace again on a page on 127.0.0.1.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8037,
    show_default=True,
    help="With --page: where it is served; 0 takes any free port.",
)
@click.option("--no-browser", is_flag=True, help="With --page: open no browser.")
@language_option()
@click.argument("traces", nargs=-1, required=True, metavar="TRACE...")
def command(
    traces: tuple[str, ...],
    as_json: bool,
    as_record: bool,
    on_page: bool,
    port: int,
    no_browser: bool,
    language: Language,
) -> None:
    """Judge traces by the rules and print one ruling a line.

    TRACE is a file in the trace format, or - for standard input. With several traces each one's rulings are preceded
    by a line that names it. The exit status is 0 for traces read to their end, whatever the rulings, and 2 for one
    that is no trace; the others are judged all the same.
    """
    if as_json and as_record:
        raise usage_error(N_("--json and --record: a record is no JSON; choose one"))
    if on_page:
        if len(traces) > 1 or traces[0] == "-" or as_json or as_record:
            raise usage_error(N_("--page plays one file, and prints nothing: leave --json, --record and - out"))
        from tamsk_pi.commands.replay_page import serve_trace

        serve_trace(Path(traces[0]), port, language, browser=not no_browser)
        return
    status = 0
    for path in traces:
        if len(traces) > 1:
            click.echo(json.dumps({"trace": path}, ensure_ascii=False) if as_json else f"{path}:")
        status = max(status, _judge(path, language, as_json=as_json, as_record=as_record))
    sys.exit(status)


def _judge(path: str, language: Language, *, as_json: bool, as_record: bool) -> int:
    """Print what there is to say of one trace; the exit status for it."""
    try:
        with opened(path) as stream:
            reader = TraceReader(stream, last_line="whole")
            if as_record:
                session = Session(reader.settings)
                record = build_record(write_header(reader.settings), rulings_of(reader, session))
                check(record, session.referee.game)
                click.echo(format_record(record), nl=False)
            else:
                printer(words_for(reader.settings, language), as_json=as_json)(rulings_of(reader))
            if reader.torn:
                click.echo(f"tamsk-pi: {path}: {TORN}", err=True)
    except (TraceError, UnreadableError) as error:
        click.echo(f"tamsk-pi: {path}: {error}", err=True)
        return NO_TRACE
    except RecordError as error:
        click.echo(f"tamsk-pi: {path}: this game cannot be written as a record: {error}", err=True)
        return NO_RECORD
    return 0
