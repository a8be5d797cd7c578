"""The caps' receiver on the Pi's own bus: an nRF24L01+ on spidev, its IRQ line stamped by the kernel.

`NrfReceiver` speaks to the chip and does no waiting; `CapReceiver` owns the bus, the line and a thread. CE is tied to
3.3 V:
the chip listens whenever it is powered up.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any, Final

import attrs

from firmware_bridge.caps import PACKET_BYTES, RATE_ONE, CapsDecoder, Told
from firmware_bridge.inputs import TRAVELLING
from firmware_bridge.protocol import CapHealth
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.chips import header_chip
from tamsk_pi.devices.gpio.factories import gpio_errors

CHANNEL: Final = 76
ADDRESS: Final = bytes((0xC0, *b"TTTT"))
"""Of the first pipe; the others count up its first byte, which goes over the bus first."""

CONFIG, EN_AA, EN_RXADDR, RF_CH, RF_SETUP, STATUS, RX_ADDR_P0, RX_PW_P0 = 0x00, 0x01, 0x02, 0x05, 0x06, 0x07, 0x0A, 0x11
READ_PAYLOAD, FLUSH_RX, NOP, WRITE = 0x61, 0xE2, 0xFF, 0x20
LISTENING: Final = 0x0F
"""CONFIG: powered up, receiving, a CRC of two bytes."""
STANDBY: Final = 0x0D
RX_DR: Final = 0x40
_ALL: Final = 0x3F
_ONE_MBIT_0_DBM: Final = 0x06
_CALLS: Final = 0x70
_NO_PIPE: Final = 7
_AT_ONCE: Final = 4

BUS_HZ: Final = 4_000_000
LOOK_S: Final = 1.0
JOIN_S: Final = 3.0

Transfer = Callable[[Sequence[int]], Sequence[int]]
"""Puts bytes on the bus and gives back those that came meanwhile."""

_log = logging.getLogger(__name__)


class NrfReceiver:
    """The chip, by its registers (nRF24L01+ Product Specification v1.0)."""

    def __init__(self, transfer: Transfer) -> None:
        self._transfer: Final = transfer

    def listen(self) -> None:
        """Set it up to hear six caps."""
        self._set(CONFIG, STANDBY)
        self._set(EN_AA, _ALL)
        self._set(EN_RXADDR, _ALL)
        self._set(RF_CH, CHANNEL)
        self._set(RF_SETUP, _ONE_MBIT_0_DBM)
        for pipe in range(len(TRAVELLING)):
            first = (ADDRESS[0] + pipe,)
            # Pipes 2 to 5 share the rest of pipe 1's address.
            self._set(RX_ADDR_P0 + pipe, *first, *(ADDRESS[1:] if pipe < 2 else ()))
            self._set(RX_PW_P0 + pipe, PACKET_BYTES)
        self._transfer((FLUSH_RX,))
        self._set(STATUS, _CALLS)
        self._set(CONFIG, LISTENING)

    def is_listening(self) -> bool:
        """Whether it is there and still what it was set up to be: one that lost its supply has forgotten."""
        return self._get(CONFIG) == LISTENING and self._get(RF_CH) == CHANNEL

    def take(self) -> Iterator[tuple[int, bytes]]:
        """What has come: pipe and payload. The call is answered first, so that one that comes meanwhile calls again."""
        self._set(STATUS, RX_DR)
        for _ in range(_AT_ONCE):
            pipe = self._transfer((NOP,))[0] >> 1 & 7
            if pipe == _NO_PIPE:
                return
            yield pipe, bytes(self._transfer((READ_PAYLOAD, *(NOP,) * PACKET_BYTES))[1:])

    def _set(self, register: int, *values: int) -> None:
        self._transfer((WRITE | register, *values))

    def _get(self, register: int) -> int:
        return self._transfer((register, NOP))[1]


class Line:
    """The IRQ line, whose falling edges the kernel stamps with its monotonic clock."""

    def __init__(self, line: int) -> None:
        gpiod = _module("gpiod")
        try:
            self._request = gpiod.request_lines(
                f"/dev/gpiochip{header_chip()}",
                consumer="tamsk-pi caps",
                config={
                    line: gpiod.LineSettings(
                        edge_detection=gpiod.line.Edge.FALLING,
                        bias=gpiod.line.Bias.PULL_UP,
                        event_clock=gpiod.line.Clock.MONOTONIC,
                    )
                },
            )
        except (OSError, ValueError) as error:
            raise DeviceError(
                f"caps: GPIO{line}, the radio's IRQ: {error}; is another program or overlay using it?"
            ) from error

    def wait(self, longest_s: float) -> int | None:
        """When the radio last called, in µs of the host's monotonic clock; None if it did not."""
        if not self._request.wait_edge_events(timedelta(seconds=longest_s)):
            return None
        events = self._request.read_edge_events()
        return int(events[-1].timestamp_ns) // 1000 if events else None

    def close(self) -> None:
        self._request.release()


