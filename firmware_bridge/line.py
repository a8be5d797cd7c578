"""The rates of the serial line."""

from __future__ import annotations

from typing import Final

BAUDS: Final = (115_200, 500_000, 1_000_000)
"""What the firmware can be built for; the Mega's USB chip takes all three."""
BAUD: Final = 115_200
