"""One change is encoded once; who has seen the version before gets the change, all others the whole."""

from __future__ import annotations

import asyncio
import json
from threading import Thread
from typing import Any

import attrs

from tamsk_pi.clock import VirtualClock
from tamsk_pi.devices.base import Tone
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.web.hub import PERSONAL_LIMIT, Hub, Viewer
from tamsk_pi.web.source import GamePicture
from tests.web.scripted import ScriptedGame, plain_words

WAIT_S = 5.0


def picture() -> GamePicture:
    return ScriptedGame(VirtualClock()).picture()


def moved_on(before: GamePicture) -> GamePicture:
    ruling = Ruling(9, "pass", {"player": "red"})
    return attrs.evolve(
        before, rulings=(*before.rulings, ruling), snapshot=attrs.evolve(before.snapshot, to_move="black")
    )


async def reads(viewer: Viewer) -> list[dict[str, Any]]:
    return [json.loads(text) for text in await viewer.next_texts(WAIT_S)]


def opened_hub() -> tuple[Hub, Viewer]:
    hub = Hub(plain_words, mode="simulator", helps=True)
    hub.show(picture())
    hub.open()
    viewer = hub.join()
    viewer.reads = True
    return hub, viewer


def test_the_whole_state_comes_first_and_then_what_changed() -> None:
    async def scenario() -> None:
        hub, viewer = opened_hub()
        (first,) = await reads(viewer)
        assert first["type"] == "state"
        assert first["sections"]["to_move"] == "red"
        assert len(first["layout"]) == 37
        hub.show(moved_on(picture()))
        (second,) = await reads(viewer)
        assert second["type"] == "change"
        assert second["sections"] == {"to_move": "black"}
        assert second["from"] == 1
        assert [ruling["text"] for ruling in second["rulings"]] == ["pass red"]
        assert second["version"] == first["version"] + 1

    asyncio.run(scenario())


def test_who_fell_behind_gets_the_whole_state() -> None:
    async def scenario() -> None:
        hub, viewer = opened_hub()
        other = hub.join()
        other.reads = True
        await reads(viewer)
        await reads(other)
        shown = picture()
        for _ in range(2):
            shown = moved_on(shown)
            hub.show(shown)
            await reads(other)
        (late,) = await reads(viewer)
        assert late["type"] == "state"
        assert [ruling["text"] for ruling in late["rulings"]] == ["started", "pass red", "pass red"]

    asyncio.run(scenario())


def test_a_new_game_starts_a_new_list_of_rulings() -> None:
    async def scenario() -> None:
        hub, viewer = opened_hub()
        await reads(viewer)
        hub.show(attrs.evolve(picture(), game=2))
        (told,) = await reads(viewer)
        assert told["type"] == "state"
        assert told["sections"]["game"] == 2
        assert len(told["rulings"]) == 1

    asyncio.run(scenario())


def test_a_picture_that_shows_nothing_new_is_not_sent() -> None:
    async def scenario() -> None:
        hub, viewer = opened_hub()
        await reads(viewer)
        version = hub.version
        hub.show(attrs.evolve(picture(), snapshot=attrs.evolve(picture().snapshot, now_ms=77)))
        assert await viewer.next_texts(0.1) == []
        assert hub.version == version

    asyncio.run(scenario())


def test_a_viewer_that_may_not_read_gets_nothing_but_its_own_messages() -> None:
    async def scenario() -> None:
        hub, viewer = opened_hub()
        viewer.reads = False
        hub.sound([Tone(440, 100)])
        viewer.tell({"type": "answer"})
        assert await reads(viewer) == [{"type": "answer"}]
        assert await viewer.next_texts(0.05) == []

    asyncio.run(scenario())


def test_only_the_newest_tones_wait() -> None:
    async def scenario() -> None:
        hub, viewer = opened_hub()
        await reads(viewer)
        hub.sound([Tone(440, 100)])
        hub.sound([Tone(880, 50), Tone(0, 20)])
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert await reads(viewer) == [{"type": "tones", "tones": [[880, 50], [0, 20]]}]

    asyncio.run(scenario())


def test_a_viewer_that_does_not_read_its_answers_is_given_up() -> None:
    async def scenario() -> None:
        _, viewer = opened_hub()
        for _ in range(PERSONAL_LIMIT + 1):
            viewer.tell({"type": "answer"})
        assert viewer.overrun

    asyncio.run(scenario())


def test_pictures_from_many_threads_end_with_the_newest() -> None:
    async def scenario() -> None:
        hub, viewer = opened_hub()
        await reads(viewer)

        def flood() -> None:
            for ms in range(200):
                hub.show(attrs.evolve(picture(), ring_mode=f"mode {ms}"))

        threads = [Thread(target=flood) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            await asyncio.to_thread(thread.join)
        hub.show(attrs.evolve(picture(), ring_mode="last"))
        for _ in range(1000):
            told = await reads(viewer)
            if told and told[-1]["sections"].get("ring_mode") == "last":
                return
        raise AssertionError("the newest picture never came")

    asyncio.run(scenario())


def test_the_owner_may_go_on_after_the_loop_has_gone() -> None:
    async def scenario() -> Hub:
        hub, _ = opened_hub()
        return hub

    hub = asyncio.run(scenario())
    hub.show(moved_on(picture()))
    hub.sound([Tone(440, 1)])
    assert hub.version == 1
