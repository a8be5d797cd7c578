"""A whole trace to rulings: edges to settled changes, these to acts, the acts to the judge.

Quotations in comments are from sensing.md. Nothing here is incremental: each input is settled on its own from first
to last edge, the changes are sorted, and looking ahead is free.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.geometry import CORNERS, GLASSES, SIDES, SOCKETS, other_side
from tests.oracle.judge import Game
from tests.oracle.settings import Settings, settings_of
from tests.oracle.settling import settle
from tests.oracle.which_glass import choose_glass

# "At equal times: tilt, then socket opened, socket closed, ring, holder, button; then by name."
LINK_UP, TILT, OPENED, CLOSED, RING, HOLDER, BUTTON, LINK_DOWN = range(8)
FIELD_OF_END = {"a": "N", "b": "S"}
END_OF_FIELD = {"N": "a", "S": "b"}
LONG_MS, HELD_MS = 800, 3000


@dataclass(frozen=True)
class Change:
    """A settled change in its place in the order. `value`: the new value (ring, holder: the difference)."""

    t: int
    order: int
    name: str
    value: Any = None


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The trace's lines: its header first."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def rulings_of(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What must be ruled on a trace, given its header and its edges."""
    header, *edges = lines
    return _Reader(settings_of(header), edges).rulings()


