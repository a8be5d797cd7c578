"""`make club`: a broker on loopback, boards that play a round by themselves, and the hub's page."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Final

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.hub.app import build_hub_app
from tamsk_pi.hub.arbiters import Arbiters
from tamsk_pi.hub.database import open_database
from tamsk_pi.hub.event.book import Book, make_event
from tamsk_pi.hub.event.history import Player
from tamsk_pi.hub.service import Hub
from tamsk_pi.hub.setup import SetupPlan, board_user, read_config, set_up
from tamsk_pi.hub.sim_board import SimClub, SimPlan
from tamsk_pi.signals.language import N_
from tamsk_pi.web.access import WebSettings
from tamsk_pi.web.server import PageServer

EVENT: Final = "club-night"
NAMES: Final = (
    "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Greta", "Hugo",
    "Ines", "Jan", "Kaya", "Leo", "Mia", "Nico", "Olga", "Paul",
)  # fmt: skip
BROKER_S: Final = 10.0


class DemoError(Exception):
    """It cannot be tried here; one line that says what to do."""


def find_mosquitto() -> str:
    """The broker's program. `DemoError` says what to install."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        raise DemoError("Mosquitto is not installed: sudo apt-get install mosquitto")
    return found


def free_port() -> int:
    """A port of loopback that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_broker(config: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Mosquitto with this configuration, until the end. `DemoError`: it does not start."""
    log = config.with_suffix(".log")
    with open(log, "wb") as told, subprocess.Popen([find_mosquitto(), "-c", str(config)], stderr=told) as process:
        try:
            until_s = time.monotonic() + BROKER_S
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    if process.poll() is not None or time.monotonic() > until_s:
                        said = log.read_text("utf-8", "replace").strip().splitlines() or ["it does not say why"]
                        raise DemoError(f"Mosquitto does not start: {said[-1]}") from None
                    time.sleep(0.05)
            yield process
        finally:
            process.terminate()


def run_demo(
    *,
    boards: int,
    speed: float,
    page_port: int,
    say: Callable[..., None],
    stopped: Event,
    opened: Callable[[str], None],
) -> None:
    """Run until `stopped`. `say` tells a text of the catalogues with its blanks."""
    find_mosquitto()
    with TemporaryDirectory(prefix="tamsk-club-") as name, ExitStack() as stack:
        folder, port = Path(name) / "hub", free_port()
        set_up(SetupPlan(folder=folder, event=EVENT, boards=boards, port=port))
        stack.enter_context(running_broker(folder / "mosquitto.conf", port))
        config = read_config(folder)
        engine = open_database(config.database)
        make_event(engine, name=EVENT, title="Club night", system="swiss", rounds=1, boards=boards)
        book = Book(engine, EVENT)
        book.add_players([Player(0, _name(i), rating=2000 - i) for i in range(2 * boards)])
        pairings = _paired(book)
        clock = MonotonicClock()
        hub = Hub(engine, config.broker)
        arbiters = Arbiters(engine, clock)
        code = arbiters.add("Arbiter")
        settings = WebSettings(port=page_port)
        page = PageServer(build_hub_app(hub, arbiters, settings, clock), settings)
        page.reserve()
        hub.open()
        stack.callback(hub.close)
        page.open()
        stack.callback(page.close)
        for board, (red, black) in enumerate(pairings, start=1):
            own = folder / "boards" / str(board)
            club = SimClub(
                SimPlan(folder=own / "games", seed=f"demo/{board}", speed=speed, red=red, black=black),
                ClubSettings(
                    event=EVENT,
                    board=board,
                    host="127.0.0.1",
                    port=port,
                    user=board_user(EVENT, board),
                    password_file=str(own / "password"),
                    folder=str(own / "games"),
                ),
            )
            club.start()
            stack.callback(club.close)
        say(
            N_("The boards are at {url}; to be paired there: name Arbiter, code {code} (Ctrl-C ends)."),
            url=page.url,
            code=code,
        )
        opened(page.url)
        stopped.wait()


def _name(number: int) -> str:
    return NAMES[number % len(NAMES)] + (f" {number // len(NAMES) + 1}" if number >= len(NAMES) else "")


def _paired(book: Book) -> list[tuple[str, str]]:
    from tamsk_pi.hub.event.book import EventError

    names = {player.number: player.name for player in book.history().players}
    try:
        pairings = book.pair()
    except EventError:
        # Without the library for Swiss pairings the upper half meets the lower, which is that system's first round.
        half = len(names) // 2
        return [(names[n], names[n + half]) for n in range(1, half + 1)]
    return [(names[p.red], names[p.black]) for p in pairings if p.black is not None]
