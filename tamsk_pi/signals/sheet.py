"""The texts of a game's report, by key, beside the rulings' own words. What stands in braces is filled in."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tamsk_pi.signals.language import N_

REPORT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title": N_("Game report"),
        "players": N_("{red} against {black}"),
        "unfinished": N_("The game is not over: this is how far its record goes."),
        "not_begun": N_("The game has not begun: the board was never set up."),
        "flaw.torn": N_("The last line of the trace was cut short and is left out."),
        "flaw.broken": N_("The trace is broken; what follows is left out: {problem}."),
        "flaw.record": N_("The record in notation lacks something: {problem}."),
        # -- the game's settings
        "event": N_("Event"),
        "date": N_("Date"),
        "level": N_("Level"),
        "rules": N_("Rules"),
        "rings_by": N_("Rings noticed by"),
        "setup": N_("Set-up"),
        "length": N_("Length"),
        "turns": N_("Turns"),
        "rules.rulebook": N_("current rules"),
        "rules.wikipedia": N_("as the encyclopaedia tells them"),
        "rules.schmidt1998": N_("first edition"),
        "rings_by.stack": N_("the sockets"),
        "rings_by.holder": N_("the holders"),
        "rings_by.buttons": N_("the buttons"),
        "setup.corners": N_("in the corners"),
        "setup.free": N_("free placement"),
        # -- headings
        "position": N_("Final position"),
        "position.unfinished": N_("Last position"),
        "rings": N_("Rings left"),
        "times": N_("Time per move"),
        "sand": N_("Sand of each glass"),
        "violations": N_("Violations"),
        "penalties": N_("Time penalties"),
        "record": N_("Record"),
        "record.whole": N_("The record as text"),
        "rulings.whole": N_("All violations and penalties"),
        # -- what charts say of themselves
        "rings.words": N_(
            "Rings left on the holders over {length}. In the end: {red} {red_rings}, {black} {black_rings}."
        ),
        "times.words": N_("{side}: {total} in all, longest {longest}"),
        "times.words.none": N_("{side}: no turn"),
        "times.rest": N_("After the last turn: {rest}."),
        "times.paused": N_("Paused: {paused}, counted to no turn."),
        "times.sides": N_("{red} upwards, {black} downwards; P passed, F forfeited, S missed."),
        "sand.key": N_("How full the upper chamber is. Triangle: run out. Hatched: out for good."),
        "sand.stopped": N_("ran out at {times}"),
        "sand.out": N_("out for good since {time}"),
        "sand.runs": N_("still runs for {time}"),
        "sand.never": N_("never turned over"),
        "sand.timer": N_("ran out on a side at {times}"),
        "sand.timer.never": N_("never ran out on a side"),
        "position.words": N_("{glass} stands on {socket}"),
        "position.in_hand": N_("{glass} is in hand"),
        "position.table": N_("{glass} is beside the board"),
        "position.out": N_("out"),
        "position.rings": N_("rings on {socket}, from below: {rings}"),
        "position.unknown_ring": N_("unknown"),
        # -- how violations ended
        "none": N_("None."),
        "more": N_("… and {count} more, in the trace"),
        "mending.put_right": N_("Put right after {time}."),
        "mending.moved": N_("Made whole after {time} by the move to {socket}."),
        "mending.ring_off": N_("Ring taken off after {time}."),
        "mending.ring_back": N_("Ring put back after {time}."),
        "mending.annulled": N_("Taken back by the arbiter after {time}."),
        "mending.accepted": N_("Accepted by the arbiter after {time}."),
        "mending.noted": N_("Noted; nothing to mend."),
        "mending.lost": N_("The game was lost by it."),
        "mending.open": N_("Not put right by the end."),
    }
)
