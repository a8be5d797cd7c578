"""The rules that rulings are given by: each in a sentence or two, with where it is written and whose it is.

Which ones decide a ruling is told by `rules_behind`. Sources name the pages and sections of the specification.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.signals.language import N_

GAME: Final = N_("the rules of TAMSK, by Kris Burm")
DECISION: Final = N_("a decision where the editions are silent")
SENSING: Final = N_("how this board tells what happened")
ARBITER: Final = N_("the arbiter's word")
EDITIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rulebook": N_("the current rules at gipf.com"),
        "wikipedia": N_("the rules as the encyclopaedia retells them"),
        "schmidt1998": N_("the first edition, 1998"),
    }
)
"""Whose rule it is."""


@attrs.frozen
class Rule:
    """One rule. `text` and `origin` are texts of the catalogues; `source` is a page and its section."""

    text: str
    source: str
    origin: str = GAME


_TURN: Final = 'rules.md, "A turn"'
_RIGHTS: Final = 'rules.md, "Ring rights"'
_LEVELS: Final = 'rules.md, "Levels"'
_TIMER: Final = 'rules.md, "The 15-second timer (level 3)"'
_VIOLATIONS: Final = 'rules.md, "Violations"'
_MENDING: Final = 'rules.md, "Mending a glass violation"'
_WHICH: Final = 'sensing.md, "Which glass"'
_TRACE: Final = 'sensing.md, "The trace format"'
_BUTTONS: Final = 'sensing.md, "Buttons"'
_TOLERANCES: Final = 'sensing.md, "Tolerances"'
_WORDS: Final = 'docs/traces.md, "The arbiter\'s words"'
_SETTINGS: Final = "docs/configuration.md"

RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        # -- the course of the game
        "set_up": Rule(
            N_("Red's glasses start on A4, D1 and G4, black's on A1, D7 and G1, and no ring lies there. Red begins."),
            'rules.md, "Board"',
        ),
        "set_up.free": Rule(
            N_("With free placement the board starts empty. Red begins."), 'rules.md, "Variation: free placement"'
        ),
        "move": Rule(
            N_(
                "The side to move lifts one of its glasses and places it in a socket that touches the one it came "
                "from, holds no glass and is not full."
            ),
            _TURN,
        ),
        "move.placed": Rule(
            N_(
                "With free placement each side places its glasses on any vacant socket in its first three turns, "
                "turned over."
            ),
            'rules.md, "Variation: free placement"',
        ),
        "turned_over": Rule(
            N_(
                "At levels 2 and 3 a glass is turned over with every move: its tilt changed an odd number of times "
                "from shortly before the lift to shortly after the placing."
            ),
            _LEVELS,
        ),
        "ring.move": Rule(N_("After its move a side may drop one ring around the socket it moved to."), _RIGHTS),
        "ring.claim": Rule(
            N_("Where a side forgot its ring, the other side may drop one there until the next move is completed."),
            _RIGHTS,
        ),
        "ring.penalty": Rule(
            N_("A side that is owed a penalty ring may drop it, after its next move, on any socket that is not full."),
            _RIGHTS,
        ),
        "ring.owner": Rule(
            N_("A ring whose owner is not sensed uses the move ring right, else a penalty right, else a claim."),
            _RIGHTS,
        ),
        "pass": Rule(N_("A side that cannot move passes; passing is automatic and not a choice."), _TURN),
        "skip": Rule(N_("A turn to be skipped is skipped when it comes and the side could have moved."), _TIMER),
        "glass_stopped": Rule(
            N_(
                "A turned glass has left what had fallen before; it stops when that has run through, in the hand as "
                "on the board. A moved glass that stops on the board is out for good."
            ),
            _LEVELS,
        ),
        "timer_started": Rule(
            N_(
                "The side not to move may turn the timer over once its upper chamber is empty; that arms it against "
                "the side to move."
            ),
            _TIMER,
        ),
        "timeout.begun": Rule(
            N_(
                "When the timer runs out, the turn has begun if the side to move holds a glass or one is to be put "
                "back: the move may be completed, and completing it has its price."
            ),
            _TIMER,
        ),
        "timeout.not_begun": Rule(
            N_("When the timer runs out and the turn has not begun, the turn is forfeited."), _TIMER
        ),
        "forfeit.penalty": Rule(N_("For a turn forfeited to the timer the other side gets a penalty ring."), _TIMER),
        "forfeit.nothing": Rule(N_("A turn forfeited to the timer costs nothing besides."), _TIMER),
        "forfeit.skip": Rule(N_("After a turn forfeited to the timer the side's next turn is skipped too."), _TIMER),
        # -- the end
        "game_over.rings": Rule(
            N_("The game ends when neither side can move and no ring right is open. Fewer rings left wins."), _TURN
        ),
        "closing": Rule(
            N_("When neither side can move, the rights that are still open may be used before rings are counted."),
            _RIGHTS,
            DECISION,
        ),
        "game_over.tie_break": Rule(
            N_("With as many rings left, the owner of the glass that stops last wins."), _LEVELS
        ),
        "game_over.last_ring": Rule(N_("A side that drops its last ring wins at once."), _TURN),
        "game_over.full_socket": Rule(
            N_("A glass placed on another socket that is full loses the game at once."), _TURN
        ),
        "game_over.resigned": Rule(N_("A side that holds its button for three seconds resigns."), _BUTTONS, SENSING),
        "game_over.agreed": Rule(
            N_("Both sides' buttons held at once for three seconds: a draw is agreed."), _BUTTONS, SENSING
        ),
        "game_over.arbiter": Rule(N_("The arbiter may end the game."), _WORDS, ARBITER),
        # -- violations
        "violation:wrong_glass": Rule(N_("A glass of the side not to move was moved."), _VIOLATIONS),
        "violation:full_socket": Rule(
            N_("A socket that holds as many rings as fit is full; a glass placed there loses the game."), _VIOLATIONS
        ),
        "violation:stopped_glass": Rule(
            N_("A glass that had run out when it was lifted, or is out, may not be moved."),
            _VIOLATIONS,
        ),
        "violation:opening_order": Rule(
            N_("Each side's first moves go to its glasses that have not moved yet, until all three have."), _VIOLATIONS
        ),
        "violation:not_adjacent": Rule(
            N_("A glass goes to a vacant socket that touches the one it came from."), _VIOLATIONS
        ),
        "violation:not_flipped": Rule(N_("At levels 2 and 3 a glass is turned over with every move."), _VIOLATIONS),
        "violation:flipped_in_place": Rule(
            N_("A glass may not be lifted and put back in its own socket the other way up (levels 2 and 3)."),
            _VIOLATIONS,
        ),
        "violation:must_mend": Rule(
            N_("While a glass is to be put back, no other glass may be set down in another socket."), _VIOLATIONS
        ),
        "violation:ring_not_due": Rule(
            N_("A ring that no open right covers is to be taken off again and counts for nobody."), _VIOLATIONS
        ),
        "violation:ring_removed": Rule(
            N_("A counted ring may not be taken off; until it is back it counts as lying there."), _VIOLATIONS
        ),
        "violation:timer_running": Rule(
            N_("The timer may be turned over only when its upper chamber is empty."), _VIOLATIONS
        ),
        "violation:must_move": Rule(N_("A side that can move may not pass."), _VIOLATIONS),
        "resolved": Rule(
            N_(
                "A glass is judged anew each time it settles, from the socket it came from: back there the same way "
                "up, or where it could legally have gone, it is put right."
            ),
            _MENDING,
        ),
        # -- what the sensors told
        "notice:ambiguous": Rule(
            N_(
                "With several glasses in hand a socket takes the one that came from it, else the one that may go "
                "there, else the one whose home touches it, else the one that was turned, else the one lifted first."
            ),
            _WHICH,
            SENSING,
        ),
        "notice:close_call": Rule(
            N_("What would rest on the sand's model by less than the tolerance is given the benefit of the doubt."),
            _TOLERANCES,
            SENSING,
        ),
        "notice:glass_off_board": Rule(N_("A glass in hand for more than 30 s is told."), _WHICH, SENSING),
        "notice:weak": Rule(
            N_("An input that flickers under its settle time more than weak_flickers times a minute is named, once."),
            f"{_SETTINGS}, weak_flickers",
            SENSING,
        ),
        "notice:turning_not_seen": Rule(
            N_("A turning that no sensor saw may be confirmed by a press within 5 s, else it did not happen."),
            f"{_SETTINGS}, confirm_missed_turning",
            SENSING,
        ),
        "notice:unobserved": Rule(
            N_(
                "What happened while the board was not watched is told and taken as it is, never called illegal; "
                "where all that differs is a legal move of the side to move, it counts as that."
            ),
            _TRACE,
            SENSING,
        ),
        "notice:lapsed": Rule(
            N_(
                "While nothing is judged ring rights stand still, unless rings changed where they count; sand does "
                "not, so an armed timer goes on only if it still runs and was not turned."
            ),
            _RIGHTS,
        ),
        "notice:ring_undone": Rule(
            N_("A ring that was in hand before its move and goes back in time is undone; its right is open again."),
            _RIGHTS,
        ),
        "notice:timer_waived": Rule(
            N_("The side said to have started the timer may say within 5 s, by a press, that it was not its doing."),
            _TIMER,
        ),
        "notice:watch_glasses": Rule(
            N_(
                "A tie-break decided by less than twice the tolerance is left to the players: each takes a glass off "
                "as it stops."
            ),
            _TOLERANCES,
            SENSING,
        ),
        "notice:ask_for_sand": Rule(
            N_("Where no clock tells how long nothing was watched, the players say which glasses still run."),
            'docs/traces.md, "Lines"',
            SENSING,
        ),
        "fault:tilt_without_lift": Rule(
            N_(
                "A glass that stands in its tube cannot be turned, so a tilt change there is a fault and moves no sand."
            ),
            _LEVELS,
        ),
        "fault:unexpected_closed": Rule(
            N_("A socket that closes with no glass in hand is ignored until it opens again."), _WHICH, SENSING
        ),
        "fault:ambiguous_placing": Rule(
            N_("Of two sockets that close at once for one glass nothing is judged until one of them opens."),
            _WHICH,
            SENSING,
        ),
        "fault:noisy": Rule(
            N_(
                "More than 40 edges of one input in a second, or three seconds without a rest where no hand can be "
                "the cause: it is not believed until it has been quiet for a second."
            ),
            _WHICH,
            SENSING,
        ),
        "fault:impossible_count": Rule(
            N_("A count that no hand can make moves no ring, unless a jump has stayed for two seconds."),
            _WHICH,
            SENSING,
        ),
        "fault:wire": Rule(
            N_("Inputs of one row or column of the matrix that change in one millisecond are a fault of its wire."),
            _WHICH,
            SENSING,
        ),
        "fault:held_from_start": Rule(
            N_("A button that is down as the game begins is not pressed; it is ignored until it is let go."),
            _WHICH,
            SENSING,
        ),
        "link": Rule(N_("While the board is not heard nothing is judged, and deadlines wait."), _TRACE, SENSING),
        "pause": Rule(N_("The arbiter may pause the game: nothing is judged meanwhile."), _WORDS, ARBITER),
        "word": Rule(
            N_("The arbiter may correct what the sensors and the model tell; each word stands in the trace."),
            _WORDS,
            ARBITER,
        ),
        "annul": Rule(
            N_("The arbiter may take the last verdict back until the next move is completed."), _WORDS, ARBITER
        ),
        "refused": Rule(N_("A word that makes no sense now changes nothing."), _WORDS, ARBITER),
    }
)
"""Every rule, by its key."""

_FORFEITS: Final = {
    "rulebook": "forfeit.penalty",
    "wikipedia": "forfeit.nothing",
    "schmidt1998": "forfeit.skip",
}
_BY_EDITION: Final = ("forfeit.penalty", "forfeit.nothing", "forfeit.skip", "timeout.begun", "skip")
"""Rules that an edition has as its own."""

_NOTICES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "turning_confirmed": "notice:turning_not_seen",
        "annulled": "annul",
        "refused": "refused",
        "recheck": "word",
        "accepted": "word",
        "names_corrected": "word",
        "taken_back": "word",
        "rings_corrected": "word",
        "glass_corrected": "word",
        "penalty_corrected": "word",
        "socket_dead": "word",
        "socket_alive": "word",
    }
)
_RING_CODES: Final = ("ring_not_due", "ring_removed")


def rules_behind(
    ruling: Ruling, *, level: int, setup: str, senses_turning: bool, rings: str, paused_by: str
) -> tuple[str, ...]:
    """The keys of the rules that decided a ruling, the first of them first.

    `senses_turning`: whether the board tells that a glass was turned over. `paused_by`: for `resumed`, what had paused
    the game, `link` or `arbiter`.
    """
    match ruling.kind:
        case "ready" | "started":
            return ("set_up.free",) if setup == "free" else ("set_up",)
        case "move":
            first = "move" if ruling.get("from") else "move.placed"
            return (first, "turned_over") if level > 1 and senses_turning else (first,)
        case "ring":
            first = f"ring.{ruling.get('reason')}"
            return (first, "ring.owner") if rings == "stack" else (first,)
        case "resolved":
            code = str(ruling.get("code"))
            return (f"violation:{code}",) if code in _RING_CODES else ("resolved", *_violation(code))
        case "timeout":
            return ("timeout.begun" if ruling.get("begun") else "timeout.not_begun",)
        case "forfeit":
            return ("timeout.not_begun", "forfeit")
        case "game_over":
            first = f"game_over.{ruling.get('reason')}"
            return (first, "closing") if ruling.get("reason") in ("rings", "tie_break") else (first,)
        case "paused":
            return ("link",) if ruling.get("reason") == "link" else ("pause",)
        case "resumed":
            return ("link",) if paused_by == "link" else ("pause",)
        case "violation":
            return tuple(_violation(str(ruling.get("code"))))
        case "notice":
            code = str(ruling.get("code"))
            return (_NOTICES.get(code, f"notice:{code}"),)
        case "fault" | "fault_cleared":
            return (f"fault:{ruling.get('code')}",)
        case kind:
            return (kind,)


def _violation(code: str) -> Iterator[str]:
    key = f"violation:{code}"
    if key in RULES:
        yield key
    if code == "full_socket":
        yield "game_over.full_socket"


def rule(key: str, edition: str) -> tuple[str, Rule]:
    """A rule by its key, and the key it really has: what a timeout costs depends on the edition."""
    key = _FORFEITS[edition] if key == "forfeit" else key
    found = RULES[key]
    return key, attrs.evolve(found, origin=EDITIONS[edition]) if key in _BY_EDITION else found
