"""Whose rings lie where, as far as the rulings tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import Player


def ring_owners(rulings: Sequence[Ruling]) -> Mapping[str, Mapping[int, Player]]:
    """Who dropped the ring at each height of each socket (1 is the lowest), as far as the rulings tell."""
    owners: dict[str, dict[int, Player]] = {}
    for ruling in rulings:
        undone = ruling.get("rings")
        if ruling.get("code") == "taken_back" and isinstance(undone, Mapping):
            for socket, rings in undone.items():
                lying = owners.get(socket, {})
                for height in sorted(lying, reverse=True)[:rings]:
                    del lying[height]
        if ruling.kind != "ring":
            continue
        socket, count, player = ruling.get("socket"), ruling.get("count"), ruling.get("player")
        if isinstance(socket, str) and isinstance(count, int) and player in ("red", "black"):
            owners.setdefault(socket, {})[count] = "red" if player == "red" else "black"
    return owners
