"""`tamsk-pi firmware`: build the bridge's firmware or a cap's, flash it, ask a board for its version."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware_bridge.ask import NoAnswer, ask
from firmware_bridge.build import (
    BuildError,
    CapFirmware,
    Firmware,
    build_cap,
    build_firmware,
    cap_eeprom_hex,
    firmware_version,
    protocol_version,
)
from firmware_bridge.find import candidates
from firmware_bridge.inputs import ALL_BUILDS, RING_SENSORS, SOCKET_SENSORS, TILT_SENSORS, TRAVELLING, Build
from firmware_bridge.line import BAUDS
from tamsk_pi.commands.speaking import usage_error
from tamsk_pi.config.load import load_settings
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.signals.language import N_, say_for
from tamsk_pi.terminal import complain

FAILED = 1
BAD_CONFIG = 2
AVRDUDE_BAUD = "115200"
CAP_FUSES = ("lfuse:w:0xe2:m", "hfuse:w:0xd7:m", "efuse:w:0xff:m")
"""8 MHz from the part's own oscillator, undivided; EEPROM kept when it is flashed anew; no brown-out detector, which
would draw
more than the sleeping cap."""
CAP_ISP_SLOW = "8"
"""Microseconds a bit at programming: safe for a part that runs at 1 MHz, as a new one does."""
CAP_ID_UNNAMED = 0xFFFF


@click.group(name="firmware")
def command() -> None:
    """Build the bridge's firmware, flash it, ask a board for its version."""


