"""A report as one file that needs nothing else: an HTML page to print, or the same sheet as SVG."""

from __future__ import annotations

import base64
import hashlib
from typing import Final, Literal

from tamsk_pi.report.facts import Report
from tamsk_pi.report.sheet import STYLE, sheet, whole_lists
from tamsk_pi.report.svg import draw, plain, write
from tamsk_pi.report.telling import Telling
from tamsk_pi.rules.record import format_record
from tamsk_pi.runner.speech import words_for
from tamsk_pi.signals.language import Language

Format = Literal["html", "svg"]

FORMATS: Final[tuple[Format, ...]] = ("html", "svg")

PAGE_STYLE: Final = """
@page { margin: 10mm; }
html { background: #ddd8ce; color: #25272c; font: 15px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
body { margin: 0; }
main { max-width: 210mm; margin: 1.2rem auto; }
.paper { background: #fff; padding: 10mm; overflow-x: auto; box-shadow: 0 2px 14px #4a412f40; }
.paper svg { display: block; width: 100%; min-width: 620px; height: auto; }
details { margin: .8rem 10mm; }
pre { overflow-x: auto; white-space: pre-wrap; }
@media print {
  html { background: none; }
  main { margin: 0; max-width: none; }
  .paper { padding: 0; box-shadow: none; overflow: visible; }
  .paper svg { width: 190mm; height: 255mm; min-width: 0; margin: 0 auto; }
  details { display: none; }
}
"""


def content_security_policy() -> str:
    """What a server has to allow a report: its two styles, by their hashes, and nothing else."""
    hashes = " ".join(f"'sha256-{_hash(style)}'" for style in (STYLE, PAGE_STYLE))
    return f"default-src 'none'; style-src {hashes}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def _hash(style: str) -> str:
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()


def write_report(report: Report, language: Language, form: Format) -> str:
    """The whole file as text, with a newline at its end."""
    telling = Telling(report, words_for(report.settings, language))
    return html(report, telling) if form == "html" else svg(report, telling)


def svg(report: Report, telling: Telling) -> str:
    """The sheet as an SVG file."""
    drawn = sheet(report, telling)
    style = draw("style")
    style.text = STYLE
    drawn.insert(1, style)
    paper = draw("rect", {"width": "100%", "height": "100%", "fill": "#fff"})
    drawn.insert(2, paper)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{write(drawn)}\n'


def html(report: Report, telling: Telling) -> str:
    """The sheet as a page: on paper nothing but it, on a screen what found no room on it below."""
    title = f"{telling.text('title')}: {telling.players()}"
    head = draw("head", {}, draw("meta", {"charset": "utf-8"}), draw("title", text=title))
    head.append(draw("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}))
    for text in (STYLE, PAGE_STYLE):
        style = draw("style")
        style.text = text
        head.append(style)
    record = draw("pre")
    record.text = "\n".join(map(plain, format_record(report.record).split("\n")))
    entries = (" ".join(part for part in (e.time, e.text, e.after) if part) for e in whole_lists(report, telling))
    wrongs = draw("ul", {}, *(draw("li", text=text) for text in entries))
    main = draw("main", {}, draw("div", {"class": "paper", "tabindex": 0, "role": "group"}, sheet(report, telling)))
    main.append(draw("details", {}, draw("summary", text=telling.text("record.whole")), record))
    if len(wrongs):
        main.append(draw("details", {}, draw("summary", text=telling.text("rulings.whole")), wrongs))
    page = draw("html", {"lang": telling.language}, head, draw("body", {}, main))
    return f"<!doctype html>\n{write(page)}\n"
