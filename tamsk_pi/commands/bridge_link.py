"""The bridge as the configuration has it: its port, its rate, its load cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from firmware_bridge.dump import FrameDump
from firmware_bridge.inputs import Build
from firmware_bridge.link import no_dump
from firmware_bridge.protocol import Holder
from tamsk_pi.config.settings import Bridge
from tamsk_pi.devices.bridge import OPEN_S, BridgeBoard
from tamsk_pi.devices.load_cell import board_config

FAULTS: Final = "bridge-faults"


def load_cells(bridge: Bridge) -> Mapping[str, Holder]:
    """Each player's load cell, as calibrated."""
    cells = {"red": bridge.load_cell.red, "black": bridge.load_cell.black}
    return {player: Holder(zero=cell.zero, ring=cell.ring) for player, cell in cells.items()}


def bridge_board(
    bridge: Bridge,
    expected: Build | None = None,
    games: Path | None = None,
    *,
    open_s: float = OPEN_S,
    rates: Sequence[tuple[int, float]] = (),
) -> BridgeBoard:
    """The board behind it. `expected`: what its firmware must be built for. `games`: the folder of games, below which
    the last frames before a fault of the link are kept. `open_s`: how long it is waited for. `rates`: of the caps, as
    paired."""
    return BridgeBoard(
        bridge.port,
        baud=bridge.baud,
        config=board_config(load_cells(bridge)),
        expected=expected,
        dump=no_dump if games is None else FrameDump(games / FAULTS),
        open_s=open_s,
        rates=rates,
    )
