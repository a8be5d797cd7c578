"""What a picture looks like to the page."""

from __future__ import annotations

import json

import attrs

from tamsk_pi.clock import VirtualClock
from tamsk_pi.referee.ring_owners import ring_owners
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.web.source import GamePicture
from tamsk_pi.web.state import rulings_as_json, sections_of
from tests.web.scripted import ScriptedGame, plain_words


def picture() -> GamePicture:
    return ScriptedGame(VirtualClock()).picture()


def ring(socket: str, count: int, player: str) -> Ruling:
    return Ruling(0, "ring", {"player": player, "socket": socket, "count": count, "reason": "move"})


def test_sections_are_json_and_leave_the_clock_out() -> None:
    sections = sections_of(picture(), helps=True)
    assert json.loads(json.dumps(sections))["glasses"]["R2"]["socket"] == "D1"
    assert "now_ms" not in sections
    later = attrs.evolve(picture(), snapshot=attrs.evolve(picture().snapshot, now_ms=5))
    assert sections_of(later, helps=True) == sections


def test_targets_are_kept_from_a_page_that_must_not_help() -> None:
    assert sections_of(picture(), helps=True)["targets"]["R2"]
    assert sections_of(picture(), helps=False)["targets"] == {}


def test_rings_of_a_real_board_bear_the_owner_that_the_rulings_tell() -> None:
    real = attrs.evolve(
        picture(),
        board=None,
        snapshot=attrs.evolve(picture().snapshot, seen_rings={"D4": 3, "A1": 0}, rings={"D4": 3, "C3": 1}),
        rulings=(ring("D4", 1, "red"), Ruling(1, "pass", {"player": "red"}), ring("D4", 2, "black")),
    )
    sections = sections_of(real, helps=True)
    assert sections["rings"] == {"D4": ["red", "black", None]}
    assert sections["missing_rings"] == {"C3": 1}
    assert sections["holders"] == {"red": 32, "black": 32}


def test_a_ring_that_was_dropped_anew_belongs_to_the_last_who_did() -> None:
    assert ring_owners([ring("D4", 1, "red"), ring("D4", 1, "black")]) == {"D4": {1: "black"}}


def test_a_virtual_board_has_the_last_word_on_what_lies_where() -> None:
    game = ScriptedGame(VirtualClock())
    game.rings["D4"] = ("black", "red")
    shown = game.picture()
    believed = attrs.evolve(shown, snapshot=attrs.evolve(shown.snapshot, seen_rings={}))
    assert sections_of(believed, helps=True)["rings"] == {"D4": ["black", "red"]}


def test_rulings_carry_their_words() -> None:
    told = rulings_as_json([Ruling(7, "pass", {"player": "red"})], plain_words, "en")
    assert told == [{"t": 7, "ruling": "pass", "player": "red", "text": "pass red"}]
