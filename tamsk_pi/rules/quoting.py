"""How a piece of somebody's input is shown in an error line."""

from __future__ import annotations

from typing import Final

_MOST_CHARACTERS: Final = 20


def quoted(text: str) -> str:
    """The input in quotes, control characters escaped, and cut short where it is long."""
    return repr(text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…")
