"""Games that were cut off: found again by their journals, replayed, and gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import attrs

from tamsk_pi.devices.base import Device
from tamsk_pi.explain.chronicle import Chronicle
from tamsk_pi.journal import SUFFIX, FileStore, Journal
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.desk import Desk, Keeper
from tamsk_pi.session import Session
from tamsk_pi.trace import TraceError, TraceReader

SECOND_CHARS: Final = len("2026-01-31T20-15-00")
"""How much of a journal's name tells when its game was begun."""

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@attrs.frozen
class CutOff:
    """A game whose journal has no end."""

    path: Path
    whole_bytes: int
    """How much of the journal is whole lines; what follows was cut short."""
    torn: bool
    session: Session
    rulings: list[Ruling]
    chronicle: Chronicle
    """The session's witness."""


def this_boot() -> str:
    """Names this run of the machine; empty where the system does not tell."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return ""


def find_cut_off(folder: Path) -> CutOff | None:
    """The newest game in `folder` if it had begun and its journal has no end. `TraceError` if it can't be read."""
    newest = max(folder.glob(f"*{SUFFIX}"), key=_begun, default=None)
    if newest is None:
        return None
    with open(newest, "rb") as stream:
        reader = TraceReader(stream, drop_torn_end=True)
        chronicle = Chronicle(reader.settings)
        session = Session(reader.settings, chronicle)
        rulings = list(session.advance(0))
        for record in reader:
            rulings += session.take(record)
    if session.ended or session.snapshot().phase == "setting_up":
        return None
    return CutOff(newest, reader.whole_bytes, reader.torn, session, rulings, chronicle)


def _begun(path: Path) -> tuple[str, int]:
    """In which order games were begun: by the second that their names tell, then by when they were last written to."""
    return path.name[:SECOND_CHARS], path.stat().st_mtime_ns


def discard(cut_off: CutOff) -> None:
    """Set a cut-off game aside, so that it is not offered again; its journal is kept under another name."""
    cut_off.path.rename(cut_off.path.with_name(cut_off.path.name.removesuffix(SUFFIX) + ".discarded.jsonl"))


def go_on(cut_off: CutOff, device: Device, now_ms: int, boot: str, *, keeper: Keeper | None = None) -> tuple[Desk, int]:
    """A desk that goes on with the game, and the host's time at which its clock stood at 0.

    `keeper` gets what follows; without one it is added to the journal itself.

    In the same run of the machine the monotonic clock tells how long the cut lasted. After another start nobody
    knows: the game's clock goes on from where it stopped, and the players are asked for the sand.
    """
    settings = cut_off.session.settings
    gap_known = bool(boot) and settings.boot == boot and settings.origin_ms <= now_ms
    origin_ms = settings.origin_ms if gap_known else now_ms - cut_off.session.now_ms - 1
    keeper = keeper or Journal(lambda: FileStore(cut_off.path, size=cut_off.whole_bytes))
    desk = Desk.resume(
        cut_off.session,
        cut_off.rulings,
        device,
        keeper,
        origin_ms,
        gap_known=gap_known,
        chronicle=cut_off.chronicle,
    )
    return desk, origin_ms


__all__ = ["CutOff", "TraceError", "discard", "find_cut_off", "go_on", "this_boot"]
