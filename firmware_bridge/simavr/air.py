"""What is between the caps and their receiver in simavr: how bad the air is, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import attrs

from firmware_bridge.inputs import TRAVELLING


@attrs.frozen
class Air:
    """Shares are of 1. Everything random comes from `seed`."""

    loss: float = 0.0
    """Of each packet and of each answer."""
    echo: float = 0.0
    """Packets that are heard once more, up to 60 ms later."""
    jam: float = 0.0
    """The time in which a stranger sends on the channel."""
    clock_off: float = 0.03
    """The caps' clocks are off by up to this."""
    seed: int = 1
    glasses: tuple[str, ...] = TRAVELLING
    """The glass that each cap says it is of: the first six stand on the glasses, another one lies about."""

    def arguments(self, firmware: Path) -> list[str]:
        """For the harness's command line."""
        digits = "".join(str(TRAVELLING.index(glass)) for glass in self.glasses)
        return ["--caps", str(firmware), digits, str(self.clock_off), str(self.seed)]

    def lines(self) -> Iterator[str]:
        """For the harness's standard input."""
        for what in ("loss", "echo", "jam"):
            yield f"AIR - {what} {round(1000 * getattr(self, what))}"


@attrs.frozen
class Packet:
    """A packet that got into the receiver: `t_us` when its last bit had come."""

    t_us: int
    pipe: int
    data: bytes


@attrs.frozen
class Aired:
    """Counts of the air: packets and answers sent, lost at one ear, spoilt by another, heard twice, dropped by the
    radio as
    its like came before, not taken as the radio was full, delivered; and a stranger's bursts."""

    sent: int
    answers: int
    lost: int
    collided: int
    echoed: int
    doubled: int
    refused: int
    delivered: int
    jammed: int


@attrs.frozen
class CapRan:
    """A cap: its clock's error in parts per million, what its radio drew in microcoulombs, how long it was awake, how
    often it
    slept, and how often deeply."""

    clock_off_ppm: int
    radio_uc: int
    awake_ms: int
    sleeps: int
    deep: int
