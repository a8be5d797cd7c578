"""Every ruling is told in whole sentences, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_pi.commands.replay import rulings_of
from tamsk_pi.referee.rulings import RULING_KINDS, VIOLATION_CODES, Ruling
from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.session import Session
from tamsk_pi.signals.language import LANGUAGES, Language, chosen_language, language_of
from tamsk_pi.signals.names import Namer
from tamsk_pi.signals.sentences import REFUSALS, SENTENCES
from tamsk_pi.signals.words import Words, keys_for
from tamsk_pi.trace import TraceReader
from tests.core.edges_strategy import games
from tests.signals import emitted

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.trace.jsonl"))
SENTENCE = re.compile(r"^[A-ZÄÖÜÁÉÍÓÚ¡¿0-9“„«].*[.”“»]$")
PUT_BACK = {"code": "not_adjacent", "player": "black", "glass": "B3", "to": "E3"}


def assert_is_well_said(text: str) -> None:
    """Whole sentences without a blank that was left open."""
    assert SENTENCE.match(text), text
    assert not re.search(r"\?|[{}_]|\bNone\b|  ", text), text
    for part in re.split(r"(?<=\.) ", text):
        assert not part[0].islower(), text


def assert_all_are_well_said(rulings: Iterable[Ruling]) -> int:
    told = 0
    for ruling in rulings:
        for language in LANGUAGES:
            assert_is_well_said(Words({}, language).say(ruling))
        told += 1
    return told


# -- completeness


def test_everything_that_the_core_says_has_a_sentence_of_its_own() -> None:
    known = set(SENTENCES)
    for said in emitted.rulings():
        kind = said.split(":")[0]
        if kind in ("violation", "resolved"):
            continue
        assert any(key == said or key.startswith(f"{said}.") for key in known), said


def test_every_violation_and_every_kind_has_a_sentence() -> None:
    for code in VIOLATION_CODES:
        assert f"violation:{code}" in SENTENCES
    kinds = {re.split(r"[:.]", key)[0] for key in SENTENCES}
    assert set(RULING_KINDS) <= kinds


def test_every_reason_for_a_refusal_is_known() -> None:
    assert emitted.refusals() == set(REFUSALS)


def test_every_sentence_can_be_asked_for() -> None:
    def asked(kind: str, **details: object) -> set[str]:
        return set(keys_for(Ruling(0, kind, details)))

    found = {"ready", "started", "timer_started", "forfeit", "pass", "skip", "glass_stopped", "resumed"}
    found |= asked("started", player="black")
    found |= asked("move", **{"from": "D1"}) | asked("move", **{"from": None})
    found |= {key for reason in ("move", "claim", "penalty") for key in asked("ring", reason=reason)}
    found |= asked("timeout", begun=True) | asked("timeout", begun=False)
    for reason in ("rings", "tie_break", "last_ring", "full_socket", "resigned", "agreed", "arbiter"):
        found |= asked("game_over", reason=reason, winner="red") | asked("game_over", reason=reason, winner=None)
    for code in VIOLATION_CODES:
        found |= asked("violation", code=code) | asked("violation", code=code, home=None)
        found |= asked("violation", code=code, home="D1", socket="D2")
        for where in ({"socket": "D2"}, {"player": "red"}, {"glass": "R1"}, {}):
            found |= asked("resolved", code=code, **where)
    found |= asked("paused", reason="link") | asked("paused", reason="arbiter")
    found |= asked("notice", code="glass_corrected", state="stopped", glass="R1")
    found |= asked("notice", code="glass_corrected", state="running", glass="R1")
    found |= asked("notice", code="penalty_corrected", given=True) | asked("notice", code="penalty_corrected")
    found |= asked(
        "notice", code="unobserved", opened=["D1"], closed=["D2"], turned=["R1"], rings={"D2": 1}, holders={"red": 1}
    )
    for what in ("move", "claim", "penalty", "timer"):
        found |= asked("notice", code="lapsed", what=what)
    found |= asked("ring", reason="claim", instead_of="red")
    for code in ("impossible_count", "held_from_start", "wire"):
        found |= asked("fault", code=code) | asked("fault_cleared", code=code)
    found |= {key for said in emitted.rulings() for kind, _, code in [said.partition(":")] if code
              for key in asked(kind, code=code)}  # fmt: skip
    assert set(SENTENCES) <= found


# -- what is said


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name.split(".")[0])
def test_every_ruling_of_the_cases_is_well_said(case: Path) -> None:
    with case.open("rb") as stream:
        assert assert_all_are_well_said(rulings_of(TraceReader(stream))) > 1


@settings(max_examples=100, deadline=None)
@given(games())
def test_every_ruling_on_any_edges_is_well_said(game: tuple[object, list[object]]) -> None:
    of, edges = game
    session = Session(of)  # type: ignore[arg-type]
    said = [r for edge in edges for r in session.feed(edge)]  # type: ignore[arg-type]
    assert_all_are_well_said([*said, *session.advance(session.now_ms + 60_000)])


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = [
    *("code", "player", "glass", "to", "from", "home", "socket", "sockets", "glasses", "count", "reason", "winner"),
    *("red", "black", "kind", "input", "verdict", "state", "given", "opened", "turned", "rings", "word", "begun"),
]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(RULING_KINDS) | st.text(max_size=6),
    st.dictionaries(st.sampled_from(KEYS), ANYTHING | st.sampled_from(VIOLATION_CODES), max_size=8),
    st.sampled_from(LANGUAGES),
)
def test_words_are_found_for_whatever_a_ruling_holds(kind: str, details: dict[str, object], of: Language) -> None:
    text = Words({}, of).say(Ruling(0, kind, details))
    assert text or not kind


def test_a_glass_that_has_no_home_known_is_put_back_where_it_came_from() -> None:
    words = Words()
    said = "The right black hourglass (B3) was placed on E3, which does not touch "
    assert words.say(Ruling(0, "violation", PUT_BACK)) == (
        f"{said}the socket it came from. Put it back where it came from."
    )
    assert words.say(Ruling(0, "violation", {**PUT_BACK, "home": "G1"})) == f"{said}G1. Put it back on G1."
    off_board = words.say(Ruling(0, "violation", {**PUT_BACK, "home": None}))
    assert off_board.endswith("Take it off the board again.")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Lin moves the middle red hourglass (R2) from D1 to D2."),
        ("de", "Lin zieht die mittlere rote Sanduhr (R2) von D1 nach D2."),
        ("es", "Lin mueve el reloj de arena rojo del medio (R2) desde D1 hasta D2."),
    ],
)
def test_a_move_in_every_language(language: Language, said: str) -> None:
    move = Ruling(0, "move", {"player": "red", "glass": "R2", "from": "D1", "to": "D2"})
    assert Words({"red": "Lin"}, language).say(move) == said


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "Rot lässt einen Ring auf D4 fallen. Dort liegt jetzt 1 Ring."),
        (3, "Rot lässt einen Ring auf D4 fallen. Dort liegen jetzt 3 Ringe."),
    ],
)
def test_rings_are_counted_in_the_right_form(count: int, said: str) -> None:
    ring = Ruling(0, "ring", {"player": "red", "socket": "D4", "count": count, "reason": "move"})
    assert Words({}, "de").say(ring) == said


def test_the_winner_and_the_loser_are_named() -> None:
    over = {"winner": "black", "reason": "resigned", "red": 4, "black": 7}
    said = Words({"red": "Ada", "black": ""}).say(Ruling(0, "game_over", over))
    assert said == "Black wins, as Ada resigns. Rings left: Ada 4, Black 7."


def test_a_verdict_that_is_annulled_is_quoted() -> None:
    verdict = {"t": 3, "ruling": "violation", **PUT_BACK, "home": "G1"}
    annulled = Ruling(9, "notice", {"code": "annulled", "verdict": verdict})
    assert Words().say(Ruling(0, "violation", {**PUT_BACK, "home": "G1"})) in Words().say(annulled)


def test_a_verdict_within_a_verdict_is_not_followed_for_ever() -> None:
    verdict: dict[str, object] = {"ruling": "notice", "code": "annulled"}
    verdict["verdict"] = verdict
    assert Words().say(Ruling(0, "notice", {"code": "annulled", "verdict": verdict}))


# -- names


def test_glasses_placed_freely_are_not_told_apart_by_corners_they_never_stood_on() -> None:
    stopped = Ruling(0, "glass_stopped", {"glass": "B2"})
    assert Words(by_place=True).say(stopped) == "The middle black hourglass (B2) has run out."
    assert Words(by_place=False).say(stopped) == "The black hourglass B2 has run out."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("by_place", [True, False])
def test_every_glass_has_a_name_of_its_own(language: Language, by_place: bool) -> None:
    words = Words({}, language, by_place)
    names = {words.namer.glass(glass) for glass in (*GLASSES, TIMER)}
    assert len(names) == 7
    assert all(any(glass in name for name in names) for glass in GLASSES)


def test_a_name_can_neither_steer_a_terminal_nor_break_a_line() -> None:
    named = Words({"red": "  Eve\x1b[2J\n\u202e{winner}\t "}).say(Ruling(0, "pass", {"player": "red"}))
    assert named == "Eve [2J {winner} cannot move and passes."
    assert Words({"red": "\n\t"}).say(Ruling(0, "pass", {"player": "red"})) == "Red cannot move and passes."


@given(st.text(max_size=40))
def test_whatever_a_player_is_called_stands_on_one_printable_line(name: str) -> None:
    said = Words({"black": name}).say(Ruling(0, "forfeit", {"player": "black"}))
    assert said.isprintable()
    assert said.endswith(" forfeits this turn.")


def test_a_sensor_is_called_by_what_it_watches() -> None:
    namer: Namer = Words({"red": "Ada"}).namer
    assert namer.sensor("tilt", "R2") == "the tilt sensor of R2"
    assert namer.sensor("holder", "red") == "the ring holder of Ada"
    assert namer.sensor("odd", "X") == "odd X"


# -- which language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "es_ES.UTF-8"}, "es"),
        ({"LANG": "de_DE", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LANG": "en_US", "LANGUAGE": "fr:de:en"}, "de"),
        ({"LANG": "de_DE", "LANGUAGE": ""}, "de"),
        ({"LANG": "destroy"}, "en"),
        ({"LANG": "de@euro"}, "de"),
    ],
)
def test_the_locale_chooses_the_language(environment: dict[str, str], language: Language) -> None:
    assert language_of(environment) == language
    assert chosen_language("auto", environment) == language
    assert chosen_language(None, environment) == language


def test_what_is_asked_for_goes_over_the_locale() -> None:
    assert chosen_language("es", {"LANG": "de_DE"}) == "es"
    with pytest.raises(ValueError, match="'fr' is not spoken here; allowed: auto, en, de, es"):
        chosen_language("fr", {})
