"""A trace made into what the page plays: every moment at which something is seen to change.

A film is JSON: the first moment whole, each later one as what differs from the one before, and the rulings with their
words, and what each rests on, in every language. A ruling stands at the moment at which it was known (`at`), as a live
page would have shown it, which is a little later than the time that it bears.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, Final

from tamsk_pi.devices.base import LampFrame
from tamsk_pi.explain.chronicle import Chronicle
from tamsk_pi.explain.explanation import explanation_of
from tamsk_pi.explain.moment import Moment
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.referee.true_record import check
from tamsk_pi.rules.record import RecordError, build_record, format_record
from tamsk_pi.runner.speech import words_for
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.session import Session
from tamsk_pi.signals.explaining import Explainer
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.signals.standing import STATES, shown_now
from tamsk_pi.trace import TraceReader
from tamsk_pi.trace_header import write_header
from tamsk_pi.web.source import GamePicture
from tamsk_pi.web.state import Sections, layout, said_of, sections_of

VERSION: Final = 1
MOST_FRAMES: Final = 50_000
"""Some hundred games; what has more is no game."""


class FilmError(ValueError):
    """A trace of which no film can be made, in one line."""


_UNTOLD: Final = object()
_BEFORE: Final[Mapping[str, object]] = {"button": False}
"""What an input of a kind told before its first edge, where every board begins alike."""


def film_of(trace: bytes, *, drop_torn_end: bool = False) -> dict[str, Any]:
    """The film of a trace. `TraceError` where it is none, `FilmError` where it is too long to be shown."""
    reader = TraceReader(BytesIO(trace), last_line="whole" if drop_torn_end else "strict")
    moments: list[Moment] = []
    camera = _Camera(Session(reader.settings, Chronicle(reader.settings, moments.append)))
    edges: list[tuple[int, str, str, object]] = []
    told: dict[tuple[str, str], object] = {}
    last_ms = 0
    for record in reader:
        camera.run_to(record.t_ms)
        camera.take(camera.session.take(record), quietly=isinstance(record, Edge))
        # A line that repeats its input's value only tells that time went on.
        if isinstance(record, Edge) and record.value != told.get(
            (record.kind, record.name), _BEFORE.get(record.kind, _UNTOLD)
        ):
            edges.append((record.t_ms, record.kind, record.name, record.value))
            told[record.kind, record.name] = record.value
        last_ms = record.t_ms
    if not camera.session.ended:
        camera.run_to(last_ms)
        camera.take(camera.session.finish(last_ms))
    # As they were at the end: names may have been corrected.
    header = write_header(camera.session.settings)
    return {
        "format": "tamsk-film",
        "version": VERSION,
        "layout": layout(),
        "settings": header,
        "end_ms": last_ms,
        "frames": camera.frames,
        "said": camera.said,
        "rulings": _rulings(camera, moments),
        "edges": edges,
        "record": _record(header, camera),
    }


def pack(film: dict[str, Any]) -> bytes:
    """A film as it is sent: JSON, gzipped."""
    return gzip.compress(json.dumps(film, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0)


class _Camera:
    """Looks at a game whenever something may have changed, and keeps what has."""

    def __init__(self, session: Session) -> None:
        self.session: Final = session
        self.frames: list[tuple[int, Sections, int]] = []
        """When (ms), the sections that changed (of `glasses` only those that did), and how many rulings are known."""
        self.said: list[dict[str, Sections]] = []
        """For each of the frames the finished lines that changed, by language."""
        self._told: dict[Language, Sections] = {}
        self.rulings: list[Ruling] = []
        self.known_ms: list[int] = []
        self._shown: Sections = {}
        self._steps = 0
        self.take(session.advance(0))

    def run_to(self, t_ms: int) -> None:
        """Let every deadline fall due that comes before `t_ms`."""
        while (due_ms := self.session.next_deadline()) is not None and due_ms < t_ms:
            self.take(self.session.advance(max(due_ms, self.session.now_ms)))

    def take(self, fresh: Sequence[Ruling], *, quietly: bool = False) -> None:
        """Take what was ruled, and look. `quietly`: an edge that has not settled yet changes nothing that is seen."""
        self._steps += 1
        if self._steps > 10 * MOST_FRAMES:
            raise FilmError("it is too long to be shown")
        due_ms = self.session.next_deadline()
        if quietly and not fresh and due_ms is not None and due_ms > self.session.now_ms and self.frames:
            return
        self.rulings += fresh
        self.known_ms += [self.session.now_ms] * len(fresh)
        self._look()

    def _look(self) -> None:
        snapshot = self.session.snapshot()
        lamps = _lamps(snapshot)
        mode = self.session.settings.rings
        settings = self.session.settings
        picture = GamePicture(
            1, snapshot, self.rulings, lamps, ring_mode=mode, setup=settings.setup, position=settings.position
        )
        sections = sections_of(picture, helps=True)
        changed = {name: value for name, value in sections.items() if self._shown.get(name, ...) != value}
        if not changed and self.frames and self.frames[-1][2] == len(self.rulings):
            return
        if "glasses" in changed and self._shown:
            before = self._shown["glasses"]
            changed["glasses"] = {name: it for name, it in sections["glasses"].items() if before[name] != it}
        self._shown = sections
        self.frames.append((snapshot.now_ms, changed, len(self.rulings)))
        self.said.append({language: self._fresh_lines(picture, language) for language in LANGUAGES})
        if len(self.frames) > MOST_FRAMES:
            raise FilmError("it is too long to be shown")

    def _fresh_lines(self, picture: GamePicture, language: Language) -> Sections:
        lines, before = said_of(picture, language, helps=True), self._told.get(language, {})
        self._told[language] = lines
        return {name: value for name, value in lines.items() if before.get(name, ...) != value}


def _lamps(snapshot: Snapshot) -> LampFrame:
    """The lamps without their rhythms: a moment at which the film stands still must not be one in which one is dark."""
    panel = dict.fromkeys(("turn_red", "turn_black", "alarm", "ready"), False)
    planes: dict[str, set[str]] = {"red": set(), "green": set()}
    for shown in shown_now(snapshot, snapshot.now_ms, "play"):
        plane = STATES[shown.state].plane
        if plane == "panel":
            panel[shown.name] = True
        else:
            planes[plane].add(shown.name)
    panel["alarm"] = bool(snapshot.violations) or snapshot.phase == "paused"
    panel["ready"] = snapshot.phase not in ("paused", "setting_up")
    return LampFrame(panel, frozenset(planes["red"]), frozenset(planes["green"]))


def _rulings(camera: _Camera, moments: Sequence[Moment]) -> list[dict[str, object]]:
    words = {language: words_for(camera.session.settings, language) for language in LANGUAGES}
    explainers = {language: Explainer(said) for language, said in words.items()}
    return [
        {
            **ruling.as_json(),
            "at": at_ms,
            "text": {language: said.say(ruling) for language, said in words.items()},
            "why": {language: explanation_of(moment, of) for language, of in explainers.items()},
        }
        for ruling, at_ms, moment in zip(camera.rulings, camera.known_ms, moments, strict=True)
    ]


def _record(header: dict[str, object], camera: _Camera) -> str | None:
    try:
        record = build_record(header, camera.rulings)
        check(record, camera.session.referee.game)
        return format_record(record)
    except RecordError:
        # What an arbiter corrected need not make a record that can be played after; the trace still tells all.
        return None
