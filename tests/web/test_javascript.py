"""The page's JavaScript: its types by TypeScript's compiler, its unit tests by node's own runner (tests/web/js/).

Both come by npm, pinned in package.json and package-lock.json, into a folder that is kept between runs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tiers import lacking

HERE = Path(__file__).parent
PINNED = ("package.json", "package-lock.json")
NODE_AT_LEAST = 20
WAIT_S = 240.0

pytestmark = [pytest.mark.javascript, pytest.mark.timeout(600)]


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=WAIT_S, check=False)


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        lacking("node is not there; apt-get install nodejs npm")
    version = run(found, "--version", cwd=HERE).stdout.strip()
    if int(version.removeprefix("v").split(".")[0]) < NODE_AT_LEAST:
        lacking(f"node is {version}; the page's tests need {NODE_AT_LEAST} or newer")
    return found


@pytest.fixture(scope="module")
def compiler(node: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Node, and the pinned compiler: from where it was installed before, else by npm."""
    here = HERE / "node_modules" / "typescript" / "lib" / "tsc.js"
    if here.exists():
        return node, here
    npm = shutil.which("npm")
    if npm is None:
        lacking("npm is not there; apt-get install npm")
    folder = tmp_path_factory.mktemp("npm")
    for name in PINNED:
        shutil.copy(HERE / name, folder)
    done = run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder)
    if done.returncode:
        lacking(f"npm could not install the compiler: {(done.stderr or done.stdout).strip()[-300:]}")
    return node, folder / "node_modules" / "typescript" / "lib" / "tsc.js"


def test_the_page_is_well_typed(compiler: tuple[str, Path]) -> None:
    node, tsc = compiler
    done = run(node, os.fspath(tsc), "--project", os.fspath(HERE / "tsconfig.json"), cwd=HERE)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_mistake_in_a_type_is_found(compiler: tuple[str, Path], tmp_path: Path) -> None:
    """What checks nothing would find nothing either."""
    node, tsc = compiler
    wrong = tmp_path / "wrong.js"
    wrong.write_text('/** @type {number} */\nconst count = "three";\nexport const twice = count.lenght;\n')
    options = ("--allowJs", "--checkJs", "--noEmit", os.fspath(wrong))
    done = run(node, os.fspath(tsc), *options, cwd=tmp_path)
    assert done.returncode != 0
    assert "error TS2322" in done.stdout


def test_what_the_page_works_out_by_itself(node: str) -> None:
    files = sorted(os.fspath(path) for path in (HERE / "js").glob("*.test.js"))
    done = run(node, "--test", *files, cwd=HERE)
    assert files
    assert done.returncode == 0, done.stdout
    assert "fail 0" in done.stdout
