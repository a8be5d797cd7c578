"""The random traces are what they claim: reproducible, well-formed, varied, and read back as they were played."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tamsk_pi.witness.acts import judge
from tamsk_pi.witness.settings import settings_of
from tamsk_pi.witness.trace_reader import rulings_of
from tests.oracle.comparing import KINDS, first_difference
from tests.oracle.generate import Trace, make, traces

SEED, COUNT = 1, 300


@pytest.fixture(scope="module")
def made() -> list[Trace]:
    return list(traces(SEED, COUNT))


def test_a_trace_depends_on_its_seed_and_number_alone(made: list[Trace]) -> None:
    assert make(SEED, 17).text() == made[17].text()
    assert make(SEED + 1, 17).text() != made[17].text()


def test_times_do_not_decrease(made: list[Trace]) -> None:
    for trace in made:
        times = [line["t"] for line in trace.lines[1:]]
        assert times == sorted(times), trace.name
        assert times[0] >= 0


def test_every_line_is_json_and_the_last_is_the_end(made: list[Trace]) -> None:
    for trace in made:
        lines = [json.loads(line) for line in trace.text().splitlines()]
        assert lines[0]["format"] == "tamsk-trace"
        assert lines[-1]["end"] is True


def test_everything_that_can_be_ruled_occurs(made: list[Trace]) -> None:
    seen: Counter[tuple[str, object]] = Counter()
    for trace in made:
        for ruling in rulings_of(trace.lines):
            seen[ruling["ruling"], ruling.get("code", ruling.get("reason", ruling.get("begun")))] += 1
    codes: tuple[str, ...] = (
        "wrong_glass",
        "full_socket",
        "stopped_glass",
        "opening_order",
        "not_adjacent",
        "not_flipped",
    )
    codes += ("flipped_in_place", "must_mend", "ring_not_due", "ring_removed", "timer_running", "must_move")
    expected: list[tuple[str, object]] = [("violation", code) for code in codes]
    expected += [("resolved", code) for code in codes if code not in ("full_socket", "timer_running", "must_move")]
    expected += [("ring", reason) for reason in ("move", "claim", "penalty")]
    expected += [("game_over", reason) for reason in ("rings", "tie_break", "last_ring", "full_socket", "resigned")]
    expected += [("timeout", True), ("timeout", False)]
    expected += [(kind, None) for kind in ("move", "timer_started", "forfeit", "pass", "skip", "glass_stopped")]
    expected += [("fault", code) for code in ("tilt_without_lift", "unexpected_closed", "ambiguous_placing", "noisy")]
    assert [what for what in expected if not seen[what]] == []


def test_what_was_played_is_what_is_read(made: list[Trace]) -> None:
    """Two ways to the rulings, by the acts as they were played and by the edges, agree.

    Left out are the traces in which the sensors do tell less than the hands know: glasses confused, a strong magnet,
    a chattering contact, gaps shorter than the bouncing.
    """
    compared = 0
    for trace in made:
        rulings = rulings_of(trace.lines)
        deceived = {"ambiguous", "ambiguous_placing", "noisy", "unexpected_closed"}
        if trace.acts is None or "gap_ms" in trace.lines[0] or deceived & {ruling.get("code") for ruling in rulings}:
            continue
        end = trace.lines[-1]["t"]
        played = [ruling for ruling in judge(settings_of(trace.lines[0]), trace.acts, end) if ruling["ruling"] in KINDS]
        if _several_in_hand(trace) or not trace.told_by_hands:
            continue
        assert first_difference(played, rulings) is None, trace.name
        compared += 1
    assert compared > COUNT // 20


def _several_in_hand(trace: Trace) -> bool:
    hand: set[str] = set()
    for act in trace.acts or ():
        if act.kind == "lift":
            hand.add(act.args[0])
        elif act.kind == "place":
            hand.discard(act.args[0])
        if len(hand) > 1:
            return True
    return trace.lines[0].get("setup") == "free"
