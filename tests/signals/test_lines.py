"""What the page tells in finished lines: of the very glass or socket, the remedy once, and nothing after the end."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from tamsk_pi.referee.words import Word
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.signals.lines import Scene, lines_of
from tamsk_pi.signals.ring_due import ring_due
from tests.signals.stage import lift, place, turn


class Told:
    """A session that is fed, and what is told of it."""

    def __init__(self, level: int = 1, **settings: Any) -> None:
        self.session = Session(Settings(level=level, **settings))
        self.rulings = list(self.session.advance(0))

    def feed(self, *edges: Edge) -> Told:
        for edge in edges:
            self.rulings += self.session.feed(edge)
        return self

    def say(self, t_ms: int, what: str, **details: object) -> Told:
        self.rulings += self.session.say(Word(t_ms, what, details))
        return self

    def at(self, t_ms: int) -> Told:
        self.rulings += self.session.advance(t_ms)
        return self

    def scene(self, **more: Any) -> Scene:
        rings = self.session.settings.rings
        return Scene(snapshot=self.session.snapshot(), rulings=self.rulings, ring_mode=rings, **more)

    def lines(self, language: Language = "en", **more: Any) -> dict[str, Any]:
        return lines_of(self.scene(**more), language)

    def hints(self, kind: str, **more: Any) -> list[str]:
        found = [line for line in self.lines(**more)["hints"] if line["kind"] == kind]
        return [" ".join([line["text"], *([line["mend"]] if "mend" in line else [])]) for line in found]


def two_glasses_astray() -> Told:
    """R2 on D3 and R3 on G2; then R3 is put back."""
    return Told().feed(lift(1_000, "D1"), place(2_000, "D3"), lift(3_000, "G4"), place(4_000, "G2")).at(5_000)


def test_each_violation_is_told_in_its_own_words() -> None:
    told = two_glasses_astray()
    both = told.hints("wrong")
    assert len(both) == 2
    assert "(R2)" in both[0]
    assert both[0].endswith("Put it back on D1.")
    assert "(R3)" in both[1]
    assert both[1].endswith("Put it back on G4.")
    told.feed(lift(6_000, "G2"), place(7_000, "G4")).at(8_000)
    assert told.hints("wrong") == both[:1]


def test_of_two_rings_that_are_not_due_the_one_that_lies_is_told() -> None:
    told = Told().feed(Edge(1_000, "ring", "C4", 1), Edge(2_000, "ring", "F3", 1)).at(3_000)
    assert told.hints("wrong") == [
        "No ring is due on C4. Take it off again.",
        "No ring is due on F3. Take it off again.",
    ]
    told.feed(Edge(4_000, "ring", "F3", 0)).at(5_000)
    assert told.hints("wrong") == ["No ring is due on C4. Take it off again."]


def test_two_holders_are_told_apart() -> None:
    # One ring of each side may be in a hand already.
    edges = [Edge(1_000, "holder", "red", 31), Edge(1_500, "holder", "red", 30)]
    edges += [Edge(2_000, "holder", "black", 31), Edge(2_500, "holder", "black", 30)]
    told = Told(rings="holder").feed(*edges).at(3_000)
    both = told.hints("wrong")
    assert len(both) == 2
    assert "Red" in both[0]
    assert "Black" in both[1]
    told.feed(Edge(4_000, "holder", "black", 31)).at(5_000)
    assert told.hints("wrong") == both[:1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_remedy_is_told_once(language: Language) -> None:
    told = two_glasses_astray()
    for line in told.lines(language)["hints"]:
        assert line["text"].count("D1") + line["text"].count("G4") <= 1
        assert line["mend"] not in line["text"]
        said = [ruling for ruling in told.rulings if ruling.kind == "violation"]
        assert len(said) == 2


def test_a_violation_that_no_ruling_told_has_words_too() -> None:
    told = two_glasses_astray()
    scene = attrs.evolve(told.scene(), rulings=())
    wrong = [line for line in lines_of(scene, "en")["hints"] if line["kind"] == "wrong"]
    assert [line["mend"] for line in wrong] == ["Put it back on D1.", "Put it back on G4."]
    assert "(R2) was placed on D3" in wrong[0]["text"]


def test_after_the_end_nothing_asks_for_mending() -> None:
    told = two_glasses_astray().feed(Edge(8_500, "ring", "C4", 1)).at(9_000)
    assert len(told.hints("wrong")) == 3
    told.say(10_000, "end", winner=None).at(11_000)
    assert told.session.snapshot().phase == "over"
    lines = told.lines()
    assert lines["hints"] == []
    assert lines["turn"] == "A draw by the arbiter's word"
    assert lines["presses"]["red"] == {"now": "Nothing any more: the game is over.", "held": ""}


def test_a_game_that_is_not_kept_is_judged_all_the_same() -> None:
    unkept = "the game is not being kept: No space left on device"
    told = Told()
    (line,) = told.hints("fault", problem=unkept, unkept=unkept)
    assert line == "Nothing is kept of this game: No space left on device. Everything is judged all the same."
    assert told.hints("fault", problem="the board is not heard") == ["Not watching: the board is not heard."]


def test_a_timer_that_is_turned_while_something_is_wrong_gets_a_word() -> None:
    told = Told(3).feed(lift(1_000, "D1"), turn(1_400, "R2"), place(2_000, "D3")).at(4_000)
    assert told.hints("note") == []
    told.feed(turn(5_000, "N")).at(6_000)
    (line,) = told.hints("note")
    assert line.startswith("The timer's sand runs against nobody")
    hint = next(line for line in told.lines()["hints"] if line["kind"] == "note")
    assert hint["closes"] == 20_000


def test_level_1_tells_nothing_of_sand() -> None:
    assert {line["empty"] for name, line in Told(1).lines()["glasses"].items() if name != "N"} == {""}


def test_a_glass_that_ran_empty_without_a_move_may_still_move() -> None:
    """Turned over far away and back again: its sand runs through, but it has not moved."""
    told = Told(2).feed(lift(1_000, "A4"), turn(1_300, "R1"), place(2_000, "D4"), lift(4_000, "D4"))
    told.feed(turn(4_300, "R1", "a"), place(5_000, "A4")).at(30_000)
    glasses = told.lines()["glasses"]
    assert glasses["R1"]["empty"] == "empty, not moved yet"
    assert glasses["R3"]["empty"] == "unmoved"


# -- rings


def due(told: Told, missing: dict[str, Any] | None = None) -> dict[str, str]:
    return dict(ring_due(told.session.snapshot(), missing or {}))


def test_the_ring_of_a_move_and_of_its_claim() -> None:
    told = Told(2).feed(lift(1_000, "D1"), turn(1_300, "R2"), place(2_000, "D2")).at(3_000)
    assert due(told) == {"D2": "red"}
    assert due(told.at(6_000)) == {"D2": "black"}


def test_a_ring_that_was_taken_off_goes_back_as_it_was() -> None:
    told = Told(1).feed(lift(1_000, "D1"), place(2_000, "D2"), Edge(3_000, "ring", "D2", 1)).at(4_000)
    told.feed(Edge(5_000, "ring", "D2", 0)).at(6_000)
    assert told.session.snapshot().to_move == "black"
    assert due(told, {"D2": "red"}) == {"D2": "red"}


def test_a_penalty_ring_may_go_anywhere() -> None:
    told = Told(3).say(1_000, "penalty", side="red", given=True)
    told.feed(lift(2_000, "D1"), turn(2_300, "R2"), place(3_000, "D2"), Edge(3_600, "ring", "D2", 1)).at(5_000)
    assert due(told) == {"": "red"}


def test_with_buttons_the_page_says_that_one_is_to_be_pressed() -> None:
    told = Told(1, rings="buttons").feed(lift(1_000, "D1"), place(2_000, "D2")).at(3_000)
    (line,) = told.hints("right")
    assert line == "Red may drop a ring on D2 and then presses its button, which makes it count."
    presses = told.lines()["presses"]
    assert presses["red"]["now"] == "Short: drops the ring on D2."
    assert presses["black"]["now"] == "Short: asks to pass."
    assert told.hints("right", helps=False) == []


def test_the_arbiters_button_says_what_it_does_now() -> None:
    told = Told()
    assert told.lines()["presses"]["arbiter"]["now"].startswith("Short: pause.")
    assert told.say(1_000, "pause").at(2_000).lines()["presses"]["arbiter"]["now"].startswith("Short: go on.")


# -- names, and a set-up position


POSITION = "0000r/00b000/000000/010r1000b/000000/0000r0/0b000 b 31 31"


def test_names_that_are_corrected_are_used_at_once() -> None:
    told = Told(red="Adda").say(1_000, "names", red="Ada").at(2_000)
    assert told.lines()["turn"] == "Red (Ada) to move"
    assert told.lines()["sides"] == {"red": "Ada", "black": "Black"}


def test_a_game_from_a_set_up_position() -> None:
    settings = Settings(level=1, position=POSITION)
    told = Told(position=POSITION, occupied=tuple(sorted(settings.begins_with.glasses.values())))
    assert [ruling.kind for ruling in told.rulings] == ["ready", "started"]
    assert told.lines()["turn"] == "Black to move"
    snapshot = told.session.snapshot()
    assert {s: n for s, n in snapshot.rings.items() if n} == {"D2": 1, "D4": 1}
    assert dict(snapshot.rings_left) == {"red": 31, "black": 31}
    told.feed(lift(1_000, "B2"), place(2_000, "B3"), Edge(3_000, "ring", "B3", 1)).at(4_000)
    assert [ruling.kind for ruling in told.rulings[2:]] == ["move", "ring"]


def test_a_board_that_differs_from_the_position_is_to_be_set_up() -> None:
    told = Told(position=POSITION).feed(Edge(500, "ring", "D2", 0)).at(1_000)
    wanted = set(told.hints("setup"))
    assert {"Put a glass on B2.", "Take the glass off D1.", "Put rings on D2."} <= wanted
