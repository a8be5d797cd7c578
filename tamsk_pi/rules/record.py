"""The record of a game: tags, numbered turns and times, built from rulings, written and read (docs/notation.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, Protocol, cast, get_args

import attrs

from tamsk_pi.rules.board import CAPACITY, PLAYERS, Player, is_socket, opponent
from tamsk_pi.rules.notation import (
    STANDSTILLS,
    Move,
    NotationError,
    PenaltyRing,
    Standstill,
    Turn,
    format_turn,
    is_claim,
    is_penalty,
    parse_turn,
)
from tamsk_pi.rules.quoting import quoted

ResultReason = Literal["rings", "tie_break", "last_ring", "full_socket", "resigned", "agreed", "arbiter"]

RESULT_TAG: Final = "Result"
UNFINISHED: Final = "*"
"""The result of a game that is not over."""

_HEADER_TAGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "event": "Event",
        "started_at": "Started",
        "level": "Level",
        "rules": "Rules",
        "setup": "Setup",
        "red": "Red",
        "black": "Black",
    }
)
"""The settings of a game that a record carries, and their tags, in the order of writing."""

_HEADER_DEFAULTS: Final[Mapping[str, object]] = MappingProxyType({"rules": "rulebook", "setup": "corners"})

_TAG_NAME: Final = re.compile("[A-Za-z][A-Za-z0-9_]{0,39}")
_TAG: Final = re.compile(rf'\[({_TAG_NAME.pattern}) (".*")\]')
_TOKEN: Final = re.compile(r"\{[^}]*\}?|[^\s{]+")
_NUMBER: Final = re.compile(r"([0-9]{1,6})(\.{3}|\.)")
_TIME: Final = re.compile(r"\[%t ([0-9]{1,9})(?:\.([0-9]{1,3}))?\]")
_RESULT: Final = re.compile(
    rf"({'|'.join(PLAYERS)}|draw) ([0-9]{{1,2}})-([0-9]{{1,2}}) ({'|'.join(get_args(ResultReason))})"
)


class RecordError(ValueError):
    """A text that is no game record (the message begins with its line), or rulings that make none."""


class RulingLike(Protocol):
    """What a record reads of a ruling (`tamsk_pi.referee.rulings.Ruling` is one)."""

    @property
    def t_ms(self) -> int:
        """When, in ms since the game's start."""

    @property
    def kind(self) -> str:
        """What was ruled."""

    def get(self, key: str) -> object:
        """A detail, or None where the ruling does not name it."""


@attrs.frozen
class Result:
    """How a game ended: the winner (None for a draw), the rings each side had left, and why it was over."""

    winner: Player | None
    red: int
    black: int
    reason: ResultReason

    def text(self) -> str:
        """The value of the `Result` tag, such as `red 4-7 rings`: red's rings left first, whoever won."""
        return f"{self.winner or 'draw'} {self.red}-{self.black} {self.reason}"

    @classmethod
    def parse(cls, text: str) -> Result:
        """The result a text stands for. `RecordError` when it is none."""
        if not (found := _RESULT.fullmatch(text)):
            form = f"red, black or draw, then RED-BLACK rings left, then one of {', '.join(get_args(ResultReason))}"
            raise RecordError(f"{quoted(text)} is no result (allowed: {form}; or {UNFINISHED})")
        winner = None if found[1] == "draw" else cast(Player, found[1])
        return cls(winner, int(found[2]), int(found[3]), cast(ResultReason, found[4]))


@attrs.frozen
class Record:
    """A game record. `RecordError` when a tag's name cannot be written, or a lone claim is not the last turn."""

    tags: Mapping[str, str]
    turns: tuple[Turn, ...] = ()

    def __attrs_post_init__(self) -> None:
        for name in self.tags:
            if not _TAG_NAME.fullmatch(name):
                raise RecordError(
                    f"{quoted(name)} is no name for a tag (allowed: a letter, then letters, digits and _)"
                )
        for turn in self.turns[:-1]:
            if turn.action is None:
                raise RecordError(f"+{turn.claim}: only at the end of a game can a claim stand without a move")
        _outcome(self.tags.get(RESULT_TAG, UNFINISHED))
        object.__setattr__(self, "tags", MappingProxyType(dict(self.tags)))

    @property
    def result(self) -> Result | None:
        """How the game ended, or None while it is not over."""
        return _outcome(self.tags.get(RESULT_TAG, UNFINISHED))


