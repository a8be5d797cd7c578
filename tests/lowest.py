"""The lowest versions that `pyproject.toml` allows: `python -m tests.lowest` prints them as pip's constraints.

`make lowest` installs them and runs what leans on them. A lower bound that was never tried is a guess, and who has an
older system gets that guess.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(?:>=([\d.]+))?")


def lowest(project: Path = PROJECT) -> Iterator[str]:
    """`name==version` of every requirement with a lower bound. `ValueError` for one that has none."""
    table = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    for text in table["dependencies"]:
        found = _REQUIREMENT.fullmatch(text)
        if found is None or found[2] is None:
            raise ValueError(f"{text}: a requirement of the program needs a lower bound, and nothing else")
        yield f"{found[1]}=={found[2]}"


def main() -> None:
    """Print the constraints."""
    sys.stdout.writelines(f"{line}\n" for line in lowest())


if __name__ == "__main__":
    main()
