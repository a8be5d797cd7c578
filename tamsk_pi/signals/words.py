"""A ruling in words: what was decided, what is wrong with it, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import START, TIMER

SIDES: Final = {"red": "Red", "black": "Black"}
# Where a glass started is the name that players give it: seen from red's side, with A on the left.
_PLACES: Final = {"A": "left", "D": "middle", "G": "right"}

_VIOLATIONS: Final[Mapping[str, str]] = {
    "wrong_glass": "{glass} was moved to {to}, but it is {player}'s turn. Put it back{home}.",
    "full_socket": "{glass} was placed on {to}, which is full: {player} loses the game.",
    "stopped_glass": "{glass} has run out and stays where it is. Put it back{home}.",
    "opening_order": "{player} must first move the glasses that have not moved yet. Put {glass} back{home}.",
    "not_adjacent": "{to} does not touch the socket that {glass} came from. Put it back{home}.",
    "not_flipped": (
        "{glass} was not turned over. Lift it and set it down turned in {to}, or put it back as it stood{home}."
    ),
    "flipped_in_place": "{glass} was turned over without a move. Lift it and turn it back.",
    "must_mend": "Another glass is still to be put back; {glass} is to be put back too{home}.",
    "timer_running": "{player} turned the timer while its sand was still running. It counts for nothing.",
    "must_move": "{player} can move and so may not pass.",
}
_ENDS: Final[Mapping[str, str]] = {
    "rings": "with fewer rings left",
    "tie_break": "on the last glass to run",
    "last_ring": "with the last ring dropped",
    "full_socket": "as a glass was placed on a full socket",
    "resigned": "as the other side resigned",
    "agreed": "as agreed",
    "arbiter": "by the arbiter's word",
}
_DONE: Final[Mapping[str, str]] = {
    "wrong_glass": "The glass is back where it was.",
    "stopped_glass": "The glass is back where it was.",
    "opening_order": "The wrong glass is back where it was.",
    "not_adjacent": "That is put right.",
    "not_flipped": "The glass has been dealt with.",
    "flipped_in_place": "The glass that was turned in its place has been dealt with.",
    "must_mend": "The other glass has been dealt with.",
    "ring_not_due": "The ring that was not due is off again.",
    "ring_removed": "The ring is back.",
}
_RINGS: Final[Mapping[str, str]] = {"move": "", "claim": ", which was forgotten there", "penalty": " as a penalty"}
_NOTICES: Final[Mapping[str, str]] = {
    "ambiguous": "Several glasses are in hand; the one in {socket} is taken to be {glass}.",
    "close_call": "{glass}: too close to call by the model of the sand; the benefit of the doubt is given.",
    "glass_off_board": "{glass} has been off the board for a long time.",
    "weak": "The {kind} sensor {input} flickers often: it may be weak or loose.",
    "watch_glasses": "The tie is too close for the model. Watch {glasses} and take each off as it stops.",
    "ask_for_sand": "Nobody knows how long the box was off. Say of each whether it still runs: {glasses}.",
    "recheck": "The last ruling is being looked at again.",
    "accepted": "The arbiter accepts the position as it stands.",
    "annulled": "The arbiter takes the last verdict back.",
    "rings_corrected": "The arbiter corrects {socket}: {count_rings}.",
    "glass_corrected": "The arbiter says: {glass} is {state}.",
    "penalty_corrected": "The arbiter corrects what penalty ring {player} is owed.",
    "refused": "The arbiter's word {word} changes nothing: {reason}.",
    "socket_dead": "{socket} is not listened to any more; the arbiter's word counts there.",
    "socket_alive": "{socket} is listened to again.",
    "turning_not_seen": "No sensor saw {glass} being turned over. {player}: press your button if you turned it.",
    "turning_confirmed": "{player} says that {glass} was turned over.",
}
_FAULTS: Final[Mapping[str, str]] = {
    "tilt_without_lift": "The tilt sensor of {glass} says that it was turned while it stood in {socket}: ignored.",
    "unexpected_closed": "{socket} closed, but no glass is in hand: ignored until it opens.",
    "ambiguous_placing": "{sockets} closed at once for {glass}. Set it down again in one of them.",
    "noisy": "The {kind} sensor {input} is too noisy: ignored until it has been quiet for a second.",
}
_WELL: Final[Mapping[str, str]] = {
    "unexpected_closed": "{socket} is listened to again.",
    "ambiguous_placing": "It is clear again where {glass} is.",
    "noisy": "The {kind} sensor {input} is quiet again.",
}


class _Blank(dict[str, str]):
    """Names that a sentence asks for and the ruling does not carry."""

    def __missing__(self, key: str) -> str:
        return "?"


def glass_name(glass: str) -> str:
    """A glass as players call it, with its mark: `the left red hourglass (R1)`."""
    if glass == TIMER:
        return "the timer"
    side = "red" if glass[0] == "R" else "black"
    return f"the {_PLACES[START[glass][0]]} {side} hourglass ({glass})"


def _joined(names: object) -> str:
    items = [str(n) for n in names] if isinstance(names, list) else []
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else "nothing"


def _rings(count: object) -> str:
    return "1 ring" if count == 1 else f"{count} rings"


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


@attrs.frozen
class Words:
    """Puts rulings into English. `names` maps `red` and `black` to the players' names; empty: the colours."""

    names: Mapping[str, str] = attrs.field(factory=dict)

    def player(self, side: object) -> str:
        """A side's name for a sentence."""
        return self.names.get(str(side)) or SIDES.get(str(side), str(side))

    def __call__(self, ruling: Ruling) -> str:
        """One sentence or two; never empty, for any ruling."""
        teller = _TELLERS.get(ruling.kind)
        return _first_upper(teller(self, ruling)) if teller else ruling.kind

    def _names_in(self, ruling: Ruling) -> _Blank:
        found = _Blank({key: str(value) for key, value in ruling.details.items()})
        for key in ("glass",):
            if key in ruling.details:
                found[key] = glass_name(str(ruling.details[key]))
        if "player" in ruling.details:
            found["player"] = self.player(ruling.details["player"])
        for key in ("glasses", "in_hand"):
            if key in ruling.details:
                found[key] = _joined([glass_name(str(g)) for g in ruling.details[key]])  # type: ignore[attr-defined]
        if "sockets" in ruling.details:
            found["sockets"] = _joined(ruling.details["sockets"])
        if "count" in ruling.details:
            found["count_rings"] = _rings(ruling.details["count"])
        home = ruling.get("home")
        found["home"] = f" on {home}" if home else ""
        return found

    def _filled(self, texts: Mapping[str, str], ruling: Ruling) -> str:
        code = str(ruling.get("code"))
        return texts.get(code, code).format_map(self._names_in(ruling))

    def _move(self, ruling: Ruling) -> str:
        start = ruling.get("from")
        origin = f" from {start}" if start else ""
        glass = glass_name(str(ruling.get("glass")))
        return f"{self.player(ruling.get('player'))} moves {glass}{origin} to {ruling.get('to')}."

    def _ring(self, ruling: Ruling) -> str:
        why = _RINGS.get(str(ruling.get("reason")), "")
        lie = _rings(ruling.get("count"))
        verb = "lies" if ruling.get("count") == 1 else "lie"
        return f"{self.player(ruling.get('player'))} drops a ring on {ruling.get('socket')}{why}: {lie} {verb} there."

    def _violation(self, ruling: Ruling) -> str:
        code = ruling.get("code")
        where = f" on {ruling.get('socket')}" if ruling.get("socket") else ""
        if code == "ring_not_due":
            who = f" by {self.player(ruling.get('player'))}" if ruling.get("player") else ""
            return f"No ring is due{where}{who}. Take it off again."
        if code == "ring_removed":
            return f"A ring that counts was taken off{where}. Put it back."
        return self._filled(_VIOLATIONS, ruling)

    def _unobserved(self, ruling: Ruling) -> str:
        parts = []
        for key, text in (("opened", "empty now: {}"), ("closed", "occupied now: {}"), ("turned", "turned: {}")):
            value = ruling.get(key)
            if value:
                parts.append(text.format(_joined(value)))
        rings = ruling.get("rings")
        if isinstance(rings, Mapping):
            parts.append("rings changed on " + _joined(list(rings)))
        return "While nothing was watched the board changed (" + "; ".join(parts) + "). It is taken as it is."

    def _notice(self, ruling: Ruling) -> str:
        if ruling.get("code") == "unobserved":
            return self._unobserved(ruling)
        return self._filled(_NOTICES, ruling)

    def _timeout(self, ruling: Ruling) -> str:
        begun = "the move that has begun may be completed, at a cost" if ruling.get("begun") else "no move had begun"
        return f"The timer has run out on {self.player(ruling.get('player'))}: {begun}."

    def _game_over(self, ruling: Ruling) -> str:
        how = _ENDS.get(str(ruling.get("reason")), str(ruling.get("reason")))
        left = f"rings left: {SIDES['red']} {ruling.get('red')}, {SIDES['black']} {ruling.get('black')}"
        winner = ruling.get("winner")
        if winner is None:
            return (
                f"The game is drawn, {how} ({left})."
                if ruling.get("reason") != "rings"
                else f"The game is drawn ({left})."
            )
        return f"{self.player(winner)} wins, {how} ({left})."


