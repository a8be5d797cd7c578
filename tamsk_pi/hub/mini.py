"""A board as the hub's pages draw it: plain JSON, small enough for hundreds at once."""

from __future__ import annotations

from typing import Any, Final

from tamsk_pi.devices.base import LampFrame
from tamsk_pi.hub.boards import BoardPicture
from tamsk_pi.web.source import GamePicture
from tamsk_pi.web.state import sections_of

DRAWN: Final = ("phase", "level", "to_move", "last_move", "winner", "result", "names", "rings", "holders", "violations")
"""What is drawn of what a page of one board gets."""
_OF_A_GLASS: Final = ("socket", "in_hand", "stops_at_ms", "full_ms", "out")


def game_picture(picture: BoardPicture, number: int = 1) -> GamePicture:
    """What a page of this one board shows. The board must have a game."""
    snapshot, settings = picture.snapshot, picture.settings
    if snapshot is None or settings is None:
        raise ValueError("no game")
    panel = {
        "turn_red": snapshot.to_move == "red",
        "turn_black": snapshot.to_move == "black",
        "alarm": bool(snapshot.violations) or snapshot.phase == "paused",
        "ready": picture.heard and snapshot.phase not in ("paused", "setting_up"),
    }
    problem = picture.problem if picture.heard or picture.over else "the board is not heard"
    return GamePicture(
        game=number,
        snapshot=snapshot,
        rulings=picture.rulings,
        lamps=LampFrame(panel),
        ring_mode=settings.rings,
        problem=problem,
    )


def state_of(picture: BoardPicture) -> dict[str, Any]:
    """The position alone; the board must have a game."""
    sections = sections_of(game_picture(picture), helps=False)
    state = {name: sections[name] for name in DRAWN}
    state["glasses"] = {name: {key: glass[key] for key in _OF_A_GLASS} for name, glass in sections["glasses"].items()}
    return state


def mini_of(picture: BoardPicture, mono_ms: int) -> dict[str, Any]:
    """Everything of one board for the arbiter's page."""
    told: dict[str, Any] = {
        "board": picture.place.board,
        "heard": picture.heard,
        "need": picture.need(),
        "game": picture.game_id,
        "alarms": [{key: alarm[key] for key in ("id", "kind", "detail")} for alarm in picture.alarms],
    }
    if picture.snapshot is None:
        return told
    now_ms = picture.now_ms(mono_ms)
    runs = picture.heard and not picture.over and picture.snapshot.phase not in ("setting_up", "paused")
    return {**told, "now_ms": now_ms, "runs": runs, **state_of(picture)}
