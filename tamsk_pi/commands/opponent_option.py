"""`--opponent SIDE[=STRENGTH]`, for the commands that run a game at a board."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tamsk_pi.rules.quoting import quoted
from tamsk_pi.signals.language import N_, say_for

if TYPE_CHECKING:
    from tamsk_pi.opponent.seat import Choice

_F = TypeVar("_F", bound=Callable[..., Any])

USUAL_STRENGTH = 5


def _read(_context: click.Context, _option: click.Parameter, value: str | None) -> Choice | None:
    if value is None:
        return None
    found = re.fullmatch(r"(red|black)(?:=([1-9]|10))?", value)
    if not found:
        text = say_for(os.environ)(N_("{value} (allowed: red or black, with =1 to =10 for its strength)"))
        raise click.BadParameter(text.format(value=quoted(value)))
    from tamsk_pi.opponent.seat import Choice

    return Choice("red" if found[1] == "red" else "black", int(found[2] or USUAL_STRENGTH))


def opponent_option() -> Callable[[_F], _F]:
    """The option, which gives the command an `opponent`."""
    return click.option(
        "--opponent",
        metavar="SIDE[=N]",
        callback=_read,
        help="Play against the program: it plays red or black, from strength 1 (a beginner's) to 10; 5 if not given.",
    )
