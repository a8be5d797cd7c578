"""Frames on the wire: type, sequence number, body, CRC-16; COBS; a zero byte at the end. No I/O.

Described in PROTOCOL.md, "Frames"; `vectors.txt` holds frames that this module and the firmware's C must agree on.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator
from typing import Final

import attrs

FRAME_MAX: Final = 230
"""Longest frame before COBS, type to CRC: a single COBS block always suffices."""

ENCODED_MAX: Final = FRAME_MAX + 1
CRC_START: Final = 0xFFFF


class FrameError(ValueError):
    """Bytes that are no sound frame; the text says why."""


@attrs.frozen
class Frame:
    """One frame: its type (0-255), its sequence number (0-255), its body."""

    type: int
    seq: int
    body: bytes = b""


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740: polynomial 0x1021, start 0xFFFF, not reflected; 0x29B1 for `123456789`."""
    return binascii.crc_hqx(data, CRC_START)


def cobs_encode(data: bytes) -> bytes:
    """`data` without a zero byte in it. At most 253 bytes, which need one block (`ValueError` beyond)."""
    if len(data) > 253:
        raise ValueError(f"{len(data)} bytes do not fit one block of 253")
    return b"".join(bytes((len(part) + 1,)) + part for part in data.split(b"\0"))


def cobs_decode(data: bytes) -> bytes:
    """The opposite of `cobs_encode`; `FrameError` for bytes it cannot have made."""
    parts: list[bytes] = []
    at = 0
    while at < len(data):
        code = data[at]
        if code == 0:
            raise FrameError("a zero byte inside")
        part = data[at + 1 : at + code]
        if len(part) != code - 1:
            raise FrameError("cut short")
        parts.append(part)
        at += code
    return b"\0".join(parts)


def encode(frame: Frame) -> bytes:
    """A frame as sent, its final zero included. `ValueError` when the body is too long."""
    payload = bytes((frame.type, frame.seq)) + frame.body
    if len(payload) + 2 > FRAME_MAX:
        raise ValueError(f"a body of {len(frame.body)} bytes is too long: {FRAME_MAX - 4} fit")
    return cobs_encode(payload + crc16(payload).to_bytes(2, "little")) + b"\0"


def decode(encoded: bytes) -> Frame:
    """The frame in `encoded`, which has no final zero. `FrameError` when there is none."""
    payload = cobs_decode(encoded)
    if len(payload) < 4:
        raise FrameError("too short")
    if crc16(payload[:-2]) != int.from_bytes(payload[-2:], "little"):
        raise FrameError("CRC does not match")
    return Frame(payload[0], payload[1], payload[2:-2])


class Decoder:
    """Takes bytes as they come, in any portions, and gives the sound frames among them.

    `bad_frames` counts what was no sound frame, `bad_bytes` the bytes in those.
    """

    def __init__(self, longest: int = ENCODED_MAX) -> None:
        self._longest = longest
        self._pending = bytearray()
        self._spoilt = 0
        self.bad_frames = 0
        self.bad_bytes = 0

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that `data` completes. To be exhausted: what is not asked for is not taken in."""
        *ended, rest = data.split(b"\0")
        for part in ended:
            frame = self._end(part)
            if frame is not None:
                yield frame
        self._keep(rest)

    def _keep(self, part: bytes) -> None:
        if self._spoilt or len(self._pending) + len(part) > self._longest:
            self._spoilt += len(self._pending) + len(part)
            self._pending.clear()
        else:
            self._pending += part

    def _end(self, part: bytes) -> Frame | None:
        self._keep(part)
        encoded, spoilt = bytes(self._pending), self._spoilt
        self._pending.clear()
        self._spoilt = 0
        if not encoded and not spoilt:
            return None  # a lone zero only ends what may have been before it
        try:
            if spoilt:
                raise FrameError("too long")
            return decode(encoded)
        except FrameError:
            self.bad_frames += 1
            self.bad_bytes += spoilt or len(encoded)
            return None
