"""The present state of a game in short texts: what to do now, most urgent first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import RightView, SetupProblem, Snapshot, Upcoming, ViolationView
from tamsk_pi.rules.board import PLAYERS
from tamsk_pi.signals.language import N_
from tamsk_pi.signals.names import first_upper
from tamsk_pi.signals.standing import ASKED, TAKEN_BACK, running_out, timer_side_is_open
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
_NEXT: Final[Mapping[int, str]] = {
    1: N_("The next game is at level 1: glasses are not turned over. Red's button chooses another."),
    2: N_("The next game is at level 2: glasses are turned over. Red's button chooses another."),
    3: N_("The next game is at level 3: with the 15-second timer. Red's button chooses another."),
}
_NEXT_RULES: Final[Mapping[str, str]] = {
    "rulebook": N_("It is played by the rulebook. Black's button chooses another edition."),
    "wikipedia": N_("It is played by the rules as Wikipedia has them. Black's button chooses another edition."),
    "schmidt1998": N_("It is played by the first edition, of 1998. Black's button chooses another edition."),
}
_NEXT_NAMES: Final = N_("{red} plays red, {black} plays black.")
_BEGINS: Final[Mapping[str, str]] = {
    "by_itself": N_("It begins by itself three seconds after the board is set up."),
    "by_press": N_("It begins when both players press their buttons together, or the arbiter a short one."),
}
_HOLDER_LACKS: Final = N_("Rings missing on a holder: {side} {count}.")
_RIGHTS: Final[Mapping[str, str]] = {
    "move": N_("{player} may drop a ring on {socket}."),
    "claim": N_("{player} may drop a ring on {socket}, where the other side forgot to."),
    "penalty": N_("{player} may drop a penalty ring on any socket that is not full."),
}
_TAKEN_BACK: Final = N_("{Glass} goes back to {home}, as it stood there.")
_TAKEN_OFF: Final = N_("{Glass} comes off the board again.")
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
    if snapshot.upcoming is not None:
        yield from _upcoming_lines(snapshot, snapshot.upcoming, words)
        return
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


def _upcoming_lines(snapshot: Snapshot, upcoming: Upcoming, words: Words) -> Iterator[str]:
    """Between two games: what is to be done, how the next one will be played, and how it begins."""
    yield words.fill(_PHASES["over" if snapshot.phase == "over" else "setting_up"], {})
    yield from setup_lines(snapshot, words)
    for player, count in upcoming.holders_lacking.items():
        yield words.fill(_HOLDER_LACKS, {"side": words.namer.colour(player), "count": str(count)})
    yield words.fill(_NEXT[upcoming.level], {})
    yield words.fill(_NEXT_RULES[upcoming.rules], {})
    if upcoming.names["red"] or upcoming.names["black"]:
        names = {str(player): upcoming.names[player] or words.namer.colour(player) for player in PLAYERS}
        yield words.fill(_NEXT_NAMES, names)
    yield words.fill(_BEGINS[upcoming.begins], {})
    yield from suspect_lines(snapshot, words)


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
    if violation.code == TAKEN_BACK and violation.glass is not None:
        text = _TAKEN_BACK if violation.home else _TAKEN_OFF
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
