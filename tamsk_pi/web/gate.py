"""How many connections there may be, of one address and in all, and how long one may take to say what it wants.

A connection holds a descriptor from the moment it is accepted, long before it is known what it wants; whoever opens
many and says nothing would leave none for the page, and none for the game's own files. So they are counted here, and
cut off here.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from typing import Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol

from tamsk_pi.web.access import is_loopback

CONNECTIONS_PER_ADDRESS: Final = 150
"""From one other machine; a room behind one router included."""
RESERVED_DESCRIPTORS: Final = 64
"""What the game needs beside the page: the journal, the pins, the bridge, standard streams, the process for films."""
DESCRIPTORS_PER_CONNECTION: Final = 2
"""Its socket, and the file that is sent over it."""
FEWEST_CONNECTIONS: Final = 8
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
        self._open: dict[asyncio.BaseTransport, str] = {}
        self._addresses: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, connection: asyncio.BaseTransport) -> bool:
        """Whether one more connection may stay; it is counted until it leaves.

        Connections over loopback are bounded in all only: a proxy's are all from there.
        """
        peer = connection.get_extra_info("peername")
        address = peer[0] if isinstance(peer, tuple) else ""
        crowded = self._addresses[address] >= self._most_per_address and not is_loopback(address)
        if crowded or len(self._open) >= self._most:
            return False
        self._open[connection] = address
        self._addresses[address] += 1
        return True

    def leave(self, connection: asyncio.BaseTransport) -> None:
        """A connection is gone; one that was never let in, or has left, changes nothing."""
        address = self._open.pop(connection, None)
        if address is not None:
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]


def gated_protocols(gate: Gate, head_s: float = HEAD_S) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """The classes with which uvicorn speaks HTTP and websockets, behind this gate."""

    class GatedHttp(H11Protocol):
        _let_in = False
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            self._let_in = gate.enter(transport)
            if not self._let_in:
                transport.abort()
                return
            super().connection_made(transport)
            self._set_deadline()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._let_in:
                gate.leave(self.transport)
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
            self._deadline = self.loop.call_later(head_s, self.transport.abort)

        def _lift_deadline(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

    class GatedWebsocket(WSProtocol):
        def connection_lost(self, exc: Exception | None) -> None:
            gate.leave(self.transport)
            super().connection_lost(exc)

    return cast(Any, GatedHttp), cast(Any, GatedWebsocket)
