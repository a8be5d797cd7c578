"""Games kept and traces brought: what is served of them, and what a stranger might try with them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tamsk_pi.clock import VirtualClock
from tamsk_pi.web import film_worker, replays
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.app import build_app, build_replay_app
from tamsk_pi.web.games import MAX_TRACE_BYTES, FolderGames, NoSuchGame, OneGame
from tamsk_pi.web.guard import HEADERS
from tests.web.conftest import HOST
from tests.web.scripted import ScriptedGame, plain_words

CASES = Path(__file__).parents[1] / "cases"
TRACE = CASES / "not-adjacent-and-mended.trace.jsonl"
ORIGIN = {"origin": f"http://{HOST}"}
STRANGER = ("192.168.1.66", 40000)
BOX = "192.168.1.5:8037"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two games, one of them still being written, and things that are none."""
    games = tmp_path / "games"
    games.mkdir()
    (games / "first.trace.jsonl").write_bytes(TRACE.read_bytes())
    (games / "second.trace.jsonl").write_bytes(TRACE.read_bytes()[:-10])
    os.utime(games / "first.trace.jsonl", (1000, 1000))
    (games / "notes.txt").write_text("nothing of yours")
    (games / "broken.trace.jsonl").write_text("[]\n")
    (games / "list.trace.jsonl").write_text('["format"]\n')
    (games / "linked.trace.jsonl").symlink_to(tmp_path / "secret.trace.jsonl")
    (tmp_path / "secret.trace.jsonl").write_bytes(TRACE.read_bytes())
    return games


@pytest.fixture
def client(game: ScriptedGame, clock: VirtualClock, folder: Path) -> Iterator[TestClient]:
    app = build_app(game, plain_words, WebSettings(), games=FolderGames(folder), clock=clock)
    with TestClient(app, base_url=f"http://{HOST}", client=("127.0.0.1", 50000)) as test_client:
        yield test_client


# ---- games kept ----


def test_the_games_of_a_folder_are_listed_the_newest_first(client: TestClient) -> None:
    told = client.get("/games").json()
    assert told["alone"] is False
    assert [one["name"] for one in told["games"]][-1] == "first.trace.jsonl"
    assert {"first.trace.jsonl", "second.trace.jsonl"} <= {one["name"] for one in told["games"]}
    assert not {"notes.txt", "broken.trace.jsonl", "list.trace.jsonl"} & {one["name"] for one in told["games"]}


def test_a_folder_that_is_not_there_yet_has_no_games(tmp_path: Path) -> None:
    assert FolderGames(tmp_path / "later").listed() == []


def test_a_kept_game_is_served_as_a_film_and_as_its_trace(client: TestClient, folder: Path) -> None:
    answer = client.get("/games/first.trace.jsonl/film")
    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert [one["ruling"] for one in answer.json()["rulings"]][2] == "violation"
    assert client.get("/games/first.trace.jsonl/trace").content == TRACE.read_bytes()
    assert client.get("/games/second.trace.jsonl/film").status_code == 200


def test_looking_changes_nothing(client: TestClient, folder: Path) -> None:
    def seen() -> dict[str, tuple[int, int]]:
        return {p.name: (p.lstat().st_mtime_ns, p.lstat().st_size) for p in folder.iterdir()}

    before = seen()
    for path in ("/games", "/replay", "/games/first.trace.jsonl/film", "/games/first.trace.jsonl/trace"):
        assert client.get(path).status_code == 200
    assert seen() == before


@pytest.mark.parametrize(
    "name",
    [
        "missing.trace.jsonl",
        "notes.txt",
        "linked.trace.jsonl",
        "..%2Fsecret.trace.jsonl",
        "%2e%2e%2fsecret.trace.jsonl",
        ".trace.jsonl",
        "first.trace.jsonl%00",
        "x" * 300 + ".trace.jsonl",
    ],
)
@pytest.mark.parametrize("what", ["film", "trace"])
def test_nothing_else_of_the_disk_is_served(client: TestClient, name: str, what: str) -> None:
    assert client.get(f"/games/{name}/{what}").status_code == 404


def test_a_kept_file_that_is_no_trace_is_told_in_one_line(client: TestClient) -> None:
    answer = client.get("/games/broken.trace.jsonl/film")
    assert (answer.status_code, answer.text) == (422, "line 1: [] is no JSON object\n")
    assert client.get("/games/broken.trace.jsonl/film?language=de").text.startswith("Zeile 1: ")


# ---- a trace that is brought ----


def test_a_trace_that_is_brought_comes_back_as_a_film(client: TestClient, folder: Path) -> None:
    before = sorted(folder.iterdir())
    answer = client.post("/film", content=TRACE.read_bytes(), headers=ORIGIN)
    assert answer.status_code == 200
    assert answer.json()["format"] == "tamsk-film"
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "brought",
    [
        b"",
        b"\x00" * 1000,
        b"\xff\xfe\n",
        b"[" * 60_000,
        b'{"format": "tamsk-trace", "version": 1, "level": 9}\n',
        b'{"format": "tamsk-trace", "version": 1, "level": 1}\n{"t": 1e999, "socket": "D1", "closed": true}\n',
        b"x" * 100_000,
    ],
)
def test_what_is_no_trace_is_refused_in_one_line(client: TestClient, brought: bytes) -> None:
    answer = client.post("/film", content=brought, headers=ORIGIN)
    assert answer.status_code == 422
    assert answer.text.startswith("line ")
    assert answer.text.count("\n") == 1


