"""How the findings of the doctor and of a calibration are marked at the beginning of their lines."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tamsk_pi.signals.language import N_, Say

MARKS: Final[Mapping[str, str]] = MappingProxyType({"ok": N_("ok"), "note": N_("note"), "stops": N_("STOPS")})
"""By weight."""


def mark(weight: str, say: Say) -> str:
    """The mark of a finding of this weight. `KeyError` for a weight that there is not."""
    return f"{say(MARKS[weight]):<{max(len(say(text)) for text in MARKS.values())}}"