def _build_options(function: Callable[..., None]) -> Callable[..., None]:
    options = (
        click.option(
            "--sockets", type=click.Choice(SOCKET_SENSORS), default="reed", show_default=True,
            help="Sensor in each socket.",
        ),
        click.option(
            "--rings", type=click.Choice(RING_SENSORS), default="buttons", show_default=True,
            help="How rings are noticed.",
        ),
        click.option(
            "--tilts", type=click.Choice(TILT_SENSORS), default="wired", show_default=True,
            help="How glasses tell of their tilt: by wire, or by caps with a radio.",
        ),
        click.option(
            "--baud", type=click.Choice([str(baud) for baud in BAUDS]),
            help="Rate of the serial line; else bridge.baud, as configured.",
        ),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


@command.command()
@_build_options
@click.option("--all", "every", is_flag=True, help="Every build at this rate, and the caps'.")
@click.option("--cap", is_flag=True, help="The caps' firmware instead, the same for every glass.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the .elf and .hex; default: the cache.",
)
def build(sockets: Any, rings: Any, tilts: Any, baud: str | None, every: bool, cap: bool, output: Path | None) -> None:
    """Compile the firmware with avr-gcc and print how much of a Mega, or of a cap's ATtiny84A, it takes."""
    if cap or every:
        made = _built_cap(output)
        click.echo(made.size_line())
        click.echo(f"  {made.hex}")
    if cap and not every:
        return
    _, rate = _line(None, baud)
    for wanted in ALL_BUILDS if every else (Build(sockets, rings, tilts),):
        firmware = _built(wanted, rate, output)
        click.echo(firmware.size_line())
        click.echo(f"  {firmware.hex}")


@command.command()
@_build_options
@click.option("--port", help="The Mega's port, or auto; else bridge.port, as configured.")
@click.option(
    "--hex", "hex_file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Flash this file instead."
)
@click.option(
    "--cap", "glass", type=click.Choice(TRAVELLING),
    help="Write the cap of this glass instead of a Mega, with a programmer at its pads.",
)  # fmt: skip
@click.option(
    "--programmer", metavar="NAME", default="usbasp", show_default=True,
    help="With --cap: the programmer, as avrdude calls it. It must work at 3.3 V or less.",
)  # fmt: skip
def flash(
    sockets: Any, rings: Any, tilts: Any, baud: str | None, port: str | None, hex_file: Path | None, glass: str | None,
    programmer: str,
) -> None:  # fmt: skip
    """Compile the firmware and write it with avrdude, onto a Mega or a cap. The board's program must not be running."""
    avrdude = shutil.which("avrdude")
    if avrdude is None:
        raise _failure(N_("avrdude is not installed (Debian: apt-get install avrdude)"))
    if glass is not None:
        _flash_cap(avrdude, glass, programmer, port, hex_file)
        return
    if _given("programmer"):
        raise usage_error(N_("--programmer goes with --cap"))
    asked, rate = _line(port, baud)
    found = candidates(asked)
    if not found:
        raise _failure(N_("no port with a USB serial chip of a Mega is there (name one with --port)"))
    if not Path(found[0]).exists():
        raise _failure(N_("{port}: there is no such port"), port=found[0])
    image = hex_file or _built(Build(sockets, rings, tilts), rate, None).hex
    arguments = [
        avrdude, "-p", "atmega2560", "-c", "wiring", "-P", found[0], "-b", AVRDUDE_BAUD, "-D",
        "-U", f"flash:w:{image}:i",
    ]  # fmt: skip
    click.echo(say_for(os.environ)(N_("Writing {image} to {port}")).format(image=image, port=found[0]))
    status = subprocess.run(arguments, check=False).returncode
    if status != 0:
        text = N_("avrdude failed with status {status}; the board may hold no firmware now: try again")
        raise _failure(text, status=status)


@command.command()
@click.option("--port", help="Ask the board on this port, or auto; else only this program's firmware is told.")
@click.option(
    "--baud",
    type=click.Choice([str(baud) for baud in BAUDS]),
    help="The board's rate; else bridge.baud, as configured.",
)
def version(port: str | None, baud: str | None) -> None:
    """Tell the version of this program's firmware, and of a board's."""
    text = say_for(os.environ)(N_("This program's firmware: {version}, protocol {protocol}"))
    click.echo(text.format(version=firmware_version(), protocol=protocol_version()))
    if port is not None:
        click.echo(_told_by(*_line(port, baud)))


def _line(port: str | None, baud: str | None) -> tuple[str, int]:
    """Port and rate: as asked for, else as configured."""
    try:
        bridge = load_settings().settings.bridge
    except ConfigError as error:
        complain(error)
        raise SystemExit(BAD_CONFIG) from None
    return port or bridge.port, bridge.baud if baud is None else int(baud)


def _told_by(port: str, baud: int) -> str:
    try:
        hello = ask(port, baud)
    except NoAnswer as error:
        raise _failure("{error}", error=error) from None
    text = N_(
        "The board's firmware:    {version}, protocol {protocol}, build {build}, board {board},"
        " start {start} ({reason})"
    )
    return say_for(os.environ)(text).format(
        version=hello.firmware_version,
        protocol=f"{hello.protocol_major}.{hello.protocol_minor}",
        build=hello.build.name,
        board=f"{hello.board_id:08x}",
        start=hello.boot_id,
        reason=hello.reset_reason,
    )


def _given(option: str) -> bool:
    source = click.get_current_context().get_parameter_source(option)
    return source is not None and source is not click.core.ParameterSource.DEFAULT


def _flash_cap(avrdude: str, glass: str, programmer: str, port: str | None, hex_file: Path | None) -> None:
    """The caps' firmware, and beside it in the EEPROM which glass it is, with a number that no other cap has."""
    image = hex_file or _built_cap(None).hex
    with tempfile.TemporaryDirectory(prefix="tamsk-cap-") as folder:
        eeprom = Path(folder) / f"{glass}.eep"
        eeprom.write_text(cap_eeprom_hex(glass, secrets.randbelow(CAP_ID_UNNAMED)), encoding="ascii")
        arguments = [avrdude, "-p", "attiny84", "-c", programmer, "-B", CAP_ISP_SLOW, *(("-P", port) if port else ())]
        for fuse in CAP_FUSES:
            arguments += ["-U", fuse]
        arguments += ["-U", f"flash:w:{image}:i", "-U", f"eeprom:w:{eeprom}:i"]
        text = N_("Writing {image} to the cap of {glass}, by {programmer}")
        click.echo(say_for(os.environ)(text).format(image=image, glass=glass, programmer=programmer))
        status = subprocess.run(arguments, check=False).returncode
    if status != 0:
        text = N_("avrdude failed with status {status}; the cap may hold no firmware now: try again")
        raise _failure(text, status=status)


def _built_cap(output: Path | None) -> CapFirmware:
    try:
        return build_cap(output)
    except BuildError as error:
        raise _failure("{error}", error=error) from None


def _built(build: Build, baud: int, output: Path | None) -> Firmware:
    try:
        return build_firmware(build, baud, output)
    except BuildError as error:
        raise _failure("{error}", error=error) from None


def _failure(text: str, **blanks: object) -> SystemExit:
    complain(say_for(os.environ)(text).format_map(blanks))
    return SystemExit(FAILED)
