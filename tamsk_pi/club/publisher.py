"""Tells a hub, through a broker, what the files of a board's games hold; and brings the arbiter's words back.

It runs beside the game in a process of its own and reads files only: a broker that is slow, dead or lying costs the
game nothing. What the hub has not acknowledged stays where it always was, in the files; nothing else is queued.
"""

from __future__ import annotations

import contextlib
import json
import logging
import random
import ssl
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from tamsk_pi.club.cursor import CopyError, Cursor
from tamsk_pi.club.kept import KeptGame, KeptGames
from tamsk_pi.club.progress import Progress
from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.club.topics import KINDS, Kind, read_topic

_log = logging.getLogger(__name__)

KEEPALIVE_S: Final = 10
"""A board that has gone without a word is known as not heard after one and a half times this."""
CONNECT_S: Final = 5.0
POLL_S: Final = 0.05
SCAN_S: Final = 1.0
STATE_S: Final = 10.0
"""How often the state is told anew though nothing has changed: its clock is compared with the hub's."""
BACKOFF_FIRST_S: Final = 0.5
BACKOFF_MOST_S: Final = 10.0
WORD_BYTES: Final = 4_096
GENERATIONS: Final = 9
"""How often a game is told anew where the hub has other lines of it than the board."""
SILENT_HUB_S: Final = 15.0
AT_ONCE: Final = 4
"""Files of which a batch may be under way at a time."""

TellProblem = Callable[[str | None], None]
HearWord = Callable[[str, Mapping[str, Any]], None]


class _Telling:
    """One game that is being told: a cursor for its trace and one for its rulings."""

    def __init__(self, game: KeptGame) -> None:
        self.game = game
        self._generation = 1
        self.cursors: dict[Kind, Cursor] = self._anew()

    def _anew(self) -> dict[Kind, Cursor]:
        return {"lines": Cursor(lambda: self.game.trace), "rulings": Cursor(lambda: self.game.rulings)}

    @property
    def name(self) -> str:
        """What the hub knows it by: with another ending for each time it is told anew."""
        return self.game.name if self._generation == 1 else f"{self.game.name}~{self._generation}"

    def begin_anew(self) -> bool:
        """The hub has other lines under this name: tell the game under another. False: that has been tried enough."""
        if self._generation >= GENERATIONS:
            return False
        self._generation += 1
        self.cursors = self._anew()
        return True

    def is_done(self) -> bool:
        return self.game.over and all(cursor.has_all() for cursor in self.cursors.values())


