"""What a report tells is what happened: held against the cases' rulings, games played by virtual hands, and sums."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from tamsk_pi.report.facts import Report, Span
from tamsk_pi.rules.board import PLAYERS, RINGS_PER_SIDE
from tests.report.games import ALL_CASES, CASES, case, case_lines, clumsy_match, header, move, report_of

WHOLE_GAMES = [name for name in ALL_CASES if name.startswith("game-")]


def kept_rulings(name: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((CASES / f"{name}.rulings.json").read_text(encoding="utf-8"))["rulings"]
    return found


def adds_up(report: Report) -> None:
    """Every millisecond of the game belongs to one turn, a pause, or what came after the last turn."""
    turns = sum(turn.took_ms + turn.paused_ms for turn in report.turns)
    assert turns + report.rest_ms == report.length_ms
    assert sum(report.took_ms(player) for player in PLAYERS) == sum(turn.took_ms for turn in report.turns)
    assert all(turn.took_ms >= 0 for turn in report.turns)
    ends = [report.start_ms, *(turn.t_ms for turn in report.turns)]
    assert [turn.since_ms for turn in report.turns] == ends[:-1]


def runs_like_sand(report: Report) -> None:
    """Between two corners a glass loses a millisecond each millisecond, down to nothing; at a corner it may jump."""
    for glass in report.glasses:
        assert glass.points[0].t_ms <= report.start_ms
        assert glass.points[-1].t_ms == report.end_ms
        for before, after in pairwise(glass.points):
            assert 0 <= after.left_ms <= glass.full_ms
            if after.t_ms > before.t_ms:
                assert after.left_ms == max(0, before.left_ms - (after.t_ms - before.t_ms)), (glass.name, before, after)


def counts_rings(report: Report) -> None:
    """From 32 each, one ring at a time, to what lies on the holders at the end."""
    rings = report.rings
    assert (rings[0].red, rings[0].black) == (RINGS_PER_SIDE, RINGS_PER_SIDE)
    assert {"red": rings[-1].red, "black": rings[-1].black} == dict(report.final.rings_left)
    assert rings[-1].t_ms == report.end_ms
    for before, after in pairwise(rings):
        assert before.t_ms <= after.t_ms
        assert (before.red - after.red) + (before.black - after.black) in (0, 1)
    assert sum(report.final.rings.values()) == 2 * RINGS_PER_SIDE - rings[-1].red - rings[-1].black


@pytest.mark.parametrize("name", ALL_CASES)
def test_sums_and_counts_of_every_case(name: str) -> None:
    report = case(name)
    adds_up(report)
    runs_like_sand(report)
    counts_rings(report)
    assert not report.flaws


@pytest.mark.parametrize("seed", ["one", "two", "three"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_sums_and_counts_of_played_games(seed: str, level: int) -> None:
    match, report = clumsy_match(seed, level)
    adds_up(report)
    runs_like_sand(report)
    counts_rings(report)
    assert report.result is not None
    assert dict(report.final.rings_left) == dict(match.session.snapshot().rings_left)


@pytest.mark.parametrize("name", ALL_CASES)
def test_a_report_agrees_with_the_rulings_of_its_case(name: str) -> None:
    report, rulings = case(name), kept_rulings(name)
    by_kind = {kind: [r for r in rulings if r["ruling"] == kind] for kind in ("violation", "move", "game_over")}
    assert [v.ruling.t_ms for v in report.violations] == [r["t"] for r in by_kind["violation"]]
    assert [v.ruling.get("code") for v in report.violations] == [r["code"] for r in by_kind["violation"]]
    assert [t.t_ms for t in report.turns if t.kind == "move"] == [r["t"] for r in by_kind["move"]]
    standstills = [r["ruling"] for r in rulings if r["ruling"] in ("pass", "forfeit", "skip")]
    assert [t.kind for t in report.turns if t.kind != "move"] == standstills
    stops = {(g.name, t_ms) for g in report.glasses if g.name != "N" for t_ms in g.stops_ms}
    end_ms = report.end_ms
    told = {(r["glass"], r["t"]) for r in rulings if r["ruling"] == "glass_stopped" and r["t"] <= end_ms}  # type: ignore[operator]
    assert stops == (told if report.settings.level > 1 else set())
    if by_kind["game_over"]:
        assert report.outcome is not None
        assert report.outcome.as_json() == by_kind["game_over"][-1]
        assert report.end_ms == by_kind["game_over"][-1]["t"]
    else:
        assert report.outcome is None


@pytest.mark.parametrize("name", WHOLE_GAMES)
def test_every_violation_of_a_whole_game_has_an_end(name: str) -> None:
    """The hands in these games mend what they do wrong, and the rulings say when."""
    resolved = [r["t"] for r in kept_rulings(name) if r["ruling"] == "resolved"]
    report = case(name)
    ended = [v.ended_ms for v in report.violations if v.mending in ("put_right", "moved", "ring_off", "ring_back")]
    assert sorted(t_ms for t_ms in ended if t_ms is not None) == resolved
    assert len(ended) == len(report.violations)


def test_how_violations_end() -> None:
    endings = {
        "not-adjacent-and-mended": ("not_adjacent", "put_right", 1),
        "wrong-glass": ("wrong_glass", "put_right", 1),
        "ring-on-the-wrong-socket": ("ring_not_due", "ring_off", 1),
        "timer-turned-while-running": ("timer_running", "noted", 1),
        "turned-too-late": ("not_flipped", "open", 1),
        "full-socket-loses": ("full_socket", "lost", 1),
    }
    for name, (code, mending, count) in endings.items():
        violations = case(name).violations
        assert [(v.ruling.get("code"), v.mending) for v in violations] == [(code, mending)] * count, name


def test_a_move_that_lacked_its_turning_is_made_whole() -> None:
    lines = [header(), *move(1_000, "D1", "D2"), {"t": 4_000, "socket": "D2", "closed": False}]
    lines += [
        {"t": 4_200, "tilt": "R2", "up": "b"},
        {"t": 4_500, "socket": "D2", "closed": True},
        {"t": 9_000, "end": True},
    ]
    (violation,) = report_of(lines).violations
    assert (violation.mending, violation.moved_to, violation.ended_ms) == ("moved", "D2", 4_500)


def test_an_annulled_and_an_accepted_violation() -> None:
    lines = [header(), *move(1_000, "D1", "D3", "R2", "b"), {"t": 4_000, "arbiter": "annul"}]
    (violation,) = report_of([*lines, {"t": 6_000, "end": True}]).violations
    assert (violation.mending, violation.ended_ms) == ("annulled", 4_000)
    lines[-1] = {"t": 4_000, "arbiter": "accept"}
    (violation,) = report_of([*lines, {"t": 6_000, "end": True}]).violations
    assert (violation.mending, violation.ended_ms) == ("accepted", 4_000)


def test_a_glass_set_down_wrongly_twice_is_two_violations_put_right_once() -> None:
    lines = [
        header(),
        *move(1_000, "D1", "D3", "R2", "b"),
        *move(4_000, "D3", "D4"),
        *move(8_000, "D4", "D1", "R2", "a"),
    ]
    found = report_of([*lines, {"t": 12_000, "end": True}]).violations
    assert [(v.ruling.t_ms, v.mending, v.ended_ms) for v in found] == [
        (1_500, "put_right", 8_500),
        (4_500, "put_right", 8_500),
    ]


def test_pauses_are_counted_to_no_turn() -> None:
    lines = [header(1), {"t": 2_000, "arbiter": "pause"}, {"t": 7_000, "arbiter": "resume"}, *move(9_000, "D1", "D2")]
    report = report_of([*lines, {"t": 12_000, "end": True}])
    assert report.pauses == (Span(2_000, 7_000),)
    (turn,) = report.turns
    assert (turn.since_ms, turn.t_ms, turn.paused_ms, turn.took_ms) == (0, 9_500, 5_000, 4_500)
    adds_up(report)


def test_a_pause_that_never_ended_lasts_to_the_end() -> None:
    report = report_of([header(1), {"t": 2_000, "link": "down"}, {"t": 5_000, "end": True}])
    assert report.pauses == (Span(2_000, 5_000),)


def test_rings_that_the_arbiter_corrects_are_in_the_count() -> None:
    lines = [header(1), {"t": 3_000, "arbiter": "rings", "socket": "D4", "count": 2, "side": "black"}]
    report = report_of([*lines, {"t": 5_000, "end": True}])
    assert [(r.t_ms, r.red, r.black) for r in report.rings] == [(0, 32, 32), (3_000, 32, 30), (5_000, 32, 30)]


def test_a_glass_that_runs_out_on_the_board_is_out_from_then_on() -> None:
    lines = [header(glass_ms={"R2": 10_000}), *move(1_000, "D1", "D2", "R2", "b"), {"t": 20_000, "end": True}]
    report = report_of(lines)
    glass = next(g for g in report.glasses if g.name == "R2")
    assert [(p.t_ms, p.left_ms) for p in glass.points] == [
        (0, 0), (1_250, 0), (1_250, 10_000), (11_250, 0), (20_000, 0),
    ]  # fmt: skip
    assert glass.stops_ms == (11_250,)
    assert glass.outs == (Span(11_250, 20_000),)


def test_penalties_are_the_timers_and_their_rings() -> None:
    report = case("timer-not-begun-rulebook")
    assert [(r.kind, r.get("reason")) for r in report.penalties] == [
        ("timeout", None),
        ("forfeit", None),
        ("ring", "penalty"),
    ]
    timer = next(g for g in report.glasses if g.name == "N")
    assert timer.stops_ms == (16_000,)


def test_at_level_1_sand_is_not_told_and_at_level_2_no_timer() -> None:
    assert case("wikipedia-opening").glasses == ()
    assert [g.name for g in report_of([header(2)]).glasses] == ["R1", "R2", "R3", "B1", "B2", "B3"]


# ---- what is not whole ----


def test_a_game_that_never_began() -> None:
    report = report_of([header(occupied=["A1"]), {"t": 5_000, "end": True}])
    assert not report.began
    assert (report.rings, report.turns, report.outcome) == ((), (), None)


def test_a_trace_cut_off_anywhere_gives_what_is_there() -> None:
    lines = case_lines("game-level3-rulebook-4")
    for count in range(1, len(lines), 37):
        report = report_of(lines[:count])
        adds_up(report)
        counts_rings(report)
        assert report.outcome is None


def test_a_torn_last_line_is_left_out_and_told() -> None:
    lines = case_lines("not-adjacent-and-mended")
    report = report_of([*lines[:-1], lines[-1][:9]], end="")
    assert [flaw.kind for flaw in report.flaws] == ["torn"]
    assert len(report.violations) == 1


def test_a_broken_line_ends_the_report_there() -> None:
    lines = case_lines("game-level3-rulebook-4")
    report = report_of([*lines[:200], '{"t": "soon"}', *lines[200:]])
    (flaw,) = report.flaws
    assert (flaw.kind, flaw.problem[:9]) == ("broken", "line 201:")
    assert report.turns == report_of(lines[:200]).turns
    assert report.turns
