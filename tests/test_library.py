"""The core as a library, and the pipe for other languages: what docs/library.md shows is run from the page itself."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import tamsk_pi
from tests.programs import Program
from tests.tiers import lacking

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "library.md"
GAME = ROOT / "tests" / "cases" / "game-level3-rulebook-6.trace.jsonl"
RULINGS = GAME.with_name("game-level3-rulebook-6.rulings.json")
PATIENCE_S = 120


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def run(*arguments: str, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        arguments,
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        env={**os.environ, **environment},
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


def test_the_page_feeds_edges_and_prints_these_rulings_in_twenty_lines(tmp_path: Path) -> None:
    code = blocks("python")[0]
    feeding = code.split("\n\nprint(")[0].splitlines()
    assert len([line for line in feeding if line]) <= 20
    assert run(sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(ROOT)) == blocks("text")[0]


def test_the_page_judges_a_kept_trace_again(tmp_path: Path) -> None:
    shutil.copy(GAME, tmp_path / "game.trace.jsonl")
    told = run(sys.executable, "-c", blocks("python")[1], cwd=tmp_path, PYTHONPATH=str(ROOT))
    expected = json.loads(RULINGS.read_text(encoding="utf-8"))
    compared = [line for line in told.splitlines() if line.split()[1] in expected["kinds"]]
    assert compared == [f"{ruling['t']} {ruling['ruling']}" for ruling in expected["rulings"]]


@pytest.mark.javascript
def test_the_page_speaks_through_the_pipe_in_javascript(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        lacking("node is not installed")
    command = tmp_path / "bin" / "tamsk-pi"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tamsk_pi "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    assert run(node, "-e", blocks("javascript")[0], cwd=tmp_path, PATH=path, PYTHONPATH=str(ROOT)) == blocks("text")[1]


# -- the pipe


@contextmanager
def replaying() -> Iterator[subprocess.Popen[str]]:
    with Program(
        [sys.executable, "-m", "tamsk_pi", "replay", "--json", "-"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LANGUAGE": "en"},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def say(process: subprocess.Popen[str], *lines: dict[str, object]) -> None:
    assert process.stdin is not None
    process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> tuple[object, object]:
    """The next ruling; waits for it, however long the machine takes."""
    assert process.stdout is not None
    ruling = json.loads(process.stdout.readline())
    return ruling["t"], ruling["ruling"]


HEADER: dict[str, object] = {"format": "tamsk-trace", "version": 1, "level": 1}


def test_each_ruling_is_written_as_soon_as_it_is_certain_while_the_input_stays_open() -> None:
    with replaying() as process:
        say(process, HEADER, {"t": 1_000, "socket": "D1", "closed": False})
        assert [hear(process), hear(process)] == [(0, "ready"), (0, "started")]
        say(process, {"t": 1_900, "socket": "D2", "closed": True})
        # No edge: it only tells the time.
        say(process, {"t": 3_000, "button": "arbiter", "down": False})
        assert hear(process) == (1_900, "move")
        say(process, {"t": 3_100, "ring": "D2", "count": 1}, {"t": 3_600, "button": "arbiter", "down": False})
        assert hear(process) == (3_100, "ring")
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0


def test_a_line_that_is_none_ends_it_at_once_though_the_input_stays_open() -> None:
    with replaying() as process:
        say(process, HEADER, {"t": 1_000, "socket": "D1", "closed": False}, {"t": 900, "end": True})
        assert [hear(process), hear(process)] == [(0, "ready"), (0, "started")]
        assert process.wait(PATIENCE_S) == 2
        assert process.stderr is not None
        assert process.stderr.read() == "tamsk-pi: -: line 3: time goes back from 1000 to 900\n"


# -- the names


def test_importing_the_package_loads_nothing_of_it_and_no_library() -> None:
    code = "import sys, tamsk_pi; print(*sorted(m for m in sys.modules if m.split('.')[0] in {'tamsk_pi', 'attr', 'attrs', 'click', 'transitions'}))"  # noqa: E501
    assert run(sys.executable, "-c", code, cwd=ROOT) == "tamsk_pi\n"


def test_a_name_loads_what_it_needs_and_no_device_page_or_command() -> None:
    code = "import sys; from tamsk_pi import Session, Settings, Edge, TraceReader; print(*sys.modules)"
    loaded = run(sys.executable, "-c", code, cwd=ROOT).split()
    assert "tamsk_pi.session" in loaded
    heavy = ("tamsk_pi.devices", "tamsk_pi.web", "tamsk_pi.commands", "tamsk_pi.runner", "click", "starlette", "serial")
    assert not [name for name in loaded if name.startswith(heavy)]


def test_every_name_that_is_offered_is_there_and_known_to_type_checkers() -> None:
    for name in tamsk_pi.__all__:
        assert getattr(tamsk_pi, name) is not None
        assert name in dir(tamsk_pi)
    tree = ast.parse((ROOT / "tamsk_pi" / "__init__.py").read_text(encoding="utf-8"))
    typed = {alias.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert set(tamsk_pi.__all__) - {"__version__"} <= typed
    with pytest.raises(AttributeError, match="no attribute 'Sesion'"):
        getattr(tamsk_pi, "Sesion")  # noqa: B009
