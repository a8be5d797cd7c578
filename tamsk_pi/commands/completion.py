"""`tamsk-pi completion`: what lets a shell complete commands and options."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import get_completion_class

from tamsk_pi.cli import main

SHELLS: Final = ("bash", "zsh", "fish")
PROGRAM: Final = "tamsk-pi"
VARIABLE: Final = "_TAMSK_PI_COMPLETE"
"""By which click is asked for completions, made of the program's name as click makes it."""


@click.command(name="completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script with which SHELL completes commands, options and their values by the Tab key.

    For bash: tamsk-pi completion bash > ~/.local/share/bash-completion/completions/tamsk-pi

    For zsh, into a folder of its $fpath: tamsk-pi completion zsh > FOLDER/_tamsk-pi

    For fish: tamsk-pi completion fish > ~/.config/fish/completions/tamsk-pi.fish

    It works from the next shell on. On a Pi `make install` has put all three where every user's shell finds them.
    """
    made = get_completion_class(shell)
    if made is None:
        raise RuntimeError(f"click knows no {shell}")
    # Not `source()`: for bash it starts one and complains of its version, and this one need not be the user's.
    completion = made(main, {}, PROGRAM, VARIABLE)
    click.echo(completion.source_template % completion.source_vars())
