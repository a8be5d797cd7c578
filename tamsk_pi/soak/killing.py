"""A program killed while it writes its journal, and started again on what is left of it."""

from __future__ import annotations

import random
from pathlib import Path

import attrs

from tamsk_pi.devices.base import Device
from tamsk_pi.journal import SUFFIX
from tamsk_pi.runner.desk import Desk
from tamsk_pi.runner.resume import find_cut_off, go_on
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.soak.kept import KeptJournal
from tamsk_pi.trace import record_line


@attrs.frozen
class Resumed:
    """A game that goes on after a kill."""

    desk: Desk
    journal: KeptJournal
    problem: str | None
    """How it differs from the game that was cut off."""


def resume(
    desk: Desk, journal: KeptJournal, device: Device, folder: Path, now_ms: int, rng: random.Random, boot: str | None
) -> Resumed:
    """Kill the program at a random byte of what it is writing, and start it again with what the disk has.

    Everything it had ruled must be ruled again from what is left. `boot` None: the machine was off, and its clock
    begins anew; the game's goes on from where it stopped.
    """
    being_written = record_line(Edge(now_ms, "button", "arbiter", False), desk.session.settings).encode()
    path = folder / f"killed{SUFFIX}"
    data = journal.cut(rng, being_written)
    path.write_bytes(data)
    cut_off = find_cut_off(folder)
    if cut_off is None:
        raise RuntimeError(f"no game is found in {path}, which holds {len(data)} bytes")
    problem = None
    if cut_off.rulings != desk.rulings:
        differing = set(map(str, cut_off.rulings)) ^ set(map(str, desk.rulings))
        problem = f"{len(cut_off.rulings)} rulings of {len(desk.rulings)} came back: {sorted(differing)[:3]}"
    kept = KeptJournal()
    kept.pass_time(now_ms)
    kept.write(data[: cut_off.whole_bytes].decode() + ("\n" if cut_off.lacks_newline else ""), urgent=True)
    # So that the game's clock and the board's stay one: the board's was off for no time.
    went_on_ms = now_ms if boot else cut_off.session.now_ms + 1
    resumed, origin_ms = go_on(cut_off, device, went_on_ms, boot or "", keeper=kept)
    if origin_ms != desk.origin_ms:
        problem = f"the game's clock stood at 0 at {origin_ms} ms instead of {desk.origin_ms}"
    return Resumed(resumed, kept, problem)
