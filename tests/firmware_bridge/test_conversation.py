"""The conversation between host and board, the same for the model and for the firmware in simavr."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.events import CommandEnded, Fault, Greeted, Lost, Refused, Snapshot
from firmware_bridge.framing import Frame, encode
from firmware_bridge.host import Stage
from firmware_bridge.inputs import BUTTONS, NAMES, SOCKETS, TILTS, Build
from firmware_bridge.protocol import Config, Hello, Holder, SelfTest, Status, Type
from tests.firmware_bridge.rig import Rig, make_bench

CONTACTS = [name for name in NAMES if name[0] in ("socket", "tilt", "button")]


def value_of(name: tuple[str, str], closed: bool) -> bool | str:
    return ("b" if closed else "a") if name[0] == "tilt" else closed


def test_hello_configuration_clock_snapshot(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.bench.set(("socket", "D1"), True)
        rig.bench.set(("tilt", "N"), "b")
        rig.start()
        [greeted] = rig.of(Greeted)
        assert greeted.hello.build == Build()
        assert greeted.hello.boot_id == 0
        assert greeted.hello.reset_reason == "power"
        [snapshot] = rig.of(Snapshot)
        assert not snapshot.healed
        alive_us = rig.host.alive_us()
        assert alive_us is not None, "a board that has told its state has been read"
        assert alive_us >= snapshot.t_us
        closed = {("socket", "D1"), ("tilt", "N")}
        assert snapshot.values == {name: value_of(name, name in closed) for name in CONTACTS}
        assert [event.command for event in rig.of(CommandEnded)] == [Type.CONFIG, Type.NAME, Type.START]


def test_every_contact_is_told_with_its_time(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        began_us = rig.now_us
        for n, name in enumerate(CONTACTS):
            rig.bench.set(name, value_of(name, True), began_us + 10_000 + 5_000 * n)
            rig.bench.set(name, value_of(name, False), began_us + 600_000 + 5_000 * n)
        rig.run(1000)
        both = [(name, closed) for closed in (True, False) for name in CONTACTS]
        assert [(change.name, change.value) for change in rig.changes] == [
            (name, value_of(name, closed)) for name, closed in both
        ]
        for n, change in enumerate(rig.changes):
            due_us = began_us + (10_000 if n < len(CONTACTS) else 600_000) + 5_000 * (n % len(CONTACTS))
            assert due_us - 500 <= change.t_us <= due_us + 1_500


def test_no_edge_is_held_back_to_debounce_it(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        began_us = rig.now_us + 5_000
        for n in range(20):
            rig.bench.set(("button", "red"), n % 2 == 0, began_us + 1_100 * n)
        rig.run(60)
        assert [change.value for change in rig.changes] == [n % 2 == 0 for n in range(20)]


def test_all_at_once(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        at_us = rig.now_us + 20_000
        for name in CONTACTS:
            rig.bench.set(name, value_of(name, True), at_us)
        rig.run(100)
        assert {change.name for change in rig.changes} == set(CONTACTS)
        assert len({change.t_us for change in rig.changes}) == 1


def test_lamps_and_tones(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        outputs = rig.bench.outputs
        rig.host.lamps({"ready": True, "turn_red": True, "no_such": True}, frozenset(SOCKETS), frozenset({"D4"}))
        rig.host.tones([(880, 200), (0, 100), (440, 300)])
        rig.run(1000)
        assert outputs.lit() == {"ready", "turn_red"}
        assert outputs.red == set(SOCKETS)
        assert outputs.green == {"D4"}
        tones = [output for output in outputs.history if output.kind == "tone"]
        heard = [output.value for output in tones if output.value]
        assert heard == pytest.approx([880, 440], rel=0.02)
        assert tones[-1].value == 0
        rig.host.lamps({}, frozenset(), frozenset({"A1"}))
        rig.run(50)
        assert (outputs.lit(), outputs.red, outputs.green) == (set(), set(), {"A1"})


def test_a_sound_ends_by_itself_however_long_it_was_ordered(kind: str) -> None:
    with Rig(make_bench(kind, Build()), Config(sound_max_ms=300)) as rig:
        rig.start()
        rig.host.tones([(1000, 60_000), (500, 60_000)])
        rig.run(200)
        assert rig.bench.outputs.tone_hz == pytest.approx(1000, rel=0.02)
        rig.run(200)
        assert rig.bench.outputs.tone_hz == 0


def test_two_seconds_without_the_host(kind: str) -> None:
    with Rig(make_bench(kind, Build()), Config(sound_max_ms=10_000)) as rig:
        rig.start()
        rig.host.lamps({"ready": True, "alarm": True}, frozenset({"D1"}), frozenset())
        rig.host.tones([(700, 10_000)])
        rig.run(300)
        assert rig.bench.outputs.lit() == {"ready", "alarm"}
        gone_us = rig.now_us
        rig.bench.run_to(gone_us + 1_800_000)
        assert rig.bench.outputs.lit() == {"ready", "alarm"}
        assert rig.bench.outputs.tone_hz
        rig.bench.run_to(gone_us + 2_200_000)
        assert rig.bench.outputs.lit() == {"amber"}
        assert rig.bench.outputs.red == set()
        assert rig.bench.outputs.tone_hz == 0


def test_the_lamps_come_back_with_the_host(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        rig.host.lamps({"ready": True}, frozenset(), frozenset())
        rig.run(100)
        rig.now_us += 3_000_000
        rig.bench.run_to(rig.now_us)
        assert rig.bench.outputs.lit() == {"amber"}
        rig.run(1500)
        assert rig.host.stage is Stage.RUNNING
        assert rig.bench.outputs.lit() == {"ready"}


def test_before_any_host_came_the_amber_lamp_shows(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.bench.run_to(100_000)
        assert rig.bench.outputs.lit() == {"amber"}


def test_a_board_that_restarts_is_met_again_with_its_new_state(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.bench.set(("socket", "A1"), True)
        rig.start()
        rig.run(200)
        rig.bench.reset()
        rig.bench.set(("socket", "A1"), False)
        rig.run(2000)
        assert [event.reason for event in rig.of(Lost)] == ["the board has restarted (reset line)"]
        assert [event.hello.boot_id for event in rig.of(Greeted)] == [0, 1]
        assert rig.of(Greeted)[1].hello.board_id == 0x12345678
        assert rig.host.statistics.restarts == 1
        assert rig.values["socket", "A1"] is False
        rig.bench.set(("socket", "A1"), True)
        rig.run(50)
        assert rig.changes[-1].value is True


def test_a_reset_by_command_is_a_restart_by_the_watchdog(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        rig.host.command(Type.RESET, b"BOOT")
        rig.run(2000)
        assert [event.reason for event in rig.of(Lost)] == ["the board has restarted (watchdog)"]
        assert rig.host.stage is Stage.RUNNING


def test_an_input_that_changes_too_often_is_limited_and_says_so(kind: str) -> None:
    with Rig(make_bench(kind, Build()), Config(edge_limit=40)) as rig:
        rig.start()
        began_us = rig.now_us
        for n in range(301):
            rig.bench.set(("socket", "C3"), n % 2 == 0, began_us + 5_000 + 2_500 * n)
        rig.bench.set(("button", "black"), True, began_us + 700_000)
        rig.run(2500)
        assert rig.limits() == [True, False]
        noisy = [change for change in rig.changes if change.name == ("socket", "C3")]
        assert 40 <= len(noisy) <= 120
        assert noisy[-1].value is True
        assert ("button", "black") in {change.name for change in rig.changes}
        assert rig.host.counters is not None
        assert rig.host.counters.limited == 1


def test_a_full_queue_is_flagged_and_healed_by_a_snapshot(kind: str) -> None:
    with Rig(make_bench(kind, Build()), Config(edge_limit=255)) as rig:
        rig.start()
        began_us = rig.now_us
        rig.to_board = lambda data: ()  # the board hears nothing, so acknowledges nothing
        for n in range(30):
            for name in CONTACTS:
                rig.bench.set(name, value_of(name, n % 2 == 0), began_us + 10_000 + 3_000 * n)
        for name in CONTACTS[::2]:
            rig.bench.set(name, value_of(name, True), began_us + 300_000)
        rig.run(600)
        assert rig.host.stage is Stage.RUNNING
        rig.to_board = lambda data: (data,)
        rig.run(1000)
        assert any("queue is full" in event.text for event in rig.of(Fault))
        assert rig.of(Snapshot)[-1].healed
        assert rig.values == {name: value_of(name, name in CONTACTS[::2]) for name in CONTACTS}
        assert rig.host.counters is not None
        assert rig.host.counters.overflows == 1
        rig.bench.set(("socket", "A2"), True)
        rig.run(50)
        assert rig.changes[-1].name == ("socket", "A2")
        assert rig.host.statistics.mismatches == 0


def test_identify_and_self_test(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        rig.host.command(Type.SELF_TEST)
        rig.run(500)
        assert rig.bench.outputs.lit() == {"turn_red", "turn_black", "alarm", "ready", "amber"}
        assert rig.bench.outputs.green == set(SOCKETS)
        found = SelfTest.parse(rig.of(CommandEnded)[-1].done.data)
        assert found.silent_holders == ()
        assert found.odd_socket is None
        assert found.free_ram_bytes > 1000
        rig.run(1000)
        assert rig.bench.outputs.lit() == set()
        rig.host.command(Type.IDENTIFY, b"\x02")
        before = len(rig.bench.outputs.history)
        rig.run(2500)
        blinks = [o for o in rig.bench.outputs.history[before:] if o.kind == "lamp" and o.name == "ready"]
        assert [o.value for o in blinks] == [1, 0, 1, 0, 1, 0, 1, 0]


def test_commands_that_cannot_be_carried_out_are_refused(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        wrong = [
            (Type.IDENTIFY, b"\xff", Status.VALUE),
            (Type.IDENTIFY, b"", Status.LENGTH),
            (Type.RESET, b"NOPE", Status.VALUE),
            (Type.LAMPS, b"\xff" * 11, Status.VALUE),
            (Type.NAME, b"\xff" * 4, Status.VALUE),
            (Type.CONFIG, bytes(28), Status.VALUE),
            (Type.READ, b"\x00", Status.VALUE),
        ]
        for command, body, _ in wrong[:5] + wrong[6:]:
            rig.host.command(command, body)
        rig.run(500)
        ended = [(event.command, event.done.status) for event in rig.of(CommandEnded)[3:]]
        assert ended == [(command, status) for command, _, status in wrong[:5] + wrong[6:]]


def test_a_repeated_command_is_not_carried_out_twice(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        rig.to_board = lambda data: (data, data)
        rig.host.tones([(600, 100)])
        rig.run(400)
        starts = [o for o in rig.bench.outputs.history if o.kind == "tone" and o.value]
        assert len(starts) == 1


def test_a_lost_answer_is_asked_for_again(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        rig.run(200)
        dropped = 0

        def drop_two(data: bytes) -> tuple[bytes, ...]:
            nonlocal dropped
            if dropped < 2:
                dropped += 1
                return ()
            return (data,)

        rig.to_host = drop_two
        rig.host.lamps({"alarm": True}, frozenset(), frozenset())
        rig.run(500)
        assert rig.bench.outputs.lit() == {"alarm"}
        assert rig.of(CommandEnded)[-1].done.status is Status.OK


def test_silence_loses_the_board_and_its_voice_brings_it_back(kind: str) -> None:
    with Rig(make_bench(kind, Build())) as rig:
        rig.start()
        rig.to_host = lambda data: ()
        rig.bench.set(("socket", "G4"), True, rig.now_us + 100_000)
        rig.run(1300)
        assert [event.reason for event in rig.of(Lost)] == ["no answer from the board for a second"]
        rig.to_host = lambda data: (data,)
        rig.run(1500)
        assert rig.host.stage is Stage.RUNNING
        assert rig.values["socket", "G4"] is True
        assert rig.changes == []


def test_alive_promises_that_no_earlier_edge_will_come(kind: str) -> None:
    noise = random.Random(8)
    with Rig(make_bench(kind, Build()), Config(edge_limit=255)) as rig:
        rig.start()
        at_us = rig.now_us
        state = dict.fromkeys(CONTACTS, False)
        for _ in range(800):
            at_us += noise.randrange(4_000)
            name = noise.choice(CONTACTS)
            state[name] = not state[name]
            rig.bench.set(name, value_of(name, state[name]), at_us)
        told = 0
        alive_us = None
        while rig.now_us < at_us + 200_000:
            rig.run(1)
            for change in rig.changes[told:]:
                assert alive_us is None or change.t_us >= alive_us
            told = len(rig.changes)
            alive_us = rig.host.alive_us()
        assert told > 700
        assert alive_us is not None
        assert rig.now_us - alive_us < 120_000


@pytest.mark.parametrize("build", [Build("hall", "stack"), Build("reed", "holder")], ids=str)
def test_other_builds_tell_their_inputs(kind: str, build: Build) -> None:
    with Rig(make_bench(kind, build), Config(red=Holder(20_000, 4_000), black=Holder(20_000, 4_000))) as rig:
        rig.start()
        rig.run(300)
        field = "N" if build.sockets == "hall" else True
        wanted: dict[tuple[str, str], bool | int | str | None] = {
            ("socket", "A1"): field,
            ("socket", "G4"): "S" if build.sockets == "hall" else True,
            ("tilt", TILTS[2]): "b",
            ("button", BUTTONS[1]): True,
        }
        wanted |= {("ring", "D4"): 4, ("ring", "A1"): 1, ("ring", "G3"): 2} if build.rings == "stack" else {}
        wanted |= {("holder", "red"): 32, ("holder", "black"): 7} if build.rings == "holder" else {}
        for name, value in wanted.items():
            rig.bench.set(name, value)
        rig.run(400)
        assert {name: rig.values[name] for name in wanted} == wanted
        others = {name for name in rig.values if name not in wanted}
        assert {rig.values[name] for name in others if name[0] == "socket"} == {None if field == "N" else False}


def test_another_major_version_is_refused_in_words() -> None:
    hello = Hello(2, 5, (9, 8, 7), Build(), 1, 2, 1, 0, 512)
    with Rig(make_bench("model", Build())) as rig:
        rig.take(rig.host.receive(encode(Frame(Type.HELLO, 0, hello.body())), 0))
        [refused] = rig.of(Refused)
        assert refused.reason == (
            "the board's firmware 9.8.7 speaks protocol 2, this program speaks 1: flash the firmware that came with it"
        )
        rig.run(2000)
        assert rig.host.stage is Stage.REFUSED
        assert rig.changes == []


def test_the_record_keeps_the_last_frames_in_words() -> None:
    with Rig(make_bench("model", Build())) as rig:
        rig.start()
        rig.bench.set(("socket", "D1"), True)
        rig.run(10_000)
        dump = rig.host.dump()
        assert len(dump) == 200
        assert all(" < #" in line or " > #" in line for line in dump)
        assert any("HEARTBEAT Heartbeat(session=7" in line for line in dump)
