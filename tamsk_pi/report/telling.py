"""A report in words, in one language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tamsk_pi.report.charts import clock
from tamsk_pi.report.facts import GlassHistory, Report
from tamsk_pi.report.lists import Entry
from tamsk_pi.report.svg import fitted, plain
from tamsk_pi.rules.board import GLASSES, PLAYERS, SOCKETS, TIMER, Player
from tamsk_pi.signals.language import Language
from tamsk_pi.signals.names import first_upper
from tamsk_pi.signals.sheet import REPORT
from tamsk_pi.signals.words import Words

_DECIMAL_COMMA: Final = ("de", "es")


class Telling:
    """Puts a report into words."""

    def __init__(self, report: Report, words: Words) -> None:
        self._report: Final = report
        self._words: Final = words

    @property
    def language(self) -> Language:
        """The language it is told in."""
        return self._words.language

    def text(self, key: str, **blanks: str) -> str:
        """A text of the report's catalogue, its blanks filled in."""
        return self._words.fill(REPORT[key], blanks)

    def side(self, player: Player, width: float = 30.0, size: float = 2.3) -> str:
        """A side by its player's name, shortened to so many mm in letters of a size, else by its colour."""
        return fitted(self._words.namer.side(player), size, width)

    def glass(self, name: str) -> str:
        """A glass, as it begins a sentence."""
        return first_upper(self._words.namer.glass(name))

    def seconds(self, ms: int) -> str:
        """A short length in seconds and tenths, a longer one as `m:ss`."""
        if ms >= 60_000:
            return clock(ms)
        text = f"{ms / 1000:.1f} s"
        return text.replace(".", ",") if self.language in _DECIMAL_COMMA else text

    # -- the head

    def players(self) -> str:
        """Who played whom, each with the colour where there are names."""
        namer = self._words.namer
        names = {}
        for player in PLAYERS:
            name, colour = namer.side(player), namer.colour(player)
            names[player] = name if name == colour else f"{name} ({colour})"
        return self.text("players", **names)

    def outcome(self) -> Iterator[str]:
        """How it ended, or that it has not."""
        if self._report.outcome is not None:
            yield self._words.say(self._report.outcome)
        else:
            yield self.text("unfinished" if self._report.began else "not_begun")

    def flaws(self) -> Iterator[str]:
        """What is missing, and why."""
        for flaw in self._report.flaws:
            yield self.text(f"flaw.{flaw.kind}", problem=plain(flaw.problem))

    def facts(self) -> Iterator[tuple[str, str]]:
        """The game's settings and size, as label and value."""
        report, settings = self._report, self._report.settings
        if settings.event:
            yield self.text("event"), plain(settings.event)
        if settings.started_at:
            yield self.text("date"), plain(settings.started_at).replace("T", " ")
        yield self.text("level"), str(settings.level)
        yield self.text("rules"), self.text(f"rules.{settings.rules}")
        yield self.text("rings_by"), self.text(f"rings_by.{settings.rings}")
        if settings.setup == "free":
            yield self.text("setup"), self.text(f"setup.{settings.setup}")
        yield self.text("length"), clock(report.length_ms)
        yield self.text("turns"), str(len(report.turns))

    # -- pictures and charts

    def position(self) -> str:
        """The position, for those who cannot see it."""
        final, parts = self._report.final, []
        for name in GLASSES:
            glass = final.glasses[name]
            key = "position.words" if glass.socket else "position.in_hand" if glass.in_hand else "position.table"
            where = self.text(key, glass=self._words.namer.glass(name), socket=str(glass.socket))
            parts.append(f"{where} ({self.text('position.out').lower()})" if glass.out else where)
        for socket in SOCKETS:
            if count := final.rings.get(socket, 0):
                owners = self._report.owners.get(socket, {})
                parts.append(self.text("position.rings", socket=socket, rings=self._stack(owners, count)))
        return f"{'. '.join(parts)}."

    def _stack(self, owners: Mapping[int, Player], count: int) -> str:
        unknown = self.text("position.unknown_ring").lower()
        names = (owners.get(height) for height in range(1, count + 1))
        return ", ".join(unknown if owner is None else self._words.namer.colour(owner) for owner in names)

    def rings(self) -> str:
        """The chart of the rings in a sentence."""
        left = self._report.final.rings_left
        return self.text(
            "rings.words",
            length=clock(self._report.length_ms),
            red=self.side("red"),
            black=self.side("black"),
            red_rings=str(left["red"]),
            black_rings=str(left["black"]),
        )

    def times(self) -> Iterator[tuple[Player | None, str]]:
        """The lines below the chart of times, those of a side with the side."""
        report = self._report
        for player in PLAYERS:
            turns = [turn.took_ms for turn in report.turns if turn.player == player]
            blanks = {"side": self.side(player), "total": clock(sum(turns)), "longest": clock(max(turns, default=0))}
            yield player, self.text("times.words" if turns else "times.words.none", **blanks)
        rest_ms, paused_ms = report.rest_ms, sum(p.until_ms - p.since_ms for p in report.pauses)
        texts = [self.text("times.rest", rest=clock(rest_ms))] if rest_ms >= 1000 else []
        texts += [self.text("times.paused", paused=clock(paused_ms))] if paused_ms else []
        if texts:
            yield None, " ".join(texts)
        yield None, self.text("times.sides", red=self.side("red"), black=self.side("black"))

    def sand(self, glass: GlassHistory) -> str:
        """What became of a glass's sand, in a sentence."""
        end_ms = self._report.end_ms
        times = ", ".join(map(clock, glass.stops_ms))
        left_ms = glass.points[-1].left_ms if glass.points else 0
        if glass.name == TIMER:
            parts = [self.text("sand.timer", times=times) if times else self.text("sand.timer.never")]
        else:
            parts = [self.text("sand.stopped", times=times)] if times else []
            lasting = [out for out in glass.outs if out.until_ms >= end_ms]
            parts += [self.text("sand.out", time=clock(out.since_ms)) for out in lasting]
            parts += [self.text("sand.runs", time=clock(left_ms))] if left_ms else []
        return f"{'. '.join(parts) or self.text('sand.never')}."

    # -- lists

    def violations(self) -> Iterator[Entry]:
        """Each violation with its time, its words, and how it ended."""
        for violation in self._report.violations:
            ruling = violation.ruling
            took_ms = (violation.ended_ms or ruling.t_ms) - ruling.t_ms
            after = self.text(
                f"mending.{violation.mending}", time=self.seconds(took_ms), socket=str(violation.moved_to)
            )
            yield Entry(clock(ruling.t_ms), self._words.say(ruling), after)

    def penalties(self) -> Iterator[Entry]:
        """Each time penalty with its time and its words."""
        for ruling in self._report.penalties:
            yield Entry(clock(ruling.t_ms), self._words.say(ruling), "")

    def more(self, count: int) -> str:
        """What stands for so many that found no room."""
        return self.text("more", count=str(count))
