"""Rulings on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.speech import clock_text
from tamsk_pi.signals.words import Words


def printer(words: Words, *, as_json: bool) -> Callable[[Iterable[Ruling]], None]:
    """Prints rulings, one a line: as JSON Lines, or as time and words."""

    def tell(rulings: Iterable[Ruling]) -> None:
        for ruling in rulings:
            click.echo(ruling.json_line() if as_json else f"{clock_text(ruling.t_ms)}  {words.say(ruling)}")

    return tell
