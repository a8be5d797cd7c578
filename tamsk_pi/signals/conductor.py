"""Turns rulings and pictures into lamps and tones, in time. Reads no clock: times are the game's, in ms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot, Upcoming
from tamsk_pi.rules.board import PLAYERS
from tamsk_pi.signals.frames import LampFrame, Tone
from tamsk_pi.signals.rhythm import Rhythm, is_lit, next_flip_ms
from tamsk_pi.signals.standing import ASKED, STATES, next_running_out_ms, shown_now
from tamsk_pi.signals.table import (
    BLINK_MS,
    CHOICE_REST,
    LEVEL_TONE,
    NOTED,
    RULES_TONE,
    SAME_FAULT_MS,
    SIGNALS,
    UNTIL_MENDED,
    WEIGHTS,
    Signal,
    signal_key,
)

Mode = Literal["play", "referee"]

PANEL: Final = ("turn_red", "turn_black", "alarm", "ready")

STALE_MS: Final = 10_000
"""A ruling that is told later than this after its time is history (a game that is resumed): only what still holds of
it is shown and sounded."""

LATE_MS: Final = 2_000
"""A sound that had to wait for another one for longer than this is left out, unless what it tells of still holds."""

# The details that tell one fault, or one thing to be mended, from another.
_WHERE: Final = ("glass", "kind", "input", "socket", "player")

_ENDS: Final = {"resolved": "violation", "fault_cleared": "fault"}

_Matter = tuple[object, ...]


@attrs.frozen
class _Told:
    """A ruling that is being shown or is about to sound."""

    ruling: Ruling
    key: str
    """Of its signal."""
    matter: _Matter
    """What it is about: a later ruling on the same matter takes its place."""

    @property
    def signal(self) -> Signal:
        return SIGNALS[self.key]

    @property
    def until_mended(self) -> bool:
        return self.signal.lamp != "" and self.signal.lamp_for_ms == UNTIL_MENDED


@attrs.frozen
class _Alarm:
    """A lamp for one ruling."""

    told: _Told
    since_ms: int

    @property
    def until_ms(self) -> int | None:
        """When it ends; None: when what it tells of no longer holds."""
        return None if self.told.until_mended else self.since_ms + self.told.signal.lamp_for_ms

    def rhythm_at(self, now_ms: int) -> tuple[Rhythm, int | None]:
        """Its rhythm, and when that changes or ends."""
        if self.until_ms is not None:
            return self.told.signal.rhythm, self.until_ms
        steady_from_ms = self.since_ms + BLINK_MS
        return (self.told.signal.rhythm, steady_from_ms) if now_ms < steady_from_ms else ("steady", None)


@attrs.frozen
class _Sound:
    """Tones that wait for their time."""

    told: _Told
    due_ms: int


class Conductor:
    """What lamps show and what sounds, for one game.

    `mode`: `play` helps the players; `referee` is dark and silent until something is illegal, a penalty falls due, or
    the box needs the players' help. Call `tell` and `look` when there is news, then `frame` and `tones` with a time
    that never goes back, and again at `next_change_ms` at the latest.
    """

    def __init__(self, mode: Mode) -> None:
        self._mode: Final = mode
        self._fresh: list[_Told] = []
        self._alarms: list[_Alarm] = []
        self._sounds: list[_Sound] = []
        self._sounds_until_ms = 0
        self._sounding = ""
        """The key of the signal whose tones were begun last."""
        self._faults_ms: dict[_Matter, int] = {}
        """When each fault was last told."""
        self._snapshot: Snapshot | None = None
        self._ahead: Snapshot | None = None
        """What lamps show in place of it, while it is not certain yet."""
        self._changes_ms: list[int] = []
        self._choice: Sequence[Tone] = ()
        """Tones that tell what was just chosen for the next game."""

    def tell(self, rulings: Sequence[Ruling]) -> None:
        """Take what the referee has just said."""
        for ruling in rulings:
            if ruling.kind in _ENDS:
                self._end(_matter(_ENDS[ruling.kind], ruling.get("code"), ruling))
                continue
            if ruling.get("code") == "turning_confirmed":
                self._end(_matter("notice", ASKED, ruling))
            told = _Told(ruling, signal_key(ruling), _matter(ruling.kind, ruling.get("code"), ruling))
            if told.key not in SIGNALS or (self._mode == "referee" and told.signal.in_referee_mode == "nothing"):
                continue
            self._end(told.matter)
            self._fresh.append(told)

    def look(self, snapshot: Snapshot) -> None:
        """Take the newest picture of the game; what no longer holds is dropped."""
        before, self._snapshot = self._snapshot, snapshot
        self._ahead = None
        was, now = before.upcoming if before is not None else None, snapshot.upcoming
        if was is not None and now is not None and was.chosen != now.chosen:
            self._choice = tuple(_chosen(was, now))
        self._alarms = [a for a in self._alarms if not a.told.until_mended or self._holds(a.told.ruling)]
        self._sounds = [s for s in self._sounds if not s.told.until_mended or self._holds(s.told.ruling)]

    def look_ahead(self, snapshot: Snapshot) -> None:
        """Until the next `look`, lamps show this picture, of which not everything is certain. Alarms and sounds, and
        when they end, go by the certain one."""
        self._ahead = snapshot

    def frame(self, now_ms: int, *, ready: bool) -> LampFrame:
        """What every lamp shows now. `ready`: whether scan, link, core and journal are all alive."""
        self._begin(now_ms)
        self._alarms = [a for a in self._alarms if a.until_ms is None or now_ms < a.until_ms]
        self._changes_ms = []
        panel = dict.fromkeys(PANEL, False)
        planes: dict[str, set[str]] = {"red": set(), "green": set()}
        snapshot = self._ahead or self._snapshot
        if snapshot is not None:
            self._wake(next_running_out_ms(snapshot, now_ms))
            for shown in shown_now(snapshot, now_ms, self._mode):
                state = STATES[shown.state]
                # One phase for all: what blinks alike blinks together.
                lit = self._lit(state.rhythm, 0, now_ms)
                if state.plane == "panel":
                    panel[shown.name] = lit
                elif lit:
                    planes[state.plane].add(shown.name)
        for lamp, alarm in self._alarm_lamps():
            rhythm, changes_ms = alarm.rhythm_at(now_ms)
            self._wake(changes_ms)
            lit = self._lit(rhythm, alarm.since_ms, now_ms)
            if lamp in panel:
                panel[lamp] = lit
            else:
                planes["green"].discard(lamp)
                (planes["red"].add if lit else planes["red"].discard)(lamp)
        panel["ready"] = ready
        return LampFrame(panel, frozenset(planes["red"]), frozenset(planes["green"]))

    def tones(self, now_ms: int) -> Sequence[Tone]:
        """What is to start sounding now; empty for nothing. A weightier sound cuts a lighter one short."""
        self._begin(now_ms)
        choice, self._choice = self._choice, ()
        if choice:
            self._sounds_until_ms, self._sounding = now_ms + sum(tone.length_ms for tone in choice), ""
            return choice
        self._sounds = [s for s in self._sounds if s.told.until_mended or now_ms - s.due_ms <= LATE_MS]
        due = [s for s in self._sounds if s.due_ms <= now_ms]
        if not due:
            return ()
        sound = max(due, key=lambda s: (WEIGHTS[s.told.key], s.due_ms))
        if now_ms < self._free_for(sound):
            return ()
        self._sounds.remove(sound)
        self._sounds_until_ms = now_ms + sound.told.signal.length_ms
        self._sounding = sound.told.key
        return sound.told.signal.tones

    def next_change_ms(self) -> int | None:
        """When to ask for a frame and tones again at the latest, if nothing happens."""
        due_ms = [max(s.due_ms, self._free_for(s)) for s in self._sounds]
        return min([*self._changes_ms, *due_ms], default=None)

    # -- rulings

    def _begin(self, now_ms: int) -> None:
        """Begin to show and sound what was told since the last time."""
        fresh, self._fresh = self._fresh, []
        for told in fresh:
            if told.until_mended and not self._holds(told.ruling):
                if told.ruling.kind != "violation":
                    continue
                # Neither resolved nor open: there was nothing to mend.
                told = attrs.evolve(told, key=NOTED)
            if now_ms - told.ruling.t_ms > STALE_MS and not told.until_mended:
                continue
            if told.signal.lamp:
                self._alarms.append(_Alarm(told, now_ms))
            if told.signal.tones and not self._is_same_fault(told) and not self._only_lit(told):
                self._sounds.append(_Sound(told, now_ms + told.signal.after_ms))

    def _only_lit(self, told: _Told) -> bool:
        return self._mode == "referee" and told.signal.in_referee_mode == "lamp"

    def _end(self, matter: _Matter) -> None:
        """A matter is settled, or told anew."""
        self._fresh = [f for f in self._fresh if f.matter != matter]
        self._alarms = [a for a in self._alarms if a.told.matter != matter]
        self._sounds = [s for s in self._sounds if s.told.matter != matter]

    def _is_same_fault(self, told: _Told) -> bool:
        if told.ruling.kind != "fault":
            return False
        before_ms = self._faults_ms.get(told.matter)
        self._faults_ms[told.matter] = told.ruling.t_ms
        return before_ms is not None and told.ruling.t_ms - before_ms < SAME_FAULT_MS

    def _holds(self, ruling: Ruling) -> bool:
        """Whether what is to be mended, by a ruling, still is to be."""
        snapshot = self._snapshot
        if snapshot is None:
            return True
        if ruling.kind == "paused":
            return snapshot.phase == "paused"
        return snapshot.phase != "over" and any(
            v.code == ruling.get("code")
            and v.glass == ruling.get("glass")
            and (v.glass is not None or (v.socket == ruling.get("socket") and v.player == ruling.get("player")))
            for v in snapshot.violations
        )

    # -- lamps and sounds

    def _alarm_lamps(self) -> Iterator[tuple[str, _Alarm]]:
        """Each lamp of an alarm with the alarm that it shows: the weightiest, and of those the newest."""
        found: dict[str, _Alarm] = {}
        for alarm in sorted(self._alarms, key=lambda a: WEIGHTS[a.told.key]):
            found |= dict.fromkeys(_lamps_of(alarm.told), alarm)
        yield from found.items()

    def _free_for(self, sound: _Sound) -> int:
        """When nothing sounds that this sound would have to wait for."""
        waits = self._sounding and WEIGHTS[sound.told.key] <= WEIGHTS[self._sounding]
        return self._sounds_until_ms if waits else sound.due_ms

    def _lit(self, rhythm: Rhythm, since_ms: int, now_ms: int) -> bool:
        self._wake(next_flip_ms(rhythm, since_ms, now_ms))
        return is_lit(rhythm, since_ms, now_ms)

    def _wake(self, t_ms: int | None) -> None:
        if t_ms is not None:
            self._changes_ms.append(t_ms)


def _chosen(before: Upcoming, now: Upcoming) -> Iterator[Tone]:
    """As many short tones as the level that was chosen, or the place of the edition, higher for the latter."""
    level = before.level != now.level or before.rules == now.rules
    count = now.level if level else now.edition
    for number in range(count):
        if number:
            yield CHOICE_REST
        yield LEVEL_TONE if level else RULES_TONE


def _matter(kind: str, code: object, ruling: Ruling) -> _Matter:
    if kind == "violation" and ruling.get("glass") is not None:
        # Of one glass only the last violation is open.
        return (kind, ruling.get("glass"))
    return (kind, code, *(ruling.get(key) for key in _WHERE))


def _lamps_of(told: _Told) -> Iterator[str]:
    ruling, signal = told.ruling, told.signal
    match signal.lamp:
        case "alarm":
            yield "alarm"
        case "player":
            yield f"turn_{ruling.get('player')}"
        case "winner":
            winner = ruling.get("winner")
            yield from (f"turn_{player}" for player in PLAYERS if winner in (None, player))
    if signal.red_socket:
        yield str(ruling.get(signal.red_socket))
