"""Programs that a test starts: none outlives it."""

from __future__ import annotations

import subprocess
from types import TracebackType
from typing import AnyStr


class Program(subprocess.Popen[AnyStr]):
    """A process for a `with`. Popen's own waits for its end: for ever, where a check failed before it was asked to.

    Left by an exception, a failed check or the limit of the test's time above all, it is killed.
    """

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self.kill()
        try:
            super().__exit__(kind, value, traceback)
        except BaseException:
            self.kill()
            raise
