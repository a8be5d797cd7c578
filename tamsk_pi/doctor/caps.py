"""The radio caps: their receiver, and each cap as it is heard."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from typing import Final

from firmware_bridge.events import Caps, Refused
from firmware_bridge.inputs import TRAVELLING
from firmware_bridge.link import BridgeLink, LinkEvent, Looking
from firmware_bridge.protocol import CapHealth, CapsHealth
from tamsk_pi.doctor.finding import Finding, note, ok, stops
from tamsk_pi.signals.language import N_

LISTEN_S: Final = 15.0
"""A sign of life comes each eight seconds, the receiver's word each five."""
LOSSY: Final = 0.5
CLOCK_OFF: Final = 0.1


def hear_caps(port: str, baud: int, within_s: float = LISTEN_S) -> CapsHealth | None:
    """What the board's receiver tells of the caps, once all were heard or the time is over; None if it tells nothing.

    A Mega is reset by it.
    """
    events: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
    link = BridgeLink(events.put, port=port, baud=baud)
    link.start()
    told: CapsHealth | None = None
    try:
        by_s = time.monotonic() + within_s
        while (left_s := by_s - time.monotonic()) > 0:
            try:
                event = events.get(timeout=left_s)
            except queue.Empty:
                break
            match event:
                case Caps(_, health):
                    told = health
                    if all(cap.heard_ago_ms is not None for cap in health.caps):
                        break
                case Refused() | Looking():
                    break
    finally:
        link.close()
    return told


def check_caps(told: CapsHealth | None) -> Iterator[Finding]:
    """Findings about the receiver and every cap."""
    if told is None:
        yield stops(
            "caps",
            N_("the bridge tells nothing of caps"),
            N_('tamsk-pi firmware flash --tilts caps, or set caps = "none"'),
        )
        return
    if not told.radio_answers:
        yield stops(
            "caps",
            N_("the caps' receiver on the Mega does not answer"),
            N_("look at its seven wires and its 3.3 V; hardware/tilt.md has its pins"),
        )
        return
    heard = [cap for cap in told.caps if cap.heard_ago_ms is not None]
    if told.radio_restarts:
        yield note(
            "caps",
            N_("the receiver had to be set up anew {count} times"),
            N_("give it 10 µF beside its supply pins, and a short lead to the Mega's 3.3 V"),
            count=told.radio_restarts,
        )
    for glass, cap in zip(TRAVELLING, told.caps, strict=True):
        yield from _cap(glass, cap)
    if len(heard) == len(told.caps):
        yield ok("caps", N_("all six are heard"))


def _cap(glass: str, cap: CapHealth) -> Iterator[Finding]:
    if cap.twins:
        yield stops(
            "caps",
            N_("{glass}: two caps send on its address"),
            N_("flash one of them for the glass that it is on: tamsk-pi firmware flash --cap GLASS"),
            glass=glass,
        )
        return
    if cap.heard_ago_ms is None:
        yield note(
            "caps",
            N_("{glass}: its cap is not heard; a game plays on without it"),
            N_("a new cell, or the right side up; then tamsk-pi calibrate caps"),
            glass=glass,
        )
        return
    if cap.low:
        yield note(
            "caps",
            N_("{glass}: its cell gives {volts} V under load"),
            N_("change it before the next game: a CR2032"),
            glass=glass,
            volts=f"{cap.cell_mv / 1000:.2f}",
        )
    if cap.ends == "ab":
        yield note(
            "caps",
            N_("{glass}: both its switches are closed, which no way of standing does"),
            N_("tap it; if it stays, a switch is stuck: change it"),
            glass=glass,
        )
    share = cap.lost / max(1, cap.packets + cap.lost)
    if share > LOSSY:
        yield note(
            "caps",
            N_("{glass}: {share} of its packets have no answer"),
            N_(
                "keep metal and the hand off its aerial; with the glass beside the board it is a clone that does"
                " not answer"
            ),
            glass=glass,
            share=f"{share:.0%}",
        )
    if abs(cap.rate - 1) > CLOCK_OFF:
        yield note(
            "caps",
            N_("{glass}: its clock is off by {off} percent, more than such a part may be"),
            N_("flash its fuses anew: tamsk-pi firmware flash --cap {glass}"),
            glass=glass,
            off=f"{100 * (1 / cap.rate - 1):+.0f}",
        )
