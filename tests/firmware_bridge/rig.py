"""A bench and a host in one virtual time, with a serial line between them that can be told to misbehave."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self

from firmware_bridge.bench import Sent
from firmware_bridge.build import missing_for_simavr
from firmware_bridge.events import Change, Edges, Event, InputLimited, Snapshot
from firmware_bridge.host import BridgeHost, Stage
from firmware_bridge.inputs import Build, InputName, Value
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.protocol import Config
from firmware_bridge.simavr.bench import SimavrBench
from tests.tiers import lacking

Spoil = Callable[[bytes], Iterable[bytes]]
"""What becomes of a portion of bytes on its way."""

Bench = ModelBench | SimavrBench
BENCHES: dict[str, type[ModelBench] | type[SimavrBench]] = {"model": ModelBench, "simavr": SimavrBench}

STEP_US = 2000


def make_bench(kind: str, build: Build, **options: Any) -> Bench:
    """A bench by its name; the test ends here where simavr is wanted and cannot be had."""
    if kind == "simavr":
        missing = missing_for_simavr()
        if missing:
            lacking(missing)
    return BENCHES[kind](build, **options)


def as_is(data: bytes) -> Iterable[bytes]:
    """A line without faults."""
    return (data,)


class Rig:
    """The host and a stepped bench. `events` keeps all that the host told, `values` the state by its edges."""

    def __init__(
        self, bench: Bench, config: Config | None = None, to_host: Spoil = as_is, to_board: Spoil = as_is
    ) -> None:
        self.bench = bench
        self.config = config or Config()
        self.host = BridgeHost(self.config, lambda: 0x12345678, session=6)
        self.to_host, self.to_board = to_host, to_board
        self.now_us = 0
        self.events: list[Event] = []
        self.changes: list[Change] = []
        self.values: dict[InputName, Value] = {}
        self.sent: list[Sent] = []

    def __enter__(self) -> Self:
        self.bench.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bench.__exit__(kind, error, trace)

    def take(self, events: Iterable[Event]) -> None:
        for event in events:
            self.events.append(event)
            if isinstance(event, Snapshot):
                self.values = dict(event.values)
            if isinstance(event, Edges):
                self.changes += event.changes
                self.values.update((change.name, change.value) for change in event.changes)

    def run_to(self, t_us: int, step_us: int = STEP_US) -> None:
        while self.now_us < t_us:
            deadline_us = self.host.next_deadline_us()
            self.now_us = min(t_us, max(self.now_us + 100, min(self.now_us + step_us, deadline_us)))
            for sent in self.bench.run_to(self.now_us):
                self.sent.append(sent)
                for data in self.to_host(sent.data):
                    self.take(self.host.receive(data, min(sent.t_us, self.now_us)))
            self.take(self.host.tick(self.now_us))
            for data in self.to_board(self.host.data_to_send(self.now_us)):
                self.bench.write(data)

    def run(self, ms: float, step_us: int = STEP_US) -> None:
        self.run_to(self.now_us + round(ms * 1000), step_us)

    def start(self, within_ms: int = 3000) -> None:
        """Until the board's snapshot has come."""
        end_us = self.now_us + within_ms * 1000
        while self.host.stage is not Stage.RUNNING:
            assert self.now_us < end_us, f"not running after {within_ms} ms but {self.host.stage}"
            self.run(5)

    def of(self, kind: type[Event]) -> list[Any]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def limits(self) -> list[bool]:
        return [event.limited for event in self.of(InputLimited)]
