"""The virtual boards to play on: a matrix on mock pins, by any profile, or a bridge on its firmware."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from tamsk_pi.config.load import BRIDGE
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.profile import load_profile
from tamsk_pi.rules.board import START
from tamsk_pi.sensing.settings import Settings

if TYPE_CHECKING:
    from firmware_bridge.bench import FirmwareBench
    from firmware_bridge.inputs import Build, TiltSensor
    from tamsk_pi.app.auto import MakeRig
    from tamsk_pi.clock import Clock
    from tamsk_pi.sim.rig import Rig, Table


def fitted_settings(board: str, settings: Settings, *, auto: bool) -> Settings:
    """The settings with `tilt` as this board has it; `ConfigError` where a game with them cannot be played on it.

    Rings told straight (`stack`) need no sensor of a matrix's profile. `auto`: the game is to play by itself.
    """
    if board == BRIDGE:
        return settings
    profile = load_profile(board)
    ways = ("stack", *profile.sensors.rings)
    problems = []
    if settings.rings not in ways:
        problems.append(
            Problem("", "rings", f'board "{profile.name}" allows {" or ".join(ways)}, not {settings.rings}')
        )
    if settings.setup == "corners" and not set(START.values()) <= set(profile.matrix.sockets):
        problems.append(Problem("", "setup", f'board "{profile.name}" has no corners: only free placement is possible'))
    if auto and len(profile.matrix.sockets) < 37:
        text = f'"{profile.name}" has {len(profile.matrix.sockets)} sockets: a game plays by itself on all 37 only'
        problems.append(Problem("", "board", text))
    if problems:
        raise ConfigError(problems)
    return attrs.evolve(settings, tilt=profile.sensors.tilt)


def rig_maker(board: str, *, diodes: bool, say: Callable[[str], None], caps: bool = False) -> MakeRig:
    """What makes the virtual board: `bridge`, or a matrix by its profile's name or path. `say` is told, in one line,
    when the firmware itself cannot be run here. `caps`: the glasses have radio caps, which only a bridge hears here."""
    if board == BRIDGE:
        return _bridge_maker(say, "caps" if caps else "wired")
    from tamsk_pi.sim.rig import SimulatedBoard

    profile = load_profile(board)

    def make(clock: Clock, seed: int | str, table: Table) -> Rig:
        return SimulatedBoard(profile, clock, seed, table, diodes=diodes)

    return make


def _bridge_maker(say: Callable[[str], None], tilts: TiltSensor) -> MakeRig:
    from firmware_bridge.build import BuildError, missing_for_simavr
    from firmware_bridge.model_bench import ModelBench
    from firmware_bridge.simavr.bench import SimavrBench
    from tamsk_pi.devices.base import DeviceError
    from tamsk_pi.sim.bridge import SimulatedBridge

    missing = missing_for_simavr()
    if missing:
        say(f"{missing}: a model of the firmware runs in its place.")

    def make_bench(build: Build) -> FirmwareBench:
        if missing:
            return ModelBench(build)
        try:
            return SimavrBench(build)
        except BuildError as error:
            raise DeviceError(str(error)) from None

    def make(clock: Clock, seed: int | str, table: Table) -> Rig:
        return SimulatedBridge(make_bench, clock, seed, table, tilts)

    return make
