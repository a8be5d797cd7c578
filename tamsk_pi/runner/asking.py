"""Asks on the terminal whether a game that was cut off goes on, while page and button may answer too."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, TextIO

from tamsk_pi.runner.desk import Desk
from tamsk_pi.runner.loop import Loop
from tamsk_pi.signals.language import N_

QUESTION: Final = N_("Let it go on (r and Enter), or set it aside (d and Enter)?")
_WORDS: Final = {"r": "resume", "resume": "resume", "d": "discard", "discard": "discard"}


def ask_on_terminal(
    loop: Loop,
    offered: Desk,
    terminal: TextIO,
    say: Callable[[str], None],
    then: Callable[[str], None] | None = None,
) -> threading.Thread:
    """Ask in a thread of its own, until somebody has answered or the terminal ends; the thread.

    `say` is given a text of the catalogues, in English. `then` takes every line that is typed after the answer.
    """

    def tell(word: str) -> None:
        def task(now_ms: int) -> None:
            if loop.desk is offered and offered.is_offered:
                offered.say(word, {}, now_ms)

        loop.call(task)

    def ask() -> None:
        say(QUESTION)
        answered = False
        for line in terminal:
            word = _WORDS.get(line.strip().lower())
            if answered or not offered.is_offered:
                if then is None:
                    return
                then(line)
            elif word is None:
                say(QUESTION)
            else:
                tell(word)
                answered = True

    thread = threading.Thread(target=ask, name="question", daemon=True)
    thread.start()
    return thread
