"""`tamsk-pi calibrate holders`, on the firmware and on its model, with rings put on and taken off as it asks."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.build import missing_for_simavr
from firmware_bridge.inputs import Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.simavr.bench import SimavrBench
from tamsk_pi.commands.calibrate_holders import Scales, calibrate, command, open_scales
from tamsk_pi.config.load import load_settings
from tamsk_pi.devices.load_cell import CalibrationError
from tamsk_pi.signals.language import catalogue
from tests.tiers import lacking

HOLDER = Build("reed", "holder")
FAST = 4.0
BETWEEN_S = 0.001
WAIT_S = 20.0
ZERO, RING = {"red": -70_000, "black": 31_000}, {"red": 1_900, "black": -2_300}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


@pytest.fixture(params=["model", pytest.param("simavr", marks=pytest.mark.firmware)])
def bench(request: pytest.FixtureRequest) -> ModelBench | SimavrBench:
    if request.param == "model":
        return ModelBench(HOLDER, speed=FAST)
    missing = missing_for_simavr()
    if missing:
        lacking(missing)
    return SimavrBench(HOLDER, speed=FAST)


def hands(
    bench: ModelBench | SimavrBench, scales: Scales, asked: list[str], counts: list[int]
) -> Callable[[str], None]:
    """Whoever puts rings on: so many at each question; answered once the load cells have come to rest."""

    def ask(text: str) -> None:
        asked.append(text)
        count = counts.pop(0)
        wanted = {player: zero + count * RING[player] for player, zero in ZERO.items()}
        for player, raw in wanted.items():
            bench.set_load(player, raw)
        by_s = time.monotonic() + WAIT_S
        while scales.read() != (wanted["red"], wanted["black"]):
            assert time.monotonic() < by_s

    return ask


def test_what_is_printed_calibrates_the_board(bench: ModelBench | SimavrBench, tmp_path: Path) -> None:
    asked: list[str] = []
    with bench:
        for player, zero in ZERO.items():
            bench.set_load(player, zero + 9 * RING[player])
        with open_scales(str(bench.port), 115_200, BETWEEN_S) as scales:
            printed = calibrate(scales, 32, hands(bench, scales, asked, [0, 32, 31]))
    assert [text.split()[0] for text in asked] == ["Take", "Put", "Take"]
    found = tomllib.loads(printed)["bridge"]["load_cell"]
    assert found == {player: {"zero": ZERO[player], "ring": RING[player]} for player in ("red", "black")}
    file = tmp_path / "config.toml"
    file.write_text(printed, encoding="utf-8")
    assert load_settings(files=[file]).settings.bridge.load_cell.black.ring == RING["black"]


def test_it_asks_in_the_language_of_the_settings() -> None:
    asked: list[str] = []
    with ModelBench(HOLDER, speed=FAST) as bench:
        bench.set_load("red", 0)
        bench.set_load("black", 0)
        with (
            open_scales(str(bench.port), 115_200, BETWEEN_S) as scales,
            pytest.raises(CalibrationError, match=r"der Halter von Rot zählt jetzt 15 Ringe, nicht 31"),
        ):
            calibrate(scales, 32, hands(bench, scales, asked, [0, 32, 15]), catalogue("de").gettext)
        told = CliRunner().invoke(
            command, ["--port", str(bench.port), "--set", "language=es", "--set", "bridge.baud=115200"], input=""
        )
    assert asked == [
        "Jeden Ring von beiden Haltern nehmen.",
        "32 Ringe auf jeden Halter legen.",
        "Einen Ring von jedem Halter nehmen.",
    ]
    assert told.stderr.startswith("Quitar todos los anillos de ambos soportes. Luego pulsar Intro: ")


def test_rings_that_were_not_put_on_are_noticed() -> None:
    with ModelBench(HOLDER, speed=FAST) as bench:
        bench.set_load("red", 0)
        bench.set_load("black", 0)
        with (
            open_scales(str(bench.port), 115_200, BETWEEN_S) as scales,
            pytest.raises(CalibrationError, match=r"red's holder counts 15 rings now, not 31: were 32 on it before\?"),
        ):
            calibrate(scales, 32, hands(bench, scales, [], [0, 32, 15]))


def test_a_cell_that_is_not_there_ends_it_with_its_name() -> None:
    with ModelBench(HOLDER, speed=FAST) as bench:
        bench.set_load("red", 5)
        done = CliRunner().invoke(command, ["--port", str(bench.port)], input="\n\n\n")
    assert done.exit_code == 1
    assert done.output.splitlines()[-1].startswith("tamsk-pi: black's load cell does not answer")


def test_another_build_is_refused_with_the_remedy() -> None:
    with ModelBench(Build("hall", "stack"), speed=FAST) as bench:
        done = CliRunner().invoke(command, ["--port", str(bench.port)])
    assert (done.exit_code, done.output) == (
        1,
        "tamsk-pi: the board's firmware is built for rings stack, not holder: "
        "tamsk-pi firmware flash --sockets hall --rings holder\n",
    )


def test_no_board_is_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--port", str(tmp_path / "none")])
    assert (done.exit_code, done.output) == (
        1,
        f"tamsk-pi: no bridge board: {tmp_path}/none: there is no such port\n",
    )


def test_too_few_rings_are_refused() -> None:
    done = CliRunner().invoke(command, ["--rings", "2"])
    assert done.exit_code == 2
    assert "4<=x<=32" in done.output
