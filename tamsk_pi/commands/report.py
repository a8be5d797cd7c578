"""`tamsk-pi report`: a game on one sheet, to print or to keep."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tamsk_pi.commands.reading import UnreadableError, opened
from tamsk_pi.commands.speaking import language_option, usage_error
from tamsk_pi.report.gather import gather
from tamsk_pi.report.write import FORMATS, Format, write_report
from tamsk_pi.signals.language import N_, Language
from tamsk_pi.trace import TORN, TraceError, TraceReader

NO_TRACE = 2
CANNOT_WRITE = 1


@click.command(name="report")
@click.option("-o", "--output", required=True, metavar="FILE", help="The file to write; - for standard output.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="What to write; else the ending of the file's name tells, and html is written to standard output.",
)
@language_option()
@click.argument("trace", metavar="TRACE")
def command(trace: str, output: str, form: Format | None, language: Language) -> None:
    """Put a game on one sheet of paper: result, rings, times, sand, violations, the final position and the record.

    TRACE is a file in the trace format, or - for standard input. An HTML report prints on one page of A4 or Letter; an
    SVG is the same sheet. Of a trace that breaks off or is broken further on, what there is is told, and the sheet says
    so. The exit status is 0 for a trace read to its end, 2 for one that is broken (its report is written) or none at
    all, and 1 where the file cannot be written.
    """
    form = form or _form_of(output)
    try:
        with opened(trace) as stream:
            report = gather(TraceReader(stream, last_line="whole"))
    except (TraceError, UnreadableError) as error:
        _complain(trace, str(error))
        sys.exit(NO_TRACE)
    for flaw in report.flaws:
        what = TORN if flaw.kind == "torn" else flaw.problem
        _complain(trace, what)
    written = write_report(report, language, form).encode()
    if output == "-":
        click.echo(written, nl=False)
    else:
        try:
            Path(output).write_bytes(written)
        except OSError as error:
            _complain(output, error.strerror or str(error))
            sys.exit(CANNOT_WRITE)
    if any(flaw.kind == "broken" for flaw in report.flaws):
        sys.exit(NO_TRACE)


def _form_of(output: str) -> Format:
    if output == "-":
        return "html"
    ending = Path(output).suffix.lower().removeprefix(".")
    for form in FORMATS:
        if ending in (form, {"html": "htm"}.get(form)):
            return form
    raise usage_error(
        N_("{output}: what to write is told by a name that ends in .html or .svg, or by --format {formats}"),
        output=output,
        formats="|".join(FORMATS),
    )


def _complain(where: str, what: str) -> None:
    click.echo(f"tamsk-pi: {where}: {what}", err=True)