class Publisher:
    """Runs until `stop` in the thread that calls `run`."""

    def __init__(
        self,
        settings: ClubSettings,
        *,
        tell_problem: TellProblem = lambda problem: None,
        hear_word: HearWord = lambda identity, word: None,
        wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        mono_s: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """`tell_problem` gets what is wrong whenever that changes, None: nothing; `hear_word` an arbiter's word.

        `wait` lets so many seconds of `mono_s` pass.
        """
        self._settings: Final = settings
        self._place: Final = settings.place
        self._tell_problem: Final = tell_problem
        self._hear_word: Final = hear_word
        self._wall_ms: Final = wall_ms
        self._mono_s: Final = mono_s
        self._wait: Final = wait
        self._instance: Final = uuid.uuid4().hex[:16]
        self._chance: Final = random.Random(self._instance)
        self._games: Final = KeptGames(Path(settings.folder))
        self._progress: Final = Progress(Path(settings.folder), self._place)
        self._tellings: dict[str, _Telling] = {}
        self._present: list[KeptGame] = []
        self._stop = False
        self._connected = False
        self._refused: str | None = None
        self._problem: str | None = "\0"
        self._waits_since_s: float | None = None
        self._scan_at_s = 0.0
        self._state_at_s = 0.0
        self._state: dict[str, object] = {}
        self._header_of: str | None = None
        self._answers: list[tuple[str, bytes]] = []
        self._answered: dict[str, bytes] = {}

    # -- from any thread

    def stop(self) -> None:
        """End `run` soon."""
        self._stop = True

    def answer(self, identity: str, reason: str | None) -> None:
        """What became of an arbiter's word: None where it was said to the game, else why not."""
        text = json.dumps({"ok": reason is None, "reason": reason}).encode()
        self._answers.append((identity, text))

    # -- the thread

    def run(self) -> None:
        """Publish until stopped, whatever happens to the broker."""
        backoff_s = BACKOFF_FIRST_S
        # Before the broker is even tried: a game that is over by the time it answers is one of this event.
        self._begin()
        while not self._stop:
            client = self._client()
            if client is not None and self._connect(client):
                began_s = self._mono_s()
                self._serve(client)
                if self._mono_s() - began_s > BACKOFF_MOST_S:
                    backoff_s = BACKOFF_FIRST_S
            self._tell()
            # By chance up to twice as soon: a hall of boards must not come back all at once.
            until_s = self._mono_s() + backoff_s * self._chance.uniform(0.5, 1)
            while not self._stop and self._mono_s() < until_s:
                self._wait(POLL_S)
            backoff_s = min(backoff_s * 2, BACKOFF_MOST_S)

    def _client(self) -> Client | None:
        settings = self._settings
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"{self._place.event}-{self._place.board}-{self._instance}",
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECT_S
        client.max_queued_messages_set(64)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        client.will_set(self._place.topic("state"), self._state_text(heard=False), qos=1, retain=True)
        try:
            if settings.user:
                client.username_pw_set(settings.user, settings.password())
            if settings.ca_file:
                client.tls_set(ca_certs=str(Path(settings.ca_file).expanduser()), tls_version=ssl.PROTOCOL_TLS_CLIENT)
        except (OSError, UnicodeDecodeError, ValueError) as error:
            self._refused = f"{settings.password_file or settings.ca_file} cannot be used: {error}"
            return None
        return client

    def _connect(self, client: Client) -> bool:
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.ReceiveMaximum = 16
        properties.MaximumPacketSize = 65_536
        self._connected, self._refused = False, None
        try:
            client.connect(
                self._settings.host, self._settings.port, KEEPALIVE_S, clean_start=True, properties=properties
            )
        except (OSError, ValueError) as error:
            self._refused = f"the broker {self._settings.host}:{self._settings.port} cannot be reached: {error}"
            return False
        return True

    def _serve(self, client: Client) -> None:
        deadline_s = self._mono_s() + CONNECT_S
        while not self._stop:
            if client.loop(POLL_S) != MQTTErrorCode.MQTT_ERR_SUCCESS:
                break
            if self._connected:
                self._go_round(client)
            elif self._mono_s() > deadline_s:
                self._refused = self._refused or "the broker does not answer"
                break
            self._tell()
        if self._connected:
            if self._stop:
                client.publish(self._place.topic("state"), self._state_text(heard=False), qos=1, retain=True)
                client.loop(POLL_S)
            with contextlib.suppress(ValueError):
                client.disconnect()
                client.loop(POLL_S)
        self._connected = False

    def _on_connect(
        self, client: Client, _: Any, flags: ConnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self._refused = f"the broker refuses this board: {reason}"
            return
        self._connected = True
        client.subscribe([(self._place.topic("kept", "#"), _qos1()), (self._place.topic("word", "#"), _qos1())])
        for telling in self._tellings.values():
            for cursor in telling.cursors.values():
                cursor.send_again()
        self._scan_at_s = self._state_at_s = 0.0
        self._header_of = None
        self._waits_since_s = None

    def _on_disconnect(
        self, client: Client, _: Any, flags: DisconnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        self._connected = False
        if self._refused is None and not self._stop:
            self._refused = f"the connection to the broker was lost: {reason}"

    def _on_publish(self, client: Client, _: Any, mid: int, reason: ReasonCode, properties: Properties) -> None:
        if reason.is_failure:
            self._refused = f"the broker does not take what this board writes: {reason}"

    def _on_message(self, client: Client, _: Any, message: MQTTMessage) -> None:
        topic = read_topic(message.topic)
        if topic is None or topic.place != self._place or len(message.payload) > WORD_BYTES:
            return
        try:
            told = json.loads(message.payload)
        except (ValueError, RecursionError):
            return
        if not isinstance(told, dict):
            return
        if topic.what == "kept" and len(topic.rest) == 2:
            self._hear_kept(topic.rest[0], topic.rest[1], told)
        elif topic.what == "word" and len(topic.rest) == 1 and not message.retain:
            self._take_word(topic.rest[0], told)

    def _take_word(self, identity: str, word: Mapping[str, Any]) -> None:
        # The same word again, of a hub that missed the answer: it is said once and answered twice.
        if identity in self._answered:
            self._answers.append((identity, self._answered[identity]))
            return
        self._answered[identity] = b'{"ok": false, "reason": "it is being said"}'
        while len(self._answered) > 64:
            del self._answered[next(iter(self._answered))]
        self._hear_word(identity, word)

    def _hear_kept(self, kind: str, name: str, told: Mapping[str, Any]) -> None:
        count, chain = told.get("count"), told.get("chain")
        telling = next((one for one in self._tellings.values() if one.name == name), None)
        known = next((one for one in KINDS if one == kind), None)
        if telling is None or known is None:
            return
        refused = told.get("refused")
        if isinstance(refused, str):
            self._refused = f"the hub refuses {name}: {refused[:200]}"
            self._waits_since_s = None
        elif type(count) is int and count >= 0 and isinstance(chain, str):
            self._refused = self._waits_since_s = None
            try:
                telling.cursors[known].take_answer(count, chain)
            except CopyError as error:
                self._tell_anew(telling, error)
            except OSError as error:
                self._refused = f"{telling.game.path(known)}: {error.strerror or error}"

    def _tell_anew(self, telling: _Telling, error: CopyError) -> None:
        if not telling.begin_anew():
            self._refused = f"{telling.game.name}: {error}"

    def _go_round(self, client: Client) -> None:
        now_s = self._mono_s()
        if now_s >= self._scan_at_s:
            self._scan_at_s = now_s + SCAN_S
            self._scan()
        while self._answers:
            identity, text = self._answers.pop(0)
            self._answered[identity] = text
            client.publish(self._place.topic("answer", identity), text, qos=1)
        self._tell_state(client, now_s)
        if self._waits_since_s is not None and now_s - self._waits_since_s > SILENT_HUB_S and self._refused is None:
            self._refused = "the hub does not answer"
        under_way = 0
        for telling in reversed(list(self._tellings.values())):
            if under_way >= AT_ONCE:
                break
            try:
                under_way += self._send(client, telling, now_s)
            except CopyError as error:
                self._tell_anew(telling, error)
            except OSError as error:
                self._refused = f"{telling.game.trace}: {error.strerror or error}"

    def _send(self, client: Client, telling: _Telling, now_s: float) -> bool:
        for kind in KINDS:
            if kind == "rulings" and not telling.cursors["lines"].count:
                # Of a game that the hub does not know yet it takes no rulings.
                continue
            batch = telling.cursors[kind].next_batch(now_s)
            if batch is not None:
                if self._waits_since_s is None:
                    self._waits_since_s = now_s
                client.publish(self._place.topic(kind, telling.name, batch.first), batch.data, qos=1)
        return True

    def _begin(self) -> None:
        try:
            self._progress.begin(self._games.listed())
        except OSError as error:
            self._refused = f"what was told cannot be remembered: {error.strerror or error}"

    def _scan(self) -> None:
        self._present = games = self._games.listed()
        self._begin()
        for game in games:
            if self._progress.is_done(game):
                continue
            telling = self._tellings.get(game.name)
            if telling is None:
                self._tellings[game.name] = _Telling(game)
                continue
            telling.game = game
            try:
                if telling.is_done() and game is not games[-1]:
                    del self._tellings[game.name]
                    self._progress.finish(game, games)
            except OSError as error:
                self._refused = f"what was told cannot be remembered: {error.strerror or error}"
        for name in self._tellings.keys() - {game.name for game in games}:
            del self._tellings[name]

    def _tell_state(self, client: Client, now_s: float) -> None:
        game = self._present[-1] if self._present else None
        if game is not None and self._header_of != game.name:
            self._header_of = game.name
            text = json.dumps({"game": game.name, "header": game.header[:16_384]})
            client.publish(self._place.topic("header"), text, qos=1, retain=True)
        telling = None if game is None else self._tellings.get(game.name)
        state: dict[str, object] = {
            "game": None if game is None else game.name,
            "over": game is not None and game.over,
            "lines": None if telling is None else telling.cursors["lines"].count,
            "rulings": None if telling is None else telling.cursors["rulings"].count,
        }
        if state != self._state or now_s >= self._state_at_s:
            self._state, self._state_at_s = state, now_s + STATE_S
            client.publish(self._place.topic("state"), self._state_text(heard=True), qos=1, retain=True)

    def _state_text(self, *, heard: bool) -> str:
        return json.dumps({"instance": self._instance, "heard": heard, "clock_ms": self._wall_ms(), **self._state})

    def _tell(self) -> None:
        if self._refused is None and not self._connected:
            return
        if self._refused != self._problem:
            self._problem = self._refused
            self._tell_problem(self._refused)


def _qos1() -> Any:
    from paho.mqtt.subscribeoptions import SubscribeOptions

    return SubscribeOptions(qos=1)
