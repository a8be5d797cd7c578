"""Imports point one way, so that the core can be understood, and tested, without what stands around it.

`rules` <- `sensing` <- `referee` <- `session` <- the rest; `signals` knows rulings only; `firmware_bridge` knows
nothing of the game. Every folder and file of `tamsk_pi` has its line in `STANDS_ON`, below all that it stands on.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

ROOT = Path(__file__).parent.parent

CALIBRATION = tuple(
    f"tamsk_pi.calibrate.{name}"
    for name in ("contacts", "glasses", "saying", "socket_report", "sockets", "spread", "wiring")
)
"""The part of the calibration that does no I/O, as the core."""

MAY_IMPORT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tamsk_pi.rules": ("tamsk_pi.rules",),
        "tamsk_pi.sensing": ("tamsk_pi.rules", "tamsk_pi.sensing"),
        "tamsk_pi.referee": ("tamsk_pi.rules", "tamsk_pi.sensing", "tamsk_pi.referee"),
        "tamsk_pi.trace_header": ("tamsk_pi.rules", "tamsk_pi.sensing"),
        "tamsk_pi.trace": ("tamsk_pi.rules", "tamsk_pi.sensing", "tamsk_pi.referee.words", "tamsk_pi.trace_header"),
        "tamsk_pi.session": ("tamsk_pi.rules", "tamsk_pi.sensing", "tamsk_pi.referee", "tamsk_pi.trace"),
        "tamsk_pi.signals": (
            "tamsk_pi.rules.board",
            "tamsk_pi.referee.rulings",
            "tamsk_pi.referee.snapshot",
            "tamsk_pi.signals",
        ),
        **dict.fromkeys(CALIBRATION, ("tamsk_pi.rules", "tamsk_pi.sensing", "tamsk_pi.signals.frames", *CALIBRATION)),
        "tamsk_pi.report": (
            "tamsk_pi.rules",
            "tamsk_pi.sensing",
            "tamsk_pi.referee",
            "tamsk_pi.session",
            "tamsk_pi.trace",
            "tamsk_pi.trace_header",
            "tamsk_pi.signals",
            "tamsk_pi.runner.speech",
            "tamsk_pi.report",
        ),
        # The second referee shares nothing with the first: that is its worth.
        "tamsk_pi.witness": ("tamsk_pi.witness",),
        "tamsk_pi.journal": (),
        "tamsk_pi.clock": (),
        "firmware_bridge": ("firmware_bridge",),
    }
)
"""What each part of the program may import of the program. A part that is not here may import what stands below it."""

STANDS_ON: Mapping[str, str] = MappingProxyType(
    {
        "firmware_bridge": "",
        "clock": "",
        "ending": "",
        "journal": "",
        "rules": "",
        "witness": "",
        "service": "clock",
        "kept_games": "journal",
        "engine": "rules",
        "sensing": "rules",
        "referee": "rules sensing",
        "trace_header": "rules sensing",
        "signals": "rules referee",
        "trace": "rules sensing referee trace_header",
        "config": "firmware_bridge rules sensing signals",
        "help_language": "signals",
        "terminal": "signals",
        "session": "rules sensing referee trace",
        "devices": "firmware_bridge clock rules sensing signals trace config",
        "tamsk_pi": "sensing referee trace session",
        "explain": "rules sensing referee signals trace session",
        "calibrate": "clock rules sensing signals config devices",
        "cli": "ending signals help_language terminal tamsk_pi",
        "doctor": "firmware_bridge signals config devices tamsk_pi",
        "uti": "rules engine tamsk_pi",
        "sim": "firmware_bridge clock rules sensing referee trace_header trace config session devices calibrate",
        "__main__": "cli",
        "opponent": "rules engine referee signals uti sim",
        "coach": "rules engine referee trace session opponent",
        "engine_match": "rules engine sensing referee session uti opponent",
        "runner": (
            "clock journal rules kept_games engine sensing referee signals trace session devices explain sim opponent"
        ),
        "report": "rules sensing referee trace_header signals trace session runner",
        "soak": "firmware_bridge journal rules witness sensing referee trace_header trace devices sim runner",
        "web": (
            "clock journal rules kept_games sensing referee trace_header signals trace session devices "
            "explain runner report"
        ),
        "club": "journal kept_games referee signals trace config devices runner web",
        "app": (
            "clock ending journal rules service kept_games sensing referee signals trace terminal devices "
            "sim opponent runner web club"
        ),
        "hub": "clock journal rules sensing referee trace_header signals trace session devices sim runner web club",
        "commands": (
            "firmware_bridge clock ending journal rules kept_games engine sensing referee trace_header "
            "signals trace config terminal session devices explain calibrate cli doctor uti sim opponent "
            "coach engine_match runner report soak web club app hub"
        ),
    }
)
"""Every folder and file of the program, and of which others it imports anything; it may be of those above it only.

