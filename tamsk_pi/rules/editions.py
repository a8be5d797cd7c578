"""The three editions of the rules: what an expired 15-second timer costs.

Source: rules.md, "The 15-second timer".
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, Literal

import attrs

Cost = Literal["penalty_ring", "skip", "nothing"]


@attrs.frozen
class Edition:
    """What an expiry costs the side to move, besides the turn itself when it had not begun."""

    name: str
    begun: Cost
    """Charged when the move that had begun is completed."""
    not_begun: Cost
    """Charged on top of the forfeit."""


RULEBOOK: Final = Edition("rulebook", begun="penalty_ring", not_begun="penalty_ring")
WIKIPEDIA: Final = Edition("wikipedia", begun="penalty_ring", not_begun="nothing")
SCHMIDT_1998: Final = Edition("schmidt1998", begun="skip", not_begun="skip")

EDITIONS: Final = MappingProxyType({e.name: e for e in (RULEBOOK, WIKIPEDIA, SCHMIDT_1998)})
"""By the name that a trace's header and the configuration use."""
