"""`tamsk-pi match`: two engines play each other under the referee, in virtual time."""

from __future__ import annotations

import json

import click

from tamsk_pi.commands.game_options import settings_from
from tamsk_pi.commands.speaking import usage_error
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.signals.language import N_

FAILED = 1


@click.command(name="match")
@click.argument("first", metavar="COMMAND")
@click.argument("second", metavar="COMMAND")
@click.option(
    "--games", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="How many games to play."
)
@click.option(
    "--level",
    type=click.IntRange(1, 3),
    default=1,
    show_default=True,
    help="1: glasses are not turned; 2: they are; 3: with the 15-second timer.",
)
@click.option(
    "--rules",
    type=click.Choice(list(EDITIONS)),
    default="rulebook",
    show_default=True,
    help="The edition: what an expired timer costs.",
)
@click.option("--movetime", metavar="MS", type=click.IntRange(1, 600_000), help="So long each may think about a turn.")
@click.option("--nodes", metavar="N", type=click.IntRange(1), help="So many positions each may look at for a turn.")
@click.option(
    "--pace",
    metavar="MS",
    type=click.IntRange(3_000, 60_000),
    default=5_000,
    show_default=True,
    help="How long a turn takes on the board, whatever time was thought.",
)
@click.option(
    "--opening",
    metavar="N",
    type=click.IntRange(0, 20),
    default=4,
    show_default=True,
    help="So many turns at random begin each pair of games.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="What those turns are drawn from.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game, then one for the match.")
def command(
    first: str,
    second: str,
    games: int,
    level: int,
    rules: str,
    movetime: int | None,
    nodes: int | None,
    pace: int,
    opening: int,
    seed: int,
    as_json: bool,
) -> None:
    """Let two engines play each other. Each COMMAND starts one that speaks UTI, such as "tamsk-pi engine --strength 5".

    The games are judged by the real referee in virtual time, with the colours alternating; each opening is played
    twice. An engine that answers nonsense, too late or not at all loses that game, and is started anew for the next.
    Without --movetime and --nodes each engine thinks as far as it does by itself. The exit status is 1 where every
    game was lost by a failure.
    """
    from tamsk_pi.engine_match.by_uti import GRACE_S, NODES_WITHIN_S, UtiPlayer
    from tamsk_pi.engine_match.figures import elo_text
    from tamsk_pi.engine_match.match import Match, MatchPlan

    if movetime is not None and nodes is not None:
        raise usage_error(N_("{options}: choose one"), options="--movetime, --nodes")
    go = f"movetime {movetime}" if movetime is not None else f"nodes {nodes}" if nodes is not None else ""
    within_s = movetime / 1000 + GRACE_S if movetime is not None else NODES_WITHIN_S
    players = UtiPlayer(first, go, within_s), UtiPlayer(second, go, within_s)
    settings = settings_from({"level": level, "rules": rules})
    plan = MatchPlan(games=games, settings=settings, pace_ms=pace, opening=opening, seed=seed)
    match = Match(*players, plan)
    failures = 0
    try:
        for played in match.play():
            outcome = played.outcome
            failures += outcome.reason == "failed"
            red, black = outcome.rings_left
            if as_json:
                click.echo(json.dumps({
                    "game": played.number, "first": played.first_is, "winner": outcome.winner, "reason": outcome.reason,
                    "rings_left": {"red": red, "black": black}, "turns": list(played.turns), "fault": outcome.fault,
                    "violations": played.violations,
                }))  # fmt: skip
                continue
            who = "draw" if outcome.winner is None else "first" if outcome.winner == played.first_is else "second"
            why = outcome.fault or f"{outcome.reason}, rings left {red}:{black}, {outcome.turns} turns"
            click.echo(
                f"game {played.number}: first is {played.first_is}; {who if who == 'draw' else f'{who} wins'} ({why})"
            )
    finally:
        for player in players:
            player.close()
    score = match.score
    if as_json:
        elo = None if score.elo is None else round(score.elo, 1)
        error = None if score.elo_error is None else round(score.elo_error, 1)
        click.echo(json.dumps({
            "games": score.games, "won": score.won, "lost": score.lost, "drawn": score.drawn,
            "share": round(score.share, 4), "elo": elo, "elo_error": error,
        }))  # fmt: skip
    else:
        click.echo(f"first:  {first}\nsecond: {second}")
        click.echo(
            f"first won {score.won}, lost {score.lost}, drew {score.drawn}: {100 * score.share:.1f} % of the points"
        )
        click.echo(f"Elo {elo_text(score)} (95 %)")
    if failures == score.games:
        raise SystemExit(FAILED)
