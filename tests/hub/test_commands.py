"""`tamsk-pi hub …`: a whole small event from the command line, and errors in one line."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_pi.cli import main
from tests.programs import Program
from tests.tiers import lacking


def hub(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["hub", *words], input=stdin)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    made = hub("init", "--event", "night", "--boards", "4", "--system", "round_robin", str(tmp_path / "hub"))
    assert made.exit_code == 0, made.output
    assert "mosquitto -c" in made.output
    return str(tmp_path / "hub")


def test_an_event_from_the_command_line(folder: str, tmp_path: Path) -> None:
    given = "name;rating\nAda;1800\nBen;1700\nCleo;1600\n"
    assert hub("event", "players", "--folder", folder, "-", stdin=given).output == "3\n"
    assert hub("event", "player", "--folder", folder, "--rating", "1500", "Dan").exit_code == 0
    paired = hub("event", "pair", "--folder", folder)
    assert paired.output.splitlines() == ["   1  Ada  Dan", "   2  Ben  Cleo"]
    assert hub("event", "result", "--folder", folder, "--by", "Eva", "1", "red").exit_code == 0
    assert hub("event", "result", "--folder", folder, "--by", "Eva", "2", "draw").exit_code == 0
    table = hub("event", "export", "--folder", folder, "standings").output.splitlines()
    assert table[0].startswith("place,number,name")
    assert table[1].startswith("1,1,Ada")
    page = tmp_path / "round.html"
    assert hub("event", "export", "--folder", folder, "--as", "html", "--out", str(page), "pairings").exit_code == 0
    assert "Ada (0)" in page.read_text(), "with the points before the round"
    whole = hub("event", "export", "--folder", folder, "--as", "json", "all").output
    assert json.loads(whole)["event"]["name"] == "night"
    again = hub("event", "import", "--folder", folder, "-", stdin=whole.replace('"name": "night"', '"name": "again"'))
    assert again.output == "again\n"


def test_arbiters_from_the_command_line(folder: str) -> None:
    assert re.fullmatch(r"\d{8}\n", hub("arbiter", "add", "--folder", folder, "Eva").output)
    assert hub("arbiter", "list", "--folder", folder).output == "waiting  Eva\n"
    assert hub("arbiter", "revoke", "--folder", folder, "Eva").exit_code == 0
    assert hub("arbiter", "list", "--folder", folder).output == "revoked  Eva\n"
    assert hub("words", "--folder", folder).output == ""


def test_the_site_is_published_once(folder: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert hub("publish", "--folder", folder, "--once", str(site)).exit_code == 0
    assert json.loads((site / "data" / "events.json").read_text()) == {"events": ["night"], "delay_s": 60.0}
    assert {"index.html", "game.html", "archive.html", "mini.js", "geometry.js"} <= {p.name for p in site.iterdir()}
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    refused = hub("publish", "--folder", folder, "--once", str(tmp_path / "other"))
    assert refused.exit_code == 1
    assert "holds other files" in refused.output


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("run", "--folder", "nowhere"), "hub init makes it"),
        (("event", "pair", "--folder", "FOLDER"), "2 players or more"),
        (("event", "pair", "--folder", "FOLDER", "--event", "other"), "there is no event other; there are: night"),
        (("event", "new", "--folder", "FOLDER", "Night"), "is no name for an event"),
        (("event", "new", "--folder", "FOLDER", "night"), "there is an event night already"),
        (("event", "players", "--folder", "FOLDER", "nowhere.csv"), "nowhere.csv: No such file"),
        (("event", "result", "--folder", "FOLDER", "--by", "Eva", "9", "red"), "has no board 9"),
        (("event", "withdraw", "--folder", "FOLDER", "Nobody"), "is no player"),
        (("event", "export", "--folder", "FOLDER", "all"), "--as json"),
        (("arbiter", "revoke", "--folder", "FOLDER", "Nobody"), "is no arbiter here"),
        (("init", "--event", "night", "FOLDER"), "is there already"),
        (("init", "--event", "a b", "elsewhere"), "is no name for an event"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    folder: str, words: tuple[str, ...], problem: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    result = hub(*(word.replace("FOLDER", folder) for word in words))
    assert result.exit_code == 2, result.output
    assert problem in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_without_mosquitto_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    result = hub("demo", "--no-browser")
    assert result.exit_code == 1
    assert result.output == "tamsk-pi: Mosquitto is not installed: sudo apt-get install mosquitto\n"


def test_a_club_night_is_tried_in_one_command() -> None:
    if not shutil.which("mosquitto", path="/usr/bin:/usr/sbin:/usr/local/sbin"):
        lacking("mosquitto is not there; apt-get install mosquitto")
    command = [sys.executable, "-m", "tamsk_pi", "hub", "demo", "--no-browser", "--port", "0", "--boards", "3"]
    with Program([*command, "--speed", "100"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = re.findall(r"http://\S+?/", process.stdout.readline())[0]
        with urllib.request.urlopen(f"{url}feed?event=club-night", timeout=120) as feed:
            shown: set[int] = set()
            while len(shown) < 3:
                shown |= {board["board"] for board in json.loads(feed.readline())["boards"] if "glasses" in board}
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
