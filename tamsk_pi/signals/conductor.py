"""Turns rulings and pictures into lamps and tones, in time. Reads no clock: times are the game's, in ms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.signals.frames import LampFrame, Tone
from tamsk_pi.signals.table import Rhythm, is_lit, next_flip_ms, signal_for

Mode = Literal["play", "referee"]

SOON_MS: Final = 10_000
"""A glass that runs out sooner than this is pointed out to the players."""


@attrs.frozen
class _Alarm:
    """The alarm lamp for one ruling."""

    ruling: Ruling
    rhythm: Rhythm
    since_ms: int
    until_ms: int | None
    """None: until it is mended."""


@attrs.frozen
class _Sound:
    """Tones that wait for their time."""

    ruling: Ruling
    tones: tuple[Tone, ...]
    due_ms: int


@attrs.frozen
class _Lamp:
    """A lamp that shows something for as long as it holds."""

    name: str
    rhythm: Rhythm
    plane: Literal["red", "green", "panel"]


class Conductor:
    """What lamps show and what sounds, for one game. `mode`: `play` helps the players, `referee` is dark and silent."""

    def __init__(self, mode: Mode) -> None:
        self._mode: Final = mode
        self._alarms: list[_Alarm] = []
        self._sounds: list[_Sound] = []
        self._snapshot: Snapshot | None = None
        self._next_ms: int | None = None

    def tell(self, rulings: Sequence[Ruling]) -> None:
        """Take what the referee has just said."""
        for ruling in rulings:
            signal = signal_for(ruling)
            if signal is None or (self._mode == "referee" and not signal.in_referee_mode):
                continue
            if signal.tones:
                self._sounds.append(_Sound(ruling, signal.tones, ruling.t_ms + signal.after_ms))
            if signal.alarm is not None:
                until_ms = ruling.t_ms + signal.alarm_for_ms if signal.alarm_for_ms else None
                self._alarms.append(_Alarm(ruling, signal.alarm, ruling.t_ms, until_ms))

    def look(self, snapshot: Snapshot) -> None:
        """Take the newest picture of the game; what no longer holds is dropped."""
        self._snapshot = snapshot
        self._alarms = [a for a in self._alarms if a.until_ms is not None or self._holds(a.ruling, snapshot)]
        self._sounds = [s for s in self._sounds if self._still_matters(s, snapshot)]

    def frame(self, now_ms: int, *, ready: bool) -> LampFrame:
        """What every lamp shows now."""
        self._alarms = [a for a in self._alarms if a.until_ms is None or now_ms < a.until_ms]
        self._next_ms = min((s.due_ms for s in self._sounds), default=None)
        panel = dict.fromkeys(("turn_red", "turn_black", "alarm", "ready"), False)
        panel["ready"] = ready
        # Several alarms at once show the newest.
        if self._alarms:
            alarm = self._alarms[-1]
            panel["alarm"] = self._lit(alarm.rhythm, alarm.since_ms, now_ms)
            self._wake(alarm.until_ms)
        planes: dict[str, set[str]] = {"red": set(), "green": set()}
        for lamp in self._standing_lamps(now_ms):
            # One phase for all: what blinks alike blinks together.
            if self._lit(lamp.rhythm, 0, now_ms):
                if lamp.plane == "panel":
                    panel[lamp.name] = True
                else:
                    planes[lamp.plane].add(lamp.name)
        return LampFrame(panel, frozenset(planes["red"]), frozenset(planes["green"]))

    def tones(self, now_ms: int) -> Sequence[Tone]:
        """What is to start sounding now; empty for nothing. Where several are due, the newest."""
        due = [s for s in self._sounds if s.due_ms <= now_ms]
        if not due:
            return ()
        self._sounds = [s for s in self._sounds if s.due_ms > now_ms]
        return due[-1].tones

    def next_change_ms(self) -> int | None:
        """When to ask for a frame and tones again at the latest, if nothing happens."""
        return self._next_ms

    # -- what still holds

    def _still_matters(self, sound: _Sound, snapshot: Snapshot) -> bool:
        delayed = sound.due_ms > sound.ruling.t_ms
        return not delayed or sound.ruling.kind != "violation" or self._holds(sound.ruling, snapshot)

    @staticmethod
    def _holds(ruling: Ruling, snapshot: Snapshot) -> bool:
        if ruling.kind == "paused":
            return snapshot.phase == "paused"
        if ruling.get("code") == "full_socket":
            return True
        return any(
            v.code == ruling.get("code")
            and v.since_ms == ruling.t_ms
            and (v.glass == ruling.get("glass") and (ruling.get("glass") or v.socket == ruling.get("socket")))
            for v in snapshot.violations
        )

    def _lit(self, rhythm: Rhythm, since_ms: int, now_ms: int) -> bool:
        self._wake(next_flip_ms(rhythm, since_ms, now_ms))
        return is_lit(rhythm, since_ms, now_ms)

    def _wake(self, t_ms: int | None) -> None:
        if t_ms is not None and (self._next_ms is None or t_ms < self._next_ms):
            self._next_ms = t_ms

    # -- lamps that show a state

    def _standing_lamps(self, now_ms: int) -> Iterator[_Lamp]:
        snapshot = self._snapshot
        if snapshot is None:
            return
        if snapshot.phase == "setting_up":
            yield from _set_up_lamps(snapshot)
            return
        for violation in snapshot.violations:
            if violation.socket is not None:
                yield _Lamp(violation.socket, "fast", "red")
            if violation.home is not None and violation.home != violation.socket:
                yield _Lamp(violation.home, "slow", "green")
        if snapshot.penalty_lamp is not None:
            yield _Lamp(snapshot.penalty_lamp, "fast", "green")
        if self._mode == "play":
            yield from self._helping_lamps(snapshot, now_ms)

    def _helping_lamps(self, snapshot: Snapshot, now_ms: int) -> Iterator[_Lamp]:
        if snapshot.to_move is not None:
            yield _Lamp(f"turn_{snapshot.to_move}", "slow" if snapshot.phase == "carrying" else "steady", "panel")
        for glass, targets in snapshot.targets.items():
            if snapshot.glasses[glass].in_hand and snapshot.glasses[glass].lifted_from is not None:
                yield from (_Lamp(socket, "steady", "green") for socket in targets)
        for right in snapshot.rights:
            if right.socket is not None:
                yield _Lamp(right.socket, "slow", "green")
        if snapshot.level > 1 and snapshot.phase != "over":
            yield from self._soon_out(snapshot, now_ms)

    def _soon_out(self, snapshot: Snapshot, now_ms: int) -> Iterator[_Lamp]:
        for glass in snapshot.glasses.values():
            if glass.socket is None or glass.stops_at_ms is None or glass.out or not glass.moved:
                continue
            soon_ms = glass.stops_at_ms - SOON_MS
            if now_ms < soon_ms:
                self._wake(soon_ms)
            elif now_ms < glass.stops_at_ms:
                yield _Lamp(glass.socket, "fast", "red")


def _set_up_lamps(snapshot: Snapshot) -> Iterable[_Lamp]:
    for problem in snapshot.setup_problems:
        if problem.what == "put_glass":
            yield _Lamp(problem.socket, "slow", "green")
        else:
            yield _Lamp(problem.socket, "fast", "red")
