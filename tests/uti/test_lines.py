"""UTI: positions as words, and the engine's side of the conversation."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import attrs
import pytest

from tamsk_pi.engine.situation import GlassSand, Situation
from tamsk_pi.rules.board import GLASSES
from tamsk_pi.rules.position import Position
from tamsk_pi.uti.answers import AnswerError, read_best, read_timer
from tamsk_pi.uti.positions import PositionLineError, format_position, parse_position
from tamsk_pi.uti.server import Engine

WITHIN_S = 120


class Talk:
    """A conversation with the engine, without a process."""

    def __init__(self) -> None:
        self.said: queue.Queue[str] = queue.Queue()
        self._now_ms = 0
        self.engine = Engine(self.said.put, self._clock)

    def _clock(self) -> int:
        # Each look at the clock takes a ms: time passes, whatever the machine does.
        self._now_ms += 1
        return self._now_ms

    def until(self, word: str) -> list[str]:
        lines = []
        while True:
            lines.append(self.said.get(timeout=WITHIN_S))
            if lines[-1].split()[0] == word:
                return lines

    def one(self, line: str) -> str:
        assert self.engine.take(line)
        return self.said.get(timeout=WITHIN_S)


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.engine.close()


def told(level: int) -> Situation:
    sand = {g: GlassSand(1_000 * n, 180_000, 181_000, moved=True, out=not n) for n, g in enumerate(GLASSES)}
    sand["B3"] = GlassSand()
    return Situation(
        position=Position.start(), level=level, rules="schmidt1998", sand=sand, paces_ms={"red": 4_000, "black": 9_000},
        claim="C2", penalty_owed=frozenset({"red"}), skip_owed=frozenset({"red", "black"}), timer_left_ms=3_000,
        timer_full_ms=15_200, expires_ms=2_500,
    )  # fmt: skip


def test_a_situation_comes_back_from_its_words() -> None:
    words = format_position(told(3)).split()[1:]
    assert parse_position(words, level=3, rules="schmidt1998") == told(3)


def test_moves_are_followed() -> None:
    words = ["startpos", "moves", "D1-D2", "G1-F1x", "D2-D3~", "+D3", "A1-B1"]
    then = parse_position(words, level=1, rules="rulebook")
    assert then.to_move == "red"
    assert (then.position.rings["D3"], then.position.rings["F1"]) == (1, 1)
    assert dict(then.position.rings_left) == {"red": 31, "black": 29}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "startpos"),
        ("start", "startpos"),
        ("startpos x", "sand"),
        ("pos 0/0 r 32 32", "columns"),
        ("startpos sand D2:5", "of a glass"),
        ("startpos sand D1:abc", "of a glass"),
        ("startpos sand D1:900000", "not possible"),
        ("startpos pace 5", "two numbers"),
        ("startpos pace 5 x", "whole ms"),
        ("startpos claim Z9", "one socket"),
        ("startpos owed x", "r, b or rb"),
        ("startpos timer 1/2/3", "LEFT"),
        ("startpos expires", "one number"),
        ("startpos pace 5 5 pace 5 5", "twice"),
        ("startpos moves D1-D3", "no glass"),
        ("startpos moves jump", "no move"),
    ],
)
def test_what_is_no_position_is_refused_in_one_line(words: str, why: str, talk: Talk) -> None:
    with pytest.raises(PositionLineError, match=why):
        parse_position(words.split(), level=2, rules="rulebook")
    line = talk.one(f"position {words}")
    assert line.startswith("info string error: ")
    assert "\n" not in line


def test_it_introduces_itself(talk: Talk) -> None:
    talk.engine.take("uti")
    lines = talk.until("utiok")
    assert lines[0].startswith("id name tamsk-pi")
    assert {line.split()[2] for line in lines if line.startswith("option")} == {
        "Level", "Rules", "Setup", "Strength", "Seed"
    }  # fmt: skip
    assert talk.one("isready") == "readyok"


@pytest.mark.parametrize(
    "line",
    ["jump", "setoption Level 2", "setoption name Level value 4", "setoption name Rules value x",
     "setoption name X value 1",
     "go nodes", "go nodes x", "go nodes 0", "go fast", "ponderhit"],
)  # fmt: skip
def test_what_it_cannot_obey_is_told_in_one_line(line: str, talk: Talk) -> None:
    assert talk.one(line).startswith("info string error: ")
    assert talk.one("isready") == "readyok"


@pytest.mark.parametrize("go", ["nodes 500", "depth 3", "movetime 50", ""])
def test_it_answers_with_a_legal_move(go: str, talk: Talk) -> None:
    talk.engine.take("setoption name Strength value 6")
    talk.engine.take("position startpos moves D1-D2")
    talk.engine.take(f"go {go}")
    lines = talk.until("bestmove")
    turn = read_best(lines[-1], "black").turn
    assert attrs.evolve(turn).player == "black"
    assert any(line.startswith("info depth 1 score ") for line in lines)


def test_infinite_goes_on_until_stop(talk: Talk) -> None:
    talk.engine.take("go infinite")
    first = talk.said.get(timeout=WITHIN_S)
    assert first.startswith("info depth 1")
    talk.engine.take("stop")
    assert talk.until("bestmove")


def test_ponder_waits_for_its_hit(talk: Talk) -> None:
    talk.engine.take("position startpos moves A4-B4")
    talk.engine.take("go ponder movetime 40")
    assert talk.said.get(timeout=WITHIN_S).startswith("info depth 1")
    talk.engine.take("ponderhit")
    assert talk.until("bestmove")


def test_the_end_of_the_input_answers_what_was_asked(talk: Talk) -> None:
    talk.engine.take("go infinite")
    talk.engine.wait()
    assert talk.until("bestmove")


def test_it_says_when_to_turn_the_timer(talk: Talk) -> None:
    assert talk.one("go timer") == "besttimer none"
    talk.engine.take("setoption name Level value 3")
    assert read_timer(talk.one("go timer")) is not None


@pytest.mark.parametrize("line", ["", "bestmove", "bestmove x", "bestmove A1-A2 B1-B2", "bestmove A1-A2 ponder x"])
def test_nonsense_is_no_answer(line: str) -> None:
    with pytest.raises(AnswerError):
        read_best(line, "red")


@pytest.mark.parametrize("line", ["besttimer", "besttimer x", "besttimer -1", "bestmove A1-A2"])
def test_nonsense_is_no_timer(line: str) -> None:
    with pytest.raises(AnswerError):
        read_timer(line)
