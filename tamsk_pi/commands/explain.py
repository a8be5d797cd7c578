"""`tamsk-pi explain`: say why a ruling on a trace was given."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping

import click

from tamsk_pi.commands.reading import UnreadableError, opened
from tamsk_pi.commands.speaking import language_option, usage_error
from tamsk_pi.explain.chronicle import moments_of
from tamsk_pi.explain.explanation import explanation_of
from tamsk_pi.explain.moment import Moment
from tamsk_pi.runner.speech import words_for
from tamsk_pi.signals.explaining import Explainer
from tamsk_pi.signals.language import N_, Language, say_for
from tamsk_pi.trace import TORN, TraceError, TraceReader

UNCLEAR = 2


class NoSuchRulingError(ValueError):
    """There is no ruling as asked for; the text is one line for the user."""


@click.command(name="explain")
@click.option("--at", "at_ms", type=click.IntRange(0), metavar="MS", help="The last rulings up to this time.")
@click.option("--ruling", "number", type=click.IntRange(1), metavar="N", help="The Nth ruling, as replay prints them.")
@click.option("--last", is_flag=True, help="The last ruling (the default).")
@click.option("--violations", is_flag=True, help="Every violation.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, the form that other programs read.")
@language_option()
@click.argument("trace", metavar="TRACE")
def command(
    trace: str,
    at_ms: int | None,
    number: int | None,
    last: bool,
    violations: bool,
    as_json: bool,
    language: Language,
) -> None:
    """Say why a ruling on a trace was given.

    Tells the ruling, the raw edges that it rests on, the settle times, windows and deadlines that applied, the rule
    that decided with its source, and the sand of each glass at that instant. TRACE is a file in the trace format, or
    - for standard input.
    """
    asked = [name for name, on in _asked(at_ms, number, last=last, violations=violations).items() if on]
    if len(asked) > 1:
        raise usage_error(N_("{options}: choose one"), options=", ".join(asked))
    try:
        with opened(trace) as stream:
            reader = TraceReader(stream, last_line="whole")
            explainer = Explainer(words_for(reader.settings, language))
            for moment in _chosen(moments_of(reader), at_ms, number, violations=violations):
                explanation = explanation_of(moment, explainer)
                click.echo(
                    json.dumps(explanation, ensure_ascii=False) if as_json else "\n".join(explainer.lines(explanation))
                )
            if reader.torn:
                click.echo(f"tamsk-pi: {trace}: {TORN}", err=True)
    except (TraceError, UnreadableError, NoSuchRulingError) as error:
        click.echo(f"tamsk-pi: {trace}: {error}", err=True)
        sys.exit(UNCLEAR)


def _asked(at_ms: int | None, number: int | None, *, last: bool, violations: bool) -> Mapping[str, bool]:
    return {"--at": at_ms is not None, "--ruling": number is not None, "--last": last, "--violations": violations}


def _chosen(moments: Iterable[Moment], at_ms: int | None, number: int | None, *, violations: bool) -> Iterator[Moment]:
    found: list[Moment] = []
    count = 0
    for moment in moments:
        count += 1
        ruling = moment.ruling
        if violations:
            if ruling.kind == "violation":
                yield moment
        elif number is not None:
            found += [moment] if moment.number == number else []
        elif at_ms is None:
            found = [moment]
        elif ruling.t_ms <= at_ms:
            # Rulings that bear one time belong together: a move, and the pass that follows from it.
            found = [m for m in found if m.ruling.t_ms == ruling.t_ms] + [moment]
    if not found and not violations:
        text = say_for(os.environ)(N_("there is no such ruling; the trace gives {count}"))
        raise NoSuchRulingError(text.format(count=count))
    yield from found
