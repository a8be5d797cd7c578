"""What the sensors told last, settled and in order: the board as it is, whatever the referee makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import attrs

from tamsk_pi.rules.board import RINGS_PER_SIDE
from tamsk_pi.sensing.edges import EdgeValue
from tamsk_pi.sensing.settle import Change


@attrs.define
class Seen:
    """Settled states. `fields` maps each closed socket to what closed it: True (reed), `N` or `S` (hall)."""

    fields: dict[str, EdgeValue] = attrs.field(factory=dict)
    up: dict[str, str] = attrs.field(factory=dict)
    rings: dict[str, int] = attrs.field(factory=dict)
    holders: dict[str, int] = attrs.field(factory=dict)
    """Rings left on the holders that have told of a change."""

    def take(self, change: Change) -> None:
        """Note a settled change."""
        match change.kind:
            case "socket":
                if change.value:
                    self.fields[change.name] = change.value
                else:
                    self.fields.pop(change.name, None)
            case "tilt":
                self.up[change.name] = str(change.value)
            case "ring":
                self.rings[change.name] = int(change.value or 0)
            case "holder":
                self.holders[change.name] = int(change.value or 0)

    def count(self, kind: str, name: str) -> int:
        """The rings around a socket (kind `ring`), or left on a side's holder."""
        return self.rings.get(name, 0) if kind == "ring" else self.holders.get(name, RINGS_PER_SIDE)

    def copy(self) -> Self:
        """A copy that stays as it is."""
        return attrs.evolve(
            self, fields=dict(self.fields), up=dict(self.up), rings=dict(self.rings), holders=dict(self.holders)
        )

    def rings_that_lie(self) -> Mapping[str, int]:
        """The sockets with rings around them."""
        return {socket: count for socket, count in self.rings.items() if count}
