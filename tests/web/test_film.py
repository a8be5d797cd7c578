"""A film shows what a live page would have shown, moment by moment."""

from __future__ import annotations

import gzip
import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tamsk_pi.commands.replay import rulings_of
from tamsk_pi.rules.record import parse_record
from tamsk_pi.session import Session
from tamsk_pi.signals.language import LANGUAGES
from tamsk_pi.trace import TraceError, TraceReader
from tamsk_pi.web import film as film_module
from tamsk_pi.web.film import FilmError, film_of, pack

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.trace.jsonl"))
MENDED = next(path for path in CASES if path.name.startswith("not-adjacent-and-mended"))


def state_at(film: dict[str, Any], t_ms: int) -> dict[str, Any]:
    """What the page makes of a film at a moment."""
    state: dict[str, Any] = {"glasses": {}}
    for at_ms, sections, _ in film["frames"]:
        if at_ms > t_ms:
            break
        state = {**state, **sections, "glasses": {**state["glasses"], **sections.get("glasses", {})}}
    return state


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name.split(".")[0])
def test_a_film_has_the_rulings_and_the_last_position_of_its_trace(path: Path) -> None:
    film = json.loads(gzip.decompress(pack(film_of(path.read_bytes()))))
    reader = TraceReader(BytesIO(path.read_bytes()))
    session = Session(reader.settings)
    for record in reader:
        session.take(record)
    if not session.ended:
        session.finish(session.now_ms)
    ruled = [ruling.as_json() for ruling in rulings_of(TraceReader(BytesIO(path.read_bytes())))]
    assert [{k: v for k, v in one.items() if k not in ("at", "text", "why")} for one in film["rulings"]] == ruled
    snapshot, last = session.snapshot(), state_at(film, film["end_ms"] + 1)
    assert {name: it["socket"] for name, it in last["glasses"].items()} == {
        name: it.socket for name, it in snapshot.glasses.items()
    }
    assert (last["phase"], last["to_move"], last["result"]) == (snapshot.phase, snapshot.to_move, snapshot.result)
    times = [t_ms for t_ms, _, _ in film["frames"]]
    assert times == sorted(times)
    for one in film["rulings"]:
        assert one["at"] >= one["t"]
        assert set(one["text"]) == set(one["why"]) == set(LANGUAGES)
        assert all(one["why"][of]["text"] == one["text"][of] for of in LANGUAGES)


def test_the_board_is_as_it_was_when_a_ruling_was_known() -> None:
    film = film_of(MENDED.read_bytes())
    violation = next(one for one in film["rulings"] if one["ruling"] == "violation")
    shown = state_at(film, violation["at"])
    assert shown["violations"][0]["code"] == "not_adjacent"
    assert shown["lamps"]["alarm"] is True
    assert state_at(film, violation["at"] - 1)["violations"] == []
    mended = next(one for one in film["rulings"] if one["ruling"] == "resolved")
    assert state_at(film, mended["at"])["lamps"]["alarm"] is False
    assert film["settings"]["settle_ms"]["socket"] == 120
    assert [edge[1:] for edge in film["edges"][:2]] == [("socket", "D1", False), ("socket", "D3", True)]


def test_lines_that_only_tell_the_time_are_no_edges() -> None:
    lines = [
        {"format": "tamsk-trace", "version": 1, "level": 1},
        {"t": 100, "button": "arbiter", "down": False},
        {"t": 1000, "socket": "D1", "closed": False},
        {"t": 1400, "socket": "D2", "closed": True},
        {"t": 1500, "socket": "D2", "closed": True},
        {"t": 1600, "button": "arbiter", "down": False},
        {"t": 1700, "button": "arbiter", "down": True},
    ]
    film = film_of("".join(f"{json.dumps(line)}\n" for line in lines).encode())
    assert [tuple(edge[:3]) for edge in film["edges"]] == [
        (1000, "socket", "D1"),
        (1400, "socket", "D2"),
        (1700, "button", "arbiter"),
    ]


def test_the_first_edge_of_a_hall_socket_is_one() -> None:
    lines = [
        {"format": "tamsk-trace", "version": 1, "level": 1, "sockets": "hall"},
        {"t": 1000, "socket": "D1", "field": None},
    ]
    film = film_of("".join(f"{json.dumps(line)}\n" for line in lines).encode())
    assert [tuple(edge) for edge in film["edges"]] == [(1000, "socket", "D1", None)]


def test_the_record_of_a_film_can_be_read() -> None:
    film = film_of(CASES[0].with_name("wikipedia-opening.trace.jsonl").read_bytes())
    assert len(parse_record(film["record"]).turns) == 4


def test_a_glass_that_stops_between_two_edges_is_seen_to_stop_then() -> None:
    header = {"format": "tamsk-trace", "version": 1, "level": 2, "glass_ms": {"R2": 5000}}
    lines: list[dict[str, object]] = [
        header,
        {"t": 1000, "socket": "D1", "closed": False},
        {"t": 1200, "tilt": "R2", "up": "b"},
        {"t": 1500, "socket": "D2", "closed": True},
        {"t": 20_000, "end": True},
    ]
    film = film_of("".join(json.dumps(line) + "\n" for line in lines).encode())
    stopped = next(one for one in film["rulings"] if one["ruling"] == "glass_stopped")
    assert stopped["t"] == 6200
    assert stopped["at"] < 6300
    assert state_at(film, stopped["at"])["glasses"]["R2"]["out"] is True


def test_a_game_that_is_still_going_on_may_have_a_torn_end() -> None:
    torn = MENDED.read_bytes()[:-20]
    with pytest.raises(TraceError):
        film_of(torn)
    assert film_of(torn, drop_torn_end=True)["rulings"]


def test_a_trace_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film_module, "MOST_FRAMES", 3)
    with pytest.raises(FilmError, match="too long"):
        film_of(MENDED.read_bytes())
