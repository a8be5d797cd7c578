"""The virtual boards that `simulate` can play on: a matrix on mock pins, or a bridge on its firmware."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from firmware_bridge.bench import FirmwareBench
    from firmware_bridge.inputs import Build
    from tamsk_pi.clock import Clock
    from tamsk_pi.runner.auto import MakeRig
    from tamsk_pi.sim.rig import Rig, Table

VirtualKind = Literal["matrix", "bridge"]
KINDS: Final[tuple[VirtualKind, ...]] = ("matrix", "bridge")


def rig_maker(kind: VirtualKind, *, diodes: bool, say: Callable[[str], None]) -> MakeRig:
    """What makes the virtual board. `say` is told, in one line, when the firmware itself cannot be run here."""
    if kind == "bridge":
        return _bridge_maker(say)
    from tamsk_pi.config.profile import load_profile
    from tamsk_pi.sim.rig import SimulatedBoard

    profile = load_profile("matrix")

    def make(clock: Clock, seed: int | str, table: Table) -> Rig:
        return SimulatedBoard(profile, clock, seed, table, diodes=diodes)

    return make


def _bridge_maker(say: Callable[[str], None]) -> MakeRig:
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
        return SimulatedBridge(make_bench, clock, seed, table)

    return make
