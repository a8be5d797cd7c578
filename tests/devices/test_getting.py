"""What a person is told to do for a missing pin library works on the machine that they are told it on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamsk_pi.devices.gpio.getting import how_to_get


def _machine(root: Path, raspberry_pi_os: bool) -> Path:
    (root / "etc").mkdir()
    if raspberry_pi_os:
        (root / "etc" / "rpi-issue").write_text("Raspberry Pi reference\n", encoding="utf-8")
    return root


@pytest.mark.parametrize("python", [(3, 11), (3, 13)])
def test_on_raspberry_pi_os_it_is_apt(tmp_path: Path, python: tuple[int, int]) -> None:
    root = _machine(tmp_path, raspberry_pi_os=True)
    assert how_to_get("lgpio", root, python, own_environment=False) == "sudo apt install python3-lgpio"
    assert how_to_get("rpigpio", root, python, own_environment=False) == "sudo apt install python3-rpi-lgpio"
    # A venv does not see what apt brings unless it is told to.
    assert "--system-site-packages" in how_to_get("lgpio", root, python, own_environment=True)


def test_elsewhere_it_is_pip_where_something_is_ready(tmp_path: Path) -> None:
    root = _machine(tmp_path, raspberry_pi_os=False)
    told = how_to_get("lgpio", root, (3, 11), own_environment=True)
    assert "pip install lgpio" in told
    assert not told.startswith("sudo apt install python3-lgpio")


def test_for_a_newer_python_it_is_to_be_compiled_with_its_own_source(tmp_path: Path) -> None:
    root = _machine(tmp_path, raspberry_pi_os=False)
    told = how_to_get("lgpio", root, (3, 13), own_environment=True)
    assert told.startswith("sudo apt install gcc swig python3-dev, then PYPI=1 ")


def test_the_mock_needs_nothing() -> None:
    assert how_to_get("mock") == ""
