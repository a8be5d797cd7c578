"""The club's part of a board's configuration."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.settings import Settings


def club_settings(settings: Settings, folder: Path) -> ClubSettings | None:
    """What the publisher must know, None where no event is set. `ConfigError`: the extra is not installed."""
    club = settings.club
    if not club.event:
        return None
    if find_spec("paho") is None:
        raise ConfigError([Problem("", "club.event", "needs the extra club: pip install 'tamsk-pi[club]'")])
    return ClubSettings(
        event=club.event,
        board=club.board,
        host=club.broker,
        port=club.port,
        user=club.user,
        password_file=club.password_file,
        ca_file=club.ca_file,
        folder=str(folder),
    )
