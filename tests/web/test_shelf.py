"""How kept games ended, and the way to delete one."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
import pytest
from starlette.testclient import TestClient

from tamsk_pi.clock import VirtualClock
from tamsk_pi.web import shelf
from tamsk_pi.web.access import WebSettings
from tamsk_pi.web.app import build_app, build_replay_app
from tamsk_pi.web.games import FolderGames, OneGame
from tests.web.conftest import HOST
from tests.web.scripted import ScriptedGame, plain_words

CASES = Path(__file__).parents[1] / "cases"
ORIGIN = {"origin": f"http://{HOST}"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    games = tmp_path / "games"
    games.mkdir()
    full = (CASES / "full-socket-loses.trace.jsonl").read_text()
    (games / "lost.trace.jsonl").write_text(full)
    (games / "open.trace.jsonl").write_bytes((CASES / "put-back-is-nothing.trace.jsonl").read_bytes())
    head, *rest = full.splitlines(keepends=True)
    name = '{"t": 1, "arbiter": "names", "red": "Ada"}\n'
    (games / "named.trace.jsonl").write_text("".join([head, name, *rest]))
    (games / "torn.trace.jsonl").write_text(full + '{"t": "soon"}\n{"t": 9')
    return games


@pytest.fixture
def client(game: ScriptedGame, clock: VirtualClock, folder: Path) -> Iterator[TestClient]:
    app = build_app(game, plain_words, WebSettings(), games=FolderGames(folder), clock=clock)
    with TestClient(app, base_url=f"http://{HOST}", client=("127.0.0.1", 50000)) as test_client:
        yield test_client


def test_games_tell_names_result_and_length(client: TestClient) -> None:
    told = client.get("/games/results").json()
    assert (told["more"], told["deletes"]) == (False, True)
    lost = told["results"]["lost.trace.jsonl"]
    assert lost["result"] == "full_socket"
    assert lost["winner"] in ("red", "black")
    assert lost["length_ms"] > 0
    assert told["results"]["open.trace.jsonl"]["result"] is None
    assert told["results"]["named.trace.jsonl"]["red"] == "Ada"
    assert set(told["results"]["torn.trace.jsonl"]) == {"problem"}


def test_they_are_judged_some_at_a_time_and_only_once(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    judged = shelf.judged
    monkeypatch.setattr(shelf, "AT_ONCE", 3)

    def counted(paths: Sequence[Path]) -> list[shelf.Summary]:
        asked.append(len(paths))
        return judged(paths)

    monkeypatch.setattr(shelf, "judged", counted)
    first = client.get("/games/results").json()
    assert (len(first["results"]), first["more"]) == (3, True)
    second = client.get("/games/results").json()
    assert (len(second["results"]), second["more"]) == (4, False)
    assert len(client.get("/games/results").json()["results"]) == 4
    assert asked == [3, 1]
    with (folder / "open.trace.jsonl").open("a") as stream:
        stream.write("\n")
    client.get("/games/results")
    assert asked == [3, 1, 1]


def test_a_process_that_cannot_be_had_leaves_games_untold(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    told = client.get("/games/results").json()
    assert (told["results"], told["more"]) == ({}, False)


def test_a_game_is_deleted_by_its_name(client: TestClient, folder: Path) -> None:
    assert client.post("/games/delete", content="lost.trace.jsonl", headers=ORIGIN).status_code == 204
    assert not (folder / "lost.trace.jsonl").exists()
    again = client.post("/games/delete", content="lost.trace.jsonl", headers=ORIGIN)
    assert (again.status_code, again.text) == (404, "no such game is kept\n")
    assert "lost.trace.jsonl" not in client.get("/games/results").json()["results"]


@pytest.mark.parametrize("name", ["", "../games/lost.trace.jsonl", "notes.txt", "x" * 5000, "\udcff"])
def test_nothing_else_is_deleted(client: TestClient, folder: Path, name: str) -> None:
    before = sorted(folder.iterdir())
    done = client.post("/games/delete", content=name.encode(errors="surrogateescape"), headers=ORIGIN)
    assert done.status_code == 404
    assert sorted(folder.iterdir()) == before


def test_a_game_is_deleted_neither_from_elsewhere_nor_by_a_link(client: TestClient, folder: Path) -> None:
    assert client.post("/games/delete", content="lost.trace.jsonl").status_code == 403
    elsewhere = {"origin": "http://evil.example"}
    assert client.post("/games/delete", content="lost.trace.jsonl", headers=elsewhere).status_code == 403
    assert client.get("/games/delete").status_code == 405
    assert (folder / "lost.trace.jsonl").exists()


def test_the_game_that_is_going_on_is_not_deleted(client: TestClient, game: ScriptedGame, folder: Path) -> None:
    game.change(kept="lost.trace.jsonl")
    done = client.post("/games/delete", content="lost.trace.jsonl", headers=ORIGIN)
    assert done.status_code == 409
    assert "going on" in done.text
    assert (folder / "lost.trace.jsonl").exists()


def test_a_stranger_deletes_nothing(game: ScriptedGame, clock: VirtualClock, folder: Path) -> None:
    app = build_app(game, plain_words, WebSettings(host="192.168.1.5"), games=FolderGames(folder), clock=clock)
    box = "192.168.1.5:8037"
    with TestClient(app, base_url=f"http://{box}", client=("192.168.1.66", 40000)) as stranger:
        done = stranger.post("/games/delete", content="lost.trace.jsonl", headers={"origin": f"http://{box}"})
        assert done.status_code == 403
    assert (folder / "lost.trace.jsonl").exists()


def test_one_game_alone_is_not_deleted(folder: Path) -> None:
    path = folder / "lost.trace.jsonl"
    with TestClient(
        build_replay_app(OneGame(path), WebSettings()), base_url=f"http://{HOST}", client=("127.0.0.1", 50000)
    ) as alone:
        assert alone.get("/games/results").json()["deletes"] is False
        assert alone.post("/games/delete", content=path.name, headers=ORIGIN).status_code == 403
    assert path.exists()


def test_summaries_stand_by_themselves(folder: Path) -> None:
    (told,) = shelf.judged([folder / "lost.trace.jsonl"])
    assert attrs.has(type(told)) is False
    assert told["moves"] >= 0
