"""The lamps and the buzzer of the firmware's model: what the host shows, and what the firmware shows of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from firmware_bridge.bench import Output, Outputs
from firmware_bridge.inputs import SOCKETS
from firmware_bridge.protocol import PANEL_LAMPS, Status

TEST_MS: Final = 1000
BLINK_MS: Final = 250
TEST_TONE: Final = (880, 100)


class ModelOutputs:
    """Drives `outputs`; `now_us` tells the time of each change."""

    def __init__(self, outputs: Outputs, now_us: Callable[[], int]) -> None:
        self._outputs = outputs
        self._now_us = now_us
        self._host_is_gone = True
        self._panel = self._red = self._green = 0
        self._blink_ms = self._test_ms = 0
        self._tones: list[tuple[int, int]] = []
        self._tone_left_ms = self._sound_left_ms = 0

    def start(self, cause: int) -> None:
        """As a board that starts: amber alone, no sound."""
        self._outputs.take(Output(self._now_us(), "reset", "", cause))
        self._host_is_gone = True
        self._panel = self._red = self._green = 0
        self._blink_ms = self._test_ms = 0
        self.play([], 0)
        self._show()

    def host_gone(self, gone: bool) -> None:
        """Silence and the amber lamp while the host is away."""
        self._host_is_gone = gone
        if gone:
            self.play([], 0)
        self._show()

    def lamps(self, body: bytes) -> Status:
        """What a LAMPS command asks for."""
        red, green = int.from_bytes(body[1:6], "little"), int.from_bytes(body[6:], "little")
        if body[0] >> len(PANEL_LAMPS) or red >> len(SOCKETS) or green >> len(SOCKETS):
            return Status.VALUE
        self._panel, self._red, self._green = body[0], red, green
        self._show()
        return Status.OK

    def play(self, tones: list[tuple[int, int]], sound_max_ms: int) -> None:
        """Tones (Hz, ms) instead of what sounds now, together for `sound_max_ms` at most."""
        self._tones = [tone for tone in tones if tone[1]]
        self._sound_left_ms = sound_max_ms
        self._next_tone()

    def test(self, sound_max_ms: int) -> None:
        """Every lamp and a beep."""
        self._test_ms = TEST_MS
        self.play([TEST_TONE], sound_max_ms)
        self._show()

    def identify(self, seconds: int) -> None:
        """Blink with everything."""
        self._blink_ms = seconds * 1000
        self._show()

    def tick(self) -> None:
        """A millisecond passes."""
        if self._tones:
            self._sound_left_ms -= 1
            self._tone_left_ms -= 1
            if self._sound_left_ms == 0:
                self._tones = []
                self._next_tone()
            elif self._tone_left_ms == 0:
                self._tones.pop(0)
                self._next_tone()
        if self._blink_ms or self._test_ms:
            self._blink_ms = max(self._blink_ms - 1, 0)
            self._test_ms = max(self._test_ms - 1, 0)
            self._show()

    def _next_tone(self) -> None:
        pitch_hz = 0
        if self._tones:
            pitch_hz, self._tone_left_ms = self._tones[0]
        if pitch_hz != self._outputs.tone_hz:
            self._outputs.take(Output(self._now_us(), "tone", "", pitch_hz))

    def _show(self) -> None:
        everything = (1 << len(SOCKETS)) - 1
        if self._test_ms or (self._blink_ms and self._blink_ms // BLINK_MS & 1):
            panel, red, green = (1 << len(PANEL_LAMPS)) - 1, everything, everything
        elif self._blink_ms:
            panel = red = green = 0
        elif self._host_is_gone:
            panel, red, green = 1 << PANEL_LAMPS.index("amber"), 0, 0
        else:
            panel, red, green = self._panel, self._red, self._green
        for n, name in enumerate(PANEL_LAMPS):
            self._put("lamp", name, panel >> n & 1, self._outputs.panel.get(name, False))
        for n, socket in enumerate(SOCKETS):
            self._put("red", socket, red >> n & 1, socket in self._outputs.red)
            self._put("green", socket, green >> n & 1, socket in self._outputs.green)

    def _put(self, kind: str, name: str, on: int, was: bool) -> None:
        if bool(on) != was:
            self._outputs.take(Output(self._now_us(), kind, name, on))
