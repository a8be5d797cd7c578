"""The page between two games: what is to be done, who may choose for the next one, and the arbiter who begins it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from starlette.testclient import TestClient

from tamsk_pi.app.simulator import SimulatorHands, table_for
from tamsk_pi.clock import VirtualClock
from tamsk_pi.commands.virtual_board import rig_maker
from tamsk_pi.runner.loop import Loop
from tamsk_pi.runner.speech import Spoken, words_for
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.sim.rig import Table
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.app import build_app
from tamsk_pi.web.loop_source import LoopSource
from tests.web.talk import Page, opened

CHOICE = {"level": 3, "rules": "wikipedia", "red": "Lin", "black": "Ada"}


class Box:
    """A virtual board whose loop goes round in a thread of its own, in virtual time, and pages beside it."""

    def __init__(self, *, hands: bool) -> None:
        settings = Settings(level=1, red="Ada", black="Lin")
        clock = VirtualClock(1_000)
        rig = rig_maker("matrix", diodes=True, say=pytest.fail)(clock, 1, table_for(settings, Table()))
        self.hands = SimulatorHands(rig, settings)
        self.source = LoopSource(
            "simulator" if hands else "play",
            clock,
            hands=self.hands.inbox if hands else None,
            words=lambda of: words_for(self.loop.desk.session.settings, of),
        )
        self.loop = Loop(rig, clock, lambda of: Conductor("play"), watchers=[self.source], pump=rig)
        self.source.attach(self.loop)
        self.hands.attach(self.loop)
        self._stopped = threading.Event()
        rig.open()
        rig.start(self.loop.post)
        self.loop.open(settings)
        self.loop.go_round()

        def run() -> None:
            while not self._stopped.wait(0.001):
                rig.run_to(clock.now_ms())
                self.loop.go_round()
                clock.go_to(clock.now_ms() + 20)
            rig.close()

        self._thread = threading.Thread(target=run)
        self._thread.start()
        self.client = TestClient(
            build_app(self.source, Spoken(self.loop).say, WebSettings(), pairing=Pairing(clock)),
            base_url="http://127.0.0.1:8037",
            client=("127.0.0.1", 50_000),
        )

    def close(self) -> None:
        self._stopped.set()
        self._thread.join()


@contextmanager
def a_table(*, hands: bool) -> Iterator[Box]:
    table = Box(hands=hands)
    try:
        with table.client:
            yield table
    finally:
        table.close()


def greeted(page: Page) -> Page:
    page.say({"type": "hello", "version": 1, "token": ""})
    return page


def asks(page: Page, kind: str, action: dict[str, object]) -> dict[str, object]:
    return page.ask(kind, action)  # type: ignore[arg-type]


def test_a_game_is_ended_and_the_next_begun_with_what_was_chosen() -> None:
    with a_table(hands=False) as table, opened(table.client) as page:
        greeted(page)
        assert asks(page, "choose_next", CHOICE)["ok"] is True
        assert asks(page, "arbitrate", {"verb": "new_game"})["ok"] is True
        evening = table.loop.evening
        assert evening.games == 2
        settings = evening.desk.session.settings
        assert (settings.level, settings.rules, settings.red, settings.black) == (3, "wikipedia", "Lin", "Ada")


@pytest.mark.parametrize(
    "wrong",
    [{"level": 4}, {"level": "3"}, {"rules": "mine"}, {"red": "x" * 41}, {"black": "a\nb"}, {"more": 1}],
    ids=str,
)
def test_what_does_not_fit_is_refused(wrong: dict[str, object]) -> None:
    with a_table(hands=False) as table, opened(table.client) as page:
        greeted(page)
        page.say({"type": "choose_next", "id": 7, "action": {**CHOICE, **wrong}})
        page.wait_for("refused")
        assert table.loop.evening.choices.level == 1


def test_on_a_virtual_board_whoever_has_the_hands_chooses() -> None:
    with a_table(hands=True) as table, ExitStack() as pages:
        first, second = (greeted(pages.enter_context(opened(table.client))) for _ in range(2))
        first.say({"type": "take_hands", "name": "Ada"})
        first.wait_for("you", hands="yours")
        refused = asks(second, "choose_next", CHOICE)
        assert refused["ok"] is False
        assert "Ada" in str(refused["reason"])
        assert asks(first, "choose_next", CHOICE)["ok"] is True
        assert table.loop.evening.choices.level == 3


def test_pages_come_and_go_and_games_go_on() -> None:
    with a_table(hands=False) as table:
        for number in range(2, 5):
            with opened(table.client) as page:
                greeted(page)
                assert asks(page, "arbitrate", {"verb": "new_game"})["ok"] is True
            assert table.loop.evening.games == number
