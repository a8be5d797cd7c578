"""The header: chip, permissions, pin factory, lines and who holds them, SPI and I2C."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tamsk_pi.config.profile import BoardProfile
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.chips import header_chip
from tamsk_pi.doctor.finding import Finding, note, ok, stops
from tamsk_pi.doctor.machine import Machine
from tamsk_pi.doctor.processes import line_holders

_JOIN: Final = "sudo usermod -aG {group} $USER, then log in anew"


def lines_of(profile: BoardProfile) -> dict[int, str]:
    """Every line the driver claims, with its key in the profile. The SPI's own lines are the kernel's."""
    lines = {line: f"matrix.rows.{name}" for name, line in profile.matrix.rows.items()}
    lines |= {line: f"matrix.columns.{name}" for name, line in profile.matrix.columns.items()}
    lamps = profile.lamps
    lines |= {getattr(lamps, name): f"lamps.{name}" for name in ("turn_red", "turn_black", "alarm", "ready")}
    if profile.buzzer is not None:
        lines[profile.buzzer.line] = "buzzer.line"
    return lines


def check_header(machine: Machine, profile: BoardProfile, factory: str) -> Iterator[Finding]:
    """Everything between the program and the board's contacts."""
    chip: Path | None = None
    try:
        number = header_chip(machine.root / "dev", machine.label_of)
    except DeviceError as error:
        text, _, remedy = str(error).partition(": add")
        yield stops("chip", text, f"add{remedy}" if remedy else "plug the board into a Pi's 40-pin header")
    else:
        chip = machine.root / "dev" / f"gpiochip{number}"
        yield ok("chip", f"the header is {chip.name}, {machine.label_of(chip)}")
    if chip is not None:
        yield from check_factory(machine, factory)
        yield from check_lines(machine, profile, chip)
    yield from check_spi(machine, profile)
    yield from check_i2c(machine)


def check_factory(machine: Machine, factory: str) -> Iterator[Finding]:
    """Whether the pin factory can be had."""
    try:
        machine.try_factory(factory)
    except DeviceError as error:
        text, _, remedy = str(error).partition("; ")
        yield stops("factory", text, remedy or "see what is said of model and chip")
    else:
        yield ok("factory", f"{factory} works")


def check_groups(machine: Machine, wanted: tuple[str, ...]) -> Iterator[Finding]:
    """Whether the user is in the groups that own the devices."""
    if machine.user_id == 0:
        yield ok("groups", "root may open everything; run this as the referee's user to see what that one may")
        return
    groups = machine.groups()
    missing = [group for group in wanted if group not in groups]
    for group in missing:
        yield note("groups", f"the user is not in the group {group}", _JOIN.format(group=group))
    if not missing:
        yield ok("groups", f"in {', '.join(wanted)}")


def check_lines(machine: Machine, profile: BoardProfile, chip: Path) -> Iterator[Finding]:
    """Lines that somebody else holds, each with its owner."""
    holders = line_holders(machine.root / "proc")
    lines = lines_of(profile)
    held = 0
    for line, key in sorted(lines.items()):
        try:
            user = machine.line_user(chip, line)
        except OSError as error:
            yield stops("lines", f"GPIO{line} ({key}): {error.strerror}", f"check {key}: {chip.name} has no such line")
            held += 1
            continue
        if user is not None:
            held += 1
            yield stops(
                "lines", f"GPIO{line} ({key}) is held by {_owner(user, holders.get(line))}", _line_remedy(user, key)
            )
    if not held:
        yield ok("lines", f"all {len(lines)} lines of the board are free")


def _owner(user: str, process: str | None) -> str:
    return f"{user} ({process})" if process else user


def _line_remedy(user: str, key: str) -> str:
    if user.startswith("spi"):
        return "dtoverlay=spi0-1cs in /boot/firmware/config.txt, then restart the Pi"
    if user == "lg":
        return "a program is using it: if it is the referee itself, sudo systemctl stop tamsk-pi; else end that one"
    return f"take the overlay or program that uses it away, or set {key} to another line"


def check_spi(machine: Machine, profile: BoardProfile) -> Iterator[Finding]:
    """SPI, which the socket lamps need."""
    device = machine.root / "dev" / "spidev0.0"
    if profile.socket_lamps is None:
        yield ok("spi", "not needed: the board has no socket lamps")
    elif not device.exists():
        yield stops(
            "spi",
            "off (no /dev/spidev0.0), and the board has socket lamps",
            "dtparam=spi=on and dtoverlay=spi0-1cs in /boot/firmware/config.txt, or take [socket_lamps] out",
        )
    elif not machine.may(device, os.R_OK | os.W_OK):
        yield stops("spi", "no permission to open /dev/spidev0.0", _JOIN.format(group="spi"))
    else:
        yield ok("spi", "on")


def check_i2c(machine: Machine) -> Iterator[Finding]:
    """I2C, which nothing but a clock chip needs."""
    if (machine.root / "dev" / "i2c-1").exists():
        yield ok("i2c", "on")
    else:
        yield note("i2c", "off (no /dev/i2c-1); only a clock chip needs it", "dtparam=i2c_arm=on, if one is fitted")
