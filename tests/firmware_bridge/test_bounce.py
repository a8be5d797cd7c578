"""No edge is lost and none is invented while every contact bounces; ten million of them: `make bench`'s long form."""

from __future__ import annotations

import random
from itertools import pairwise

from tests.firmware_bridge.bounce import Bouncer, search_lost_edges
from tests.firmware_bridge.latency import BUILD
from tests.firmware_bridge.rig import make_bench

EDGES = 40_000


def test_every_level_held_for_a_scan_is_told_and_no_other(kind: str) -> None:
    found = search_lost_edges(make_bench(kind, BUILD, baud=1_000_000), EDGES)
    assert found.injected >= EDGES
    assert found.told > EDGES // 3
    assert (found.wrong, found.lost, found.mismatches) == (0, 0, 0)
    assert (found.overflows, found.limited) == (0, 0)


def test_the_search_finds_what_is_lost_and_what_is_wrong() -> None:
    def played() -> tuple[Bouncer, list[tuple[int, bool]]]:
        bouncer = Bouncer(("socket", "D1"), random.Random(4))
        return bouncer, list(bouncer.play(1_000, 500_000, 40_000))

    bouncer, levels = played()
    for t_us, level in levels:
        bouncer.hear(t_us, level)
    assert bouncer.wrong_and_lost(600_000) == (0, 0)
    bouncer, levels = played()
    for t_us, level in levels[:-1]:
        bouncer.hear(t_us, level)
    assert bouncer.wrong_and_lost(600_000) == (0, 1)
    bouncer, levels = played()
    (began_us, level), (ends_us, _) = max(pairwise(levels), key=lambda both: both[1][0] - both[0][0])
    invented = [((began_us + ends_us) // 2, not level), ((began_us + ends_us) // 2 + 1_000, level)]
    for t_us, told in sorted([*levels, *invented]):
        bouncer.hear(t_us, told)
    assert bouncer.wrong_and_lost(600_000) == (1, 0)
