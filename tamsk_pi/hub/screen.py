"""Every text of the hub's pages, by key: the arbiter's page, the spectators' pages, and what is printed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tamsk_pi.hub.alarms import KINDS
from tamsk_pi.signals.language import N_, Language, catalogue

SCREEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title.arbiter": N_("Boards of the event"),
        "title.spectators": N_("Games live"),
        "language": N_("Language"),
        "board": N_("Board {number}"),
        "red": N_("Red"),
        "black": N_("Black"),
        "no_game": N_("No game yet"),
        "need.": N_("Nothing is wanted"),
        "need.violation": N_("To be put right"),
        "need.dispute": N_("The board asks for the arbiter"),
        "need.recheck": N_("A ruling is looked at again"),
        "need.fault": N_("A sensor is not trusted"),
        "need.alarm": N_("An alarm"),
        "need.not_heard": N_("Not heard"),
        "need.clock": N_("The clock is not running"),
        "turn": N_("{side} to move"),
        "over": N_("Over"),
        "won": N_("{side} wins"),
        "draw": N_("A draw"),
        "setting_up": N_("The board is being set up"),
        "paused": N_("The game is paused"),
        "open": N_("Open the board"),
        "seen": N_("Seen"),
        "pair.title": N_("Be paired as arbiter"),
        "pair.name": N_("Your name"),
        "pair.code": N_("Code"),
        "pair.do": N_("Pair"),
        "pair.as": N_("Paired as {name}"),
        "pair.how": N_("A code is made on the hub: tamsk-pi hub arbiter add"),
        "word.pause": N_("Pause"),
        "word.resume": N_("Go on"),
        "word.recheck": N_("Recheck"),
        "word.annul": N_("Annul"),
        "word.accept": N_("Accept the board as it is"),
        "word.end_red": N_("Red wins"),
        "word.end_black": N_("Black wins"),
        "word.end_draw": N_("Draw"),
        "word.done": N_("Said to board {number}."),
        "word.refused": N_("Board {number}: {reason}"),
        "word.sure": N_("Say it to board {number}?"),
        "lost": N_("The hub is not heard; this may be old."),
        "rounds": N_("Pairings"),
        "standings": N_("Standings"),
        "archive": N_("Archive"),
        "live": N_("Live"),
        "replay": N_("Replay"),
        "first": N_("To the beginning"),
        "back": N_("Back"),
        "forth": N_("On"),
        "last": N_("To the end"),
        "rulings": N_("Rulings"),
        "annulled": N_("annulled"),
        "trace": N_("Trace"),
        "record": N_("Record"),
        "search.player": N_("Player"),
        "search.event": N_("Event"),
        "search.result": N_("Result"),
        "search.any": N_("any"),
        "search.shortest": N_("At least, in minutes"),
        "search.longest": N_("At most, in minutes"),
        "search.found": N_("Games found: {count}"),
        "search.date": N_("Begun"),
        "search.length": N_("Length"),
        "search.moves": N_("Moves"),
        "delay": N_("Shown {seconds} s late."),
        "event.round": N_("Round {round}"),
        "event.standings_after": N_("Standings after round {round}"),
        "event.bye": N_("bye"),
        "event.board": N_("Board"),
        "event.red": N_("Red"),
        "event.black": N_("Black"),
        "event.result": N_("Result"),
        "event.place": N_("Place"),
        "event.name": N_("Name"),
        "event.club": N_("Club"),
        "event.rating": N_("Rating"),
        "event.points": N_("Points"),
        "event.played": N_("Played"),
        "event.buchholz": N_("Buchholz"),
        "event.buchholz_cut1": N_("Buchholz cut 1"),
        "event.sonneborn": N_("Sonneborn-Berger"),
        "event.direct": N_("Direct encounter"),
        "event.wins": N_("Wins"),
        "event.koya": N_("Koya"),
        **{f"alarm.{kind}": text for kind, text in KINDS.items()},
    }
)


def screen_texts(language: Language) -> dict[str, str]:
    """All texts of the hub's pages in one language."""
    of = catalogue(language)
    return {key: of.gettext(text) for key, text in SCREEN.items()}