`tamsk_pi` is what the package itself offers, and `firmware_bridge` the package beside it. `MAY_IMPORT` is stricter for
the core: it names modules.
"""

LIBRARIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tamsk_pi.rules": ("attrs",),
        "tamsk_pi.sensing": ("attrs",),
        "tamsk_pi.referee": ("attrs", "transitions"),
        "tamsk_pi.trace_header": (),
        "tamsk_pi.trace": ("attrs",),
        "tamsk_pi.session": ("attrs",),
        "tamsk_pi.signals": ("attrs",),
        **dict.fromkeys(CALIBRATION, ("attrs",)),
        "tamsk_pi.report": ("attrs",),
        "tamsk_pi.witness": (),
    }
)
"""What the core takes from outside the standard library."""

WITHOUT_IO = ("socket", "threading", "time", "os", "select", "asyncio", "subprocess", "pathlib", "random", "datetime")


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("tamsk_pi", "firmware_bridge"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imported(module: str, source: str, *, is_package: bool = False) -> set[str]:
    """Every module that a module imports, wherever in it, by full name (`from x import y` as `x.y` as well)."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                parts = parts[: len(parts) - node.level + is_package]
                base = ".".join([*parts, *([node.module] if node.module else [])])
            found |= {f"{base}.{alias.name}" for alias in node.names}
    return found


def lies_in(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def part_of(module: str) -> str | None:
    return next((part for part in MAY_IMPORT if lies_in(module, (part,))), None)


MODULES = list(modules())


def read(module: str, path: Path) -> set[str]:
    return imported(module, path.read_text(encoding="utf-8"), is_package=path.name == "__init__.py")


def test_every_part_is_there() -> None:
    """A part that was renamed would not be looked at any more."""
    assert {part_of(module) for module, _ in MODULES} >= set(MAY_IMPORT)


def folder_of(module: str) -> str:
    """The line of `STANDS_ON` that a module belongs to."""
    top, _, rest = module.partition(".")
    return rest.split(".")[0] if top == "tamsk_pi" and rest else top


NAMES = frozenset(module for module, _ in MODULES)


def module_named(name: str) -> str:
    """The module that an imported name is in: `tamsk_pi.clock.Clock` is in `tamsk_pi.clock`."""
    while name not in NAMES:
        name, dot, _ = name.rpartition(".")
        assert dot, "an import of the program's own that names none of its modules"
    return name


def stood_on() -> Mapping[str, set[str]]:
    """What every folder really imports of the others."""
    found: dict[str, set[str]] = {folder_of(module): set() for module in NAMES}
    for module, path in MODULES:
        for name in read(module, path):
            if name.split(".")[0] in ("tamsk_pi", "firmware_bridge"):
                found[folder_of(module)].add(folder_of(module_named(name)))
    return {folder: others - {folder} for folder, others in found.items()}


def test_every_folder_has_its_line() -> None:
    assert {folder_of(module) for module in NAMES} == set(STANDS_ON), "one line in STANDS_ON for each folder"


def test_every_folder_stands_on_those_above_its_line_only() -> None:
    """With the next test: no folder imports, by whatever way round, what imports it."""
    above: set[str] = set()
    for folder, others in STANDS_ON.items():
        assert set(others.split()) <= above, f"{folder} may stand on what is above its line only"
        above.add(folder)


def test_every_folder_imports_what_its_line_says() -> None:
    said = {folder: set(others.split()) for folder, others in STANDS_ON.items()}
    assert stood_on() == said


@pytest.mark.parametrize(("module", "path"), MODULES, ids=[module for module, _ in MODULES])
def test_imports_point_one_way(module: str, path: Path) -> None:
    own = {name for name in read(module, path) if name.split(".")[0] in ("tamsk_pi", "firmware_bridge")}
    part = part_of(module)
    if part is not None:
        wrong = {name for name in own if not lies_in(name, MAY_IMPORT[part])}
        assert not wrong, f"{module} may import {MAY_IMPORT[part]}"
    elif not lies_in(module, ("tamsk_pi.commands", "tamsk_pi.cli", "tamsk_pi.__main__")):
        wrong = {name for name in own if lies_in(name, ("tamsk_pi.commands", "tamsk_pi.cli"))}
        assert not wrong, "nothing but the command line knows of commands"


@pytest.mark.parametrize(
    ("module", "path"),
    [(module, path) for module, path in MODULES if part_of(module) in LIBRARIES],
    ids=[module for module, _ in MODULES if part_of(module) in LIBRARIES],
)
def test_the_core_does_no_io_and_reads_no_clock(module: str, path: Path) -> None:
    """ "The core does no I/O and reads no clock." """
    part = part_of(module)
    assert part is not None
    names = {name.split(".")[0] for name in read(module, path)} - {"tamsk_pi", "__future__"}
    assert not names & set(WITHOUT_IO)
    assert names - sys.stdlib_module_names <= set(LIBRARIES[part])


def test_the_devices_know_no_referee() -> None:
    """Devices bring edges in and carry signals out; they take no part in the judging."""
    for module, path in MODULES:
        if lies_in(module, ("tamsk_pi.devices",)):
            assert not {n for n in read(module, path) if lies_in(n, ("tamsk_pi.session", "tamsk_pi.referee"))}, module


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import tamsk_pi.web", {"tamsk_pi.web"}),
        ("def f():\n    from tamsk_pi import web", {"tamsk_pi.web"}),
        ("from . import order", {"tamsk_pi.sensing.order"}),
        ("from ..web import app", {"tamsk_pi.web.app"}),
    ],
)
def test_no_way_of_importing_is_overlooked(source: str, found: set[str]) -> None:
    assert imported("tamsk_pi.sensing.settle", source) == found
