"""What the page weighs; `python -m tests.web.measure` has the rest, which needs Chromium and takes longer."""

from __future__ import annotations

from tamsk_pi.web.app import REPLAY_PAGE
from tests.web.measure import weigh


def run() -> list[tuple[str, str]]:
    """The weight of everything a browser loads."""
    return [
        ("page, everything a browser loads", f"{weigh() / 1000:.1f} kB"),
        ("replay page, everything a browser loads", f"{weigh(REPLAY_PAGE) / 1000:.1f} kB"),
    ]
