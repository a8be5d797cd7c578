"""`tamsk-pi soak`: its table, its exit status, and what it leaves of a game that went wrong."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.commands.replay import rulings_of
from tamsk_pi.trace import TraceReader


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["soak", *arguments])
    return result.exit_code, result.output


def test_the_table() -> None:
    status, output = run("--games", "3", "--seed", "1", "--faults", "bounce,link")
    assert status == 0, output
    rows = {line[:18].strip(): line[18:].split() for line in output.splitlines()}
    assert rows["games"] == ["3", "3", "finished"]
    assert rows["false violations"] == ["0"]
    assert int(rows["faults injected"][0]) > 0
    assert output.splitlines()[-1] == "Nothing false, nothing missed, nothing lost."


def test_json_tells_the_same() -> None:
    status, output = run("--games", "2", "--faults", "none", "--json", "--level", "1")
    told = json.loads(output)
    assert status == 0
    assert (told["games"], told["clean"], told["faults_injected"]) == (2, True, {})
    assert told["memory_kb"]["end"] > 1_000


def test_several_processes_play_the_same_games() -> None:
    one = json.loads(run("--games", "4", "--faults", "none", "--json")[1])
    two = json.loads(run("--games", "4", "--faults", "none", "--json", "--jobs", "2")[1])
    del one["memory_kb"], two["memory_kb"]
    assert one == two


def test_what_goes_wrong_is_told_kept_and_can_be_played_again(tmp_path: Path) -> None:
    wrong = ("--faults", "none", "--settle-ms", "2", "--out", str(tmp_path / "bad"))
    status, output = run("--games", "1", *wrong)
    assert status == 1
    assert "game 0: " in output
    assert "This is not as it must be." in output
    path = tmp_path / "bad" / "soak-1-0.trace.jsonl"
    kept = path.read_bytes()
    with path.open("rb") as stream:
        assert any(ruling.kind == "violation" for ruling in rulings_of(TraceReader(stream)))
    assert run("--game", "0", *wrong)[0] == 1
    assert path.read_bytes() == kept


def test_an_unknown_fault_is_refused_in_one_line() -> None:
    status, output = run("--faults", "bounce,gremlins")
    assert status == 2
    assert output.splitlines()[-1].endswith(
        "unknown fault 'gremlins'; allowed: all, none, or a list of bounce, transit, rattle, shake, hang, stuck, weak, "
        "noisy, pause, takeback, link, kill, power"
    )


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "below"
    status, output = run("--games", "1", "--faults", "none", "--settle-ms", "2", "--out", str(folder))
    assert status == 1
    assert output.splitlines()[-1] == f"tamsk-pi: {folder}: Not a directory"
