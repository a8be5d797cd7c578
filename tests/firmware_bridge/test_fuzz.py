"""Lines that garble, flip, cut, double and reorder: no crash on either side, no wrong edge, well again in a second."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterable

import pytest

from firmware_bridge.build import BuildError, build_core_check
from firmware_bridge.events import Lost, Snapshot
from firmware_bridge.framing import Frame, encode
from firmware_bridge.host import BridgeHost, Stage
from firmware_bridge.inputs import NAMES, Build
from firmware_bridge.protocol import (
    PROTOCOL_MAJOR,
    RESET_MAGIC,
    Config,
    Type,
    ack_body,
    lamps_body,
    ping_body,
    tones_body,
)
from tests.firmware_bridge.rig import Rig, Spoil, make_bench
from tests.tiers import lacking

CONTACTS = [name for name in NAMES if name[0] in ("socket", "button")]
PLAY_MS = 3000
GARBAGE = 1_000_000


def flips(noise: random.Random) -> Spoil:
    def spoil(data: bytes) -> Iterable[bytes]:
        if data and noise.random() < 0.3:
            bent = bytearray(data)
            bent[noise.randrange(len(bent))] ^= 1 << noise.randrange(8)
            return (bytes(bent),)
        return (data,)

    return spoil


def cuts(noise: random.Random) -> Spoil:
    return lambda data: (data[: noise.randrange(len(data))] if data and noise.random() < 0.3 else data,)


def doubles(noise: random.Random) -> Spoil:
    return lambda data: (data, data) if noise.random() < 0.5 else (data,)


def reorders(noise: random.Random) -> Spoil:
    held: list[bytes] = []

    def spoil(data: bytes) -> Iterable[bytes]:
        if data and noise.random() < 0.3:
            held.append(data)
            return ()
        late = [held.pop(noise.randrange(len(held)))] if held and noise.random() < 0.5 else []
        return (data, *late)

    return spoil


def replays(noise: random.Random) -> Spoil:
    """Frames of long ago once more."""
    kept: list[bytes] = []

    def spoil(data: bytes) -> Iterable[bytes]:
        if data:
            kept.append(data)
        return (data, noise.choice(kept)) if kept and noise.random() < 0.2 else (data,)

    return spoil


def inserts(noise: random.Random) -> Spoil:
    return lambda data: (noise.randbytes(noise.randrange(40)), data) if data and noise.random() < 0.3 else (data,)


def play(rig: Rig, noise: random.Random, ms: int) -> dict[tuple[str, str], list[tuple[int, bool]]]:
    """Contacts change at random; what they did, by input."""
    done: dict[tuple[str, str], list[tuple[int, bool]]] = {name: [(-1, False)] for name in CONTACTS}
    t_us = rig.now_us
    while t_us < rig.now_us + ms * 1000:
        t_us += noise.randrange(20_000)
        name = noise.choice(CONTACTS)
        last_us, level = done[name][-1]
        if t_us - last_us > 3_000:
            done[name].append((t_us, not level))
            rig.bench.set(name, not level, t_us)
    return done


def assert_true(rig: Rig, done: dict[tuple[str, str], list[tuple[int, bool]]], clock_slack_us: int) -> None:
    """Every edge told happened, and at its time."""
    for change in rig.changes:
        near = [t_us for t_us, level in done[change.name] if level == change.value]
        assert any(-clock_slack_us <= change.t_us - t_us <= 1_500 + clock_slack_us for t_us in near), change


@pytest.mark.parametrize("spoil", [flips, cuts, doubles, reorders, replays, inserts])
@pytest.mark.parametrize("seed", range(2))
def test_a_bad_line_never_yields_a_wrong_edge_and_heals(
    kind: str, spoil: Callable[[random.Random], Spoil], seed: int
) -> None:
    noise = random.Random(seed)
    with Rig(make_bench(kind, Build()), Config(edge_limit=255)) as rig:
        rig.start()
        done = play(rig, noise, PLAY_MS)
        rig.to_host, rig.to_board = spoil(random.Random(seed + 100)), spoil(random.Random(seed + 200))
        rig.run(PLAY_MS)
        rig.to_host = rig.to_board = lambda data: (data,)
        rig.run(1000)
        assert rig.host.stage is Stage.RUNNING
        assert rig.values == {name: rig.values[name] for name in rig.values} | {
            name: history[-1][1] for name, history in done.items()
        }
        assert_true(rig, done, clock_slack_us=3_000)
        if len(rig.of(Snapshot)) == 1:
            assert len(rig.changes) == sum(len(history) - 1 for history in done.values())


def test_a_megabyte_of_garbage_does_not_move_the_host() -> None:
    noise = random.Random(11)
    with Rig(make_bench("model", Build())) as rig:
        rig.start()
        before = dict(rig.values)
        for _ in range(GARBAGE // 1000):
            rig.take(rig.host.receive(noise.randbytes(1000), rig.now_us))
        rig.run(1000)
        assert rig.host.bad_frames > 3000
        assert rig.host.stage is Stage.RUNNING
        assert rig.values == before
        assert rig.changes == []


def test_a_megabyte_of_garbage_does_not_move_the_firmware() -> None:
    """Its protocol core, compiled for the host with the address and undefined-behaviour sanitisers."""
    try:
        core = build_core_check(Build())
    except BuildError as error:
        lacking(str(error))
    done = subprocess.run(
        [core, "--feed"], input=random.Random(12).randbytes(GARBAGE), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    told, bad = done.stdout.split()
    assert told == b"00" * 6
    assert int(bad) > 3000


@pytest.mark.firmware
def test_garbage_at_full_rate_leaves_the_firmware_scanning() -> None:
    noise = random.Random(13)
    with Rig(make_bench("simavr", Build())) as rig:
        rig.start()
        rig.to_board = lambda data: (noise.randbytes(120),)  # the line is never idle, nothing on it makes sense
        rig.run(800, step_us=10_000)
        rig.bench.set(("socket", "D4"), True, rig.now_us + 50_000)
        rig.run(150, step_us=10_000)
        rig.to_board = lambda data: (data,)
        rig.run(1000)
        assert rig.host.stage is Stage.RUNNING
        assert rig.values["socket", "D4"] is True
        assert rig.host.counters is not None
        assert rig.host.counters.late_scans == 0


def test_every_frame_with_every_bit_flipped_is_harmless() -> None:
    """All frames of a short conversation, each spoilt in each bit, told to a host in the middle of its work."""
    with Rig(make_bench("model", Build())) as rig:
        rig.start()
        for n in range(6):
            rig.bench.set(("socket", "D1"), n % 2 == 0, rig.now_us + 10_000 * n)
        rig.run(1200)
        values, changes = dict(rig.values), list(rig.changes)
        frames = [encode(frame) for _, way, frame in rig.host.record if way == "<" and frame.type != Type.HELLO]
        assert len({frame[1] for frame in frames}) >= 3
        for data in frames:
            for bit in range(8 * len(data)):
                bent = bytearray(data)
                bent[bit // 8] ^= 1 << bit % 8
                rig.take(rig.host.receive(bytes(bent) + b"\0", rig.now_us))
        rig.run(1000)
        assert (rig.values, rig.changes) == (values, changes)
        assert rig.host.stage is Stage.RUNNING
        assert rig.host.statistics.restarts == 0


def test_every_command_with_every_bit_flipped_is_harmless(kind: str) -> None:
    """Each would light, sound, reset or rename something, were it taken for sound."""
    commands = [
        (Type.ASK, bytes((PROTOCOL_MAJOR,))),
        (Type.START, b"\x63"),
        (Type.ACK, ack_body(7, 1, again=True)),
        (Type.PING, ping_body(9, 5)),
        (Type.LAMPS, lamps_body({"alarm": True}, frozenset({"A1"}), frozenset({"G4"}))),
        (Type.TONES, tones_body([(880, 500), (0, 20)])),
        (Type.CONFIG, Config(lamp_intensity=9, edge_limit=33).body()),
        (Type.SELF_TEST, b""),
        (Type.IDENTIFY, b"\x05"),
        (Type.RESET, RESET_MAGIC),
        (Type.NAME, b"\x11\x22\x33\x44"),
    ]
    with Rig(make_bench(kind, Build(), baud=1_000_000)) as rig:
        rig.start()
        rig.host.lamps({"ready": True}, frozenset({"D1"}), frozenset())
        rig.run(200)
        before = list(rig.bench.outputs.history)
        bent_frames = 0
        for number, (command, body) in enumerate(commands):
            data = encode(Frame(command, 150 + number, body))
            for bit in range(8 * (len(data) - 1)):
                bent = bytearray(data)
                bent[bit // 8] ^= 1 << bit % 8
                rig.bench.write(b"\0" + bytes(bent))
                rig.run(1)
                bent_frames += 1
        rig.run(1500)
        assert rig.bench.outputs.history == before
        assert rig.of(Lost) == []
        assert len(rig.of(Snapshot)) == 1
        assert rig.host.counters is not None
        assert rig.host.counters.bad_frames >= bent_frames
        rig.bench.set(("socket", "D4"), True)
        rig.run(50)
        assert rig.values["socket", "D4"] is True


def test_a_host_at_any_stage_survives_any_sound_frame() -> None:
    """Frames with a right CRC and wrong contents: from another version, or another program."""
    noise = random.Random(14)
    for _ in range(300):
        host = BridgeHost(Config(), lambda: 1)
        for n in range(40):
            kind = noise.choice([*Type, noise.randrange(256)])
            host.receive(encode(Frame(int(kind), n, noise.randbytes(noise.randrange(60)))), n * 1000)
            host.tick(n * 1000)
            host.data_to_send(n * 1000)
        assert host.stage in (Stage.ASKING, Stage.CONFIGURING, Stage.REFUSED)
