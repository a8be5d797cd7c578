"""One file of packets, run by the receiver's C compiled for the host and by its twin in Python."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import firmware_bridge
from firmware_bridge.build import BuildError, build_cap_check
from firmware_bridge.caps import CapDecoder, CapsDecoder
from tests.tiers import lacking

VECTORS = Path(firmware_bridge.__file__).parent / "cap_vectors.txt"


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return build_cap_check(tmp_path_factory.mktemp("cap"))
    except BuildError as error:
        lacking(str(error))


def lines() -> list[str]:
    text = VECTORS.read_text(encoding="ascii")
    return [line for line in text.splitlines() if not line.startswith("#")]


def by_c(check: Path, inputs: Iterable[str]) -> list[str]:
    text = "".join(f"{line}\n" for line in inputs)
    done = subprocess.run([check, "--decoder"], input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def by_python(inputs: Iterable[str]) -> Iterator[str]:
    decoder = CapsDecoder()
    for line in inputs:
        if line == "reset":
            decoder = CapsDecoder()
            continue
        if line[0] == "E":
            _, pipe_text, cap_id, off = line.split()
            decoder.caps[int(pipe_text)].expect(int(cap_id), int(off))
            continue
        _, pipe_text, t_us, data = line.split()
        pipe = int(pipe_text)
        for told in decoder.packet(pipe, bytes.fromhex(data.replace("-", "")), int(t_us)):
            yield f"N {pipe} {told.news.value} {told.value} {told.t_us}"
        if pipe < len(decoder.caps):
            yield health(pipe, decoder.caps[pipe])


def health(pipe: int, cap: CapDecoder) -> str:
    figures = (
        cap.heard, cap.ends, cap.boot, cap.id, cap.cell, cap.tries, cap.missed, cap.packets, cap.lost, cap.rate,
        cap.rated, cap.twins,
    )  # fmt: skip
    return f"H {pipe} " + " ".join(str(int(figure)) for figure in figures)


def inputs() -> list[str]:
    return [line for line in lines() if line[0] in "rPE"]


def expected() -> list[str]:
    return [line for line in lines() if line[0] in "NH"]


def test_the_vectors_hold_every_kind_of_news() -> None:
    news = {line.split()[2] for line in expected() if line[0] == "N"}
    assert news == {"edge", "untimed", "started", "missed", "repeat", "rate", "twins"}
    assert len(inputs()) > 120


def test_the_c_agrees(check: Path) -> None:
    assert by_c(check, inputs()) == expected()


def test_the_twin_agrees() -> None:
    assert list(by_python(inputs())) == expected()


@pytest.mark.parametrize("seed", range(6))
def test_both_agree_about_packets_that_no_cap_would_send(check: Path, seed: int) -> None:
    noise = random.Random(seed)
    t_us, made = 0, ["reset"]
    packets = [bytes.fromhex(line.split()[3]) for line in inputs() if line[0] == "P" and len(line.split()[3]) == 28]
    for _ in range(2_000):
        t_us = t_us + noise.choice((10, 4_000, 150_000, 9_000_000)) * noise.randrange(1, 9) & 0xFFFFFFFF
        data = bytearray(noise.choice(packets))
        for _ in range(noise.choice((0, 0, 1, 3))):
            data[noise.randrange(1, len(data))] = noise.randrange(256)
        if noise.random() < 0.05:
            del data[noise.randrange(len(data)) :]
        made.append(f"P {noise.randrange(6)} {t_us} {data.hex() or '-'}")
    assert by_c(check, made) == list(by_python(made))
