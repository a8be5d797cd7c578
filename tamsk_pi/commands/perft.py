"""`tamsk-pi perft`: count move sequences from a position."""

from __future__ import annotations

import os
import re

import click

from tamsk_pi.commands.interrupting import interruptible
from tamsk_pi.rules.perft import by_first_move, perft
from tamsk_pi.rules.position import Position, PositionError
from tamsk_pi.rules.quoting import quoted
from tamsk_pi.signals.language import N_, say_for
from tamsk_pi.terminal import complain


def _read_depth(_ctx: click.Context, _param: click.Parameter, value: str) -> int:
    # The limit is far above the longest game; it keeps what is shown and computed within bounds.
    if not re.fullmatch("[0-9]{1,3}", value):
        text = say_for(os.environ)(N_("{value} (allowed: a whole number from 0 to 999)"))
        raise click.BadParameter(text.format(value=quoted(value)))
    return int(value)


def _read_position(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Position:
    if value is None:
        return Position.start()
    try:
        return Position.parse(value)
    except PositionError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.option("--depth", required=True, metavar="N", callback=_read_depth, help="How many moves a sequence has.")
@click.option(
    "--position",
    metavar="TEXT",
    callback=_read_position,
    help="Where to begin (default: the start): columns A to G separated by '/', each socket from the bottom one digit "
    "(its rings) and r or b where a glass stands, then the side to move, then the rings left of red and black.",
)
@click.option("--divide", "divided", is_flag=True, help="List each first move with its count, then the total.")
def command(depth: int, position: Position, divided: bool) -> None:
    """Count level-1 move sequences in which every move drops its ring.

    A side that cannot move passes, which counts as one move. A game that has ended adds nothing to the depths that
    remain. From the start depths 1 to 4 count 9, 81, 858 and 8994.
    """
    if not depth:
        click.echo(f"total: {perft(position, depth)}" if divided else perft(position, depth))
        return
    counts: dict[str, int] = {}

    def tell_so_far() -> None:
        # Not on standard output: there a number is the whole count.
        text = N_("interrupted: {moves} first moves are counted, with {count} sequences")
        complain(say_for(os.environ)(text).format(moves=len(counts), count=sum(counts.values())))

    with interruptible(tell_so_far):
        for move, count in by_first_move(position, depth):
            counts[move] = count
            if divided:
                click.echo(f"{move}: {count}")
        click.echo(f"total: {sum(counts.values())}" if divided else sum(counts.values()))
