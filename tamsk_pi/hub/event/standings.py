"""Standings, and the tie-breaks that order players of equal points.

| tie-break | what it is |
|---|---|
| `direct` | points in the games that the tied players had with each other, where all of them met |
| `buchholz` | points of all opponents; a round that was not played counts as one against oneself (FIDE C.07, 2024) |
| `buchholz_cut1` | the same without the lowest of them |
| `sonneborn` | points of the opponents beaten, and half of those drawn with |
| `wins` | games won, forfeits not among them |
| `koya` | points against those who have half of the points or more |

A Swiss is ordered by `buchholz_cut1`, `buchholz`, `sonneborn`, `direct`, `wins`; a round robin by `direct`, `wins`,
`sonneborn`, `koya`. Whoever is equal in all of them shares a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final

import attrs

from tamsk_pi.hub.event.history import History, Player

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


def standings(history: History, system: str) -> list[Standing]:
    """The table after the results so far."""
    names = TIE_BREAKS[system]
    points = {player.number: history.points(player.number) for player in history.players}
    values = {player.number: _values(history, player.number, points) for player in history.players}
    by_points = sorted(history.players, key=lambda player: -points[player.number])
    for _, group in groupby(by_points, key=lambda player: points[player.number]):
        tied = [player.number for player in group]
        for number, value in _direct(history, tied).items():
            values[number]["direct"] = value

    def key(player: Player) -> tuple[float, ...]:
        return (-points[player.number], *(-values[player.number][name] for name in names))

    table: list[Standing] = []
    for index, player in enumerate(sorted(history.players, key=lambda player: (*key(player), player.number))):
        shared = bool(table) and key(table[-1].player) == key(player)
        place = table[-1].place if shared else index + 1
        mine = values[player.number]
        played = sum(pairing.is_played for pairing in history.of(player.number))
        table.append(Standing(place, player, points[player.number], played, {name: mine[name] for name in names}))
    return table


def _values(history: History, player: int, points: Mapping[int, float]) -> dict[str, float]:
    opponents: list[float] = []
    sonneborn = wins = koya = 0.0
    rounds = history.newest_round() or 1
    for pairing in history.of(player):
        if pairing.result is None:
            continue
        got, opponent = pairing.points_of(player), pairing.opponent_of(player)
        against = points[opponent] if pairing.is_played and opponent is not None else points[player]
        opponents.append(against)
        sonneborn += got * against
        if pairing.is_played and opponent is not None:
            wins += got == 1.0
            koya += got if points[opponent] * 2 >= rounds else 0.0
    cut = sum(opponents) - min(opponents, default=0.0)
    return {
        "buchholz": sum(opponents),
        "buchholz_cut1": cut,
        "sonneborn": sonneborn,
        "wins": wins,
        "koya": koya,
        "direct": 0.0,
    }


def _direct(history: History, tied: Sequence[int]) -> dict[int, float]:
    """Points among the tied, if each of them has met each other; else nobody gets any."""
    among = [p for p in history.pairings if p.is_played and p.red in tied and p.black in tied]
    met = {frozenset((p.red, p.black)) for p in among}
    if len(tied) < 2 or len(met) < len(tied) * (len(tied) - 1) // 2:
        return dict.fromkeys(tied, 0.0)
    return {number: sum(p.points_of(number) for p in among if number in (p.red, p.black)) for number in tied}
