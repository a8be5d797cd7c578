"""Every ruling there is can be explained: its edges, its windows, its rule with a source, and the sand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from tamsk_pi.explain.explanation import explanation_of
from tamsk_pi.explain.moment import Moment
from tamsk_pi.referee.rulings import RULING_KINDS, VIOLATION_CODES
from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.runner.speech import words_for
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.explaining import Explainer
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.signals.rulebook import RULES
from tamsk_pi.trace import record_json
from tests.explain.scenes import END_MS, Scene, all_scenes
from tests.signals.emitted import rulings

GAME_REASONS = ("rings", "tie_break", "last_ring", "full_socket", "resigned", "agreed", "arbiter")
SENSED = ("move", "ring", "fault", "fault_cleared", "timer_started", "timeout", "forfeit", "glass_stopped")


@cache
def played() -> list[Scene]:
    scenes = all_scenes()
    for scene in scenes:
        scene.says(END_MS)
    return scenes


@cache
def moments() -> list[tuple[Moment, Settings]]:
    return [(moment, scene.settings) for scene in played() for moment in scene.moments]


def explain(moment: Moment, settings: Settings, language: Language = "en") -> dict[str, Any]:
    return explanation_of(moment, Explainer(words_for(settings, language)))


def key_of(moment: Moment) -> str:
    code = moment.ruling.get("code")
    return f"{moment.ruling.kind}:{code}" if code else moment.ruling.kind


def test_the_scenes_bring_about_every_ruling() -> None:
    """Every kind, every violation's code, every code that the core spells out, every end."""
    told = {key_of(moment) for moment, _ in moments()}
    assert {f"violation:{code}" for code in VIOLATION_CODES} <= told
    assert rulings() - {"violation"} <= told
    assert {moment.ruling.kind for moment, _ in moments()} == set(RULING_KINDS)
    assert {m.ruling.get("reason") for m, _ in moments() if m.ruling.kind == "game_over"} == set(GAME_REASONS)


def test_every_ruling_is_kept_with_its_number() -> None:
    for scene in played():
        assert [m.ruling for m in scene.moments] == scene.rulings
        assert [m.number for m in scene.moments] == list(range(1, len(scene.rulings) + 1))


def test_every_explanation_is_plain_json_with_rule_and_sand() -> None:
    for moment, settings in moments():
        told = explain(moment, settings)
        assert json.loads(json.dumps(told)) == told
        assert told["ruling"] == moment.ruling.as_json()
        assert told["rules"], key_of(moment)
        assert all(rule["source"] and rule["origin"] for rule in told["rules"])
        assert set(told["sand"]) == {*GLASSES, TIMER}
        assert all(glass["left_ms"] >= 0 for glass in told["sand"].values())


def test_the_edges_are_the_traces_own() -> None:
    """Nothing is told that was not sensed; what was sensed is told where a ruling came of it."""
    for scene in played():
        lines = [record_json(record, scene.settings) for record in scene.records]
        for moment in scene.moments:
            edges = [without_text(edge) for edge in explain(moment, scene.settings)["edges"]]
            assert all(edge in lines for edge in edges), key_of(moment)
            by_word = any("arbiter" in edge for edge in edges)
            if moment.ruling.kind in SENSED and not by_word:
                assert edges, (key_of(moment), moment.ruling)


