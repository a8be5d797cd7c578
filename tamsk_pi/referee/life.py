"""The referee's life as a state machine: setting up, to move, carrying, mending, paused, closing, tie-break, over.

The machine (from `transitions`) is the one place that says which phase may follow which. It is fired once per event
that changes the phase and never from inside a callback, so that nothing can be lost half way; what was refused is
told by an exception of our own, with both phases named.
"""

from __future__ import annotations

import logging
from typing import Final, cast

from transitions import Machine

from tamsk_pi.referee.snapshot import Phase

PHASES: Final[tuple[Phase, ...]] = (
    "setting_up",
    "to_move",
    "carrying",
    "mending",
    "paused",
    "closing",
    "tie_break",
    "over",
)

_PLAYING: Final = ["to_move", "carrying", "mending"]
_RUNNING: Final = [*_PLAYING, "closing", "tie_break"]

TRIGGERS: Final[dict[Phase, tuple[str, list[str]]]] = {
    "setting_up": ("set_up_again", ["over", "paused"]),
    "to_move": ("wait_for_move", ["setting_up", "carrying", "mending", "paused", "over"]),
    "carrying": ("lift", ["to_move", "mending", "paused", "over"]),
    "mending": ("ask_to_mend", ["to_move", "carrying", "closing", "tie_break", "paused", "over"]),
    "paused": ("pause", ["setting_up", *_RUNNING]),
    "closing": ("close", [*_PLAYING, "paused", "over"]),
    "tie_break": ("watch_glasses", ["closing", *_PLAYING, "paused", "over"]),
    "over": ("end", ["setting_up", "paused", *_RUNNING]),
}
"""Phase to the trigger that leads to it and the phases it may come from. `over` is left only by an annulment."""


class RefusedError(RuntimeError):
    """A phase that may not follow the present one: a fault in the program, never in what players do."""


class Life:
    """Holds the phase."""

    def __init__(self) -> None:
        logging.getLogger("transitions").setLevel(logging.WARNING)
        self.phase: Phase = "setting_up"
        self.machine: Final = Machine(
            model=None,
            states=list(PHASES),
            initial="setting_up",
            auto_transitions=False,
            send_event=False,
            transitions=[
                {"trigger": trigger, "source": sources, "dest": phase} for phase, (trigger, sources) in TRIGGERS.items()
            ],
        )
        self._model: Final = _Model()
        self.machine.add_model(self._model)

    def go_to(self, phase: Phase) -> None:
        """Enter `phase`; nothing happens where it is the present one."""
        if phase == self.phase:
            return
        trigger, sources = TRIGGERS[phase]
        if self.phase not in sources:
            raise RefusedError(f"the referee cannot go from {self.phase!r} to {phase!r}")
        self.machine.events[trigger].trigger(self._model)
        self.phase = cast(Phase, self._model.state)


class _Model:
    """What `transitions` decorates with its state and triggers; kept apart so that no name of ours can clash."""

    state: str


def diagram() -> str:
    """The machine as a Mermaid state diagram, drawn from the machine itself."""
    machine = Life().machine
    lines = ["stateDiagram-v2", f"    [*] --> {machine.initial}"]
    for event in machine.events.values():
        for source, transitions in event.transitions.items():
            lines += [f"    {source} --> {t.dest}: {event.name}" for t in transitions]
    return "\n".join(lines) + "\n"
