"""Opens one board of the hub in the page that a single board has: the same program, fed from the hub."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from tamsk_pi.clock import Clock
from tamsk_pi.club.topics import Place
from tamsk_pi.hub.boards import BoardPicture
from tamsk_pi.hub.mini import game_picture
from tamsk_pi.hub.service import Hub
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.speech import words_for
from tamsk_pi.signals.language import Language
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.server import PageServer, live_server
from tamsk_pi.web.source import Mode, Viewers

MOST: Final = 32
"""Pages open at once; the one asked for longest ago is closed first."""


class HubSource:
    """A `GameSource`: one board, watched through the hub. It shows no legal targets and takes no words."""

    mode: Final[Mode] = "referee"
    hands: Final = None
    arbiter: Final = None

    def __init__(self, hub: Hub, place: Place) -> None:
        self._hub: Final = hub
        self._place: Final = place
        self._viewers: Viewers | None = None
        self._name = ""
        self._number = 0

    def start(self, viewers: Viewers) -> None:
        self._viewers = viewers
        picture = self._hub.picture(self._place)
        if picture is None or picture.snapshot is None:
            raise RuntimeError("the board has no game yet")
        self.show(picture)

    def show(self, picture: BoardPicture) -> None:
        """From the hub's thread: the board has changed."""
        if self._viewers is None or picture.snapshot is None:
            return
        if picture.game != self._name:
            self._name = picture.game
            self._number += 1
        self._viewers.show(game_picture(picture, self._number))

    def now_ms(self) -> int:
        picture = self._hub.picture(self._place)
        return 0 if picture is None else picture.now_ms(self._hub.mono_ms())

    def alive(self) -> bool:
        picture = self._hub.picture(self._place)
        return picture is not None and (picture.heard or picture.over)

    def say(self, ruling: Ruling, language: Language) -> str:
        picture = self._hub.picture(self._place)
        if picture is None or picture.settings is None:
            return ruling.kind
        return words_for(picture.settings, language).say(ruling)


class LivePages:
    """A page for each board that somebody opened, each on a port of its own."""

    def __init__(self, hub: Hub, host: str, clock: Clock) -> None:
        self._hub: Final = hub
        self._host: Final = host
        self._clock: Final = clock
        self._pages: OrderedDict[Place, tuple[HubSource, PageServer]] = OrderedDict()
        self._lock: Final = Lock()

    def show(self, place: Place, picture: BoardPicture) -> None:
        """A listener of the hub."""
        page = self._pages.get(place)
        if page is not None:
            page[0].show(picture)

    def port_of(self, place: Place) -> int:
        """The port of the board's page, which is opened if need be. `LookupError`: it has no game; `ServerError`."""
        picture = self._hub.picture(place)
        if picture is None or picture.snapshot is None:
            raise LookupError
        with self._lock:
            if place not in self._pages:
                source = HubSource(self._hub, place)
                settings = WebSettings(host=self._host, port=0)
                server = live_server(source, source.say, settings, Pairing(self._clock))
                server.open()
                self._pages[place] = (source, server)
                while len(self._pages) > MOST:
                    self._pages.popitem(last=False)[1][1].close()
            self._pages.move_to_end(place)
            return int(self._pages[place][1].url.rstrip("/").rpartition(":")[2])

    def close(self) -> None:
        with self._lock:
            for _, server in self._pages.values():
                server.close()
            self._pages.clear()
