"""Pin factories by name, and why one cannot be had. Nothing here needs a Pi."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from gpiozero.exc import PinUnknownPi, SPISoftwareFallback

from tamsk_pi.config.profile import BoardProfile
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.devices.gpio.chips import chip_label, header_chip
from tamsk_pi.devices.gpio.factories import line_owner, make_factory
from tamsk_pi.devices.gpio.mock import QuietMockFactory


def chips(folder: Path, labels: dict[int, str]) -> Path:
    for number, label in labels.items():
        (folder / f"gpiochip{number}").write_text(label)
    return folder


def label_of(path: Path) -> str:
    label = path.read_text()
    if label == "locked":
        raise PermissionError(13, "Permission denied")
    if label == "gone":
        raise OSError(19, "No such device")
    return label


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"}, 0),
        ({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1", 10: "pinctrl-rp1"}, 4),
        ({0: "gone", 9: "other", 11: "pinctrl-bcm2835"}, 11),
    ],
)
def test_the_header_is_found_by_its_label(tmp_path: Path, labels: dict[int, str], number: int) -> None:
    assert header_chip(chips(tmp_path, labels), label_of) == number


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ({}, "this machine has no GPIO lines"),
        ({0: "other", 2: "gone"}, r"gpiochip0: other, gpiochip2: No such device; looked for pinctrl-rp1"),
        ({0: "locked"}, "add the user to the group gpio"),
    ],
)
def test_what_was_found_instead_of_the_header(tmp_path: Path, labels: dict[int, str], text: str) -> None:
    with pytest.raises(DeviceError, match=text):
        header_chip(chips(tmp_path, labels), label_of)


def test_a_file_that_is_no_gpiochip_has_no_label(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="Inappropriate ioctl"):
        chip_label(chips(tmp_path, {0: "x"}) / "gpiochip0")


def test_mock_is_made_when_asked_for() -> None:
    factory = make_factory("mock")
    assert isinstance(factory, QuietMockFactory)
    assert line_owner(factory, 17) is None


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(DeviceError, match="no pin factory 'native'; known: lgpio, rpigpio, mock"):
        make_factory("native")


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, class_name: str, error: Exception) -> None:
    """Put a module of gpiozero's in place whose factory fails as the real one would."""

    def fail(*args: object, **kwargs: object) -> None:
        raise error

    module = ModuleType(name)
    setattr(module, class_name, fail)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize(("name", "module"), [("lgpio", "gpiozero.pins.lgpio"), ("rpigpio", "gpiozero.pins.rpigpio")])
def test_a_missing_module_is_told_with_the_remedy_and_nothing_takes_its_place(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DeviceError, match=rf"pin factory {name}: .*install (lgpio|rpi-lgpio|python3-)"):
        make_factory(name, lambda: 0)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PinUnknownPi("unable to locate Pi revision"), "this machine is no Raspberry Pi"),
        (FileNotFoundError(2, "No such file", ".lgd-nfy-3"), "makes a pipe in the working folder"),
        (RuntimeError("can not open gpiochip"), "pin factory lgpio: can not open gpiochip"),
    ],
)
def test_lgpio_that_does_not_work_says_why(monkeypatch: pytest.MonkeyPatch, error: Exception, text: str) -> None:
    stand_in(monkeypatch, "gpiozero.pins.lgpio", "LGPIOFactory", error)
    with pytest.raises(DeviceError, match=text):
        make_factory("lgpio", lambda: 0)


def test_an_lgpio_that_is_too_old_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace(LGPIOFactory=made.append))
    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(tx_pwm=None, gpio_free=None))
    with pytest.raises(DeviceError, match=r"lgpio has no error, .*too old: 0\.2\.2 or newer is needed") as caught:
        make_factory("lgpio", lambda: 0)
    assert "\n" not in str(caught.value)
    assert not made


def test_an_lgpio_that_even_gpiozero_finds_too_old_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    error = AttributeError("module 'lgpio' has no attribute 'SET_BIAS_DISABLE'")
    stand_in(monkeypatch, "gpiozero.pins.lgpio", "LGPIOFactory", error)
    with pytest.raises(DeviceError, match=r"SET_BIAS_DISABLE.*too old"):
        make_factory("lgpio", lambda: 0)


def test_rpi_gpio_on_a_machine_it_does_not_know_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    error = RuntimeError("Cannot determine SOC peripheral base address")
    stand_in(monkeypatch, "gpiozero.pins.rpigpio", "RPiGPIOFactory", error)
    with pytest.raises(DeviceError, match=r"base address; .*set gpio\.pin_factory to lgpio"):
        make_factory("rpigpio")


def test_a_board_without_its_factory_fails_in_one_line(profile: BoardProfile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero.pins.rpigpio", None)
    board = MatrixBoard(profile, pin_factory="rpigpio")
    with pytest.raises(DeviceError) as caught:
        board.open()
    assert "\n" not in str(caught.value)
    board.close()


def test_a_board_by_the_name_of_mock_opens_and_closes_its_own_factory(profile: BoardProfile) -> None:
    board = MatrixBoard(profile, pin_factory="mock", scan_thread=False)
    for _ in range(2):
        board.open()
        assert board.inputs()["socket", "D4"] is False
        board.close()


class BusyError(Exception):
    """As lgpio.error."""


class BusyFactory(QuietMockFactory):
    """Every line is held by the kernel's SPI driver."""

    _handle = 7

    def pin(self, name: object, pin_class: object = None, **kwargs: object) -> object:
        raise BusyError("'GPIO busy'")


def test_a_busy_line_names_who_holds_it(profile: BoardProfile, monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio = SimpleNamespace(error=BusyError, gpio_get_line_info=lambda handle, line: [0, line, 1, "GPIO12", "spi0 CS1"])
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace(LGPIOFactory=BusyFactory))
    board = MatrixBoard(profile, pin_factory=BusyFactory(), scan_thread=False)
    with pytest.raises(DeviceError, match=r"GPIO12, lamps\.turn_red: 'GPIO busy' \(held by spi0 CS1\)"):
        board.open()


class NoSpiFactory(QuietMockFactory):
    """A Pi whose SPI is off."""

    def spi(self, **pins: object) -> object:
        import warnings

        warnings.warn(SPISoftwareFallback("failed to initialize hardware SPI"), stacklevel=1)
        return super().spi(**pins)


def test_spi_that_is_off_is_an_error_and_not_slow_lamps(full_profile: BoardProfile) -> None:
    board = MatrixBoard(full_profile, pin_factory=NoSpiFactory(), scan_thread=False)
    with pytest.raises(DeviceError, match=r"no SPI .*dtparam=spi=on"):
        board.open()
    board.close()


def test_mock_pins_keep_no_history() -> None:
    factory = QuietMockFactory()
    pin = factory.pin(4)
    pin.function = "output"
    held = len(pin.states)
    for _ in range(100):
        pin.state = 1
        pin.state = 0
    assert len(pin.states) == held
