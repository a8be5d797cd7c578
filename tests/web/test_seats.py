"""One seat a page: red, black, both, or looking on; and what each may do."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tamsk_pi.web import actions
from tamsk_pi.web.hands import HandsDesk, side_of
from tamsk_pi.web.hub import Hub, Viewer
from tests.web.scripted import plain_words
from tests.web.talk import opened


def desk() -> tuple[HandsDesk, list[int], Viewer, Viewer]:
    changes: list[int] = []
    hub = Hub(plain_words, mode="simulator", helps=True)
    return HandsDesk(lambda: changes.append(1)), changes, hub.join(), hub.join()


def test_each_action_is_of_one_side_or_of_either() -> None:
    assert side_of(actions.Lift("B2")) == "black"
    assert side_of(actions.Place("R1", "A3", turned=True)) == "red"
    assert side_of(actions.DropRing("black", "D4")) == "black"
    assert side_of(actions.PressButton("red", "short")) == "red"
    for either in (actions.PressButton("arbiter", "short"), actions.TurnTimer(), actions.TakeRing("D4")):
        assert side_of(either) is None


def test_whoever_acts_first_gets_both_hands() -> None:
    hands, changes, ada, lin = desk()
    assert hands.refusal(ada, "red") is None
    assert hands.refusal(ada, "black") is None
    assert hands.refusal(lin, "black") == "the hands are with another page; take them over first"
    assert len(changes) == 1


def test_a_seat_is_one_side() -> None:
    hands, _, ada, lin = desk()
    hands.take(ada, "Ada", "red")
    assert hands.refusal(ada, "black") == "this page plays red only"
    assert hands.refusal(lin, "red") == "the hands are with Ada; take them over first"
    assert hands.refusal(lin, "black") is None
    assert hands.holder("black") is lin
    assert hands.refusal(ada, "black") == "this page plays red only"
    assert hands.refusal(ada) is None


def test_what_either_may_do_takes_a_seat_that_is_free() -> None:
    hands, _, ada, lin = desk()
    hands.take(ada, "Ada", "black")
    assert hands.refusal(lin) is None
    assert hands.holder("red") is lin


def test_another_seat_gives_up_the_first_and_going_gives_up_both() -> None:
    hands, changes, ada, lin = desk()
    hands.take(ada, "Ada", "both")
    hands.take(lin, "Lin", "black")
    assert (hands.holder("red"), hands.holder("black")) == (ada, lin)
    hands.take(ada, "Ada", "black")
    assert (hands.holder("red"), hands.holder("black")) == (None, ada)
    assert not hands.has_any(lin)
    hands.release(ada)
    hands.release(ada)
    assert (hands.holder("red"), hands.holder("black")) == (None, None)
    assert len(changes) == 4


def test_two_pages_play_against_each_other(client: TestClient) -> None:
    with opened(client) as ada, opened(client) as lin:
        ada.say({"type": "take_hands", "name": "Ada", "seat": "red"})
        assert ada.wait_for("you", hands="yours")["seats"] == {"red": "yours", "black": "free"}
        lin.say({"type": "take_hands", "name": "Lin", "seat": "black"})
        told = lin.wait_for("you", hands="yours")
        assert told["seats"] == {"red": "theirs", "black": "yours"}
        assert told["holders"] == {"red": "Ada", "black": "Lin"}
        assert lin.act("lift", glass="R2")["reason"] == "this page plays black only"
        assert ada.act("lift", glass="R2")["ok"]
        ada.say({"type": "release_hands"})
        assert ada.wait_for("you", hands="free")["seats"] == {"red": "free", "black": "theirs"}


@pytest.mark.parametrize("seat", ["green", "", None, 1])
def test_there_is_no_other_seat(client: TestClient, seat: object) -> None:
    with opened(client) as page:
        page.say({"type": "take_hands", "name": "", "seat": seat})
        assert "must be one of both, red, black" in page.wait_for("refused")["reason"]


def test_names_are_corrected_in_mid_game(client: TestClient) -> None:
    with opened(client) as page:
        assert page.act("lift", glass="R2")["ok"]
        assert page.act("set_names", red="Mira", black="")["ok"]
        while (told := page.wait_for("state"))["sections"]["names"]["red"] != "Mira":
            pass
        assert told["said"]["turn"] == "Red (Mira) holds a glass"
        assert "printable" in _refused(page, {"do": "set_names", "red": "a\nb", "black": ""})


def test_a_position_that_is_none_is_refused_with_all_that_is_wrong(client: TestClient) -> None:
    with opened(client) as page:
        new = {"do": "new_game", "level": 1, "rules": "rulebook", "rings": "stack", "setup": "corners"}
        assert "must be 4" in _refused(page, {**new, "red": "", "black": "", "position": "0/0 r 32 32"})


def _refused(page: object, action: dict[str, object]) -> str:
    page.say({"type": "act", "id": 900, "action": action})  # type: ignore[attr-defined]
    return str(page.wait_for("refused")["reason"])  # type: ignore[attr-defined]
