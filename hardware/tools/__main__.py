"""`python -m hardware.tools`: make everything in the hardware folder that is generated."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import get_args

import click

from hardware.tools import products
from hardware.tools.boards import every_circuit
from hardware.tools.electric import findings
from hardware.tools.measures import MeasuresError
from hardware.tools.parts import PartsError
from tamsk_pi.config.problems import ConfigError


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing; status 1 if a file is not what it would be made anew.")
@click.option(
    "--only",
    type=click.Choice(get_args(products.Family)),
    help="Make one kind of file: text (tables, templates, harness files), wiring, netlist, picture or board.",
)
def main(check: bool, only: products.Family | None) -> None:
    """Check the boards' circuits, then make tables, templates, wiring, netlists and pictures from the profiles."""
    try:
        _check_circuits()
        changed = _make(check, only)
    except (MeasuresError, PartsError, ConfigError) as error:
        raise click.ClickException(str(error)) from error
    except subprocess.CalledProcessError as error:
        last = (error.stderr or error.stdout or "").strip().splitlines()
        raise click.ClickException(f"{error.cmd[0]} failed: {last[-1] if last else 'no output'}") from error
    for path in products.strays():
        click.echo(f"nothing makes {path} any more: delete it")
    if check and changed:
        raise click.ClickException(f"{len(changed)} files are stale: run make hardware")


def _check_circuits() -> None:
    found = [f"{name}: {finding}" for name, circuit in every_circuit().items() for finding in findings(circuit)]
    if found:
        raise click.ClickException("\n".join(found))


def _make(check: bool, only: products.Family | None) -> list[str]:
    families = (only,) if only else get_args(products.Family)
    skipped = {family: needed for family in families if (needed := products.lacking(family))}
    for family, needed in skipped.items():
        click.echo(f"{family}: left as it is, needs {needed}")
    changed = []
    with tempfile.TemporaryDirectory() as folder:
        for product in products.products(Path(folder)):
            if product.family not in families or product.family in skipped:
                continue
            content = product.make()
            if not product.is_current(content):
                changed.append(product.path)
                click.echo(f"{'stale' if check else 'written'}: {product.path}")
                if not check:
                    product.file.parent.mkdir(parents=True, exist_ok=True)
                    product.file.write_bytes(content)
    return changed


if __name__ == "__main__":
    main()
