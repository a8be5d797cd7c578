"""What may be typed while a live game is told on a terminal: the arbiter's words, and those about the next game.

Words are lines. Each is answered by one line, or by what the game then says.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
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

PATIENCE_S: Final = 5.0
"""A loop that has not answered by then is stuck, which is told otherwise."""

_PLAIN: Final = ("pause", "resume", "recheck", "annul", "accept", "takeback")


class Say(Protocol):
    """Says a text of the catalogues, given in English, with its blanks filled in."""

    def __call__(self, text: str, /, **blanks: object) -> None: ...


def obey(evening: Evening, line: str, now_ms: int, say: Say) -> bool:
    """Do what a line says, in the loop's thread; whether that could be done."""
    head, _, rest = line.strip().partition(" ")
    word, rest = head.lower(), rest.strip()
    if word in ("help", "?"):
        say(HELP, editions=", ".join(EDITIONS))
        return True
    if (details := _word(word, rest)) is not None:
        what, more = details
        reason = evening.say(what, more, now_ms)
        if reason is not None:
            say(REFUSED, reason=reason)
        return reason is None
    return _choose(evening, line, word, rest, say)


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


def _choose(evening: Evening, line: str, word: str, rest: str, say: Say) -> bool:
    before = evening.choices
    try:
        chosen = _chosen(before, word, rest)
    except ValueError as error:
        say(REFUSED, reason=error)
        return False
    if chosen is None:
        say(UNKNOWN, line=line.strip())
        return False
    evening.choose(chosen)
    names = {"red": chosen.red or "-", "black": chosen.black or "-"}
    say(CHOSEN, level=chosen.level, rules=chosen.rules, **names)
    return True


def _chosen(before: Choices, word: str, rest: str) -> Choices | None:
    match word:
        case "level":
            if not rest.isdecimal():
                raise ValueError(f"level is {rest!r}; allowed: 1, 2, 3")
            return attrs.evolve(before, level=int(rest))
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
    """Takes lines, in the thread that reads them: a terminal, or a program, that blocks stalls no game."""

    def __init__(self, loop: Loop, told: Callable[..., str]) -> None:
        """`told` gives a text of the catalogues in the language of the run, filled in."""
        self._loop: Final = loop
        self._told: Final = told

    def answer(self, line: str) -> tuple[bool, list[str]]:
        """Have a line obeyed in the loop's thread; whether that could be done, and what is said to it."""
        said: list[str] = []
        done: queue.SimpleQueue[bool] = queue.SimpleQueue()

        def task(now_ms: int) -> None:
            obeyed = False
            try:
                tell = self._told
                obeyed = obey(self._loop.evening, line, now_ms, lambda text, /, **of: said.append(tell(text, **of)))
            finally:
                done.put(obeyed)

        self._loop.call(task)
        try:
            return done.get(timeout=PATIENCE_S), said
        except queue.Empty:
            return False, []

    def take(self, line: str, say: Callable[[str], None]) -> None:
        """Have a line obeyed, and say the answer."""
        if line.strip():
            for text in self.answer(line)[1]:
                say(text)

    def listen(self, terminal: TextIO, say: Callable[[str], None]) -> threading.Thread:
        """Take every line, in a thread of its own, until the terminal ends; the thread."""

        def take_all() -> None:
            for line in terminal:
                self.take(line, say)

        thread = threading.Thread(target=take_all, name="words", daemon=True)
        thread.start()
        return thread
