"""`tamsk-pi firmware`: build the bridge's firmware, flash it onto a Mega, ask a board for its version."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware_bridge.ask import NoAnswer, ask
from firmware_bridge.build import BuildError, Firmware, build_firmware, firmware_version, protocol_version
from firmware_bridge.find import candidates
from firmware_bridge.inputs import ALL_BUILDS, RING_SENSORS, SOCKET_SENSORS, Build
from firmware_bridge.line import BAUDS
from tamsk_pi.config.load import load_settings
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.signals.language import N_, say_for
from tamsk_pi.terminal import complain

FAILED = 1
BAD_CONFIG = 2
AVRDUDE_BAUD = "115200"


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
            "--baud", type=click.Choice([str(baud) for baud in BAUDS]),
            help="Rate of the serial line; else bridge.baud, as configured.",
        ),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


@command.command()
@_build_options
@click.option("--all", "every", is_flag=True, help="Every build at this rate.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the .elf and .hex; default: the cache.",
)
def build(sockets: Any, rings: Any, baud: str | None, every: bool, output: Path | None) -> None:
    """Compile the firmware with avr-gcc and print how much of a Mega it takes."""
    _, rate = _line(None, baud)
    for wanted in ALL_BUILDS if every else (Build(sockets, rings),):
        firmware = _built(wanted, rate, output)
        click.echo(firmware.size_line())
        click.echo(f"  {firmware.hex}")


@command.command()
@_build_options
@click.option("--port", help="The Mega's port, or auto; else bridge.port, as configured.")
@click.option(
    "--hex", "hex_file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Flash this file instead."
)
def flash(sockets: Any, rings: Any, baud: str | None, port: str | None, hex_file: Path | None) -> None:
    """Compile the firmware and write it onto a Mega with avrdude. The board's program must not be running."""
    avrdude = shutil.which("avrdude")
    if avrdude is None:
        raise _failure(N_("avrdude is not installed (Debian: apt-get install avrdude)"))
    asked, rate = _line(port, baud)
    found = candidates(asked)
    if not found:
        raise _failure(N_("no port with a USB serial chip of a Mega is there (name one with --port)"))
    if not Path(found[0]).exists():
        raise _failure(N_("{port}: there is no such port"), port=found[0])
    image = hex_file or _built(Build(sockets, rings), rate, None).hex
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


def _built(build: Build, baud: int, output: Path | None) -> Firmware:
    try:
        return build_firmware(build, baud, output)
    except BuildError as error:
        raise _failure("{error}", error=error) from None


def _failure(text: str, **blanks: object) -> SystemExit:
    complain(say_for(os.environ)(text).format_map(blanks))
    return SystemExit(FAILED)
