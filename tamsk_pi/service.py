"""Telling systemd how the service is doing: readiness, a line of status, and the watchdog's sign of life.

Source: sd_notify(3), "The protocol": datagrams of `KEY=VALUE` lines to the socket that `$NOTIFY_SOCKET` names. Outside
systemd there is no such socket, and nothing here does anything.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping
from typing import Final

from tamsk_pi.clock import Clock, MonotonicClock

_PINGS_AN_INTERVAL: Final = 4
_log = logging.getLogger(__name__)


def notify_sender(address: str) -> Callable[[str], None]:
    """A sender to a notify socket (a path, or a name in the abstract namespace after an `@`). It never blocks."""
    target = "\0" + address[1:] if address.startswith("@") else address

    def send(text: str) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            channel.setblocking(False)
            channel.sendto(text.encode(), target)

    return send


class Notifier:
    """Tells systemd. `send` takes the text of one datagram; `watchdog_us` is 0 where there is no watchdog.

    A sign of life that a side thread sends while the game's loop is stuck is worse than none: only the loop calls this.
    """

    def __init__(self, send: Callable[[str], None] | None, watchdog_us: int, clock: Clock) -> None:
        self._send: Final = send
        self._every_ms: Final = watchdog_us // 1000 // _PINGS_AN_INTERVAL
        self._watched: Final = watchdog_us > 0
        self._clock: Final = clock
        self._pinged_ms: int | None = None
        self._status = ""
        self._failed = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, clock: Clock | None = None) -> Notifier:
        """The notifier for this process, as systemd set up its environment (None: the process's own)."""
        given = os.environ if environment is None else environment
        address = given.get("NOTIFY_SOCKET", "")
        send = notify_sender(address) if address else None
        watchdog_us = given.get("WATCHDOG_USEC", "")
        meant = given.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
        return cls(send, int(watchdog_us) if meant and watchdog_us.isdecimal() else 0, clock or MonotonicClock())

    def ready(self, status: str = "") -> None:
        """The service has started: the loop is about to go round for the first time."""
        self._tell("READY=1", status)

    def alive(self) -> None:
        """A whole round is done: the inputs are freshly read, the referee fed, everything written and shown.

        To be called after every such round; a sign of life goes out four times in the watchdog's interval at most.
        """
        self._ping("")

    def looking(self, status: str) -> None:
        """A whole round is done though no board is open: it is being looked for, and a restart would not find it.

        `status` says what is looked for. Not for a board that is open and cannot be read.
        """
        self._ping(status)

    def status(self, text: str) -> None:
        """One line for `systemctl status`; sent when it differs from the last."""
        if text != self._status:
            self._tell("", text)

    def stopping(self) -> None:
        """The service is about to end of its own will."""
        self._tell("STOPPING=1", "")

    def _ping(self, status: str) -> None:
        if status:
            self.status(status)
        if not self._watched:
            return
        now_ms = self._clock.now_ms()
        if self._pinged_ms is None or now_ms - self._pinged_ms >= self._every_ms:
            self._pinged_ms = now_ms
            self._tell("WATCHDOG=1", "")

    def _tell(self, state: str, status: str) -> None:
        lines = [state] if state else []
        if status:
            self._status = status
            lines.append("STATUS=" + " ".join(status.split()))
        if self._send is None:
            return
        try:
            self._send("\n".join(lines))
            self._failed = False
        except OSError as error:
            # Nothing to do about it here: without a sign of life systemd starts the service anew.
            if not self._failed:
                _log.warning("systemd could not be told %s: %s", ", ".join(lines), error)
            self._failed = True
