"""Games that were cut off: found again by their journals, replayed, and gone on with."""

from __future__ import annotations

import fcntl
import os
import re
from pathlib import Path
from typing import BinaryIO, Final

import attrs

from tamsk_pi.devices.base import Device
from tamsk_pi.explain.chronicle import Chronicle
from tamsk_pi.journal import FileStore, Journal
from tamsk_pi.kept_games import in_order, set_aside
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.desk import Desk, Keeper
from tamsk_pi.session import Session
from tamsk_pi.trace import End, TraceError, TraceReader, record_line

_TAIL_BYTES: Final = 512
_END: Final = re.compile(rb'\{"t": [0-9]+, "end": true\}')
"""An end as a journal writes it; any other is found by reading the whole."""

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
    lacks_newline: bool = False
    """The last whole line is one but for its newline."""

    @property
    def is_over(self) -> bool:
        """Whether the cut came after the game's end, so that there is nothing to go on with."""
        return self.session.referee.game.result is not None

    def store(self) -> FileStore:
        """Its journal, to be gone on with."""
        return FileStore(self.path, size=self.whole_bytes, lacks_newline=self.lacks_newline)


def this_boot() -> str:
    """Names this run of the machine; empty where the system does not tell."""
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return ""


def find_cut_off(folder: Path) -> CutOff | None:
    """The newest game in `folder` that had begun and whose journal has no end, whatever games came after it.

    One that another program is keeping now is none. `TraceError` or `OSError` where there is none but one that cannot
    be read.
    """
    unreadable: TraceError | OSError | None = None
    for path in reversed(in_order(folder)):
        try:
            found = _read(path)
        except (TraceError, OSError) as error:
            unreadable = unreadable or error
            continue
        if found is not None:
            return found
    if unreadable is not None:
        raise unreadable
    return None


def _read(path: Path) -> CutOff | None:
    with open(path, "rb") as stream:
        if _ends(stream) or _is_written_to(stream):
            return None
        reader = TraceReader(stream, last_line="whole")
        chronicle = Chronicle(reader.settings)
        session = Session(reader.settings, chronicle)
        rulings = list(session.advance(0))
        for record in reader:
            rulings += session.take(record)
    if session.ended or session.snapshot().phase == "setting_up":
        return None
    return CutOff(path, reader.whole_bytes, reader.torn, session, rulings, chronicle, reader.lacks_newline)


def _ends(stream: BinaryIO) -> bool:
    """Whether the last line is an end, looked for without reading the others; the stream is at its start again."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _TAIL_BYTES))
    lines = stream.read().splitlines()
    stream.seek(0)
    return bool(lines) and _END.fullmatch(lines[-1].strip()) is not None


def _is_written_to(stream: BinaryIO) -> bool:
    try:
        fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        # A file system without locks.
        return False
    fcntl.flock(stream, fcntl.LOCK_UN)
    return False


def discard(cut_off: CutOff) -> None:
    """Set a cut-off game aside, so that it is not offered again; its journal is kept under another name."""
    set_aside(cut_off.path)


def finish(cut_off: CutOff) -> None:
    """Write the end that the journal of a game that is over lacks: a cut came between the two."""
    settings, end = cut_off.session.settings, End(cut_off.session.now_ms)
    store = cut_off.store()
    try:
        store.append(record_line(end, settings).encode())
        store.sync()
    finally:
        store.close()


def go_on(cut_off: CutOff, device: Device, now_ms: int, boot: str, *, keeper: Keeper | None = None) -> tuple[Desk, int]:
    """A desk that goes on with the game, and the host's time at which its clock stood at 0.

    `keeper` gets what follows; without one it is added to the journal itself.

    In the same run of the machine the monotonic clock tells how long the cut lasted. After another start nobody
    knows: the game's clock goes on from where it stopped, and the players are asked for the sand.
    """
    settings = cut_off.session.settings
    gap_known = bool(boot) and settings.boot == boot and settings.origin_ms <= now_ms
    origin_ms = settings.origin_ms if gap_known else now_ms - cut_off.session.now_ms - 1
    keeper = keeper or Journal(cut_off.store)
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


__all__ = ["CutOff", "TraceError", "discard", "find_cut_off", "finish", "go_on", "this_boot"]