def without_text(line: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in line.items() if key != "text"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_explanation_has_words(language: Language) -> None:
    """No blank is left open, nothing of how the program calls things is left in it."""
    for moment, settings in moments():
        for text in texts(explain(moment, settings, language)):
            assert text, key_of(moment)
            assert "?" not in text, text
            assert "{" not in text, text
            assert "None" not in text, text


def texts(value: object) -> list[str]:
    """Every text that is for reading, wherever in an explanation it stands."""
    if isinstance(value, Mapping):
        own = [str(v) for k, v in value.items() if k in ("text", "turn", "origin")]
        return own + [text for part in value.values() for text in texts(part)]
    return [text for part in value for text in texts(part)] if isinstance(value, list) else []


def test_every_rule_of_the_book_decides_something() -> None:
    """A rule that nothing rests on would be a rule that the referee does not know."""
    used = {rule["key"] for moment, settings in moments() for rule in explain(moment, settings)["rules"]}
    assert used == set(RULES)


def one(scene: Scene, code: str) -> dict[str, Any]:
    scene.says(END_MS)
    (moment,) = (m for m in scene.moments if code in (m.ruling.get("code"), m.ruling.kind))
    return explain(moment, scene.settings)


def lines_of(explanation: Mapping[str, Any]) -> list[tuple[object, ...]]:
    return [tuple(without_text(edge).values()) for edge in explanation["edges"]]


def test_a_move_rests_on_lift_turning_and_placing_and_on_their_settle_times() -> None:
    scene = Scene()
    scene.lift(1_000, "D1").turn(1_200, "R2").place(1_600, "D2").lift(1_605, "D2").place(1_611, "D2")
    told = one(scene, "move")
    assert lines_of(told) == [
        (1_000, "D1", False),
        (1_200, "R2", "b"),
        (1_600, "D2", True),
        (1_605, "D2", False),
        (1_611, "D2", True),
    ]
    settled = [w for w in told["waits"] if w["what"] == "settle"]
    assert [(w["input"], w["from_ms"], w["until_ms"]) for w in settled] == [
        ("D1", 1_000, 1_120),
        ("R2", 1_200, 1_350),
        ("D2", 1_600, 1_731),
    ]
    assert [(w["from_ms"], w["until_ms"]) for w in told["waits"] if w["what"] == "flip_grace"] == [(500, 2_100)]
    assert told["glass"]["turned"] is True
    assert told["to_move"] == "red"


def test_a_stopped_glass_is_told_with_the_sand_it_had_when_it_was_lifted() -> None:
    """Whether a glass still runs is judged when it is lifted."""
    (scene,) = (s for s in played() if any(m.ruling.get("code") == "stopped_glass" for m in s.moments))
    (moment,) = (m for m in scene.moments if m.ruling.get("code") == "stopped_glass")
    told = explain(moment, scene.settings)
    assert told["glass"]["left_at_lift_ms"] == 0
    assert told["glass"]["might_move"] is False
    assert told["sand"]["R2"]["state"] == "out"
    assert {"what": "tolerance", "ms": 1_000}.items() <= told["waits"][-1].items()


def test_a_timeout_rests_on_the_edge_that_turned_the_timer() -> None:
    scene = Scene(3)
    scene.turn(1_000, "N")
    told = one(scene, "timeout")
    assert lines_of(told) == [(1_000, "N", "b")]
    (window,) = (w for w in told["waits"] if w["what"] == "timer")
    assert (window["player"], window["from_ms"], window["until_ms"]) == ("red", 1_000, 16_000)


def test_the_sand_is_as_it_was_just_before_the_ruling() -> None:
    """The timer that was turned too soon is told with what was left in it then."""
    scene = Scene(3)
    scene.turn(1_000, "N").turn(4_000, "N")
    assert one(scene, "timer_running")["sand"]["N"]["left_ms"] == 12_000


def test_a_ring_that_is_not_due_is_told_with_the_rights_that_were_open() -> None:
    scene = Scene()
    scene.carry(1_000, "R2", "D1", "D2").ring(1_500, "D3")
    (right,) = (w for w in one(scene, "ring_not_due")["waits"] if w["what"] == "move")
    assert (right["player"], right["socket"], right["from_ms"], right["until_ms"]) == ("red", "D2", 1_000, 4_000)
    nothing = Scene()
    nothing.ring(1_000, "D4")
    assert [w["what"] for w in one(nothing, "ring_not_due")["waits"]] == ["settle", "no_right"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_forfeit_costs_is_told_by_the_edition_that_is_played(edition: str) -> None:
    scene = Scene(3, rules=edition)
    scene.turn(1_000, "N")
    rule = one(scene, "forfeit")["rules"][1]
    assert (
        rule["key"]
        == {
            "rulebook": "forfeit.penalty",
            "wikipedia": "forfeit.nothing",
            "schmidt1998": "forfeit.skip",
        }[edition]
    )


# -- the edge on which a dispute hangs


def test_a_timeout_of_a_turn_that_had_begun_rests_on_the_lift_too() -> None:
    scene = Scene(3)
    scene.turn(1_000, "N").lift(15_990, "D1")
    told = one(scene, "timeout")
    assert told["ruling"]["begun"] is True
    assert lines_of(told) == [(1_000, "N", "b"), (15_990, "D1", False)]
    assert (told["glass"]["glass"], told["glass"]["lifted_ms"], told["glass"]["to"]) == ("R2", 15_990, None)
    (window,) = (w for w in told["waits"] if w["what"] == "timer")
    assert (window["from_ms"], window["until_ms"]) == (1_000, 16_000)


def test_a_turn_that_had_begun_with_a_glass_set_down_wrongly_rests_on_its_handling() -> None:
    scene = Scene(3)
    scene.turn(1_000, "N").carry(3_000, "R2", "D1", "D3")
    told = one(scene, "timeout")
    assert told["ruling"]["begun"] is True
    assert lines_of(told)[0] == (1_000, "N", "b")
    assert (3_000, "D3", True) in lines_of(told)
    assert told["glass"]["to"] == "D3"


def test_a_timer_turned_again_while_it_runs_is_told_with_the_turning_that_armed_it() -> None:
    """What was armed stands, so the timeout rests on the first turning; the fault on both."""
    scene = Scene(3)
    scene.turn(1_000, "N").turn(4_000, "N")
    assert lines_of(one(scene, "timer_running")) == [(1_000, "N", "b"), (4_000, "N", "a")]
    (timeout,) = (m for m in scene.moments if m.ruling.kind == "timeout")
    assert lines_of(explain(timeout, scene.settings)) == [(1_000, "N", "b")]


@pytest.mark.parametrize("level", [1, 2])
def test_a_claimed_ring_is_told_with_the_move_that_opened_the_claim_and_when_it_did(level: int) -> None:
    scene = Scene(level).carry(1_000, "R2", "D1", "D2", turned=level > 1)
    if level == 1:
        # The side that holds a glass of its own drops a ring there, and then moves.
        scene.lift(4_200, "D7")
    scene.ring(4_500, "D2")
    told = one(scene, "ring")
    assert told["ruling"]["reason"] == "claim"
    assert {(1_000, "D2", True), (4_500, "D2", 1)} <= set(lines_of(told))
    (opened,) = (w for w in told["waits"] if w["what"] == "opened")
    assert (opened["player"], opened["socket"], opened["from_ms"]) == ("red", "D2", 1_000)
    assert opened["text"] == "Red moved to D2 at 00:01.000: that move opened the ring right."
    (claim,) = (w for w in told["waits"] if w["what"] == "claim")
    assert (claim["player"], claim["from_ms"], claim["until_ms"]) == ("black", 4_000, None)
    assert claim["text"].endswith("(from 00:04.000 on)")


def test_a_ring_that_comes_too_late_is_told_with_the_rights_that_it_missed() -> None:
    scene = Scene(2).carry(1_000, "R2", "D1", "D2").carry(5_000, "B2", "D7", "D6").ring(6_000, "D2")
    waits = one(scene, "ring_not_due")["waits"]
    told = [(w["what"], w["player"], w["socket"], w["from_ms"], w.get("until_ms")) for w in waits if "socket" in w]
    assert ("opened", "red", "D2", 1_000, None) in told
    assert ("move", "red", "D2", 1_000, 4_000) in told
    assert ("claim", "black", "D2", 4_000, 5_000) in told


def test_a_second_ring_is_told_with_the_right_that_the_first_has_used() -> None:
    scene = Scene(2).carry(1_000, "R2", "D1", "D2").ring(2_000, "D2").ring(3_000, "D2", 2)
    told = one(scene, "ring_not_due")
    assert [(w["from_ms"], w["until_ms"]) for w in told["waits"] if w["what"] == "move"] == [(1_000, 2_000)]


def test_a_penalty_ring_is_told_with_the_timeout_it_is_owed_for_and_the_move_that_opened_it() -> None:
    (scene,) = (
        s for s in played() if s.settings.level == 3 and any(m.ruling.get("reason") == "penalty" for m in s.moments)
    )
    (moment,) = (m for m in scene.moments if m.ruling.get("reason") == "penalty")
    told = explain(moment, scene.settings)
    assert (1_000, "N", "b") in lines_of(told)
    (opened,) = (w for w in told["waits"] if w["what"] == "opened")
    assert {(opened["from_ms"], opened["socket"], True), (6_000, "D4", 1)} <= set(lines_of(told))


def test_another_glass_to_be_put_back_first_is_told_with_how_it_came_to_be() -> None:
    (scene,) = (s for s in played() if any(m.ruling.get("code") == "must_mend" for m in s.moments))
    (moment,) = (m for m in scene.moments if m.ruling.get("code") == "must_mend" and m.ruling.kind == "violation")
    told = explain(moment, scene.settings)
    assert {(1_000, "D3", True), (2_000, "A3", True)} <= set(lines_of(told))


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_level_1_nothing_is_run_out(language: Language) -> None:
    at_level_1 = [(m, s.settings) for s in played() if s.settings.level == 1 for m in s.moments]
    assert at_level_1
    for moment, settings in at_level_1:
        told = explain(moment, settings, language)
        assert not {glass["state"] for name, glass in told["sand"].items() if name != TIMER} & {"stopped", "out"}
        assert told["glass"] is None or told["glass"]["left_at_lift_ms"] is None
        assert told["glass"] is None or "0 ms" not in told["glass"]["text"]


def test_a_silent_cap_is_told_with_what_was_heard_of_it() -> None:
    scene = Scene()
    scene.records += [Edge(1_000, "cap", "R2", False), Edge(9_000, "cap", "R2", "a")]
    scene.says(END_MS)
    told = [explain(m, scene.settings) for m in scene.moments if m.ruling.get("code") == "cap_silent"]
    assert [lines_of(it) for it in told] == [[(1_000, "R2", False)], [(9_000, "R2", True, "a")]]