def _outcome(tag_value: str) -> Result | None:
    return None if tag_value == UNFINISHED else Result.parse(tag_value)


def build_record(header: Mapping[str, object], rulings: Iterable[RulingLike]) -> Record:
    """The record of a game from its settings (the keys of a trace's header) and its rulings in order.

    `RecordError` where the rulings contradict each other, such as a ring for a move that was not made.
    """
    builder = RecordBuilder(header)
    for ruling in rulings:
        builder.add(ruling)
    return builder.record()


class RecordBuilder:
    """Keeps a game's record up to date, ruling by ruling.

    A ring belongs to the move that gave the right to it, also when the other side has moved in between. A forfeit or
    an end that the arbiter annuls is taken out again. Rulings that leave no trace in a record (violations, other
    notices, faults…) are passed over.
    """

    def __init__(self, header: Mapping[str, object]) -> None:
        if header.get("position"):
            raise RecordError("a game that began from a set-up position has no record that could be played after")
        settings = {**_HEADER_DEFAULTS, **{key: value for key, value in header.items() if value not in (None, "")}}
        if settings["setup"] == "corners":
            del settings["setup"]
        self._tags = {tag: str(settings[key]) for key, tag in _HEADER_TAGS.items() if key in settings}
        self._turns: list[Turn] = []
        self._claim: Turn | None = None
        """A claim that no turn has followed yet, as a turn of its own."""
        self._last_claim: Turn | None = None
        self._result: Result | None = None
        self._before: list[tuple[list[Turn], Turn | None, Turn | None]] = []
        """Turns and claims as they were before each move, so that it can be taken back."""

    def add(self, ruling: RulingLike) -> None:
        """Take the next ruling into the record."""
        if ruling.kind == "move":
            origin = None if ruling.get("from") is None else _socket(ruling, "from")
            self._before.append((list(self._turns), self._claim, self._last_claim))
            self._add_turn(ruling, Move(origin, _socket(ruling, "to")))
        elif ruling.kind in STANDSTILLS:
            self._add_turn(ruling, ruling.kind)
        elif ruling.kind == "ring":
            self._add_ring(ruling)
        elif ruling.kind == "game_over":
            self._result = _result(ruling)
        elif ruling.kind == "notice" and ruling.get("code") == "annulled":
            self._annul(ruling)
        elif ruling.kind == "notice" and ruling.get("code") == "taken_back":
            self._take_back(ruling)
        elif ruling.kind == "notice" and ruling.get("code") == "rings_corrected":
            self._correct_rings(ruling)
        elif ruling.kind == "notice" and ruling.get("code") == "ring_undone":
            self._take_back_ring(_player(ruling), _socket(ruling, "socket"))

    def record(self) -> Record:
        """The record so far."""
        turns = self._turns if self._claim is None else [*self._turns, self._claim]
        result = UNFINISHED if self._result is None else self._result.text()
        return Record({**self._tags, RESULT_TAG: result}, tuple(turns))

    def _add_turn(self, ruling: RulingLike, action: Move | Standstill) -> None:
        claim = None if self._claim is None else self._claim.claim
        self._claim = None
        self._turns.append(Turn(_player(ruling), action, claim, ruling.t_ms))

    def _annul(self, ruling: RulingLike) -> None:
        """Take back what an annulled verdict (a ruling as JSON) put into the record; most put nothing into it."""
        verdict = ruling.get("verdict")
        if not isinstance(verdict, Mapping):
            raise RecordError(f"{_where(ruling)}: annulled, but no verdict is named")
        if verdict.get("ruling") == "game_over":
            self._result = None
        elif verdict.get("ruling") == "timeout" and verdict.get("begun") is False:
            self._take_back_forfeit(verdict.get("player"))

    def _take_back_forfeit(self, player: object) -> None:
        # A verdict stands until the next move: what came after the forfeit are the passes and skips that it led to.
        forfeits = [i for i, turn in enumerate(self._turns) if turn.action == "forfeit" and turn.player == player]
        if not forfeits:
            return
        if any(turn.claim is not None for turn in self._turns[forfeits[-1] :]):
            self._claim = self._last_claim
        del self._turns[forfeits[-1] :]

    def _take_back(self, ruling: RulingLike) -> None:
        if not self._before:
            raise RecordError(f"{_where(ruling)}: taken back, but no move was made")
        self._turns, self._claim, self._last_claim = self._before.pop()

    def _correct_rings(self, ruling: RulingLike) -> None:
        """Take rings out again, the last first, that the arbiter says never counted; none can be put in."""
        player, socket, count = _player(ruling), _socket(ruling, "socket"), ruling.get("count")
        lying = self._rings_on(socket)
        too_many = len(lying) - count if isinstance(count, int) else 0
        for index, what in reversed(lying):
            owner = self._owner(index, what)
            if too_many > 0 and owner == player:
                self._take_ring_out(index, what)
                too_many -= 1
        # A ring filled its socket if it is the last of so many.
        rest = self._rings_on(socket)
        for number, (index, what) in enumerate(rest, 1):
            if index is not None and what != "claim":
                self._mark_filled(index, what, filled=number == CAPACITY[socket])

    def _rings_on(self, socket: str) -> list[tuple[int | None, str]]:
        """The rings on a socket: which turn each belongs to (None: the claim that no turn has followed), and how."""
        found: list[tuple[int | None, str]] = []
        for index, turn in enumerate(self._turns):
            if turn.claim == socket:
                found.append((index, "claim"))
            if isinstance(turn.action, Move):
                if turn.action.to == socket and turn.action.ring != "none":
                    found.append((index, "ring"))
                if turn.action.penalty is not None and turn.action.penalty.socket == socket:
                    found.append((index, "penalty"))
        if self._claim is not None and self._claim.claim == socket:
            found.append((None, "claim"))
        return found

    def _owner(self, index: int | None, what: str) -> Player | None:
        """Whose ring it is; a claim is of the side that did not make the last move, whoever's turn it stands with."""
        if index is None:
            return None if self._claim is None else self._claim.player
        if what != "claim":
            return self._turns[index].player
        movers = [turn.player for turn in self._turns[:index] if isinstance(turn.action, Move)]
        return opponent(movers[-1]) if movers else None

    def _take_ring_out(self, index: int | None, what: str) -> None:
        if index is None:
            self._claim = self._last_claim = None
            return
        turn = self._turns[index]
        if what == "claim":
            self._turns[index] = attrs.evolve(turn, claim=None)
        elif isinstance(turn.action, Move):
            gone = {"penalty": None} if what == "penalty" else {"ring": "none"}
            self._replace_action(index, attrs.evolve(turn.action, **gone))

    def _mark_filled(self, index: int, what: str, *, filled: bool) -> None:
        action = self._turns[index].action
        if isinstance(action, Move) and what == "ring":
            self._replace_action(index, attrs.evolve(action, ring="filled" if filled else "dropped"))
        elif isinstance(action, Move) and action.penalty is not None:
            self._replace_action(index, attrs.evolve(action, penalty=attrs.evolve(action.penalty, filled=filled)))

    def _add_ring(self, ruling: RulingLike) -> None:
        player, socket, reason = _player(ruling), _socket(ruling, "socket"), ruling.get("reason")
        filled = ruling.get("count") == CAPACITY[socket]
        if ruling.get("instead_of") is not None:
            self._give_ring_to_the_other(player, socket, ruling)
        if reason == "move":
            index, move = self._move_that_gave(player, socket, ruling)
            self._replace_action(index, attrs.evolve(move, ring="filled" if filled else "dropped"))
        elif reason == "penalty":
            index, move = self._move_with_a_penalty(player, ruling)
            self._replace_action(index, attrs.evolve(move, penalty=PenaltyRing(socket, filled)))
        elif reason == "claim":
            if self._claim_after_the_fact(player, socket, ruling):
                return
            if self._claim is not None:
                raise RecordError(f"{_where(ruling)}: two claims between one move and the next")
            self._claim = self._last_claim = Turn(player, None, socket, ruling.t_ms)
        else:
            raise RecordError(f"{_where(ruling)}: no such reason: {reason!r} (allowed: move, claim, penalty)")

    def _give_ring_to_the_other(self, player: Player, socket: str, ruling: RulingLike) -> None:
        """Take a ring from the side that had it, as the other side said that it was its own."""
        if ruling.get("reason") == "claim":
            self._take_back_ring(opponent(player), socket)
        elif self._claim is not None and self._claim.claim == socket:
            self._claim = self._last_claim = None
        else:
            for index in range(len(self._turns) - 1, -1, -1):
                if self._turns[index].claim == socket:
                    self._turns[index] = attrs.evolve(self._turns[index], claim=None)
                    break

    def _claim_after_the_fact(self, player: Player, socket: str, ruling: RulingLike) -> bool:
        """Enter a claim that was told after its side's next move; whether that was so."""
        if ruling.get("instead_of") is None or not self._turns or self._turns[-1].player != player:
            return False
        turn = self._turns[-1]
        self._turns[-1] = attrs.evolve(turn, claim=socket)
        return True

    def _take_back_ring(self, player: Player, socket: str) -> None:
        """The ring of `player`'s last move to `socket` is none of it any more."""
        for index, move in self._moves_back(player):
            if move.to == socket and move.ring != "none":
                self._replace_action(index, attrs.evolve(move, ring="none"))
                return

    def _move_that_gave(self, player: Player, socket: str, ruling: RulingLike) -> tuple[int, Move]:
        """The last move that gave `player` a right to a ring on `socket` which is not used yet.

        That need not be the player's last one: glasses that were in hand already are moved without a lift that would
        close the right.
        """
        for index, move in self._moves_back(player):
            if move.to == socket and move.ring == "none":
                return index, move
            if move.to == socket:
                break
        raise RecordError(f"{_where(ruling)}: no move of {player} has a ring due at {socket}")

    def _move_with_a_penalty(self, player: Player, ruling: RulingLike) -> tuple[int, Move]:
        """The last move after which `player` has set no penalty ring yet: the arbiter may give more than one."""
        for index, move in self._moves_back(player):
            if move.penalty is None:
                return index, move
        raise RecordError(f"{_where(ruling)}: no move of {player} is without its penalty ring")

    def _moves_back(self, player: Player) -> Iterator[tuple[int, Move]]:
        for index in range(len(self._turns) - 1, -1, -1):
            turn = self._turns[index]
            if turn.player == player and isinstance(turn.action, Move):
                yield index, turn.action

    def _replace_action(self, index: int, action: Move) -> None:
        self._turns[index] = attrs.evolve(self._turns[index], action=action)


