"""Board profiles: the one that ships is sound, and whatever is wrong in one is told, all of it."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tamsk_pi.config.header import LINES
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.config.profile import CROSSINGS, check_profile, load_profile, profile_folder, profile_path
from tamsk_pi.rules.board import GLASSES, SOCKETS, TIMER

MATRIX = Path(__file__).resolve().parents[2] / "hardware" / "boards" / "matrix.toml"
TWICE = "is used twice, by"
RAW = tomllib.loads(MATRIX.read_text(encoding="utf-8"))


def problems(change: Callable[[dict[str, Any]], object]) -> list[str]:
    """`key: text` of everything wrong with the shipped profile after a change."""
    raw = copy.deepcopy(RAW)
    change(raw)
    with pytest.raises(ConfigError) as caught:
        check_profile(raw, "board.toml")
    assert all(problem.file == "board.toml" for problem in caught.value.problems)
    return [f"{problem.key}: {problem.text}" for problem in caught.value.problems]


def assign(path: str, value: object) -> Callable[[dict[str, Any]], object]:
    *tables, name = path.split(".")

    def change(raw: dict[str, Any]) -> None:
        for table in tables:
            raw = raw[table]
        raw[name] = value

    return change


def test_the_matrix_board() -> None:
    profile = load_profile("matrix")
    matrix = profile.matrix
    assert (len(matrix.rows), len(matrix.columns)) == (8, 7)
    assert len({*matrix.rows.values(), *matrix.columns.values()}) == 15
    assert matrix.sockets == SOCKETS
    assert set(matrix.tilt) == {*GLASSES, TIMER}
    assert {crossing[1] for crossing in matrix.tilt.values()} == {"8"}
    outside = [crossing for crossing in CROSSINGS if crossing not in SOCKETS and crossing[1] != "8"]
    assert len(outside) == 12
    assert profile.matrix.scan_hz >= 250


def test_a_profile_is_found_by_name_or_path(tmp_path: Path) -> None:
    assert profile_path("matrix").samefile(MATRIX)
    mine = tmp_path / "mine.toml"
    mine.write_text(MATRIX.read_text(encoding="utf-8"), encoding="utf-8")
    assert load_profile(str(mine)).name == "matrix"
    with pytest.raises(ConfigError, match=r'no profile "matrx"; known: .*matrix'):
        load_profile("matrx")
    with pytest.raises(ConfigError, match="No such file"):
        load_profile("./matrx.toml")


def test_profiles_are_in_the_installed_package_or_in_the_checkout(tmp_path: Path) -> None:
    package = tmp_path / "tamsk_pi"
    assert profile_folder(package) == tmp_path / "hardware" / "boards"
    (package / "boards").mkdir(parents=True)
    assert profile_folder(package) == package / "boards"
    assert profile_folder() == MATRIX.parent


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("lamps.alarm", 19, ["lamps.alarm: GPIO19 is used twice, by matrix.rows.7 and lamps.alarm; free: 20"]),
        ("buzzer.line", 11, [f"socket_lamps.clock: GPIO11 {TWICE} buzzer.line and socket_lamps.clock; free: 18"]),
        ("matrix.rows.2", 9, [f"reserved.spi_miso[0]: GPIO9 {TWICE} matrix.rows.2 and reserved.spi_miso[0]; free: 25"]),
        ("matrix.columns.A", 28, ["matrix.columns.A: there is no GPIO28 on the 40-pin header; allowed are 2 to 27"]),
        ("matrix.columns.A", -1, ["matrix.columns.A: there is no GPIO-1 on the 40-pin header; allowed are 2 to 27"]),
        ("matrix.rows.1", 0, ["matrix.rows.1: GPIO0 belongs to the ID EEPROM; allowed are 2 to 27"]),
        ("matrix.rows.1", "4", ['matrix.rows: 1 must be a line\'s BCM number, 2 to 27, not "4"']),
        ("matrix.scan_hz", 100, ["matrix.scan_hz: must be a whole number from 250 to 2000, not 100"]),
        ("matrix.tilt_closed", "up", ['matrix.tilt_closed: must be "a" or "b", not "up"']),
        ("lamp", {}, [": unknown key lamp; did you mean lamps?"]),
        ("matrix.scan_khz", 1, ["matrix: unknown key scan_khz; did you mean scan_hz?"]),
        ("format", "board", ['format: must be "tamsk-board", not "board"']),
        ("version", 2, ["version: must be 1, not 2"]),
        ("sensors.rings", [], ["sensors.rings: must hold 1 or more items, not 0"]),
        ("sensors.rings", ["stack"], None),
        ("buzzer.highest_hz", 200, ["buzzer.highest_hz: must be above buzzer.lowest_hz"]),
        ("socket_lamps.clock", 12, None),
        ("reserved.rtc", "3", ['reserved: rtc must be a list, each item a line\'s BCM number, 2 to 27, not "3"']),
        ("lamps", 5, ["lamps: must be a table, not 5"]),
    ],
)  # fmt: skip
def test_one_thing_wrong(path: str, value: object, expected: list[str] | None) -> None:
    found = problems(assign(path, value))
    if expected is None:
        assert any(line.startswith(path) for line in found)
    else:
        assert found == expected


def test_lamps_and_buzzer_keep_off_lines_that_are_pulled_up_at_power_up() -> None:
    def change(raw: dict[str, Any]) -> None:
        raw["matrix"]["rows"]["1"], raw["lamps"]["alarm"] = raw["lamps"]["alarm"], raw["matrix"]["rows"]["1"]
        raw["matrix"]["rows"]["4"], raw["buzzer"]["line"] = raw["buzzer"]["line"], raw["matrix"]["rows"]["4"]

    assert problems(change) == [
        "lamps.alarm: GPIO4 is pulled up at power-up, before any program runs; allowed are 9 to 27",
        "buzzer.line: GPIO5 is pulled up at power-up, before any program runs; allowed are 9 to 27",
    ]


def test_a_crossing_has_one_use_and_both_lines() -> None:
    assert problems(assign("matrix.buttons.red", "A6")) == [
        f"matrix.holders.red[0]: crossing A6 {TWICE} matrix.buttons.red and matrix.holders.red[0]; free: A5, E7"
    ]
    assert problems(assign("matrix.buttons.red", "A1")) == [
        "matrix.buttons.red: crossing A1 is used twice, by matrix.sockets (A1) and matrix.buttons.red; free: A5, E7"
    ]
    without_row_8 = problems(lambda raw: raw["matrix"]["rows"].pop("8"))
    assert len(without_row_8) == 7
    assert without_row_8[0] == "matrix.tilt.R1: crossing A8 has no line: matrix.rows.8 missing"


def test_what_is_sensed_and_what_is_wired_agree() -> None:
    assert problems(lambda raw: raw["matrix"]["tilt"].pop("N")) == ["matrix.tilt: lacks N, though sensors.tilt is true"]
    assert problems(assign("sensors.tilt", False)) == ["matrix.tilt: names tilt switches, though sensors.tilt is false"]
    assert problems(lambda raw: raw["matrix"].pop("holders")) == [
        'matrix.holders: must be there if and only if sensors.rings names "holder"'
    ]
    assert problems(assign("matrix.holders.red", ["A6", "B6", "F6", "E7"])) == [
        "matrix.holders.red: its contacts must share one row, so that they are read at one moment"
    ]
    assert problems(assign("matrix.holders.red", ["A6", "B6", "F6"])) == [
        "matrix.holders.red: must hold 4 items, not 3"
    ]


def test_what_may_be_left_out_may_be_left_out() -> None:
    raw = copy.deepcopy(RAW)
    for key in ("buzzer", "socket_lamps", "reserved"):
        del raw[key]
    profile = check_profile(raw, "board.toml")
    assert (profile.buzzer, profile.socket_lamps, dict(profile.reserved)) == (None, None, {})


def test_everything_wrong_is_told_at_once() -> None:
    def change(raw: dict[str, Any]) -> None:
        raw["titel"] = raw.pop("title")
        raw["matrix"]["rows"]["1"] = 30
        raw["matrix"]["buttons"]["arbiter"] = "H1"
        raw["matrix"]["tilt"]["R1"] = "A6"
        raw["lamps"]["ready"] = raw["lamps"]["alarm"]
        raw["buzzer"]["longest_ms"] = "5 s"
        raw["socket_lamps"]["brightness"] = 3
        del raw["sensors"]

    found = problems(change)
    for start in (
        "title: missing",
        ": unknown key titel; did you mean title?",
        "sensors: missing",
        "matrix.rows.1: there is no GPIO30",
        "matrix.buttons.arbiter: must be",
        "matrix.holders.red[0]: crossing A6 is used twice",
        "lamps.ready: GPIO20 is used twice",
        "buzzer.longest_ms: must be a whole number",
        "socket_lamps: unknown key brightness",
    ):
        assert any(line.startswith(start) for line in found), start
    assert len(found) == 9


@pytest.mark.parametrize(
    "raw", [{}, {"matrix": 3}, {"matrix": {"rows": [], "tilt": 5}}, {"lamps": {"ready": [1, "x"]}}]
)
def test_no_table_however_odd_is_more_than_a_list_of_problems(raw: dict[str, Any]) -> None:
    with pytest.raises(ConfigError) as caught:
        check_profile(raw, "board.toml")
    assert any(problem.text == "missing" for problem in caught.value.problems)


def test_every_line_of_the_header_is_accounted_for() -> None:
    """The comments in matrix.toml say so: nothing is free."""
    profile = load_profile("matrix")
    used = {*profile.matrix.rows.values(), *profile.matrix.columns.values(), *map(int, _panel(profile))}
    assert profile.socket_lamps is not None
    assert profile.buzzer is not None
    used |= {profile.socket_lamps.clock, profile.socket_lamps.data, profile.socket_lamps.select, profile.buzzer.line}
    used |= {line for lines in profile.reserved.values() for line in lines}
    assert used == set(LINES)


def _panel(profile: Any) -> list[int]:
    return [profile.lamps.turn_red, profile.lamps.turn_black, profile.lamps.alarm, profile.lamps.ready]
