"""Makes the film of a trace in a process of its own: `python -m tamsk_pi.web.film_worker < TRACE > FILM`.

So that whatever a trace asks for, no live game waits for it: the process is of the lowest rank, and ends by itself when
it takes too long or too much memory. A last line that was cut short is dropped, as everywhere.
"""

from __future__ import annotations

import os
import resource
import sys
from typing import Final

from tamsk_pi.trace import TraceError
from tamsk_pi.web.film import FilmError, film_of, pack

CPU_S: Final = 30
MEMORY_BYTES: Final = 1_000_000_000
NICENESS: Final = 15
NOT_A_TRACE: Final = 2


def main() -> int:
    """Read standard input, write standard output. Status 2, with one line on standard error: no film of that."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        film = film_of(sys.stdin.buffer.read(), drop_torn_end=True)
    except (TraceError, FilmError) as error:
        sys.stderr.write(f"{error}\n")
        return NOT_A_TRACE
    sys.stdout.buffer.write(pack(film))
    return 0


if __name__ == "__main__":
    sys.exit(main())
