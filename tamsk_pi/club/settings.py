"""What a board must know of its club, as it is handed to the publisher's process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs

from tamsk_pi.club.topics import Place


@attrs.frozen(kw_only=True)
class ClubSettings:
    """Which board this is, and the broker. `password_file` and `ca_file` are empty where there is none."""

    event: str
    board: int
    host: str
    port: int = 1883
    user: str = ""
    password_file: str = ""
    ca_file: str = ""
    folder: str
    """Where the games are kept."""

    @property
    def place(self) -> Place:
        return Place(self.event, self.board)

    def password(self) -> str | None:
        """The password; `OSError` or `UnicodeDecodeError` where its file cannot be read."""
        return Path(self.password_file).expanduser().read_text(encoding="utf-8").strip() if self.password_file else None

    def as_line(self) -> str:
        """One line of JSON, for the process; no password is in it."""
        return json.dumps(attrs.asdict(self)) + "\n"

    @classmethod
    def from_line(cls, line: str) -> ClubSettings:
        """The settings of a line that `as_line` made."""
        raw: dict[str, Any] = json.loads(line)
        return cls(**raw)