_TELLERS: Final[Mapping[str, Callable[[Words, Ruling], str]]] = {
    "ready": lambda w, r: "The board is set up.",
    "started": lambda w, r: f"The game begins: {w.player('red')} to move.",
    "move": Words._move,
    "ring": Words._ring,
    "violation": Words._violation,
    "resolved": lambda w, r: _DONE.get(str(r.get("code")), "That is put right."),
    "timer_started": lambda w, r: (
        f"{w.player(r.get('player'))} turns the timer on {w.player('black' if r.get('player') == 'red' else 'red')}."
    ),
    "timeout": Words._timeout,
    "forfeit": lambda w, r: f"{w.player(r.get('player'))}'s turn is forfeited.",
    "pass": lambda w, r: f"{w.player(r.get('player'))} cannot move and passes.",
    "skip": lambda w, r: f"{w.player(r.get('player'))}'s turn is skipped as a penalty.",
    "glass_stopped": lambda w, r: f"{glass_name(str(r.get('glass')))} has run out.",
    "game_over": Words._game_over,
    "notice": Words._notice,
    "fault": lambda w, r: w._filled(_FAULTS, r),
    "fault_cleared": lambda w, r: w._filled(_WELL, r),
    "paused": lambda w, r: (
        "The board is not heard: the game is paused." if r.get("reason") == "link" else "The arbiter pauses the game."
    ),
    "resumed": lambda w, r: "The game goes on.",
}
