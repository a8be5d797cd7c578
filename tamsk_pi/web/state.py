"""A picture of the game as the page wants it: plain JSON, in sections that are compared and sent one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import attrs

from tamsk_pi.referee.ring_owners import ring_owners
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import GlassView, Upcoming
from tamsk_pi.rules.board import CAPACITY, SOCKETS, Player
from tamsk_pi.signals.advice import Advice, advice_lines
from tamsk_pi.signals.language import Language
from tamsk_pi.signals.lines import Scene, lines_of
from tamsk_pi.signals.remarks import remark
from tamsk_pi.signals.ring_due import ring_due
from tamsk_pi.signals.words import Words as Spoken
from tamsk_pi.web.source import BoardView, GamePicture, LyingGlass

Sections = dict[str, Any]
Words = Callable[[Ruling, Language], str]
"""Puts a ruling into one line of text, in a language."""

PLAIN_SECTIONS: Final = (
    "phase",
    "level",
    "rules",
    "to_move",
    "timer_armed_against",
    "timer_expires_at_ms",
    "penalty_owed",
    "skip_owed",
    "penalty_lamp",
    "last_move",
    "faults",
    "winner",
    "result",
    "waits",
)
"""Fields of the snapshot that are sent as they stand. Its `now_ms` is not among them: the clock has its own message."""


def sections_of(picture: GamePicture, *, helps: bool) -> Sections:
    """All but the rulings. Legal targets are left out where the page must not help (`helps` false)."""
    snapshot = picture.snapshot
    plain = {name: getattr(snapshot, name) for name in PLAIN_SECTIONS}
    return {
        **plain,
        "game": picture.game,
        "kept": picture.kept,
        "ring_mode": picture.ring_mode,
        "ring_due": ring_due(snapshot, _owners_of_missing(picture)),
        "setup": picture.setup,
        "position": picture.position,
        "problem": picture.problem,
        "caps": {glass: dict(cap) for glass, cap in picture.caps.items()},
        "explanation": None if picture.explanation is None else dict(picture.explanation),
        "lesson": None if picture.lesson is None else dict(picture.lesson),
        "opponent": None if picture.advice is None else attrs.asdict(picture.advice),
        "hint": None if picture.hint is None else attrs.asdict(picture.hint),
        "differences": picture.differences.as_details(),
        "names": dict(snapshot.names),
        "glasses": {name: _glass(view, picture.board) for name, view in snapshot.glasses.items()},
        "rings": _rings(picture),
        "missing_rings": _missing_rings(picture),
        "holders": dict(snapshot.rings_left if picture.board is None else picture.board.holders),
        "rights": [attrs.asdict(right) for right in snapshot.rights],
        "setup_problems": [attrs.asdict(problem) for problem in snapshot.setup_problems],
        "suspects": [suspect._asdict() for suspect in snapshot.suspects],
        # After the end nothing is to be mended any more.
        "violations": [attrs.asdict(v) for v in snapshot.violations] if snapshot.phase != "over" else [],
        "targets": {glass: list(where) for glass, where in snapshot.targets.items()} if helps else {},
        "lamps": dict(picture.lamps.panel),
        "red_lamps": sorted(picture.lamps.red_sockets),
        "green_lamps": sorted(picture.lamps.green_sockets),
        "upcoming": None if snapshot.upcoming is None else _upcoming(snapshot.upcoming),
        "ordered_faults": [] if picture.board is None else [attrs.asdict(fault) for fault in picture.board.faults],
    }


def _upcoming(upcoming: Upcoming) -> dict[str, object]:
    """Between two games, the next one: `level`, `rules`, `names`, how it `begins`, and what holders lack."""
    return {**attrs.asdict(upcoming), "names": dict(upcoming.names)}


def layout() -> dict[str, int]:
    """Every socket with its capacity, `A1` to `G4`."""
    return {socket: CAPACITY[socket] for socket in SOCKETS}


def rulings_as_json(rulings: Iterable[Ruling], words: Words, language: Language) -> list[dict[str, object]]:
    """Rulings in the form of sensing.md, each with its `text`."""
    return [{**ruling.as_json(), "text": words(ruling, language)} for ruling in rulings]


def sections_in(sections: Sections, language: Language) -> Sections:
    """The sections as they are sent to a page of this language: the words in them are said in it."""
    said: Sections = {}
    if sections.get("problem") is not None:
        said["problem"] = remark(sections["problem"], language)
    for name in ("opponent", "hint"):
        if sections.get(name) is not None:
            lines = advice_lines(Advice(**sections[name]), Spoken({}, language))
            said[name] = {**sections[name], "lines": list(lines)}
    return {**sections, **said} if said else sections


def said_of(picture: GamePicture, language: Language, *, helps: bool) -> Sections:
    """What is said of a picture in finished lines of one language (`tamsk_pi.signals.lines`)."""
    board = picture.board
    scene = Scene(
        snapshot=picture.snapshot,
        rulings=picture.rulings,
        ring_mode=picture.ring_mode,
        by_place=picture.setup == "corners" and not picture.position,
        problem=picture.problem,
        unkept=picture.unkept,
        differences=picture.differences.as_details(),
        holders=picture.snapshot.rings_left if board is None else {str(p): n for p, n in board.holders.items()},
        caps=picture.caps,
        helps=helps,
    )
    return lines_of(scene, language)


def _glass(view: GlassView, board: BoardView | None) -> dict[str, object]:
    lying = None if board is None else board.glasses.get(view.name)
    where: GlassView | LyingGlass = view if lying is None else lying
    return {
        "socket": where.socket,
        "between": None if lying is None else lying.between,
        "in_hand": where.in_hand,
        "lifted_from": where.lifted_from,
        "up": where.up,
        "stood": {} if lying is None else dict(lying.stood),
        "stops_at_ms": where.stops_at_ms,
        "full_ms": where.full_ms,
        "moved": view.moved,
        "out": view.out,
    }


def _rings(picture: GamePicture) -> dict[str, list[Player | None]]:
    if picture.board is not None:
        return {socket: list(owners) for socket, owners in picture.board.rings.items() if owners}
    seen = picture.snapshot.seen_rings
    owners = ring_owners(picture.rulings)
    return {socket: _fitted(owners.get(socket, {}), count) for socket, count in seen.items() if count}


def _owners_of_missing(picture: GamePicture) -> dict[str, Player | None]:
    """Whose the lowest ring is that counts on a socket and does not lie there, by socket; None where nobody knows."""
    lying = (
        picture.snapshot.seen_rings
        if picture.board is None
        else {socket: len(stack) for socket, stack in picture.board.rings.items()}
    )
    missing = {s: lying.get(s, 0) for s, count in picture.snapshot.rings.items() if lying.get(s, 0) < count}
    owners = ring_owners(picture.rulings) if missing else {}
    return {socket: owners.get(socket, {}).get(height + 1) for socket, height in missing.items()}


def _missing_rings(picture: GamePicture) -> dict[str, int]:
    """How many counted rings the sensors no longer see, by socket."""
    seen, counted = picture.snapshot.seen_rings, picture.snapshot.rings
    missing = {socket: count - seen.get(socket, 0) for socket, count in counted.items()}
    return {socket: count for socket, count in missing.items() if count > 0}


def _fitted(owners: Mapping[int, Player], count: int) -> list[Player | None]:
    return [owners.get(height) for height in range(1, count + 1)]
