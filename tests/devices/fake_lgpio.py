"""The part of lgpio that groups of lines use, with the kernel's manners: what is claimed cannot be claimed again."""

from __future__ import annotations

from collections.abc import Sequence


class LgpioError(Exception):
    """As lgpio.error."""


class FakeLgpio:
    """One chip. `closed` holds (row line, column line) of the closed contacts."""

    SET_PULL_UP = 32

    def __init__(self, claimed: Sequence[int]) -> None:
        self.groups: dict[int, list[int]] = {line: [line] for line in claimed}
        self.levels: dict[int, int] = {}
        self.pulled_up: set[int] = set()
        self.closed: set[tuple[int, int]] = set()
        self.calls = 0

    def _members(self, leader: int) -> list[int]:
        if leader not in self.groups:
            raise LgpioError("'GPIO not allocated'")
        return self.groups[leader]

    def gpio_free(self, handle: int, line: int) -> int:
        assert self._members(line) == [line]
        del self.groups[line]
        return 0

    def _claim(self, lines: list[int]) -> None:
        held = {line for group in self.groups.values() for line in group}
        if held & set(lines):
            raise LgpioError("'GPIO busy'")
        self.groups[lines[0]] = list(lines)

    def group_claim_input(self, handle: int, lines: list[int], flags: int) -> int:
        self._claim(lines)
        if flags & self.SET_PULL_UP:
            self.pulled_up |= set(lines)
        return 0

    def group_claim_output(self, handle: int, lines: list[int], levels: list[int]) -> int:
        self._claim(lines)
        self.levels |= dict(zip(lines, levels, strict=True))
        return 0

    def group_read(self, handle: int, leader: int) -> list[int]:
        self.calls += 1
        lines = self._members(leader)
        assert set(lines) <= self.pulled_up
        low = {column for row, column in self.closed if self.levels[row] == 0}
        return [len(lines), sum((line not in low) << bit for bit, line in enumerate(lines))]

    def group_write(self, handle: int, leader: int, levels: int, mask: int) -> int:
        self.calls += 1
        for bit, line in enumerate(self._members(leader)):
            if mask >> bit & 1:
                self.levels[line] = levels >> bit & 1
        return 0

    def group_free(self, handle: int, leader: int) -> int:
        self._members(leader)
        del self.groups[leader]
        return 0
