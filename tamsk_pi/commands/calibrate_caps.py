"""`tamsk-pi calibrate caps`: which cap is on which glass, and what it is worth."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

import attrs
import click

from firmware_bridge.inputs import TRAVELLING
from tamsk_pi.calibrate.files import replace_file
from tamsk_pi.calibrate.progress import calibration_folder
from tamsk_pi.commands.caps import paired_rates, with_caps
from tamsk_pi.config.load import BRIDGE, load_settings, parse_overrides
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.profile import load_profile
from tamsk_pi.config.settings import Settings
from tamsk_pi.devices.base import Device, DeviceError, Post
from tamsk_pi.devices.cap_pairs import Pair, Pairs, pairs_path, pairs_text
from tamsk_pi.devices.caps import CapState
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.signals.language import N_, Say, catalogue, chosen_language, in_english

FAILED: Final = 1
BAD_CONFIG: Final = 2
TURNING_S: Final = 60.0
"""Time to find a glass and turn it."""
HEALTH_S: Final = 12.0
"""Time for the receiver to tell how the cap is: each five seconds."""
LOOK_S: Final = 0.02
ENOUGH_ANSWERS: Final = 0.5
"""A cap beside the board that has an answer less often sends to a radio that does not answer as it should."""
NEAR_ENOUGH_MV: Final = 2_400


class CapsError(Exception):
    """The caps cannot be paired as they are; one line for the user, in his language."""


@runtime_checkable
class CapDevice(Protocol):
    """A board with caps."""

    def start(self, post: Post) -> None: ...

    def alive_at_ms(self) -> int: ...

    def caps(self) -> Mapping[str, CapState]: ...


@attrs.define
class Turnings:
    """Which glasses a board with caps told to have been turned, and how the caps are."""

    _device: CapDevice
    _came: queue.SimpleQueue[Sequence[Edge]] = attrs.field(factory=queue.SimpleQueue, init=False)

    def begin(self) -> None:
        self._device.start(self._came.put)

    def next(self, within_s: float) -> str | None:
        """The glass whose cap next tells a turning; None if none does."""
        by_s = time.monotonic() + within_s
        while time.monotonic() < by_s:
            self._device.alive_at_ms()  # lets go what has become certain
            try:
                edges = self._came.get(timeout=LOOK_S)
            except queue.Empty:
                continue
            for edge in edges:
                if edge.name in TRAVELLING and (edge.kind == "tilt" or (edge.kind == "cap" and edge.value)):
                    return edge.name
        return None

    def state(self, glass: str) -> CapState | None:
        """How a cap is, as last told."""
        return self._device.caps().get(glass)

    def forget(self) -> None:
        """What was turned before is no answer to the next question."""
        while not self._came.empty():
            self._came.get_nowait()


def pair(turnings: Turnings, tell: Callable[[str], None], say: Say = in_english, turning_s: float = TURNING_S) -> Pairs:
    """Ask for each glass to be turned over, twice; which cap answered. `CapsError` where one cannot be paired."""
    pairs: dict[str, Pair] = {}
    for glass in TRAVELLING:
        turnings.forget()
        for text in (N_("Turn {glass} over."), N_("And back again.")):
            tell(say(text).format(glass=glass))
            _await_turning(turnings, glass, say, turning_s)
        pairs[glass] = _looked_at(turnings, glass, tell, say)
    return pairs


def _await_turning(turnings: Turnings, glass: str, say: Say, turning_s: float) -> None:
    heard = turnings.next(turning_s)
    if heard is None:
        text = N_("{glass}: its cap was not heard; look at its cell, and that it was flashed with --cap {glass}")
        raise CapsError(say(text).format(glass=glass))
    if heard != glass:
        text = N_("that cap says it is {heard}'s: put it on {heard}, or flash it with --cap {glass}")
        raise CapsError(say(text).format(heard=heard, glass=glass))


def _looked_at(turnings: Turnings, glass: str, tell: Callable[[str], None], say: Say) -> Pair:
    """Wait until the receiver has learnt the rate of its clock, then tell how it is."""
    by_s = time.monotonic() + HEALTH_S
    while (state := turnings.state(glass)) is None or not (state.health.rated or time.monotonic() > by_s):
        if time.monotonic() > by_s:
            break
        time.sleep(LOOK_S)
    if state is None:
        raise CapsError(say(N_("{glass}: the receiver tells nothing of its cap")).format(glass=glass))
    health = state.health
    if health.twins:
        text = N_("two caps say that they are {glass}'s: flash one of them with --cap and the glass that it is on")
        raise CapsError(say(text).format(glass=glass))
    answered = health.packets / max(1, health.packets + health.lost)
    text = N_("{glass}: {answers} of its packets answered, cell {cell} V under load, clock {off} %")
    off = f"{100 * (1 / health.rate - 1):+.1f}"
    tell("  " + say(text).format(glass=glass, answers=f"{answered:.0%}", cell=f"{health.cell_mv / 1000:.2f}", off=off))
    if answered < ENOUGH_ANSWERS:
        tell("  " + say(N_("few answers: another make of radio than the receiver's, or a wire too near its aerial")))
    if health.low or 0 < health.cell_mv < NEAR_ENOUGH_MV:
        tell("  " + say(N_("its cell is low: put in a new one")))
    return Pair(health.id, health.rate, health.cell_mv)


def board_of(settings: Settings) -> Device:
    """The board whose caps are paired. `ConfigError` where the configuration has none."""
    if settings.caps == "none":
        text = 'is "none": set it to "bridge" or "pi", whichever hears the caps'
        raise ConfigError([Problem("", "caps", text)])
    if settings.board == BRIDGE:
        from tamsk_pi.commands.bridge_link import bridge_board

        return bridge_board(settings.bridge, rates=paired_rates(settings))
    from tamsk_pi.devices.gpio.board import MatrixBoard

    profile = load_profile(settings.board)
    return with_caps(MatrixBoard(profile, pin_factory=settings.gpio.pin_factory), settings)


@click.command(name="caps")
@click.option("--set", "pairs", metavar="KEY=VALUE", multiple=True, help="Set a value over those of the files.")
def command(pairs: tuple[str, ...]) -> None:
    """Pair the radio caps: turn each glass over as it is asked for, and see what its cap is worth.

    Two caps that say they are of one glass are refused, and one that sits on another glass than it was flashed for.
    Which
    cap is where, and how fast its clock runs, is kept for games. No program may be using the board.
    """
    try:
        settings = load_settings(parse_overrides(pairs)).settings
        device = board_of(settings)
    except ConfigError as error:
        click.echo(f"tamsk-pi: {error}", err=True)
        raise SystemExit(BAD_CONFIG) from None
    say = catalogue(chosen_language(settings.language, os.environ)).gettext
    try:
        device.open()
        if not isinstance(device, CapDevice) or not device.caps():
            raise DeviceError(say(N_("the board tells nothing of caps: flash its firmware with --tilts caps")))
        turnings = Turnings(device)
        device.inputs()
        turnings.begin()
        found = pair(turnings, click.echo, say)
        path = pairs_path(calibration_folder(os.environ))
        if path is not None:
            replace_file(path, pairs_text(found))
            click.echo(say(N_("Kept in {path}")).format(path=path))
    except (CapsError, DeviceError, OSError) as error:
        click.echo(f"tamsk-pi: {error}", err=True)
        raise SystemExit(FAILED) from None
    finally:
        device.close()
