"""Equal rings at levels 2 and 3: the owner of the glass that runs longest wins.

Source: rules.md, "Levels", *Tie-break*.
"""

from __future__ import annotations

from collections.abc import Mapping

from tamsk_pi.rules.board import Player, owner_of


def last_to_stop(stops_ms: Mapping[str, int]) -> Player | None:
    """The owner of the glass that stops last, given when each moved glass stopped or will stop.

    Where the last ones are of both sides and stop in the same ms they are dropped and the next are looked at;
    None when nothing is left to look at.
    """
    for t_ms in sorted(set(stops_ms.values()), reverse=True):
        owners = {owner_of(g) for g, stop in stops_ms.items() if stop == t_ms}
        if len(owners) == 1:
            return owners.pop()
    return None


def too_close(stops_ms: Mapping[str, int], within_ms: int) -> tuple[str, ...]:
    """The glasses that have to be watched because less than `within_ms` decides between the sides; empty if none.

    They are all the glasses that stop less than `within_ms` before the last one.
    """
    if not stops_ms or within_ms <= 0:
        return ()
    last_ms = max(stops_ms.values())
    near = sorted(g for g, stop in stops_ms.items() if last_ms - stop < within_ms)
    return tuple(near) if len({owner_of(g) for g in near}) == 2 else ()
