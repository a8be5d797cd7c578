"""What was measured, written into files that people write: nothing else in them changes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from firmware_bridge.pins import PIN_TABLE, problems
from tamsk_pi.calibrate.record import (
    measured_settings,
    settings_lines,
    with_lines_exchanged,
    with_pins_exchanged,
    with_settings,
    write_settings,
)
from tamsk_pi.calibrate.wiring import Lines
from tamsk_pi.config.load import load_settings
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.config.profile import load_profile, profile_path
from tamsk_pi.config.settings import Tolerance

RUNS = {"R1": {"a": [178_200, 178_300], "b": [184_100, 184_300]}, "N": {"a": [15_100, 15_200], "b": [14_900, 14_950]}}
MEASURED = measured_settings(RUNS, "2026-11-01", Tolerance())
FORMS = {
    "empty": "",
    "tables below": "# mine\nlevel = 3 # three\n\n[web]\nport = 8080 # here\n",
    "short forms": "tolerance_ms = 1500 # wide\nglass_ms.R1 = 170000\n[names]\nred = 'A'\n",
    "a table of glasses": "[glass_ms] # measured\nR1 = { a = 1000 } # chipped\nR2 = 181000\n# end\n[web]\nport = 1\n",
    "a table for each": "[glass_ms.R1]\na = 1000 # x\n[tolerance_ms]\nglass = 1000 # y\n",
    "dotted": "glass_ms.R1.a = 1000\nglass_ms.R1.b = 2000\ncalibrated_on = '2020-01-01' # old\n[web]\nport = 1\n",
    "all inline": "glass_ms = { R1 = 170000, R2 = { a = 1000 } }\n[web]\nport = 1",
    "no blank line": "[web]\nport = 1\n\n[journal]\nfolder = 'x'",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_a_configuration_in_any_form_keeps_everything_else(text: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    before = tomllib.loads(text)
    write_settings(file, MEASURED, [file])
    new = file.read_text(encoding="utf-8")
    after = tomllib.loads(new)
    settings = load_settings(files=[file]).settings
    assert (settings.glass_ms.R1.a, settings.glass_ms.R1.b, settings.glass_ms.N.b) == (178_250, 184_200, 14_925)
    assert settings.calibrated_on == "2026-11-01"
    assert settings.tolerance_ms == Tolerance(2000, 400)
    for key in ("glass_ms", "tolerance_ms", "calibrated_on"):
        before.pop(key, None), after.pop(key, None)
    assert before == after
    for comment in (line.partition("#")[2] for line in text.splitlines() if "#" in line):
        assert f"#{comment}" in new
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


def test_other_glasses_keep_their_times() -> None:
    after = tomllib.loads(with_settings(FORMS["all inline"], MEASURED))
    assert after["glass_ms"]["R2"] == {"a": 1000}
    assert after["tolerance_ms"] == {"glass": 2000, "timer": 400}


def test_a_few_glasses_cannot_make_the_tolerance_of_all_narrower() -> None:
    assert measured_settings(RUNS, "2026-11-01", Tolerance(glass=3000))["tolerance_ms"]["glass"] == 3000
    every = {glass: RUNS["R1"] for glass in ("R1", "R2", "R3", "B1", "B2", "B3")}
    assert measured_settings(every, "2026-11-01", Tolerance(glass=3000))["tolerance_ms"] == {"glass": 500}


def test_what_would_be_no_configuration_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("level = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"glass_ms\.N\.a"):
        write_settings(file, MEASURED | {"glass_ms": {"N": {"a": 500_000}}}, [file])
    assert file.read_text(encoding="utf-8") == "level = 3\n"
    file.write_text("level = 9\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="level"):
        write_settings(file, MEASURED, [file])
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


def test_a_linked_file_and_its_permissions_stay(tmp_path: Path) -> None:
    real = tmp_path / "real.toml"
    real.write_text("level = 2\n", encoding="utf-8")
    real.chmod(0o640)
    link = tmp_path / "config.toml"
    link.symlink_to(real)
    write_settings(link, MEASURED, [link])
    assert link.is_symlink()
    assert "calibrated_on" in real.read_text(encoding="utf-8")
    assert real.stat().st_mode & 0o777 == 0o640


def test_the_lines_shown_are_a_configuration(tmp_path: Path) -> None:
    file = tmp_path / "shown.toml"
    file.write_text(settings_lines(MEASURED), encoding="utf-8")
    assert load_settings(files=[file]).settings.glass_ms.N.a == 15_150


def test_a_profile_gets_the_lines_the_program_saw() -> None:
    text = profile_path("matrix").read_text(encoding="utf-8")
    new = with_lines_exchanged(text, Lines({"A": "D", "D": "A"}, {"1": "2", "2": "3", "3": "1"}), "mine")
    old, now = load_profile("matrix").matrix, tomllib.loads(new)["matrix"]
    assert (now["columns"]["A"], now["columns"]["D"]) == (old.columns["D"], old.columns["A"])
    assert [now["rows"][row] for row in "123"] == [old.rows[row] for row in "231"]
    changed = {(one, other) for one, other in zip(text.splitlines(), new.splitlines(), strict=True) if one != other}
    assert len(changed) == 6  # the name, two columns, three rows: every comment stays
    assert tomllib.loads(new)["name"] == "mine"


def test_the_bridges_pins_are_exchanged_and_still_a_table_of_pins() -> None:
    text = PIN_TABLE.read_text(encoding="utf-8")
    new = tomllib.loads(with_pins_exchanged(text, {"D4": "F2", "F2": "D4"}))
    old = tomllib.loads(text)
    assert (new["socket"]["D4"], new["socket"]["F2"]) == (old["socket"]["F2"], old["socket"]["D4"])
    assert problems(new) == []
