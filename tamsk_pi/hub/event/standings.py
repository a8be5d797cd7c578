"""Standings, and the tie-breaks that order players of equal points (FIDE Handbook C.07, in force from August 2023).

| tie-break | what it is | article |
|---|---|---|
| `direct` | points in the games that those still tied had with each other | 6 |
| `buchholz` | points of all opponents | 8.1 |
| `buchholz_cut1` | the same without the lowest of them | 8.1, 14.1 |
| `sonneborn` | points of the opponents beaten, and half of those drawn with | 9.1 |
| `wins` | games won, forfeits not among them | 7.2 |
| `koya` | points against those who have half of the points that they could have, or more | 9.2 |

A Swiss is ordered by `buchholz_cut1`, `buchholz`, `sonneborn`, `direct`, `wins`; a round robin by `direct`, `wins`,
`sonneborn`, `koya`. Whoever is equal in all of them shares a place.

Rounds that were not played (article 16): in a round robin a forfeit counts as if it had been played. In a Swiss a round
of one's own that was not played counts as one against somebody with as many points as oneself; of these the ones that
one chose not to play (a bye one asked for, a forfeit lost) are cut first. For one's opponents, byes asked for and never
followed by a round for which one was there count as draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final

import attrs

from tamsk_pi.hub.event.history import History, Pairing, Player

TIE_BREAKS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "swiss": ("buchholz_cut1", "buchholz", "sonneborn", "direct", "wins"),
        "round_robin": ("direct", "wins", "sonneborn", "koya"),
        "double_round_robin": ("direct", "wins", "sonneborn", "koya"),
    }
)
"""What orders players of equal points, by system."""


@attrs.frozen
class Standing:
    """One line of the table."""

    place: int
    player: Player
    points: float
    played: int
    tie_breaks: Mapping[str, float]


@attrs.frozen
class _Round:
    """One round of a player's. `opponent` None: it counts as one against somebody with the player's own points."""

    got: float
    opponent: int | None
    chosen: bool = False
    """Not played by the player's own choice."""
    asked: bool = False
    """A bye that the player asked for, or an absence."""
    won: bool = False
    """On the board."""


def standings(history: History, system: str) -> list[Standing]:
    """The table after the results so far."""
    names = TIE_BREAKS[system]
    swiss = system == "swiss"
    rounds = {p.number: list(_rounds(history, p.number, swiss=swiss)) for p in history.players}
    points = {number: sum(one.got for one in of) for number, of in rounds.items()}
    seen = {number: _as_opponent(of) for number, of in rounds.items()} if swiss else points
    values = {number: _values(rounds, number, points, seen) for number in rounds}
    table: list[Standing] = []
    by_points = sorted(rounds, key=lambda number: (-points[number], number))
    for _, group in groupby(by_points, key=lambda number: points[number]):
        for shared in _ordered(list(group), names, values, history, swiss=swiss):
            place = len(table) + 1
            for number in shared:
                player = next(p for p in history.players if p.number == number)
                played = sum(pairing.is_played for pairing in history.of(number))
                breaks = {name: values[number][name] for name in names}
                table.append(Standing(place, player, points[number], played, breaks))
    return table


def _rounds(history: History, player: int, *, swiss: bool) -> Iterator[_Round]:
    mine = {pairing.round: pairing for pairing in history.of(player)}
    for number in range(1, history.newest_round() + 1):
        pairing = mine.get(number)
        if pairing is None:
            if swiss:
                yield _Round(0.0, None, chosen=True, asked=True)
        elif pairing.result is not None and (swiss or pairing.black is not None):
            yield _round(pairing, player, swiss=swiss)


def _round(pairing: Pairing, player: int, *, swiss: bool) -> _Round:
    got = pairing.points_of(player)
    if pairing.is_played or (pairing.black is not None and not swiss):
        return _Round(got, pairing.opponent_of(player), won=pairing.is_played and got == 1.0)
    asked = pairing.result in ("half_bye", "zero_bye")
    return _Round(got, None, chosen=asked or (pairing.black is not None and got == 0.0), asked=asked)


def _as_opponent(rounds: Sequence[_Round]) -> float:
    """A player's points as they count for the opponents (article 16.3)."""
    last = max((at for at, one in enumerate(rounds) if not one.asked), default=-1)
    return sum(0.5 if at > last else one.got for at, one in enumerate(rounds))


def _values(
    rounds: Mapping[int, Sequence[_Round]], player: int, points: Mapping[int, float], seen: Mapping[int, float]
) -> dict[str, float]:
    mine = rounds[player]
    against = [points[player] if one.opponent is None else seen[one.opponent] for one in mine]
    chosen = [value for one, value in zip(mine, against, strict=True) if one.chosen]
    koya = sum(
        one.got for one in mine if one.opponent is not None and points[one.opponent] * 2 >= len(rounds[one.opponent])
    )
    return {
        "buchholz": sum(against),
        "buchholz_cut1": sum(against) - min(chosen or against, default=0.0),
        "sonneborn": sum(one.got * value for one, value in zip(mine, against, strict=True)),
        "wins": sum(one.won for one in mine),
        "koya": koya,
        "direct": 0.0,
    }


def _ordered(
    tied: Sequence[int],
    names: Sequence[str],
    values: Mapping[int, dict[str, float]],
    history: History,
    *,
    swiss: bool,
) -> list[list[int]]:
    """These players in order, those who share a place together; fills in `direct` where it was asked."""
    if len(tied) < 2 or not names:
        return [list(tied)]
    if names[0] == "direct":
        groups = by_encounter(tied, values, history, swiss=swiss)
    else:
        ordered = sorted(tied, key=lambda number: (-values[number][names[0]], number))
        groups = [list(group) for _, group in groupby(ordered, key=lambda number: values[number][names[0]])]
    return [part for group in groups for part in _ordered(group, names[1:], values, history, swiss=swiss)]


def by_encounter(
    tied: Sequence[int], values: Mapping[int, dict[str, float]], history: History, *, swiss: bool
) -> list[list[int]]:
    """The tied by what they did against each other (article 6), again for those whom it left tied.

    In a Swiss not all of them need have met: then one comes first who would whatever the missing games had brought.
    """
    among = [
        pairing
        for pairing in history.pairings
        if pairing.red in tied and pairing.black in tied and pairing.result is not None
        if pairing.is_played or not swiss
    ]
    got = {number: sum(p.points_of(number) for p in among if number in (p.red, p.black)) for number in tied}
    met = {frozenset((p.red, p.black)) for p in among}
    missing = {
        number: sum(frozenset((number, other)) not in met for other in tied if other != number) for number in tied
    }
    if any(missing.values()):
        first = max(tied, key=lambda number: got[number])
        if not swiss or any(got[other] + missing[other] >= got[first] for other in tied if other != first):
            return [list(tied)]
        values[first]["direct"] = got[first]
        rest = [number for number in tied if number != first]
        return [[first], *(by_encounter(rest, values, history, swiss=swiss) if len(rest) > 1 else [rest])]
    for number in tied:
        values[number]["direct"] = got[number]
    ordered = sorted(tied, key=lambda number: (-got[number], number))
    groups = [list(group) for _, group in groupby(ordered, key=lambda number: got[number])]
    if len(groups) == 1:
        return groups
    again: list[list[int]] = []
    for group in groups:
        # What is shown stays what the whole group's games came to.
        shown = {number: dict(values[number]) for number in group}
        again += by_encounter(group, shown, history, swiss=swiss) if len(group) > 1 else [group]
    return again
