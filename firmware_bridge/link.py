"""Owns the serial port: finds it, reads and writes it, and finds it again. Everything happens in one thread.

pyserial opens and configures; from then on the thread waits on the port's file descriptor and on a wake-up pipe, so
that nothing polls, and writes only what the port takes at once, so that a stalled writer never delays reading.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import secrets
import selectors
import termios
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs
import serial

from firmware_bridge.events import Event, Fault, Greeted, Lost, Refused
from firmware_bridge.find import candidates
from firmware_bridge.host import BridgeHost, Stage, Statistics, new_record
from firmware_bridge.line import BAUD
from firmware_bridge.protocol import BOARD_UNNAMED, Config, Counters, Hello, Type

PORT_ERRORS: Final = (serial.SerialException, OSError, termios.error)
"""Everything that pyserial and the port may raise when a cable is pulled; `termios.error` is neither of the others."""

GREETING_US: Final = 4_000_000
"""A Mega that was reset by opening its port sits in its boot loader for up to two seconds."""
LOOK_EVERY_S: Final = 1.0
READ_BYTES: Final = 4096
BACKLOG_BYTES: Final = 4096
"""More than this is not kept for a port that takes nothing: every frame is repeated or outdated anyway."""
JOIN_S: Final = 5.0
LEAVE_US: Final = 500_000

_log = logging.getLogger(__name__)


@attrs.frozen
class Looking:
    """There is no board; it is looked for. `reason`: what the last attempt met with."""

    reason: str


LinkEvent = Event | Looking


Dump = Callable[[str, Sequence[str]], Path | None]
"""Takes a fault's reason and the frames before it, in words; where it has kept them."""


def no_dump(reason: str, frames: Sequence[str]) -> None:
    """Keeps nothing."""


def monotonic_us() -> int:
    """The host's monotonic clock in µs."""
    return time.monotonic_ns() // 1000


def new_board_id() -> int:
    """A name for a board that has none."""
    return secrets.randbelow(BOARD_UNNAMED)


class _PortLost(Exception):
    """The port cannot be used any longer."""


