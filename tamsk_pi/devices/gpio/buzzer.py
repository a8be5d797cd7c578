"""Tones on a passive buzzer. Nothing here waits: whoever scans the matrix also moves the tones on."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from gpiozero import TonalBuzzer
from gpiozero.tones import Tone as Pitch

from tamsk_pi.config.profile import BuzzerProfile
from tamsk_pi.devices.base import Tone


class Buzzer:
    """Plays sequences of tones; each ends by itself, and none is longer than `longest_ms` in all."""

    def __init__(self, profile: BuzzerProfile, pin_factory: Any) -> None:
        self._profile = profile
        middle = (profile.lowest_hz * profile.highest_hz) ** 0.5
        octaves = next(n for n in range(1, 11) if middle * 2**n >= profile.highest_hz)
        self._device = TonalBuzzer(
            profile.line, mid_tone=Pitch.from_frequency(middle), octaves=octaves, pin_factory=pin_factory
        )
        self._orders: deque[tuple[Tone, ...]] = deque(maxlen=1)
        self._playing: deque[tuple[int, int]] = deque()  # (when it ends, pitch), ms and Hz; 0 Hz is a rest
        self._pitch_hz = 0

    @property
    def pitch_hz(self) -> int:
        """What sounds now; 0 for silence."""
        return self._pitch_hz

    def sound(self, tones: Sequence[Tone]) -> None:
        """Play these from the next `tick()` on, instead of what sounds now. From any thread; returns at once."""
        self._orders.append(tuple(tones))

    def tick(self, now_ms: int) -> None:
        """Begin and end tones as the time has come."""
        if self._orders:
            self._begin(self._orders.popleft(), now_ms)
        if not self._playing and not self._pitch_hz:
            return
        while self._playing and self._playing[0][0] <= now_ms:
            self._playing.popleft()
        self._set(self._playing[0][1] if self._playing else 0)

    def silence(self) -> None:
        """End whatever sounds or waits to sound."""
        self._orders.clear()
        self._playing.clear()
        self._set(0)

    def close(self) -> None:
        """Silence, and give the line back."""
        self.silence()
        self._device.close()

    def _begin(self, tones: Sequence[Tone], now_ms: int) -> None:
        self._playing.clear()
        end_ms, last_ms = now_ms, now_ms + self._profile.longest_ms
        for tone in tones:
            end_ms = min(end_ms + max(tone.length_ms, 0), last_ms)
            within = min(max(tone.pitch_hz, self._profile.lowest_hz), self._profile.highest_hz)
            self._playing.append((end_ms, within if tone.pitch_hz > 0 else 0))

    def _set(self, pitch_hz: int) -> None:
        if pitch_hz == self._pitch_hz:
            return
        self._pitch_hz = pitch_hz
        if pitch_hz:
            self._device.play(Pitch.from_frequency(pitch_hz))
        else:
            self._device.stop()
            self._device.pwm_device.pin.state = 0  # a passive buzzer is not to be left with current through it
