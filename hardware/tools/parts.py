"""The parts list: `hardware/parts.toml` with quantities counted from the boards' circuits."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import cattrs

from hardware.tools.circuit import Circuit, Component
from hardware.tools.paths import HARDWARE

PARTS_FILE: Final = HARDWARE / "parts.toml"


class PartsError(Exception):
    """The parts list cannot be used; the text is one line a problem."""


@attrs.frozen
class Part:
    """One thing to order, and which components of a circuit it stands for (`kind`, `value`, `where`) or how many are
    needed by variant (`need`)."""

    name: str
    price_eur: float
    order: str
    kind: str = ""
    value: str = ""
    where: str = ""
    need: Mapping[str, int] = attrs.field(factory=dict)
    spare: int = 0
    alternative: str = ""

    def is_for(self, component: Component) -> bool:
        """Whether a component of a circuit is this part."""
        if component.kind.name != self.kind or (self.value and component.value != self.value):
            return False
        return not self.where or component.ref.startswith("L_") == (self.where == "sockets")


@attrs.frozen
class PartsList:
    """All parts, and the date of their prices."""

    priced: datetime.date
    parts: tuple[Part, ...]


def load_parts(path: Path = PARTS_FILE) -> PartsList:
    """Read the parts list; `PartsError` with one line a problem."""
    converter = cattrs.Converter(forbid_extra_keys=True)
    converter.register_structure_hook(datetime.date, lambda value, _: _date(value))
    try:
        raw: Any = tomllib.loads(path.read_text(encoding="utf-8"))
        raw["parts"] = raw.pop("part", [])
        return converter.structure(raw, PartsList)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise PartsError(f"{path}: {error}") from error
    except cattrs.BaseValidationError as error:
        raise PartsError("\n".join(f"{path}: {line}" for line in cattrs.transform_error(error))) from error


def _date(value: object) -> datetime.date:
    if not isinstance(value, datetime.date):
        raise ValueError(f"must be a date such as 2026-11-30, not {value!r}")
    return value


def quantities(parts: Sequence[Part], variant: str, circuit: Circuit) -> dict[str, int]:
    """How many of each part a variant needs, spares included; `PartsError` for a component that no part stands for.

    Connectors and headers are cut from strips and counted with the board (`kind.prefix` J), but for the supply.
    """
    counts = {part.name: part.need.get(variant, 0) for part in parts}
    for component in circuit.components:
        found = [part for part in parts if part.is_for(component)]
        if not found and component.kind.prefix == "J":
            continue
        if len(found) != 1:
            names = ", ".join(part.name for part in found) or "none"
            raise PartsError(f"{variant}: {component.ref} ({component.kind.name} {component.value}) is in: {names}")
        counts[found[0].name] += 1
    return {part.name: counts[part.name] + (part.spare if counts[part.name] else 0) for part in parts}
