"""The lines of a trace to settled changes in their order (sensing.md, "Edges, bursts, …", "Order", "Buttons").

Nothing here is incremental: each input is settled on its own from first to last edge, and the changes are sorted.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tamsk_pi.witness.geometry import CAPACITY, CORNERS, GLASSES, SIDES, SOCKETS
from tamsk_pi.witness.settings import Settings
from tamsk_pi.witness.settling import Settled, believe, settle

# "At equal times: tilt, then socket opened, socket closed, ring, holder, button; then by name."
SEE_AGAIN, TILT, OPENED, CLOSED, RING, HOLDER, BUTTON, BLIND = range(8)
FIELD_OF_END = {"a": "N", "b": "S"}
END_OF_FIELD = {"N": "a", "S": "b"}
LONG_MS, HELD_MS = 800, 3000
TOGETHER_MS, TWICE_MS = 300, 2000

Input = tuple[str, str]


@dataclass(frozen=True)
class Change:
    """A settled change in its place in the order. `value`: the new value (ring, holder: the difference)."""

    t: int
    order: int
    name: str
    value: Any = None
    known_at_ms: int = 0
    jump: bool = False
    at_once: bool = False
    """Of a field that changed sides: the glass that stands there was lifted and set down at that time."""


@dataclass(frozen=True)
class Press:
    """A press of a button: `kind` is short, long or held."""

    kind: str
    down_ms: int
    up_ms: int | None


@dataclass(frozen=True)
class Again:
    """Judging begins again: by a link that is up, with its snapshot, or by the arbiter's word."""

    line: Mapping[str, Any]
    values: Mapping[Input, Any] | None
    """What every input tells then; None: as the changes that were not judged left it."""
    length_is_known: bool = True