class Bus:
    """The chip's bus, by the kernel's spidev."""

    def __init__(self, device: str) -> None:
        spidev = _module("spidev")
        self._spi = spidev.SpiDev()
        try:
            self._spi.open_path(device)
            self._spi.max_speed_hz = BUS_HZ
            self._spi.mode = 0
        except OSError as error:
            remedy = "add dtoverlay=spi0-2cs,cs1_pin=2 to config.txt, and the user to the group spi"
            raise DeviceError(f"caps: {device}: {error.strerror or error}; {remedy}") from error

    def transfer(self, data: Sequence[int]) -> Sequence[int]:
        came: Sequence[int] = self._spi.xfer2(list(data))
        return came

    def close(self) -> None:
        self._spi.close()


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise DeviceError(f"caps: {error}; install it with pip: tamsk-pi[pi], or tamsk-pi[pi5] on a Pi 5") from error


Listener = Callable[[str, Told], None]
"""Takes news of a glass's cap, in the receiver's thread; times are µs of the host's monotonic clock, 32 bits of
them."""


@attrs.define
class CapReceiver:
    """The radio, its thread, and what it has heard. `open_bus` and `open_line` are for tests.

    `on_news` is called for every piece of news, `on_look` about once a second; both in the receiver's thread.
    """

    device: str
    irq_line: int
    open_bus: Callable[[str], Any] = Bus
    open_line: Callable[[int], Any] = Line
    rates: Sequence[tuple[int, float]] = ()
    """Id and clock rate of each cap, as it was paired."""
    now_us: Callable[[], int] = lambda: time.monotonic_ns() // 1000
    decoder: CapsDecoder = attrs.field(factory=CapsDecoder, init=False)
    restarts: int = attrs.field(default=0, init=False)
    answers: bool = attrs.field(default=False, init=False)
    failure: str | None = attrs.field(default=None, init=False)
    _bus: Any = attrs.field(default=None, init=False)
    _line: Any = attrs.field(default=None, init=False)
    _chip: NrfReceiver | None = attrs.field(default=None, init=False)
    _thread: threading.Thread | None = attrs.field(default=None, init=False)
    _stopping: threading.Event = attrs.field(factory=threading.Event, init=False)

    def open(self, on_news: Listener, on_look: Callable[[], None]) -> None:
        """Begin to listen. `DeviceError` where there is no bus, no line, or nothing that answers."""
        self._bus = self.open_bus(self.device)
        try:
            self._line = self.open_line(self.irq_line)
            self._chip = NrfReceiver(self._bus.transfer)
            self._chip.listen()
            self.answers = self._chip.is_listening()
            if not self.answers:
                raise DeviceError(f"caps: no nRF24L01+ answers on {self.device} (check its wires and its 3.3 V)")
        except BaseException:
            self._release()
            raise
        self.decoder = CapsDecoder()
        for cap, (cap_id, rate) in zip(self.decoder.caps, self.rates, strict=False):
            cap.expect(cap_id, round((rate - 1) * RATE_ONE))
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, args=(on_news, on_look), name="cap-radio", daemon=True)
        self._thread.start()

    def health(self) -> list[CapHealth]:
        """Every cap, in the order of `TRAVELLING`."""
        now_us = self.now_us()
        return [cap.health(now_us & 0xFFFFFFFF) for cap in self.decoder.caps]

    def close(self) -> None:
        """Give bus and line back. Safe to call twice."""
        self._stopping.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(JOIN_S)
        self._thread = None
        self._release()

    def _release(self) -> None:
        for part in (self._line, self._bus):
            if part is not None:
                with contextlib.suppress(OSError):
                    part.close()
        self._bus = self._line = self._chip = None

    def _run(self, on_news: Listener, on_look: Callable[[], None]) -> None:
        look_us = self.now_us()
        try:
            while not self._stopping.is_set():
                called_us = self._line.wait(LOOK_S / 4)
                if called_us is not None:
                    self._take(called_us, on_news)
                if self.now_us() - look_us >= LOOK_S * 1e6:
                    look_us = self.now_us()
                    self._look(on_news)
                    on_look()
        except gpio_errors() as error:
            self.failure, self.answers = f"the caps' radio can no longer be read: {error}", False
            _log.error("%s", self.failure)

    def _take(self, called_us: int, on_news: Listener) -> None:
        assert self._chip is not None
        for n, (pipe, data) in enumerate(self._chip.take()):
            for told in self.decoder.packet(pipe, data, called_us if n == 0 else self.now_us()):
                on_news(TRAVELLING[pipe], told)

    def _look(self, on_news: Listener) -> None:
        assert self._chip is not None
        if self._chip.is_listening():
            self.answers = True
            # A call that was missed keeps the line low for ever: what waits is taken.
            self._take(self.now_us(), on_news)
            return
        self.restarts += 1
        self._chip.listen()
        self.answers = self._chip.is_listening()
