"""What the referee says: one `Ruling` per thing decided, in the words of sensing.md."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Self

import attrs

RULING_KINDS: Final = (
    "ready",
    "started",
    "move",
    "ring",
    "violation",
    "resolved",
    "timer_started",
    "timeout",
    "forfeit",
    "pass",
    "skip",
    "glass_stopped",
    "game_over",
    "notice",
    "fault",
    "fault_cleared",
    "paused",
    "resumed",
)

VIOLATION_CODES: Final = (
    "wrong_glass",
    "full_socket",
    "stopped_glass",
    "opening_order",
    "not_adjacent",
    "not_flipped",
    "flipped_in_place",
    "must_mend",
    "ring_not_due",
    "ring_removed",
    "timer_running",
    "must_move",
)


def _read_only(details: Mapping[str, object]) -> Mapping[str, object]:
    return MappingProxyType(dict(details))


@attrs.frozen
class Ruling:
    """One ruling: `t_ms` (ms since the game's start), its `kind`, and what else it names (`details`).

    `details` holds JSON values only, in the order in which they are printed.
    """

    t_ms: int
    kind: str
    details: Mapping[str, object] = attrs.field(factory=dict, converter=_read_only)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def get(self, key: str) -> object:
        """A detail, or None where the ruling does not name it."""
        return self.details.get(key)

    def as_json(self) -> dict[str, object]:
        """The form of sensing.md: `{"t": …, "ruling": …, …}`."""
        return {"t": self.t_ms, "ruling": self.kind, **self.details}

    def json_line(self) -> str:
        """One line of JSON Lines, without its newline."""
        return json.dumps(self.as_json(), ensure_ascii=False)
