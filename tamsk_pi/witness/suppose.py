"""What can only be told from what comes later is supposed, and taken back when it turns out otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

Told = TypeVar("Told")
UNDECIDED_MS = 1_000
"""Nothing waits longer for where a glass goes that was lifted again before it was released."""
OFF_BOARD_MS = 30_000
"""A glass that has been in hand for so long is told of."""

Key = tuple[str, object]


class OtherwiseError(Exception):
    """What was supposed is not so: begin anew with this answer."""

    def __init__(self, key: Key, answer: int) -> None:
        super().__init__(f"{key}: {answer}")
        self.key, self.answer = key, answer


@dataclass
class Supposed:
    """Answers by question. A question that nobody answered yet has the answer it is asked with.

    Who cannot begin anew (`foresees` false) supposes nothing: every answer is 0.
    """

    foresees: bool = True
    answers: dict[Key, int] = field(default_factory=dict)

    def ask(self, kind: str, about: object, supposed: int) -> int:
        """The answer to a question."""
        return self.answers.get((kind, about), supposed) if self.foresees else 0

    def otherwise(self, kind: str, about: object, answer: int) -> OtherwiseError:
        """The exception to raise where a question has another answer."""
        return OtherwiseError((kind, about), answer)


def until_it_holds(read: Callable[[Supposed], Told]) -> Told:
    """What `read` tells once nothing that it supposes turns out wrong."""
    supposed = Supposed()
    while True:
        try:
            return read(supposed)
        except OtherwiseError as otherwise:
            if supposed.answers.get(otherwise.key) == otherwise.answer:
                raise AssertionError(f"no way to read it: {otherwise}") from otherwise
            if otherwise.key[0] == "rests":
                # What was answered while a glass was taken to be somewhere else is asked again.
                supposed.answers = {key: answer for key, answer in supposed.answers.items() if key[0] == "rests"}
            supposed.answers[otherwise.key] = otherwise.answer
