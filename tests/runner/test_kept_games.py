"""The folder of kept games: a kept game is never replaced, wall time decides nothing, and a cut-off one is found."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tamsk_pi.journal import SUFFIX, FileStore, Journal
from tamsk_pi.kept_games import GameBeside, NextGame, create_next, in_order, number_of, set_aside
from tamsk_pi.runner.resume import discard, find_cut_off, finish
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.trace import End, Record, header_line, record_line

SETTINGS = Settings(level=1)
SAME_SECOND = "2026-01-31T20:15:00"
MOVE: list[Record] = [Edge(1_000, "socket", "D1", False), Edge(1_400, "socket", "D2", True)]
WAITED: list[Record] = [*MOVE, Edge(2_500, "button", "arbiter", False)]
RESIGNED: list[Record] = [Edge(500, "button", "red", True), Edge(9_000, "button", "arbiter", False)]


def text(*records: Record) -> str:
    return header_line(SETTINGS) + "".join(record_line(record, SETTINGS) for record in records)


def keep(folder: Path, *records: Record, label: str = SAME_SECOND) -> Path:
    """A game as a journal leaves it."""
    found: list[Path] = []
    journal = Journal(lambda: NextGame(folder, label, found.append))
    journal.write(text(*records), urgent=True)
    journal.close(20)
    [path] = found
    return path


def test_two_starts_in_one_second_leave_two_games(tmp_path: Path) -> None:
    """A Pi without a clock chip starts at the same second, and with the same process number, after every cut."""
    paths = [keep(tmp_path, *WAITED, End(3_000)), keep(tmp_path), keep(tmp_path, *MOVE)]
    assert len({path.name for path in paths}) == 3
    assert paths[0].read_text() == text(*WAITED, End(3_000))
    assert in_order(tmp_path) == paths


def test_clocks_that_go_back_change_no_order(tmp_path: Path) -> None:
    labels = ("2038-01-19T03:14:07", "1970-01-01T00:00:03", "2026-01-31T20:15:00")
    paths = [keep(tmp_path, label=label) for label in labels]
    for age, path in enumerate(paths):
        os.utime(path, ns=(10**18 - age, 10**18 - age))
    assert in_order(tmp_path) == paths
    assert [number_of(path.name) for path in paths] == [1, 2, 3]


def test_many_at_once_replace_none(tmp_path: Path) -> None:
    made: list[Path] = []

    def make(of: int) -> None:
        for number in range(10):
            path, file = create_next(tmp_path, SAME_SECOND, f"{of}/{number}\n".encode())
            os.close(file)
            made.append(path)

    threads = [threading.Thread(target=make, args=(of,)) for of in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len({*made}) == len(list(tmp_path.iterdir())) == 40
    assert len({path.read_text() for path in made}) == 40


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / f"one{SUFFIX}"
    path.write_text("kept\n")
    with pytest.raises(FileExistsError):
        FileStore(path).append(b"another\n")
    beside: list[Path] = []
    store = GameBeside(path, beside.append)
    store.append(b"another\n")
    store.close()
    assert path.read_text() == "kept\n"
    assert [p.name for p in beside] == [f"one-2{SUFFIX}"]


def test_where_there_are_no_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stick with FAT."""

    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    assert keep(tmp_path, *MOVE).read_text() == text(*MOVE)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_game_that_was_cut_off_is_found_whatever_came_after_it(tmp_path: Path) -> None:
    cut = keep(tmp_path, *WAITED)
    keep(tmp_path, *WAITED, End(3_000))
    never_begun = Settings(level=1, occupied=("A1",))
    (tmp_path / f"000009{SUFFIX}").write_text(header_line(never_begun))
    later_by_name = tmp_path / f"9999-12-31T23-59-59-1-1{SUFFIX}"
    later_by_name.write_text(text(*WAITED, End(3_000)))
    (tmp_path / f"000010{SUFFIX}").write_text("no trace\n")
    found = find_cut_off(tmp_path)
    assert found is not None
    assert found.path == cut


def test_of_two_the_newer_is_offered_first_and_then_the_older(tmp_path: Path) -> None:
    older, newer = keep(tmp_path, *WAITED), keep(tmp_path, *MOVE)
    for path in (newer, older):
        found = find_cut_off(tmp_path)
        assert found is not None
        assert found.path == path
        discard(found)
    assert find_cut_off(tmp_path) is None
    assert len(list(tmp_path.glob("*.discarded.jsonl"))) == 2
    assert number_of(keep(tmp_path).name) == 3, "the number of one that was set aside is not given again"


def test_what_was_set_aside_is_not_replaced_either(tmp_path: Path) -> None:
    for number in range(2):
        path = tmp_path / f"one{SUFFIX}"
        path.write_text(f"{number}\n")
        set_aside(path)
    assert {path.read_text() for path in tmp_path.iterdir()} == {"0\n", "1\n"}


def test_a_game_that_was_over_lacks_only_its_end(tmp_path: Path) -> None:
    path = keep(tmp_path, *RESIGNED)
    found = find_cut_off(tmp_path)
    assert found is not None
    assert found.is_over
    finish(found)
    assert path.read_text().endswith('"end": true}\n')
    assert find_cut_off(tmp_path) is None


def test_one_that_is_being_written_to_is_not_cut_off(tmp_path: Path) -> None:
    store = NextGame(tmp_path, SAME_SECOND)
    store.append(text(*WAITED).encode())
    assert find_cut_off(tmp_path) is None
    store.close()
    assert find_cut_off(tmp_path) is not None


@pytest.mark.parametrize("cut", [0, 1])
def test_going_on_with_a_last_line_without_its_newline_breaks_nothing(tmp_path: Path, cut: int) -> None:
    """The header's too, which was excused once, so that the next record destroyed the file."""
    records = [MOVE[:0], WAITED][cut]
    path = tmp_path / f"000001{SUFFIX}"
    path.write_text(text(*records).rstrip("\n"))
    found = find_cut_off(tmp_path)
    assert found is not None
    store = found.store()
    store.append(record_line(End(9_000), SETTINGS).encode())
    store.close()
    assert path.read_text() == text(*records, End(9_000))


def test_the_last_line_can_be_taken_back(tmp_path: Path) -> None:
    found: list[Path] = []
    journal = Journal(lambda: NextGame(tmp_path, "", found.append))
    journal.write("header\n")
    journal.write("end\n", urgent=True)
    assert journal.wait(journal.mark(), 20)
    journal.take_back("end\n")
    journal.write("more\n")
    journal.write("end\n")
    journal.take_back("end\n")
    journal.write("last\n", urgent=True)
    journal.close(20)
    assert found[0].read_text() == "header\nmore\nlast\n"
