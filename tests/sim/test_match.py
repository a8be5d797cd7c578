"""Whole games: automatic players on the virtual board, judged by the session from its raw edges."""

import io
import random
from collections import Counter

import pytest

from tamsk_pi.rules.board import GLASSES, PLAYERS, RINGS_PER_SIDE, TIMER
from tamsk_pi.session import Session
from tamsk_pi.sim.faults import fault_from_text
from tamsk_pi.sim.hands import Tempo
from tamsk_pi.sim.match import Match
from tamsk_pi.sim.players import AutoPlayer
from tamsk_pi.sim.sand import drawn_glass_ms
from tamsk_pi.sim.truth import Fitted
from tamsk_pi.trace import End, TraceReader, header_line, record_line

EDITIONS = ("rulebook", "wikipedia", "schmidt1998")


def played(seed: int, **settings: object) -> Match:
    glass_ms = drawn_glass_ms(random.Random(seed))
    match = Match(seed, glass_ms=glass_ms, **settings)  # type: ignore[arg-type]
    match.play()
    return match


def violations(match: Match) -> Counter[object]:
    return Counter(ruling.get("code") for ruling in match.rulings if ruling.kind == "violation")


def intended(match: Match) -> Counter[object]:
    return Counter(deed.expects for deed in match.deeds if deed.expects is not None)


def assert_referee_knows_the_board(match: Match) -> None:
    """At the end of a game nobody is at the board, and the referee's picture of it is the truth."""
    match.board.run_to(max(match.board.now_ms, *(match.hands.free_at_ms(side) for side in PLAYERS)) + 2_000)
    picture, truth = match.session.snapshot(), match.board.truth
    for player in PLAYERS:
        assert truth.rings_of(player) == RINGS_PER_SIDE
    for name in GLASSES:
        told = picture.glasses[name]
        if told.socket is not None:
            assert told.socket == truth.glasses[name].socket or picture.result == "full_socket"


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("rules", EDITIONS)
def test_careful_hands_play_whole_games_that_nobody_objects_to(level: int, rules: str) -> None:
    for seed in range(3):
        match = played(seed, level=level, rules=rules)
        assert match.is_over
        assert violations(match) == Counter()
        assert not {"fault", "notice"} & {ruling.kind for ruling in match.rulings}
        assert sum(ruling.kind == "move" for ruling in match.rulings) > 10
        assert_referee_knows_the_board(match)


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("rules", EDITIONS)
def test_every_error_of_clumsy_hands_is_found_and_mended_and_nothing_else(level: int, rules: str) -> None:
    for seed in range(4):
        match = played(seed, level=level, rules=rules, clumsy=0.25)
        assert match.is_over
        assert violations(match) == intended(match)
        kinds = [ruling.kind for ruling in match.rulings if ruling.get("code") not in ("timer_running", "must_move")]
        still_open = kinds.count("violation") - kinds.count("resolved")
        assert still_open == len(match.session.snapshot().violations), "mended, or the last word of the game"
        assert_referee_knows_the_board(match)


@pytest.mark.parametrize("sockets", ["reed", "hall"])
@pytest.mark.parametrize("rings", ["stack", "holder", "buttons"])
def test_every_kind_of_board_is_played_on(sockets: str, rings: str) -> None:
    fitted = Fitted(sockets=sockets, rings=rings)  # type: ignore[arg-type]
    for seed in range(2):
        match = played(seed, level=3, clumsy=0.2, fitted=fitted)
        assert match.is_over
        assert violations(match) == intended(match)
        dropped = sum(ruling.kind == "ring" for ruling in match.rulings)
        assert dropped > 10
        assert_referee_knows_the_board(match)


def test_a_board_without_tilt_switches_is_played_on() -> None:
    match = played(1, level=2, clumsy=0.1, fitted=Fitted(tilt=False))
    assert match.is_over
    assert not {"not_flipped", "flipped_in_place"} & {str(code) for code in violations(match)}
    assert all(edge.kind != "tilt" for edge in match.edges)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_glasses_are_placed_freely_on_an_empty_board(level: int) -> None:
    for seed in range(3):
        match = played(seed, level=level, setup="free", clumsy=0.1)
        assert match.is_over
        first_six = [ruling for ruling in match.rulings if ruling.kind == "move"][:6]
        assert [ruling.get("from") for ruling in first_six] == [None] * 6
        assert violations(match) == intended(match)


def test_hands_err_in_every_way_they_know() -> None:
    seen: Counter[str] = Counter()
    ruled: Counter[str] = Counter()
    for seed in range(40):
        match = played(seed, level=2 + seed % 2, clumsy=0.3)
        seen.update(deed.what for deed in match.deeds)
        ruled.update(ruling.kind for ruling in match.rulings)
    assert set(seen) >= {
        "wrong_glass",
        "not_adjacent",
        "not_flipped",
        "flipped_in_place",
        "stopped_glass",
        "opening_order",
        "must_mend",
        "full_socket",
        "ring_elsewhere",
        "undue_ring",
        "forgotten_ring",
        "ring_removed",
        "timer_running",
        "early_lift",
        "put_back",
        "two_in_hand",
        "claim",
        "penalty",
        "mend",
        "mend_by_move",
    }
    assert set(ruled) >= {"timeout", "forfeit", "pass", "glass_stopped", "timer_started"}


