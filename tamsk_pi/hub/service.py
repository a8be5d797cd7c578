"""The hub at work: one thread that keeps, judges and shows what boards tell, and passes the arbiters' words on."""

from __future__ import annotations

import json
import logging
import queue
import sys
import threading
import time
import uuid
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs
from sqlalchemy import Engine, bindparam, case, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from tamsk_pi.club.topics import KINDS, Kind, Place, Topic, is_game, whole
from tamsk_pi.hub.alarms import Alarm, open_alarms, raise_alarms
from tamsk_pi.hub.boards import BoardPicture
from tamsk_pi.hub.broker import Broker, BrokerSettings
from tamsk_pi.hub.database import first_line, wall_ms
from tamsk_pi.hub.event.results import take_result
from tamsk_pi.hub.intake import Intake, Message, News, kept_lines
from tamsk_pi.hub.judging import JudgedGame
from tamsk_pi.hub.presence import Presence
from tamsk_pi.hub.tables import BOARDS, EVENTS, GAMES, WORDS

_log = logging.getLogger(__name__)

BATCH: Final = 512
"""Messages that are kept in one transaction at most."""
WAITING: Final = 20_000
"""Messages that wait at most; what comes beyond is not answered, so the boards send it again."""
RUSH_LINES: Final = 128
"""More lines at once than boards tell of a game that is played: boards catch up after an outage."""
RUSH_S: Final = 0.05
"""How long after such a batch the next one is waited for, as those boards send on when they are answered."""
JUDGED_PART: Final = 0.1
"""Keeping goes before judging: in a rush, the part of the time in which is judged all the same."""
RESULTS_S: Final = 1.0
"""How often results and lengths are written to the list of games: every writing waits for the disk."""
DUE_KEPT: Final = 16
"""Batches of a game that are held until they are judged; what is beyond is read from the database."""
JUDGED_KEPT: Final = 512
SWITCH_S: Final = 0.0005
RETRY_S: Final = 1.0
LOOK_S: Final = 0.5
ANSWER_S: Final = 10.0
"""How long a board has to answer a word of the arbiter's."""


def take_short_turns() -> None:
    """For a process that is a hub and nothing else: let the network's thread have its turn soon while games are judged.

    By default it waits 5 ms for it, and a board that catches up waits for each of its answers.
    """
    sys.setswitchinterval(SWITCH_S)


@attrs.frozen
class _Heard:
    topic: Topic
    payload: bytes
    retained: bool


@attrs.define
class _Known:
    id: int
    event: int
    place: Place
    name: str
    judged: JudgedGame
    told: tuple[bool, str | None] | None = None
    """Whether it is over and its result, as its pairing was told last."""


