"""The part of udev's rules that ours use: matches, assignments, GOTO. Source: udev(7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import attrs

_TERM: Final = re.compile(r'([A-Z_]+)(?:\{(\w+)\})?(==|!=|\+=|=)"([^"]*)"')


@attrs.frozen
class UsbParent:
    """A device further up, with what it tells of itself."""

    subsystem: str
    attributes: Mapping[str, str]


@attrs.frozen
class Device:
    """A device as udev meets it; `parents` begin with itself."""

    action: str
    subsystem: str
    kernel: str
    parents: Sequence[UsbParent] = ()


def apply(rules: Path, device: Device) -> dict[str, str]:
    """What the rules set for a device: `SYMLINK`, `GROUP`, `MODE`, and `ENV{…}` keys by their name."""
    given: dict[str, str] = {}
    goto = ""
    for line in rules.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        terms = _TERM.findall(line)
        assert re.sub(r"[\s,]", "", _TERM.sub("", line)) == "", f"not understood: {line}"
        label = [value for key, _, _, value in terms if key == "LABEL"]
        if goto:
            goto = "" if goto in label else goto
            continue
        if not _matches(terms, device, given):
            continue
        for key, name, operator, value in terms:
            if operator in ("=", "+=") and key == "GOTO":
                goto = value
            elif operator in ("=", "+=") and key != "LABEL":
                given[name or key] = value
    return given


def _matches(terms: Sequence[tuple[str, ...]], device: Device, given: Mapping[str, str]) -> bool:
    upwards = [(key, name, value) for key, name, op, value in terms if op == "==" and key in ("SUBSYSTEMS", "ATTRS")]
    if upwards and not any(
        all(_fits(value, parent.subsystem if key == "SUBSYSTEMS" else parent.attributes.get(name, ""))
            for key, name, value in upwards)
        for parent in device.parents
    ):  # fmt: skip
        return False
    own = {"ACTION": device.action, "SUBSYSTEM": device.subsystem, "KERNEL": device.kernel}
    for key, name, operator, value in terms:
        if operator in ("==", "!=") and key not in ("SUBSYSTEMS", "ATTRS"):
            is_so = _fits(value, given.get(name, "") if key == "ENV" else own[key])
            if is_so != (operator == "=="):
                return False
    return True


def _fits(patterns: str, value: str) -> bool:
    return any(fnmatchcase(value, pattern) for pattern in patterns.split("|"))
