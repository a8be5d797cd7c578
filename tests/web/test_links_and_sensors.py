"""The way for phones to the page, and the raw inputs for whoever solders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest
from starlette.testclient import TestClient

from tamsk_pi.clock import VirtualClock
from tamsk_pi.devices.base import LampFrame, Post, Tone
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.web import links
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.app import build_app
from tamsk_pi.web.links import links_for, qr_lines, qr_svg, seat_link
from tamsk_pi.web.sensors import LAST_EDGES, SensorLog
from tests.web.conftest import HOST
from tests.web.scripted import ScriptedGame, plain_words
from tests.web.talk import opened

BOX = "192.168.1.5:8037"
LINK = f"http://{BOX}/"


def test_on_loopback_there_is_no_link() -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        assert links_for(host, 8037) == ()


def test_everywhere_is_called_by_the_machines_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "own_address", lambda: "192.168.1.5")
    assert links_for("0.0.0.0", 8037) == (LINK,)
    monkeypatch.setattr(links, "own_address", lambda: "fe80::1")
    assert links_for("::", 80) == ("http://[fe80::1]:80/",)
    monkeypatch.setattr(links, "own_address", lambda: None)
    assert links_for("0.0.0.0", 8037) == ()
    assert links_for("box.local", 8037) == ("http://box.local:8037/",)


def test_a_link_names_seat_and_code() -> None:
    assert seat_link(LINK, "black", "012345") == f"{LINK}#seat=black&code=012345"
    assert seat_link(LINK, "none", "") == f"{LINK}#seat=none"


def test_a_qr_code_is_drawn_for_pages_and_terminals() -> None:
    assert qr_svg(LINK).startswith(b"<?xml")
    assert qr_svg(LINK) != qr_svg(f"{LINK}#seat=red")
    assert len(qr_lines(LINK).splitlines()) > 10


@pytest.fixture
def box(game: ScriptedGame, clock: VirtualClock) -> Iterator[dict[str, TestClient]]:
    """A page that is served to the network: asked at the box itself, and by a stranger."""
    app = build_app(
        game,
        plain_words,
        WebSettings(host="0.0.0.0"),
        pairing=Pairing(clock, "246810"),
        clock=clock,
        links=lambda: [LINK],
    )
    with (
        TestClient(app, base_url=f"http://{BOX}", client=("127.0.0.1", 50000)) as own,
        TestClient(app, base_url=f"http://{BOX}", client=("192.168.1.66", 40000)) as stranger,
    ):
        yield {"own": own, "stranger": stranger}


def test_the_code_is_shown_to_nobody_but_the_box(box: dict[str, TestClient]) -> None:
    shown = box["own"].get("/qr.svg?seat=black")
    assert (shown.status_code, shown.headers["content-type"]) == (200, "image/svg+xml")
    assert shown.content == qr_svg(seat_link(LINK, "black", "246810"))
    assert box["stranger"].get("/qr.svg?seat=black").status_code == 404
    for wrong in ("", "?seat=", "?seat=green"):
        assert box["own"].get(f"/qr.svg{wrong}").status_code == 404
    with opened(box["own"]) as own, opened(box["stranger"]) as stranger:
        assert own.wait_for("you")["links"] == [LINK]
        assert stranger.wait_for("you")["links"] == []


def test_on_loopback_there_is_no_qr_code(client: TestClient) -> None:
    assert client.get("/qr.svg?seat=red").status_code == 404


# -- sensors


class Wires:
    """A board with three inputs."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], EdgeValue] = {("socket", "A1"): True, ("tilt", "R1"): "a", ("ring", "D4"): 0}
        self.heard_ms = 0

    def open(self) -> None: ...

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        return self.values

    def start(self, post: Post) -> None: ...

    def show(self, frame: LampFrame) -> None: ...

    def sound(self, tones: Sequence[Tone]) -> None: ...

    def alive_at_ms(self) -> int:
        return self.heard_ms

    def close(self) -> None: ...


def test_inputs_edges_and_link_are_told() -> None:
    clock, wires = VirtualClock(), Wires()
    posted: list[Edge] = []
    log = SensorLog(wires, clock)
    log.look()
    post = log.passing(posted.extend)
    post([Edge(100, "socket", "A1", False), Edge(104, "socket", "A1", True)])
    clock.go_to(2_100)
    told = log.picture()
    assert [edge.t_ms for edge in posted] == [100, 104]
    assert told["heard_ago_ms"] == 2_100
    by_name = {(one["kind"], one["name"]): one for one in told["inputs"]}
    assert by_name["socket", "A1"] == {"kind": "socket", "name": "A1", "value": True, "ago_ms": 1_996, "edges": 2}
    assert by_name["tilt", "R1"]["ago_ms"] is None
    assert [edge["value"] for edge in told["edges"]] == [True, False]


def test_only_the_last_edges_are_kept() -> None:
    log = SensorLog(Wires(), VirtualClock())
    log.passing(lambda edges: None)([Edge(t, "socket", "A1", bool(t % 2)) for t in range(3 * LAST_EDGES)])
    assert len(log.picture()["edges"]) == LAST_EDGES


def test_the_sensors_are_for_whoever_may_read(game: ScriptedGame, clock: VirtualClock) -> None:
    log = SensorLog(Wires(), clock)
    log.look()
    closed = WebSettings(host="192.168.1.5", open_reading=False)
    app = build_app(game, plain_words, closed, clock=clock, sensors=log)
    with TestClient(app, base_url=f"http://{BOX}", client=("192.168.1.66", 40000)) as stranger:
        assert stranger.get("/sensors/now").status_code == 403
        assert stranger.get("/sensors").status_code == 200
    with TestClient(app, base_url=f"http://{HOST}", client=("127.0.0.1", 50000)) as own:
        assert len(own.get("/sensors/now").json()["inputs"]) == 3


def test_where_no_sensors_are_kept_there_is_no_page_of_them(client: TestClient) -> None:
    assert client.get("/sensors").status_code == 404
    with opened(client) as page:
        assert page.wait_for("you")["sensors"] is False
