"""How far a calibration has come: kept, read again, and refused in one line where it cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamsk_pi.calibrate.progress import (
    GlassProgress,
    ProgressError,
    SocketProgress,
    calibration_folder,
    glass_progress,
    socket_progress,
)
from tamsk_pi.calibrate.sockets import Placement, Result

SOCKETS = SocketProgress(
    "hall", {"D4": Result(Placement(("D4", "D5"), "N", 2), Placement((), None, 0)), "A1": Result(stuck=True)}
)


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    socket_progress(tmp_path, "matrix").write(SOCKETS)
    assert socket_progress(tmp_path, "matrix").read() == SOCKETS
    runs = GlassProgress({"R1": {"a": (178_200,), "b": ()}})
    glass_progress(tmp_path, "matrix").write(runs)
    assert glass_progress(tmp_path, "matrix").read() == runs
    assert sorted(path.name for path in tmp_path.iterdir()) == ["calibration-glasses.json", "calibration-sockets.json"]


def test_another_boards_progress_is_none_of_this_one(tmp_path: Path) -> None:
    socket_progress(tmp_path, "matrix").write(SOCKETS)
    assert socket_progress(tmp_path, "starter").read() == SocketProgress()


def test_what_is_forgotten_is_gone_and_may_be_forgotten_twice(tmp_path: Path) -> None:
    kept = socket_progress(tmp_path, "matrix")
    kept.write(SOCKETS)
    kept.forget()
    kept.forget()
    assert kept.read() == SocketProgress()


@pytest.mark.parametrize(
    "change",
    [
        "not JSON",
        [],
        {"format": "other"},
        {"version": 2},
        {"progress": {"sensor": "reed", "results": {"Z9": {}}}},
        {"progress": {"sensor": "reed", "results": {"D4": {"a": {"answered": "D4", "field": "X"}}}}},
        {"progress": {"more": 1}},
        {"progress": None},
    ],
    ids=str,
)
def test_a_file_that_is_none_is_told_in_one_line_with_the_remedy(tmp_path: Path, change: object) -> None:
    kept = socket_progress(tmp_path, "matrix")
    kept.write(SOCKETS)
    assert kept.path is not None
    whole = json.loads(kept.path.read_text(encoding="utf-8"))
    text = change if isinstance(change, str) else json.dumps(whole | change if isinstance(change, dict) else change)
    kept.path.write_text(text, encoding="utf-8")
    with pytest.raises(ProgressError, match="--restart") as told:
        kept.read()
    assert "\n" not in str(told.value)


def test_a_folder_that_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ProgressError, match="is not kept"):
        socket_progress(tmp_path / "file", "matrix").write(SOCKETS)


def test_without_a_folder_nothing_is_kept_and_nothing_fails() -> None:
    kept = socket_progress(None, "matrix")
    kept.write(SOCKETS)
    assert kept.read() == SocketProgress()


def test_it_is_kept_where_the_service_or_the_user_keeps_things() -> None:
    assert calibration_folder({"STATE_DIRECTORY": "/var/lib/tamsk-pi", "HOME": "/h"}) == Path("/var/lib/tamsk-pi")
    assert calibration_folder({"XDG_DATA_HOME": "/d", "HOME": "/h"}) == Path("/d/tamsk-pi")
    assert calibration_folder({"HOME": "/h"}) == Path("/h/.local/share/tamsk-pi")
    assert calibration_folder({}) is None
