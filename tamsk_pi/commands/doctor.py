"""`tamsk-pi doctor`: find what keeps a game from being played, and say what to do about it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable

import click

from tamsk_pi.config.load import parse_overrides
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.doctor.examine import examine
from tamsk_pi.doctor.finding import Finding, stops_play
from tamsk_pi.doctor.machine import Machine
from tamsk_pi.signals.findings import mark
from tamsk_pi.signals.language import Say, say_for


def as_text(findings: Iterable[Finding], say: Say) -> str:
    """One line a finding, and below it, indented, its remedy."""
    lines = []
    for finding in findings:
        text, remedy = finding.told(say)
        beginning = f"{mark(finding.weight, say)}  {finding.check:<9}"
        lines.append(f"{beginning} {text}")
        if remedy:
            lines.append(f"{'':<{len(beginning) + 1}} -> {remedy}")
    return "\n".join(lines)


def as_json(findings: Iterable[Finding], say: Say) -> str:
    """A JSON object: `plays`, and every finding with `check`, `weight`, `text` and `remedy`."""

    def plain(finding: Finding) -> dict[str, str]:
        text, remedy = finding.told(say)
        return {"check": finding.check, "weight": finding.weight, "text": text, "remedy": remedy}

    listed = list(findings)
    whole = {"plays": not stops_play(listed), "findings": [plain(finding) for finding in listed]}
    return json.dumps(whole, ensure_ascii=False, indent=2)


@click.command()
@click.option("--json", "json_wanted", is_flag=True, help="Print one JSON object, for other programs.")
@click.option("--set", "pairs", metavar="KEY=VALUE", multiple=True, help="Set a value over those of the files.")
@click.pass_obj
def command(machine: Machine | None, json_wanted: bool, pairs: tuple[str, ...]) -> None:
    """Find what keeps a game from being played on this machine, and say what to do about it.

    Looks at the model, kernel, GPIO chip, pin factory, groups, lines and who holds them, SPI and I2C, serial devices,
    disk, clock, versions and settings. Nothing is changed, and no line is claimed. The exit status is 1 if anything
    stops play.
    """
    try:
        overrides = parse_overrides(pairs)
    except ConfigError as error:
        raise click.UsageError(str(error)) from None
    findings = list(examine(Machine() if machine is None else machine, overrides))
    say = say_for(os.environ)
    click.echo(as_json(findings, say) if json_wanted else as_text(findings, say))
    sys.exit(1 if stops_play(findings) else 0)
