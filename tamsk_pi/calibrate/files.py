"""Writing a small file whole: whoever reads it finds the old one or the new one, whenever the power goes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def replace_file(path: Path, text: str) -> None:
    """Write `text` beside `path`, have it on the disk, then put it in its place. `OSError` where that fails.

    A link is followed, and the file's permissions stay as they are.
    """
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            if target.exists():
                os.fchmod(file.fileno(), target.stat().st_mode & 0o777)
            os.fsync(file.fileno())
        os.replace(part, target)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
