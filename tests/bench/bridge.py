"""The bridge: latencies in simulated time, throughput, edges without loss, and what the link costs the host.

`python -m tests.bench.bridge --edges 10000000` runs the long form of the search for a lost edge.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import selectors
import statistics
import threading
import time
import tty
from collections.abc import Callable, Iterator, Sequence

from firmware_bridge.build import build_firmware, missing_for_simavr
from firmware_bridge.framing import Decoder, encode
from firmware_bridge.host import Snapshot
from firmware_bridge.inputs import ALL_BUILDS, NAMES, Build, InputName
from firmware_bridge.link import BridgeLink
from firmware_bridge.protocol import SNAPSHOT, Config, Report, Type
from firmware_bridge.simavr.bench import SimavrBench
from tests.firmware_bridge.rig import Rig

BUILD = Build()
BAUDS = (115_200, 1_000_000)
CONTACTS = [name for name in NAMES if name[0] in ("socket", "tilt", "button")]
SWITCHES = CONTACTS[:44]
SAMPLES = 600
HELD_US = 1_100
"""A level held this long is longer than a scan period: it must be told."""
SLACK_US = 100
CHUNK_US = 1_000_000
EDGES = 200_000
IDLE_S = 5.0
ECHOES = 4_000


def run() -> list[tuple[str, str]]:
    """Every figure that can be had here."""
    missing = missing_for_simavr()
    if missing:
        return [("bridge", f"skipped: {missing}")]
    figures: list[tuple[str, str]] = []
    for build in ALL_BUILDS:
        figures.append((f"bridge: firmware {build.name}", build_firmware(build).size_line().split(": ")[1]))
    for baud in BAUDS:
        figures += latencies(baud)
        figures += at_once(baud)
        figures += sustained(baud)
    return [*figures, *no_edge_lost(EDGES), *idle(), *readers()]


def value_of(name: InputName, closed: bool) -> bool | str:
    return ("b" if closed else "a") if name[0] == "tilt" else closed


class Listener:
    """Notes when each edge's report was complete on the wire, and how long the report was."""

    def __init__(self, rig: Rig, baud: int) -> None:
        self._rig = rig
        self._decoder = Decoder()
        self._byte_us = 10e6 / baud
        self._read = 0
        self.edges: list[tuple[int, int, int, float]] = []
        """Number and value of the input, when told, and the report's time on the wire in µs."""
        self._next = 0

    def listen(self) -> None:
        for sent in self._rig.sent[self._read :]:
            for frame in self._decoder.feed(sent.data):
                if frame.type != Type.REPORT:
                    continue
                report = Report.parse(frame.body, BUILD)
                fresh = report.edges[self._next - report.first & 0xFFFF :]
                self._next = self._next + len(fresh) & 0xFFFF
                wire_us = len(encode(frame)) * self._byte_us
                self.edges += [(edge.number, edge.raw, sent.t_us, wire_us) for edge in fresh if edge.number != SNAPSHOT]
        self._read = len(self._rig.sent)


def started(baud: int) -> Rig:
    return Rig(SimavrBench(BUILD, baud), Config(edge_limit=255))


def ms(us: float) -> str:
    return f"{us / 1000:.2f}"


def p50_p99(values: Sequence[float]) -> str:
    cuts = statistics.quantiles(values, n=100)
    return f"p50 {ms(cuts[49])}, p99 {ms(cuts[98])}"


