"""`tamsk-pi config` in the language of the environment; keys and values are the same in all."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_pi.cli import main
from tamsk_pi.config.allowed import Choice, Day, Flag, ListOf, TableOf, Text, Whole
from tamsk_pi.config.page import explain
from tamsk_pi.config.table import Entry, entries
from tamsk_pi.signals.language import LANGUAGES, Language, catalogue

TRANSLATED = [language for language in LANGUAGES if language != "en"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


def config(language: str, *words: str) -> Result:
    return CliRunner().invoke(main, ["config", *words], env={"LANGUAGE": language})


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.key)
def test_every_setting_is_explained(entry: Entry, language: Language) -> None:
    english, told = explain(entry).splitlines(), explain(entry, catalogue(language).gettext).splitlines()
    assert len(told) == len(english)
    assert told[0] == entry.key
    for line, translated in zip(english[1:], told[1:], strict=True):
        assert translated.partition(":")[0] != line.partition(":")[0]
    what, reason = told[1].partition(":")[2].strip(), told[-1].partition(":")[2].strip()
    assert what
    assert what != entry.about.doc
    assert not entry.about.reason or reason != entry.about.reason
    # All texts begin in one column.
    columns = {len(line) - len(line.partition(":")[2].lstrip()) for line in told[1:]}
    assert len(columns) == 1


def test_explain() -> None:
    assert config("de", "explain", "level").stdout == (
        "level\n"
        "  was:      1: kein Sand; 2: Sanduhren werden umgedreht; 3: auch die 15-Sekunden-Uhr\n"
        "  erlaubt:  1, 2 oder 3\n"
        "  Vorgabe:  1\n"
        "  Grund:    Nichts kann falsch beurteilt werden, ehe die Sanduhren gemessen sind.\n"
    )
    assert (
        "  permitido:    un número entero de 0 a 5000, en ms\n" in config("es", "explain", "tolerance_ms.timer").stdout
    )
    told = config("de", "explain", "ring_windw_ms")
    assert (told.exit_code, told.stderr) == (2, "keine Einstellung ring_windw_ms; gemeint: ring_window_ms?\n")
    assert "`tamsk-pi config show`" in config("es", "explain", "zzz").stderr


def test_show_and_check() -> None:
    shown = config("de", "show", "--set", "level=2").stdout.splitlines()
    assert shown[0].split("#") == ["level = 2".ljust(45), " Befehlszeile"]
    assert shown[1].split("#") == ['rules = "rulebook"'.ljust(45), " Vorgabe"]
    assert config("es", "check").stdout == "todo bien: perfil de tablero matrix\n"
    assert config("es", "check", "--set", "board=bridge").stdout == "todo bien: el puente\n"


def test_programs_read_the_same_in_every_language() -> None:
    assert config("de", "show", "--json").stdout == config("en", "show", "--json").stdout


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize(
    "allowed",
    [Whole(1, 2), Flag(), Choice((1, 2)), Text("a name"), Day(), ListOf(Flag()), TableOf(None, Flag()),
     TableOf(("a",), Flag())],
    ids=repr,
)  # fmt: skip
def test_whatever_is_allowed_is_said(
    allowed: Whole | Flag | Choice | Text | Day | ListOf | TableOf, language: Language
) -> None:
    assert allowed.words(catalogue(language).gettext) != allowed.words()
