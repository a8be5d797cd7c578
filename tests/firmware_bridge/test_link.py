"""The link on a real pty: found, shared with nobody, lost in every way, found again."""

from __future__ import annotations

import errno
import os
import queue
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from firmware_bridge import link as link_module
from firmware_bridge.events import Edges, Event, Greeted, Lost, Snapshot
from firmware_bridge.find import candidates
from firmware_bridge.inputs import Build
from firmware_bridge.link import BridgeLink, Looking
from firmware_bridge.model_bench import ModelBench
from tests.firmware_bridge.rig import make_bench

WAIT_S = 20.0


class Inbox:
    """Events as they come, waited for with a limit."""

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.seen: list[Any] = []

    def take(self, event: Event | Looking) -> None:
        self._events.put(event)

    def wait_for(self, kind: type[Any]) -> Any:
        while True:
            event = self._events.get(timeout=WAIT_S)
            self.seen.append(event)
            if isinstance(event, kind):
                return event


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def linked(inbox: Inbox, kind: str) -> Iterator[tuple[BridgeLink, Any]]:
    with make_bench(kind, Build(), speed=1.0) as bench:
        link = BridgeLink(inbox.take, port=str(bench.port))
        link.start()
        yield link, bench
        link.close()


def test_edges_come_through_a_real_pty(linked: tuple[BridgeLink, Any], inbox: Inbox) -> None:
    link, bench = linked
    inbox.wait_for(Snapshot)
    before_us = time.monotonic_ns() // 1000
    bench.set(("socket", "D1"), True)
    [change] = inbox.wait_for(Edges).changes
    assert (change.name, change.value) == (("socket", "D1"), True)
    assert abs(change.t_us - before_us) < 5_000_000, "on the host's monotonic clock"
    hello = link.hello()
    assert hello is not None
    assert hello.build == Build()
    assert link.statistics().edges == 1


def test_an_open_that_resets_the_board_is_no_fault(inbox: Inbox, kind: str) -> None:
    with make_bench(kind, Build(), speed=1.0, reset_on_open=True) as bench:
        link = BridgeLink(inbox.take, port=str(bench.port))
        link.start()
        inbox.wait_for(Snapshot)
        link.close()
    assert [event for event in inbox.seen if isinstance(event, Lost | Looking)] == []


def test_no_second_program_gets_the_port(linked: tuple[BridgeLink, Any], inbox: Inbox) -> None:
    _, bench = linked
    inbox.wait_for(Snapshot)
    second = Inbox()
    other = BridgeLink(second.take, port=str(bench.port))
    other.start()
    assert second.wait_for(Looking).reason.endswith("another program uses it")
    other.close()


def test_a_board_plugged_in_late_is_found(inbox: Inbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "LOOK_EVERY_S", 0.05)
    name = tmp_path / "bridge"
    link = BridgeLink(inbox.take, port=str(name))
    link.start()
    assert inbox.wait_for(Looking).reason == f"{name}: there is no such port"
    with ModelBench(Build(), speed=1.0) as bench:
        name.symlink_to(os.path.realpath(bench.port))
        inbox.wait_for(Snapshot)
        link.close()
    assert [type(event) for event in inbox.seen].count(Looking) == 1, "said once, then quietly looked for"


