"""Frames: sound ones arrive however they are cut up, others never."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.framing import (
    FRAME_MAX,
    Decoder,
    Frame,
    FrameError,
    cobs_decode,
    cobs_encode,
    crc16,
    decode,
    encode,
)

frames = st.builds(Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=FRAME_MAX - 4))


def test_the_crc_is_the_one_it_is_said_to_be() -> None:
    assert crc16(b"123456789") == 0x29B1


@given(st.binary(max_size=253))
def test_cobs_has_no_zero_and_comes_back(data: bytes) -> None:
    encoded = cobs_encode(data)
    assert 0 not in encoded
    assert len(encoded) == len(data) + 1
    assert cobs_decode(encoded) == data


@given(st.binary(max_size=300))
def test_decoding_anything_ends_in_a_frame_or_a_frame_error(data: bytes) -> None:
    try:
        frame = decode(data)
    except FrameError:
        return
    assert encode(frame) == data + b"\0"


@given(st.lists(frames, max_size=4), st.data())
def test_frames_arrive_in_any_portions(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(map(encode, sent))
    decoder = Decoder()
    received: list[Frame] = []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        received += decoder.feed(stream[:cut])
        stream = stream[cut:]
    assert received == sent
    assert decoder.bad_frames == 0


def test_a_body_too_long_for_a_frame_is_refused() -> None:
    assert len(encode(Frame(1, 2, bytes(FRAME_MAX - 4)))) == FRAME_MAX + 2
    with pytest.raises(ValueError, match="227 bytes is too long: 226 fit"):
        encode(Frame(1, 2, bytes(FRAME_MAX - 3)))


@pytest.mark.parametrize("body", [b"", b"\x07", bytes(11), bytes(range(60)), bytes(FRAME_MAX - 4)])
def test_no_single_flipped_bit_yields_another_frame(body: bytes) -> None:
    sent = Frame(0x45, 200, body)
    encoded = encode(sent)
    for bit in range(8 * len(encoded)):
        spoilt = bytearray(encoded)
        spoilt[bit // 8] ^= 1 << bit % 8
        assert [frame for frame in Decoder().feed(bytes(spoilt) + b"\0") if frame != sent] == []


def test_what_follows_garbage_is_heard() -> None:
    noise = random.Random(5)
    decoder = Decoder()
    heard = 0
    for n in range(200):
        list(decoder.feed(noise.randbytes(noise.randrange(400)) + b"\0"))
        heard += list(decoder.feed(encode(Frame(1, n, b"x")))) == [Frame(1, n, b"x")]
    assert heard == 200
    assert decoder.bad_frames > 200
    assert decoder.bad_bytes > 20_000


def test_an_endless_frame_takes_no_memory_and_counts_once() -> None:
    decoder = Decoder()
    for _ in range(1000):
        assert list(decoder.feed(b"\x01" * 1000)) == []
    assert list(decoder.feed(b"\0" + encode(Frame(1, 1)))) == [Frame(1, 1)]
    assert (decoder.bad_frames, decoder.bad_bytes) == (1, 1_000_000)