class _Reader:
    def __init__(self, settings: Settings, lines: list[Mapping[str, Any]]) -> None:
        self.settings = settings
        ends = [line["t"] for line in lines if line.get("end")]
        # "A trace without an `end` ends at its last `t`."
        self.end: int = ends[0] if ends else max((line["t"] for line in lines), default=0)
        self.lines = lines
        self.horizon = self.end
        self.changes: list[Change] = []
        self.faults: list[tuple[int, str, dict[str, Any]]] = []
        self._settle_all()
        self.changes.sort(key=lambda change: (change.t, change.order, change.name))
        tilts: dict[str, list[int]] = {}
        for change in self.changes:
            if change.order == TILT:
                tilts.setdefault(change.name, []).append(change.t)
        self.game = Game(settings, tilts)
        self.standing: dict[str, str] = {} if settings.free else {at: glass for glass, at in CORNERS.items()}
        self.hand: list[str] = list(GLASSES) if settings.free else []
        self.tilted: set[str] = set()
        self.phantoms: set[str] = set()
        self.dropped: set[int] = set()
        self.decided: set[int] = set()

    # -- edges to changes --------------------------------------------------------------------------------------------

    def _settle_all(self) -> None:
        """Settle every input in each stretch of the trace between link down and link up."""
        values = self._initial_values()
        inputs: dict[tuple[str, str], list[tuple[int, Any]]] = {}
        down = False
        for line in self.lines:
            t = line["t"]
            if "link" in line:
                if line["link"] == "down" and not down:
                    self._settle_stretch(inputs, values, t, last=False)
                    self.changes.append(Change(t, LINK_DOWN, ""))
                elif line["link"] == "up":
                    self.changes.append(Change(t, LINK_UP, "", self._snapshot(values, line)))
                inputs = {}
                down = line["link"] == "down"
            elif not down and (key := _input_of(line)) is not None:
                inputs.setdefault(key[0], []).append((t, key[1]))
        if not down:
            self._settle_stretch(inputs, values, self.end, last=True)

    def _initial_values(self) -> dict[tuple[str, str], Any]:
        values: dict[tuple[str, str], Any] = {}
        for socket in SOCKETS:
            values["socket", socket] = None if self.settings.hall else False
            values["ring", socket] = 0
        if not self.settings.free:
            for glass, at in CORNERS.items():
                values["socket", at] = FIELD_OF_END[self.settings.up[glass]] if self.settings.hall else True
        for glass in (*GLASSES, "N"):
            values["tilt", glass] = self.settings.up[glass]
        for side in SIDES:
            values["holder", side] = 32
        for button in (*SIDES, "arbiter"):
            values["button", button] = False
        return values

    def _settle_stretch(
        self,
        inputs: dict[tuple[str, str], list[tuple[int, Any]]],
        values: dict[tuple[str, str], Any],
        end: int,
        last: bool,
    ) -> None:
        for (kind, name), edges in inputs.items():
            gap, settle_ms = self.settings.gap_ms[kind], self.settings.settle_ms[kind]
            found = settle(edges, values[kind, name], gap, settle_ms, end)
            for t in found.noisy_at_ms:
                self.faults.append((t, "noisy", {kind: name}))
            if last and found.unsettled_since_ms is not None:
                # "a change is held back while any input has an unsettled burst that began earlier"
                self.horizon = min(self.horizon, found.unsettled_since_ms)
            if kind == "button":
                self._read_presses(name, found.changes, end, last)
            for t, old, new in found.changes:
                self._note_change(t, kind, name, old, new)
                values[kind, name] = new

    def _note_change(self, t: int, kind: str, name: str, old: Any, new: Any) -> None:
        if kind == "tilt":
            self.changes.append(Change(t, TILT, name))
        elif kind == "socket":
            # "A field that goes from `N` to `S` at once is a lift and a placing at that time, turned."
            if old:
                self.changes.append(Change(t, OPENED, name))
            if new:
                self.changes.append(Change(t, CLOSED, name, END_OF_FIELD[new] if self.settings.hall else None))
        elif kind == "ring" and self.settings.rings == "stack":
            self.changes.append(Change(t, RING, name, new - old))
        elif kind == "holder" and self.settings.rings == "holder":
            self.changes.append(Change(t, HOLDER, name, new - old))

    def _read_presses(self, name: str, changes: list[tuple[int, Any, Any]], end: int, last: bool) -> None:
        """ "Short and long take effect with the time of their down edge, held with that of its third second." """
        downs = [t for t, _, new in changes if new]
        ups = [t for t, _, new in changes if not new]
        for down in downs:
            up = next((t for t in ups if t > down), None)
            if (up if up is not None else end) - down >= HELD_MS:
                self.changes.append(Change(down + HELD_MS, BUTTON, name, ("held", down, up)))
            elif up is not None:
                self.changes.append(Change(down, BUTTON, name, ("long" if up - down >= LONG_MS else "short", down, up)))
            elif last:
                self.horizon = min(self.horizon, down)  # "So a press holds the order back while it lasts"

    def _snapshot(self, values: dict[tuple[str, str], Any], line: Mapping[str, Any]) -> dict[str, Any]:
        """What the snapshot of a link that came up shows to be different; the values go on from there."""
        differences: dict[str, Any] = {}
        occupied, up = set(line.get("occupied", ())), line.get("up", {})
        before = {socket for socket in SOCKETS if values["socket", socket]}
        if appeared := sorted(occupied - before):
            differences["appeared"] = appeared
        if gone := sorted(before - occupied):
            differences["gone"] = gone
        for socket in SOCKETS:
            if (socket in occupied) != (socket in before):
                values["socket", socket] = socket in occupied
        if turned := sorted(glass for glass, end in up.items() if values["tilt", glass] != end):
            differences["turned"] = turned
            values.update({("tilt", glass): up[glass] for glass in turned})
        return differences

    # -- changes to acts ---------------------------------------------------------------------------------------------

    def rulings(self) -> list[dict[str, Any]]:
        """Walk the changes in order."""
        for index, change in enumerate(self.changes):
            if index in self.dropped:
                continue
            if change.order == CLOSED and index not in self.decided:
                self._look_for_second_closing(index)
            if change.t > self.horizon:
                break
            if index not in self.dropped:
                self._act(change)
        told = self.game.finish(self.horizon)
        over_at = told[-1]["t"] if told and told[-1]["ruling"] == "game_over" else self.horizon
        told += [{"t": t, "ruling": "fault", "code": code, **more} for t, code, more in self.faults if t <= over_at]
        return sorted(told, key=lambda ruling: int(ruling["t"]))

    def _act(self, change: Change) -> None:
        game, t, name = self.game, change.t, change.name
        if change.order == TILT:
            if name in self.hand:
                self.tilted.add(name)
            game.tilt(t, name)
        elif change.order == OPENED:
            self._open(t, name)
        elif change.order == CLOSED:
            self._close(t, name, change.value)
        elif change.order == RING:
            for _ in range(abs(change.value)):
                (game.ring_on if change.value > 0 else game.ring_off)(t, name)
        elif change.order == HOLDER:
            for _ in range(abs(change.value)):
                (game.holder_taken if change.value < 0 else game.holder_returned)(t, name)
        elif change.order == BUTTON:
            self._press(t, name, *change.value)
        elif change.order == LINK_DOWN:
            game.link_down(t)
        else:
            game.link_up(t, change.value)

    def _open(self, t: int, socket: str) -> None:
        """ "An open socket whose glass is known means that glass is in hand." """
        glass = self.standing.pop(socket, None)
        if glass is None:
            self.phantoms.discard(socket)  # "ignored until it opens again"
            return
        self.hand.append(glass)
        self.tilted.discard(glass)
        self.game.lift(t, glass)

    def _close(self, t: int, socket: str, field_up: str | None) -> None:
        if not self.hand:
            # "A socket that closes with no glass in hand is a `fault` (`unexpected_closed`)"
            self.phantoms.add(socket)
            self.game.run_before(t)
            self.game.fault(t, "unexpected_closed", socket=socket)
            return
        glass = self._which_glass(t, socket)
        self.hand.remove(glass)
        self.standing[socket] = glass
        self.game.place(t, glass, socket, field_up)

    def _which_glass(self, t: int, socket: str) -> str:
        if len(self.hand) == 1:
            return self.hand[0]
        self.game.run_before(t)
        glass, told_apart = choose_glass(self.game, self.hand, self.tilted, socket)
        if not told_apart:
            self.game.fault(t, "ambiguous", socket=socket)
        return glass

    def _look_for_second_closing(self, index: int) -> None:
        """ "Two sockets that close … within one socket settle time of each other for a single glass in hand" """
        if len(self.hand) != 1:
            return
        first = self.changes[index]
        for later in range(index + 1, len(self.changes)):
            second = self.changes[later]
            if second.t - first.t > self.settings.settle_ms["socket"]:
                return
            if second.order == OPENED:
                if second.name in self.standing or second.name == first.name:
                    return
            elif second.order == CLOSED:
                self._hold_until_one_opens(index, later)
                return

    def _hold_until_one_opens(self, index: int, later: int) -> None:
        first, second = self.changes[index], self.changes[later]
        self.faults.append((second.t, "ambiguous_placing", {"sockets": [first.name, second.name]}))
        # "nothing is judged until one of them opens, and the placing in the one that stays closed bears the time at
        # which that one closed"
        for opening in range(later + 1, len(self.changes)):
            change = self.changes[opening]
            if change.order == OPENED and change.name in (first.name, second.name):
                left = index if change.name == first.name else later
                self.dropped |= {left, opening}
                self.decided |= {index, later}
                return
        self.horizon = min(self.horizon, first.t - 1)

    def _press(self, t: int, name: str, length: str, down: int, up: int | None) -> None:
        if name == "arbiter":
            return  # what the arbiter's button does to a game is not judged here
        if length != "held":
            self.game.press(t, name, long=length == "long")
            return
        # "resigns; both sides at once: draw agreed"
        others = [
            change
            for change in self.changes
            if change.order == BUTTON and change.name == other_side(name) and change.value[0] == "held"
        ]
        for other in others:
            _, other_down, other_up = other.value
            if other_down <= t and (up is None or up >= other.t) and (other_up is None or other_up >= t):
                self.game.agree(max(t, other.t))
                return
        self.game.resign(t, name)


def _input_of(line: Mapping[str, Any]) -> tuple[tuple[str, str], Any] | None:
    for kind in ("socket", "tilt", "ring", "holder", "button"):
        if kind in line:
            value_key = next(key for key in ("closed", "field", "up", "count", "down") if key in line)
            return (kind, line[kind]), line[value_key]
    return None
