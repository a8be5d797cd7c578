"""A finding: one thing looked at, how it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import attrs

Weight = Literal["ok", "note", "stops"]
"""All right; worth knowing, but a game can be played; keeps a game from being played."""


@attrs.frozen
class Finding:
    """`check` names what was looked at, `text` says how it is, `remedy` what to do, each in one line.

    Only what is all right may lack a remedy (`ValueError`).
    """

    check: str
    weight: Weight
    text: str
    remedy: str = ""

    def __attrs_post_init__(self) -> None:
        if self.weight != "ok" and not self.remedy:
            raise ValueError(f"{self.check}: nothing said about what to do: {self.text}")


def ok(check: str, text: str) -> Finding:
    """All is right."""
    return Finding(check, "ok", text)


def note(check: str, text: str, remedy: str) -> Finding:
    """Worth knowing; a game can be played."""
    return Finding(check, "note", text, remedy)


def stops(check: str, text: str, remedy: str) -> Finding:
    """Keeps a game from being played."""
    return Finding(check, "stops", text, remedy)


def stops_play(findings: Iterable[Finding]) -> bool:
    """Whether any of them keeps a game from being played."""
    return any(finding.weight == "stops" for finding in findings)
