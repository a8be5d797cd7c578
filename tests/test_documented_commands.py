"""Every `tamsk-pi …` that the documents name is a command that there is, with options that it has."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tamsk_pi.cli import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "hardware").glob("*.md")),
         ROOT / "firmware_bridge" / "README.md"]  # fmt: skip
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`]+)`")
CALL = re.compile(r"(?:^|[\s|;&(/])tamsk-pi((?:[ \t]+[^\s|;&)#`]+)*)")


def calls_in(text: str) -> Iterator[str]:
    """Whatever follows `tamsk-pi` where the page shows a command: on lines of blocks, and in `code`."""
    fenced = "\n".join(FENCE.findall(text))
    rest = FENCE.sub("", text)
    lines = [line for line in fenced.splitlines() if not line.lstrip().startswith("```")]
    indented = (line for line in rest.splitlines() if line.startswith("    "))
    lines += [line for line in indented if not line.lstrip().startswith(("-", "|"))]
    spans = [" ".join(span.split()) for span in INLINE.findall(rest)]
    for line in lines:
        # What stands behind two spaces explains the command.
        yield from _calls(re.sub(r"\s{2,}\S.*$", "", line.strip()))
    for span in spans:
        yield from _calls(span)


def _calls(text: str) -> Iterator[str]:
    if re.match(r"^(journalctl|systemctl|sudo systemctl)\b|^systemd-analyze\b", text):
        return  # the unit's name, not the command
    for found in CALL.finditer(text.replace("sudo -u tamsk-pi ", "")):
        yield found[1].strip()


def problem_with(call: str) -> str | None:
    """What is wrong with a call, or None. Values and arguments may be placeholders; names and options may not."""
    words = shlex.split(call, posix=True)
    command: click.Command = main
    context = click.Context(main)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        if "|" in words[0] or words[0].isupper():
            return None  # `config check|show`, or COMMAND for any of them
        below = command.get_command(context, words[0])
        if below is None:
            return f"{words[0]!r} is no command of {command.name}"
        command, words = below, words[1:]
    known = {name: option for option in command.get_params(context) for name in getattr(option, "opts", ())}
    known |= {"--help": None, "-h": None, "--version": None}  # type: ignore[dict-item]
    rest = iter(words)
    for word in rest:
        name, equals, _ = word.partition("=")
        if not name.startswith("-") or name == "-":
            continue
        if name not in known:
            return f"{command.name} has no option {name}"
        option = known[name]
        if isinstance(option, click.Option) and not option.is_flag and not equals:
            value = next(rest, None)
            if value is None:
                return f"{name} of {command.name} lacks its value"
            if isinstance(option.type, click.Choice) and value.isalnum() and not value.isupper():
                choices = list(option.type.choices)
                if value not in choices:
                    return f"{name} of {command.name} is one of {choices}, not {value}"
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_named_is_there_with_its_options(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    wrong = {call: problem for call in calls_in(text) if (problem := problem_with(call))}
    assert wrong == {}


def test_the_pages_name_the_commands_there_are() -> None:
    """Commands that no page names would be found by nobody, and a reader of this test that finds none is broken."""
    named = {call.split()[0] for page in PAGES for call in calls_in(page.read_text(encoding="utf-8")) if call}
    assert {"calibrate", "config", "doctor", "firmware", "off", "perft", "play", "referee", "replay", "simulate",
            "tell", "watch"} <= named  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Run `tamsk-pi calibrat sockets`.", "no command"),
        ("Run `tamsk-pi calibrate socket`.", "no command"),
        ("```\n$ tamsk-pi watch --live\n```\n", "no option --live"),
        ("```\ncd /tmp && sudo -u tamsk-pi tamsk-pi watch --board\n```\n", "lacks its value"),
        ("A line broken in\n`tamsk-pi calibrate\nsockets --fast` is one command.", "no option --fast"),
        ("    tamsk-pi config explian KEY          one setting", "no command"),
        ("`tamsk-pi simulate --rings ladder`", "is one of"),
    ],
)
def test_what_is_wrong_is_found(text: str, problem: str) -> None:
    assert [found for call in calls_in(text) if (found := problem_with(call)) and problem in found]


@pytest.mark.parametrize(
    "text",
    [
        "`journalctl -u tamsk-pi -e` and `sudo systemctl stop tamsk-pi`",
        "`tamsk-pi replay -` reads standard input",
        "`tamsk-pi config explain KEY`, `tamsk-pi play --level 3 --red Ada`",
    ],
)
def test_what_is_right_is_let_be(text: str) -> None:
    assert [found for call in calls_in(text) if (found := problem_with(call))] == []
