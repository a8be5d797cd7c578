"""Which ruling ended which violation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.report.facts import Mending, Violation
from tamsk_pi.sensing.settings import Settings

_NOTHING_TO_MEND: Final = ("timer_running", "must_move")
_RING_ENDINGS: Final[Mapping[str, Mending]] = {"ring_not_due": "ring_off", "ring_removed": "ring_back"}


class Violations:
    """Follows violations through the rulings of one game."""

    def __init__(self, settings: Settings) -> None:
        self._settings: Final = settings
        self._found: list[Violation] = []

    def take(self, ruling: Ruling) -> None:
        """The next ruling."""
        match ruling.kind:
            case "violation":
                mending = self._at_first(ruling)
                self._found.append(Violation(ruling, mending, None if mending == "open" else ruling.t_ms))
            case "resolved":
                self._resolve(ruling)
            case "move":
                self._change(
                    lambda v: v.mending == "put_right" and v.ended_ms == ruling.t_ms and _same(v, ruling, "glass"),
                    mending="moved",
                    moved_to=str(ruling.get("to")),
                )
            case "notice":
                self._hear_arbiter(ruling)

    def found(self) -> tuple[Violation, ...]:
        """All of them, in the order in which they were ruled."""
        return tuple(self._found)

    def _at_first(self, ruling: Ruling) -> Mending:
        code = ruling.get("code")
        if code == "full_socket":
            return "lost"
        pressed = code == "ring_not_due" and self._settings.rings == "buttons"
        return "noted" if code in _NOTHING_TO_MEND or pressed else "open"

    def _resolve(self, ruling: Ruling) -> None:
        code, t_ms = str(ruling.get("code")), ruling.t_ms
        if ruling.get("glass"):
            # Set down wrongly again and again it is one glass, put right once.
            self._change(
                lambda v: v.mending == "open" and _same(v, ruling, "glass"), mending="put_right", ended_ms=t_ms
            )
        elif code in _RING_ENDINGS:
            where = "socket" if ruling.get("socket") else "player"
            fits = [v for v in self._found if v.mending == "open" and _same(v, ruling, "code", where)]
            if fits:
                self._change(lambda v: v is fits[-1], mending=_RING_ENDINGS[code], ended_ms=t_ms)
        else:
            self._change(lambda v: v.mending == "open" and _same(v, ruling, "code"), mending="put_right", ended_ms=t_ms)

    def _hear_arbiter(self, ruling: Ruling) -> None:
        t_ms = ruling.t_ms
        if ruling.get("code") == "accepted":
            self._change(
                lambda v: v.mending == "open" or (v.mending == "put_right" and v.ended_ms == t_ms),
                mending="accepted",
                ended_ms=t_ms,
            )
        elif ruling.get("code") == "annulled":
            verdict = ruling.get("verdict")
            self._change(lambda v: v.ruling.as_json() == verdict, mending="annulled", ended_ms=t_ms)

    def _change(self, which: Callable[[Violation], bool], **changes: object) -> None:
        self._found = [attrs.evolve(v, **changes) if which(v) else v for v in self._found]  # type: ignore[arg-type]


def _same(violation: Violation, ruling: Ruling, *keys: str) -> bool:
    return all(violation.ruling.get(key) == ruling.get(key) for key in keys)
