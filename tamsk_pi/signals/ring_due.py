"""Whose ring a situation asks for: what a key that drops a ring means, without anybody choosing a side."""

from __future__ import annotations

from collections.abc import Mapping

from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import Player


def ring_due(snapshot: Snapshot, missing: Mapping[str, Player | None]) -> dict[str, Player]:
    """Whose ring the situation asks for, by socket; the empty name is for every other socket. Where it asks for none
    it is not among them.

    `missing`: the sockets on which a ring that counts does not lie, and whose it is, as far as that is known.
    """
    due: dict[str, Player] = {}
    for right in sorted(snapshot.rights, key=lambda right: right.kind != "penalty"):
        if right.socket is None:
            due[""] = right.player
        elif right.kind == "move" or right.socket not in due:
            due[right.socket] = right.player
    for right in snapshot.rights:
        # The other side's own glass in its hand says that it is claiming, and about to move.
        holds = any(view.in_hand and view.name[0] == right.player[0].upper() for view in snapshot.glasses.values())
        if right.kind == "claim" and right.socket is not None and holds:
            due[right.socket] = right.player
    for violation in snapshot.violations:
        if violation.code == "ring_removed" and violation.socket is None and violation.player is not None:
            due[""] = violation.player
    due |= {socket: owner for socket, owner in missing.items() if owner is not None}
    return due
