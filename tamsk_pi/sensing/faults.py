"""Which inputs are not believed now: a fault of one input is told once, until it has been cleared.

Source: sensing.md, "Which glass" and "Edges, bursts, settled changes".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, cast

from tamsk_pi.rules.board import CAPACITY, RINGS_PER_SIDE, TIMER
from tamsk_pi.sensing.gestures import Blocked, Oddity
from tamsk_pi.sensing.hands import BY_HAND
from tamsk_pi.sensing.order import Order
from tamsk_pi.sensing.settle import Change

STAYS_MS: Final = 2_000
"""A jump that no hand makes is believed once it has stayed for so long."""

_NOT_BELIEVED: Final = ("noisy", "impossible_count", "held_from_start")

Key = tuple[str, str]


class Faults:
    """The faults that are open, by input (kind, name)."""

    def __init__(self) -> None:
        self._open: dict[Key, Oddity] = {}
        self._ignored: dict[Key, Change] = {}
        """What changed of inputs that rattle: from the value before to the last one."""

    def is_news(self, oddity: Oddity) -> bool:
        """Enter a fault that is told or cleared; whether that is worth telling."""
        key = _key_of(oddity)
        if oddity.ruling == "fault":
            return self._open.setdefault(key, oddity) is oddity
        if oddity.ruling == "fault_cleared":
            known = self._open.get(key)
            if known is None or known.code != oddity.code:
                return False
            del self._open[key]
        return True

    def cleared(self, t_ms: int, kind: str, name: str) -> Oddity | None:
        """The end of whatever fault of that input is open; it is still to be told."""
        known = self._open.get((kind, name))
        return known and known._replace(t_ms=t_ms, ruling="fault_cleared")

    def forget_turning(self, glass: str) -> None:
        """Once its glass is lifted, a tilt that told of a turning nobody can have made is believed again."""
        fault = self._open.get(("tilt", glass))
        if fault is not None and fault.code == "tilt_without_lift":
            del self._open["tilt", glass]

    def all_cleared(self, t_ms: int) -> Iterator[Oddity]:
        """The ends of all that are open, as every input is read anew."""
        self._ignored.clear()
        for kind, name in sorted(self._open):
            if kind == "cap":
                continue  # a cap is heard when it is heard
            cleared = self.cleared(t_ms, kind, name)
            if cleared is not None:
                yield cleared

    def names(self) -> list[str]:
        """The inputs that are not listened to, as `kind:name`."""
        return [f"{kind}:{name}" for (kind, name), fault in self._open.items() if fault.code in _NOT_BELIEVED]

    def ignores(self, change: Change) -> bool:
        """Whether the change is of an input that rattles, so that it is not believed before that is quiet.

        The tilt of a glass is not ignored: while it stands it tells nothing, and in a hand it may rattle.
        """
        key = (change.kind, change.name)
        fault = self._open.get(key)
        if change.kind == "socket" or (change.kind == "tilt" and change.name != TIMER):
            return False
        if fault is None or fault.code != "noisy":
            return False
        before = self._ignored.get(key, change).before
        self._ignored[key] = change._replace(before=before)
        return True

    def what_was_ignored(self, t_ms: int, kind: str, name: str) -> Change | None:
        """The change that is found once an input is quiet; it bears that time."""
        change = self._ignored.pop((kind, name), None)
        if change is None or change.value == change.before:
            return None
        return change._replace(t_ms=t_ms)

    def believed_count(self, change: Change, last: int, order: Order) -> int | Oddity | Blocked:
        """The number of rings that is believed after a change, `last` being the one before; or why it is not."""
        count = cast(int, change.value)
        most = CAPACITY[change.name] if change.kind == "ring" else RINGS_PER_SIDE
        fault = Oddity(change.t_ms, "fault", "impossible_count", {"kind": change.kind, "input": change.name})
        if not 0 <= count <= most:
            return fault
        if abs(count - last) <= BY_HAND:
            return count
        until_ms = change.t_ms + STAYS_MS - 1
        if any(c.name == change.name and c is not change for c in order.ahead(change.kind, until_ms)):
            return fault
        return count if order.is_certain(until_ms, change.kind, change.name) else Blocked(until_ms)


def broken_wire(at_once: Sequence[Change], standing: Mapping[str, str]) -> Oddity | None:
    """The fault of a wire, if that is all that can have made these changes in one millisecond, or mends them.

    Sockets are at the crossing of the matrix that has their name; glasses that stand in several of one row or column
    are not lifted in one millisecond, nor are three glasses that stand turned over in one.
    """
    t_ms, names = at_once[0].t_ms, sorted(c.name for c in at_once)
    if len({c.kind for c in at_once}) != 1:
        return None
    ruling: Literal["fault", "fault_cleared"] = "fault"
    if at_once[0].kind == "tilt":
        glasses = set(standing.values())
        if len(at_once) < 3 or not glasses.issuperset(names):
            return None
        return Oddity(t_ms, ruling, "wire", {"line": "tilt", "inputs": names})
    if at_once[0].kind != "socket" or len({bool(c.value) for c in at_once}) != 1 or not standing.keys() >= set(names):
        return None
    columns, rows = {name[0] for name in names}, {name[1] for name in names}
    if (len(columns) == 1) == (len(rows) == 1):
        return None
    if at_once[0].value and not any(c.before for c in at_once):
        ruling = "fault_cleared"
    line = columns.pop() if len(columns) == 1 else rows.pop()
    return Oddity(t_ms, ruling, "wire", {"line": line, "inputs": names})


def _key_of(oddity: Oddity) -> Key:
    details = oddity.details
    match oddity.code:
        case "tilt_without_lift":
            return "tilt", str(details["glass"])
        case "cap_silent":
            return "cap", str(details["glass"])
        case "unexpected_closed":
            return "socket", str(details["socket"])
        case "wire":
            return "wire", str(details["line"])
        case "ambiguous_placing":
            return "placing", str(details["glass"])
        case _:
            return str(details.get("kind")), str(details.get("input"))
