"""The builder's pages: links lead somewhere, no line number is written by hand, every part and harness named exists."""

from __future__ import annotations

import re

import pytest

from hardware.tools import products, scad
from hardware.tools.paths import HARDWARE

PAGES = sorted(HARDWARE.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_lead_somewhere(page: object) -> None:
    text = (HARDWARE / str(page)).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert targets, "a page of a set links to its neighbours"
    assert [target for target in targets if not (HARDWARE / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_are_named_in_generated_tables_only(page: object) -> None:
    text = (HARDWARE / str(page)).read_text(encoding="utf-8")
    assert re.findall(r"\bGPIO ?\d+|\bP[A-L][0-7]\b|\bBCM ?\d+", text) == []


def test_harnesses_and_parts_named_in_the_assembly_exist() -> None:
    text = (HARDWARE / "assembly.md").read_text(encoding="utf-8") + (HARDWARE / "trouble.md").read_text(
        encoding="utf-8"
    )
    known = products.harnesses().keys()
    for name in re.findall(r"\b((?:matrix|bridge|starter)-[a-z]+(?:-[a-z]+)?(?:-[A-G])?)\b", text):
        assert any(harness == name or harness.startswith(f"{name}-") for harness in known), name
    parts = {part.name for part in scad.PARTS}
    named = set(re.findall(r"`((?:tube|cap|plate|panel|pod|cradle)(?:-\w+)?)`", text))
    assert named
    assert named <= parts


def test_all_pictures_are_shown_on_a_page() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    pictures = sorted(HARDWARE.glob("mechanics/pictures/*.png"))
    assert len(pictures) == 7
    assert [picture.name for picture in pictures if f"pictures/{picture.name}" not in text] == []
