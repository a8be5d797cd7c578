"""The written file: well-formed, self-contained, escaped, named for screen readers, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import attrs
import pytest

from tamsk_pi.report.facts import Report
from tamsk_pi.report.sheet import HEIGHT, STYLE
from tamsk_pi.report.write import FORMATS, PAGE_STYLE, Format, content_security_policy, write_report
from tamsk_pi.rules.record import format_record
from tamsk_pi.signals.language import LANGUAGES, Language
from tests.report.games import ALL_CASES, LONG_NAME, NASTY, case, case_lines, full, header, move, report_of, shuttling

SVG = "{http://www.w3.org/2000/svg}"
GAME = "game-level3-rulebook-6"


def parsed(text: str) -> Element:
    return ElementTree.fromstring(text.removeprefix("<!doctype html>\n").encode())


def texts(root: Element) -> list[str]:
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def pictures(root: Element) -> list[Element]:
    return [node for node in root.iter(f"{SVG}g") if node.get("role") == "img"]


class Tags(HTMLParser):
    """Every tag with its attributes, as a browser's parser meets them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ALL_CASES)
def test_every_case_is_well_formed(name: str, form: Format) -> None:
    root = parsed(write_report(case(name), "en", form))
    assert root.tag == (f"{SVG}svg" if form == "svg" else "html")


@pytest.mark.parametrize("form", FORMATS)
def test_it_needs_nothing_else(form: Format) -> None:
    tags = Tags(write_report(case(GAME), "en", form)).found
    names = {name for name, _ in tags}
    assert not names & {"script", "link", "img", "image", "iframe", "object", "embed", "use", "foreignobject", "a"}
    for _, attributes in tags:
        assert not {key for key in attributes if key.startswith("on") or key in ("src", "href", "style")}
        assert not [value for value in attributes.values() if value and value.startswith("url(") and value[4] != "#"]
    assert "url(" not in STYLE + PAGE_STYLE
    assert "@import" not in STYLE + PAGE_STYLE


def test_the_styles_are_what_the_policy_allows() -> None:
    """The hashes of a policy are of the text between the tags, so the writer must not change it."""
    for form in FORMATS:
        text = write_report(case(GAME), "en", form)
        found = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
        assert found == ([STYLE, PAGE_STYLE] if form == "html" else [STYLE])
    assert content_security_policy().count("sha256-") == 2
    assert "unsafe" not in content_security_policy()


@pytest.mark.parametrize("form", FORMATS)
def test_names_are_data(form: Format) -> None:
    lines = case_lines("not-adjacent-and-mended")
    settings = header(1, red=NASTY, black='"><img src=x>', event=NASTY, started_at="<b>now</b>")
    text = write_report(report_of([settings, *lines[1:]]), "en", form)
    root = parsed(text)
    shown = " ".join(texts(root))
    assert '<script>alert("&")</script>' in shown
    assert "<b>now</b>" in shown
    names = {name for name, _ in Tags(text).found}
    assert not names & {"script", "img", "b"}
    text.encode("utf-8")


def test_what_breaks_a_trace_is_data_too() -> None:
    report = report_of([header(1), '{"t": 1, "<script>": "</svg>"}'])
    assert report.flaws
    for form in FORMATS:
        root = parsed(write_report(report, "en", form))
        assert any("<script>" in text for text in texts(root))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMATS)
def test_every_picture_has_a_name_and_a_description(form: Format, language: Language) -> None:
    root = parsed(write_report(case(GAME), language, form))
    found = pictures(root)
    # The position, the rings, the times, seven glasses.
    assert len(found) == 10
    names = []
    for group in found:
        title, description = group.find(f"{SVG}title"), group.find(f"{SVG}desc")
        assert title is not None
        assert description is not None
        assert title.text
        assert description.text
        names.append(title.text)
        assert group.get("aria-label") == f"{title.text}. {description.text}"
        assert "?" not in description.text, "a blank that was not filled"
    assert len(set(names)) == len(names)


def test_the_descriptions_say_what_the_charts_show() -> None:
    report = case(GAME)
    words = {str(g.get("aria-label")) for g in pictures(parsed(write_report(report, "en", "html")))}
    everything = " ".join(words)
    assert "In the end: Red 3, Black 3." in everything
    assert "The middle red hourglass (R2). Ran out at " in everything
    assert "Out for good since " in everything
    assert "Rings on D4, from below: " in everything
    assert f"The left red hourglass (R1) stands on {report.final.glasses['R1'].socket}." in everything
    assert "Red: 3:54 in all, longest 0:25. Black: 5:01 in all, longest 0:34." in everything


def headings(root: Element) -> Iterator[str]:
    for node in root.iter():
        if node.get("role") == "heading":
            yield "".join(node.itertext())


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("en", ["Red against Black", "Final position", "Rings left", "Time per move", "Sand of each glass"]),
        ("de", ["Rot gegen Schwarz", "Endstellung", "Übrige Ringe", "Zeit je Zug", "Sand jeder Sanduhr"]),
        ("es", ["Rojo contra Negro", "Posición final", "Anillos restantes", "Tiempo por jugada"]),
    ],
)
def test_it_is_told_in_each_language(language: Language, wanted: list[str]) -> None:
    root = parsed(write_report(case(GAME), language, "html"))
    assert root.get("lang") == language
    assert set(wanted) <= set(headings(root))


