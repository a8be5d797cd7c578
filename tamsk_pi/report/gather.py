"""Replays a trace and gathers what a report tells of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tamsk_pi.referee.ring_owners import ring_owners
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.true_record import check
from tamsk_pi.report.facts import Flaw, GlassHistory, Report, RingsLeft, Span, TurnTime
from tamsk_pi.report.mending import Violations
from tamsk_pi.report.sand_line import SandLine
from tamsk_pi.rules.board import GLASSES, RINGS_PER_SIDE, TIMER
from tamsk_pi.rules.notation import Move, format_turn
from tamsk_pi.rules.record import Record, RecordBuilder, RecordError
from tamsk_pi.session import Session
from tamsk_pi.trace import TraceError, TraceReader
from tamsk_pi.trace_header import write_header

_PENALTIES: Final = ("timeout", "forfeit", "skip")


def gather(reader: TraceReader, until_ms: int = 0) -> Report:
    """The report of a trace. One that is broken off or broken is told as far as it goes, with its flaw.

    `until_ms`: how far the game has come at least, for a trace that is still being written: deadlines up to there
    fall due though no record has come after them.
    """
    gathering = _Gathering(Session(reader.settings))
    records = iter(reader)
    try:
        for record in records:
            gathering.take(gathering.session.take(record))
    except TraceError as error:
        gathering.flaws.append(Flaw("broken", str(error)))
    if reader.torn:
        gathering.flaws.append(Flaw("torn"))
    session = gathering.session
    if not session.ended:
        gathering.take(session.finish(max(session.now_ms, until_ms)))
    return gathering.report()


class _Gathering:
    """What has been seen so far of one game."""

    def __init__(self, session: Session) -> None:
        self.session: Final = session
        self.flaws: list[Flaw] = []
        self._rulings: list[Ruling] = []
        self._builder = RecordBuilder(write_header(session.settings))
        self._violations = Violations(session.settings)
        self._rings: list[RingsLeft] = []
        self._lines = {g: SandLine(sand, 0) for g, sand in session.referee.game.sand.items()}
        self._out_since_ms: dict[str, int] = {}
        self._outs: list[tuple[str, Span]] = []

    def take(self, rulings: Sequence[Ruling]) -> None:
        """Note what a step of the replay brought."""
        for ruling in rulings:
            self._rulings.append(ruling)
            self._violations.take(ruling)
            self._count_rings(ruling)
            try:
                self._builder.add(ruling)
            except RecordError as error:
                self.flaws.append(Flaw("record", str(error)))
        if rulings:
            self._correct_rings(rulings[-1].t_ms)
        self._watch_glasses()

    def _count_rings(self, ruling: Ruling) -> None:
        if ruling.kind == "started":
            self._rings = [RingsLeft(ruling.t_ms, RINGS_PER_SIDE, RINGS_PER_SIDE)]
        elif ruling.kind == "ring" and self._rings:
            last, by = self._rings[-1], ruling.get("player")
            self._add_rings(ruling.t_ms, last.red - (by == "red"), last.black - (by == "black"))

    def _correct_rings(self, t_ms: int) -> None:
        # The arbiter may have corrected a count, which is no ring dropped by anybody.
        left = self.session.referee.game.rings_left
        if self._rings and (self._rings[-1].red, self._rings[-1].black) != (left["red"], left["black"]):
            self._add_rings(t_ms, left["red"], left["black"])

    def _add_rings(self, t_ms: int, red: int, black: int) -> None:
        self._rings.append(RingsLeft(max(t_ms, self._rings[-1].t_ms), red, black))

    def _watch_glasses(self) -> None:
        game, now_ms = self.session.referee.game, self.session.now_ms
        for glass, line in self._lines.items():
            line.look(game.sand[glass], now_ms)
        for glass in GLASSES:
            if (glass in game.table.out) != (glass in self._out_since_ms):
                if glass in game.table.out:
                    self._out_since_ms[glass] = game.out_ms.get(glass, now_ms)
                else:
                    self._outs.append((glass, Span(self._out_since_ms.pop(glass), now_ms)))

    # -- the end

    def report(self) -> Report:
        """Everything, put together."""
        settings, rulings = self.session.settings, self._rulings
        started = next((r for r in rulings if r.kind == "started"), None)
        record = self._builder.record()
        if not any(flaw.kind == "record" for flaw in self.flaws):
            try:
                check(record, self.session.referee.game)
            except RecordError as error:
                self.flaws.append(Flaw("record", str(error)))
        outcome = None
        if record.result is not None:
            outcome = next(r for r in reversed(rulings) if r.kind == "game_over")
        start_ms = 0 if started is None else started.t_ms
        # Deadlines at the last instant fall due just after it.
        end_ms = max(start_ms, self.session.now_ms - 1 if outcome is None else outcome.t_ms)
        pauses = tuple(_pauses(rulings, end_ms))
        return Report(
            settings=settings,
            began=started is not None,
            start_ms=start_ms,
            end_ms=end_ms,
            outcome=outcome,
            result=record.result,
            record=record,
            rings=(*self._rings, *(_evolved(self._rings[-1], end_ms) for _ in self._rings[:1])),
            turns=tuple(_turns(record, start_ms, end_ms, pauses)),
            pauses=pauses,
            glasses=tuple(self._histories(end_ms)),
            violations=self._violations.found(),
            penalties=tuple(r for r in rulings if _is_penalty(r)),
            final=self.session.snapshot(),
            owners=ring_owners(rulings),
            flaws=tuple(self.flaws),
        )

    def _histories(self, end_ms: int) -> Iterator[GlassHistory]:
        """The glasses' sand; at level 1 it does not matter, and the timer is used at level 3 only."""
        level = self.session.settings.level
        for glass in {1: (), 2: GLASSES, 3: (*GLASSES, TIMER)}[level]:
            kind, name = ("timeout", None) if glass == TIMER else ("glass_stopped", glass)
            stops = [r.t_ms for r in self._rulings if r.kind == kind and r.get("glass") == name and r.t_ms <= end_ms]
            outs = [span for g, span in self._outs if g == glass]
            if glass in self._out_since_ms:
                outs.append(Span(self._out_since_ms[glass], end_ms))
            yield GlassHistory(
                name=glass,
                full_ms=max(self.session.settings.glass_ms[glass].values()),
                points=tuple(p for p in self._lines[glass].points(end_ms) if p.t_ms <= end_ms),
                stops_ms=tuple(stops),
                outs=tuple(span for span in outs if span.since_ms < end_ms),
            )


