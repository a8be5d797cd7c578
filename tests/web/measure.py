"""What the page costs: its weight, what many viewers cost the game, and how soon a change is on the screen.

`python -m tests.web.measure` prints the figures. Viewers are real websockets from a process of their own.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Request, TextMessage

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.signals.language import LANGUAGES
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.app import LIVE_PAGE, REPLAY_PAGE, STATIC
from tamsk_pi.web.languages import texts_as_json
from tamsk_pi.web.server import live_server
from tests.web.browser import Table, chromium
from tests.web.scripted import ScriptedGame, plain_words

CHANGES: Final = 300
APART_S: Final = 0.05
SETTLE_S: Final = 1.5
"""Opening so many pages at once is another matter than keeping them."""
VIEWERS: Final = (0, 1, 200)


@contextmanager
def served() -> Iterator[tuple[ScriptedGame, str]]:
    game = ScriptedGame(MonotonicClock())
    server = live_server(game, plain_words, WebSettings(port=0), Pairing(MonotonicClock()))
    server.open()
    yield game, server.url
    server.close()
    game.close()


def percentiles(values_ms: Sequence[float]) -> str:
    """p50 and p99 of some times, in ms."""
    cuts = statistics.quantiles(values_ms, n=100)
    return f"p50 {cuts[49]:.3f} ms, p99 {cuts[98]:.3f} ms"


def loaded(page: Path) -> set[Path]:
    """The files that a browser loads for a page: itself, what it names, and what that imports."""
    found: set[Path] = set()
    waiting = [page]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            named = re.findall(r'"(?:/static|\.)/([\w.]+)"', path.read_text())
            waiting += [STATIC / name for name in named]
    return found


def weigh(page: Path = LIVE_PAGE) -> int:
    """All that a browser loads for a page, in bytes: its files, and its texts in the longest language."""
    texts = max(len(texts_as_json(language)) for language in LANGUAGES)
    return sum(path.stat().st_size for path in loaded(page)) + texts


async def _view(url: str, seen_ms: list[float], ready: asyncio.Semaphore) -> None:
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    connection = WSConnection(ConnectionType.CLIENT)
    origin = (b"Origin", f"http://{parts.netloc}".encode())
    writer.write(connection.send(Request(host=parts.netloc, target="/live", extra_headers=[origin])))
    text = ""
    while data := await reader.read(65536):
        connection.receive_data(data)
        for event in connection.events():
            if isinstance(event, AcceptConnection):
                ready.release()
            elif isinstance(event, TextMessage):
                text += event.data
                if event.message_finished:
                    message, text = json.loads(text), ""
                    if message["type"] == "change":
                        told_ms = float(message["sections"]["names"]["red"])
                        seen_ms.append(time.monotonic() * 1000 - told_ms)


def _viewers(url: str, count: int, pipe: Connection) -> None:
    async def run() -> None:
        seen_ms: list[float] = []
        ready = asyncio.Semaphore(0)
        views = [asyncio.create_task(_view(url, seen_ms, ready)) for _ in range(count)]
        for _ in range(count):
            await ready.acquire()
        pipe.send("ready")
        await asyncio.to_thread(pipe.recv)
        for view in views:
            view.cancel()
        pipe.send(seen_ms)

    asyncio.run(run())


def watch(count: int) -> tuple[list[float], list[float]]:
    """For so many viewers: how long `show` held the game up, and when each change had come to each viewer, in ms."""
    with served() as (game, url):
        here, there = multiprocessing.Pipe()
        process = multiprocessing.get_context("spawn").Process(target=_viewers, args=(url, count, there))
        process.start()
        here.recv()
        time.sleep(SETTLE_S)
        held_up_ms = []
        for _ in range(CHANGES):
            time.sleep(APART_S)
            before_s = time.monotonic()
            game.change(names={"red": str(before_s * 1000), "black": ""})
            held_up_ms.append((time.monotonic() - before_s) * 1000)
        time.sleep(0.5)
        here.send("stop")
        seen_ms: list[float] = here.recv()
        process.join()
    return held_up_ms, seen_ms


ON_SCREEN: Final = """() => {
    window.shown = [];
    new MutationObserver(() => {
        const told = document.getElementById("turn").textContent.match(/[(](.*)[)]/)[1];
        const note = () => shown.push(performance.timeOrigin + performance.now() - Number(told));
        requestAnimationFrame(() => setTimeout(note));
    }).observe(document.getElementById("turn"), { childList: true });
}"""


def look() -> list[float]:
    """From a change in the game to the end of the browser's frame that shows it, in ms."""
    with served() as (game, url), chromium() as browser:
        table = Table(browser.new_page(viewport={"width": 1280, "height": 800}), url)
        table.page.evaluate(ON_SCREEN)
        for _ in range(CHANGES):
            table.page.wait_for_timeout(60)
            game.change(names={"red": str(time.time() * 1000), "black": ""})
        table.page.wait_for_timeout(500)
        shown_ms: list[float] = table.page.evaluate("() => shown")
    return shown_ms


def main() -> None:
    out = sys.stdout.write
    for name, page in (("page", LIVE_PAGE), ("replay page", REPLAY_PAGE)):
        out(f"{name}: {weigh(page) / 1000:.1f} kB in {len(loaded(page)) + 1} files\n")
    for count in VIEWERS:
        held_up_ms, seen_ms = watch(count)
        out(f"{count} viewers: show and picture {percentiles(held_up_ms)}")
        out(f"; seen {len(seen_ms)} of {count * CHANGES}, {percentiles(seen_ms)}\n" if seen_ms else "\n")
    out(f"change to pixel: {percentiles(look())}\n")


if __name__ == "__main__":
    main()
