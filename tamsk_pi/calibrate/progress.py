"""How far a calibration has come, in a small file, so that it can be broken off and taken up again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import attrs
import cattrs

from tamsk_pi.calibrate.files import replace_file
from tamsk_pi.calibrate.sockets import Result
from tamsk_pi.rules.board import GLASSES, SOCKETS, TIMER

_FORMAT: Final = "tamsk-calibration"
_VERSION: Final = 1
_LARGEST_BYTES: Final = 1_000_000

T = TypeVar("T")


class ProgressError(Exception):
    """The file is there and cannot be used, or cannot be written; one line that says so."""


def calibration_folder(environment: Mapping[str, str]) -> Path | None:
    """Where the progress is kept: the service's state folder, else the user's data folder; None without a home."""
    state = environment.get("STATE_DIRECTORY", "").split(":")[0]
    if state:
        return Path(state)
    data, home = environment.get("XDG_DATA_HOME") or "", environment.get("HOME") or ""
    if Path(data).is_absolute():
        return Path(data) / "tamsk-pi"
    return Path(home) / ".local" / "share" / "tamsk-pi" if home else None


@attrs.frozen
class SocketProgress:
    """What answered at each socket so far. `sensor`: `reed` or `hall`."""

    sensor: str = ""
    results: Mapping[str, Result] = attrs.field(factory=dict)


@attrs.frozen
class GlassProgress:
    """The runs timed so far, in ms, per glass and end up."""

    runs: Mapping[str, Mapping[str, tuple[int, ...]]] = attrs.field(factory=dict)


def _check_sockets(progress: SocketProgress) -> None:
    if unknown := [name for name in progress.results if name not in SOCKETS]:
        raise ValueError(f"no socket {unknown[0]}")


def _check_glasses(progress: GlassProgress) -> None:
    for glass, ends in progress.runs.items():
        if glass not in (*GLASSES, TIMER) or not set(ends) <= {"a", "b"}:
            raise ValueError(f"no glass {glass} with ends {', '.join(ends)}")


class ProgressFile(Generic[T]):
    """The progress of one kind on one board. `path`: None where nothing can be kept; then nothing is."""

    def __init__(self, path: Path | None, board: str, empty: T, check: Callable[[T], None]) -> None:
        self.path: Final = path
        self._board: Final = board
        self._empty: Final = empty
        self._check: Final = check
        self._converter: Final = cattrs.Converter(forbid_extra_keys=True)

    def read(self) -> T:
        """What was kept for this board; the empty progress where there is none, or that of another board."""
        if self.path is None or not self.path.exists():
            return self._empty
        try:
            with self.path.open("rb") as file:
                raw = json.loads(file.read(_LARGEST_BYTES))
            if not isinstance(raw, dict) or raw.get("format") != _FORMAT or raw.get("version") != _VERSION:
                raise ValueError("no calibration of this version")
            if raw.get("board") != self._board:
                return self._empty
            if not isinstance(raw.get("progress"), dict):
                raise ValueError("no progress")
            found = self._converter.structure(raw["progress"], type(self._empty))
            self._check(found)
        except (OSError, ValueError, cattrs.BaseValidationError, RecursionError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no calibration's"
            raise ProgressError(f"{self.path}: {why}; --restart begins anew and replaces it") from None
        return found

    def write(self, progress: T) -> None:
        """Keep this. `ProgressError` where it cannot be."""
        if self.path is None:
            return
        plain: dict[str, Any] = {"format": _FORMAT, "version": _VERSION, "board": self._board}
        plain["progress"] = self._converter.unstructure(progress)
        try:
            replace_file(self.path, f"{json.dumps(plain, indent=1)}\n")
        except OSError as error:
            raise ProgressError(f"{self.path}: {error.strerror or error}; how far it has come is not kept") from None

    def forget(self) -> None:
        """The calibration is done: nothing is left to be taken up."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def socket_progress(folder: Path | None, board: str) -> ProgressFile[SocketProgress]:
    """Where the calibration of the sockets stands."""
    path = None if folder is None else folder / "calibration-sockets.json"
    return ProgressFile(path, board, SocketProgress(), _check_sockets)


def glass_progress(folder: Path | None, board: str) -> ProgressFile[GlassProgress]:
    """Where the calibration of the glasses stands."""
    path = None if folder is None else folder / "calibration-glasses.json"
    return ProgressFile(path, board, GlassProgress(), _check_glasses)