def _where(ruling: RulingLike) -> str:
    return f"{ruling.kind} at {ruling.t_ms} ms"


def _player(ruling: RulingLike) -> Player:
    player = ruling.get("player")
    if player not in PLAYERS:
        raise RecordError(f"{_where(ruling)}: no such player: {player!r}")
    return player


def _socket(ruling: RulingLike, key: str) -> str:
    socket = ruling.get(key)
    if not is_socket(socket):
        raise RecordError(f"{_where(ruling)}: {key}: no such socket: {socket!r}")
    return socket


def _result(ruling: RulingLike) -> Result:
    winner = "draw" if ruling.get("winner") is None else ruling.get("winner")
    return Result.parse(f"{winner} {ruling.get('red')}-{ruling.get('black')} {ruling.get('reason')}")


def format_record(record: Record) -> str:
    """A record as text, one pair of turns a line, ending in a newline."""
    tags = "".join(f"[{name} {_quote(value)}]\n" for name, value in record.tags.items())
    pairs = "".join(f"{line}\n" for line in _pair_lines(record.turns))
    return "\n".join(part for part in (tags, pairs) if part)


def _quote(value: str) -> str:
    # A lone half of a surrogate pair (JSON can bring one in) has no place in UTF-8.
    text = json.dumps(value, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def numbered_pairs(turns: Iterable[Turn]) -> Iterator[tuple[str, tuple[Turn, ...]]]:
    """Turns in pairs, red's first, each with its number as it is written: `1.`, or `1...` where red's is missing."""
    number = 0
    pair: list[Turn] = []
    due: Player = "red"
    for turn in turns:
        if pair and (turn.player == "red" or due == "red"):
            yield _number(number, pair[0]), tuple(pair)
            pair = []
        number += not pair
        pair.append(turn)
        due = opponent(turn.player)
    if pair:
        yield _number(number, pair[0]), tuple(pair)


def _number(number: int, first: Turn) -> str:
    return f"{number}{'.' if first.player == 'red' else '...'}"


def _pair_lines(turns: Iterable[Turn]) -> Iterator[str]:
    for number, pair in numbered_pairs(turns):
        words = [number]
        for turn in pair:
            words.append(format_turn(turn))
            if turn.t_ms is not None:
                words.append(f"{{[%t {_seconds(turn.t_ms)}]}}")
        yield " ".join(words)


def _seconds(t_ms: int) -> str:
    """Exact to the ms, with no more decimals than it takes but one at least: `6.2`, `10.0`, `2.935`."""
    text = f"{t_ms // 1000}.{t_ms % 1000:03d}".rstrip("0")
    return f"{text}0" if text.endswith(".") else text


def parse_record(text: str) -> Record:
    """The record a text stands for. `RecordError`, with the line, when it is none.

    Read is the notation, not the rules: whether the moves are legal is not asked. Comments other than times are
    passed over.
    """
    return _Reader(text).record()


class _Reader:
    """Reads one record from its first line to its last."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._turns: list[Turn] = []
        self._number = 0
        self._number_line = 0
        self._due: Player | None = None
        self._words: list[str] = []
        self._has_action = False
        self._t_ms: int | None = None
        self._line = 0
        self._turn_line = 0
        self._numbered = 0

    def record(self) -> Record:
        try:
            tags = self._read_tags()
            self._read_turns()
            return Record(tags, tuple(self._turns))
        except (NotationError, RecordError) as error:
            raise RecordError(f"line {self._line}: {error}") from None

    def _read_tags(self) -> dict[str, str]:
        tags: dict[str, str] = {}
        for index, line in enumerate(map(str.strip, self._lines)):
            self._line = index + 1
            if line and not line.startswith("["):
                break
            if line:
                name, value = self._read_tag(line)
                if name in tags:
                    raise RecordError(f"a second tag {name}")
                if name == RESULT_TAG:
                    _outcome(value)
                tags[name] = value
            self._lines[index] = ""
        return tags

    def _read_tag(self, line: str) -> tuple[str, str]:
        if found := _TAG.fullmatch(line):
            try:
                return found[1], str(json.loads(found[2]))
            except ValueError:
                raise RecordError(f"the value of tag {found[1]} is not one text in quotes") from None
        raise RecordError(f'{quoted(line)} is no tag: it is written [NAME "VALUE"]')

    def _read_turns(self) -> None:
        text = "\n".join(self._lines)
        start = 0
        self._line = 1
        for found in _TOKEN.finditer(text):
            self._line += text.count("\n", start, found.start())
            start = found.start()
            word = found[0]
            if word.startswith("{"):
                self._read_comment(word)
            elif number := _NUMBER.fullmatch(word):
                self._read_number(int(number[1]), "red" if number[2] == "." else "black")
            else:
                self._read_word(word)
        self._end_pair()

    def _read_comment(self, word: str) -> None:
        if not word.endswith("}"):
            raise RecordError("a comment that does not end: '}' is missing")
        if not (found := _TIME.search(word)):
            return
        if not self._words or self._t_ms is not None:
            raise RecordError("a time belongs after a turn, one after each")
        self._t_ms = int(found[1]) * 1000 + int((found[2] or "").ljust(3, "0"))

    def _read_number(self, number: int, player: Player) -> None:
        self._end_pair()
        if number != self._number + 1:
            raise RecordError(f"number {number} where {self._number + 1} was due")
        self._number = number
        self._number_line = self._line
        self._due = player

    def _read_word(self, word: str) -> None:
        if self._has_action and not is_penalty(word):
            self._end_turn()
        if self._due is None:
            raise RecordError(f"{quoted(word)} where a number was due, such as {self._number + 1}.")
        if not self._words:
            self._turn_line = self._line
        self._words.append(word)
        self._has_action = self._has_action or not is_claim(word)

    def _end_pair(self) -> None:
        self._end_turn()
        if self._number and not self._numbered:
            self._line = self._number_line
            raise RecordError(f"number {self._number} without a turn")
        self._numbered = 0

    def _end_turn(self) -> None:
        if not self._words or self._due is None:
            return
        line, self._line = self._line, self._turn_line  # a turn is complete only when the next one begins
        self._turns.append(parse_turn(" ".join(self._words), self._due, self._t_ms))
        self._line = line
        self._due = "black" if self._due == "red" else None
        self._words, self._has_action, self._t_ms = [], False, None
        self._numbered += 1