def test_a_trace_that_is_too_large_is_refused(client: TestClient) -> None:
    answer = client.post("/film", content=b"x" * (MAX_TRACE_BYTES + 1), headers=ORIGIN)
    assert answer.status_code == 413

    def in_parts() -> Iterator[bytes]:
        for _ in range(MAX_TRACE_BYTES // 1_000_000 + 2):
            yield b"x" * 1_000_000

    assert client.post("/film", content=in_parts(), headers=ORIGIN).status_code == 413


@pytest.mark.parametrize("origin", [{}, {"origin": "http://evil.example"}, {"origin": "null"}])
def test_another_sites_page_can_bring_nothing(client: TestClient, origin: dict[str, str]) -> None:
    assert client.post("/film", content=TRACE.read_bytes(), headers=origin).status_code == 403


def test_bringing_traces_is_slowed(client: TestClient, clock: VirtualClock) -> None:
    answers = [client.post("/film", content=b"", headers=ORIGIN).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]
    clock.go_to(1000)
    assert client.post("/film", content=b"", headers=ORIGIN).status_code == 422


def test_a_film_that_takes_too_long_is_given_up(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "FILM_TIMEOUT_S", 0.001)
    answer = client.post("/film", content=TRACE.read_bytes(), headers=ORIGIN)
    assert (answer.status_code, answer.text) == (422, "judging it took too long\n")


@pytest.mark.parametrize(
    ("ends", "status", "told"),
    [
        ("os.kill(os.getpid(), 9)", 503, "judging it was ended by the system; memory may be short\n"),
        ("resource.setrlimit(resource.RLIMIT_CPU, (1, 2))\nwhile True: pass", 422, "judging it took too long\n"),
        ("sys.exit(3)", 422, "judging it takes more memory than there is for it\n"),
        ("raise SystemError('broken')", 500, "judging it failed; the log tells why\n"),
        ("sys.exit(2)", 500, "judging it failed; the log tells why\n"),
    ],
)
def test_each_failure_of_the_judge_is_told_as_what_it_is(
    ends: str,
    status: int,
    told: str,
    client: TestClient,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stand_in = tmp_path / "stand_in.py"
    stand_in.write_text(f"import os, resource, sys\n{ends}\n", encoding="utf-8")
    monkeypatch.setattr(replays, "_COMMAND", (sys.executable, str(stand_in)))
    answer = client.get("/games/first.trace.jsonl/film")
    assert (answer.status_code, answer.text) == (status, told)


def test_a_judge_that_cannot_be_started_is_told_as_that(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "_COMMAND", ("/nowhere/python",))
    answer = client.get("/games/first.trace.jsonl/film")
    assert (answer.status_code, answer.text) == (503, "judging it could not begin: No such file or directory\n")
    german = client.get("/games/first.trace.jsonl/film?language=de").text
    assert "No such file" not in german


def test_the_judge_ends_by_itself_where_memory_is_short(tmp_path: Path) -> None:
    limits = (
        "from tamsk_pi.web import film_worker\n"
        "film_worker.MEMORY_BYTES = int(sys.argv.pop(1))\n"
        "sys.exit(film_worker.main())\n"
    )
    command = [sys.executable, "-c", f"import sys\n{limits}", "40000000"]
    done = subprocess.run(command, input=b" " * 30_000_000, capture_output=True, timeout=120, check=False)
    assert done.returncode == film_worker.NO_MEMORY


def test_who_comes_when_too_many_wait_is_told_to_come_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "WAITING", 0)
    assert client.post("/film", content=TRACE.read_bytes(), headers=ORIGIN).status_code == 503


# ---- who may ----


def test_beyond_loopback_reading_is_open_or_not_and_bringing_needs_the_code(
    game: ScriptedGame, clock: VirtualClock, pairing: Pairing, folder: Path
) -> None:
    token, _ = pairing.pair("246810")
    known = {"authorization": f"Bearer {token}"}
    for open_reading, status in ((True, 200), (False, 403)):
        settings = WebSettings(host="0.0.0.0", open_reading=open_reading)
        app = build_app(game, plain_words, settings, games=FolderGames(folder), pairing=pairing, clock=clock)
        with TestClient(app, base_url=f"http://{BOX}", client=STRANGER) as stranger:
            for path in ("/games", "/games/first.trace.jsonl/film", "/games/first.trace.jsonl/trace"):
                assert stranger.get(path).status_code == status
                assert stranger.get(path, headers=known).status_code == 200
                assert stranger.get(path, headers={"authorization": "Bearer x"}).status_code == status
            there = {"origin": f"http://{BOX}"}
            assert stranger.post("/film", content=b"", headers=there).status_code == 403
            assert stranger.post("/film", content=b"", headers={**there, **known}).status_code == 422


# ---- one game alone ----


def test_a_page_of_one_game_shows_that_one_only(folder: Path) -> None:
    app = build_replay_app(OneGame(folder / "first.trace.jsonl"), WebSettings())
    with TestClient(app, base_url=f"http://{HOST}", client=("127.0.0.1", 50000)) as alone:
        assert b"replay.js" in alone.get("/").content
        told = alone.get("/games").json()
        assert (told["alone"], [one["name"] for one in told["games"]]) == (True, ["first.trace.jsonl"])
        assert alone.get("/games/first.trace.jsonl/film").status_code == 200
        assert alone.get("/games/second.trace.jsonl/film").status_code == 404
        assert alone.post("/film", content=b"", headers=ORIGIN).status_code == 404
    with pytest.raises(NoSuchGame):
        OneGame(folder / "first.trace.jsonl").path("other")
