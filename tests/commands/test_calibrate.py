"""`tamsk-pi calibrate`: on the simulator from beginning to end, and on a board behind a port with a person at it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from click.testing import CliRunner, Result

from firmware_bridge.inputs import Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.pins import PIN_TABLE, problems
from tamsk_pi.calibrate.sockets import REACH_MS
from tamsk_pi.cli import main
from tamsk_pi.commands import calibrate
from tamsk_pi.config.profile import load_profile
from tamsk_pi.rules.board import GLASSES, SOCKETS, TIMER


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "STATE_DIRECTORY", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield tmp_path
    for number, handler in before.items():
        signal.signal(number, handler)


def calibrated(*arguments: str) -> Result:
    done = CliRunner().invoke(main, ["calibrate", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    return done


def breaking_off_after(looks: int) -> Callable[[], Callable[[], bool]]:
    """As if Ctrl-C was pressed after so many looks at the board."""
    left = iter(range(looks))
    return lambda: lambda: next(left, None) is None


def config_of(home: Path) -> dict[str, Any]:
    return tomllib.loads((home / ".config/tamsk-pi/config.toml").read_text(encoding="utf-8"))


# -- sockets


@pytest.mark.parametrize(("board", "count"), [("matrix", 37), ("starter", 7)])
def test_a_virtual_board_that_is_right(board: str, count: int) -> None:
    done = calibrated("sockets", "--simulated", "--board", board)
    assert done.exit_code == 0
    assert f"{count}/{count}  Turn it over and put it back into" in done.output
    assert done.output.splitlines()[-1] == "Everything is right."


def test_a_fault_is_told_with_its_remedy_and_stops_play() -> None:
    done = calibrated("sockets", "--simulated", "--simulated-fault", "stuck-open@socket:D4")
    assert done.exit_code == 1
    *_, finding, remedy, again = done.output.splitlines()
    assert finding == "STOPS  D4 answers to nothing."
    assert remedy.startswith("       -> measure across the sensor")
    assert again == "`tamsk-pi calibrate sockets` tries these sockets again; --restart tries all."


def test_what_is_only_worth_knowing_does_not_stop_play() -> None:
    done = calibrated("sockets", "--simulated", "--simulated-fault", "weak@socket:D4")
    assert done.exit_code == 0
    assert "note   D4 let go while the glass stood in it (" in done.output


def test_json_is_all_there_is_on_standard_output() -> None:
    done = calibrated("sockets", "--simulated", "--json", "--simulated-fault", "columns@B+F")
    report = json.loads(done.stdout)
    assert done.exit_code == 1
    assert report["plays"] is False
    (finding,) = report["findings"]
    assert (finding["code"], finding["weight"], finding["names"]) == ("columns_exchanged", "stops", ["B", "F"])
    assert "matrix.columns.B, matrix.columns.F" in finding["remedy"]
    assert report["exchange"] == {"columns": {"B": "F", "F": "B"}, "rows": {}, "pins": {}}
    assert set(report["sockets"]) == set(SOCKETS)
    assert "Put the glass into A1." in done.stderr


def test_a_corrected_profile_is_written_and_the_board_is_right_with_it(home: Path) -> None:
    """The wires stay exchanged: it is the profile that follows them."""
    fault = ("--simulated", "--simulated-fault", "columns@B+F", "--simulated-fault", "rows@1+2")
    target = home / "mine.toml"
    done = calibrated("sockets", *fault, "--write", str(target))
    assert done.exit_code == 1
    assert done.output.splitlines()[-1] == f"A corrected profile is in {target}."
    wired, mine = load_profile("matrix").matrix, load_profile(str(target)).matrix
    assert (mine.columns["B"], mine.columns["F"]) == (wired.columns["F"], wired.columns["B"])
    assert (mine.rows["1"], mine.rows["2"]) == (wired.rows["2"], wired.rows["1"])
    assert CliRunner().invoke(main, ["config", "check", str(target)]).exit_code == 0


def test_where_no_line_is_to_be_exchanged_nothing_is_written(home: Path) -> None:
    target = home / "mine.toml"
    done = calibrated("sockets", "--simulated", "--simulated-fault", "exchanged@D4+D5", "--write", str(target))
    assert done.output.splitlines()[-1] == "No line of the profile is to be exchanged: nothing was written."
    assert not target.exists()


def test_a_bridges_pins_are_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.build.missing_for_simavr", lambda: "simavr is not asked for")
    target = home / "pins.toml"
    done = calibrated(
        "sockets", "--simulated", "--board", "bridge", "--simulated-fault", "exchanged@A1+G4", "--write", str(target)
    )
    assert done.exit_code == 1
    assert "STOPS  A1 and G4 are exchanged." in done.output
    old, new = (tomllib.loads(path.read_text(encoding="utf-8")) for path in (PIN_TABLE, target))
    assert (new["socket"]["A1"], new["socket"]["G4"]) == (old["socket"]["G4"], old["socket"]["A1"])
    assert problems(new) == []


def test_a_hall_bridge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.build.missing_for_simavr", lambda: "simavr is not asked for")
    hall = ("--simulated", "--board", "bridge", "--set", "sockets=hall", "--set", "tilt=false")
    done = calibrated("sockets", *hall, "--simulated-fault", "face-down@C3")
    assert done.exit_code == 1
    assert "STOPS  C3 sees north as south." in done.output
    assert "end a up" in done.output


def test_it_goes_on_where_it_was_broken_off_and_then_tries_only_what_was_wrong(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = ("sockets", "--simulated", "--simulated-fault", "stuck-open@socket:A2")
    with monkeypatch.context() as patch:
        patch.setattr(calibrate, "_stopper", breaking_off_after(2000))
        done = calibrated(*faulty)
    assert done.exit_code == 130
    last = done.output.splitlines()[-1]
    number = int(last.removeprefix("Broken off: ").split()[0])
    assert 2 <= number < 37
    assert last == f"Broken off: {number} of 37 are done. `tamsk-pi calibrate sockets` goes on from there."
    done = calibrated(*faulty)
    assert done.output.startswith(f"{37 - number} of 37 sockets are to be tried")
    assert "STOPS  A2 answers to nothing." in done.output
    done = calibrated("sockets", "--simulated")
    assert done.output.startswith("1 of 37 sockets are to be tried")
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "Everything is right.")
    assert calibrated("sockets", "--simulated").output.startswith("37 of 37 sockets are to be tried")


def test_restart_begins_anew_whatever_is_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = home / ".local/share/tamsk-pi/simulated/calibration-sockets.json"
    kept.parent.mkdir(parents=True)
    kept.write_text("{", encoding="utf-8")
    done = calibrated("sockets", "--simulated")
    assert done.exit_code == 1
    assert done.output.count("\n") == 1
    assert "--restart begins anew" in done.output
    assert calibrated("sockets", "--simulated", "--restart").exit_code == 0


@pytest.mark.parametrize(
    ("language", "words"), [("de", "Alles ist in Ordnung."), ("es", "Todo está bien."), ("en", "Everything is right.")]
)
def test_it_is_spoken_in_the_language_asked_for(language: str, words: str) -> None:
    done = calibrated("sockets", "--simulated", "--board", "starter", "--language", language)
    assert done.output.splitlines()[-1] == words
    done = calibrated("sockets", "--simulated", "--board", "starter", "--set", f"language={language}")
    assert done.output.splitlines()[-1] == words


# -- glasses


def test_the_times_of_a_virtual_board_are_shown_and_written_only_where_asked(home: Path) -> None:
    done = calibrated("glasses", "--simulated", "--glass", "N", "--glass", "R1")
    assert done.exit_code == 0
    shown = tomllib.loads(done.output[done.output.index("calibrated_on") :])
    assert set(shown["glass_ms"]) == {"N", "R1"}
    assert not (home / ".config").exists()


def test_the_times_are_written_into_a_configuration_that_people_keep(home: Path) -> None:
    file = home / "mine.toml"
    file.write_text("# our board\nlevel = 3  # with sand\n\n[web]\nport = 8080\n", encoding="utf-8")
    done = calibrated("glasses", "--simulated", "--into", str(file))
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[-1] == f"The times are in {file}."
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# our board\nlevel = 3  # with sand\n")
    written = tomllib.loads(text)
    assert set(written["glass_ms"]) == {*GLASSES, TIMER}
    assert written["web"] == {"port": 8080}
    assert 500 <= written["tolerance_ms"]["glass"] < 2000
    assert CliRunner().invoke(main, ["config", "check", str(file)]).exit_code == 0


def test_a_glass_that_wanders_is_named_and_not_written(home: Path) -> None:
    file = home / "mine.toml"
    wandering = ("--simulated-fault", "wandering@R2", "--glass", "R2", "--glass", "B1")
    done = calibrated("glasses", "--simulated", *wandering, "--into", str(file))
    assert done.exit_code == 1
    assert "STOPS  The red hourglass R2 never takes the same time twice: its runs lie" in done.output
    assert set(tomllib.loads(file.read_text(encoding="utf-8"))["glass_ms"]) == {"B1"}


def test_the_glasses_in_json(home: Path) -> None:
    done = calibrated("glasses", "--simulated", "--glass", "N", "--json", "--no-write")
    report = json.loads(done.stdout)
    assert report["plays"] is True
    assert report["written"] is None
    for end in "ab":
        of = report["glasses"]["N"][end]
        assert len(of["runs_ms"]) >= 3
        assert min(of["runs_ms"]) <= of["time_ms"] <= max(of["runs_ms"])
    assert report["measured"]["glass_ms"]["N"]["a"] == report["glasses"]["N"]["a"]["time_ms"]


def test_the_glasses_go_on_where_they_were_broken_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(calibrate, "_stopper", breaking_off_after(2500))
        done = calibrated("glasses", "--simulated", "--glass", "R1", "--glass", "N")
    assert done.exit_code == 130
    assert "`tamsk-pi calibrate glasses` goes on from there." in done.output
    first = done.output.count(" s (run ")
    assert first >= 2
    done = calibrated("glasses", "--simulated", "--glass", "R1", "--glass", "N", "--json")
    report = json.loads(done.stdout)
    runs = sum(len(end["runs_ms"]) for ends in report["glasses"].values() for end in ends.values())
    assert runs - done.stderr.count(" s (run ") == first


# -- what is asked for wrongly


STARTER = ("sockets", "--simulated", "--board", "starter")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sockets", "--simulated-fault", "weak@socket:D4"], "--simulated-fault goes with --simulated"),
        (["sockets", "--simulated", "--simulated-fault", "broken@D4"], "unknown fault 'broken'"),
        (["sockets", "--simulated", "--simulated-fault", "one-pole@D4"], "a reed knows no poles"),
        (["sockets", "--simulated", "--simulated-fault", "columns@A+Z"], "is not two columns joined by '+'"),
        ([*STARTER, "--simulated-fault", "columns@A+B"], "has no columns A and B"),
        ([*STARTER, "--simulated-fault", "weak@tilt:R1"], "this board has no tilt R1"),
        (["sockets", "--board", "nosuch"], 'no profile "nosuch"'),
        (["glasses", "--simulated", "--glass", "R4"], "'R4' is not one of"),
        (["glasses", "--simulated", "--no-write", "--into", "x"], "exclude each other"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_what_cannot_be_done_is_one_line(arguments: list[str], words: str) -> None:
    done = calibrated(*arguments)
    assert done.exit_code == 2
    assert words in done.output
    assert "Traceback" not in done.output


# -- a board behind a port


class Person:
    """The program on the bridge's port, and a person who reads what it says and moves a glass."""

    def __init__(self, bench: ModelBench, home: Path) -> None:
        self.bench = bench
        command = [sys.executable, "-u", "-m", "tamsk_pi", "calibrate", "sockets", "--board", "bridge"]
        self.program = subprocess.Popen(
            [*command, "--set", f"bridge.port={bench.port}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.program.stdout is not None
        self._lines: IO[str] = self.program.stdout

    def hears(self, words: str) -> str:
        """Read on until a line has these words."""
        for line in self._lines:
            if words in line:
                return line
        raise AssertionError(f"{words!r} was never said")

    def sees(self, socket: str) -> None:
        """Wait until this socket's lamp is lit."""
        end_s = time.monotonic() + 20
        while self.bench.outputs.red | self.bench.outputs.green != {socket}:
            assert time.monotonic() < end_s, f"{socket} was never lit"
            time.sleep(0.01)

    def types(self, text: str) -> None:
        assert self.program.stdin is not None
        self.program.stdin.write(f"{text}\n")
        self.program.stdin.flush()

    def breaks_off(self) -> str:
        self.program.send_signal(signal.SIGINT)
        said, _ = self.program.communicate(timeout=30)
        return said.splitlines()[-1]


def test_a_person_at_a_bridge_breaks_off_and_goes_on(home: Path) -> None:
    with ModelBench(Build("reed", "buttons"), speed=1.0) as bench:
        person = Person(bench, home)
        person.hears("1/37  Put the glass into A1.")
        bench.set(("socket", "A1"), True)
        person.hears("1/37  Turn it over")
        bench.set(("socket", "A1"), False)
        time.sleep(0.3)  # longer than a socket settles: hands are no quicker
        bench.set(("socket", "A1"), True)
        person.hears("A1 is right.")
        person.hears("2/37  Put the glass into A2.")
        person.sees("A2")
        last = person.breaks_off()
        assert last == "Broken off: 1 of 37 are done. `tamsk-pi calibrate sockets` goes on from there."
        assert person.program.returncode == 130
        lit = [output.name for output in bench.outputs.history if output.kind in ("red", "green") and output.value]
        assert lit == ["A1", "A1", "A2"]
        assert bench.outputs.red | bench.outputs.green == set()
        assert bench.outputs.lit() <= {"amber"}
        assert bench.outputs.tone_hz == 0

        bench.set(("socket", "A1"), False)
        person = Person(bench, home)
        person.hears("36 of 37 sockets are to be tried")
        person.hears("2/37  Put the glass into A2.")
        time.sleep(REACH_MS / 1000 + 0.2)
        person.types("")  # Enter: nothing answers
        person.hears("2/37  Turn it over")
        person.breaks_off()


def test_a_board_that_is_unplugged_ends_it_in_one_line(home: Path) -> None:
    with ModelBench(Build("reed", "buttons"), speed=1.0) as bench:
        person = Person(bench, home)
        person.hears("1/37  Put the glass into A1.")
    said, _ = person.program.communicate(timeout=30)
    assert said.splitlines()[-1] == "The board is not read any more. `tamsk-pi calibrate sockets` goes on from there."
    assert person.program.returncode == 1
