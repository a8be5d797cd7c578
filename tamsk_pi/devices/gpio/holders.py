"""A ring holder's count over four contacts.

A holder tells how many rings lie on it, 0 to 32, by four contacts: a code plate under the follower of a sprung stack,
or the open-collector outputs of a small counter with a load cell or a light barrier. Four contacts cannot tell 33
counts apart, so they show the count modulo 14 and the reader keeps track of the rest: of all counts with the code that
is shown it takes the nearest to the last one, of two equally near the lower. That holds as long as fewer than seven
rings come or go between two scans, 4 ms apart.

Between successive counts exactly one contact changes, so a reading taken in the middle of a change shows the old count
or the new one and never a third. No contact closed (nothing plugged in, no supply) is no code, and a full holder and an
empty one differ (32 mod 14 is 4).
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.rules.board import RINGS_PER_SIDE

CODES: Final = (1, 3, 2, 6, 7, 5, 4, 12, 13, 15, 11, 10, 8, 9)
"""The closed contacts for counts 0 to 13, as a number whose bit n is contact n; from 14 on they repeat."""


def code_of(count: int) -> int:
    """The closed contacts for a count, bit n for contact n. `ValueError` outside 0 to 32."""
    if not 0 <= count <= RINGS_PER_SIDE:
        raise ValueError(f"a holder holds 0 to {RINGS_PER_SIDE} rings, not {count}")
    return CODES[count % len(CODES)]


def count_of(code: int, last: int) -> int | None:
    """The count that these contacts show, given the last one; None for contacts that show no count."""
    if code not in CODES:
        return None
    rest = CODES.index(code)
    candidates = range(rest, RINGS_PER_SIDE + 1, len(CODES))
    return min(candidates, key=lambda count: (abs(count - last), count))
