"""The present state of a game in short texts: what to do now, most urgent first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import RightView, SetupProblem, Snapshot, ViolationView
from tamsk_pi.signals.language import N_
from tamsk_pi.signals.names import first_upper
from tamsk_pi.signals.standing import ASKED, running_out, timer_side_is_open
from tamsk_pi.signals.words import Words

SETUP: Final[Mapping[str, str]] = {
    "put_glass": N_("Put a glass on {socket}."),
    "take_glass": N_("Take the glass off {socket}."),
    "take_rings": N_("Take the rings off {socket}."),
    "put_rings": N_("Put the rings back on {socket}."),
}
_WAITS: Final[Mapping[str, str]] = {
    "resume": N_(
        "A game was cut off. The arbiter lets it go on by a short press of the button, or sets it aside by a long one."
    ),
    "accept": N_(
        "The board differs from the game. Put it right, or the arbiter takes it as it is "
        "by a short press of the button."
    ),
}
SUSPECTS: Final[Mapping[str, str]] = {
    "beyond": N_("{Sensor} says that a glass stands there, but there are no more glasses than six for the sockets."),
    "ghost": N_(
        "{Sensor} may say that a glass stands there only because three others that lie square to it do. "
        "If none stands there, a diode is missing or broken."
    ),
    "ring_beyond": N_("{Sensor} tells more rings than there can be."),
    "button_down": N_("{Sensor} is held down, or stuck."),
    "restless_tilt": N_("{Sensor} changes though nothing is touched."),
    "flickers": N_("{Sensor} flickers though nothing is touched: it may be weak or loose."),
}
"""What the self-check before play says of a sensor."""
NOT_WATCHING: Final = N_("Not ready: {problem}.")
"""The box says why its `ready` lamp is out though the game goes on."""
_TIMER_SIDE: Final = N_("{black} chooses on which side of the board the timer stands.")
_PHASES: Final[Mapping[str, str]] = {
    "setting_up": N_("Set up the board."),
    "to_move": N_("{player} to move."),
    "carrying": N_("{player} holds a glass."),
    "mending": N_("To be put right:"),
    "paused": N_("Paused: nothing is judged."),
    "closing": N_("Nobody can move any more. Rings that are due may still be dropped."),
    "tie_break": N_("Tie-break: watch the last glasses and take each one off as it stops."),
    "over": N_("The game is over."),
}
_RIGHTS: Final[Mapping[str, str]] = {
    "move": N_("{player} may drop a ring on {socket}."),
    "claim": N_("{player} may drop a ring on {socket}, where the other side forgot to."),
    "penalty": N_("{player} may drop a penalty ring on any socket that is not full."),
}
_IN_HAND: Final = N_("{Glass} is in hand: put it back on {home} as it stood there.")
_IN_HAND_OFF_BOARD: Final = N_("{Glass} is in hand: leave it off the board.")
_LAMP: Final = N_("The penalty lamp is at {socket}.")
_TIMER: Final = N_("The timer runs against {player}.")
_OWED: Final = N_("{player} is owed a penalty ring after the next move.")
_SKIP: Final = N_("The next turn of {player} is skipped.")
_UNTRUSTED: Final = N_("Not trusted now: {sensors}.")


def status(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """What players want to know now, each in a line of its own; the first says whose turn it is.

    What changes from second to second is told by `countdown`.
    """
    return tuple(_status(snapshot, words))


def setup_lines(snapshot: Snapshot, words: Words) -> tuple[str, ...]:
    """Everything that keeps the game from beginning."""
    return tuple(_to_be_done(snapshot.setup_problems, words))


def _to_be_done(problems: Iterable[SetupProblem], words: Words) -> Iterator[str]:
    return (words.fill(SETUP[p.what], {"socket": p.socket}) for p in problems)


def _status(snapshot: Snapshot, words: Words) -> Iterator[str]:
    yield words.fill(_PHASES[snapshot.phase], {"player": words.namer.side(snapshot.to_move)})
    if snapshot.phase == "setting_up":
        yield from setup_lines(snapshot, words)
    elif snapshot.waits:
        yield words.fill(_WAITS[snapshot.waits], {})
        yield from _to_be_done(snapshot.differing, words)
    elif snapshot.phase not in ("paused", "over"):
        yield from (violation_line(v, words) for v in snapshot.violations)
        yield from _due(snapshot, words)
    if timer_side_is_open(snapshot):
        yield words.fill(_TIMER_SIDE, {"black": words.namer.side("black")})
    yield from suspect_lines(snapshot, words)
    if snapshot.faults:
        sensors = (words.namer.sensor(*fault.split(":", 1)) for fault in snapshot.faults)
        yield words.fill(_UNTRUSTED, {"sensors": words.namer.several(sensors)})


def suspect_lines(snapshot: Snapshot, words: Words) -> Iterator[str]:
    """Every sensor whose state cannot be right, before play."""
    for suspect in snapshot.suspects:
        sensor = first_upper(words.namer.sensor(suspect.kind, suspect.name))
        yield words.fill(SUSPECTS[suspect.what], {"Sensor": sensor})


def violation_line(violation: ViolationView, words: Words) -> str:
    """An open violation: what is wrong and how to put it right; once the glass is in hand, only the latter."""
    if violation.glass is not None and violation.socket is None:
        text = _IN_HAND if violation.home else _IN_HAND_OFF_BOARD
        return words.fill(
            text, {"Glass": first_upper(words.namer.glass(violation.glass)), "home": violation.home or ""}
        )
    details: dict[str, object] = {"code": violation.code}
    details |= {"player": violation.player} if violation.player else {}
    if violation.glass is not None:
        details |= {"glass": violation.glass, "to": violation.socket, "home": violation.home}
    elif violation.socket is not None:
        details["socket"] = violation.socket
    kind = "notice" if violation.code == ASKED else "violation"
    return words.say(Ruling(violation.since_ms, kind, details))


def countdown(snapshot: Snapshot, words: Words) -> Mapping[str, str]:
    """The glasses that are about to run out, each with how long it still has."""
    return {
        glass.name: words.ngettext(
            "{Glass} runs out in {count} second.",
            "{Glass} runs out in {count} seconds.",
            # In seconds begun, so that the last one is 1 and not 0.
            -(-left_ms // 1000),
            {"Glass": first_upper(words.namer.glass(glass.name))},
        )
        for glass, left_ms in running_out(snapshot, snapshot.now_ms)
    }


def _due(snapshot: Snapshot, words: Words) -> Iterator[str]:
    yield from (_right_line(right, words) for right in snapshot.rights)
    if snapshot.penalty_lamp is not None:
        yield words.fill(_LAMP, {"socket": snapshot.penalty_lamp})
    if snapshot.timer_armed_against is not None:
        yield words.fill(_TIMER, {"player": words.namer.side(snapshot.timer_armed_against)})
    yield from (words.fill(_OWED, {"player": words.namer.side(p)}) for p in snapshot.penalty_owed)
    yield from (words.fill(_SKIP, {"player": words.namer.side(p)}) for p in snapshot.skip_owed)


def _right_line(right: RightView, words: Words) -> str:
    return words.fill(_RIGHTS[right.kind], {"player": words.namer.side(right.player), "socket": right.socket or ""})
