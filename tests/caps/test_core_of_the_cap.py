"""The core of the cap's firmware, compiled for the host with sanitizers: what it tells, when, and when it sleeps."""

from __future__ import annotations

import subprocess
from pathlib import Path

import attrs
import pytest

from firmware_bridge.build import BuildError, build_cap_check
from tests.tiers import lacking

NEITHER, A, B, BOTH = range(4)
UNKNOWN = 0xFFFF
LIFE, LOW, STARTED = 1, 2, 4


@attrs.frozen
class Sent:
    t_us: int
    seq: int
    ends: int
    age: int
    age_2: int
    flags: int
    tries: int
    lost: int
    cell: int


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return build_cap_check(tmp_path_factory.mktemp("cap"))
    except BuildError as error:
        lacking(str(error))


def told(check: Path, *script: str) -> tuple[list[Sent], list[int]]:
    """What is sent, and when it falls asleep; the cap is begun with end a up and has told its start."""
    lines = ["begin 7 4660 1 1", "run 1000", *script]
    done = subprocess.run([check, "--cap"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    sent, asleep = [], []
    for line in done.stdout.splitlines():
        word, *figures = line.split()
        assert word in (">", "asleep"), line
        if word == ">":
            sent.append(Sent(*map(int, figures)))
        else:
            asleep.append(int(figures[0]))
    return sent, asleep


def turned(check: Path, *script: str) -> tuple[list[Sent], list[int]]:
    """The same without what tells of the start."""
    sent, asleep = told(check, *script)
    return [one for one in sent if one.t_us >= 1_000_000], [t_us for t_us in asleep if t_us >= 1_000_000]


def test_the_start_is_told_twice_and_the_cap_sleeps(check: Path) -> None:
    sent, asleep = told(check)
    assert [(one.seq, one.ends, one.flags) for one in sent] == [(0, A, STARTED), (0, A, 0)]
    assert sent[1].t_us - sent[0].t_us == pytest.approx(160_000, abs=3_000)
    assert (sent[1].age - sent[0].age) * 250 == pytest.approx(sent[1].t_us - sent[0].t_us, abs=250)
    assert len(asleep) == 1


def test_a_turning_is_told_with_the_age_of_its_first_edge(check: Path) -> None:
    sent, asleep = turned(check, "ends 0", "run 90", "ends 2", "run 500")
    first, again = sent
    assert (first.seq, first.ends) == (1, A << 2 | B)
    assert first.age * 250 == pytest.approx(first.t_us - 1_000_000, abs=250)
    assert first.t_us == pytest.approx(1_110_000, abs=1_000)
    assert first.age_2 == UNKNOWN, "before it slept"
    assert again.age > first.age
    assert len(asleep) == 1


def test_a_knock_is_no_turning(check: Path) -> None:
    sent, asleep = turned(check, "ends 0", "run 8", "ends 1", "run 600")
    assert sent == []
    assert len(asleep) == 1


def test_chatter_of_both_contacts_is_one_turning(check: Path) -> None:
    script = [
        "ends 0",
        "run 2",
        "ends 1",
        "run 2",
        "ends 0",
        "run 60",
        *("ends 2", "run 3", "ends 0", "run 3") * 4,
        "ends 2",
    ]
    sent, _ = turned(check, *script, "run 900")
    assert {(one.seq, one.ends) for one in sent} == {(1, A << 2 | B)}
    assert sent[0].age * 250 == pytest.approx(sent[0].t_us - 1_000_000, abs=250)


def test_lying_is_told_after_half_a_second_and_no_end_is_up(check: Path) -> None:
    sent, _ = turned(check, "ends 0", "run 1500")
    assert sent[0].t_us == pytest.approx(1_500_000, abs=60_000)
    assert (sent[0].seq, sent[0].ends) == (1, A << 2 | NEITHER)


def test_two_closed_switches_are_told_as_such(check: Path) -> None:
    sent, _ = turned(check, "ends 3", "run 1500")
    assert (sent[0].seq, sent[0].ends) == (1, A << 2 | BOTH)


def test_every_try_has_a_fresh_age(check: Path) -> None:
    sent, _ = turned(check, "answers 0", "ends 0", "run 90", "ends 2", "run 300", "answers 1", "run 1000")
    tries = [one for one in sent if one.t_us < 1_390_000]
    assert len(tries) > 20
    assert [one.tries for one in tries] == list(range(len(tries)))
    assert all(one.age * 250 == pytest.approx(one.t_us - 1_000_000, abs=250) for one in tries)
    assert tries[3].t_us - tries[0].t_us < 25_000, "quick at first"
    assert sent[-1].lost - tries[0].lost == sum(one.t_us < 1_390_000 for one in sent)


def test_it_gives_up_after_eight_seconds_and_tells_with_the_next_sign_of_life(check: Path) -> None:
    sent, asleep = turned(check, "answers 0", "ends 0", "run 90", "ends 2", "run 9500", "answers 1", "beat", "run 1000")
    assert asleep[0] == pytest.approx(9_110_000, abs=120_000)
    assert sent[-1].t_us > 10_000_000
    assert (sent[-1].seq, sent[-1].ends, sent[-1].age, sent[-1].flags) == (1, A << 2 | B, UNKNOWN, LIFE)


def test_two_turnings_in_one_go_have_an_age_each(check: Path) -> None:
    sent, _ = turned(check, "ends 0", "run 90", "ends 2", "run 60", "ends 0", "run 90", "ends 1", "run 60")
    last = sent[-1]
    assert (last.seq, last.ends) == (2, A << 4 | B << 2 | A)
    assert (last.age_2 - last.age) * 250 == pytest.approx(150_000, abs=500)


def test_a_sign_of_life_is_one_packet(check: Path) -> None:
    sent, asleep = turned(check, "beat", "run 8000", "beat", "run 8000")
    assert [(one.flags, one.seq, one.age) for one in sent] == [(LIFE, 0, UNKNOWN)] * 2
    assert len(asleep) == 2


@pytest.mark.parametrize(("mv", "low"), [(3000, 0), (2400, 0), (2380, LOW), (1900, LOW)])
def test_a_low_cell_is_told_with_what_follows(check: Path, mv: int, low: int) -> None:
    sent, _ = turned(check, f"cell {mv}", "beat", "run 8000", "beat", "run 100")
    assert (sent[-1].cell * 20, sent[-1].flags & LOW) == (mv, low)
