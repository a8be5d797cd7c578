"""Every relative link on a page of the documents leads to a file, and to a heading where it names one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *(page for part in ("docs", "hardware", "firmware_bridge") for page in sorted((ROOT / part).rglob("*.md"))),
]
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
NAMED = re.compile(r"^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`]*`")
ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def links_in(text: str) -> Iterator[str]:
    """Where the links and pictures of a page lead to, those within code left out."""
    text = FENCE.sub("", text)
    # In the text of a link code may stand; links within code are none.
    text = CODE.sub("code", text)
    yield from LINK.findall(text)
    yield from NAMED.findall(text)


def anchors_of(text: str) -> set[str]:
    """The anchors that a page's headings get."""
    headings = re.findall(r"^#{1,6}\s+(.*?)\s*#*$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def problem_with(page: Path, link: str) -> str | None:
    """What is wrong with a link on a page, or None."""
    if ELSEWHERE.match(link):
        return None
    name, _, anchor = unquote(link).partition("#")
    target = page if not name else (page.parent / name).resolve()
    if not target.exists():
        return f"{link}: there is no {name}"
    if not target.is_relative_to(ROOT):
        return f"{link}: leads out of the project"
    if anchor and target.suffix == ".md" and anchor not in anchors_of(target.read_text(encoding="utf-8")):
        return f"{link}: there is no such heading"
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    problems = [problem_with(page, link) for link in links_in(page.read_text(encoding="utf-8"))]
    assert not [problem for problem in problems if problem]


def test_pages_and_links_are_found() -> None:
    assert {"README.md", "traces.md", "library.md"} <= {page.name for page in PAGES}
    assert sum(len(list(links_in(page.read_text(encoding="utf-8")))) for page in PAGES) > 20


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("traces.md", None),
        ("traces.md#the-header", None),
        ("https://example.org/x.md", None),
        ("nowhere.md", "there is no nowhere.md"),
        ("traces.md#no-such-part", "there is no such heading"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(link: str, told: str | None) -> None:
    found = problem_with(ROOT / "docs" / "library.md", link)
    assert found is None if told is None else found is not None and found.endswith(told)


def test_links_are_read_as_a_page_shows_them() -> None:
    text = (
        'A [link](a.md), [`code`](b.md "title"), ![picture](c.svg), [![badge](d.svg)](e.md), `[no](f.md)`.\n[x]: g.md\n'
    )
    assert {"a.md", "b.md", "c.svg", "e.md", "g.md"} <= set(links_in(text))
    assert "f.md" not in set(links_in(text))
