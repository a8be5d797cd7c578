"""`tamsk-pi doctor`: find what keeps a game from being played, and say what to do about it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Final

import attrs
import click

from tamsk_pi.config.load import parse_overrides
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.doctor.examine import examine
from tamsk_pi.doctor.finding import Finding, stops_play
from tamsk_pi.doctor.machine import Machine

_MARKS: Final = {"ok": "ok   ", "note": "note ", "stops": "STOPS"}


def as_text(findings: Iterable[Finding]) -> str:
    """One line a finding, and below it, indented, its remedy."""
    lines = []
    for finding in findings:
        lines.append(f"{_MARKS[finding.weight]}  {finding.check:<9} {finding.text}")
        if finding.remedy:
            lines.append(f"{'':<17} -> {finding.remedy}")
    return "\n".join(lines)


def as_json(findings: Iterable[Finding]) -> str:
    """A JSON object: `plays`, and every finding with `check`, `weight`, `text` and `remedy`."""
    listed = list(findings)
    return json.dumps(
        {"plays": not stops_play(listed), "findings": [attrs.asdict(finding) for finding in listed]},
        ensure_ascii=False,
        indent=2,
    )


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
    click.echo(as_json(findings) if json_wanted else as_text(findings))
    sys.exit(1 if stops_play(findings) else 0)
