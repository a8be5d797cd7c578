"""Bursts and settled changes of one input, on hand-made edges with the default socket times (gap 20, settle 120)."""

from __future__ import annotations

import pytest

from tamsk_pi.witness.settling import settle


@pytest.mark.parametrize(
    ("edges", "changes"),
    [
        pytest.param([(1000, True)], [(1000, False, True)], id="one edge"),
        pytest.param([(1000, True), (1005, False), (1009, True)], [(1000, False, True)], id="bounce"),
        pytest.param([(1000, True), (1060, False)], [], id="pass-over"),
        pytest.param([(1000, True), (1050, False), (1055, True)], [(1000, False, True)], id="glitch shifts nothing"),
        pytest.param([(1000, True), (1050, False), (1100, True)], [(1100, False, True)], id="touched before"),
        pytest.param([(1000, True), (1120, False)], [(1000, False, True), (1120, True, False)], id="just settled"),
        pytest.param([(1000, True), (1119, False)], [], id="just not settled"),
        pytest.param([(1000, True), (1020, False), (1040, True)], [(1040, False, True)], id="a gap apart: no burst"),
        pytest.param([(9000, True)], [], id="unknown at the end"),
    ],
)
def test_settled_changes(edges: list[tuple[int, bool]], changes: list[tuple[int, bool, bool]]) -> None:
    assert settle(edges, False, gap=20, settle_ms=120, end=9_100).changes == changes


def test_forty_one_edges_in_a_second_are_noise_until_a_second_of_quiet() -> None:
    edges = [(1000 + 20 * index, index % 2 == 0) for index in range(41)]
    found = settle(edges, False, gap=20, settle_ms=120, end=9_000)
    assert found.noisy_at_ms == [1800]
    assert found.changes == [(2800, False, True)]


def test_forty_edges_in_a_second_are_not() -> None:
    edges = [(1000 + 20 * index, index % 2 == 0) for index in range(40)]
    assert settle(edges, False, gap=20, settle_ms=120, end=9_000).noisy_at_ms == []
