"""One round as the arbiter's page shows it."""

from __future__ import annotations

from typing import Any

from tamsk_pi.hub.event.book import Book
from tamsk_pi.hub.event.printing import RESULT_SIGNS
from tamsk_pi.hub.event.results import BYES, POINTS


def round_of(book: Book, asked: int | None = None) -> dict[str, Any]:
    """The round that is asked for, else the newest one; `round` 0 and no pairings before the first.

    `results`: what an arbiter may say of a pairing with two players; `byes`: of one with a single player; `signs`: how
    each of them is written.
    """
    history = book.history()
    newest = history.newest_round()
    number = asked if asked is not None and 1 <= asked <= newest else newest
    names = {player.number: player.name for player in history.players}
    return {
        "round": number,
        "rounds": history.rounds,
        "newest": newest,
        "results": [result for result in POINTS if result not in BYES],
        "byes": list(BYES),
        "signs": RESULT_SIGNS,
        "pairings": [
            {
                "board": pairing.board,
                "red": names[pairing.red],
                "black": None if pairing.black is None else names[pairing.black],
                "result": pairing.result,
                "by": pairing.by,
            }
            for pairing in sorted(history.pairings, key=lambda one: one.board)
            if pairing.round == number
        ],
    }
