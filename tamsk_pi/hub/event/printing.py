"""Pairings and standings as a page to print, and the words for results."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Final

import attrs

from tamsk_pi.hub.event.book import Book
from tamsk_pi.hub.screen import screen_texts
from tamsk_pi.signals.language import Language

RESULT_SIGNS: Final = {
    "red": "1 – 0",
    "black": "0 – 1",
    "draw": "½ – ½",
    "red_forfeit": "+ – −",
    "black_forfeit": "− – +",
    "both_forfeit": "− – −",
    "bye": "1",
    "half_bye": "½",
    "zero_bye": "0",
}
STYLE: Final = """\
@page { size: A4; margin: 15mm }
body { font: 11pt/1.35 "Liberation Sans", Arial, sans-serif; color: #000; background: #fff }
h1 { font-size: 16pt; margin: 0 }
h2 { font-size: 13pt; margin: 4mm 0 2mm }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: .3mm solid #999; padding: 1.2mm 2mm; text-align: left }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
tr { break-inside: avoid }
thead { display: table-header-group }
"""
NUMBERS: Final = ("board", "place", "points", "played", "rating", "result")

Row = Sequence[object]


def pairings_page(book: Book, language: Language, round_number: int | None = None) -> str:
    """The pairings of a round, the newest where none is named, with the points before it, as a whole HTML page."""
    texts = screen_texts(language)
    history = book.history()
    number = history.newest_round() if round_number is None else round_number
    names = {player.number: player.name for player in history.players}
    before = attrs.evolve(history, pairings=[p for p in history.pairings if p.round < number])
    rows = [
        (
            "" if p.black is None else p.board,
            f"{names[p.red]} ({before.points(p.red):g})",
            texts["event.bye"] if p.black is None else f"{names[p.black]} ({before.points(p.black):g})",
            RESULT_SIGNS[p.result] if p.result else "",
        )
        for p in history.pairings
        if p.round == number
    ]
    title = texts["event.round"].format(round=number)
    return _page(
        book, title, language, _table(("board", "red", "black", "result"), rows, lambda k: texts[f"event.{k}"])
    )


def standings_page(book: Book, language: Language) -> str:
    """The standings as a whole HTML page."""
    texts = screen_texts(language)
    table = book.table()
    names = tuple(table[0].tie_breaks) if table else ()
    rows = [
        (
            s.place,
            s.player.name,
            s.player.club,
            s.player.rating or "",
            f"{s.points:g}",
            s.played,
            *(f"{value:g}" for value in s.tie_breaks.values()),
        )
        for s in table
    ]
    head = ("place", "name", "club", "rating", "points", "played", *names)
    title = texts["event.standings_after"].format(round=book.history().newest_round())
    return _page(book, title, language, _table(head, rows, lambda key: texts[f"event.{key}"]))


def _page(book: Book, title: str, language: Language, body: str) -> str:
    name = html.escape(book.info.title or book.info.name)
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head><meta charset="utf-8"><title>{name}: {html.escape(title)}'
        f"</title>\n<style>{STYLE}</style></head>\n<body><h1>{name}</h1>\n<h2>{html.escape(title)}</h2>\n{body}"
        "</body>\n</html>\n"
    )


def _table(head: Sequence[str], rows: Sequence[Row], say: Callable[[str], str]) -> str:
    def cell(tag: str, key: str, value: object) -> str:
        number = ' class="number"' if key in NUMBERS or key not in ("red", "black", "name", "club") else ""
        return f"<{tag}{number}>{html.escape(str(value))}</{tag}>"

    titles = "".join(cell("th", key, say(key)) for key in head)
    lines = "".join(
        f"<tr>{''.join(cell('td', key, value) for key, value in zip(head, row, strict=True))}</tr>\n" for row in rows
    )
    return f"<table><thead><tr>{titles}</tr></thead>\n<tbody>\n{lines}</tbody></table>\n"
