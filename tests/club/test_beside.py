"""The game's side: its rulings are kept beside its trace, and a process of its own publishes both and brings words."""

from __future__ import annotations

import fcntl
import json
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

from tamsk_pi.app.live import run
from tamsk_pi.cli import main
from tamsk_pi.club.beside import ClubProcess, read_word
from tamsk_pi.club.kept import KeptGames, read_lines
from tamsk_pi.club.rulings_file import RulingsFile
from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.club.topics import Place
from tamsk_pi.devices.base import LampFrame
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.loop import View
from tamsk_pi.web.actions import ArbiterAction
from tamsk_pi.web.messages import MessageError, MessageReader
from tests.club.night import EVENT, Night, club_night, play, wait_for
from tests.runner.test_live import LivingBoard, a_run


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    with club_night(tmp_path) as running:
        yield running


def view(game: int, rulings: Sequence[Ruling]) -> View:
    snapshot: Any = None
    return View(game, snapshot, rulings, LampFrame({}), ready=True, problem=None)


def numbers(path: Path) -> list[tuple[int, int]]:
    return [(told["n"], told["ruling"]["t"]) for told in map(json.loads, path.read_text().splitlines())]


def test_rulings_are_kept_beside_the_trace_of_their_game(tmp_path: Path) -> None:
    """Whatever comes first, the rulings or the name of the file."""
    kept = RulingsFile()
    first = [Ruling(t, "notice") for t in range(3)]
    kept.show(view(1, first[:1]))
    kept.kept_at(1, tmp_path / "one.trace.jsonl")
    kept.show(view(1, first))
    kept.show(view(2, [Ruling(9, "ready")]))
    kept.show(view(1, first))
    kept.kept_at(2, tmp_path / "two.trace.jsonl")
    kept.close()
    assert numbers(tmp_path / "one.rulings.jsonl")[:3] == [(0, 0), (1, 1), (2, 2)]
    assert numbers(tmp_path / "two.rulings.jsonl") == [(0, 9)]


def test_a_folder_that_cannot_be_written_silences_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = RulingsFile()
    kept.kept_at(1, tmp_path / "file" / "one.trace.jsonl")
    kept.show(view(1, [Ruling(0, "ready")]))
    kept.close()


def test_an_end_waits_until_its_journal_is_closed(tmp_path: Path) -> None:
    """It may be annulled: then the journal takes it back and goes on."""
    path = tmp_path / "000001.trace.jsonl"
    path.write_bytes(b'{"format": "x"}\n{"t": 1}\n{"t": 2, "end": true}\n')
    file = os.open(path, os.O_WRONLY)
    fcntl.flock(file, fcntl.LOCK_EX)
    games = KeptGames(tmp_path)
    assert read_lines(path, 0, 1000) == b'{"format": "x"}\n{"t": 1}\n'
    assert not games.listed()[0].over
    os.close(file)
    assert read_lines(path, 0, 1000).endswith(b'"end": true}\n')
    assert games.listed()[0].over


def test_a_process_publishes_and_brings_words(night: Night, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    settings = ClubSettings(event=EVENT, board=5, host="127.0.0.1", port=night.broker.port, folder=str(folder))
    said: list[ArbiterAction] = []
    problems: list[str | None] = []

    def say(action: ArbiterAction, answer: Any) -> None:
        said.append(action)
        answer(None if action.verb == "pause" else "not now")

    process = ClubProcess(settings, say, problems.append)
    process.start()
    try:
        wait_for(lambda: list(folder.glob(".club-*.json")), "it has looked")
        game = play("beside")
        (folder / "000001.trace.jsonl").write_bytes(b"".join(game.lines[:100]))
        wait_for(lambda: (p := night.picture(5)) and p.snapshot, "the board is seen")
        wait_for(lambda: None in problems, "all is well")
        answers: list[str | None] = []
        assert night.hub is not None
        for verb, details in (("pause", {}), ("end", {"winner": None})):
            night.hub.say(Place(EVENT, 5), "Eva", verb, details, answers.append)
            wait_for(lambda n=verb: any(action.verb == n for action in said), "the word is said")  # type: ignore[misc]
        wait_for(lambda: answers == [None, "not now"], "both are answered")
        # A process that ends is started again, and goes on from where the hub is.
        assert process._process is not None
        os.kill(process._process.pid, signal.SIGKILL)
        wait_for(lambda: any(p and "its process ended" in p for p in problems), "it is told")
        with open(folder / "000001.trace.jsonl", "ab") as stream:
            stream.write(b"".join(game.lines[100:]))
        wait_for(lambda: night.has(folder / "000001.trace.jsonl"), "nothing is lost")
    finally:
        process.close()


def test_a_live_game_tells_its_club(night: Night, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    settings = ClubSettings(event=EVENT, board=6, host="127.0.0.1", port=night.broker.port, folder=str(folder))
    said: list[str] = []

    class Patient(LivingBoard):
        def show(self, frame: LampFrame) -> None:
            """Interrupts the program only when the hub has seen the game."""

        def alive_at_ms(self) -> int:
            if (p := night.picture(6)) is not None and p.snapshot is not None:
                os.kill(os.getpid(), signal.SIGINT)
            return super().alive_at_ms()

    run(attrs.evolve(a_run(folder, []), club=settings), Patient(), said.append)
    assert any("The games are told to the hub" in line for line in said)
    trace = next(folder.glob("*.trace.jsonl"))
    kept = night.copy(night.games()[0].id)
    assert trace.read_bytes().startswith(kept)
    assert numbers(trace.with_name(trace.name.replace(".trace.", ".rulings.")))[0][0] == 0


@pytest.mark.parametrize(
    "said",
    [None, {}, {"verb": "pause"}, {"verb": "pause", "by": ""}, {"verb": "nonsense", "by": "Eva"},
     {"verb": "pause", "by": "Eva", "more": 1},
     {"verb": "rings", "by": "Eva", "socket": "Z9", "count": 1, "side": "red"}],
)  # fmt: skip
def test_a_word_that_is_none_is_refused(said: Any) -> None:
    with pytest.raises(MessageError):
        read_word(MessageReader(), said)


def test_without_the_extra_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "tamsk-pi" / "config.toml"
    config.parent.mkdir()
    config.write_text('[club]\nevent = "night"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("tamsk_pi.club.configured.find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["play"])
    assert result.exit_code == 2
    assert "pip install 'tamsk-pi[club]'" in result.output
    assert len(result.output.strip().splitlines()) == 1
