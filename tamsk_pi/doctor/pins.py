"""The header: chip, permissions, pin factory, lines and who holds them, SPI and I2C."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tamsk_pi.config.profile import BoardProfile
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.chips import header_chip
from tamsk_pi.doctor.finding import AS_TOLD, JOIN, Finding, note, ok, stops
from tamsk_pi.doctor.machine import Machine
from tamsk_pi.doctor.processes import line_holders
from tamsk_pi.signals.language import N_


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
        # What the driver says of permissions has its remedy in it.
        to_do = "add{remedy}" if remedy else N_("plug the board into a Pi's 40-pin header")
        yield stops("chip", AS_TOLD, to_do, told=text, remedy=remedy)
    else:
        chip = machine.root / "dev" / f"gpiochip{number}"
        yield ok("chip", N_("the header is {chip}, {label}"), chip=chip.name, label=machine.label_of(chip))
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
        to_do = "{remedy}" if remedy else N_("see what is said of model and chip")
        yield stops("factory", AS_TOLD, to_do, told=text, remedy=remedy)
    else:
        yield ok("factory", N_("{factory} works"), factory=factory)


def check_groups(machine: Machine, wanted: tuple[str, ...]) -> Iterator[Finding]:
    """Whether the user is in the groups that own the devices."""
    if machine.user_id == 0:
        said = N_("root may open everything; run this as the referee's user to see what that one may")
        yield ok("groups", said)
        return
    groups = machine.groups()
    missing = [group for group in wanted if group not in groups]
    for group in missing:
        yield note("groups", N_("the user is not in the group {group}"), JOIN, group=group)
    if not missing:
        yield ok("groups", N_("in {groups}"), groups=", ".join(wanted))


def check_lines(machine: Machine, profile: BoardProfile, chip: Path) -> Iterator[Finding]:
    """Lines that somebody else holds, each with its owner."""
    holders = line_holders(machine.root / "proc")
    lines = lines_of(profile)
    held = 0
    for line, key in sorted(lines.items()):
        try:
            user = machine.line_user(chip, line)
        except OSError as error:
            yield stops(
                "lines",
                "GPIO{line} ({key}): {error}",
                N_("check {key}: {chip} has no such line"),
                line=line,
                key=key,
                error=error.strerror,
                chip=chip.name,
            )
            held += 1
            continue
        if user is not None:
            held += 1
            yield stops(
                "lines",
                N_("GPIO{line} ({key}) is held by {holder}"),
                _line_remedy(user),
                line=line,
                key=key,
                holder=_owner(user, holders.get(line)),
            )
    if not held:
        yield ok("lines", N_("all {count} lines of the board are free"), count=len(lines))


def _owner(user: str, process: str | None) -> str:
    return f"{user} ({process})" if process else user


def _line_remedy(user: str) -> str:
    if user.startswith("spi"):
        return N_("dtoverlay=spi0-1cs in /boot/firmware/config.txt, then restart the Pi")
    if user == "lg":
        return N_("a program is using it: if it is the referee itself, sudo systemctl stop tamsk-pi; else end that one")
    return N_("take the overlay or program that uses it away, or set {key} to another line")


def check_spi(machine: Machine, profile: BoardProfile) -> Iterator[Finding]:
    """SPI, which the socket lamps need."""
    device = machine.root / "dev" / "spidev0.0"
    if profile.socket_lamps is None:
        yield ok("spi", N_("not needed: the board has no socket lamps"))
    elif not device.exists():
        yield stops(
            "spi",
            N_("off (no /dev/spidev0.0), and the board has socket lamps"),
            N_("dtparam=spi=on and dtoverlay=spi0-1cs in /boot/firmware/config.txt, or take [socket_lamps] out"),
        )
    elif not machine.may(device, os.R_OK | os.W_OK):
        yield stops("spi", N_("no permission to open {path}"), JOIN, path="/dev/spidev0.0", group="spi")
    else:
        yield ok("spi", N_("on"))


def check_i2c(machine: Machine) -> Iterator[Finding]:
    """I2C, which nothing but a clock chip needs."""
    if (machine.root / "dev" / "i2c-1").exists():
        yield ok("i2c", N_("on"))
    else:
        said = N_("off (no /dev/i2c-1); only a clock chip needs it")
        yield note("i2c", said, N_("dtparam=i2c_arm=on, if one is fitted"))
