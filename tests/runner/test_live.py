"""A real board's run from its opening to its end: begun, resumed, set aside, waited for, refused."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tamsk_pi.app import live
from tamsk_pi.app.live import FAILED, Run, Stop, run
from tamsk_pi.clock import MonotonicClock
from tamsk_pi.devices.base import DeviceError, LampFrame
from tamsk_pi.ending import ENDINGS, on_ending
from tamsk_pi.journal import SUFFIX
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.service import Notifier
from tamsk_pi.trace import TraceReader, header_line, record_line
from tamsk_pi.web.access import WebSettings
from tests.runner.board import FakeBoard

LEVEL_1 = Settings(level=1)
MOVE = (Edge(1_000, "socket", "D1", False), Edge(1_400, "socket", "D2", True), Edge(1_900, "button", "arbiter", False))


class LivingBoard(FakeBoard):
    """Is always heard, and interrupts the program, as Ctrl-C does, once it has shown its first lamps."""

    def __init__(self, missing: int = 0) -> None:
        super().__init__()
        self.missing = missing
        self.opened = self.closed = 0
        self._clock = MonotonicClock()

    def open(self) -> None:
        self.opened += 1
        if self.opened <= self.missing:
            raise DeviceError("no board: plug it in")

    def show(self, frame: LampFrame) -> None:
        super().show(frame)
        os.kill(os.getpid(), signal.SIGINT)

    def alive_at_ms(self) -> int:
        return self._clock.now_ms()

    def close(self) -> None:
        self.closed += 1


@pytest.fixture(autouse=True)
def signals_are_put_back() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in ENDINGS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def heard() -> list[str]:
    """What systemd is told."""
    return []


@pytest.fixture
def said() -> list[str]:
    """What the user is told."""
    return []


def a_run(folder: Path, heard: list[str], **more: Any) -> Run:
    given: dict[str, Any] = {"mode": "play", "settings": LEVEL_1, "wait": False, "cut_off": "ask", "web": None, **more}
    return Run(folder=folder, notifier=Notifier(heard.append, 0, MonotonicClock()), **given)


def cut_off(folder: Path, records: Sequence[Edge] = MOVE, more: str = "") -> Path:
    path = folder / f"2026-01-31T20-15-00-1-1{SUFFIX}"
    path.write_text(header_line(LEVEL_1) + "".join(record_line(record, LEVEL_1) for record in records) + more)
    return path


def test_a_game_is_begun_and_kept_and_ends_with_a_signal(tmp_path: Path, heard: list[str], said: list[str]) -> None:
    board = LivingBoard()
    run(a_run(tmp_path, heard), board, said.append)
    assert said[0] == "Watching a game at level 1 by the rules of rulebook (Ctrl-C ends)."
    assert any("The game begins" in line for line in said)
    assert (board.opened, board.closed) == (1, 1)
    [journal] = tmp_path.iterdir()
    with journal.open("rb") as stream:
        assert TraceReader(stream).settings.level == 1
    ready = next(at for at, line in enumerate(heard) if line.startswith("READY=1"))
    assert "watching a game at level 1" in "".join(heard[:ready]), "ready before the board is read"
    assert heard[-1].startswith("STOPPING=1")


class SignalledBoard(LivingBoard):
    """The signal comes while the board is being opened, before there is a loop; or once lamps are lit."""

    def __init__(self, number: signal.Signals, *, at_open: bool) -> None:
        super().__init__()
        self._number, self._at_open = number, at_open

    def open(self) -> None:
        super().open()
        if self._at_open:
            os.kill(os.getpid(), self._number)

    def show(self, frame: LampFrame) -> None:
        FakeBoard.show(self, frame)
        if not self._at_open:
            os.kill(os.getpid(), self._number)


@pytest.mark.parametrize("at_open", [True, False])
@pytest.mark.parametrize("number", ENDINGS)
def test_whatever_ends_it_and_however_early_the_board_is_given_back(
    number: signal.Signals, at_open: bool, tmp_path: Path, heard: list[str], said: list[str]
) -> None:
    board = SignalledBoard(number, at_open=at_open)
    run(a_run(tmp_path, heard), board, said.append)
    assert (board.opened, board.closed) == (1, 1)
    assert heard[-1].startswith("STOPPING=1")


def test_a_signal_between_the_opening_and_the_loop_is_not_lost(
    tmp_path: Path, heard: list[str], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody would end the loop any more, and systemd would kill it, lamps lit."""

    def this_boot() -> str:
        os.kill(os.getpid(), signal.SIGTERM)
        return "a boot"

    monkeypatch.setattr(live, "this_boot", this_boot)
    board = SignalledBoard(signal.SIGWINCH, at_open=False)
    run(a_run(tmp_path, heard), board, said.append)
    assert board.closed == 1


