"""Games that play themselves leave a trace that replays to the same rulings."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

from tamsk_pi.app.auto import AutoGame, play
from tamsk_pi.commands.replay import rulings_of
from tamsk_pi.commands.virtual_board import rig_maker
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.trace import TraceReader
from tests.runner.board import Paper


@pytest.mark.parametrize(("level", "rings"), [(1, "holder"), (2, "stack"), (3, "buttons")])
def test_the_trace_of_a_game_replays_to_the_same_rulings(level: int, rings: str) -> None:
    """`simulate --auto` leaves traces that replay to the same rulings."""
    paper, told = Paper(), list[Ruling]()

    def tell(rulings: Sequence[Ruling]) -> None:
        told.extend(rulings)

    game = AutoGame(Settings(level=level, rings=rings), seed=7, clumsy=0.2)  # type: ignore[arg-type]
    rulings = play(game, rig_maker("matrix", diodes=True, say=pytest.fail), lambda settings: paper, tell=tell)
    assert rulings == told
    assert any(ruling.kind == "game_over" for ruling in rulings)
    assert list(rulings_of(TraceReader(io.BytesIO(paper.text.encode())))) == rulings
