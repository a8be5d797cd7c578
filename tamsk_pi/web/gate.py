"""How many connections there may be, of one address and in all, and how long one may take to say what it wants.

A connection holds a descriptor from the moment it is accepted, long before it is known what it wants; whoever opens
many and says nothing would leave none for the page, and none for the game's own files. So they are counted here, and
cut off here.
"""

from __future__ import annotations

import asyncio
import os
import resource
import socket
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from tamsk_pi.web.access import is_loopback

CONNECTIONS_PER_ADDRESS: Final = 150
"""From one other machine; a room behind one router included."""
RESERVED_DESCRIPTORS: Final = 64
"""What the game needs beside the page: the journal, the pins, the bridge, standard streams, the process for films."""
DESCRIPTORS_PER_CONNECTION: Final = 2
"""Its socket, and the file that is sent over it."""
FEWEST_CONNECTIONS: Final = 8
TURNED_AWAY_AT_ONCE: Final = 100
HEAD_S: Final = 10.0
"""Within this time a request's head must have come, counted from its first byte, or from the connection's beginning."""


def most_connections() -> int:
    """How many connections the process's limit on descriptors allows, with what the game needs left over."""
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if descriptors == resource.RLIM_INFINITY:
        descriptors = 65_536
    return max(FEWEST_CONNECTIONS, (descriptors - RESERVED_DESCRIPTORS) // DESCRIPTORS_PER_CONNECTION)


class Gate:
    """Counts the connections that are open. Used in the event loop only."""

    def __init__(self, most: int, most_per_address: int = CONNECTIONS_PER_ADDRESS) -> None:
        self._most: Final = most
        self._most_per_address: Final = most_per_address
        self._open: Final[Counter[str]] = Counter()

    def enter(self, address: str) -> bool:
        """Whether one more connection from there may stay; it is counted until it leaves.

        Connections over loopback are bounded in all only: a proxy's are all from there.
        """
        crowded = self._open[address] >= self._most_per_address and not is_loopback(address)
        if crowded or self._open.total() >= self._most:
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """A connection from there is gone."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


class _Connection(socket.socket):
    """A connection that is counted until it is closed."""

    def count(self, gate: Gate, address: str) -> None:
        self._leave: Callable[[], None] | None = lambda: gate.leave(address)

    def close(self) -> None:
        super().close()
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()

    __slots__ = ("_leave",)


class GatedSocket(socket.socket):
    """A listening socket that closes what the gate does not let in at once, before it costs more than a moment.

    The event loop accepts whatever waits before it serves any of it, so nothing later could count in time.
    """

    __slots__ = ("_gate",)

    def __init__(self, gate: Gate, family: int, kind: int, protocol: int) -> None:
        super().__init__(family, kind, protocol)
        self._gate = gate

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection that is let in; `BlockingIOError` where none waits, or many were turned away."""
        for _ in range(TURNED_AWAY_AT_ONCE):
            descriptor, peer = self._accept()  # type: ignore[attr-defined]
            address = str(peer[0])
            if self._gate.enter(address):
                connection = _Connection(self.family, self.type, self.proto, fileno=descriptor)
                connection.count(self._gate, address)
                return connection, peer
            os.close(descriptor)
        raise BlockingIOError


class PatientForAWhile(H11Protocol):
    """HTTP as uvicorn speaks it, with a limit on how long a client may take to say what it wants."""

    head_s = HEAD_S
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lift_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            self._lift_deadline()  # it is a websocket now
        elif self.cycle is not None and not self.cycle.response_complete:
            self._lift_deadline()  # a request is being answered
        elif self._deadline is None:
            self._set_deadline()

    def _set_deadline(self) -> None:
        self._deadline = self.loop.call_later(self.head_s, self.transport.abort)

    def _lift_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