def test_the_whole_record_and_every_violation_are_there() -> None:
    report = case(GAME)
    root = parsed(write_report(report, "en", "html"))
    (record,) = root.iter("pre")
    assert record.text == format_record(report.record)
    shown = " ".join(texts(root))
    for turn in report.turns:
        assert turn.notation in shown
    assert len(list(root.iter("li"))) == len(report.violations) + len(report.penalties)
    assert "Made whole after 4.9 s by the move to D5." in shown


def test_decimals_are_written_as_the_language_does() -> None:
    assert "Nach 4,9 s durch den Zug nach D5 geheilt." in " ".join(texts(parsed(write_report(case(GAME), "de", "svg"))))


def flat_boxes(root: Element) -> Iterator[tuple[float, float]]:
    """The position of every text on the sheet, the groups around it counted in."""

    def walk(node: Element, x: float, y: float) -> Iterator[tuple[float, float]]:
        if node.get("class") == "board":
            return
        moved = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", node.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        if node.tag == f"{SVG}text":
            yield x + float(node.get("x", "0")), y + float(node.get("y", "0"))
        for child in node:
            yield from walk(child, x, y)

    yield from walk(root, 0.0, 0.0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("of", [case(GAME), full(case(GAME)), full(case("game-level1-rulebook-4")), shuttling(400)])
def test_nothing_is_written_below_the_sheet(of: Report, language: Language) -> None:
    root = parsed(write_report(of, language, "svg"))
    lowest = max(y for _, y in flat_boxes(root))
    assert lowest <= HEIGHT


def test_what_finds_no_room_is_counted() -> None:
    report = full(case(GAME))
    shown = texts(parsed(write_report(report, "en", "svg")))
    left_out = [int(found[1]) for text in shown if (found := re.fullmatch(r"… and (\d+) more, in the trace", text))]
    assert len(left_out) == 2, "violations and penalties both"
    times = [text for text in shown if re.fullmatch(r"\d+:\d\d", text)]
    assert times
    assert 0 < left_out[0] < len(report.violations)
    assert 0 < left_out[1] < len(report.penalties)


def test_a_record_too_long_for_the_sheet_says_how_many_pairs_are_missing() -> None:
    report = shuttling(1_400)
    shown = texts(parsed(write_report(report, "en", "svg")))
    pairs = [text for text in shown if re.match(r"\d+\. ", text)]
    (left_out,) = [int(found[1]) for text in shown if (found := re.match(r"… and (\d+) more", text))]
    assert len(pairs) + left_out == 700


def test_an_unfinished_game_says_so() -> None:
    report = report_of([header(2), *move(1_000, "D1", "D2", "R2", "b"), {"t": 9_000, "end": True}])
    shown = texts(parsed(write_report(report, "en", "html")))
    assert "The game is not over: this is how far its record goes." in shown
    assert "Last position" in shown
    assert "Final position" not in shown


def test_a_game_that_never_began_says_so() -> None:
    report = report_of([header(3, occupied=[])])
    shown = texts(parsed(write_report(report, "de", "html")))
    assert "Das Spiel hat nicht begonnen: Das Brett wurde nie aufgebaut." in shown


def test_settings_are_shown_whole_or_shortened() -> None:
    report = report_of([header(2, red=LONG_NAME, black="Lin", event="E" * 300, started_at="2026-05-01T19:30:00")])
    shown = texts(parsed(write_report(report, "en", "html")))
    assert "2026-05-01 19:30:00" in shown
    assert any(text.startswith("EEE") and text.endswith("…") for text in shown)
    assert LONG_NAME in " ".join(shown)


def test_rings_whose_owner_was_not_told_are_drawn_as_such() -> None:
    lines = [header(1), {"t": 3_000, "arbiter": "rings", "socket": "D4", "count": 2, "side": "black"}]
    report = report_of([*lines, {"t": 5_000, "end": True}])
    root = parsed(write_report(report, "en", "svg"))
    assert len([g for g in root.iter(f"{SVG}g") if g.get("class") == "ring unknown"]) == 2
    assert "Rings on D4, from below: unknown, unknown" in str(pictures(root)[0].get("aria-label"))


def test_the_position_is_the_last_one() -> None:
    report = case(GAME)
    root = parsed(write_report(report, "en", "svg"))
    rings = [str(g.get("class")) for g in root.iter(f"{SVG}g") if str(g.get("class", "")).startswith("ring ")]
    left = report.final.rings_left
    # On the sockets, and on the holders.
    assert len(rings) == sum(report.final.rings.values()) + left["red"] + left["black"] == 64
    outs = [g for g in root.iter(f"{SVG}g") if str(g.get("class", "")).endswith(" is-out")]
    assert len(outs) == sum(glass.out for glass in report.final.glasses.values())


def test_the_report_is_the_same_each_time() -> None:
    report = case(GAME)
    assert write_report(report, "en", "html") == write_report(attrs.evolve(report), "en", "html")