def test_a_pulled_cable_is_one_event_and_the_next_board_is_met(
    inbox: Inbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(link_module, "LOOK_EVERY_S", 0.05)
    name = tmp_path / "bridge"
    link = BridgeLink(inbox.take, port=str(name))
    for round_ in range(2):
        with make_bench(kind, Build(), speed=1.0) as bench:
            name.symlink_to(os.path.realpath(bench.port))
            if round_ == 0:
                link.start()
            inbox.wait_for(Snapshot)
            inbox.seen.clear()
            name.unlink()
        inbox.wait_for(Lost)
        assert link.alive_us() is None
        inbox.wait_for(Looking)
        assert [type(event) for event in inbox.seen].count(Lost) == 1
    link.close()


@pytest.mark.parametrize(
    "error",
    [
        serial.SerialException("device reports readiness to read but returned no data"),
        OSError(errno.EIO, "Input/output error"),
        termios.error(errno.EIO, "Input/output error"),
    ],
    ids=["SerialException", "OSError", "termios.error"],
)
@pytest.mark.parametrize("call", ["read", "write", "open"])
def test_whatever_the_port_raises_becomes_one_event(
    inbox: Inbox, monkeypatch: pytest.MonkeyPatch, error: Exception, call: str
) -> None:
    monkeypatch.setattr(link_module, "LOOK_EVERY_S", 0.02)
    broken = threading.Event()
    mended = threading.Event()

    def failing(real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            if threading.current_thread().name == "bridge-link" and broken.is_set() and not mended.is_set():
                raise error
            return real(*arguments, **options)

        return wrapped

    if call == "open":
        broken.set()
        monkeypatch.setattr(serial, "Serial", failing(serial.Serial))
    else:
        real_read, real_write = os.read, os.write
        link_os = type(
            "LinkOs", (), {name: getattr(os, name) for name in ("pipe2", "close", "O_NONBLOCK", "O_CLOEXEC")}
        )
        link_os.read = staticmethod(failing(real_read) if call == "read" else real_read)  # type: ignore[attr-defined]
        link_os.write = staticmethod(failing(real_write) if call == "write" else real_write)  # type: ignore[attr-defined]
        monkeypatch.setattr(link_module, "os", link_os)
    with ModelBench(Build(), speed=1.0) as bench:
        link = BridgeLink(inbox.take, port=str(bench.port))
        link.start()
        if call == "open":
            inbox.wait_for(Looking)
        else:
            inbox.wait_for(Snapshot)
            inbox.seen.clear()
            broken.set()
            inbox.wait_for(Lost)
            inbox.wait_for(Looking)
            assert [type(event) for event in inbox.seen].count(Lost) == 1
        mended.set()
        inbox.wait_for(Snapshot)
        link.close()


def test_a_writer_that_stalls_does_not_delay_reading(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    stalled = threading.Event()
    real_write = os.write

    def write(fd: int, data: bytes) -> int:
        if stalled.is_set() and threading.current_thread().name == "bridge-link":
            raise BlockingIOError
        return real_write(fd, data)

    with ModelBench(Build(), speed=1.0) as bench:
        link = BridgeLink(inbox.take, port=str(bench.port))
        link.start()
        inbox.wait_for(Snapshot)
        monkeypatch.setattr(os, "write", write)
        stalled.set()
        link.lamps({"ready": True}, frozenset(), frozenset())
        bench.set(("button", "red"), True)
        assert inbox.wait_for(Edges).changes[0].name == ("button", "red")
        stalled.clear()
        bench.set(("button", "red"), False)
        assert inbox.wait_for(Edges).changes[0].value is False
        link.close()
        assert bench.outputs.lit() >= {"ready"}
    assert [event for event in inbox.seen if isinstance(event, Lost)] == []


def test_each_candidate_is_asked_until_one_is_a_bridge(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "GREETING_US", 100_000)
    master, slave = os.openpty()
    with ModelBench(Build(), speed=1.0) as bench:
        ports = ["/dev/there/is/none", os.ttyname(slave), str(bench.port)]
        link = BridgeLink(inbox.take, find=lambda port: ports)
        link.start()
        assert inbox.wait_for(Greeted).hello.build == Build()
        link.close()
    os.close(master)
    os.close(slave)


def test_close_may_be_called_twice_and_before_any_board_is_found(inbox: Inbox, tmp_path: Path) -> None:
    link = BridgeLink(inbox.take, port=str(tmp_path / "nothing"))
    link.close()
    link.start()
    inbox.wait_for(Looking)
    link.close()
    link.close()
    link.lamps({}, frozenset(), frozenset())


def test_the_udev_name_comes_first_and_is_not_asked_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def port(name: str, vid: int | None) -> ListPortInfo:
        path = tmp_path / name
        path.touch()
        info = ListPortInfo(str(path))
        info.vid = vid
        return info

    ports = [port("ttyS0", None), port("ttyUSB0", 0x1A86), port("ttyACM1", 0x2341), port("ttyACM0", 0x2341)]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)
    named = tmp_path / "tamsk-bridge"
    names = [str(tmp_path / name) for name in ("ttyACM0", "ttyACM1", "ttyUSB0")]
    assert candidates("auto", named) == names
    named.symlink_to(tmp_path / "ttyACM1")
    assert candidates("auto", named) == [str(named), names[0], names[2]]
    assert candidates("/dev/serial/by-path/x", named) == ["/dev/serial/by-path/x"]
