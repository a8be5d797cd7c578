"""The report of a finished game over the web: only when there is one, made once, by its own policy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest
from starlette.testclient import TestClient

import tamsk_pi.web.reports
from tamsk_pi.clock import MonotonicClock, VirtualClock
from tamsk_pi.report.facts import Report
from tamsk_pi.report.gather import gather
from tamsk_pi.report.write import content_security_policy, write_report
from tamsk_pi.trace import TraceReader
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.app import build_app
from tamsk_pi.web.reports import NOT_KEPT, NOT_OVER, NOT_WRITTEN, NoReport, Reports
from tamsk_pi.web.source import GamePicture
from tests.report.games import CASES, case_lines
from tests.web.scripted import ScriptedGame, plain_words

GAME = CASES / "game-level3-rulebook-6.trace.jsonl"
STRANGER = ("192.0.2.7", 50000)


@pytest.fixture
def over() -> GamePicture:
    """The picture of some game that is over."""
    picture = ScriptedGame(VirtualClock()).picture()
    return attrs.evolve(picture, snapshot=attrs.evolve(picture.snapshot, phase="over", result="rings"))


def made(reports: Reports, picture: GamePicture | None) -> str:
    return reports.html(lambda: picture, "en")


def test_there_is_none_while_the_game_goes_on(over: GamePicture) -> None:
    reports = Reports()
    reports.kept_at(GAME)
    going_on = attrs.evolve(over, snapshot=attrs.evolve(over.snapshot, result=None))
    for picture in (None, going_on):
        with pytest.raises(NoReport, match=NOT_OVER):
            made(reports, picture)


def test_there_is_none_where_no_trace_is_kept(over: GamePicture, tmp_path: Path) -> None:
    reports = Reports()
    with pytest.raises(NoReport, match=NOT_KEPT):
        made(reports, over)
    reports.kept_at(tmp_path / "nowhere.jsonl")
    with pytest.raises(NoReport, match="No such file"):
        made(reports, over)


def test_a_trace_that_lags_behind_is_waited_for(over: GamePicture, tmp_path: Path) -> None:
    path, reports = tmp_path / "game.jsonl", Reports()
    reports.kept_at(path)
    lines = case_lines(GAME.name.removesuffix(".trace.jsonl"))
    path.write_text("\n".join(lines[:100]) + "\n")
    with pytest.raises(NoReport, match=NOT_WRITTEN):
        made(reports, over)
    path.write_text("\n".join(lines) + "\n")
    assert "wins the tie-break" in made(reports, over)


def test_an_end_that_only_time_brought_is_in_the_report(over: GamePicture, tmp_path: Path) -> None:
    """The last right closed by itself: no record follows it in the trace of a game that is still open on the table."""
    reports, path = Reports(), tmp_path / "game.jsonl"
    lines = [line for line in case_lines("game-level3-rulebook-2") if '"end"' not in line]
    path.write_text("\n".join(lines) + "\n")
    reports.kept_at(path)
    late = attrs.evolve(over, snapshot=attrs.evolve(over.snapshot, now_ms=3_000_000))
    assert "Red wins with fewer rings left." in made(reports, late)


def test_it_is_made_once_for_each_language_and_anew_after_more_rulings(
    over: GamePicture, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []

    def counted(report: Report, language: str, form: str) -> str:
        written.append(language)
        return f"{language} {len(written)}"

    monkeypatch.setattr(tamsk_pi.web.reports, "write_report", counted)
    reports = Reports()
    reports.kept_at(GAME)
    assert (made(reports, over), made(reports, over)) == ("en 1", "en 1")
    assert reports.html(lambda: over, "de") == "de 2"
    more = attrs.evolve(over, rulings=[*over.rulings, *over.rulings])
    assert made(reports, more) == "en 3"
    assert written == ["en", "de", "en"]


# ---- over HTTP ----

Visit = Callable[..., TestClient]


@pytest.fixture
def visit(over: GamePicture, pairing: Pairing, clock: VirtualClock) -> Visit:
    def begin(settings: WebSettings, client: tuple[str, int] = ("127.0.0.1", 50000)) -> TestClient:
        game = ScriptedGame(MonotonicClock())
        game.picture = lambda: over  # type: ignore[method-assign]
        reports = Reports()
        reports.kept_at(GAME)
        app = build_app(game, plain_words, settings, pairing=pairing, clock=clock, reports=reports)
        return TestClient(app, base_url="http://127.0.0.1:8037", client=client)

    return begin


def test_the_report_is_served_in_the_language_asked_for(visit: Visit) -> None:
    with visit(WebSettings()) as client:
        answer = client.get("/report?language=de")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["content-security-policy"] == content_security_policy()
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert 'lang="de"' in answer.text
        assert 'lang="en"' in client.get("/report").text


def test_what_cannot_be_served_is_told_in_one_line(visit: Visit, client: TestClient) -> None:
    answer = client.get("/report")
    assert (answer.status_code, answer.text) == (404, f"{NOT_OVER}\n")
    with visit(WebSettings()) as other:
        answer = other.get("/report?language=xx")
        assert answer.status_code == 404
        assert "'xx' is not spoken here" in answer.text
        assert other.post("/report").status_code == 405


def test_who_may_not_see_the_game_may_not_see_its_report(visit: Visit) -> None:
    closed = WebSettings(host="0.0.0.0", open_reading=False)
    with visit(closed, STRANGER) as stranger:
        answer = stranger.get("/report")
        assert answer.status_code == 403
        assert "Red" not in answer.text
    with visit(closed) as box:
        assert box.get("/report").status_code == 200
    with visit(WebSettings(host="0.0.0.0"), STRANGER) as reader:
        assert reader.get("/report").status_code == 200


def test_other_pages_keep_the_policy_of_the_page(client: TestClient) -> None:
    assert "style-src 'self'" in client.get("/").headers["content-security-policy"]


def test_what_is_served_is_what_the_command_writes(visit: Visit) -> None:
    with GAME.open("rb") as stream:
        wanted = write_report(gather(TraceReader(stream)), "en", "html")
    with visit(WebSettings()) as client:
        assert client.get("/report").text == wanted
