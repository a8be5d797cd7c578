"""An nRF24L01+ as its bus shows it: registers, a queue of three payloads, and the call when one comes."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

WRITE, READ_PAYLOAD, FLUSH_RX, NOP = 0x20, 0x61, 0xE2, 0xFF
CONFIG, STATUS, RX_ADDR_P0 = 0x00, 0x07, 0x0A
RX_DR = 0x40
LISTENING = 0x0F


@attrs.define
class Chip:
    """`present` False: nothing is wired there, and ones come back."""

    present: bool = True
    registers: dict[int, tuple[int, ...]] = attrs.Factory(dict)
    waiting: list[tuple[int, bytes]] = attrs.Factory(list)
    calls_us: list[int] = attrs.Factory(list)
    refused: int = 0
    closed: bool = False

    def transfer(self, data: Sequence[int]) -> Sequence[int]:
        if not self.present:
            return [0xFF] * len(data)
        command, *rest = data
        pipe = self.waiting[0][0] if self.waiting else 7
        status = self.registers.get(STATUS, (0,))[0] & 0x70 | pipe << 1
        came = [0] * len(rest)
        if command == READ_PAYLOAD and self.waiting:
            came = list(self.waiting.pop(0)[1])[: len(rest)]
        elif command == FLUSH_RX:
            self.waiting.clear()
        elif command & 0xE0 == WRITE:
            self._write(command & 0x1F, rest)
        elif command < WRITE:
            came = list(self.registers.get(command, (0,)))[: len(rest)]
        return [status, *came]

    def _write(self, register: int, values: Sequence[int]) -> None:
        if register == STATUS:
            before = self.registers.get(STATUS, (0,))[0]
            self.registers[STATUS] = (before & ~(values[0] & 0x70),)
        else:
            self.registers[register] = tuple(values)

    def hear(self, pipe: int, data: bytes, at_us: int) -> None:
        """A packet comes in by a pipe, if it listens."""
        if self.registers.get(CONFIG) != (LISTENING,):
            return
        if len(self.waiting) == 3:
            self.refused += 1
            return
        self.waiting.append((pipe, data))
        if not self.registers.get(STATUS, (0,))[0] & RX_DR:
            self.calls_us.append(at_us)
        self.registers[STATUS] = (self.registers.get(STATUS, (0,))[0] | RX_DR,)

    def lose_supply(self) -> None:
        """Its supply dips: everything is forgotten."""
        self.registers.clear()
        self.waiting.clear()

    def wait(self, longest_s: float) -> int | None:
        """The IRQ line: when the radio last called."""
        if not self.calls_us:
            return None
        called_us = self.calls_us[-1]
        self.calls_us.clear()
        return called_us

    def close(self) -> None:
        self.closed = True
