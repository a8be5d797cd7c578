"""How to get a pin library on *this* machine: what works differs by system, by Python and by Pi.

lgpio: Raspberry Pi OS has it as `python3-lgpio`, Debian has not. PyPI has it ready for Python 3.11 and 3.12 on 64-bit
and ARMv7 machines; for a newer Python it must be compiled with the library's own source in it (`PYPI=1`). RPi.GPIO must
always be compiled, and knows no Pi 5.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

READY_ON_PYPI: Final = ((3, 11), (3, 12))
"""The Pythons for which PyPI has lgpio ready to install."""

COMPILER: Final = "sudo apt install gcc swig python3-dev"


def how_to_get(
    factory: str,
    root: Path = Path("/"),
    python: tuple[int, int] = sys.version_info[:2],
    own_environment: bool = sys.prefix != sys.base_prefix,
) -> str:
    """One line: the command that brings the library of a pin factory to this machine; empty for one that needs none.

    `root` is where the machine's files lie, `python` its version, `own_environment` whether this is a venv.
    """
    if factory == "mock":
        return ""
    raspberry_pi_os = (root / "etc" / "rpi-issue").exists()
    package = "python3-lgpio" if factory == "lgpio" else "python3-rpi-lgpio"
    if raspberry_pi_os:
        seen = " and make the venv anew with --system-site-packages" if own_environment else ""
        return f"sudo apt install {package}{seen}"
    name = "lgpio" if factory == "lgpio" else "rpi-lgpio"
    pip = f"{sys.prefix}/bin/pip install" if own_environment else "pip install --user --break-system-packages"
    if python in READY_ON_PYPI:
        return f"{pip} {name} (this is no Raspberry Pi OS, which has it for apt)"
    version = ".".join(map(str, python))
    return (
        f"{COMPILER}, then PYPI=1 {pip} {name} (nothing is ready for Python {version}; Raspberry Pi OS has {package})"
    )
