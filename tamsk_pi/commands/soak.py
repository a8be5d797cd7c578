"""`tamsk-pi soak`: simulated games with faults, each ruling held against what the hands did."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import click

from tamsk_pi.journal import SUFFIX
from tamsk_pi.soak.plan import FAULTS, FaultListError, Order, RingMode, faults_from_text

UNCLEAN = 1
STOPPED = 130


def _read_faults(_ctx: click.Context, _param: click.Parameter, value: str) -> tuple[str, ...]:
    try:
        return faults_from_text(value)
    except FaultListError as error:
        raise click.BadParameter(str(error)) from None


@click.command(name="soak")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="How many to play.")
@click.option("--seed", type=int, default=1, show_default=True, help="What all is drawn from.")
@click.option(
    "--faults",
    metavar="LIST",
    default="all",
    show_default=True,
    callback=_read_faults,
    help=f"all, none, or some of {', '.join(FAULTS)}, separated by commas.",
)
@click.option("--level", type=click.IntRange(1, 3), help="Only this level. Default: all three in turn.")
@click.option("--rings", type=click.Choice(["stack", "holder", "buttons"]), help="Only this way of noticing rings.")
@click.option(
    "--settle-ms",
    type=click.IntRange(1, 10_000),
    help="Another settle time for sockets: with too short a one, contacts that bounce are taken for hands.",
)
@click.option(
    "--caps",
    "cap_loss",
    type=click.IntRange(0, 80),
    metavar="PERCENT",
    help="Tilts go by radio, and so many percent of all transmissions are lost: 0 to 80.",
)
@click.option("--game", "only", type=click.IntRange(min=0), help="Play only the game of this number.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes play.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the traces of games that go wrong."
)
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as one JSON object.")
def command(
    games: int,
    seed: int,
    faults: tuple[str, ...],
    level: int | None,
    rings: RingMode | None,
    settle_ms: int | None,
    cap_loss: int | None,
    only: int | None,
    jobs: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Play simulated games with faults, hold each ruling against what the hands did, and print a table.

    bounce: contacts bounce long. transit: glasses are slid over sockets. rattle: tilt balls rattle and are jolted.
    stuck, noisy: a socket's sensor lies for a time and is declared dead. weak: one flickers. link: the link is cut and
    restored. kill: the program is killed at a random byte of its journal and goes on with what is left.

    shake: an input goes to and fro for up to a minute. hang: one tells nothing for a time. pause: the arbiter's.
    takeback: the players take their last move back. power: cut for a time that no clock tells.

    The exit status is 1 when a ruling was false, missed, lost or unfounded, a game was not finished, or memory grew,
    and 130 when it was stopped by Ctrl-C or SIGTERM; the table then tells of the games that were played to their end.
    """
    # Imported only here: what plays games is not needed to print this command's help.
    from tamsk_pi.soak import table
    from tamsk_pi.soak.run import Played, SoakStopped, soak

    order = Order(
        seed=seed,
        faults=faults,
        level=level,
        rings=rings,
        settle_ms=settle_ms,
        cap_loss=None if cap_loss is None else cap_loss / 100,
    )
    numbers = range(games) if only is None else range(only, only + 1)

    def tell(played: Played) -> None:
        if played.trace and out is not None:
            out.mkdir(parents=True, exist_ok=True)
            path = out / f"soak-{seed}-{played.number}{SUFFIX}"
            path.write_text(played.trace, encoding="utf-8")
            click.echo(f"tamsk-pi: game {played.number} went wrong; its trace is {path}", err=True)

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    stopped = False
    try:
        tally, memory = soak(order, numbers, jobs, tell)
    except SoakStopped as so_far:
        tally, memory, stopped = so_far.tally, so_far.memory, True
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"tamsk-pi: {where}{error.strerror or error}", err=True)
        sys.exit(UNCLEAN)
    if as_json:
        click.echo(json.dumps(table.as_json(tally, memory)))
    else:
        for line in table.lines(tally, memory):
            click.echo(line)
    if stopped:
        click.echo(f"tamsk-pi: stopped after {tally.games} of {len(numbers)} games", err=True)
        sys.exit(STOPPED)
    if not (tally.is_clean and memory.is_flat):
        sys.exit(UNCLEAN)
