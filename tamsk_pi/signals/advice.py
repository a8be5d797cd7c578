"""What the opponent wants its hands to do next, as lamps and words: on a real board a person is its hands.

The referee knows nothing of it, and what it says counts for nothing: whatever is done is judged as ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import attrs

from tamsk_pi.rules.board import Player
from tamsk_pi.signals.frames import LampFrame
from tamsk_pi.signals.language import N_
from tamsk_pi.signals.words import Words

Stage = Literal[
    "",
    "thinking",
    "lift",
    "place",
    "turn_and_place",
    "ring",
    "claim",
    "penalty",
    "timer",
    "astray",
    "hint_thinking",
    "hint_glass",
    "hint_move",
    "hint_none",
]

TURN_SIGN_MS: Final = 250
"""The socket to go to blinks at this rhythm while the glass is still to be turned over."""

_WORDS: Final[Mapping[str, str]] = {
    "thinking": N_("The opponent is thinking."),
    "lift": N_("For the opponent: lift {glass} from {home}."),
    "place": N_("For the opponent: place {glass} on {socket}."),
    "turn_and_place": N_("For the opponent: turn {glass} over and place it on {socket}."),
    "ring": N_("For the opponent: drop its ring on {socket}."),
    "claim": N_("For the opponent: drop one of its rings on {socket}, where yours was left away."),
    "penalty": N_("For the opponent: drop its penalty ring on {socket}."),
    "timer": N_("For the opponent: turn the 15-second timer over."),
    "hint_thinking": N_("The coach is thinking."),
    "hint_glass": N_("Hint: move {glass} on {home}. Ask again for where to."),
    "hint_move": N_("Hint: {glass} from {home} to {socket}."),
    "hint_none": N_("Hint: there is nothing to decide now."),
    "astray": N_("That is not the opponent's move: it wanted {home} to {socket}. Left there, it counts."),
}
_GONE: Final = N_("The opponent's engine stopped and is started again ({problem}).")


@attrs.frozen
class Advice:
    """What the opponent wants now."""

    side: Player
    strength: int
    stage: Stage = ""
    """Empty: nothing now."""
    glass: str | None = None
    home: str | None = None
    """Where the glass stands; None for one that is still to be placed."""
    socket: str | None = None
    """Where the glass or the ring is to go."""
    problem: str | None = None
    """Why its engine had to be started again, in one line."""


def advice_lines(advice: Advice, words: Words) -> tuple[str, ...]:
    """What is to be done for the opponent, and what became of its engine."""
    lines = []
    if advice.problem is not None:
        lines.append(words.fill(_GONE, {"problem": advice.problem}))
    if advice.stage:
        blanks = {
            "glass": words.namer.glass(advice.glass) if advice.glass else "",
            "home": advice.home or "",
            "socket": advice.socket or "",
        }
        lines.append(words.fill(_WORDS[advice.stage], blanks))
    return tuple(lines)


def lit_up(frame: LampFrame, advice: Advice, now_ms: int) -> LampFrame:
    """The frame with the opponent's wish: one green lamp; where it was not followed, both its sockets red.

    Alarms stay as they are. The socket for a glass that is to be turned over blinks.
    """
    match advice.stage:
        case "lift":
            wanted = {advice.home} if advice.home else {advice.socket}
        case "place" | "ring" | "claim" | "penalty":
            wanted = {advice.socket}
        case "turn_and_place":
            wanted = {advice.socket} if now_ms // TURN_SIGN_MS % 2 == 0 else set()
        case "astray":
            red = {socket for socket in (advice.home, advice.socket) if socket}
            return attrs.evolve(frame, red_sockets=frame.red_sockets | red)
        case _:
            return frame
    green = frozenset(socket for socket in wanted if socket is not None and socket not in frame.red_sockets)
    return attrs.evolve(frame, green_sockets=green)
