"""The radio caps: what came of every turning as the air gets worse, and what the caps cost the lamps."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_bridge.build import build_cap, missing_for_simavr
from firmware_bridge.simavr.air import Air
from tamsk_pi.devices.caps import HOLD_MS
from tests.caps.lamps import compare, lateness
from tests.caps.world import run as play

GAME = "game-level3-rulebook-4"
LOSSES = (0.0, 0.2, 0.4, 0.6, 0.8)


def run() -> list[tuple[str, str]]:
    """Every figure that can be had here."""
    missing = missing_for_simavr()
    if missing:
        return [("caps", f"skipped: {missing}")]
    return [("caps: firmware", build_cap().size_line().split(": ")[1]), *turnings(), *latency()]


def turnings() -> Iterator[tuple[str, str]]:
    """600 simulated seconds for each share of lost transmissions."""
    for loss in LOSSES:
        found, _, _ = play(Air(loss=loss, echo=0.1))
        yield (f"caps: {loss:.0%} lost, 600 s simulated", found.line())


def latency() -> Iterator[tuple[str, str]]:
    """From a contact to the lamp, in a whole game at level 3: by how much lamps and rulings come later with caps."""
    for looks_ahead, what in ((True, "lamps"), (False, "lamps that wait as rulings do")):
        game = compare(GAME, lateness(1), looks_ahead=looks_ahead)
        same = "the same" if game.told == game.wired else "OTHER"
        yield (
            f"caps: {what}, later than with wires, ms simulated",
            f"p50 {game.share(50)}, p90 {game.share(90)}, max {max(game.lags)}"
            f" ({len(game.lags)} changes; without caps 0; {same} rulings, held for {HOLD_MS})",
        )


def main() -> None:
    """Print the figures."""
    for name, figure in run():
        print(f"{name:<64} {figure}", flush=True)


if __name__ == "__main__":
    main()
