"""A soak's numbers, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from tamsk_pi.soak.run import Memory
from tamsk_pi.soak.tally import Tally


def as_json(tally: Tally, memory: Memory) -> dict[str, object]:
    """One object with every number."""
    return {
        "games": tally.games,
        "finished": tally.finished,
        "moves": tally.moves,
        "rulings_compared": tally.rulings,
        "true_violations": tally.true_violations,
        "false_violations": tally.false_violations,
        "missed_violations": tally.missed_violations,
        "lost_events": tally.lost_events,
        "unfounded_rulings": tally.unfounded,
        "faults_injected": {name: n for name, n in sorted(tally.faults.items()) if n},
        "faults_not_named": tally.missed_faults,
        "recoveries": tally.recoveries,
        "broken_recoveries": tally.broken_recoveries,
        "violations": dict(sorted(tally.violations.items())),
        "memory_kb": {
            "start": memory.start_kb,
            "warm": memory.warm_kb,
            "end": memory.end_kb,
            "growth": memory.growth_kb,
        },
        "clean": tally.is_clean and memory.is_flat,
        "problems": list(tally.problems),
    }


def lines(tally: Tally, memory: Memory) -> Iterator[str]:
    """The table, line by line, and the first things that went wrong."""
    rows: list[tuple[str, object, str]] = [
        ("games", tally.games, f"{tally.finished} finished"),
        ("moves", tally.moves, ""),
        ("rulings compared", tally.rulings, ""),
        ("true violations", tally.true_violations, _counts(tally.violations)),
        ("false violations", tally.false_violations, ""),
        ("missed violations", tally.missed_violations, ""),
        ("lost events", tally.lost_events, ""),
        ("unfounded rulings", tally.unfounded, ""),
        ("faults injected", sum(tally.faults.values()), _counts(tally.faults)),
        ("faults not named", tally.missed_faults, ""),
        ("recoveries", tally.recoveries, f"{tally.broken_recoveries} broken"),
        (
            "memory",
            f"{memory.end_kb} KiB",
            f"{memory.start_kb} after the first game, {memory.warm_kb} warm: grew by {memory.growth_kb}",
        ),
    ]
    width = max(len(str(value)) for _, value, _ in rows)
    for name, value, detail in rows:
        yield f"{name:<18} {value!s:>{width}}  {detail}".rstrip()
    yield from tally.problems
    if tally.is_clean and memory.is_flat:
        yield "Nothing false, nothing missed, nothing lost."
    else:
        yield "This is not as it must be." if memory.is_flat else "Memory is not flat."


def _counts(counter: dict[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in sorted(counter.items()) if n)
