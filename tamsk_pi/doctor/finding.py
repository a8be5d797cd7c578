"""A finding: one thing looked at, how it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import attrs

from tamsk_pi.signals.language import N_, Say, in_english

Weight = Literal["ok", "note", "stops"]
"""All right; worth knowing, but a game can be played; keeps a game from being played."""

AS_TOLD: Final = "{told}"
"""A text that comes in English from elsewhere, as an error's does; it stands in the blank."""

JOIN: Final = N_("sudo usermod -aG {group} $USER, then log in anew")
"""What to do about a device that belongs to a group."""


@attrs.frozen
class Finding:
    """`check` names what was looked at, `said` says how it is, `to_do` what to do, each in one line with blanks.

    Only what is all right may lack a remedy (`ValueError`).
    """

    check: str
    weight: Weight
    said: str
    to_do: str = ""
    blanks: Mapping[str, object] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        if self.weight != "ok" and not self.to_do:
            raise ValueError(f"{self.check}: nothing said about what to do: {self.text}")

    @property
    def text(self) -> str:
        """How it is, in English."""
        return self.told(in_english)[0]

    @property
    def remedy(self) -> str:
        """What to do, in English."""
        return self.told(in_english)[1]

    def told(self, say: Say) -> tuple[str, str]:
        """How it is and what to do, in the language of `say`."""
        return say(self.said).format_map(self.blanks), say(self.to_do).format_map(self.blanks) if self.to_do else ""


def ok(check: str, said: str, **blanks: object) -> Finding:
    """All is right."""
    return Finding(check, "ok", said, blanks=blanks)


def note(check: str, said: str, to_do: str, **blanks: object) -> Finding:
    """Worth knowing; a game can be played."""
    return Finding(check, "note", said, to_do, blanks)


def stops(check: str, said: str, to_do: str, **blanks: object) -> Finding:
    """Keeps a game from being played."""
    return Finding(check, "stops", said, to_do, blanks)


def stops_play(findings: Iterable[Finding]) -> bool:
    """Whether any of them keeps a game from being played."""
    return any(finding.weight == "stops" for finding in findings)