class Inputs:
    """A whole trace's changes. `horizon` is how far anything can be judged."""

    def __init__(self, settings: Settings, lines: Sequence[Mapping[str, Any]]) -> None:
        self.settings = settings
        ends = [line["t"] for line in lines if line.get("end")]
        # "A trace without an `end` ends at its last `t`."
        self.end: int = ends[0] if ends else max((line["t"] for line in lines), default=0)
        self.horizon = self.end
        self.changes: list[Change] = []
        self.faults: list[tuple[int, str, dict[str, Any]]] = []
        self.said_pause_ms: list[int] = []
        """When the arbiter said that nothing was to be judged. (A button's press comes in its place in the order.)"""
        self.presses: dict[str, list[Press]] = {button: [] for button in (*SIDES, "arbiter")}
        self._settle_all(lines)
        self._arbiters_button()
        self._both_twice()
        self.changes.sort(key=lambda change: (change.t, change.order, change.name))

    @property
    def blind_ms(self) -> list[int]:
        """When judging stops. A pause by the arbiter's button comes in order: what came before is judged."""
        cut = [one.t for one in self.changes if one.order == BLIND and one.name == "link"]
        return [*cut, *self.said_pause_ms, self.end]

    def _settle_all(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Settle every input in each stretch of the trace between link down and link up."""
        values = initial_values(self.settings)
        edges: dict[Input, list[tuple[int, Any]]] = {}
        down = False
        for line in lines:
            t = line["t"]
            if "link" in line:
                if line["link"] == "down" and not down:
                    self._settle_stretch(edges, values, t, last=False)
                    self.changes.append(Change(t, BLIND, "link"))
                elif line["link"] == "up":
                    values = _after_snapshot(values, line, self.settings)
                    again = Again(line, dict(values), bool(line.get("gap_known", True)))
                    self.changes.append(Change(t, SEE_AGAIN, "link", again))
                edges = {}
                down = line["link"] == "down"
            elif "arbiter" in line:
                self._take_word(line)
            elif not down and (key := input_of(line)) is not None:
                edges.setdefault(key[0], []).append((t, key[1]))
        if not down:
            self._settle_stretch(edges, values, self.end, last=True)

    def _take_word(self, line: Mapping[str, Any]) -> None:
        t, word = line["t"], line["arbiter"]
        if word == "pause":
            self.changes.append(Change(t, BLIND, "pause"))
            self.said_pause_ms.append(t)
        elif word == "resume":
            self.changes.append(Change(t, SEE_AGAIN, "pause", Again(line, None)))
        elif word != "recheck":
            # What the arbiter's other words do is no part of the contract.
            self.horizon = min(self.horizon, t)

    def _arbiters_button(self) -> None:
        """ "arbiter: pause and go on; recheck the last verdict; annul it" """
        paused = False
        for press in self.presses["arbiter"]:
            if press.kind == "held":
                self.horizon = min(self.horizon, press.down_ms + HELD_MS)
            elif press.kind == "short":
                t = press.down_ms
                again = Change(t, SEE_AGAIN, "pause", Again({}, None))
                self.changes.append(again if paused else Change(t, BLIND, "pause"))
                paused = not paused

    def _both_twice(self) -> None:
        """Both players press together, twice: they take the last move back, of which the contract says nothing."""
        downs = sorted((one.down_ms, side) for side in SIDES for one in self.presses[side] if one.kind == "short")
        together = [
            later[0]
            for one, later in itertools.pairwise(downs)
            if one[1] != later[1] and later[0] - one[0] <= TOGETHER_MS
        ]
        for first, second in itertools.pairwise(together):
            if second - first <= TWICE_MS:
                self.horizon = min(self.horizon, second)

    def _settle_stretch(
        self, inputs: Mapping[Input, Sequence[tuple[int, Any]]], values: dict[Input, Any], end: int, last: bool
    ) -> None:
        for (kind, name), all_edges in inputs.items():
            gap, settle_ms = self.settings.gap_ms[kind], self.settings.settle_ms[kind]
            edges = _edges_only(all_edges, values[kind, name])
            in_a_hand = kind == "socket" or (kind == "tilt" and name != "N")
            found = settle(edges, values[kind, name], gap, settle_ms, end, in_a_hand=in_a_hand)
            for t in found.noisy_at_ms:
                self.faults.append((t, "noisy", {kind: name}))
            if kind in ("ring", "holder"):
                believe(found, values[kind, name], CAPACITY[name] if kind == "ring" else 32, end)
                self.faults += [(t, "impossible_count", {kind: name}) for t in found.impossible_at_ms]
            if last and found.unsettled_since_ms is not None:
                # "a change is held back while any input has an unsettled burst that began earlier"
                self.horizon = min(self.horizon, found.unsettled_since_ms)
            if kind == "button":
                self._read_presses(name, found, end, last)
            for t, old, new in found.changes:
                self._note_change(t, kind, name, old, new, found)
                values[kind, name] = new

    def _note_change(self, t: int, kind: str, name: str, old: Any, new: Any, found: Settled) -> None:
        known = found.known_at_ms.get(t, t)
        if kind == "tilt":
            self.changes.append(Change(t, TILT, name, new, known))
        elif kind == "socket":
            # "A field that goes from `N` to `S` at once is a lift and a placing at that time, turned."
            if new:
                up = END_OF_FIELD[new] if self.settings.hall else None
                self.changes.append(Change(t, CLOSED, name, up, known, at_once=bool(old)))
            else:
                self.changes.append(Change(t, OPENED, name, None, known))
        elif kind == "ring" and self.settings.rings == "stack":
            self.changes.append(Change(t, RING, name, new - old, known, t in found.jumps))
        elif kind == "holder" and self.settings.rings == "holder":
            self.changes.append(Change(t, HOLDER, name, new - old, known, t in found.jumps))

    def _read_presses(self, name: str, found: Settled, end: int, last: bool) -> None:
        """ "Short and long take effect with the time of their down edge, held with that of its third second." """
        downs = [t for t, _, new in found.changes if new]
        ups = [t for t, _, new in found.changes if not new]
        for down in downs:
            up = next((t for t in ups if t > down), None)
            if (up if up is not None else end) - down >= HELD_MS:
                press = Press("held", down, up)
            elif up is not None:
                press = Press("long" if up - down >= LONG_MS else "short", down, up)
            else:
                if last:
                    self.horizon = min(self.horizon, down)  # "So a press holds the order back while it lasts"
                continue
            if down <= 0:
                continue  # A button that is down from the start is stuck, not pressed.
            self.presses[name].append(press)
            if name != "arbiter":
                t = down + HELD_MS if press.kind == "held" else down
                known = t if press.kind == "held" or up is None else found.known_at_ms[up]
                self.changes.append(Change(t, BUTTON, name, press, known))


def _edges_only(edges: Sequence[tuple[int, Any]], before: Any) -> list[tuple[int, Any]]:
    """Without lines that repeat a value: those are no edges."""
    kept: list[tuple[int, Any]] = []
    for t, value in edges:
        if value != before:
            kept.append((t, value))
        before = value
    return kept


def initial_values(settings: Settings) -> dict[Input, Any]:
    """What every input tells at the start."""
    values: dict[Input, Any] = {}
    for socket in SOCKETS:
        values["socket", socket] = None if settings.hall else False
        values["ring", socket] = 0
    if not settings.free:
        for glass, at in CORNERS.items():
            values["socket", at] = FIELD_OF_END[settings.up[glass]] if settings.hall else True
    for glass in (*GLASSES, "N"):
        values["tilt", glass] = settings.up[glass]
    for side in SIDES:
        values["holder", side] = 32
    for button in (*SIDES, "arbiter"):
        values["button", button] = False
    return values


def _after_snapshot(values: Mapping[Input, Any], line: Mapping[str, Any], settings: Settings) -> dict[Input, Any]:
    """What every input tells when a link came up."""
    after = dict(values)
    if "occupied" in line:
        fields = line.get("fields", {})
        for socket in SOCKETS:
            before = values["socket", socket]
            if socket not in line["occupied"]:
                after["socket", socket] = None if settings.hall else False
            elif settings.hall:
                after["socket", socket] = fields.get(socket, before or "N")
            else:
                after["socket", socket] = True
    after.update({("tilt", glass): end for glass, end in line.get("up", {}).items()})
    after.update({("ring", socket): count for socket, count in line.get("rings", {}).items()})
    after.update({("holder", side): count for side, count in line.get("holders", {}).items()})
    return after


def input_of(line: Mapping[str, Any]) -> tuple[Input, Any] | None:
    """Which input a line is of, and its value."""
    for kind in ("socket", "tilt", "ring", "holder", "button"):
        if kind in line:
            value_key = next(key for key in ("closed", "field", "up", "count", "down") if key in line)
            return (kind, line[kind]), line[value_key]
    return None
