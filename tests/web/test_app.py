"""The server as browsers meet it: files, headers, the websocket's flow, and everything a stranger might try."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import pytest
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect
from wsproto.utilities import LocalProtocolError

from tamsk_pi.clock import VirtualClock
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.actions import HandAction, TurnTimer
from tamsk_pi.web.app import LIVE_PAGE, REPLAY_PAGE, RULES_PAGE, SENSOR_PAGE, STATIC, build_app
from tamsk_pi.web.guard import HEADERS, REQUESTS_AT_ONCE
from tamsk_pi.web.inbox import INBOX_SIZE, Inbox
from tamsk_pi.web.live import REFUSALS, VIEWERS_PER_ADDRESS
from tamsk_pi.web.pairing import WRONG_AT_MOST
from tests.web.conftest import HOST
from tests.web.measure import loaded
from tests.web.scripted import ALARM, ScriptedGame, plain_words
from tests.web.talk import MOST, Page, opened
from tests.web.test_messages import GOOD

BOX = "192.168.1.5:8037"
STRANGER = ("192.168.1.66", 40000)


@contextmanager
def served(
    game: ScriptedGame,
    clock: VirtualClock,
    pairing: Pairing,
    client: tuple[str, int],
    *,
    open_reading: bool = True,
) -> Iterator[TestClient]:
    """A server beyond loopback, met from this address."""
    settings = WebSettings(host="0.0.0.0", open_reading=open_reading)
    app = build_app(game, plain_words, settings, pairing=pairing, clock=clock)
    with TestClient(app, base_url=f"http://{BOX}", client=client) as test_client:
        yield test_client


# ---- files and headers ----


def test_every_file_of_the_page_is_served_with_all_headers(client: TestClient) -> None:
    paths = ["/", *(f"/static/{path.name}" for path in STATIC.iterdir())]
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


def test_every_file_belongs_to_a_page_and_needs_nothing_from_elsewhere() -> None:
    files = list(STATIC.iterdir())
    pages = (LIVE_PAGE, REPLAY_PAGE, SENSOR_PAGE, RULES_PAGE)
    assert set().union(*(loaded(page) for page in pages)) == set(files)
    for path in files:
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, path
        assert "https://" not in text, path


def test_the_page_has_no_inline_script_or_style() -> None:
    text = (STATIC / "index.html").read_text()
    assert "<style" not in text
    assert "style=" not in text
    assert text.count("<script") == text.count('<script type="module" src=')
    assert re.search(r"\son\w+=", text) is None
    assert "unsafe" not in HEADERS["content-security-policy"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
@pytest.mark.parametrize("path", ["/", "/live", "/static/main.js", "/nothing"])
def test_no_route_takes_anything_but_get(client: TestClient, method: str, path: str) -> None:
    answer = client.request(method, path, content=b"x")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


@pytest.mark.parametrize("path", ["/nothing", "/static/../app.py", "/static/%2e%2e/app.py", "/static/", "/live"])
def test_what_is_not_a_file_of_the_page_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (404, 405)


def test_a_strange_host_name_is_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "rebound.example.org"}).status_code == 421


def test_too_many_requests_are_refused_and_later_served_again(client: TestClient, clock: VirtualClock) -> None:
    answers = [client.get("/static/icon.svg").status_code for _ in range(REQUESTS_AT_ONCE + 1)]
    assert answers[-2:] == [200, 429]
    clock.go_to(1000)
    assert client.get("/").status_code == 200


# ---- the websocket's flow ----


def test_the_true_state_comes_at_once_and_again_for_a_second_page(client: TestClient) -> None:
    with opened(client) as first:
        assert first.wait_for("beat")["alive"] is True
        assert first.wait_for("state")["sections"]["glasses"]["R2"]["socket"] == "D1"
        assert first.act("lift", glass="R2")["ok"]
        with opened(client) as second:
            glass = second.wait_for("state")["sections"]["glasses"]["R2"]
            assert (glass["socket"], glass["in_hand"], glass["lifted_from"]) == (None, True, "D1")


def test_an_act_changes_the_state_for_all(client: TestClient) -> None:
    with opened(client) as first, opened(client) as second:
        second.wait_for("state")
        assert first.act("lift", glass="R2")["ok"]
        assert first.act("place", glass="R2", socket="D2", turned=True)["ok"]
        while not (told := second.wait_for("change"))["rulings"]:
            pass
        assert told["rulings"][0]["text"] == "move red R2 D1 D2"


def test_what_no_hand_can_do_is_refused_with_its_reason(client: TestClient) -> None:
    with opened(client) as page:
        answer = page.act("place", glass="R1", socket="D4", turned=True)
        assert (answer["ok"], answer["reason"]) == (False, "R1 is not in hand")


def test_tones_are_heard(client: TestClient, game: ScriptedGame) -> None:
    with opened(client) as page:
        page.wait_for("state")
        game.sound(ALARM)
        assert page.wait_for("tones")["tones"] == [[440, 120], [330, 200]]


def test_a_referee_that_has_stopped_is_told_with_the_beat(client: TestClient, game: ScriptedGame) -> None:
    game.is_alive = False
    with opened(client) as page:
        assert page.wait_for("beat")["alive"] is False


def test_one_set_of_hands_shown_by_name(client: TestClient) -> None:
    with opened(client) as ada, opened(client) as lin:
        assert ada.wait_for("you")["hands"] == "free"
        ada.say({"type": "take_hands", "name": "Ada"})
        ada.wait_for("you", hands="yours")
        assert lin.wait_for("you", hands="theirs")["holder"] == "Ada"
        refused = lin.act("lift", glass="R1")
        assert (refused["ok"], refused["reason"]) == (False, "the hands are with Ada; take them over first")
        lin.say({"type": "take_hands", "name": "Lin"})
        assert ada.wait_for("you", hands="theirs")["holder"] == "Lin"
        assert lin.act("lift", glass="R1")["ok"]
        lin.say({"type": "release_hands"})
        ada.wait_for("you", hands="free")


def test_the_hands_are_free_again_when_their_page_goes(client: TestClient) -> None:
    with opened(client) as stays:
        with opened(client) as goes:
            assert goes.act("turn_timer")["ok"]
            stays.wait_for("you", hands="theirs")
        stays.wait_for("you", hands="free")
        assert stays.act("turn_timer")["ok"]


def test_the_arbiter_is_asked_only_for_what_it_offers(client: TestClient) -> None:
    with opened(client) as page:
        assert page.wait_for("you")["arbiter"] == ["pause", "resume"]
        assert page.ask("arbitrate", {"verb": "pause"})["ok"]
        assert page.ask("arbitrate", {"verb": "annul"})["reason"] == "annul is not offered here"


def test_a_real_board_has_no_hands_to_take(clock: VirtualClock) -> None:
    game = ScriptedGame(clock, mode="referee", with_hands=False)
    app = build_app(game, plain_words)
    with TestClient(app, base_url="http://localhost", client=("::1", 1)) as client, opened(client) as page:
        assert page.wait_for("you")["hands"] == "none"
        state = page.wait_for("state")
        assert (state["helps"], state["sections"]["targets"]) == (False, {})
        assert "real one" in page.act("lift", glass="R1")["reason"]
        page.say({"type": "take_hands", "name": "Ada"})
        assert "real one" in page.wait_for("refused")["reason"]
    game.close()


def test_an_old_page_is_told_to_load_anew(client: TestClient) -> None:
    with opened(client) as page:
        page.say({"type": "hello", "version": 99, "token": ""})
        assert "load the page anew" in page.wait_for("refused")["reason"]


# ---- strangers ----


@pytest.mark.parametrize("origin", ["http://example.org", "null", "http://127.0.0.1:8038", ""])
def test_a_page_from_elsewhere_gets_no_websocket(client: TestClient, origin: str) -> None:
    with pytest.raises(WebSocketDisconnect), opened(client, origin=origin):
        pass


def test_a_websocket_without_an_origin_is_refused(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/live", headers={"host": HOST}):
        pass


def test_a_rebound_name_gets_no_websocket_though_its_origin_is_the_same(client: TestClient) -> None:
    name = "rebound.example.org"
    with pytest.raises(WebSocketDisconnect), opened(client, host=name, origin=f"http://{name}"):
        pass


def every_message() -> list[dict[str, object]]:
    """One of each message that asks for a change."""
    acts: list[dict[str, object]] = [{"type": "act", "id": n, "action": told} for n, (told, _) in enumerate(GOOD)]
    words: list[dict[str, object]] = [
        {"type": "arbitrate", "id": 100, "action": {"verb": "pause"}},
        {"type": "take_hands", "name": "Mallory"},
        {"type": "release_hands"},
        {"type": "hello", "version": 1, "token": "guessed"},
        {"type": "pair", "code": "000000"},
    ]
    return acts + words


def test_a_stranger_walks_every_message_and_nothing_changes(
    game: ScriptedGame, clock: VirtualClock, pairing: Pairing
) -> None:
    before = game.picture()
    with served(game, clock, pairing, STRANGER) as client, opened(client) as page:
        you = page.wait_for("you")
        assert (you["paired"], you["code"]) == (False, None)
        page.wait_for("state")
        for message in every_message():
            page.say(message)
        refused = [page.wait_for("answer") for _ in range(len(GOOD) + 1)]
        assert {answer["reason"] for answer in refused} == {"type the code shown on the box first"}
        assert page.wait_for("paired")["token"] is None
    after = game.picture()
    assert after.rulings == before.rulings
    assert after.board == before.board


def test_a_stranger_walks_every_route_and_nothing_changes(
    game: ScriptedGame, clock: VirtualClock, pairing: Pairing
) -> None:
    before = game.picture()
    with served(game, clock, pairing, STRANGER, open_reading=False) as client:
        routes = build_app(game, plain_words).routes
        assert {type(route) for route in routes} == {Route, WebSocketRoute, Mount}
        for path in ("/", "/live", "/static/main.js"):
            for method in ("GET", "HEAD", "POST", "DELETE"):
                assert client.request(method, path).status_code in (200, 404, 405)
    assert game.picture().rulings == before.rulings


def test_the_code_lets_a_stranger_in_and_the_token_does_later(
    game: ScriptedGame, clock: VirtualClock, pairing: Pairing
) -> None:
    with served(game, clock, pairing, STRANGER, open_reading=False) as client:
        with opened(client) as page:
            assert page.act("turn_timer")["ok"] is False
            page.say({"type": "pair", "code": "246810"})
            token = page.wait_for("paired")["token"]
            page.wait_for("state")
            assert page.act("turn_timer")["ok"]
        with opened(client) as again:
            again.say({"type": "hello", "version": 1, "token": token})
            again.wait_for("you", paired=True)
            assert again.act("turn_timer")["ok"]


def test_without_open_reading_a_stranger_sees_nothing(
    game: ScriptedGame, clock: VirtualClock, pairing: Pairing
) -> None:
    with served(game, clock, pairing, STRANGER, open_reading=False) as client, opened(client) as page:
        game.sound(ALARM)
        game.change(names={"red": "secret", "black": ""})
        seen = [page.session.receive_json() for _ in range(2)]
        page.say({"type": "hello", "version": 99, "token": ""})
        while (message := page.session.receive_json())["type"] != "refused":
            seen.append(message)
        assert {message["type"] for message in seen} <= {"beat", "you"}


def test_the_box_itself_needs_no_code_and_shows_it(game: ScriptedGame, clock: VirtualClock, pairing: Pairing) -> None:
    with served(game, clock, pairing, ("127.0.0.1", 5)) as client, opened(client) as page:
        assert page.wait_for("you")["code"] == "246810"
        assert page.act("turn_timer")["ok"]
        with opened(client, **{"x-forwarded-for": "192.168.1.66"}) as proxied:
            you = proxied.wait_for("you")
            assert (you["paired"], you["code"]) == (False, None)


def test_a_pairing_can_be_ended_at_the_box_and_ends_at_once(
    game: ScriptedGame, clock: VirtualClock, pairing: Pairing
) -> None:
    settings = WebSettings(host="0.0.0.0")
    app = build_app(game, plain_words, settings, pairing=pairing, clock=clock)
    with TestClient(app, base_url=f"http://{BOX}", client=("127.0.0.1", 5)) as client, opened(client) as box:
        with opened(client, **{"x-forwarded-for": "192.168.1.66"}) as phone:
            phone.say({"type": "pair", "code": "246810"})
            token = phone.wait_for("paired")["token"]
            assert phone.act("turn_timer")["ok"]
            phone.say({"type": "revoke"})
            assert phone.wait_for("refused")["reason"] == "only a page that is open at the box itself ends pairings"
            box.say({"type": "revoke"})
            assert phone.wait_for("you", paired=False)["code"] is None
            assert not phone.act("turn_timer")["ok"]
        assert box.wait_for("you", code=pairing.code)["paired"]
        assert pairing.code != "246810"
        with opened(client, **{"x-forwarded-for": "192.168.1.66"}) as again:
            again.say({"type": "hello", "version": 1, "token": token})
            assert not again.act("turn_timer")["ok"]


def test_the_box_says_that_somebody_guesses(game: ScriptedGame, clock: VirtualClock, pairing: Pairing) -> None:
    settings = WebSettings(host="0.0.0.0")
    app = build_app(game, plain_words, settings, pairing=pairing, clock=clock)
    with TestClient(app, base_url=f"http://{BOX}", client=("127.0.0.1", 5)) as client, opened(client) as box:
        assert box.wait_for("you")["guesser"] is None
        with opened(client, **{"x-forwarded-for": "192.168.1.66"}) as guesser:
            for _ in range(WRONG_AT_MOST):
                clock.go_to(clock.now_ms() + 10_000)
                guesser.say({"type": "pair", "code": "000000"})
                assert guesser.wait_for("paired")["token"] is None
            guesser.say({"type": "pair", "code": pairing.code})
            assert "quarter of an hour" in guesser.wait_for("paired")["reason"]
        told = box.wait_for("you", guesser="192.168.1.66")
        assert told["code"] == pairing.code != "246810"


@pytest.mark.parametrize(
    "gone",
    [WebSocketDisconnect(1006), RuntimeError("close message has been sent"), BrokenPipeError(), LocalProtocolError()],
)
@pytest.mark.parametrize("when", ["websocket.accept", "websocket.send"])
def test_a_page_that_goes_in_any_instant_is_no_error(
    gone: Exception, when: str, game: ScriptedGame, clock: VirtualClock
) -> None:
    app = build_app(game, plain_words, WebSettings(), clock=clock)
    headers = [(b"host", HOST.encode()), (b"origin", f"http://{HOST}".encode())]
    scope = {"type": "websocket", "path": "/live", "query_string": b"", "headers": headers, "client": ("127.0.0.1", 5)}

    async def visit() -> None:
        async def receive() -> Message:
            if not said:
                await anyio.sleep_forever()
            return said.pop()

        async def send(message: Message) -> None:
            if message["type"] == when:
                raise gone

        said: list[Message] = [{"type": "websocket.connect"}]
        with anyio.fail_after(60):
            await app(scope, receive, send)

    with TestClient(app):  # the source is started
        anyio.run(visit)


def test_one_machine_cannot_fill_the_room(game: ScriptedGame, clock: VirtualClock, pairing: Pairing) -> None:
    with served(game, clock, pairing, STRANGER) as client:
        pages = [opened(client) for _ in range(VIEWERS_PER_ADDRESS)]
        for page in pages:
            page.__enter__()
        with opened(client) as last, pytest.raises(WebSocketDisconnect) as refused:
            last.session.receive_json()
        assert refused.value.code == 1013
        for page in reversed(pages):
            page.__exit__(None, None, None)


# ---- nonsense, floods, slowness ----


def until_cut_off(page: Page) -> int:
    for _ in range(MOST):
        try:
            page.session.receive_json()
        except WebSocketDisconnect as cut:
            return cut.code
    raise AssertionError("it was never cut off")


def test_nonsense_is_refused_and_then_cut_off(client: TestClient) -> None:
    with opened(client) as page:
        for _ in range(REFUSALS):
            page.session.send_text("{")
        assert until_cut_off(page) == 1008


def test_bytes_are_refused(client: TestClient) -> None:
    with opened(client) as page:
        page.session.send_bytes(b"\x00\xff")
        assert page.wait_for("refused")["reason"] == "a message is text, not bytes"
        assert page.act("turn_timer")["ok"]


def test_a_flood_is_slowed_and_then_cut_off(client: TestClient) -> None:
    with opened(client) as page:
        for number in range(200):
            page.say({"type": "act", "id": number, "action": {"do": "turn_timer"}})
        assert until_cut_off(page) == 1008
    with opened(client) as other:
        assert other.act("turn_timer")["ok"]


def test_an_owner_that_has_stalled_stalls_no_page(clock: VirtualClock) -> None:
    game = ScriptedGame(clock)
    game.hands = Inbox()
    with TestClient(build_app(game, plain_words), base_url="http://localhost", client=("::1", 1)) as client:
        for _ in range(INBOX_SIZE):
            game.hands.do(TurnTimer(), lambda _: None)
        with opened(client) as page:
            assert "waiting" in page.act("turn_timer")["reason"]
            page.wait_for("beat")
    game.close()


def test_an_inbox_gives_in_order_and_wakes_its_owner() -> None:
    woken: list[bool] = []
    answers: list[str | None] = []
    inbox: Inbox[HandAction] = Inbox(lambda: woken.append(True))
    for _ in range(INBOX_SIZE + 1):
        inbox.do(TurnTimer(), answers.append)
    assert len(woken) == INBOX_SIZE
    assert len(answers) == 1
    assert len(inbox.take()) == INBOX_SIZE
    assert inbox.take() == []
