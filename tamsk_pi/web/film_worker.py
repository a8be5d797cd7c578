"""Makes the film of a trace in a process of its own: `python -m tamsk_pi.web.film_worker < TRACE > FILM`.

So that whatever a trace asks for, no live game waits for it: the process is of the lowest rank, and ends by itself when
it takes too long or too much memory. A last line that was cut short is dropped, as everywhere.

Source of the bounds: the service's unit, `MemoryMax` and `SystemCallFilter`; a process that the kernel has to kill for
want of memory would be a risk to the game beside it.
"""

from __future__ import annotations

import os
import resource
import sys
from contextlib import suppress
from typing import Final

from tamsk_pi.trace import TraceError
from tamsk_pi.web.film import FilmError, film_of, pack

CPU_S: Final = 30
MEMORY_BYTES: Final = 256_000_000
"""Of address space. With what the referee itself takes it stays below `MemoryMax` of the unit."""
NICENESS: Final = 15
NOT_A_TRACE: Final = 2
NO_MEMORY: Final = 3


def main() -> int:
    """Read standard input, write standard output.

    Status 2, with one line on standard error: no film of that. Status 3: it takes more memory than is allowed.
    """
    with suppress(PermissionError):
        # Where a stricter unit or container forbids it, the film is made at the rank of the game.
        os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        packed = pack(film_of(sys.stdin.buffer.read(), drop_torn_end=True))
    except (TraceError, FilmError) as error:
        sys.stderr.write(f"{error}\n")
        return NOT_A_TRACE
    except MemoryError:
        return NO_MEMORY
    sys.stdout.buffer.write(packed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
