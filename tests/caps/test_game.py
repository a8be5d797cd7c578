"""Whole games whose tilts go by radio, with two of five transmissions lost: the rulings of the wired board, to the
letter.

Two ways: the bridge hears the caps; and a matrix board's Pi hears them, by the packets that came through the same air.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_bridge.caps import CapsDecoder, News
from firmware_bridge.inputs import TRAVELLING, Build
from firmware_bridge.simavr.air import Air
from firmware_bridge.simavr.bench import SimavrBench
from tamsk_pi.devices.caps import Merge
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.trace import End, Record, TraceReader
from tests.caps.world import SETTLE_IN_US, STEP_US, World
from tests.firmware_bridge.test_game import assert_same, rulings

pytestmark = [pytest.mark.firmware, pytest.mark.timeout(3_600)]

CASES = Path(__file__).resolve().parents[1] / "cases"
GAME = "game-level3-rulebook-4"
LOSS = 0.4
AFTER_US = 2_000_000


def read(name: str) -> tuple[TraceReader, list[Record]]:
    with (CASES / f"{name}.trace.jsonl").open("rb") as stream:
        reader = TraceReader(stream)
        return reader, list(reader)


class Play:
    """A trace played on a bridge with caps: what its host was told, and what the caps' radio heard."""

    def __init__(self, name: str, loss: float) -> None:
        self.reader, self.records = read(name)
        self.edges = [record for record in self.records if isinstance(record, Edge)]
        air = Air(loss=loss, echo=0.1, seed=11)
        with World(air) as world:
            world.board.__exit__(None, None, None)
            world.board = world.bench = SimavrBench(Build("reed", "stack", "caps"), air=air)
            world.board.__enter__()
            for socket in self.reader.settings.occupied:
                world.board.set(("socket", socket), True)
            for glass in (*GLASSES, TIMER):
                world.board.set(("tilt", glass), self.reader.settings.up.get(glass, "a"))
            world.start()
            world.run_to(world.now_us + SETTLE_IN_US, STEP_US)
            world.changes.clear()
            self.origin_us = world.now_us + 1_000_000
            self.first_packet = len(world.board.packets)
            for edge in self.edges:
                world.board.set((edge.kind, edge.name), edge.value, self.origin_us + edge.t_ms * 1000)
            self.end_us = self.origin_us + self.records[-1].t_ms * 1000 + AFTER_US
            world.run_to(self.end_us, STEP_US)
            self.changes = list(world.changes)
            self.packets = list(world.board.packets)
            self.aired, _ = world.board.aired()

    def game_ms(self, t_us: int) -> int:
        return (t_us - self.origin_us) // 1000

    def by_bridge(self) -> list[Edge]:
        """What the bridge's host told, in the order of time, as the merge puts it."""
        merge = Merge()
        for change in self.changes:
            merge.push(Edge(self.game_ms(change.t_us), change.name[0], change.name[1], change.value))  # type: ignore[arg-type]
        return merge.pop(self.game_ms(self.end_us) + 1_000)

    def by_pi(self) -> tuple[list[Edge], Merge]:
        """What a matrix board tells whose Pi heard the same packets: sockets as they closed, tilts as they came."""
        decoder, merge = CapsDecoder(), Merge()
        wired = [e for e in self.edges if not (e.kind == "tilt" and e.name in TRAVELLING)]
        coming: list[tuple[int, Edge]] = [(edge.t_ms, edge) for edge in wired]
        for n, packet in enumerate(self.packets):
            for told in decoder.packet(packet.pipe, packet.data, packet.t_us):
                if told.news is News.EDGE and told.value in (1, 2) and n >= self.first_packet:
                    t_ms = self.game_ms(told.t_us)
                    edge = Edge(t_ms, "tilt", TRAVELLING[packet.pipe], "ab"[told.value - 1])
                    coming.append((self.game_ms(packet.t_us), edge))
        out: list[Edge] = []
        for came_ms, edge in sorted(coming, key=lambda one: one[0]):
            out += merge.pop(came_ms)
            merge.push(edge)
        return out + merge.pop(self.game_ms(self.end_us) + 1_000), merge

    def told(self, edges: Sequence[Edge]) -> list[Ruling]:
        end = End(self.records[-1].t_ms)
        return rulings(self.reader, [*(edge for edge in edges if 0 <= edge.t_ms <= end.t_ms), end])

    def wired(self) -> list[Ruling]:
        return rulings(self.reader, self.records)


@pytest.fixture(scope="module")
def game() -> Play:
    return Play(GAME, LOSS)


def test_the_air_was_as_bad_as_that(game: Play) -> None:
    assert game.reader.settings.level == 3
    assert game.reader.settings.sockets == "reed"
    assert game.aired.lost > 0.3 * (game.aired.sent + game.aired.answers)


def test_the_bridge_with_caps_rules_as_the_wired_board(game: Play) -> None:
    told = game.told(game.by_bridge())
    assert any(ruling.kind == "game_over" for ruling in told)
    assert_same(game.wired(), told)


def test_the_reed_matrix_with_caps_rules_as_the_wired_board(game: Play) -> None:
    edges, merge = game.by_pi()
    assert merge.late == {}
    told = game.told(edges)
    assert any(ruling.kind == "game_over" for ruling in told)
    assert_same(game.wired(), told)
