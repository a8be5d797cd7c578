"""A whole trace to rulings: edges to settled changes, these to acts, the acts to the judge.

Quotations in comments are from sensing.md. Looking ahead is free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tamsk_pi.witness.again import see_again
from tamsk_pi.witness.game import Game
from tamsk_pi.witness.geometry import CORNERS, GLASSES, other_side, owner
from tamsk_pi.witness.inputs import (
    BLIND,
    BUTTON,
    CLOSED,
    HELD_MS,
    HOLDER,
    OPENED,
    RING,
    SEE_AGAIN,
    TILT,
    Change,
    Inputs,
    Press,
)
from tamsk_pi.witness.settings import Settings, settings_of
from tamsk_pi.witness.suppose import OFF_BOARD_MS, UNDECIDED_MS, Supposed, until_it_holds
from tamsk_pi.witness.which_glass import choose_glass


def rulings_of(lines: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What must be ruled on a trace, given its header and its edges."""
    return judged(lines)[0]


def judged(lines: Iterable[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """What must be ruled on a trace, and up to when the contract says what (ms)."""
    header, *edges = lines
    settings = settings_of(header)
    inputs = Inputs(settings, edges)

    def read(supposed: Supposed) -> tuple[list[dict[str, Any]], int]:
        reader = Reader(settings, inputs, supposed)
        return reader.rulings(), min(reader.horizon, reader.known_until)

    return until_it_holds(read)


class Reader:
    """Walks the changes of a trace once."""

    def __init__(self, settings: Settings, inputs: Inputs, supposed: Supposed) -> None:
        self.settings, self.inputs, self.supposed = settings, inputs, supposed
        self.changes = inputs.changes
        self.horizon = self.known_until = inputs.horizon
        tilts: dict[str, list[int]] = {}
        for change in self.changes:
            if change.order == TILT:
                tilts.setdefault(change.name, []).append(change.t)
        self.game = Game(settings, tilts, inputs.blind_ms, supposed)
        self.standing: dict[str, str] = {} if settings.free else {at: glass for glass, at in CORNERS.items()}
        self.hand: list[str] = []
        self.beside: list[str] = list(GLASSES) if settings.free else []
        self.tilted: set[str] = set()
        self.phantoms: set[str] = set()
        self.resting: dict[str, tuple[int, int]] = {}
        """Sockets in which a glass only rests: of which change that is supposed, and when it is lifted again."""
        self.rested: dict[str, tuple[str, int, int]] = {}
        """Where a glass in hand rested last, of which change that is supposed, and when it was lifted again."""
        self.dropped: set[int] = set()
        self.decided: set[int] = set()
        self.faults = list(inputs.faults)
        self.unwatched: list[Change] = []
        self.up: dict[str, str] = dict(settings.up)
        """What every tilt sensor told last."""
        self.blind_since: int | None = None
        self.not_known: list[Change] = []
        """What had not settled when the arbiter's word came."""
        self.looked_at_ms = -1
        """At this time no wire can have been it."""

    def rulings(self) -> list[dict[str, Any]]:
        """Walk the changes in order."""
        for index, change in enumerate(self.changes):
            if index in self.dropped:
                continue
            if self._is_unknown_at_pause(change):
                self.not_known.append(change)
                continue
            if self._is_of_a_wire(index):
                continue
            if self.blind_since is None and change.order == CLOSED and index not in self.decided:
                self._look_for_second_closing(index)
            if change.t > self.horizon:
                break
            if index not in self.dropped:
                self._act(index, change)
        if self.blind_since is not None:
            # Nobody looked on any more.
            self.horizon = min(self.horizon, self.blind_since)
        told = self.game.finish(self.horizon)
        over_at = told[-1]["t"] if told and told[-1]["ruling"] == "game_over" else self.horizon
        told += [{"t": t, "ruling": "fault", "code": code, **more} for t, code, more in self.faults if t <= over_at]
        return sorted(told, key=lambda ruling: int(ruling["t"]))

    def _is_unknown_at_pause(self, change: Change) -> bool:
        """ "A ruling is given only where all that it rests on has settled": not when the arbiter's word came before."""
        began = change.value.down_ms if change.order == BUTTON else change.t
        if change.order in (SEE_AGAIN, BLIND):
            return False
        return any(began <= pause < change.known_at_ms for pause in self.inputs.said_pause_ms)

    def _leave_open_tilts(self, t: int) -> None:
        """A lift might still have made a turning of these: what they tell differs from what was judged."""
        for glass in self.game.glasses.values():
            for c in [c for c in glass.loose_tilts if c >= t - self.settings.flip_grace_ms]:
                glass.loose_tilts.remove(c)
                self.unwatched.append(Change(c, TILT, glass.name))
                self.up[glass.name] = "b" if self.up[glass.name] == "a" else "a"

    def _is_of_a_wire(self, index: int) -> bool:
        """ "Several inputs that change in one millisecond and have a row or a column of the matrix in common, and
        nothing else, are a `fault` (`wire`)": where glasses stand, as nothing else can be a wire."""
        t = self.changes[index].t
        if t == self.looked_at_ms or self.blind_since is not None or self.game.over:
            return index in self.dropped
        self.looked_at_ms = t
        together = []
        for later in range(index, len(self.changes)):
            change = self.changes[later]
            if change.t != t or change.order == BLIND:
                break
            if change.order in (TILT, OPENED, CLOSED, RING, HOLDER) and later not in self.dropped:
                together.append(later)
        if not self._share_a_wire([self.changes[one] for one in together]):
            return False
        self.dropped |= set(together)
        names = [self.changes[one].name for one in together]
        if self.changes[index].order != CLOSED:
            self.faults.append((t, "wire", {"inputs": names}))
        return index in self.dropped

    def _share_a_wire(self, changes: Sequence[Change]) -> bool:
        names = {change.name for change in changes}
        if len({change.order for change in changes}) != 1 or len(names) < 2:
            return False
        if changes[0].order == TILT:
            return len(names) > 2 and names <= set(self.standing.values())
        if changes[0].order not in (OPENED, CLOSED) or not names <= self.standing.keys():
            return False
        return len({name[0] for name in names}) == 1 or len({name[1] for name in names}) == 1

    def _act(self, index: int, change: Change) -> None:
        game, t, name = self.game, change.t, change.name
        if change.order == TILT:
            self.up[name] = change.value
        if change.order == BLIND:
            if self.blind_since is None:
                self.blind_since, self.unwatched = t, [one for one in self.not_known if one.order != BUTTON]
                self.not_known = []
                self._leave_open_tilts(t)
                game.blind(t)
        elif change.order < TILT:
            if self.blind_since is not None:
                see_again(self, t, change.value)
                self.blind_since = None
        elif self.blind_since is not None:
            self.unwatched.append(change)
        elif change.order == TILT and name == "N":
            game.turn_timer(t)
        elif change.order == TILT:
            if self.settings.tilt and (name in self.hand or name in self.beside):
                self.tilted.add(name)
            game.tilt(t, name)
        elif change.order == OPENED:
            self._open(t, name)
        elif change.order == CLOSED and (change.at_once or name in self.standing):
            self._field_told(t, name, change)
        elif change.order == CLOSED:
            self._close(index, t, name, change.value)
        elif change.order == RING and change.value > 0:
            game.ring_on(t, name, change.value, change.jump)
        elif change.order == RING:
            game.ring_off(t, name, -change.value)
        elif change.order == HOLDER and change.value < 0:
            game.holder_taken(t, name, -change.value, change.jump)
        elif change.order == HOLDER:
            game.holder_returned(t, name, change.value)
        else:
            self._press(t, name, change.value)

    def tilt_before(self, glass: str) -> str:
        """What a tilt sensor told last."""
        return self.up[glass]

    def note_tilts(self, up: Mapping[str, str]) -> None:
        """What they tell now."""
        self.up.update(up)

    def _open(self, t: int, socket: str) -> None:
        """ "An open socket whose glass is known means that glass is in hand." """
        if socket in self.resting:
            del self.resting[socket]  # It rested, and goes on in the same hand.
            return
        glass = self.standing.pop(socket, None)
        if glass is None:
            self.phantoms.discard(socket)  # "ignored until it opens again"
            return
        self.hand.append(glass)
        self.tilted.discard(glass)
        self.game.lift(t, glass)

    def _field_told(self, t: int, socket: str, change: Change) -> None:
        """ "a field that goes from `N` to `S` at once is a lift and a placing at that time, turned" """
        glass = self.standing.get(socket)
        if (
            glass is None
            or change.value is None
            or (not change.at_once and change.value == self.game.glasses[glass].up)
        ):
            return
        self.game.lift(t, glass)
        self.game.place(t, glass, socket, change.value)

    def _close(self, index: int, t: int, socket: str, field_up: str | None) -> None:
        if not self.hand and not self.beside:
            # "A socket that closes with no glass in hand is a `fault` (`unexpected_closed`)"
            self.phantoms.add(socket)
            self.game.run_before(t)
            self.game.fault(t, "unexpected_closed", socket=socket)
            return
        glass = self._which_glass(t, socket)
        self._where_it_rested(index, glass)
        again = self._only_rests(index, glass)
        if again is not None and self.supposed.ask("rests", index, 1):
            self.resting[socket] = index, again
            self.rested[glass] = socket, index, again
            return
        for among in (self.hand, self.beside):
            if glass in among:
                among.remove(glass)
        self.standing[socket] = glass
        self.game.place(t, glass, socket, field_up)

    def _where_it_rested(self, index: int, glass: str) -> None:
        """rules.md: "Lifted from there sooner, and set down elsewhere, it was not placed there".

        While it is in hand nobody can know. It counts as on its way once it has been in hand for a second and anything
        else comes: nothing waits for longer.
        """
        if glass not in self.rested:
            return
        socket, supposed_of, lifted = self.rested.pop(glass)
        closing = self.changes[index]
        if closing.name != socket:
            return
        others = any(
            lifted < change.t < closing.t and not (change.order == TILT and change.name == glass)
            for change in self.changes[supposed_of:index]
        )
        due = any(self.changes[supposed_of].t <= t < closing.t for t in self.game.fell_due_ms)
        off_board = self.game.glasses[glass].lifted_at_ms + OFF_BOARD_MS < closing.t
        if not (closing.t > lifted + UNDECIDED_MS and (others or due or off_board)):
            raise self.supposed.otherwise("rests", supposed_of, 0)

    def _only_rests(self, index: int, glass: str) -> int | None:
        """When a glass is lifted again before it was released, "unless the other side lifted a glass or a ring came
        meanwhile"; else None. A ring that came somewhere else does not tell of this glass."""
        placing = self.changes[index]
        for change in self.changes[index + 1 :]:
            if change.t - placing.t >= self.settings.release_ms:
                return None
            if change.order == OPENED and change.name == placing.name:
                return change.t
            if change.order == OPENED and owner(self.standing.get(change.name, glass)) != owner(glass):
                return None
            ring_came = change.order == RING and change.value > 0 and change.name == placing.name
            ring_taken = change.order == HOLDER and change.value < 0 and change.name == owner(glass)
            if ring_came or ring_taken or change.order == BLIND:
                return None
        return None

    def _which_glass(self, t: int, socket: str) -> str:
        self.game.run_before(t)
        candidates = [*self.hand, *self.beside]
        if len(candidates) == 1:
            return candidates[0]
        glass, told_apart = choose_glass(self.game, candidates, self.tilted, socket, t)
        if not told_apart:
            self.game.fault(t, "ambiguous", socket=socket)
        return glass

    def _look_for_second_closing(self, index: int) -> None:
        """ "Two sockets that close … within one socket settle time of each other for a single glass in hand" """
        first = self.changes[index]
        if len(self.hand) + len(self.beside) != 1 or first.at_once or first.name in self.standing:
            return
        together = [index]
        for later in range(index + 1, len(self.changes)):
            change = self.changes[later]
            if change.t - self.changes[together[-1]].t > self.settings.settle_ms["socket"]:
                break
            if change.order == OPENED and (change.name in self.standing or change.name == first.name):
                break
            if change.at_once or (change.order == CLOSED and change.name in self.standing):
                continue
            if change.order == CLOSED and not any(self.changes[one].name == change.name for one in together):
                together.append(later)
        if len(together) > 1:
            self._hold_until_one_is_left(together)

    def _hold_until_one_is_left(self, together: list[int]) -> None:
        names = [self.changes[index].name for index in together]
        self.faults.append((self.changes[together[1]].t, "ambiguous_placing", {"sockets": names}))
        self.decided |= set(together)
        # "nothing is judged until one of them opens, and the placing in the one that stays closed bears the time at
        # which that one closed"
        left, last_opened = list(together), 0
        for opening in range(together[-1] + 1, len(self.changes)):
            change = self.changes[opening]
            gone = [index for index in left if self.changes[index].name == change.name]
            if change.order == OPENED and gone:
                if len(left) == 1 and change.t > last_opened + self.settings.settle_ms["socket"]:
                    return
                # One that opens together with the others has not stayed closed either.
                left.remove(gone[0])
                self.dropped |= {gone[0], opening}
                last_opened = change.t
        if len(left) < 2:
            return
        self.horizon = min(self.horizon, self.changes[together[0]].t - 1)

    def _press(self, t: int, name: str, press: Press) -> None:
        if press.kind != "held":
            self.game.press(t, name, long=press.kind == "long")
            return
        # "resigns; both sides at once: draw agreed"
        for other in self.inputs.presses[other_side(name)]:
            if (
                other.kind == "held"
                and other.down_ms <= t
                and (press.up_ms is None or press.up_ms >= other.down_ms + HELD_MS)
                and (other.up_ms is None or other.up_ms >= t)
            ):
                self.game.agree(max(t, other.down_ms + HELD_MS))
                return
        self.game.resign(t, name)
