"""`python -m hardware.tools.pcb FOLDER`: what a board house asks for, from the boards in the repository."""

from __future__ import annotations

import subprocess
import tempfile
import zipfile
from pathlib import Path

import click

from hardware.tools.pcb import check
from hardware.tools.pcb.boards import BOARDS, FOLDER


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--board", type=click.Choice(list(BOARDS)), multiple=True, help="Only this board; may be given again.")
def main(folder: Path, board: tuple[str, ...]) -> None:
    """Write gerbers and drill file (a zip), positions and a picture of each printed board into FOLDER.

    Every board is checked first; one with findings is not written.
    """
    if needed := check.lacking():
        raise click.ClickException(f"needs {needed}")
    folder.mkdir(parents=True, exist_ok=True)
    for name in board or BOARDS:
        with tempfile.TemporaryDirectory() as scratch:
            _export(name, folder, Path(scratch))


def _export(name: str, folder: Path, scratch: Path) -> None:
    source = FOLDER / f"{name}.kicad_pcb"
    if found := check.violations(source, scratch):
        raise click.ClickException("\n".join(f"{name}: {line}" for line in found))
    made = scratch / name
    made.mkdir()
    commands = (
        ("gerbers", "--layers", "F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,B.SilkS,Edge.Cuts", "-o", f"{made}/"),
        ("drill", "-o", f"{made}/"),
        ("pos", "--format", "csv", "--units", "mm", "-o", str(folder / f"{name}-positions.csv")),
        ("svg", "--layers", "F.Cu,F.SilkS,Edge.Cuts", "--page-size-mode", "2", "-o", str(folder / f"{name}.svg")),
    )
    for what, *arguments in commands:
        command = ["kicad-cli", "pcb", "export", what, *arguments, str(source)]
        subprocess.run(command, check=True, capture_output=True, text=True, env=check.environment(scratch))
    with zipfile.ZipFile(folder / f"{name}-gerbers.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(made.iterdir()):
            archive.write(file, file.name)
    click.echo(f"{name}: {len(list(made.iterdir()))} files in {folder / f'{name}-gerbers.zip'}")


if __name__ == "__main__":
    main()
