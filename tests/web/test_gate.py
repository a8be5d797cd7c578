"""Connections that say nothing: how many of them there may be, and for how long."""

from __future__ import annotations

import logging
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from tamsk_pi.clock import VirtualClock
from tamsk_pi.web.gate import HEAD_S, Gate, GatedSocket, most_connections
from tamsk_pi.web.quiet_log import AGAIN_AFTER_MS, OncePerMinute

DESCRIPTORS = 128
PATIENCE_S = 120


def knock(gate: Gate, address: str, count: int) -> int:
    """How many of these connections are let in."""
    return sum(gate.enter(address) for _ in range(count))


def test_one_address_cannot_have_all_connections() -> None:
    gate = Gate(most=100, most_per_address=30)
    assert knock(gate, "192.168.1.66", 1_100) == 30
    assert knock(gate, "192.168.1.7", 10) == 10


def test_all_together_have_no_more_than_there_are_descriptors_for() -> None:
    gate = Gate(most=100, most_per_address=30)
    assert sum(knock(gate, f"192.168.1.{number}", 20) for number in range(20)) == 100
    assert knock(Gate(most=100, most_per_address=30), "127.0.0.1", 1_100) == 100


def test_who_leaves_makes_room_once() -> None:
    gate = Gate(most=100, most_per_address=2)
    listening = GatedSocket(gate, socket.AF_INET, socket.SOCK_STREAM, 0)
    with listening, socket.socket() as visitor:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        visitor.connect(listening.getsockname())
        assert knock(gate, "127.0.0.1", 99) == 99
        connection, _ = listening.accept()
        assert not gate.enter("127.0.0.1")
        connection.close()
        connection.close()
        assert knock(gate, "127.0.0.1", 5) == 1


def test_who_is_turned_away_holds_no_descriptor() -> None:
    listening = GatedSocket(Gate(most=0), socket.AF_INET, socket.SOCK_STREAM, 0)
    with listening, socket.socket() as visitor:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.setblocking(False)
        visitor.connect(listening.getsockname())
        before = set(os.listdir("/proc/self/fd"))
        with pytest.raises(BlockingIOError):
            listening.accept()
        assert set(os.listdir("/proc/self/fd")) == before
        visitor.settimeout(PATIENCE_S)
        assert visitor.recv(1) == b""


def test_the_limit_leaves_descriptors_for_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    for soft, most in ((1024, 480), (256, 96), (20, 8), (resource.RLIM_INFINITY, 32_736)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, soft=soft: (soft, soft))
        assert most_connections() == most


@contextmanager
def simulator(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A game on a virtual board in a process that may open few files; it and its page's port."""

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))

    command = [sys.executable, "-m", "tamsk_pi", "simulate", "--no-browser", "--port", "0", "--out", str(folder)]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=few_files)
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield process, int(line.partition("127.0.0.1:")[2].partition("/")[0])
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE_S)


@pytest.mark.timeout(400)
def test_a_stranger_who_opens_all_connections_stops_neither_game_nor_page(tmp_path: Path) -> None:
    with simulator(tmp_path) as (process, port), ExitStack() as stack:
        strangers: list[socket.socket] = []
        for _ in range(1_100):
            stranger = stack.enter_context(socket.socket())
            stranger.settimeout(PATIENCE_S)
            stranger.connect(("127.0.0.1", port))
            with_head_begun = len(strangers) % 2
            strangers.append(stranger)
            if with_head_begun:
                try:
                    stranger.send(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ")
                except OSError:
                    continue  # it was not let in
        fewest = len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
        assert fewest < DESCRIPTORS - 16
        # Who says nothing, or begins and does not end, is cut off; then the page can be had again.
        end_s = time.monotonic() + HEAD_S + PATIENCE_S
        while True:
            try:
                with urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE_S) as page:
                    assert page.status == 200
                break
            except OSError:
                assert time.monotonic() < end_s
                time.sleep(0.2)
        assert process.poll() is None
    (kept,) = tmp_path.glob("*.jsonl")
    assert kept.stat().st_size > 0
    log = (tmp_path / "log").read_text()
    assert "Too many open files" not in log
    assert len(log) < 2_000


def test_the_same_complaint_is_written_once_a_minute() -> None:
    clock = VirtualClock()
    once = OncePerMinute(clock)

    def complain(text: str) -> str | None:
        record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, text, (), None)
        return record.getMessage() if once.filter(record) else None

    assert complain("Invalid HTTP request received.") == "Invalid HTTP request received."
    assert [complain("Invalid HTTP request received.") for _ in range(1_000)] == [None] * 1_000
    assert complain("Unsupported upgrade request.") == "Unsupported upgrade request."
    clock.go_to(AGAIN_AFTER_MS)
    assert complain("Invalid HTTP request received.") == (
        "Invalid HTTP request received. (1000 more like it were left out)"
    )
