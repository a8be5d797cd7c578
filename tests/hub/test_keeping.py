"""The database, the setting up, the arbiters, the judging and the access list."""

from __future__ import annotations

import base64
import json
import re
import stat
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from tamsk_pi.clock import VirtualClock
from tamsk_pi.club.chain import START, carried_on
from tamsk_pi.club.cursor import CopyError, Cursor
from tamsk_pi.club.kept import KeptGames
from tamsk_pi.club.topics import Place, is_event, is_game, read_topic
from tamsk_pi.hub.arbiters import ArbiterError, Arbiters
from tamsk_pi.hub.boards import NEEDS, BoardPicture, by_need
from tamsk_pi.hub.database import DatabaseError, open_database
from tamsk_pi.hub.judging import JudgedGame
from tamsk_pi.hub.presence import Presence
from tamsk_pi.hub.setup import SetupError, SetupPlan, hashed, read_config, set_up
from tamsk_pi.hub.tables import METADATA
from tests.club.mosquitto import postgresql
from tests.club.night import play


def test_the_migrations_lead_to_the_tables(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'hub.sqlite'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()


def test_the_migrations_lead_to_the_tables_on_postgresql() -> None:
    with postgresql() as url:
        for _ in range(2):
            engine = open_database(url)
            with engine.connect() as connection:
                assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
            engine.dispose()


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("nonsense", "is no database address"),
        ("mysql://x/y", r"is no database address|needs another package|allowed are"),
        ("sqlite:////nowhere/at/all.sqlite", "unable to open"),
    ],
)
def test_a_database_that_cannot_be_had(url: str, problem: str) -> None:
    with pytest.raises(DatabaseError, match=problem) as told:
        open_database(url)
    assert "\n" not in str(told.value)


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'hub.sqlite'}"
    engine = open_database(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(DatabaseError, match="newer version"):
        open_database(url)


def test_the_folder_has_a_password_for_every_board(tmp_path: Path) -> None:
    folder = tmp_path / "hub"
    set_up(SetupPlan(folder=folder, event="night", boards=3, tls=True, host="hub.local", port=8883))
    told = dict(line.split(":") for line in (folder / "passwords").read_text().splitlines())
    assert sorted(told) == ["hub", "night.1", "night.2", "night.3"]
    for board in (1, 2, 3):
        password = (folder / "boards" / str(board) / "password").read_text().strip()
        salt = base64.b64decode(told[f"night.{board}"].split("$")[3])
        assert hashed(password, salt) == told[f"night.{board}"]
        assert (folder / "boards" / str(board) / "ca.pem").read_text() == (folder / "ca.pem").read_text()
    for secret in ("passwords", "hub.password", "ca.key", "broker.key", "boards/1/password"):
        assert stat.S_IMODE((folder / secret).stat().st_mode) == 0o600
    access = (folder / "access").read_text()
    assert "user night.2\ntopic write tamsk/1/night/2/header" in access
    assert not re.search(r"write \S*(kept|word)", access.partition("user night.1")[2])
    assert read_config(folder).broker.ca_file == str(folder / "ca.pem")
    with pytest.raises(SetupError, match="is there already"):
        set_up(SetupPlan(folder=folder, event="night", boards=3))


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("database = 3", "database must be a text"),
        ("port = 70000", "port is 70000"),
        ('database = "x"\nprot = 1', "unknown key prot"),
        ("port = 1", "database is missing"),
        ("[", "hub.toml"),
    ],
)
def test_a_configuration_that_is_wrong_is_told_in_one_line(tmp_path: Path, written: str, problem: str) -> None:
    (tmp_path / "hub.toml").write_text(written)
    with pytest.raises(SetupError, match=re.escape(problem)) as told:
        read_config(tmp_path)
    assert "\n" not in str(told.value)


def test_an_arbiter_is_paired_once_by_name(tmp_path: Path) -> None:
    clock, now = VirtualClock(), [1_000_000]
    arbiters = Arbiters(open_database(f"sqlite:///{tmp_path / 'hub.sqlite'}"), clock, wall_ms=lambda: now[0])
    code = arbiters.add("Eva")
    for name, wrong in (("Eva", "00000000x"), ("Adam", code)):
        with pytest.raises(ArbiterError, match="not the code"):
            arbiters.pair(name, wrong)
    token = arbiters.pair("Eva", code)
    assert arbiters.who(token) == "Eva"
    assert arbiters.who("") is None
    assert arbiters.who(token + "x") is None
    with pytest.raises(ArbiterError):
        arbiters.pair("Eva", code)
    # Guessing is slowed down.
    for _ in range(5):
        with pytest.raises(ArbiterError) as told:
            arbiters.pair("Eva", code)
    assert "too many tries" in str(told.value)
    clock.go_to(600_000)
    late = arbiters.add("Eva")
    assert arbiters.who(token) is None
    now[0] += 3_600_001
    with pytest.raises(ArbiterError, match="too old"):
        arbiters.pair("Eva", late)
    arbiters.revoke("Eva")
    assert arbiters.listed() == [("Eva", "revoked")]
    with pytest.raises(ArbiterError, match="no arbiter here"):
        arbiters.revoke("Adam")


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_the_hub_judges_as_the_board_however_lines_come(batch: int) -> None:
    game, judged = play("judging", level=3, clumsy=0.3), JudgedGame()
    for first in range(0, len(game.lines), batch):
        judged.feed(b"".join(game.lines[first : first + batch]))
        judged.feed_rulings(b"".join(game.rulings[first : first + batch]))
    judged.feed_rulings(b"".join(game.rulings[len(game.lines) + batch :]))
    assert judged.problem is None
    assert judged.difference() is None
    told = [json.loads(line)["ruling"] for line in game.rulings]
    assert [ruling.as_json() for ruling in judged.rulings][: len(told)] == told