def latencies(baud: int) -> Iterator[tuple[str, str]]:
    """Injection to decoded edge, and lamp command to pin; single ones at random phases of the scan."""
    noise = random.Random(baud)
    with started(baud) as rig:
        rig.start()
        listener = Listener(rig, baud)
        listener.listen()
        listener.edges.clear()
        took, limits = [], []
        for n in range(SAMPLES):
            name = SWITCHES[n % len(SWITCHES)]
            at_us = rig.now_us + 2_000 + noise.randrange(20_000)
            rig.bench.set(name, value_of(name, n // len(SWITCHES) % 2 == 0), at_us)
            rig.run_to(at_us + 12_000)
            listener.listen()
            [(_, _, told_us, wire_us)] = listener.edges
            listener.edges.clear()
            took.append(told_us - at_us)
            limits.append(1_500 + 1.2 * wire_us)
        limit_us = max(limits)
        p99_us = statistics.quantiles(took, n=100)[98]
        verdict = "within" if p99_us <= limit_us else "OVER"
        yield (
            f"bridge: contact to decoded edge, {baud} baud, ms simulated",
            f"{p50_p99(took)} ({verdict} 1.5 + 1.2 x wire = {ms(limit_us)})",
        )
        took.clear()
        for n in range(SAMPLES // 4):
            rig.run(10 + noise.randrange(5000) / 1000)
            before = len(rig.bench.outputs.history)
            at_us = rig.now_us
            rig.host.lamps({"alarm": n % 2 == 0}, frozenset(), frozenset())
            rig.take(rig.host.tick(at_us))
            data = rig.host.data_to_send(at_us)
            rig.bench.write(data)
            rig.run(10)
            [lamp] = rig.bench.outputs.history[before:]
            took.append(lamp.t_us - at_us)
        yield (
            f"bridge: lamp command to pin, {baud} baud, ms simulated",
            f"{p50_p99(took)} (wire {ms(len(data) * 10e6 / baud)})",
        )


def at_once(baud: int) -> Iterator[tuple[str, str]]:
    """44 inputs change between two scans."""
    took = []
    with started(baud) as rig:
        rig.start()
        listener = Listener(rig, baud)
        for n in range(40):
            listener.listen()
            listener.edges.clear()
            at_us = rig.now_us + 3_000 + 137 * n
            for name in SWITCHES:
                rig.bench.set(name, value_of(name, n % 2 == 0), at_us)
            rig.run_to(at_us + 40_000)
            listener.listen()
            assert len(listener.edges) == len(SWITCHES)
            took.append(max(told_us for _, _, told_us, _ in listener.edges) - at_us)
            wire_us = sum({told_us: wire_us for _, _, told_us, wire_us in listener.edges}.values())
    yield (f"bridge: 44 inputs at once, {baud} baud, ms simulated", f"{p50_p99(took)} (wire {ms(wire_us)})")


def sustained(baud: int) -> Iterator[tuple[str, str]]:
    """An edge each ms for ten seconds."""
    with started(baud) as rig:
        rig.start()
        listener = Listener(rig, baud)
        listener.listen()
        listener.edges.clear()
        began_us = rig.now_us + 5_000
        injected: dict[int, list[int]] = {}
        for n in range(10_000):
            name = SWITCHES[n % len(SWITCHES)]
            at_us = began_us + 1_000 * n + 300
            rig.bench.set(name, value_of(name, n // len(SWITCHES) % 2 == 0), at_us)
            injected.setdefault(NAMES.index(name), []).append(at_us)
        rig.run(10_200)
        listener.listen()
        took = []
        for number, _, told_us, _ in listener.edges:
            took.append(told_us - injected[number].pop(0))
        lost = sum(map(len, injected.values()))
        counters = rig.host.counters
        assert counters is not None
    yield (
        f"bridge: 1,000 edges/s for 10 s, {baud} baud, ms simulated",
        f"{p50_p99(took)}, {lost} lost, queue at most {counters.queue_peak}, {counters.late_scans} late scans",
    )


class Bouncer:
    """One contact that changes and bounces, and the check that all it held was told."""

    def __init__(self, name: InputName, noise: random.Random) -> None:
        self.name = name
        self._noise = noise
        self._t_us = 0
        self._level = False
        self._history: list[tuple[int, bool]] = [(0, False)]
        self._told: list[tuple[int, bool]] = [(0, False)]
        self.injected = 0

    def play(self, from_us: int, until_us: int, every_us: int) -> Iterator[tuple[int, bool]]:
        self._t_us = max(self._t_us, from_us)
        while self._t_us < until_us:
            for _ in range(1 + 2 * self._noise.randrange(4)):  # bounces end on the other level
                self._level = not self._level
                self._history.append((self._t_us, self._level))
                self.injected += 1
                yield self._t_us, self._level
                self._t_us += 50 + self._noise.randrange(1_400)
            self._t_us += HELD_US + self._noise.randrange(2 * every_us)

    def hear(self, t_us: int, level: bool) -> None:
        self._told.append((t_us, level))

    def wrong_and_lost(self, until_us: int) -> tuple[int, int]:
        """Edges told at a time when the contact did not have that level; levels held and never told."""
        wrong = lost = 0
        history = [*self._history, (until_us, self._level)]
        at = 0
        for (t_us, level), (next_us, _) in zip(self._told, [*self._told[1:], (until_us, self._level)], strict=True):
            while at + 1 < len(history) - 1 and history[at + 1][0] <= t_us - SLACK_US:
                at += 1
            near = at
            fits = False
            while near < len(history) - 1 and history[near][0] <= t_us + SLACK_US:
                fits = fits or history[near][1] == level
                near += 1
            wrong += not fits
            look = at
            while look < len(history) - 1 and history[look][0] < next_us - SLACK_US:
                (begin_us, held), end_us = history[look], history[look + 1][0]
                begin_us, end_us = max(begin_us, t_us + SLACK_US), min(end_us, next_us - SLACK_US)
                lost += held != level and end_us - begin_us >= HELD_US
                look += 1
        return wrong, lost

    def forget(self) -> None:
        """Keep what the next check needs: the last edge told, and the contact's history around it."""
        t_us = self._told[-1][0]
        keep = max((n for n, (began_us, _) in enumerate(self._history) if began_us <= t_us - SLACK_US), default=0)
        del self._history[:keep]
        del self._told[:-1]


def no_edge_lost(edges: int) -> Iterator[tuple[str, str]]:
    """Contacts that bounce, all at once, at 1,000,000 baud; every level held for a scan must be told, and no other."""
    noise = random.Random(99)
    began_s = time.perf_counter()
    with started(1_000_000) as rig:
        rig.start()
        bouncers = {name: Bouncer(name, random.Random(f"bounce/{name}")) for name in SWITCHES}
        wrong = lost = injected = told = 0
        every_us = 40_000
        now_us = rig.now_us + 10_000
        while injected < edges:
            until_us = now_us + CHUNK_US
            changes = [
                (t_us, bouncer.name, level)
                for bouncer in bouncers.values()
                for t_us, level in bouncer.play(now_us, until_us, every_us)
            ]
            noise.shuffle(changes)
            for t_us, name, level in changes:
                rig.bench.set(name, value_of(name, level), t_us)
            rig.run_to(until_us + 100_000, step_us=10_000)
            for change in rig.changes:
                bouncers[change.name].hear(change.t_us, change.value in (True, "b"))
            told += len(rig.changes)
            rig.changes.clear()
            rig.events.clear()
            rig.sent.clear()
            for bouncer in bouncers.values():
                w, m = bouncer.wrong_and_lost(until_us + 50_000)
                wrong, lost = wrong + w, lost + m
                bouncer.forget()
            injected = sum(bouncer.injected for bouncer in bouncers.values())
            now_us = until_us + 100_000
        counters = rig.host.counters
        assert counters is not None
        simulated_s = rig.now_us / 1e6
        assert rig.host.statistics.mismatches == 0
    yield (
        f"bridge: {injected:,} contact changes with bounce",
        f"{told:,} edges told, {wrong} wrong, {lost} lost, {counters.overflows} overflows, {counters.limited} limited, "
        f"{simulated_s:.0f} s simulated in {time.perf_counter() - began_s:.0f} s",
    )


def idle() -> Iterator[tuple[str, str]]:
    """The host's CPU while nothing happens on a live board."""
    ready = threading.Event()

    def take(event: object) -> None:
        if isinstance(event, Snapshot):
            ready.set()

    with SimavrBench(BUILD, speed=1.0) as bench:
        link = BridgeLink(take, port=str(bench.port))
        link.start()
        if not ready.wait(20):
            link.close()
            yield ("bridge: host CPU at idle", "the board did not answer")
            return
        time.sleep(1)
        before_s = time.process_time()
        time.sleep(IDLE_S)
        used = (time.process_time() - before_s) / IDLE_S
        link.close()
    yield ("bridge: host CPU at idle, of one core", f"{100 * used:.2f} %")


def readers() -> Iterator[tuple[str, str]]:
    """The two ways to read the port: a thread that waits in `select`, and asyncio's `add_reader`."""
    for name, reader in (("thread and selector", _thread_reader), ("asyncio add_reader", _asyncio_reader)):
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(slave, False)
        took: list[float] = []
        before_s = time.process_time()
        reader(master, slave, took)
        cpu_us = (time.process_time() - before_s) / ECHOES * 1e6
        os.close(master)
        os.close(slave)
        yield (f"bridge: 15 bytes through a pty, {name}", f"p50 {statistics.median(took):.0f} us, CPU {cpu_us:.0f} us")


def _feed(master: int, got: threading.Event, sent_s: list[float]) -> None:
    for _ in range(ECHOES):
        got.clear()
        sent_s[0] = time.perf_counter()
        os.write(master, b"\x01" * 15)
        got.wait(5)


def _thread_reader(master: int, slave: int, took_us: list[float]) -> None:
    got, sent_s, ending = threading.Event(), [0.0], threading.Event()

    def read() -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(slave, selectors.EVENT_READ)
            while not ending.is_set():
                if selector.select(0.2) and os.read(slave, 4096):
                    took_us.append((time.perf_counter() - sent_s[0]) * 1e6)
                    got.set()

    _beside(read, lambda: _feed(master, got, sent_s), ending.set)


def _asyncio_reader(master: int, slave: int, took_us: list[float]) -> None:
    got, sent_s, ending = threading.Event(), [0.0], threading.Event()

    async def serve() -> None:
        def ready() -> None:
            if os.read(slave, 4096):
                took_us.append((time.perf_counter() - sent_s[0]) * 1e6)
                got.set()

        loop = asyncio.get_running_loop()
        loop.add_reader(slave, ready)
        while not ending.is_set():
            await asyncio.sleep(0.2)
        loop.remove_reader(slave)

    _beside(lambda: asyncio.run(serve()), lambda: _feed(master, got, sent_s), ending.set)


def _beside(read: Callable[[], None], feed: Callable[[], None], end: Callable[[], None]) -> None:
    thread = threading.Thread(target=read)
    thread.start()
    time.sleep(0.1)
    feed()
    end()
    thread.join()


def main() -> None:
    """Print the figures, or those of a long search for a lost edge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, help="only look for lost edges, among this many contact changes")
    wanted = parser.parse_args().edges
    for figure, value in no_edge_lost(wanted) if wanted else run():
        print(f"{figure:<64} {value}", flush=True)


if __name__ == "__main__":
    main()
