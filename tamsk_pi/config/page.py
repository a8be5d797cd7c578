"""Words about the settings: one setting explained, and the page `docs/configuration.md`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tamsk_pi.config.allowed import shown
from tamsk_pi.config.table import Entry, entries
from tamsk_pi.signals.language import N_, Say, in_english

_HEAD = """\
# Configuration

<!-- Made by `tamsk-pi config page`; change tamsk_pi/config/settings.py instead. -->

Settings are read from `/etc/tamsk-pi/config.toml`, then from the user's own file
(`$XDG_CONFIG_HOME/tamsk-pi/config.toml`, by default `~/.config/tamsk-pi/config.toml`), then from the command line; the
later wins. Neither file need be there. A key that nothing knows is an error, and everything that is wrong is told at
once, with file, key and what is allowed.

    tamsk-pi config check                checks the files and the board profile they name
    tamsk-pi config show                 every setting in force, and where it was set
    tamsk-pi config explain KEY          one setting, or all under a key such as glass_ms

A file is TOML. `glass_ms.R1.a` below is written in any of TOML's ways:

    level = 3
    names = { red = "Ada", black = "Lin" }
    tolerance_ms = 1500                  # both glasses and timer
    web.port = 8080

    [glass_ms]
    R1 = { a = 178200, b = 184100 }      # a: end a up
    R2 = 181000                          # both ends
"""


def default_words(entry: Entry, say: Say = in_english) -> str:
    """The default as it would be written, with its unit."""
    return f"{shown(entry.default)} {say(entry.about.unit) if entry.about.unit else ''}".rstrip()


def explain(entry: Entry, say: Say = in_english) -> str:
    """A setting in a few lines: what it is for, what is allowed, its default and the reason for it."""
    about = entry.about
    allowed = about.allowed.words(say)
    told = {
        say(N_("what")): say(about.doc),
        say(N_("allowed")): say(N_("{what}, in {unit}")).format(what=allowed, unit=say(about.unit))
        if about.unit
        else allowed,
        say(N_("default")): default_words(entry, say),
    }
    if about.reason:
        told[say(N_("reason"))] = say(about.reason)
    width = max(len(label) for label in (*told, say(N_("allowed")))) + 3
    return "\n".join([entry.key, *(f"  {f'{label}:':<{width}}{text}" for label, text in told.items())])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _rows(section: list[Entry]) -> Iterator[str]:
    for _, same in itertools.groupby(section, key=lambda entry: (entry.about, repr(entry.default))):
        alike = list(same)
        first, about = alike[0], alike[0].about
        keys = f"`{first.key}`" if len(alike) == 1 else f"`{first.key}` to `{alike[-1].key}`"
        unit = f" {about.unit}" if about.unit else ""
        what = about.doc[0].upper() + about.doc[1:]
        cells = (keys, about.allowed.words() + unit, f"`{shown(first.default)}`", what, about.reason)
        yield f"| {' | '.join(map(_cell, cells))} |"


def configuration_page() -> str:
    """The text of `docs/configuration.md`."""
    sections: dict[str, list[Entry]] = {"": []}
    for entry in entries():
        sections.setdefault(entry.key.split(".")[0] if "." in entry.key else "", []).append(entry)
    parts = [_HEAD]
    for table, section in sections.items():
        parts.append(f"\n## {f'`{table}`' if table else 'Outside any table'}\n")
        parts.append("\n| key | allowed | default | what it is for | why this default |\n|---|---|---|---|---|\n")
        parts += [f"{row}\n" for row in _rows(section)]
    return "".join(parts)