def test_a_ruling_that_the_board_does_not_have_is_found_at_the_end() -> None:
    game, judged = play("judging", level=2), JudgedGame()
    judged.feed(b"".join(game.lines))
    judged.feed_rulings(b"".join(game.rulings[:5]))
    assert judged.difference() is None
    assert "the board says none" in (judged.missing() or "")
    judged.feed_rulings(b"".join(game.rulings[5:]))
    assert judged.missing() is None
    judged.feed_rulings(json.dumps({"n": len(game.rulings), "ruling": {"ruling": "move"}}).encode() + b"\n")
    assert "the hub none" in (judged.difference() or "")


@pytest.mark.parametrize(
    "line", [b"x\n", b"[]\n", b'{"n": -1, "ruling": {}}\n', b'{"n": 5, "ruling": {}}\n', b'{"n": 0}\n']
)
def test_rulings_that_are_none_are_a_difference(line: bytes) -> None:
    judged = JudgedGame()
    judged.feed_rulings(line)
    assert "line 1 of the board's rulings is none" in (judged.difference() or "")


def test_a_cursor_reads_on_from_where_the_hub_is(tmp_path: Path) -> None:
    path = tmp_path / "x.trace.jsonl"
    path.write_bytes(b"one\ntwo\nthree\nfo")
    cursor = Cursor(lambda: path)
    asked = cursor.next_batch(0.0)
    assert asked is not None
    assert (asked.first, asked.data) == (0, b"")
    cursor.take_answer(1, carried_on(START, b"one\n"))
    batch = cursor.next_batch(0.0)
    assert batch is not None
    assert (batch.first, batch.data) == (1, b"two\nthree\n")
    assert cursor.next_batch(1.0) is None
    # No answer: the same again, later and later. An answer that tells of no progress does not hurry it.
    assert cursor.next_batch(2.0) == batch
    cursor.take_answer(1, carried_on(START, b"one\n"))
    assert cursor.next_batch(3.0) is None
    assert cursor.next_batch(6.1) == batch
    cursor.take_answer(3, carried_on(START, b"one\ntwo\nthree\n"))
    assert cursor.next_batch(6.2) is None
    assert cursor.has_all()
    with pytest.raises(CopyError):
        cursor.take_answer(2, "another")
    with pytest.raises(CopyError):
        cursor.take_answer(99, START)


def test_games_are_named_by_file_and_header(tmp_path: Path) -> None:
    (tmp_path / "2026-01-01T10-00-00-1-1.trace.jsonl").write_bytes(b'{"a": 1}\n')
    (tmp_path / "2026-01-01T09-00-00-1-1.discarded.jsonl").write_bytes(b'{"a": 2}\n{"t": 1}\n')
    (tmp_path / "2026-01-01T11-00-00-1-1.trace.jsonl").write_bytes(b"no newline")
    (tmp_path / "other.txt").write_bytes(b"x\n")
    first, second = KeptGames(tmp_path).listed()
    assert first.over
    assert not second.over
    assert first.name.startswith("2026-01-01T09")
    assert is_game(first.name)
    assert is_game(f"{second.name}~2")


@pytest.mark.parametrize(
    "topic",
    ["", "tamsk/1/night", "tamsk/2/night/1/state", "tamsk/1/Night/1/state", "tamsk/1/night/0/state",
     "tamsk/1/night/01/state", "tamsk/1/night/x/state", "tamsk/1/night/10000/state", "$SYS/x/y/z/a"],
)  # fmt: skip
def test_topics_that_are_none_of_ours(topic: str) -> None:
    assert read_topic(topic) is None


def test_names_of_events() -> None:
    assert all(map(is_event, ("a", "club-night", "x" * 40)))
    assert not any(map(is_event, ("", "-a", "a-", "A", "a b", "a/b", "a+", "#", "x" * 41, None)))


def test_a_board_that_was_started_anew_is_no_second_board() -> None:
    now = [0.0]
    presence, place = Presence(lambda: now[0]), Place("night", 1)
    assert not presence.take(place, True, "first", "g", retained=False)
    assert not presence.take(place, True, "second", "g", retained=False)
    assert not presence.take(place, False, "first", None, retained=False)
    assert not presence.take(place, True, "second", "g", retained=False)
    assert presence.is_heard(place)
    now[0] = 31.0
    assert not presence.is_heard(place)
    assert presence.take(place, True, "third", "g", retained=False) is False
    assert presence.take(place, True, "second", "g", retained=False)


def test_the_most_urgent_board_comes_first() -> None:
    quiet = BoardPicture(place=Place("n", 1), heard=True, told=True)
    silent = BoardPicture(place=Place("n", 2), heard=False, told=True)
    alarmed = BoardPicture(place=Place("n", 3), heard=True, told=True, alarms=({"kind": "clock"},))
    assert [p.place.board for p in by_need([quiet, silent, alarmed])] == [3, 2, 1]
    assert NEEDS.index("violation") < NEEDS.index("dispute") < NEEDS.index("fault") < NEEDS.index("not_heard")
