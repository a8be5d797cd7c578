"""Every page is spoken to in its own language, and no text of it is missing in any."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from starlette.testclient import TestClient

import tamsk_pi
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.signals.remarks import REMARKS, is_known, remark
from tamsk_pi.signals.screen import COUNTED, SCREEN, screen_texts
from tamsk_pi.web.app import STATIC
from tamsk_pi.web.languages import language_for
from tests.web.talk import opened

PACKAGE = Path(tamsk_pi.__file__).parent
KEYS = {*SCREEN, *COUNTED}
SOURCES = "\n".join(path.read_text() for path in STATIC.iterdir() if path.suffix in (".js", ".html"))


# ---- the texts ----


def test_every_text_that_the_page_names_exists() -> None:
    named = set(re.findall(r'\bsay\("([a-z_.0-9]+)"', SOURCES))
    named |= set(re.findall(r'data-(?:say|say-label|title)="([a-z_.0-9]+)"', SOURCES))
    assert len(named) > 100
    assert named <= KEYS


def test_every_text_is_used_somewhere() -> None:
    begun = re.findall(r"`([a-z_.]+\.)\$\{", SOURCES)
    quoted = set(re.findall(r'"([a-z_.0-9]+)"', SOURCES))
    stale = {"stale.title", "stale.text", "stale.dead.title", "stale.dead.text"}
    assert "say(`${which}.title`)" in SOURCES
    unused = {key for key in KEYS - stale if key not in quoted and not any(key.startswith(b) for b in begun)}
    assert unused == set()


def test_signs_are_such_as_every_font_has() -> None:
    """Punctuation, arrows, geometric shapes and dingbats: what DejaVu, a bare system's only font, can draw."""
    blocks = (range(0x2010, 0x2040), range(0x2190, 0x2200), range(0x25A0, 0x2600), range(0x2700, 0x27C0))
    signs = {sign for sign in SOURCES if ord(sign) >= 0x0250}
    assert "→" in signs
    assert [sign for sign in sorted(signs) if not any(ord(sign) in block for block in blocks)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_gets_all_texts_in_a_language(client: TestClient, language: Language) -> None:
    told = client.get(f"/texts/{language}").json()
    assert told["language"] == language
    assert told["texts"] == screen_texts(language)
    assert set(told["texts"]) == KEYS
    assert told["languages"] == {"en": "English", "de": "Deutsch", "es": "Español"}


def test_texts_differ_between_languages() -> None:
    english, german, spanish = map(screen_texts, LANGUAGES)
    assert sum(english[key] != german[key] != spanish[key] for key in KEYS) > 0.9 * len(KEYS)
    assert german["rings.left"] == {"one": "{count} Ring übrig", "other": "{count} Ringe übrig"}


def test_there_are_no_texts_in_a_language_that_is_not_spoken(client: TestClient) -> None:
    assert client.get("/texts/fr").status_code == 404


# ---- which language ----


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr-FR,fr;q=0.9,es;q=0.5,en;q=0.4", "es"),
        ("en;q=0.1, ES-mx ; q=0.7", "es"),
        ("es;q=0, fr", "de"),
        ("fr", "de"),
        ("", "de"),
        ("*", "de"),
        (",;q=,\x00;;=" * 500, "de"),
        ("de;q=9", "de"),
    ],
)
def test_the_browser_chooses_and_else_the_box(header: str, language: Language) -> None:
    assert language_for("", Headers({"accept-language": header}), "de") == language


def test_what_was_chosen_on_the_page_goes_over_the_browser() -> None:
    assert language_for("es", Headers({"accept-language": "de"}), "en") == "es"
    assert language_for("tlh", Headers({"accept-language": "de"}), "en") == "de"


# ---- what is said to a page ----


def test_each_page_is_told_the_rulings_in_its_language(client: TestClient) -> None:
    with opened(client, **{"accept-language": "de"}) as german, opened(client) as english:
        assert german.wait_for("state")["language"] == "de"
        assert english.wait_for("state")["language"] == "en"
        assert german.act("lift", glass="R2")["ok"]
        assert german.act("place", glass="R2", socket="D2", turned=True)["ok"]
        for page, said in ((german, "de: move red R2 D1 D2"), (english, "move red R2 D1 D2")):
            while not (told := page.wait_for("change"))["rulings"]:
                pass
            assert [ruling["text"] for ruling in told["rulings"]] == [said]


def test_a_page_that_changes_its_language_gets_everything_anew(client: TestClient) -> None:
    with opened(client) as page:
        page.wait_for("state", language="en")
        page.say({"type": "speak", "language": "es"})
        again = page.wait_for("state", language="es")
        assert again["rulings"][0]["text"].startswith("es: ")
        page.say({"type": "speak", "language": "fr"})
        assert "must be one of en, de, es" in page.wait_for("refused")["reason"]


def test_why_an_act_was_not_done_is_told_in_the_language_of_the_page(client: TestClient) -> None:
    with opened(client) as first, opened(client, **{"accept-language": "de"}) as second:
        first.say({"type": "take_hands", "name": "Ada"})
        first.wait_for("you", hands="yours")
        assert second.act("turn_timer")["reason"] == "die Hände hat Ada; bitte zuerst übernehmen"


# ---- remarks ----


def _lines(path: Path) -> Iterator[str]:
    """Every line with which an act is refused in a file, with its blanks filled in somehow."""
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "ImpossibleAct":
            (text,) = call.args
            parts = text.values if isinstance(text, ast.JoinedStr) else [text]
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X1" for part in parts)


def test_everything_that_no_hand_can_do_is_said_in_every_language() -> None:
    paths = [*PACKAGE.glob("sim/*.py"), PACKAGE / "app" / "simulator.py"]
    lines = [line for path in paths for line in _lines(path)]
    assert len(lines) > 10
    assert [line for line in lines if not is_known(line)] == []


@pytest.mark.parametrize("language", ["de", "es"])
def test_every_remark_is_said_in_another_language(language: Language) -> None:
    for text in REMARKS:
        line = re.sub(r"\{\w+\}", "D4", text)
        assert remark(line, language) != line
        assert not re.search(r"[{}]", remark(line, language))
        assert remark(line, "en") == line


def test_a_line_that_is_not_known_stays_as_it_is() -> None:
    assert remark("something {odd} happened", "de") == "something {odd} happened"
    assert remark("the game is not being kept: No space left", "de").endswith(": No space left")
