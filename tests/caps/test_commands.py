"""What people do with caps at the terminal: flash them, pair them, have them looked at, watch them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

from firmware_bridge.build import cap_eeprom_hex
from firmware_bridge.inputs import TRAVELLING, Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.protocol import CapHealth, CapsHealth
from tamsk_pi.cli import main
from tamsk_pi.commands.calibrate_caps import CapsError, Turnings, pair
from tamsk_pi.commands.watch import Picture
from tamsk_pi.devices.base import Post
from tamsk_pi.devices.bridge import BridgeBoard
from tamsk_pi.devices.cap_pairs import Pair, PairsError, pairs_text, rates_of, read_pairs
from tamsk_pi.devices.caps import CapState
from tamsk_pi.doctor.caps import check_caps, hear_caps
from tamsk_pi.sensing.edges import Edge

CAPS = Build(tilts="caps")
FINE = CapHealth(1_000, ends="a", rated=True, id=7, cell_mv=2_980, packets=90, lost=10, rate=0.99)


# -- firmware


def test_a_caps_eeprom_says_which_glass_it_is() -> None:
    assert cap_eeprom_hex("R1", 0x1234) == ":04000000003412FFB7\n:00000001FF\n"
    assert cap_eeprom_hex("B3", 1).startswith(":04000000050100FF")


def test_flash_calls_avrdude_for_a_cap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool = tmp_path / "avrdude"
    tool.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/called\nfor a; do case $a in eeprom:w:*) f=${{a#eeprom:w:}};'
                    f' cp "${{f%:i}}" {tmp_path}/eeprom;; esac; done\n')  # fmt: skip
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    image = tmp_path / "cap.hex"
    image.touch()
    done = CliRunner().invoke(
        main, ["firmware", "flash", "--cap", "B2", "--hex", str(image), "--programmer", "avrisp2"]
    )
    assert done.exit_code == 0, done.output
    called = (tmp_path / "called").read_text().split()
    assert called[:6] == ["-p", "attiny84", "-c", "avrisp2", "-B", "8"]
    assert [word for word in called if "fuse" in word] == ["lfuse:w:0xe2:m", "hfuse:w:0xd7:m", "efuse:w:0xff:m"]
    assert f"flash:w:{image}:i" in called
    eeprom = (tmp_path / "eeprom").read_text()
    assert eeprom == cap_eeprom_hex("B2", int(eeprom[11:13], 16) | int(eeprom[13:15], 16) << 8)


def test_a_programmer_without_a_cap_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool = tmp_path / "avrdude"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    done = CliRunner().invoke(main, ["firmware", "flash", "--programmer", "usbasp"])
    assert done.exit_code == 2
    assert "--programmer goes with --cap" in done.output


# -- pairing


@attrs.define
class Board:
    """Caps that answer as a script says, at each question."""

    answers: list[str | None]
    health: dict[str, CapHealth] = attrs.Factory(dict)
    post: Post | None = None

    def start(self, post: Post) -> None:
        self.post = post

    def alive_at_ms(self) -> int:
        return 0

    def caps(self) -> dict[str, CapState]:
        return {glass: CapState(self.health.get(glass, FINE), True) for glass in TRAVELLING}

    def asked(self, text: str) -> None:
        if text.startswith(("Turn", "And")):
            glass = self.answers.pop(0)
            assert self.post is not None
            if glass is not None:
                self.post([Edge(0, "socket", "D1", False), Edge(0, "tilt", glass, "b")])


def paired(board: Board) -> tuple[dict[str, Pair], list[str]]:
    turnings, said = Turnings(board), list[str]()

    def tell(text: str) -> None:
        said.append(text)
        board.asked(text)

    turnings.begin()
    return dict(pair(turnings, tell, turning_s=0.3)), said


def test_each_glass_is_asked_for_and_its_cap_is_kept() -> None:
    found, said = paired(Board([glass for glass in TRAVELLING for _ in range(2)]))
    assert found == dict.fromkeys(TRAVELLING, Pair(7, 0.99, 2_980))
    assert said[:3] == ["Turn R1 over.", "And back again.",
                        "  R1: 90% of its packets answered, cell 2.98 V under load, clock +1.0 %"]  # fmt: skip


def test_a_cap_on_another_glass_is_named() -> None:
    with pytest.raises(CapsError, match=r"^that cap says it is B1's: put it on B1, or flash it with --cap R1$"):
        paired(Board(["B1"]))


def test_a_cap_that_is_not_heard_is_named() -> None:
    with pytest.raises(CapsError, match=r"^R2: its cap was not heard"):
        paired(Board(["R1", "R1", None]))


def test_two_caps_on_one_address_are_refused() -> None:
    twins = {"R1": attrs.evolve(FINE, twins=True)}
    with pytest.raises(CapsError, match=r"^two caps say that they are R1's"):
        paired(Board(["R1", "R1"], twins))


def test_a_clone_and_a_low_cell_are_told() -> None:
    poor = {"R1": attrs.evolve(FINE, packets=10, lost=90, cell_mv=2_300, low=True)}
    _, said = paired(Board([glass for glass in TRAVELLING for _ in range(2)], poor))
    assert said[3].startswith("  few answers")
    assert said[4].startswith("  its cell is low")


def test_the_file_of_pairs_is_read_back(tmp_path: Path) -> None:
    pairs = {"R1": Pair(7, 0.99, 2_980), "B3": Pair(9, 1.02, 3_000)}
    file = tmp_path / "caps.json"
    file.write_text(pairs_text(pairs), encoding="utf-8")
    assert read_pairs(file) == pairs
    assert rates_of(pairs)[0] == (7, 0.99)
    assert rates_of(pairs)[1] == (0xFFFF, 1.0)
    assert read_pairs(tmp_path / "none") == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "cannot be read: not JSON"),
        ("[]", "no file of paired caps"),
        ('{"format": "tamsk-caps", "version": 2, "caps": {}}', "no file of paired caps"),
        (pairs_text({"R1": Pair(7, 1.5, 3_000)}), "the cap of R1 is out of range"),
        (pairs_text({"R1": Pair(70_000, 1.0, 3_000)}), "the cap of R1 is out of range"),
    ],
)
def test_a_file_of_pairs_that_is_none_is_one_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "caps.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PairsError, match=problem):
        read_pairs(file)


def test_without_caps_in_the_configuration_there_is_nothing_to_pair(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    done = CliRunner().invoke(main, ["calibrate", "caps"])
    assert done.exit_code == 2
    assert done.output == 'tamsk-pi: caps: is "none": set it to "bridge" or "pi", whichever hears the caps\n'


@pytest.mark.parametrize(("board", "caps"), [("bridge", "pi"), ("matrix", "bridge")])
def test_caps_that_the_board_cannot_hear_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, board: str, caps: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "tamsk-pi").mkdir()
    (tmp_path / "tamsk-pi" / "config.toml").write_text(f'board = "{board}"\ncaps = "{caps}"\n')
    done = CliRunner().invoke(main, ["config", "check"])
    assert done.exit_code != 0
    assert ": caps: " in done.output


# -- doctor, watch


def told(*caps: CapHealth, answers: bool = True, restarts: int = 0) -> list[str]:
    health = CapsHealth(0, 0, answers, restarts, (*caps, *(FINE,) * (6 - len(caps))))
    return [f"{finding.weight} {finding.text}" for finding in check_caps(health)]


def test_the_doctor_names_each_cap_that_ails() -> None:
    assert told() == ["ok all six are heard"]
    assert told(CapHealth(None)) == ["note R1: its cap is not heard; a game plays on without it"]
    assert told(attrs.evolve(FINE, low=True, cell_mv=2_310))[0] == "note R1: its cell gives 2.31 V under load"
    assert told(attrs.evolve(FINE, ends="ab"))[0].startswith("note R1: both its switches are closed")
    assert told(attrs.evolve(FINE, packets=1, lost=3))[0] == "note R1: 75% of its packets have no answer"
    assert told(attrs.evolve(FINE, rate=1.12))[0].startswith("note R1: its clock is off by -11 percent")
    assert told(attrs.evolve(FINE, twins=True))[0] == "stops R1: two caps send on its address"
    assert told(answers=False) == ["stops the caps' receiver on the Mega does not answer"]
    assert told(restarts=2)[0] == "note the receiver had to be set up anew 2 times"
    assert [finding.weight for finding in check_caps(None)] == ["stops"]


def test_the_doctor_hears_the_caps_of_a_live_board() -> None:
    with ModelBench(CAPS, speed=20.0) as bench:
        health = hear_caps(str(bench.port), 115_200)
    assert health is not None
    assert all(cap.heard_ago_ms is not None for cap in health.caps)


def test_the_picture_shows_how_each_cap_is() -> None:
    state = {"R1": CapState(FINE, True), "R2": CapState(CapHealth(None), False),
             "R3": CapState(attrs.evolve(FINE, twins=True), False)}  # fmt: skip
    lines = Picture({("tilt", "R1"): "a"}, caps=state).text(begun_ms=0, heard=True).splitlines()
    [line] = [line for line in lines if line.startswith("caps")]
    assert "R1 1 s 2.98 V 10%" in line
    assert "R2 not heard" in line
    assert "R3 two caps" in line


@pytest.fixture
def live() -> Iterator[tuple[ModelBench, BridgeBoard]]:
    with ModelBench(CAPS, speed=20.0) as bench:
        board = BridgeBoard(str(bench.port), expected=CAPS)
        board.open()
        yield bench, board
        board.close()


def test_a_turning_on_a_live_board_is_told_to_whoever_pairs(live: tuple[ModelBench, BridgeBoard]) -> None:
    bench, board = live
    board.inputs()
    turnings = Turnings(board)
    turnings.begin()
    bench.set(("tilt", "B2"), "b")
    assert turnings.next(20.0) == "B2"
    assert turnings.state("B2") is not None
