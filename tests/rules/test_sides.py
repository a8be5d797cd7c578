"""Sides by name: what is none is refused, and never taken for one of them."""

from __future__ import annotations

import pytest

from tamsk_pi.rules.board import PLAYERS, player_named


def test_a_side_is_found_by_its_name() -> None:
    assert [player_named(player) for player in PLAYERS] == list(PLAYERS)


@pytest.mark.parametrize("name", ["blue", "", "Red", None, 1])
def test_what_is_no_side_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match="is no side"):
        player_named(name)
