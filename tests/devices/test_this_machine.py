"""What is said where there can be no matrix board: by every command that wants one, the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.this_machine import NO_PI, factory_here, is_pi
from tamsk_pi.signals.language import LANGUAGES
from tamsk_pi.signals.remarks import remark

ASKING = [
    ("play",),
    ("referee",),
    ("watch",),
    ("off",),
    ("calibrate", "sockets"),
    ("calibrate", "glasses"),
]
NO_LGPIO = "import sys; sys.modules['lgpio'] = None; from tamsk_pi.cli import main; main(prog_name='tamsk-pi')"


def test_a_pi_is_known_by_its_revision(tmp_path: Path) -> None:
    assert not is_pi(tmp_path)
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text("processor\t: 0\nmodel name\t: some\n")
    assert not is_pi(tmp_path)
    (tmp_path / "proc/cpuinfo").write_text("processor\t: 0\nRevision\t: c03111\n")
    assert is_pi(tmp_path)


def test_on_a_pi_the_remedy_is_told_and_elsewhere_what_to_do_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    with pytest.raises(DeviceError, match=r"pin factory lgpio: .*(apt|pip) install"):
        factory_here("lgpio", lambda: True)
    with pytest.raises(DeviceError) as told:
        factory_here("lgpio", lambda: False)
    assert str(told.value) == NO_PI


@pytest.mark.skipif(is_pi(), reason="this is a Raspberry Pi")
@pytest.mark.parametrize("arguments", ASKING, ids=" ".join)
def test_every_command_that_wants_a_board_says_the_same(arguments: tuple[str, ...], tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "LANGUAGE": "en", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", NO_LGPIO, *arguments],
        env=environment,
        cwd=Path(__file__).parents[2],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stderr, done.returncode) == (f"tamsk-pi: {NO_PI}\n", 1)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_it_is_said_in_every_language(language: str) -> None:
    assert remark(NO_PI, language) != NO_PI  # type: ignore[arg-type]
