"""Where the hardware folder lies."""

from __future__ import annotations

from pathlib import Path
from typing import Final

HARDWARE: Final = Path(__file__).resolve().parents[1]
