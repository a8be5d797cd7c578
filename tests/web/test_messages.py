"""Every word a client may say is checked, and only its own form makes it acceptable."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.trace import TraceReader
from tamsk_pi.web import actions
from tamsk_pi.web.messages import HAND_ACTIONS, MESSAGE_BYTES, Act, Arbitrate, Hello, MessageError, MessageReader

HEADER = '{"format": "tamsk-trace", "version": 1, "level": 3}'
READER = MessageReader()

NEW_GAME: dict[str, object] = {
    "do": "new_game",
    "level": 3,
    "rules": "wikipedia",
    "rings": "holder",
    "setup": "free",
    "red": "Ada",
    "black": "",
}
GOOD: list[tuple[dict[str, object], object]] = [
    ({"do": "lift", "glass": "R1"}, actions.Lift("R1")),
    ({"do": "place", "glass": "B3", "socket": "D7", "turned": False}, actions.Place("B3", "D7", False)),
    ({"do": "place_between", "glass": "R1", "socket": "D1", "other": "D2"}, actions.PlaceBetween("R1", "D1", "D2")),
    ({"do": "put_back", "glass": "R2"}, actions.PutBack("R2")),
    ({"do": "turn_in_place", "glass": "R2"}, actions.TurnInPlace("R2")),
    ({"do": "drop_ring", "player": "black", "socket": "G4"}, actions.DropRing("black", "G4")),
    ({"do": "take_ring", "socket": "A1"}, actions.TakeRing("A1")),
    ({"do": "turn_timer"}, actions.TurnTimer()),
    ({"do": "press_button", "button": "arbiter", "press": "held"}, actions.PressButton("arbiter", "held")),
    (NEW_GAME, actions.NewGame(3, "wikipedia", "holder", "free", "Ada", "")),
    ({"do": "set_names", "red": "Ada", "black": ""}, actions.SetNames("Ada", "")),
    ({"do": "hint"}, actions.Hint()),
    ({"do": "lesson", "task": 3}, actions.Lesson(3)),
    ({"do": "set_fault", "fault": "weak", "socket": "C3", "on": True}, actions.SetFault("weak", "C3", True)),
    ({"do": "set_fault", "fault": "link_cut", "socket": None, "on": False}, actions.SetFault("link_cut", None, False)),
]


def act(action: object, **more: object) -> str:
    return json.dumps({"type": "act", "id": 1, "action": action, **more})


@pytest.mark.parametrize(("told", "meant"), GOOD)
def test_a_fitting_action_is_read(told: dict[str, object], meant: object) -> None:
    assert READER.read(act(told)) == Act(1, meant)  # type: ignore[arg-type]


def test_every_action_has_a_fitting_example() -> None:
    assert {told["do"] for told, _ in GOOD} == set(HAND_ACTIONS)


@pytest.mark.parametrize(("told", "_"), GOOD)
def test_an_unknown_key_or_a_missing_one_is_refused(told: dict[str, object], _: object) -> None:
    with pytest.raises(MessageError, match="unknown key 'extra'"):
        READER.read(act({**told, "extra": 1}))
    for key in told.keys() - {"do"}:
        with pytest.raises(MessageError, match=f"lacks {key}"):
            READER.read(act({k: v for k, v in told.items() if k != key}))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "one JSON object"),
        ("[" * 4000, "one JSON object"),
        ("1", "must be an object"),
        ("[]", "must be an object"),
        ('{"type": "reboot"}', "type must be one of hello"),
        ('{"type": ["act"]}', "type must be one of hello"),
        (json.dumps({"type": "hello", "version": "1", "token": ""}), "must be a whole number"),
        (json.dumps({"type": "hello", "version": True, "token": ""}), "must be a whole number"),
        (json.dumps({"type": "hello", "version": 1, "token": "x" * 65}), "at most 64"),
        (json.dumps({"type": "take_hands", "name": "A\nB"}), "printable"),
        (act({"do": "fly"}), "do must be one of lift"),
        (act(None), "must be an object"),
        (act({"do": "lift", "glass": "N"}), "must be one of R1"),
        (act({"do": "lift", "glass": ["R1"]}), "must be one of R1"),
        (act({"do": "place", "glass": "R1", "socket": "D8", "turned": True}), "A1 to G4"),
        (act({"do": "place", "glass": "R1", "socket": "D7", "turned": 1}), "true or false"),
        (act({"do": "place_between", "glass": "R1", "socket": "D1", "other": "D3"}), "touches"),
        (act({**NEW_GAME, "level": True}), "must be one of 1, 2, 3"),
        (act({**NEW_GAME, "level": 1.0}), "must be one of 1, 2, 3"),
        (act({**NEW_GAME, "red": "x" * 41}), "at most 40"),
        (act({**NEW_GAME, "strength": 11}), "from 1 to 10"),
        (act({**NEW_GAME, "opponent": "both"}), "must be one of"),
        (act({"do": "lesson", "task": 11}), "from 0 to 10"),
        (act({"do": "set_fault", "fault": "weak", "socket": None, "on": True}), "A1 to G4"),
        (act({"do": "set_fault", "fault": "link_cut", "socket": "D4", "on": True}), "must be null"),
        (json.dumps({"type": "act", "id": -1, "action": {"do": "turn_timer"}}), "from 0 to"),
        (json.dumps({"type": "arbitrate", "id": 1, "action": {"verb": "pause", "winner": "red"}}), "unknown key"),
        (json.dumps({"type": "pair", "code": "é" * MESSAGE_BYTES}, ensure_ascii=False), "bytes"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(MessageError) as refused:
        READER.read(text)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_other_messages_are_read() -> None:
    assert READER.read('{"type": "hello", "version": 1, "token": ""}') == Hello(1, "")
    ended = READER.read('{"type": "arbitrate", "id": 7, "action": {"verb": "end", "winner": null}}')
    assert ended == Arbitrate(7, actions.ArbiterAction("end", {"winner": None}))


@pytest.mark.parametrize(
    ("action", "details"),
    [
        ({"verb": "recheck"}, {}),
        ({"verb": "rings", "socket": "D4", "count": 4, "side": "red"}, {"socket": "D4", "count": 4, "side": "red"}),
        ({"verb": "glass", "glass": "N", "state": "stopped", "left_ms": None}, {"glass": "N", "state": "stopped"}),
        (
            {"verb": "glass", "glass": "R1", "state": "running", "left_ms": 9000},
            {"glass": "R1", "state": "running", "left_ms": 9000},
        ),
        (
            {"verb": "place", "glass": "R1", "socket": "A3", "turned": True},
            {"glass": "R1", "socket": "A3", "turned": True},
        ),
        ({"verb": "dead", "socket": "A1", "dead": False}, {"socket": "A1", "dead": False}),
        ({"verb": "penalty", "side": "black", "given": True}, {"side": "black", "given": True}),
        ({"verb": "turn", "side": "black"}, {"side": "black"}),
    ],
)
def test_the_arbiters_words_are_read_with_what_the_trace_wants(
    action: dict[str, object], details: dict[str, object]
) -> None:
    read = READER.read(json.dumps({"type": "arbitrate", "id": 7, "action": action}))
    assert isinstance(read, Arbitrate)
    assert (read.action.verb, read.action.details) == (action["verb"], details)
    word = {"t": 5, "arbiter": read.action.verb, **read.action.details}
    assert list(TraceReader(BytesIO(f"{HEADER}\n{json.dumps(word)}\n".encode())))


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"verb": "rings", "socket": "A1", "count": 2, "side": "red"}, "from 0 to 1"),
        ({"verb": "rings", "socket": "A1", "count": True, "side": "red"}, "whole number"),
        ({"verb": "rings", "socket": "A1", "count": 1}, "side"),
        ({"verb": "glass", "glass": "R1", "state": "running", "left_ms": None}, "for a glass that runs"),
        ({"verb": "glass", "glass": "R1", "state": "stopped", "left_ms": 5}, "must be null"),
        ({"verb": "place", "glass": "N", "socket": "A3", "turned": True}, "must be one of R1"),
        ({"verb": "turn", "side": "white"}, "must be one of red"),
        ({"verb": "resign"}, "verb must be one of pause"),
    ],
)
def test_an_arbiters_word_that_does_not_fit_is_refused(action: dict[str, object], reason: str) -> None:
    with pytest.raises(MessageError, match=reason):
        READER.read(json.dumps({"type": "arbitrate", "id": 7, "action": action}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.one_of(
        st.text(),
        JSON.map(json.dumps),
        JSON.map(lambda action: json.dumps({"type": "act", "id": 1, "action": action})),
        st.dictionaries(st.sampled_from(["do", "glass", "socket", "turned", "on"]), JSON).map(act),
    )
)
def test_whatever_is_said_is_read_or_refused(text: str) -> None:
    try:
        READER.read(text)
    except MessageError:
        return
    assert json.loads(text)["type"] in ("act", "release_hands")
