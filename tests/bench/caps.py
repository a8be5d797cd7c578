"""The radio caps: what came of every turning as the air gets worse, and what the caps cost the lamps."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge.build import build_cap, missing_for_simavr
from firmware_bridge.simavr.air import Air
from tamsk_pi.devices.caps import HOLD_MS
from tests.caps.world import run as play

LOSSES = (0.0, 0.2, 0.4, 0.6, 0.8)


def run() -> list[tuple[str, str]]:
    """Every figure that can be had here."""
    missing = missing_for_simavr()
    if missing:
        return [("caps", f"skipped: {missing}")]
    return [("caps: firmware", build_cap().size_line().split(": ")[1]), *turnings(), latency()]


def turnings() -> Iterator[tuple[str, str]]:
    """600 simulated seconds for each share of lost transmissions."""
    for loss in LOSSES:
        found, _, _ = play(Air(loss=loss, echo=0.1))
        yield (f"caps: {loss:.0%} lost, 600 s simulated", found.line())


def latency() -> tuple[str, str]:
    """From a contact to the lamp: what is certain is so much later with caps, as a turning may still be told."""
    return ("caps: every edge is held for, so that a turning takes its place", f"{HOLD_MS} ms; without caps 0")


def main() -> None:
    """Print the figures."""
    for name, figure in run():
        print(f"{name:<64} {figure}", flush=True)


if __name__ == "__main__":
    main()
