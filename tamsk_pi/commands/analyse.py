"""`tamsk-pi analyse`: what each move of a kept game was worth."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import attrs
import click

from tamsk_pi.commands.reading import UnreadableError, opened
from tamsk_pi.runner.speech import clock_text
from tamsk_pi.signals.language import N_, say_for

if TYPE_CHECKING:
    from tamsk_pi.coach.analysis import Analysis
    from tamsk_pi.rules.board import Player

NO_TRACE = 2
_SIDES: Final[tuple[Player, ...]] = ("red", "black")


@click.command(name="analyse")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines: one object per move, then one for the game.")
@click.option(
    "--nodes",
    metavar="N",
    type=click.IntRange(50, 1_000_000),
    default=2_000,
    show_default=True,
    help="How many positions to look at for each move.",
)
@click.argument("trace", metavar="TRACE")
def command(trace: str, nodes: int, as_json: bool) -> None:
    """Judge every move of a game by the engine: its score, the better move, and what a lost hourglass cost.

    TRACE is a file in the trace format, or - for standard input. Scores are in rings, from red's side: +1.5 is a ring
    and a half for red; from 20 on the end is proven. How far it has come is told on standard error where that is a
    terminal. The exit status is 2 for what is no trace.
    """
    from tamsk_pi.coach.analysis import analyse
    from tamsk_pi.trace import TraceError, TraceReader

    say = say_for(os.environ)
    try:
        with opened(trace) as stream:
            found = analyse(TraceReader(stream, drop_torn_end=True), nodes, _progress(say))
    except (TraceError, UnreadableError) as error:
        _end_progress()
        click.echo(f"tamsk-pi: {trace}: {error}", err=True)
        sys.exit(NO_TRACE)
    _end_progress()
    if as_json:
        _print_json(found)
    else:
        _print_table(found, say)


def _progress(say: Callable[[str], str]) -> Callable[[int], None]:
    if not sys.stderr.isatty():
        return lambda moves: None
    text = say(N_("{moves} moves judged"))
    return lambda moves: click.echo(f"\r{text.format(moves=moves)} ", nl=False, err=True)


def _end_progress() -> None:
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)


def _print_json(found: Analysis) -> None:
    for move in found.moves:
        click.echo(json.dumps(attrs.asdict(move)))
    click.echo(
        json.dumps(
            {
                "glasses": [attrs.asdict(glass) for glass in found.glasses],
                "worst": {side: [move.number for move in found.worst(side)] for side in _SIDES},
                "unjudged": found.unjudged,
            }
        )
    )


def _rings(hundredths: int) -> str:
    return f"{hundredths / 100:+.1f}"


def _print_table(found: Analysis, say: Callable[[str], str]) -> None:
    sides = {"red": say(N_("Red")), "black": say(N_("Black"))}
    wide = max(map(len, sides.values()))
    for move in found.moves:
        text = f"{move.origin or '*'}-{move.to}"
        better = (
            ""
            if move.better is None or move.lost < 5
            else f"{-move.lost / 100:+.1f}  {say(N_('better:'))} {move.better}"
        )
        where = f"{move.number:3}  {clock_text(move.t_ms)}  {sides[move.player]:{wide}}"
        click.echo(f"{where}  {text:5}  {_rings(move.score):>5}  {better}".rstrip())
    for glass in found.glasses:
        told = say(N_("{time}  {side} lost {glass}, which cost {rings} rings."))
        click.echo(
            told.format(
                time=clock_text(glass.t_ms),
                side=sides[glass.player],
                glass=glass.glass,
                rings=f"{glass.cost / 100:.1f}",
            )
        )
    for side in _SIDES:
        worst = ", ".join(f"{move.number} ({-move.lost / 100:+.1f})" for move in found.worst(side))
        if worst:
            click.echo(say(N_("{side}'s worst moves: {moves}")).format(side=sides[side], moves=worst))
    if found.unjudged:
        click.echo(say(N_("Moves that could not be judged: {count}")).format(count=found.unjudged))