class Hub:
    """One hub. `listen` is told, in its thread, of every board that changed."""

    def __init__(self, engine: Engine, broker: BrokerSettings, *, mono: Callable[[], float] = time.monotonic) -> None:
        self.engine: Final = engine
        self._mono: Final = mono
        self._intake: Final = Intake(engine)
        self._inbox: Final[queue.Queue[_Heard | Callable[[], None]]] = queue.Queue(WAITING)
        self._broker: Final = Broker(broker, self._hear)
        self._stop: Final = threading.Event()
        self._thread: Final = threading.Thread(target=self._run, name="hub", daemon=True)
        self._known: OrderedDict[tuple[Place, str], _Known] = OrderedDict()
        self._presence: Final = Presence(mono)
        self._events: dict[str, int] = {}
        self._pictures: dict[Place, BoardPicture] = {}
        self._alarms: dict[Place, tuple[Mapping[str, object], ...]] = {}
        self._stirred: set[Place] = set()
        self._listeners: list[Callable[[Place, BoardPicture], None]] = []
        self._due: dict[int, list[News]] = {}
        """Lines that are kept and yet to be judged, by game, the longest waiting first."""
        self._unwritten: dict[int, _Known] = {}
        """Games of which the list is yet to be told what their newest lines changed."""
        self._write_at_s = 0.0
        self._rush_until_s = 0.0
        self._behind: deque[tuple[Place, str, int]] = deque()
        """Games of which more was kept than judged when this hub began."""
        self._problem: str | None = None
        self._words: dict[str, Callable[[str | None], None]] = {}
        self._words_due: dict[str, float] = {}
        self.lines_taken = 0
        """Since the start."""

    # -- from any thread

    def listen(self, listener: Callable[[Place, BoardPicture], None]) -> None:
        """Be told of every board that changed; must return at once. Before `open`."""
        self._listeners.append(listener)

    def open(self) -> None:
        """Begin."""
        self._thread.start()
        self._broker.open()

    def close(self) -> None:
        self._broker.close()
        self._stop.set()
        self._thread.join(10)
        self.engine.dispose()

    @property
    def problem(self) -> str | None:
        """What keeps the hub from its work, in one line."""
        return self._problem or self._broker.problem

    def pictures(self, event: str) -> list[BoardPicture]:
        """All boards of an event that anything is known of, by number."""
        of = [picture for place, picture in list(self._pictures.items()) if place.event == event]
        return sorted(of, key=lambda picture: picture.place.board)

    def picture(self, place: Place) -> BoardPicture | None:
        return self._pictures.get(place)

    def mono_ms(self) -> int:
        """The clock that `BoardPicture.now_ms` wants."""
        return int(self._mono() * 1000)

    def look_again(self) -> None:
        """An event or its alarms were changed: take them up from the database."""
        self._post(self._look_again)

    def say(
        self, place: Place, arbiter: str, verb: str, details: Mapping[str, object], answer: Callable[[str | None], None]
    ) -> None:
        """Pass the word of a paired arbiter on to a board; `answer` is called once: None when it was said there."""
        self._post(lambda: self._say(place, arbiter, verb, details, answer))

    def _post(self, task: Callable[[], None]) -> None:
        try:
            self._inbox.put_nowait(task)
        except queue.Full:
            _log.warning("the hub has too much to do")

    def _hear(self, topic: Topic, payload: bytes, retained: bool) -> None:
        try:
            self._inbox.put_nowait(_Heard(topic, payload, retained))
        except queue.Full:
            _log.warning("the hub has too much to do; the boards send again")

    # -- the hub's thread

    def _run(self) -> None:
        begun = False
        while not self._stop.is_set():
            try:
                if not begun:
                    self._begin()
                    begun = True
                self._go_round()
                self._set_problem(None)
            except SQLAlchemyError as error:
                # Nothing of the batch was kept or answered: the boards have it still and send it again.
                self._set_problem(f"the database takes nothing: {first_line(error)}")
                self._stop.wait(RETRY_S)
            except Exception:  # noqa: BLE001
                # One board's odd message must not silence all the others.
                _log.exception("the hub failed at something; it goes on")
                self._stop.wait(RETRY_S)

    def _set_problem(self, problem: str | None) -> None:
        if problem != self._problem:
            self._problem = problem
            if problem is not None:
                _log.error("%s", problem)

    def _begin(self) -> None:
        """Judge again what was going on when the hub stopped."""
        with self.engine.connect() as connection:
            self._events = {row.name: row.id for row in connection.execute(select(EVENTS.c.name, EVENTS.c.id))}
            names = {number: name for name, number in self._events.items()}
            for row in connection.execute(select(BOARDS)):
                place = Place(names[row.event], row.board)
                self._presence.remember(place, row.game)
                self._stirred.add(place)
            c = GAMES.c
            behind = (c.judged_lines < c.lines_count) | (c.judged_rulings < c.rulings_count)
            for row in connection.execute(select(c.event, c.board, c.name, c.id).where(behind).order_by(c.id)):
                self._behind.append((Place(names[row.event], row.board), row.name, row.id))
        self._look_again()

    def _go_round(self) -> None:
        heard: list[_Heard] = []
        rush_s = self._rush_until_s - self._mono()
        try:
            item = self._inbox.get(timeout=max(rush_s, 0.001) if self._due or self._behind else LOOK_S)
            while True:
                if isinstance(item, _Heard):
                    heard.append(item)
                else:
                    item()
                if len(heard) >= BATCH:
                    break
                item = self._inbox.get_nowait()
        except queue.Empty:
            # Everything that has come is at hand.
            self._stirred |= self._presence.gone_silent()
        began_s = self._mono()
        taken = self._take_lines(heard)
        now_s = self._mono()
        if taken >= RUSH_LINES:
            self._rush_until_s = now_s + RUSH_S
        in_rush = now_s < self._rush_until_s
        self._judge_due(now_s + (now_s - began_s) * JUDGED_PART if in_rush else None)
        if self._behind and not self._due and self._inbox.empty():
            self._take_up(self._behind[0])
            self._behind.popleft()
        for message in heard:
            if message.topic.what == "state":
                self._take_state(message)
            elif message.topic.what == "answer":
                self._take_answer(message)
            elif message.topic.what == "kept":
                self._take_peer(message)
        self._time_out_words()
        self._show()
        self._write_results()

    def _take_lines(self, heard: list[_Heard]) -> int:
        """Keep the lines among these messages and answer for them; how many are new."""
        messages = [lines for message in heard if (lines := _lines_in(message)) is not None]
        if not messages:
            return 0
        kept, news = self._intake.take(messages)
        for answer in kept:
            # A board whose answer is lost sends its lines again and is answered again.
            self._broker.publish(answer.place.topic("kept", answer.kind, answer.game), answer.text(), qos=0)
        taken = 0
        for one in news:
            taken += one.data.count(b"\n")
            waiting = self._due.setdefault(one.id, [])
            if len(waiting) < DUE_KEPT:
                waiting.append(one)
        self.lines_taken += taken
        return taken

    def _judge_due(self, until_s: float | None) -> None:
        """Judge what was kept, the oldest first: until then, or None: until something comes in; a game at least."""
        one_more = True
        while self._due and (one_more or (self._inbox.empty() if until_s is None else self._mono() < until_s)):
            one_more = False
            number = next(iter(self._due))
            waiting = self._due[number]
            for one in waiting:
                known = self._judge(one)
                self._unwritten[known.id] = known
            if len(waiting) >= DUE_KEPT:
                # More may have come than was held here; the database has it.
                self._catch_up(known)
            # Last: where the database fails meanwhile, all of it is judged the next time, each line once.
            del self._due[number]

    # -- judging

    def _take_up(self, game: tuple[Place, str, int]) -> None:
        """Judge one of the games that this hub found kept further than judged."""
        place, name, number = game
        known = self._known.get((place, name)) or self._know(place, name, number)
        self._unwritten[known.id] = known
        self._stirred.add(place)

    def _judge(self, news: News) -> _Known:
        known = self._known.get((news.place, news.game))
        if known is None:
            known = self._know(news.place, news.game, news.id)
        judged = known.judged
        taken = judged.taken if news.kind == "lines" else judged.said_taken
        if news.first == taken:
            _feed(judged, news.kind, news.data)
        elif news.first > taken:
            self._catch_up(known)
        self._stir(known)
        return known

    def _know(self, place: Place, name: str, number: int) -> _Known:
        known = _Known(number, self._event_id(place.event), place, name, JudgedGame())
        self._known[place, name] = known
        self._known.move_to_end((place, name))
        while len(self._known) > JUDGED_KEPT:
            old = next((key for key in self._known if self._presence.game(key[0]) != key[1]), None)
            if old is None:
                break
            del self._known[old]
        self._catch_up(known)
        return known

    def _catch_up(self, known: _Known) -> None:
        """Take up lines that another hub has kept, or this one before it was started."""
        with self.engine.connect() as connection:
            for kind in KINDS:
                taken = known.judged.taken if kind == "lines" else known.judged.said_taken
                for first, data in kept_lines(connection, known.id, kind, taken):
                    if first == (known.judged.taken if kind == "lines" else known.judged.said_taken):
                        _feed(known.judged, kind, data)

    def _event_id(self, name: str) -> int:
        if name not in self._events:
            with self.engine.connect() as connection:
                found = connection.execute(select(EVENTS.c.id).where(EVENTS.c.name == name)).scalar()
            if found is None:
                raise LookupError(name)
            self._events[name] = found
        return self._events[name]

    def _stir(self, known: _Known) -> None:
        place = known.place
        if known.name != self._presence.game(place) and not self._presence.names_game(place):
            self._presence.remember(place, known.name)
        self._stirred.add(place)

    def _write_results(self) -> None:
        if not self._unwritten or self._mono() < self._write_at_s:
            return
        rows: list[dict[str, Any]] = []
        alarms: list[Alarm] = []
        # In one order, so that two hubs never wait for each other.
        for _, known in sorted(self._unwritten.items()):
            judged = known.judged
            result, reason = judged.result()
            session = judged.session
            over = session is not None and (session.ended or result is not None)
            length_ms = 0 if session is None else session.now_ms
            rows.append(
                {
                    "row": known.id,
                    "row_lines": judged.taken,
                    "row_rulings": judged.said_taken,
                    "judged_lines": judged.taken,
                    "judged_rulings": judged.said_taken,
                    "over": over,
                    "result": result,
                    "reason": reason,
                    "moves": judged.moves,
                    "length_ms": length_ms,
                }
            )
            difference = judged.difference()
            if difference is not None:
                alarms.append(Alarm(known.event, known.place.board, known.name, "rulings_differ", difference))
            if judged.problem is not None:
                alarms.append(Alarm(known.event, known.place.board, known.name, "no_trace", judged.problem))
        if not rows:
            return
        with self.engine.begin() as connection:
            over_ms = case((~GAMES.c.over, wall_ms()), else_=GAMES.c.over_ms)
            finished = [row for row in rows if row["over"]]
            if finished:
                # First, while the rows still tell whether it was over before.
                ids = [row["row"] for row in finished]
                connection.execute(update(GAMES).where(GAMES.c.id.in_(ids)).values(over_ms=over_ms))
            # What another hub has judged further stays.
            no_further = (GAMES.c.judged_lines <= bindparam("row_lines")) & (
                GAMES.c.judged_rulings <= bindparam("row_rulings")
            )
            connection.execute(update(GAMES).where(GAMES.c.id == bindparam("row"), no_further), rows)
            told = {row["row"]: (row["over"], row["result"]) for row in rows}
            for number, known in self._unwritten.items():
                over, result = told[number]
                # A result that was annulled is taken back, too.
                if told[number] != known.told and (over or result is None):
                    alarms += take_result(connection, number)
            raise_alarms(connection, alarms, wall_ms())
        for number, known in self._unwritten.items():
            known.told = told[number]
        self._unwritten.clear()
        self._write_at_s = self._mono() + RESULTS_S
        if alarms:
            self._take_alarms()

    # -- boards

    def _take_state(self, message: _Heard) -> None:
        place = message.topic.place
        try:
            told = json.loads(message.payload)
            heard, instance = bool(told["heard"]), str(told["instance"])[:32]
            game = told.get("game")
            clock_ms = int(told["clock_ms"])
            event = self._event_id(place.event)
        except (ValueError, KeyError, TypeError, LookupError, RecursionError):
            _log.warning("a state of board %s of %s that is none", place.board, place.event)
            return
        alarms = []
        if self._presence.take(place, heard, instance, game if is_game(game) else None, retained=message.retained):
            detail = "two machines tell of themselves by turns"
            alarms.append(Alarm(event, place.board, "", "two_boards", detail))
        skew_ms = 0 if message.retained else clock_ms - wall_ms()
        if abs(skew_ms) > Presence.SKEW_MS and heard:
            ahead = "ahead of" if skew_ms > 0 else "behind"
            detail = f"the board's is {abs(skew_ms) // 1000} s {ahead} the hub's"
            alarms.append(Alarm(event, place.board, "", "clock", detail))
        self._stirred.add(place)
        row = {
            "heard": self._presence.is_heard(place),
            "instance": instance,
            "game": self._presence.game(place) or "",
            "skew_ms": skew_ms,
            "told_ms": wall_ms(),
        }
        with self.engine.begin() as connection:
            of = (BOARDS.c.event == event) & (BOARDS.c.board == place.board)
            if not connection.execute(update(BOARDS).where(of).values(row)).rowcount:
                connection.execute(insert(BOARDS).values(event=event, board=place.board, **row))
            raise_alarms(connection, alarms, wall_ms())
        known = self._known.get((place, self._presence.game(place) or ""))
        if known is not None and told.get("over") and told.get("rulings") == known.judged.said_taken:
            missing = known.judged.missing()
            if missing is not None:
                alarms.append(Alarm(event, place.board, known.name, "rulings_differ", missing))
                with self.engine.begin() as connection:
                    raise_alarms(connection, alarms, wall_ms())
        if alarms:
            self._take_alarms()

    def _take_peer(self, message: _Heard) -> None:
        """Another hub on the same database has kept lines: take them up from there."""
        place, rest = message.topic.place, message.topic.rest
        if len(rest) != 2 or rest[0] not in KINDS:
            return
        known = self._known.get((place, rest[1]))
        if known is None:
            with self.engine.connect() as connection:
                number = connection.execute(
                    select(GAMES.c.id)
                    .join(EVENTS, EVENTS.c.id == GAMES.c.event)
                    .where(EVENTS.c.name == place.event, GAMES.c.board == place.board, GAMES.c.name == rest[1])
                ).scalar()
            if number is None:
                return
            known = self._know(place, rest[1], number)
        else:
            self._catch_up(known)
        # Whoever kept them may be killed before it has judged them.
        self._unwritten[known.id] = known
        self._stir(known)

    def _look_again(self) -> None:
        self._intake.forget_events()
        self._events.clear()
        self._take_alarms()

    def _take_alarms(self) -> None:
        found: dict[Place, list[Mapping[str, object]]] = {}
        with self.engine.connect() as connection:
            self._events = {row.name: row.id for row in connection.execute(select(EVENTS.c.name, EVENTS.c.id))}
            for name, number in self._events.items():
                for alarm in open_alarms(connection, number):
                    found.setdefault(Place(name, alarm["board"]), []).append(alarm)
        before = self._alarms
        self._alarms = {place: tuple(alarms) for place, alarms in found.items()}
        self._stirred |= {p for p in before.keys() | self._alarms.keys() if before.get(p) != self._alarms.get(p)}

    def _show(self) -> None:
        while self._stirred:
            place = self._stirred.pop()
            picture = self._picture_of(place)
            self._pictures[place] = picture
            for listener in self._listeners:
                listener(place, picture)

    def _picture_of(self, place: Place) -> BoardPicture:
        name = self._presence.game(place)
        known = self._known.get((place, name)) if name else None
        if known is None and name:
            with self.engine.connect() as connection:
                number = connection.execute(
                    select(GAMES.c.id)
                    .join(EVENTS, EVENTS.c.id == GAMES.c.event)
                    .where(EVENTS.c.name == place.event, GAMES.c.board == place.board, GAMES.c.name == name)
                ).scalar()
            if number is not None:
                known = self._know(place, name, number)
        heard, told = self._presence.is_heard(place), self._presence.is_told(place)
        alarms = self._alarms.get(place, ())
        if known is None or known.judged.session is None:
            problem = None if known is None else known.judged.problem
            return BoardPicture(place=place, heard=heard, told=told, game=name or "", alarms=alarms, problem=problem)
        judged, session = known.judged, known.judged.session
        assert session is not None
        snapshot = session.snapshot()
        before = self._pictures.get(place)
        same = before is not None and before.snapshot is not None and before.snapshot.now_ms == snapshot.now_ms
        return BoardPicture(
            place=place,
            heard=heard,
            told=told,
            game=known.name,
            game_id=known.id,
            settings=session.settings,
            snapshot=snapshot,
            rulings=tuple(judged.rulings),
            taken_at_ms=before.taken_at_ms if same and before is not None else self.mono_ms(),
            over=session.ended or snapshot.result is not None,
            problem=judged.problem,
            alarms=alarms,
        )

    # -- words

    def _say(
        self, place: Place, arbiter: str, verb: str, details: Mapping[str, object], answer: Callable[[str | None], None]
    ) -> None:
        if not self._presence.is_heard(place):
            answer("the board is not heard")
            return
        identity = uuid.uuid4().hex
        with self.engine.begin() as connection:
            connection.execute(
                insert(WORDS).values(
                    id=identity,
                    event=self._event_id(place.event),
                    board=place.board,
                    game=self._presence.game(place) or "",
                    arbiter=arbiter,
                    verb=verb,
                    details=dict(details),
                    said_ms=wall_ms(),
                )
            )
        self._words[identity], self._words_due[identity] = answer, self._mono() + ANSWER_S
        said = {"verb": verb, **details, "by": arbiter}
        self._broker.publish(place.topic("word", identity), json.dumps(said))

    def _take_answer(self, message: _Heard) -> None:
        identity = message.topic.rest[0] if len(message.topic.rest) == 1 else ""
        try:
            told = json.loads(message.payload)
            ok, reason = bool(told["ok"]), told.get("reason")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return
        event = self._events.get(message.topic.place.event)
        with self.engine.begin() as connection:
            connection.execute(
                update(WORDS)
                .where(WORDS.c.id == identity, WORDS.c.event == event, WORDS.c.board == message.topic.place.board)
                .values(answered_ms=wall_ms(), ok=ok, reason=None if reason is None else str(reason)[:400])
            )
        answer = self._words.pop(identity, None)
        self._words_due.pop(identity, None)
        if answer is not None:
            answer(None if ok else str(reason)[:400])

    def _time_out_words(self) -> None:
        for identity in [i for i, due_s in self._words_due.items() if self._mono() > due_s]:
            del self._words_due[identity]
            self._words.pop(identity)("the board did not answer")


def _feed(judged: JudgedGame, kind: Kind, data: bytes) -> None:
    if kind == "lines":
        judged.feed(data)
    else:
        judged.feed_rulings(data)


def _lines_in(heard: _Heard) -> Message | None:
    what, rest = heard.topic.what, heard.topic.rest
    for kind in KINDS:
        if what == kind and len(rest) == 2 and is_game(rest[0]):
            first = whole(rest[1])
            if first is not None:
                return Message(heard.topic.place, kind, rest[0], first, heard.payload)
    return None