def test_what_was_ignored_at_the_start_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under `nohup`."""
    ended: list[bool] = []
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    on_ending(lambda: ended.append(True))
    os.kill(os.getpid(), signal.SIGHUP)
    assert not ended
    os.kill(os.getpid(), signal.SIGTERM)
    assert ended == [True]


def test_a_board_that_is_missing_ends_the_run_in_one_line(tmp_path: Path, heard: list[str], said: list[str]) -> None:
    board = LivingBoard(missing=1)
    with pytest.raises(Stop, match=r"^no board: plug it in$") as caught:
        run(a_run(tmp_path, heard), board, said.append)
    assert (caught.value.status, said) == (FAILED, [])
    assert list(tmp_path.iterdir()) == []


def test_a_board_that_is_missing_is_waited_for(
    tmp_path: Path, heard: list[str], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LOOK_EVERY_S", 0.0)
    board = LivingBoard(missing=3)
    run(a_run(tmp_path, heard, wait=True), board, said.append)
    assert board.opened == 4
    assert said[:2] == [
        "Looking for the board: no board: plug it in",
        "Watching a game at level 1 by the rules of rulebook (Ctrl-C ends).",
    ]
    assert any("looking for the board: no board: plug it in" in line for line in heard)


def test_a_game_that_was_cut_off_goes_on_in_its_own_journal(tmp_path: Path, heard: list[str], said: list[str]) -> None:
    path = cut_off(tmp_path)
    before = path.read_text()
    run(a_run(tmp_path, heard, cut_off="resume"), LivingBoard(), said.append)
    assert said[0] == f"Going on with {path}."
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text().startswith(before)
    assert any(line.endswith("Red moves the middle red hourglass (R2) from D1 to D2.") for line in said)


def test_a_torn_last_line_is_dropped_and_told(tmp_path: Path, heard: list[str], said: list[str]) -> None:
    path = cut_off(tmp_path, more='{"t": 1700, "sock')
    run(a_run(tmp_path, heard, cut_off="resume"), LivingBoard(), said.append)
    assert said[0] == "The last line of the journal was cut short and is dropped."
    with path.open("rb") as stream:
        assert list(TraceReader(stream))[: len(MOVE)] == list(MOVE)


def test_a_game_that_was_cut_off_is_set_aside_and_kept(tmp_path: Path, heard: list[str], said: list[str]) -> None:
    path = cut_off(tmp_path)
    run(a_run(tmp_path, heard, cut_off="discard"), LivingBoard(), said.append)
    names = sorted(found.name for found in tmp_path.iterdir())
    assert path.name not in names
    assert path.name.replace(SUFFIX, ".discarded.jsonl") in names
    assert len(names) == 2
    assert said[0].startswith("Watching a game")


def test_a_game_that_was_cut_off_is_offered_where_nobody_said(
    tmp_path: Path, heard: list[str], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    path = cut_off(tmp_path)
    run(a_run(tmp_path, heard), LivingBoard(), said.append)
    assert said[0] == f"{path} is a game that was cut off."
    assert list(tmp_path.iterdir()) == [path]


def test_a_last_game_that_cannot_be_read_is_left_as_it_is(tmp_path: Path, heard: list[str], said: list[str]) -> None:
    path = tmp_path / f"2026-01-31T20-15-00-1-1{SUFFIX}"
    path.write_text("no trace\n")
    run(a_run(tmp_path, heard), LivingBoard(), said.append)
    assert said[0].startswith(f"The last game in {tmp_path} cannot be read (line 1")
    assert path.read_text() == "no trace\n"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_port_that_is_taken_ends_the_run_in_one_line(tmp_path: Path, heard: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        board = LivingBoard()
        with pytest.raises(Stop, match=str(port)) as caught:
            run(a_run(tmp_path, heard, web=WebSettings(port=port)), board, lambda line: None)
    assert caught.value.status == FAILED
    assert board.closed == 1
