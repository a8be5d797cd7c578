"""Raw edges of one input to its settled changes, with the whole trace at hand (sensing.md, "Edges, bursts, …")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

NOISY_EDGES, NOISY_WINDOW_MS, QUIET_MS = 40, 1000, 1000
LONGEST_BURST_MS, RATTLES_MS = 1000, 3000
IMPOSSIBLE_STEP, BELIEVED_AFTER_MS = 2, 2000

Edge = tuple[int, Any]


@dataclass
class Settled:
    """Settled changes `(t, old value, new value)`, when the input became noisy, and what stayed unknown."""

    known_at_ms: dict[int, int] = field(default_factory=dict)
    """By the time of a change: when it was settled."""
    changes: list[tuple[int, Any, Any]] = field(default_factory=list)
    noisy_at_ms: list[int] = field(default_factory=list)
    unsettled_since_ms: int | None = None
    impossible_at_ms: list[int] = field(default_factory=list)
    jumps: set[int] = field(default_factory=set)
    """Times of changes by more than two at once that have stayed."""


def settle(
    edges: Sequence[Edge], initial: Any, gap: int, settle_ms: int, end: int, *, in_a_hand: bool = True
) -> Settled:
    """Settle the `(t, value)` edges of one input that starts at `initial`; nothing is known after `end`.

    `in_a_hand`: whether what it senses may be in a hand, and so may rattle for long.
    """
    found = Settled()
    settled = initial
    start = 0
    while start < len(edges):
        found_noisy = [_first_noisy(edges, start), None if in_a_hand else _first_rattle(edges, start, gap)]
        noisy = min((index for index in found_noisy if index is not None), default=None)
        quiet_part = edges[start : len(edges) if noisy is None else noisy]
        until = end if noisy is None else edges[noisy][0]
        settled = _settle_quiet(found, quiet_part, settled, gap, settle_ms, until)
        if noisy is None:
            return found
        found.noisy_at_ms.append(edges[noisy][0])
        found.unsettled_since_ms = None
        # "the input is ignored until it has been quiet for a second; a change that is found then bears that time"
        last = noisy
        while last + 1 < len(edges) and edges[last + 1][0] - edges[last][0] < QUIET_MS:
            last += 1
        resumed, value = edges[last][0] + QUIET_MS, edges[last][1]
        if resumed > end:
            return found
        if value != settled:
            found.changes.append((resumed, settled, value))
            found.known_at_ms[resumed] = resumed
            settled = value
        start = last + 1
    return found


def _first_noisy(edges: Sequence[Edge], start: int) -> int | None:
    """The edge that makes it "more edges than 40 in one second"."""
    for index in range(start + NOISY_EDGES, len(edges)):
        if edges[index][0] - edges[index - NOISY_EDGES][0] < NOISY_WINDOW_MS:
            return index
    return None


def _first_rattle(edges: Sequence[Edge], start: int, gap: int) -> int | None:
    """ "Where the thing is not in a hand, 3,000 ms of it are a `fault` (`noisy`)": the edge that makes it so."""
    began = start
    for index in range(start + 1, len(edges)):
        if edges[index][0] - edges[index - 1][0] >= gap:
            began = index
        elif edges[index][0] - edges[began][0] >= RATTLES_MS:
            return index
    return None


def _bursts(edges: Sequence[Edge], gap: int) -> list[list[Edge]]:
    """ "Successive edges of one input closer together than its gap form a burst." """
    bursts: list[list[Edge]] = []
    began, last = 0, 0
    for edge in edges:
        if not bursts or edge[0] - last >= gap:
            bursts.append([edge])
            began = edge[0]
        elif edge[0] - began > LONGEST_BURST_MS:
            # "A burst that goes on for more than 1,000 ms counts, from then on, as begun anew with each of its edges"
            bursts.append([edge])
        else:
            bursts[-1].append(edge)
        last = edge[0]
    return bursts


def _settle_quiet(found: Settled, edges: Sequence[Edge], settled: Any, gap: int, settle_ms: int, until: int) -> Any:
    bursts = _bursts(edges, gap)
    before = settled
    brought_at = until
    for index, burst in enumerate(bursts):
        first, (last, after) = burst[0][0], burst[-1]
        if after != before:
            # "A burst that ends with the value it began from is no change at all, and does not shift the time …"
            brought_at = first
        following = bursts[index + 1][0][0] if index + 1 < len(bursts) else until
        if following - last >= settle_ms:
            if after != settled:
                found.changes.append((brought_at, settled, after))
                found.known_at_ms[brought_at] = last + settle_ms
                settled = after
        elif index + 1 == len(bursts):
            found.unsettled_since_ms = brought_at if after != settled else first
        before = after
    return settled


def believe(found: Settled, initial: int, most: int, end: int) -> None:
    """Take counts out of the changes that "no hand can make"."""
    believed = initial
    changes = found.changes
    found.changes = []
    for index, (t, _, count) in enumerate(changes):
        until = changes[index + 1][0] if index + 1 < len(changes) else end
        if 0 <= count <= most and abs(count - believed) > IMPOSSIBLE_STEP and until - t >= BELIEVED_AFTER_MS:
            # "unless it has stayed for 2,000 ms. Then it is taken as one change at its own time"
            found.jumps.add(t)
        elif not 0 <= count <= most or abs(count - believed) > IMPOSSIBLE_STEP:
            found.impossible_at_ms.append(t)
            continue
        if count != believed:
            found.changes.append((t, believed, count))
            believed = count
