"""What the doctor finds is told in the language of the environment; the name of a check is the same in all."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tamsk_pi.doctor
from tamsk_pi.commands.doctor import command
from tamsk_pi.doctor.finding import Finding
from tamsk_pi.doctor.machine import SerialDevice
from tamsk_pi.signals.language import LANGUAGES, Language, catalogue
from tests.doctor.patient import Patient

TRANSLATED = [language for language in LANGUAGES if language != "en"]

IN_ALL_LANGUAGES = {
    "AS_TOLD",
    "'GPIO{line} ({key}): {error}'",
    "'sudo timedatectl set-ntp true'",
    "'tamsk-pi firmware flash'",
}
"""What is no sentence of ours: an error's words, a command."""


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    """With something of everything."""
    patient = Patient(tmp_path)
    patient.held |= {20: "lg", 21: "fan-control", 7: "spi0 CS1"}
    patient.denied.add("dev/spidev0.0")
    patient.remove("dev/i2c-1")
    patient.remove("run/systemd/timesync/synchronized")
    patient.serial = [SerialDevice("/dev/ttyACM0", "Arduino Mega 2560")]
    patient.process(77, "ModemManager", "/dev/ttyACM0")
    patient.ails(groups=lambda: frozenset({"users"}), free_bytes=lambda folder: 500_000)
    return patient


def run(patient: Patient, language: str, *options: str) -> Result:
    return CliRunner().invoke(command, options, obj=patient.machine, env={"LANGUAGE": language})


def texts_given() -> Iterator[tuple[str, ast.expr]]:
    """Every text that a finding is made of, wherever one is made."""
    for path in sorted(Path(tamsk_pi.doctor.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("ok", "note", "stops", "bad", "weigh"):
                yield from ((path.name, text) for text in node.args[1:])


def is_marked(text: ast.expr) -> bool:
    if isinstance(text, ast.IfExp):
        return is_marked(text.body) and is_marked(text.orelse)
    return isinstance(text, ast.Call) and ast.unparse(text.func) == "N_"


def test_every_text_is_marked_for_the_catalogues() -> None:
    given = list(texts_given())
    assert len(given) > 50
    bare = {
        f"{file}: {ast.unparse(text)}"
        for file, text in given
        # A name stands for a text that was marked where the name was given to it.
        if not is_marked(text) and not isinstance(text, ast.Name) and ast.unparse(text) not in IN_ALL_LANGUAGES
    }
    assert bare == {"pins.py: _line_remedy(user)"}


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_sick_machine_is_told_so_in_the_language(patient: Patient, language: Language) -> None:
    say = catalogue(language).gettext
    findings = patient.findings(level=2)
    assert {"lines", "spi", "i2c", "serial", "groups", "disk", "clock", "glasses"} <= {
        finding.check for finding in findings if finding.weight != "ok"
    }
    for finding in findings:
        if finding.weight == "ok":
            continue
        text, remedy = finding.told(say)
        assert text != finding.text
        assert remedy != finding.remedy
        for blank in finding.blanks.values():
            assert (str(blank) in finding.text) == (str(blank) in text)


def test_the_command_speaks(patient: Patient) -> None:
    german = run(patient, "de").output
    assert "STOPP  lines     GPIO21 (lamps.ready) wird von fan-control gehalten\n" in german
    assert "-> sudo usermod -aG gpio $USER, dann neu anmelden\n" in german
    assert "Notiz  i2c       aus (kein /dev/i2c-1)" in german
    spanish = run(patient, "es").output
    assert "ALTO  lines     GPIO21 (lamps.ready) está ocupada por fan-control\n" in spanish
    assert "STOPS  lines     GPIO21 (lamps.ready) is held by fan-control\n" in run(patient, "en").output


def test_programs_read_the_same_names_in_every_language(patient: Patient) -> None:
    told = {language: json.loads(run(patient, language, "--json").output) for language in LANGUAGES}
    names = {
        language: [(finding["check"], finding["weight"]) for finding in whole["findings"]]
        for language, whole in told.items()
    }
    assert names["de"] == names["es"] == names["en"]
    assert told["de"]["findings"] != told["en"]["findings"]


def test_an_error_with_braces_in_it_is_told_as_it_is() -> None:
    finding = Finding("config", "stops", "{told}", "{told}", {"told": "R1 = { a = 1 }"})
    assert (finding.text, finding.remedy) == ("R1 = { a = 1 }", "R1 = { a = 1 }")
