"""The command line's help, and click's errors, in the language of the environment."""

from __future__ import annotations

import gettext
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner, Result

from tamsk_pi.cli import COMMANDS, main
from tamsk_pi.help_language import spoken
from tamsk_pi.signals.language import LANGUAGES, Language, catalogue
from tests.signals.texts import commands

TRANSLATED = [language for language in LANGUAGES if language != "en"]
HELP_OPTIONS = ("-h", "--help")
KINDS = ("integer", "integer range", "float range", "file", "directory", "path", "TEXT")
"""Names of types: shown, in capitals, only where no other name is given, and in errors."""

EVERY_COMMAND = dict(commands())


@pytest.fixture(autouse=True)
def domain_of_gettext() -> Iterator[None]:
    """The domain belongs to the whole process: other tests have it as it was."""
    before = gettext.textdomain()
    yield
    gettext.textdomain(before)


def run(*words: str, language: str) -> Result:
    # Without a width texts would be wrapped, and so torn at hyphens.
    return CliRunner().invoke(main, words, env={"LANGUAGE": language}, prog_name="tamsk-pi", terminal_width=10_000)


def real(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    without = {name: value for name, value in os.environ.items() if name not in ("LANGUAGE", "LC_ALL", "LC_MESSAGES")}
    return subprocess.run(
        [sys.executable, "-m", "tamsk_pi", *words],
        env={**without, "LANG": "C.UTF-8", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def texts_shown_by(command: click.Command) -> list[str]:
    """Every text of a command's own help, in English; of commands below it the first sentence alone is shown."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    if isinstance(command, click.Group):
        command = click.Group(command.name, help=command.help, params=command.params)
    spoken(command, note, HELP_OPTIONS)
    return [text for text in found if text]


@pytest.mark.parametrize(
    ("environment", "usage", "summary"),
    [
        ({"LANGUAGE": "de"}, "Aufruf: ", "Einer Partie still zusehen, bis etwas verboten ist."),
        ({"LANG": "de_AT.UTF-8"}, "Aufruf: ", "Einer Partie still zusehen, bis etwas verboten ist."),
        ({"LC_ALL": "es_MX.UTF-8"}, "Uso: ", "Observar una partida en silencio hasta que algo es ilegal."),
        ({"LC_MESSAGES": "es", "LANG": "de"}, "Uso: ", "Observar una partida en silencio hasta que algo es ilegal."),
        ({"LANGUAGE": "fr:es:de"}, "Uso: ", "Observar una partida en silencio hasta que algo es ilegal."),
        ({"LANGUAGE": "en:de"}, "Usage: ", "Watch a game in silence until something is illegal."),
        ({"LANGUAGE": "fr"}, "Usage: ", "Watch a game in silence until something is illegal."),
        ({}, "Usage: ", "Watch a game in silence until something is illegal."),
    ],
)
def test_the_program_speaks_the_language_of_the_environment(
    environment: dict[str, str], usage: str, summary: str
) -> None:
    told = real("--help", **environment)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith(usage)
    assert summary in told.stdout


def test_the_help_of_a_command_of_the_program() -> None:
    german = real("simulate", "--help", LANGUAGE="de").stdout
    assert "Optionen:" in german
    assert "15-Sekunden-Uhr" in german
    assert "[Vorgabe: matrix]" in german
    spanish = real("calibrate", "glasses", "-h", LANGUAGE="es").stdout
    assert "Opciones:" in spanish
    assert "[por defecto: 3; 2<=x<=20]" in spanish


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("words", EVERY_COMMAND, ids=" ".join)
def test_every_text_of_every_command_is_translated(words: tuple[str, ...], language: Language) -> None:
    told = run(*words, "--help", language=language)
    assert told.exit_code == 0
    lines = " ".join(told.output.split())
    for text in texts_shown_by(EVERY_COMMAND[words]):
        translated = catalogue(language).gettext(text)
        assert translated in lines or text in KINDS, text
        if translated != text and len(text) > 20:
            assert text not in lines


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_of_clicks_own_stays_english(language: str) -> None:
    for words in [(), *EVERY_COMMAND]:
        told = run(*words, "--help", language=language).output
        found = re.findall(
            r"Usage|Options|OPTIONS|COMMAND|ARGS|Commands:|Show this|default:|required"
            r"|INTEGER|RANGE|FLOAT|DIRECTORY|FILE\b|PATH",
            told,
        )
        assert found == [], words


@pytest.mark.parametrize("words", EVERY_COMMAND, ids=" ".join)
def test_english_is_what_stands_in_the_code(words: tuple[str, ...]) -> None:
    command = EVERY_COMMAND[words]
    context = click.Context(command, info_name=f"tamsk-pi {' '.join(words)}", terminal_width=10_000)
    run(*words, "--help", language="de")
    told, untouched = run(*words, "--help", language="en").output, command.get_help(context)
    # Alone, a command has no `-h`, and so another indentation.
    assert told.replace("-h, ", "").split() == untouched.replace("-h, ", "").split()


@pytest.mark.parametrize(
    ("words", "german", "spanish"),
    [
        (("nonsense",), "Fehler: Den Befehl 'nonsense' gibt es nicht.", "Error: No existe la orden 'nonsense'."),
        (("perft",), "Fehler: Es fehlt die Option '--depth'.", "Error: Falta la opción '--depth'."),
        (("replay",), "Fehler: Es fehlt das Argument 'SPUR...'.", "Error: Falta el argumento 'TRAZA...'."),
        (("config", "explain"), "Fehler: Es fehlt das Argument 'SCHLÜSSEL'.", "Error: Falta el argumento 'CLAVE'."),
        (
            ("calibrate", "sockts"),
            "Fehler: Den Befehl 'sockts' gibt es nicht. Gemeint: 'sockets'?",
            "Error: No existe la orden 'sockts'. ¿Quizá 'sockets'?",
        ),
        (
            ("simulate", "--level", "7"),
            "Fehler: Ungültiger Wert für '--level': 7 liegt nicht im Bereich 1<=x<=3.",
            "Error: Valor no válido para '--level': 7 no está en el rango 1<=x<=3.",
        ),
        (
            ("simulate", "--port", "x"),
            "Fehler: Ungültiger Wert für '--port': 'x' ist nicht gültig als ganze Zahl.",
            "Error: Valor no válido para '--port': 'x' no es válido como entero.",
        ),
        (
            ("firmware", "flash", "--hex", "/nowhere"),
            "Fehler: Ungültiger Wert für '--hex': Datei '/nowhere' gibt es nicht.",
            "Error: Valor no válido para '--hex': Archivo '/nowhere' no existe.",
        ),
        (("config", "show", "a"), "Fehler: Ein Argument zu viel (a)", "Error: Sobra un argumento (a)"),
        (
            ("off", "--board"),
            "Fehler: Die Option '--board' braucht einen Wert.",
            "Error: La opción '--board' necesita un valor.",
        ),
    ],
)
def test_clicks_errors_are_translated(words: tuple[str, ...], german: str, spanish: str) -> None:
    for language, wanted in (("de", german), ("es", spanish)):
        told = run(*words, language=language)
        assert (told.exit_code, told.stderr) == (2, f"{wanted}\n")


@pytest.mark.parametrize(
    ("words", "german", "spanish"),
    [
        (
            ("explain", "--last", "--violations", "-"),
            "Fehler: --last, --violations: eines wählen",
            "Error: --last, --violations: hay que elegir",
        ),
        (
            ("config", "check", "x", "--set", "level=1"),
            "Fehler: --set geht mit den geltenden Dateien, nicht mit DATEIEN",
            "Error: --set va con los archivos vigentes, no con ARCHIVOS",
        ),
        (
            ("perft", "--depth", "x"),
            "Fehler: Ungültiger Wert für '--depth': 'x' (erlaubt: eine ganze Zahl von 0 bis 999)",
            "Error: Valor no válido para '--depth': 'x' (se permite: un número entero de 0 a 999)",
        ),
        (
            ("report", "game.trace", "-o", "game.pdf"),
            "Fehler: game.pdf: Was geschrieben wird, sagt ein Name mit der Endung .html oder .svg, oder --format"
            " html|svg",
            "Error: game.pdf: qué escribir lo dice un nombre que acabe en .html o .svg, o --format html|svg",
        ),
    ],
)
def test_a_commands_own_errors_of_usage_are_translated(words: tuple[str, ...], german: str, spanish: str) -> None:
    test_clicks_errors_are_translated(words, german, spanish)


def test_showing_the_help_imports_no_command() -> None:
    source = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from tamsk_pi.cli import main\n"
        "assert CliRunner().invoke(main, ['--help']).output.startswith('Aufruf:')\n"
        "print([name for name in sys.modules if name.startswith('tamsk_pi.commands')])\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", source],
        env={**os.environ, "LANGUAGE": "de"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert told.stdout == "[]\n"


def test_every_command_is_looked_at() -> None:
    assert {words[0] for words in EVERY_COMMAND} == set(COMMANDS)
    assert ("calibrate", "holders") in EVERY_COMMAND
    assert ("config", "explain") in EVERY_COMMAND
