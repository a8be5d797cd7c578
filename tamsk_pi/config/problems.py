"""What is wrong in a file that people write, collected so that all of it is told at once."""

from __future__ import annotations

from collections.abc import Iterable

import attrs


@attrs.frozen
class Problem:
    """One thing wrong: in which file, at which key (dotted; empty for the file as a whole), and what is allowed."""

    file: str
    key: str
    text: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.key, self.text) if part)


class ConfigError(Exception):
    """A configuration or a board profile that cannot be used; its text is every problem, one a line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
