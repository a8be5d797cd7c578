"""Words that are typed, or told by another program, to a live game."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.runner.ear import NAME, Ear, speak
from tamsk_pi.runner.terminal import Typed, obey
from tests.runner.evenings import Evening, settings


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path, settings(red="Ada", black="Lin"))


def say(evening: Evening, line: str) -> tuple[bool, list[str]]:
    said: list[str] = []
    done = obey(evening.loop.evening, line, evening.now_ms, lambda text, /, **of: said.append(text.format_map(of)))
    return done, said


def test_the_next_game_is_chosen_by_words(evening: Evening) -> None:
    def script() -> None:
        for line in ("level 3", "rules schmidt1998", "red Grace Hopper", "swap"):
            assert say(evening, line)[0], line
        assert say(evening, "black Alan")[1] == ["The next game: level 3, rules schmidt1998, red Lin, black Alan."]
        assert say(evening, "level 4")[0] is False
        assert say(evening, "rules mine")[0] is False
        assert say(evening, "what") == (False, ["“what” is no word here; help lists them."])
        assert "takeback" in say(evening, "help")[1][0]

    evening.run("play", script)


@pytest.mark.parametrize(
    ("line", "code"),
    [("pause", None), ("dead d1", "socket_dead"), ("takeback", "refused"), ("accept", "accepted"), ("draw", None)],
)
def test_the_arbiters_words_reach_the_game(evening: Evening, line: str, code: str | None) -> None:
    def script() -> None:
        evening.go(500)
        assert say(evening, line) == (True, [])
        evening.go(500)
        ruling = evening.loop.desk.rulings[-1]
        assert ruling.get("code") == code
        assert ruling.kind in ("paused", "notice", "game_over")

    evening.run("play", script)


def test_a_new_game_begins_at_once_where_the_board_is_set_up(evening: Evening) -> None:
    """A wrong level was configured: end the game before its first move."""

    def script() -> None:
        evening.go(500)
        say(evening, "level 2")
        assert say(evening, "new") == (True, [])
        evening.go(500)
        assert evening.loop.evening.games == 2
        assert evening.picture.level == 2
        assert evening.picture.phase == "to_move"

    evening.run("play", script)
    assert len(evening.files()) == 2


def heard(evening: Evening, ask: Callable[[], object]) -> object:
    """What another program is answered while the game goes on."""
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(ask()))
    thread.start()
    while thread.is_alive():
        evening.go(50)
    return found[0]


def test_another_program_tells(evening: Evening) -> None:
    def script() -> None:
        evening.go(500)
        assert heard(evening, lambda: speak(evening.folder, "level 2")) == (
            True,
            ["The next game: level 2, rules rulebook, red Ada, black Lin."],
        )
        told = heard(evening, lambda: CliRunner().invoke(main, ["tell", "--folder", str(evening.folder), "level", "9"]))
        assert told.exit_code == 1  # type: ignore[attr-defined]
        assert "allowed: 1, 2, 3" in told.stderr  # type: ignore[attr-defined]
        assert heard(evening, lambda: speak(evening.folder, "x" * 300)) == (False, ["a line has at most 200 bytes"])

    evening.run("play", script)
    assert not (evening.folder / NAME).exists()


def test_nobody_plays(tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["tell", "--folder", str(tmp_path), "new"])
    assert told.exit_code == 1
    assert told.stderr == f"tamsk-pi: nobody is playing whose games are kept in {tmp_path}\n"


def test_what_a_killed_program_left_is_no_hindrance(tmp_path: Path) -> None:
    first = Ear(tmp_path, lambda line: (True, ["first"]))
    first.open()
    second = Ear(tmp_path, lambda line: (True, [line.strip()]))
    second.open()
    assert speak(tmp_path, "hello") == (True, ["hello"])
    second.close()
    second.close()


def test_a_folder_that_allows_no_socket_stops_no_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    ear = Ear(tmp_path / "file" / "games", lambda line: (True, []))
    ear.open()
    ear.close()
    assert "are not heard" in caplog.text


def test_a_folder_far_down_is_heard_in_all_the_same(tmp_path: Path) -> None:
    """A socket's address has 107 bytes at most."""
    ear = Ear(tmp_path / ("long" * 40), lambda line: (True, [line.strip()]))
    ear.open()
    try:
        assert speak(tmp_path / ("long" * 40), "hello") == (True, ["hello"])
    finally:
        ear.close()


def test_a_terminal_is_read_in_a_thread_of_its_own(evening: Evening) -> None:
    def script() -> None:
        evening.go(200)
        said: list[str] = []
        typed = Typed(evening.loop, lambda text, **of: text.format_map(of))
        thread = typed.listen(io.StringIO("level 2\n\nnonsense\n"), said.append)
        while thread.is_alive():
            evening.go(50)
        assert said == [
            "The next game: level 2, rules rulebook, red Ada, black Lin.",
            "“nonsense” is no word here; help lists them.",
        ]

    evening.run("play", script)
