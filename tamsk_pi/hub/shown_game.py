"""A game as spectators see it: every moment at which something changed, with violations, mending and annulments."""

from __future__ import annotations

from typing import Any, Final

from tamsk_pi.club.topics import Place
from tamsk_pi.hub.boards import BoardPicture
from tamsk_pi.hub.judging import JudgedGame
from tamsk_pi.hub.mini import state_of
from tamsk_pi.rules.record import RecordError, build_record, format_record
from tamsk_pi.runner.speech import words_for
from tamsk_pi.signals.language import LANGUAGES
from tamsk_pi.trace_header import write_header

LOOK_MS: Final = 150
"""Between two looks without a ruling: longer than contacts bounce, shorter than a hand moves."""
MOST_FRAMES: Final = 20_000


class ShownGame:
    """Fed with lines as they become due to be shown."""

    def __init__(self, place: Place, name: str) -> None:
        self.judged: Final = JudgedGame()
        self._place: Final = place
        self._name: Final = name
        self.frames: list[dict[str, Any]] = []
        """Each with its time `t`, how many rulings were known by then (`r`), and what changed since the one before."""
        self._state: dict[str, Any] = {}
        self._looked_ms = -LOOK_MS
        self._texts: list[dict[str, Any]] = []

    def feed(self, lines: bytes) -> None:
        """Further whole lines of the trace."""
        for line in lines.split(b"\n")[:-1]:
            fresh = self.judged.feed(line + b"\n")
            session = self.judged.session
            if session is not None and (fresh or session.now_ms - self._looked_ms >= LOOK_MS):
                self._look()

    def picture(self, *, heard: bool = True) -> BoardPicture | None:
        """The board as it is shown now; None while nothing can be shown of it."""
        session = self.judged.session
        if session is None:
            return None
        snapshot = session.snapshot()
        return BoardPicture(
            place=self._place,
            heard=heard,
            told=True,
            game=self._name,
            settings=session.settings,
            snapshot=snapshot,
            rulings=self.judged.rulings,
            over=session.ended or snapshot.result is not None,
        )

    def _look(self) -> None:
        picture = self.picture()
        assert picture is not None
        assert picture.snapshot is not None
        now_ms = self._looked_ms = picture.snapshot.now_ms
        state = state_of(picture)
        changed = {key: value for key, value in state.items() if self._state.get(key, ...) != value}
        known = len(self.judged.rulings)
        if (changed or not self.frames or self.frames[-1]["r"] != known) and len(self.frames) < MOST_FRAMES:
            self._state = state
            self.frames.append({"t": now_ms, "r": known, **changed})

    def rulings(self) -> list[dict[str, Any]]:
        """Every ruling with its words in each language, and whether it was annulled later."""
        session = self.judged.session
        if session is None:
            return []
        for ruling in self.judged.rulings[len(self._texts) :]:
            words = {language: words_for(session.settings, language).say(ruling) for language in LANGUAGES}
            self._texts.append({**ruling.as_json(), "text": words})
        told = [dict(text) for text in self._texts]
        for index in self._annulled():
            told[index]["annulled"] = True
        return told

    def _annulled(self) -> set[int]:
        found: set[int] = set()
        rulings = self.judged.rulings
        for number, ruling in enumerate(rulings):
            if ruling.kind == "notice" and ruling.get("code") == "annulled":
                verdict = ruling.get("verdict")
                of = [i for i in range(number) if i not in found and rulings[i].as_json() == verdict]
                found |= set(of[-1:])
        return found

    def record(self) -> str | None:
        """The game in the notation; None where what was corrected makes no record that can be played after."""
        session = self.judged.session
        if session is None:
            return None
        try:
            return format_record(build_record(write_header(session.settings), self.judged.rulings))
        except RecordError:
            return None

    def as_json(self, *, files: tuple[str, ...] = ()) -> dict[str, Any]:
        """The whole game for its page; `files`: what can be had of it, `trace` and `record`."""
        session = self.judged.session
        settings = None if session is None else session.settings
        result, reason = self.judged.result()
        return {
            "board": self._place.board,
            "event": self._place.event,
            "level": None if settings is None else settings.level,
            "names": {
                "red": "" if settings is None else settings.red,
                "black": "" if settings is None else settings.black,
            },
            "started_at": "" if settings is None else settings.started_at,
            "result": result,
            "reason": reason,
            "files": files,
            "over": session is not None and (session.ended or result is not None),
            "frames": self.frames,
            "rulings": self.rulings(),
        }
