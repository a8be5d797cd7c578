"""Tells how kept games ended, in a process of its own: paths, one a line, on standard input; JSON, one line each, out.

It judges each trace anew, as whoever shows a live game must not wait for that. Of the lowest rank, with bounds on time
and memory; what it has told by the time it is ended holds.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.session import Session
from tamsk_pi.trace import TraceError, TraceReader

CPU_S: Final = 30
MEMORY_BYTES: Final = 256_000_000
NICENESS: Final = 15


def summary_of(path: Path) -> dict[str, Any]:
    """How a kept game went: names at its end, moves, length in ms, and `winner` and `result` where it is over.

    `problem` alone for a file that cannot be judged.
    """
    try:
        with path.open("rb") as stream:
            reader = TraceReader(stream, drop_torn_end=True)
            session = Session(reader.settings)
            rulings: list[Ruling] = list(session.advance(0))
            for record in reader:
                rulings += session.take(record)
            if not session.ended:
                rulings += session.finish(session.now_ms)
    except (TraceError, OSError) as error:
        return {"problem": str(error)}
    over = next((one for one in reversed(rulings) if one.kind == "game_over"), None)
    is_over = session.snapshot().result is not None
    names = session.snapshot().names
    return {
        "red": names["red"],
        "black": names["black"],
        "moves": sum(one.kind == "move" for one in rulings),
        "length_ms": session.now_ms,
        "winner": over.get("winner") if over is not None and is_over else None,
        "result": over.get("reason") if over is not None and is_over else None,
    }


def main() -> int:
    """Read paths to the end of standard input, and answer each with one line."""
    with suppress(PermissionError):
        # Where a strict unit or container forbids it, it is done at the rank of the game.
        os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    for line in sys.stdin:
        told = summary_of(Path(line.rstrip("\n")))
        sys.stdout.write(json.dumps(told, ensure_ascii=True) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
