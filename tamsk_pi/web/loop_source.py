"""Shows the game that a `Loop` runs, on a real board or on a virtual one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tamsk_pi.clock import Clock
from tamsk_pi.devices.base import Tone
from tamsk_pi.explain.explanation import explanation_of
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.evening import Choices
from tamsk_pi.runner.loop import Loop, View
from tamsk_pi.signals.explaining import Explainer
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.signals.words import Words
from tamsk_pi.web.actions import WORDS, ArbiterAction, Choose, Verb
from tamsk_pi.web.inbox import Inbox
from tamsk_pi.web.source import Answer, BoardView, GamePicture, Hands, Mode, Viewers

ROUND_MS: Final = 1_000
"""A loop that has not gone round for so long is not alive."""


class LoopSource:
    """A `GameSource`, and a `Watcher` of the loop: made first, given to the loop, then told of it by `attach`.

    `hands` and `board` belong to a virtual board; `board` is called in the loop's thread. `ring_mode` tells how rings
    are noticed in the game that is going on.
    """

    def __init__(
        self,
        mode: Mode,
        clock: Clock,
        *,
        hands: Hands | None = None,
        board: Callable[[], BoardView] | None = None,
        words: Callable[[Language], Words] = lambda language: Words({}, language),
        kept: Callable[[], str] = lambda: "",
        look: Callable[[], None] = lambda: None,
        lesson: Callable[[int, Sequence[Ruling]], Mapping[str, object] | None] = lambda game, rulings: None,
    ) -> None:
        """`words`: those in which a ruling is explained, for the game that is going on. `kept`: its name among the
        games kept, or an empty text. `look` is called in the loop's thread with every picture, and
        `lesson` tells how the lesson stands, from the game's number and its rulings."""
        self.mode: Final = mode
        self.hands: Final = hands
        self.arbiter: LoopArbiter | None = None
        self._clock: Final = clock
        self._board: Final = board
        self._words: Final = words
        self._kept: Final = kept
        self._look: Final = look
        self._lesson: Final = lesson
        self._loop: Loop | None = None
        self._viewers: Viewers | None = None
        self._view: View | None = None
        self._picture: GamePicture | None = None
        self._zero_ms = clock.now_ms()

    def attach(self, loop: Loop) -> None:
        """The loop whose watcher this is; before its first round."""
        self._loop = loop
        self.arbiter = LoopArbiter(loop)

    # -- a `GameSource`: from the page's thread

    def start(self, viewers: Viewers) -> None:
        """Show the newest picture, and each that follows. The loop must have gone round once."""
        self._viewers = viewers
        if self._picture is None:
            raise RuntimeError("the loop must have gone round once before its game can be shown")
        viewers.show(self._picture)

    def now_ms(self) -> int:
        return self._clock.now_ms() - self._zero_ms

    def alive(self) -> bool:
        return self._loop is not None and self._clock.now_ms() - self._loop.round_at_ms <= ROUND_MS

    # -- a `Watcher`: in the loop's thread

    def show(self, view: View) -> None:
        self._view = view
        self._take_picture()

    def sound(self, tones: Sequence[Tone]) -> None:
        if self._viewers is not None:
            self._viewers.sound(tones)

    def look_again(self) -> None:
        """The virtual board may look otherwise by now; in the loop's thread, as often as one likes."""
        if self._picture is not None and self._board is not None and self._board() != self._picture.board:
            self._take_picture()

    def _take_picture(self) -> None:
        loop, view = self._loop, self._view
        if loop is None or view is None:
            raise RuntimeError("the loop must be attached before it shows anything")
        self._look()
        now_ms = self._clock.now_ms()
        self._zero_ms = now_ms - loop.desk.game_ms(now_ms)
        self._picture = GamePicture(
            game=view.game,
            snapshot=view.snapshot,
            rulings=view.rulings,
            lamps=view.lamps,
            board=None if self._board is None else self._board(),
            differences=view.differences,
            ring_mode=loop.desk.session.settings.rings,
            setup=loop.desk.session.settings.setup,
            position=loop.desk.session.settings.position,
            problem=view.problem,
            unkept=view.problem if view.problem is not None and view.problem == loop.desk.problem else None,
            kept="" if loop.desk.problem is not None else self._kept(),
            caps={glass: cap.told() for glass, cap in view.caps.items()},
            explanation=self._explanation(view),
            lesson=self._lesson(view.game, view.rulings),
            advice=view.advice,
            hint=view.hint,
        )
        if self._viewers is not None:
            self._viewers.show(self._picture)

    def _explanation(self, view: View) -> Mapping[str, object] | None:
        if view.rechecked is None:
            return None
        before, asked = self._picture, (view.game, view.rechecked_ms)
        told = before.explanation if before is not None else None
        if before is not None and told is not None and (before.game, told["asked_ms"]) == asked:
            return told
        in_all: dict[str, object] = {of: explanation_of(view.rechecked, Explainer(self._words(of))) for of in LANGUAGES}
        return {"asked_ms": view.rechecked_ms, **in_all}


class LoopArbiter:
    """Passes the arbiter's words on to the game. What makes no sense there comes back as a notice among the rulings."""

    def __init__(self, loop: Loop) -> None:
        self._loop: Final = loop
        self._inbox: Final[Inbox[ArbiterAction]] = Inbox(lambda: loop.call(self._say_all))

    def offers(self) -> tuple[Verb, ...]:
        return tuple(WORDS)

    def do(self, action: ArbiterAction, answer: Answer) -> None:
        self._inbox.do(action, answer)

    def choose(self, choice: Choose, answer: Answer) -> None:
        """Choose for the next game."""

        def task(now_ms: int) -> None:
            self._loop.evening.choose(Choices(choice.level, choice.rules, choice.red, choice.black))
            answer(None)

        self._loop.call(task)

    def _say_all(self, now_ms: int) -> None:
        for action, answer in self._inbox.take():
            reason: str | None = "it could not be done; the log tells why"
            if action.verb == "discard" and not self._loop.desk.is_offered:
                answer("there is no game to be set aside")
                continue
            try:
                reason = self._loop.evening.say(action.verb, action.details, now_ms)
            finally:
                answer(reason)