def test_the_referee_s_sand_is_the_true_sand() -> None:
    compared = 0
    for seed in range(6):
        match = Match(seed, level=3, clumsy=0.2, glass_ms=drawn_glass_ms(random.Random(seed)))
        match.play(until=lambda match: match.board.now_ms > 60_000)
        if match.is_over:
            continue
        picture, truth = match.session.snapshot(), match.board.truth
        for name in (*GLASSES, TIMER):
            view, glass = picture.glasses[name], truth.glasses[name]
            quiet = glass.hand is None and (name == TIMER or view.socket == glass.socket)
            if quiet and view.stops_at_ms is not None and glass.sand.left_ms(picture.now_ms) > 0:
                assert view.stops_at_ms == glass.sand.stops_at_ms
                compared += 1
    assert compared > 10


def test_the_same_seed_plays_the_same_game() -> None:
    one, two, other = (played(seed, level=3, clumsy=0.2) for seed in (5, 5, 6))
    assert one.edges == two.edges
    assert one.deeds == two.deeds
    assert one.acts == two.acts
    assert [ruling.as_json() for ruling in one.rulings] == [ruling.as_json() for ruling in two.rulings]
    assert one.edges != other.edges


def test_a_trace_of_the_edges_replays_to_the_same_rulings() -> None:
    match = played(7, level=3, clumsy=0.2)
    settings = match.session.settings
    lines = [header_line(settings), *(record_line(edge, settings) for edge in match.edges)]
    lines.append(record_line(End(match.board.now_ms), settings))
    reader = TraceReader(io.BytesIO("".join(lines).encode()))
    session = Session(reader.settings)
    rulings = [*session.advance(0)]
    for record in reader:
        rulings += session.take(record)
    assert [r.as_json() for r in rulings] == [r.as_json() for r in match.rulings]


def test_what_was_done_is_told_with_the_times_at_which_it_was_judged() -> None:
    match = played(3, level=2, clumsy=0.2)
    seats = {deed.gestures[-1].acts for deed in match.deeds if deed.what == "move"}
    placed_ms = {t_ms for acts in seats for t_ms, act in acts if type(act).__name__ == "Seat"}
    moved_ms = [ruling.t_ms for ruling in match.rulings if ruling.kind == "move"]
    assert len(placed_ms & set(moved_ms)) > len(moved_ms) / 2
    done = {type(act).__name__ for _, act in match.acts}
    assert done >= {"Lift", "Turn", "Seat", "TakeRing", "DropRing", "PickRing", "ReturnRing", "Hover", "Leave", "Knock"}


def test_the_comparison_fails_where_a_glass_is_carried_too_low_for_too_long() -> None:
    """What the other tests rest on can fail: held over a socket for longer than its settle time, a glass is placed."""
    low = Tempo(carry=(900, 1_500), hover=(200, 350), hover_chance=1.0)
    differing = 0
    for seed in range(4):
        match = Match(seed, level=1, tempo=low)
        match.play(until=lambda match: match.board.now_ms > 120_000)
        differing += violations(match) != intended(match)
    assert differing


def test_a_board_swept_clean_is_set_up_again_and_the_game_goes_on() -> None:
    match = Match(2, level=1)
    match.play(until=lambda match: match.board.now_ms > 60_000 and match.session.snapshot().phase == "to_move")
    now_ms = max(match.board.now_ms, *(match.hands.free_at_ms(side) for side in PLAYERS))
    foreseen = match.board.foreseen()
    standing = {name: str(foreseen.glasses[name].socket) for name in GLASSES if foreseen.glasses[name].socket}
    up = {name: foreseen.glasses[name].up for name in GLASSES}
    match.hands.sweep("black", now_ms)
    ends_ms = match.hands.set_up("black", now_ms + 3_000, standing, up)[-1].ends_ms
    for player in match.table.players:
        player.wakes_at_ms = ends_ms + 2_000
    before = len([ruling for ruling in match.rulings if ruling.kind == "move"])
    match.play()
    assert match.is_over
    assert len([ruling for ruling in match.rulings if ruling.kind == "move"]) > before
    assert not [ruling for ruling in match.rulings if ruling.kind == "violation"]


def test_clumsiness_is_a_probability() -> None:
    match = Match(1, level=1)
    with pytest.raises(ValueError, match="a probability from 0 to 1, not 2"):
        AutoPlayer("red", match.hands, 1, clumsy=2)


@pytest.mark.parametrize(
    "text", ["bouncy@socket:D2", "bouncy@tilt:R2", "weak@socket:D3", "weak@socket:E4", "weak@tilt:B1"]
)
def test_contacts_that_bounce_or_flicker_change_no_ruling(text: str) -> None:
    for seed in range(3):
        match = Match(seed, level=2, clumsy=0.1)
        match.board.switch_on(fault_from_text(text))
        match.play()
        assert match.is_over
        assert violations(match) == intended(match)


@pytest.mark.parametrize(
    "text",
    [
        "stuck-closed@socket:D3",
        "stuck-open@socket:C3",
        "noisy@socket:D5",
        "noisy@tilt:R1",
        "missed-turning@tilt:R2",
        "strong-magnet@D2+D3",
        "stuck-closed@button:arbiter",
    ],
)
def test_players_cope_with_sensors_that_lie(text: str) -> None:
    """Whatever the referee then says, nothing breaks, and the board stays possible."""
    match = Match(4, level=3, clumsy=0.1)
    match.play(until=lambda match: match.board.now_ms > 30_000)
    match.board.switch_on(fault_from_text(text))
    match.play(longest_ms=150_000)
    assert match.is_over or match.board.now_ms >= 150_000
    for player in PLAYERS:
        assert match.board.truth.rings_of(player) == RINGS_PER_SIDE
