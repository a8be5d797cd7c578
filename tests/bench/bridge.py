"""The bridge: latencies in simulated time, throughput, edges without loss, and what the link costs the host.

`python -m tests.bench.bridge --edges 10000000 [--bench model]` runs the long form of the search for a lost edge.
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
from firmware_bridge.events import Snapshot
from firmware_bridge.inputs import ALL_BUILDS, NAMES
from firmware_bridge.link import BridgeLink
from firmware_bridge.simavr.bench import SimavrBench
from tests.firmware_bridge.bounce import search_lost_edges
from tests.firmware_bridge.latency import (
    BAUDS,
    BUILD,
    SWITCHES,
    Listener,
    Took,
    all_at_once,
    limit_us,
    percentile,
    single_edges,
    started,
    value_of,
)
from tests.firmware_bridge.rig import BENCHES

SINGLE = 3_000
"""Enough for the heartbeat, which one edge in three hundred meets, to be met ten times."""
BURSTS = 200
LAMPS = 150
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
        figures += sustained(baud)
    for kind in BENCHES:
        figures += no_edge_lost(kind, EDGES)
    return [*figures, *idle(), *readers()]


def ms(us: float) -> str:
    return f"{us / 1000:.2f}"


def percentiles(values: Sequence[float]) -> str:
    return f"p50 {ms(percentile(values, 50))}, p99 {ms(percentile(values, 99))}, max {ms(max(values))}"


def told(took: Sequence[Took], samples: str) -> str:
    """Percentiles of a kind of sample, against the aim."""
    limit = limit_us(max(one.wire_us for one in took))
    verdict = "within" if percentile([one.us for one in took], 99) <= limit else "OVER"
    return f"{percentiles([one.us for one in took])} ({verdict} 1.5 + 1.2 x wire = {ms(limit)}; {len(took)} {samples})"


def latencies(baud: int) -> Iterator[tuple[str, str]]:
    """Injection to decoded edge, single and 44 at once, and lamp command to pin."""
    with started(SimavrBench(BUILD, baud)) as rig:
        rig.start()
        took = list(single_edges(rig, baud, SINGLE))
    yield (f"bridge: contact to decoded edge, {baud} baud, ms simulated", told(took, "edges"))
    with started(SimavrBench(BUILD, baud)) as rig:
        rig.start()
        took = list(all_at_once(rig, baud, BURSTS))
    yield (f"bridge: 44 inputs at once, {baud} baud, ms simulated", told(took, "times"))
    yield from lamp_latency(baud)


def lamp_latency(baud: int) -> Iterator[tuple[str, str]]:
    """From a command's first byte to the lamp's pin, at random moments."""
    noise = random.Random(baud)
    took: list[float] = []
    with started(SimavrBench(BUILD, baud)) as rig:
        rig.start()
        for n in range(LAMPS):
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
    wire = ms(len(data) * 10e6 / baud)
    yield (f"bridge: lamp command to pin, {baud} baud, ms simulated", f"{percentiles(took)} (wire {wire})")


def sustained(baud: int) -> Iterator[tuple[str, str]]:
    """An edge each ms for ten seconds."""
    with started(SimavrBench(BUILD, baud)) as rig:
        rig.start()
        listener = Listener(rig, baud)
        listener.listen()
        began_us = rig.now_us + 5_000
        injected: dict[int, list[int]] = {}
        for n in range(10_000):
            name = SWITCHES[n % len(SWITCHES)]
            at_us = began_us + 1_000 * n + 300
            rig.bench.set(name, value_of(name, n // len(SWITCHES) % 2 == 0), at_us)
            injected.setdefault(NAMES.index(name), []).append(at_us)
        rig.run(10_200)
        took = [edge.t_us - injected[edge.number].pop(0) for edge in listener.listen()]
        lost = sum(map(len, injected.values()))
        counters = rig.host.counters
        assert counters is not None
    yield (
        f"bridge: 1,000 edges/s for 10 s, {baud} baud, ms simulated",
        f"{percentiles(took)}, {lost} lost, queue at most {counters.queue_peak}, {counters.late_scans} late scans",
    )


def no_edge_lost(kind: str, edges: int) -> Iterator[tuple[str, str]]:
    """Every level held for a scan must be told, and no other, by the firmware (`simavr`) or by its model (`model`)."""
    began_s = time.perf_counter()
    found = search_lost_edges(BENCHES[kind](BUILD, baud=1_000_000), edges)
    yield (
        f"bridge: {found.injected:,} contact changes with bounce, {kind}",
        f"{found.told:,} edges told, {found.wrong} wrong, {found.lost} lost, {found.overflows} overflows, "
        f"{found.limited} limited, {found.simulated_s:.0f} s simulated in {time.perf_counter() - began_s:.0f} s",
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
    parser.add_argument("--bench", choices=list(BENCHES), default="simavr", help="where: the firmware, or its model")
    wanted = parser.parse_args()
    for figure, value in no_edge_lost(wanted.bench, wanted.edges) if wanted.edges else run():
        print(f"{figure:<64} {value}", flush=True)


if __name__ == "__main__":
    main()
