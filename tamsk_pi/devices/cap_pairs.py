"""Which cap is on which glass, as `tamsk-pi calibrate caps` found it: its number and the rate of its clock."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs
import cattrs

from firmware_bridge.inputs import TRAVELLING

FILE: Final = "caps.json"
_FORMAT: Final = "tamsk-caps"
_VERSION: Final = 1
_LARGEST_BYTES: Final = 100_000
_RATE_OFF: Final = 0.125


class PairsError(Exception):
    """The file is there and cannot be used, or cannot be written; one line that says so."""


@attrs.frozen
class Pair:
    """A cap. `rate`: real time per time of its clock. `cell_mv`: its cell when it was paired, under load."""

    id: int
    rate: float
    cell_mv: int


Pairs = Mapping[str, Pair]
"""By glass."""


def pairs_path(folder: Path | None) -> Path | None:
    """The file of pairs in the folder of calibrations."""
    return None if folder is None else folder / FILE


def read_pairs(path: Path | None) -> Pairs:
    """What was paired; nothing where nothing was. `PairsError` for a file that is none."""
    if path is None or not path.exists():
        return {}
    try:
        text = path.read_bytes()[:_LARGEST_BYTES].decode("utf-8")
        raw: Any = json.loads(text)
    except (OSError, ValueError) as error:
        raise PairsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'not JSON'}") from None
    try:
        if raw.pop("format") != _FORMAT or raw.pop("version") != _VERSION:
            raise ValueError("another format")
        pairs: dict[str, Pair] = cattrs.Converter(forbid_extra_keys=True).structure(raw["caps"], dict[str, Pair])
    except (AttributeError, KeyError, TypeError, ValueError, cattrs.BaseValidationError):
        raise PairsError(f"{path}: no file of paired caps (delete it, then tamsk-pi calibrate caps)") from None
    for glass, pair in pairs.items():
        if glass not in TRAVELLING or not 0 <= pair.id <= 0xFFFF or not abs(pair.rate - 1) <= _RATE_OFF:
            raise PairsError(f"{path}: the cap of {glass} is out of range (delete it, then tamsk-pi calibrate caps)")
    return pairs


def pairs_text(pairs: Pairs) -> str:
    """The file's text."""
    caps = {glass: attrs.asdict(pairs[glass]) for glass in TRAVELLING if glass in pairs}
    return json.dumps({"format": _FORMAT, "version": _VERSION, "caps": caps}, indent=1) + "\n"


def rates_of(pairs: Pairs) -> list[tuple[int, float]]:
    """Id and clock rate of each glass's cap, in the order of `TRAVELLING`, as a receiver is told them."""
    nobody = Pair(0xFFFF, 1.0, 0)
    return [(pairs.get(glass, nobody).id, pairs.get(glass, nobody).rate) for glass in TRAVELLING]
