"""What may be typed while a live game is told on a terminal: the arbiter's words, and those about the next game.

Words are lines. Each is answered by one line, or by what the game then says.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping
from typing import Final, Protocol, TextIO

import attrs

from tamsk_pi.rules.board import is_socket
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.runner.evening import Choices, Evening
from tamsk_pi.runner.loop import Loop
from tamsk_pi.signals.language import N_

HELP: Final = N_(
    "Words: new (end this game, begin the next); level 1, 2 or 3; rules {editions}; red NAME; black NAME; swap; "
    "pause; resume; recheck; annul; accept; takeback; draw; red wins; black wins; dead SOCKET; alive SOCKET."
)
UNKNOWN: Final = N_("“{line}” is no word here; help lists them.")
REFUSED: Final = N_("That changes nothing: {reason}.")
CHOSEN: Final = N_("The next game: level {level}, rules {rules}, red {red}, black {black}.")

_PLAIN: Final = ("pause", "resume", "recheck", "annul", "accept", "takeback")


class Say(Protocol):
    """Says a text of the catalogues, given in English, with its blanks filled in."""

    def __call__(self, text: str, /, **blanks: object) -> None: ...


def obey(evening: Evening, line: str, now_ms: int, say: Say) -> None:
    """Do what a line says, in the loop's thread."""
    head, _, rest = line.strip().partition(" ")
    word, rest = head.lower(), rest.strip()
    if word in ("help", "?"):
        say(HELP, editions=", ".join(EDITIONS))
    elif (details := _word(word, rest)) is not None:
        what, more = details
        reason = evening.say(what, more, now_ms)
        if reason is not None:
            say(REFUSED, reason=reason)
    else:
        _choose(evening, line, word, rest, say)


def _word(word: str, rest: str) -> tuple[str, Mapping[str, object]] | None:
    if word in _PLAIN and not rest:
        return word, {}
    if word in ("new", "begin") and not rest:
        return "new_game", {}
    if word == "draw" and not rest:
        return "end", {"winner": None}
    if word in ("red", "black") and rest.lower() == "wins":
        return "end", {"winner": word}
    if word in ("dead", "alive") and is_socket(rest.upper()):
        return "dead", {"socket": rest.upper(), "dead": word == "dead"}
    return None


def _choose(evening: Evening, line: str, word: str, rest: str, say: Say) -> None:
    before = evening.choices
    try:
        chosen = _chosen(before, word, rest)
    except ValueError as error:
        say(REFUSED, reason=error)
        return
    if chosen is None:
        say(UNKNOWN, line=line.strip())
        return
    evening.choose(chosen)
    names = {"red": chosen.red or "-", "black": chosen.black or "-"}
    say(CHOSEN, level=chosen.level, rules=chosen.rules, **names)


def _chosen(before: Choices, word: str, rest: str) -> Choices | None:
    match word:
        case "level":
            return attrs.evolve(before, level=int(rest) if rest.isdecimal() else 0)
        case "rules":
            return attrs.evolve(before, rules=rest)
        case "red":
            return attrs.evolve(before, red=rest)
        case "black":
            return attrs.evolve(before, black=rest)
        case "swap" if not rest:
            return before.swapped()
        case _:
            return None


class Typed:
    """Takes what is typed, in the thread that reads it: a terminal that blocks stalls no game."""

    def __init__(self, loop: Loop, say: Say) -> None:
        self._loop: Final = loop
        self._say: Final = say

    def take(self, line: str) -> None:
        """Have a line obeyed in the loop's thread, and say the answer here."""
        if not line.strip():
            return
        answers: queue.SimpleQueue[tuple[str, dict[str, object]] | None] = queue.SimpleQueue()

        def task(now_ms: int) -> None:
            try:
                obey(self._loop.evening, line, now_ms, lambda text, /, **blanks: answers.put((text, blanks)))
            finally:
                answers.put(None)

        self._loop.call(task)
        while (answer := answers.get()) is not None:
            self._say(answer[0], **answer[1])

    def listen(self, terminal: TextIO) -> threading.Thread:
        """Take every line, in a thread of its own, until the terminal ends; the thread."""

        def take_all() -> None:
            for line in terminal:
                self.take(line)

        thread = threading.Thread(target=take_all, name="words", daemon=True)
        thread.start()
        return thread