class BridgeLink:
    """The link to one bridge. `on_event` is called in the link's own thread and must return at once.

    `port`: `auto` or a path. `baud`: the rate the firmware was built for. `dump` keeps the last frames on a fault.
    """

    def __init__(
        self,
        on_event: Callable[[LinkEvent], None],
        port: str = "auto",
        baud: int = BAUD,
        config: Config | None = None,
        find: Callable[[str], Sequence[str]] = candidates,
        dump: Dump = no_dump,
    ) -> None:
        self._on_event = on_event
        self._port = port
        self._baud = baud
        self._config = config or Config()
        self._find = find
        self._dump = dump
        self._record = new_record()
        self._requests: deque[Callable[[BridgeHost], None]] = deque()
        self._host: BridgeHost | None = None
        self._said = ""
        self._alive_us: int | None = None
        self._stopping = threading.Event()
        self._wake_read, self._wake_write = -1, -1
        self._thread: threading.Thread | None = None

    # From any thread.

    def start(self) -> None:
        """Begin to look for the board."""
        if self._thread is not None:
            raise RuntimeError("the link has been started already")
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name="bridge-link", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finish what waits to be sent, for half a second at most, and give the port back. Safe to call twice."""
        if self._thread is None:
            return
        self._stopping.set()
        self._wake()
        self._thread.join(JOIN_S)
        if self._thread.is_alive():
            raise RuntimeError("the bridge's link does not end")
        self._thread = None
        os.close(self._wake_read)
        os.close(self._wake_write)

    def lamps(self, panel: Mapping[str, bool], red: frozenset[str], green: frozenset[str]) -> None:
        """Show lamps, if the board is there."""
        self._request(lambda host: host.lamps(panel, red, green))

    def tones(self, tones: Sequence[tuple[int, int]]) -> None:
        """Play tones (Hz, ms), if the board is there."""
        self._request(lambda host: host.tones(tones))

    def command(self, command: Type, body: bytes = b"") -> None:
        """Any other command, if the board is there; its end comes as an event."""
        self._request(lambda host: host.command(command, body))

    def alive_us(self) -> int | None:
        """Up to when the board has told everything (`BridgeHost.alive_us`); None while it is not there."""
        return self._alive_us

    def hello(self) -> Hello | None:
        """What the board that is there said of itself."""
        return self._host.hello if self._host is not None else None

    def counters(self) -> Counters | None:
        """What the board last told of its own troubles."""
        return self._host.counters if self._host is not None else None

    def statistics(self) -> Statistics:
        """Counts since the port was opened."""
        return self._host.statistics if self._host is not None else Statistics()

    def dump(self) -> list[str]:
        """The last 200 frames both ways, in words."""
        return self._host.dump() if self._host is not None else []

    def _request(self, request: Callable[[BridgeHost], None]) -> None:
        self._requests.append(request)
        self._wake()

    def _wake(self) -> None:
        if self._thread is None:
            return
        with contextlib.suppress(BlockingIOError):  # full: it will wake anyway
            os.write(self._wake_write, b"\0")

    # In the link's thread.

    def _run(self) -> None:
        while not self._stopping.is_set():
            reason = "no port with a USB serial chip of a Mega is there"
            for path in self._find(self._port):
                if self._stopping.is_set():
                    return
                try:
                    self._use(path)
                except _PortLost as error:
                    reason = str(error)
            self._host_gone()
            self._say(Looking(reason), reason)
            self._stopping.wait(LOOK_EVERY_S)

    def _host_gone(self) -> None:
        self._alive_us = None
        self._requests.clear()

    def _say(self, event: LinkEvent, text: str) -> None:
        """Tell what is said once a second only when it is news."""
        if text != self._said:
            self._said = text
            self._on_event(event)

    def _use(self, path: str) -> None:
        try:
            port = serial.Serial(path, self._baud, timeout=0, write_timeout=0, exclusive=True)
        except PORT_ERRORS as error:
            raise _PortLost(_in_words(path, error)) from None
        except ValueError as error:
            raise _PortLost(f"{path}: {error}") from None
        try:
            fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
            host = BridgeHost(self._config, new_board_id, secrets.randbelow(256), self._record)
            self._host = host
            self._requests.clear()
            with selectors.DefaultSelector() as selector:
                _Conversation(self, port.fileno(), path, host, selector).hold()
        except PORT_ERRORS as error:
            self._lose(_in_words(path, error))
            raise _PortLost(_in_words(path, error)) from None
        except _PortLost as error:
            self._lose(str(error))
            raise
        finally:
            with contextlib.suppress(*PORT_ERRORS):
                port.close()

    def _lose(self, reason: str) -> None:
        if self._host is not None and self._host.stage not in (Stage.ASKING, Stage.REFUSED):
            self._host.stage = Stage.ASKING
            self._take(Lost(reason))

    def _take(self, event: Event) -> None:
        if isinstance(event, Greeted):
            self._said = ""
        if isinstance(event, Lost):
            self._alive_us = None
        if isinstance(event, Lost | Fault):
            text = event.reason if isinstance(event, Lost) else event.text
            kept = self._dump(text, self.dump())
            if kept is not None:
                _log.warning("%s. The last frames are in %s", text, kept)
        if isinstance(event, Refused):
            self._say(event, event.reason)
        else:
            self._on_event(event)


class _Conversation:
    """One port while it lasts."""

    def __init__(
        self, link: BridgeLink, fd: int, path: str, host: BridgeHost, selector: selectors.BaseSelector
    ) -> None:
        self._link = link
        self._fd = fd
        self._path = path
        self._host = host
        self._selector = selector
        self._backlog = bytearray()
        self._leave_at_us: int | None = None
        selector.register(fd, selectors.EVENT_READ)
        selector.register(link._wake_read, selectors.EVENT_READ)

    def hold(self) -> None:
        """Talk until the port is lost (raises) or the link is closed."""
        greet_by_us = monotonic_us() + GREETING_US
        while True:
            now_us = monotonic_us()
            self._pass_on(self._host.tick(now_us))
            self._write(self._host.data_to_send(now_us))
            if self._may_leave(now_us):
                return
            if self._host.stage is Stage.REFUSED:
                raise _PortLost(self._link._said)
            if self._host.stage is not Stage.ASKING:
                greet_by_us = now_us + GREETING_US
            elif now_us >= greet_by_us:
                raise _PortLost(f"{self._path}: no bridge answers there")
            self._wait(now_us)
            # Read before looking at deadlines: after a stall of our own the answers may be waiting.
            self._read()

    def _may_leave(self, now_us: int) -> bool:
        if not self._link._stopping.is_set():
            return False
        if self._leave_at_us is None:
            self._leave_at_us = now_us + LEAVE_US
        idle = not self._host.is_busy and not self._backlog
        return self._host.stage is not Stage.RUNNING or idle or now_us >= self._leave_at_us

    def _wait(self, now_us: int) -> None:
        timeout_s = max(self._host.next_deadline_us() - now_us, 0) / 1e6
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._backlog else 0)
        self._selector.modify(self._fd, events)
        for key, _ in self._selector.select(min(timeout_s, 1.0)):
            if key.fd == self._link._wake_read:
                os.read(self._link._wake_read, READ_BYTES)
        while self._link._requests:
            request = self._link._requests.popleft()
            if self._host.stage is Stage.RUNNING:
                request(self._host)

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._fd, READ_BYTES)
            except BlockingIOError:
                return
            if not data:
                # A port set to return at once gives nothing both when it is empty and when it is gone.
                self._check_still_there()
                return
            self._pass_on(self._host.receive(data, monotonic_us()))

    def _check_still_there(self) -> None:
        poller = selectors.PollSelector()
        with poller:
            poller.register(self._fd, selectors.EVENT_READ)
            if poller.select(0):
                try:
                    again = os.read(self._fd, READ_BYTES)
                except BlockingIOError:
                    return
                if not again:
                    raise _PortLost(f"{self._path}: the cable or the board is gone")
                self._pass_on(self._host.receive(again, monotonic_us()))

    def _pass_on(self, events: Sequence[Event]) -> None:
        self._link._alive_us = self._host.alive_us() if self._host.stage is Stage.RUNNING else None
        for event in events:
            self._link._take(event)

    def _write(self, data: bytes) -> None:
        if len(self._backlog) + len(data) <= BACKLOG_BYTES:
            self._backlog += data
        if not self._backlog:
            return
        with contextlib.suppress(BlockingIOError):
            del self._backlog[: os.write(self._fd, self._backlog)]


def _in_words(path: str, error: BaseException) -> str:
    """One line for any of `PORT_ERRORS`, with the remedy where there is one."""
    text = str(error)
    number = getattr(error, "errno", None)
    if number == 13 or "Permission denied" in text:
        return f"{path}: not permitted (put the user into the group dialout)"
    if number == 2 or "No such file" in text:
        return f"{path}: there is no such port"
    if number in (11, 16) or "exclusively lock" in text or "busy" in text:
        return f"{path}: another program uses it"
    if isinstance(error, termios.error) and len(error.args) > 1:
        text = str(error.args[1])
    return f"{path}: {text.splitlines()[0] if text else type(error).__name__}"
