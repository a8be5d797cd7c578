"""Settings: read, layered, checked, explained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.cli import main
from tamsk_pi.config.allowed import Whole
from tamsk_pi.config.load import (
    fit_to_board,
    games_folder,
    load_settings,
    parse_overrides,
    trace_header,
    user_file,
)
from tamsk_pi.config.page import configuration_page, explain
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.config.profile import load_profile
from tamsk_pi.config.settings import Ends, Settings
from tamsk_pi.config.structure import option
from tamsk_pi.config.table import entries, flatten, nest, values
from tamsk_pi.sensing.settings import GAP_MS, SETTLE_MS, Tolerance
from tamsk_pi.trace_header import read_header

ODD_UNITS = ("web.port", "bridge.baud", "club.board", "club.port")
"""A number that is no measure, and a choice that is one."""
DOCS = Path(__file__).resolve().parents[2] / "docs" / "configuration.md"


def problems(*files: Path, **overrides: object) -> list[tuple[str, str]]:
    """(key, text) of everything wrong; the keyword `a__b` stands for the key `a.b`."""
    with pytest.raises(ConfigError) as caught:
        load_settings({key.replace("__", "."): value for key, value in overrides.items()}, files=files)
    return [(problem.key, problem.text) for problem in caught.value.problems]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults() -> None:
    configuration = load_settings(files=[])
    assert configuration.settings == Settings()
    assert set(configuration.origins.values()) == {"default"}
    assert configuration.settings.tolerance_ms.glass == 2000
    assert configuration.settings.tolerance_ms.timer == 700
    assert configuration.settings.glass_ms.N.a == 15_000


def test_every_setting_says_what_it_is_for_and_why() -> None:
    for entry in entries():
        assert entry.about.doc, entry.key
        assert entry.about.reason, entry.key
        assert entry.about.allowed.problem_with(entry.default) is None
        assert bool(entry.about.unit) == isinstance(entry.about.allowed, Whole) or entry.key in ODD_UNITS
        assert entry.key in explain(entry)


def test_a_default_outside_its_range_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="must be a whole number from 1 to 3"):
        option(Whole(1, 3), "a level", default=4)


def test_the_later_layer_wins_and_each_value_knows_where_it_is_from(tmp_path: Path) -> None:
    system = written(tmp_path / "system.toml", 'level = 2\nrules = "wikipedia"\n[glass_ms]\nR1 = 181000\nR2 = 182000\n')
    user = written(tmp_path / "user.toml", "level = 3\n[glass_ms]\nR1 = { b = 183000 }\n")
    configuration = load_settings({"rules": "schmidt1998"}, files=[system, user])
    settings, origins = configuration.settings, configuration.origins
    assert (settings.level, settings.rules) == (3, "schmidt1998")
    assert Ends(181_000, 183_000) == settings.glass_ms.R1
    assert Ends(182_000, 182_000) == settings.glass_ms.R2
    assert Ends() == settings.glass_ms.R3
    assert origins["level"] == str(user)
    assert origins["rules"] == "command line"
    assert origins["glass_ms.R1.a"] == str(system)
    assert origins["glass_ms.R1.b"] == str(user)
    assert origins["setup"] == "default"


def test_one_tolerance_is_both() -> None:
    tolerance = load_settings({"tolerance_ms": 1500}, files=[]).settings.tolerance_ms
    assert (tolerance.glass, tolerance.timer) == (1500, 1500)


def test_everything_wrong_in_every_layer_is_told_at_once(tmp_path: Path) -> None:
    first = written(tmp_path / "first.toml", 'levl = 2\nrules = "house"\n[settle_ms]\nsocket = "long"\n')
    second = written(tmp_path / "second.toml", "level = [1\n")
    unclosed, *others = problems(first, second, tmp_path / "third.toml", web__port=70_000, names="Ada")
    assert unclosed[1].startswith("no TOML: ")
    assert others == [
        ("", "No such file or directory"),
        ("rules", 'must be "rulebook", "wikipedia" or "schmidt1998", not "house"'),
        ("settle_ms.socket", 'must be a whole number from 1 to 2000, not "long"'),
        ("", "unknown key levl; did you mean level?"),
        ("names", 'must be a table, not "Ada"'),
        ("web.port", "must be a whole number from 0 to 65535, not 70000"),
    ]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("level", True),
        ("level", 1.0),
        ("level", "1"),
        ("level", 4),
        ("confirm_missed_turning", 1),
        ("confirm_missed_turning", "yes"),
        ("tilt", 1),
        ("tilt", "true"),
        ("names.red", 7),
        ("names.red", "two\nlines"),
        ("names.red", "x" * 61),
        ("ring_window_ms", 499),
        ("ring_window_ms", 3000.5),
        ("calibrated_on", "yesterday"),
        ("calibrated_on", 2026),
        ("glass_ms.R1.a", 0),
        ("glass_ms.N.a", 180_000),
        ("gpio.pin_factory", "native"),
        ("bridge.port", ""),
        ("web", []),
    ],
)
def test_what_is_not_allowed_is_refused_and_nothing_is_converted(key: str, value: object) -> None:
    ((found, text),) = problems(**{key.replace(".", "__"): value})
    assert found == key
    assert "must be" in text


@given(st.sampled_from([entry for entry in entries() if isinstance(entry.about.allowed, Whole)]), st.integers())
def test_whole_numbers_are_taken_in_their_range_only(entry: Any, value: int) -> None:
    allowed = entry.about.allowed
    assert (allowed.problem_with(value) is None) == (allowed.low <= value <= allowed.high)


def test_a_settle_time_below_its_gap_is_refused_where_it_was_set(tmp_path: Path) -> None:
    file = written(tmp_path / "mine.toml", "[settle_ms]\ntilt = 100\n")
    with pytest.raises(ConfigError) as caught:
        load_settings(files=[file])
    assert str(caught.value) == f"{file}: settle_ms.tilt: must be 150 or more, the gap_ms of the same kind, not 100"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xff\xfe", "no UTF-8 text"),
        (b"level = ", "no TOML"),
        (b"level = 1\nlevel = 2\n", "no TOML"),
        (b"# " + b"x" * 1_000_001, "larger than"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, content: bytes, text: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(content)
    ((key, found),) = problems(file)
    assert key == ""
    assert text in found
    assert "\n" not in found


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert problems(tmp_path) == [("", "Is a directory")]


def test_overrides_are_toml_or_plain_text() -> None:
    assert parse_overrides(["level=3", "tilt=false", "names.red=Ada Lin", 'event="A = B"', "web.port = 80"]) == {
        "level": 3,
        "tilt": False,
        "names.red": "Ada Lin",
        "event": "A = B",
        "web.port": 80,
    }
    with pytest.raises(ConfigError, match="must be KEY=VALUE"):
        parse_overrides(["level"])


def test_a_key_cannot_be_a_value_and_a_table() -> None:
    with pytest.raises(ConfigError, match="is a value, not a table"):
        load_settings({"level": 1, "level.x": 2}, files=[])


def test_flat_and_nested_are_the_same() -> None:
    flat = values(Settings())
    assert flatten(nest(flat)) == flat
    assert load_settings(flat, files=[]).settings == Settings()


@pytest.mark.parametrize(
    ("environment", "path"),
    [
        ({"XDG_CONFIG_HOME": "/cfg", "HOME": "/home/ada"}, "/cfg/tamsk-pi/config.toml"),
        ({"XDG_CONFIG_HOME": "relative", "HOME": "/home/ada"}, "/home/ada/.config/tamsk-pi/config.toml"),
        ({"HOME": "/home/ada"}, "/home/ada/.config/tamsk-pi/config.toml"),
        ({}, None),
    ],
)
def test_where_the_users_file_is(environment: dict[str, str], path: str | None) -> None:
    assert user_file(environment) == (None if path is None else Path(path))


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"STATE_DIRECTORY": "/var/lib/tamsk-pi:/var/lib/other"}, "/var/lib/tamsk-pi/games"),
        ({"XDG_DATA_HOME": "/data"}, "/data/tamsk-pi/games"),
        ({"HOME": "/home/ada"}, "/home/ada/.local/share/tamsk-pi/games"),
        ({}, None),
    ],
)
def test_where_games_are_kept(environment: dict[str, str], folder: str | None) -> None:
    assert games_folder(Settings(), environment) == (None if folder is None else Path(folder))
    chosen = load_settings({"journal.folder": "/mnt/games"}, files=[]).settings
    assert games_folder(chosen, environment) == Path("/mnt/games")


def test_the_board_decides_what_is_left_to_it() -> None:
    settings = fit_to_board(load_settings(files=[]), load_profile("matrix"))
    assert (settings.rings, settings.sockets, settings.tilt) == ("buttons", "reed", True)
    chosen = fit_to_board(load_settings({"rings": "holder", "tilt": False}, files=[]), load_profile("matrix"))
    assert (chosen.rings, chosen.tilt) == ("holder", False)


def test_what_the_board_lacks_is_refused() -> None:
    profile = load_profile("matrix")
    bare = attrs.evolve(profile, sensors=attrs.evolve(profile.sensors, tilt=False))
    with pytest.raises(ConfigError) as caught:
        fit_to_board(load_settings({"rings": "stack", "sockets": "hall", "tilt": True}, files=[]), bare)
    assert str(caught.value).splitlines() == [
        'command line: rings: board "matrix" allows buttons or holder, not "stack"',
        'command line: sockets: board "matrix" allows reed, not "hall"',
        'command line: tilt: board "matrix" allows false, not true',
    ]


def test_the_trace_header_has_the_keys_of_the_format() -> None:
    configuration = load_settings({"level": 3, "names.red": "Ada", "glass_ms.R1.b": 184_100}, files=[])
    header = trace_header(fit_to_board(configuration, load_profile("matrix")))
    assert json.loads(json.dumps(header)) == header
    game = read_header(header)
    assert game.tolerance == Tolerance(glass_ms=2000, timer_ms=700)
    assert (game.gap_ms, game.settle_ms) == (GAP_MS, SETTLE_MS)
    assert header["glass_ms"]["R1"] == {"a": 180_000, "b": 184_100}  # type: ignore[index]
    assert header["tolerance_ms"] == {"glass": 2000, "timer": 700}
    assert (header["level"], header["red"], header["rings"]) == (3, "Ada", "buttons")
    assert set(header) == {
        *("format", "version", "level", "rules", "rings", "sockets", "tilt", "tolerance_ms", "glass_ms", "setup"),
        *("gap_ms", "settle_ms", "release_ms", "flip_grace_ms", "ring_window_ms", "penalty_window_ms", "red"),
        *("confirm_missed_turning", "weak_flickers"),
    }


def test_the_docs_page_is_current() -> None:
    assert DOCS.read_text(encoding="utf-8") == configuration_page(), "run: tamsk-pi config page > docs/configuration.md"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `tamsk-pi config …` with an empty home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return lambda *arguments: CliRunner().invoke(main, ["config", *map(str, arguments)])


def test_check_reads_the_users_file(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / ".config" / "tamsk-pi"
    folder.mkdir(parents=True)
    file = written(folder / "config.toml", "level = 3\n")
    result = run("check")
    assert (result.exit_code, result.stderr) == (0, "")
    assert str(file) in result.stdout
    written(file, "levl = 3\nlevel = 9\n")
    result = run("check")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        f"{file}: level: must be 1, 2 or 3, not 9",
        f"{file}: unknown key levl; did you mean level?",
    ]


def test_check_takes_files_of_both_sorts(run: Any, tmp_path: Path) -> None:
    good = written(tmp_path / "good.toml", "level = 2\n")
    bad = written(tmp_path / "bad.toml", 'format = "tamsk-board"\n')
    profile = load_profile("matrix")
    assert profile.name == "matrix"
    assert run("check", good).exit_code == 0
    result = run("check", good, bad, tmp_path / "none.toml")
    assert result.exit_code == 2
    assert f"{bad}: sensors: missing" in result.stderr
    assert f"{tmp_path / 'none.toml'}: No such file or directory" in result.stderr
    assert run("check", "--set", "level=2", good).exit_code == 2


def test_check_looks_at_the_board_too(run: Any) -> None:
    result = run("check", "--set", "rings=stack")
    assert (result.exit_code, result.stderr) == (
        2,
        'command line: rings: board "matrix" allows buttons or holder, not "stack"\n',
    )
    result = run("check", "--set", "board=nosuch")
    assert result.exit_code == 2
    assert 'board: no profile "nosuch"; known: ' in result.stderr


def test_show_tells_value_and_origin(run: Any) -> None:
    result = run("show", "--set", "names.red=Ada")
    assert result.exit_code == 0
    lines = [line.split("#") for line in result.stdout.splitlines()]
    assert ['names.red = "Ada"', "command line"] in [[left.strip(), right.strip()] for left, right in lines]
    assert len(lines) == len(entries())
    shown = json.loads(run("show", "--json", "--set", "level=2").stdout)
    assert shown["level"] == {"value": 2, "from": "command line"}
    assert shown["web.port"] == {"value": 8037, "from": "default"}
    assert run("show", "--set", "level=9").exit_code == 2


def test_explain_one_setting_or_all_under_a_key(run: Any) -> None:
    result = run("explain", "tolerance_ms.timer")
    assert result.exit_code == 0
    assert "a whole number from 0 to 5000, in ms" in result.stdout
    assert "700 ms" in result.stdout
    assert run("explain", "settle_ms").stdout.count("settle_ms.") == 5
    result = run("explain", "ring_windw_ms")
    assert (result.exit_code, result.stderr.splitlines()) == (
        2,
        ["no setting ring_windw_ms; did you mean ring_window_ms?"],
    )


def test_page_prints_the_docs_page(run: Any) -> None:
    assert run("page").stdout == configuration_page()