def _evolved(rings: RingsLeft, t_ms: int) -> RingsLeft:
    return RingsLeft(max(t_ms, rings.t_ms), rings.red, rings.black)


def _is_penalty(ruling: Ruling) -> bool:
    return (
        ruling.kind in _PENALTIES
        or (ruling.kind == "ring" and ruling.get("reason") == "penalty")
        or (ruling.kind == "notice" and ruling.get("code") == "penalty_corrected")
    )


def _pauses(rulings: Iterable[Ruling], end_ms: int) -> Iterator[Span]:
    since_ms: int | None = None
    for ruling in rulings:
        if ruling.kind == "paused" and since_ms is None:
            since_ms = ruling.t_ms
        elif ruling.kind == "resumed" and since_ms is not None:
            if since_ms < end_ms:
                yield Span(since_ms, min(ruling.t_ms, end_ms))
            since_ms = None
    if since_ms is not None and since_ms < end_ms:
        yield Span(since_ms, end_ms)


def _turns(record: Record, start_ms: int, end_ms: int, pauses: Sequence[Span]) -> Iterator[TurnTime]:
    since_ms = start_ms
    for turn in record.turns:
        if turn.action is None or turn.t_ms is None:
            continue
        t_ms = min(max(turn.t_ms, since_ms), end_ms)
        paused_ms = sum(pause.overlap_ms(since_ms, t_ms) for pause in pauses)
        kind = "move" if isinstance(turn.action, Move) else turn.action
        yield TurnTime(turn.player, format_turn(turn), kind, since_ms, t_ms, paused_ms)
        since_ms = t_ms
