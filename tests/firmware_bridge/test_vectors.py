"""One file of test vectors, run by the firmware's C compiled for the host, by the Python side, and by the model."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import firmware_bridge
from firmware_bridge.bench import Outputs
from firmware_bridge.build import BuildError, build_core_check
from firmware_bridge.framing import Decoder, Frame, FrameError, crc16, decode, encode
from firmware_bridge.inputs import Build
from firmware_bridge.model import FirmwareModel
from firmware_bridge.protocol import Config
from tests.tiers import lacking

VECTORS = Path(firmware_bridge.__file__).parent / "vectors.txt"
NO_WIRE_TIME = 10**12


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return build_core_check(Build(), tmp_path_factory.mktemp("core"))
    except BuildError as error:
        lacking(str(error))


def lines(*words: str) -> Iterator[list[str]]:
    for line in VECTORS.read_text(encoding="ascii").splitlines():
        parts = line.split()
        if parts and parts[0] in words:
            yield parts


def unhex(text: str) -> bytes:
    return b"" if text == "-" else bytes.fromhex(text)


def test_the_firmwares_c_agrees(core: Path) -> None:
    done = subprocess.run([core, VECTORS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert done.stdout.endswith(" 0 wrong\n")


def test_the_check_of_the_c_can_fail(core: Path, tmp_path: Path) -> None:
    text = VECTORS.read_text(encoding="ascii")
    bent = tmp_path / "bent.txt"
    changes = {" 29b1": " 29b2", "reject crc ": "frame x 42 01 07 ", "\ntick 249\n": "\ntick 248\n"}
    for old, new in changes.items():
        assert old in text
        bent.write_text(text.replace(old, new, 1), encoding="ascii")
        done = subprocess.run([core, bent], capture_output=True, text=True, check=False)
        assert done.returncode == 1


def test_python_agrees_about_crcs_and_frames() -> None:
    crcs, frames = list(lines("crc")), list(lines("frame"))
    assert len(crcs) >= 4
    assert len(frames) >= 15
    for _, data, crc in crcs:
        assert crc16(unhex(data)) == int(crc, 16)
    for _, name, kind, seq, body, encoded in frames:
        frame = Frame(int(kind, 16), int(seq, 16), unhex(body))
        assert decode(unhex(encoded)) == frame, name
        assert encode(frame) == unhex(encoded) + b"\0", name


def test_python_rejects_what_c_rejects() -> None:
    rejected = list(lines("reject"))
    assert len(rejected) >= 6
    for _, reason, encoded in rejected:
        if reason == "too-long":  # for a board; a host takes longer frames
            assert list(Decoder(97).feed(unhex(encoded) + b"\0")) == []
            continue
        with pytest.raises(FrameError):
            decode(unhex(encoded))


def test_python_agrees_about_configurations() -> None:
    configurations = list(lines("config"))
    assert len(configurations) >= 12
    for _, body, verdict in configurations:
        if verdict == "bad":
            with pytest.raises(ValueError, match=r"not|above|no room"):
                Config.parse(unhex(body))
        else:
            config = Config.parse(unhex(body))
            assert config.body() == unhex(body)
            assert config.crc() == int(verdict, 16)


def test_the_model_says_what_the_firmware_says() -> None:
    model = FirmwareModel(Build(), Outputs(), NO_WIRE_TIME)
    said = b""
    compared = 0
    for word, *rest in lines(">", "<", "tick", "see"):
        match word:
            case "tick":
                said += b"".join(part.data for part in model.run_to(model.now_us + 1000 * int(rest[0])))
            case "see":
                model.change(int(rest[0]), int(rest[1]), model.now_us)
            case ">":
                model.host_sends(unhex(rest[0]))
                said += b"".join(part.data for part in model.run_to(model.now_us))
            case "<":
                assert said.hex() == rest[0].replace("-", ""), f"at {model.now_us} us"
                said = b""
                compared += 1
    assert compared >= 30


@pytest.mark.parametrize("seed", range(3))
def test_c_and_python_take_the_same_frames_for_sound(core: Path, seed: int) -> None:
    noise = random.Random(seed)
    encoded = []
    for _ in range(3000):
        body = noise.randbytes(noise.randrange(70))
        data = bytearray(encode(Frame(noise.randrange(256), noise.randrange(256), body))[:-1])
        if noise.random() < 0.7:
            data[noise.randrange(len(data))] = noise.randrange(1, 256)
        if noise.random() < 0.1:
            del data[noise.randrange(len(data)) :]
        encoded.append(bytes(data))
    text = "".join(f"{data.hex()}\n" for data in encoded)
    done = subprocess.run([core, "--frames"], input=text, capture_output=True, text=True, check=True)
    for received, answer in zip(encoded, done.stdout.splitlines(), strict=True):
        try:
            frame = decode(received)
        except FrameError:
            assert answer == "bad"
        else:
            assert answer == f"{frame.type:02x} {frame.seq:02x} {frame.body.hex() or '-'}"
    assert 0 < done.stdout.count("bad\n") < 3000
