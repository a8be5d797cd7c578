"""One game after another at one board, from the first set-up to the last: an evening.

The evening owns the game that is going on, what was chosen for the next one, and the time between the two. It keeps no
thread, reads no clock, and does not know whether the board is a real one. Source: architecture.md, "One game after
another".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

import attrs

from tamsk_pi.devices.base import Device
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot, Upcoming
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.runner.between import Between
from tamsk_pi.runner.desk import LOOK_EVERY_MS, Desk, OpenKeeper
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings

AFTERMATH_MS: Final = 5_000
"""For so long after its end a game is still listened to: what is settling is told, and a button may say whose ring it
was."""

MOST_DEAD: Final = 2
"""The arbiter's long press begins a game though so many sockets say otherwise; more are no broken sensors."""

NOT_HEARD: Final = "the board is not heard"
NOT_REOPENED: Final = "the game is over, and its record is closed"
OFFERED: Final = "a game was cut off: let it go on, or set it aside"
NAME_CHARS: Final = 40


@attrs.frozen
class Choices:
    """What may be chosen for the next game. Names may be empty; whoever is named `red` plays red."""

    level: int
    rules: str
    red: str = ""
    black: str = ""

    def __attrs_post_init__(self) -> None:
        if self.level not in (1, 2, 3):
            raise ValueError(f"level is {self.level}; allowed: 1, 2, 3")
        if self.rules not in EDITIONS:
            raise ValueError(f"rules is {self.rules!r}; allowed: {', '.join(EDITIONS)}")
        for name in (self.red, self.black):
            if len(name) > NAME_CHARS or not (name == "" or name.isprintable()):
                raise ValueError(f"a name has at most {NAME_CHARS} printable characters")

    @classmethod
    def of(cls, settings: Settings) -> Choices:
        """What was chosen in these settings."""
        return cls(settings.level, settings.rules, settings.red, settings.black)

    def over(self, settings: Settings) -> Settings:
        """The settings with this chosen."""
        return attrs.evolve(settings, level=self.level, rules=self.rules, red=self.red, black=self.black, position="")

    def swapped(self) -> Choices:
        """With the sides changed."""
        return attrs.evolve(self, red=self.black, black=self.red)

    def next_level(self) -> Choices:
        """With the next level; after the last the first."""
        return attrs.evolve(self, level=self.level % 3 + 1)

    def next_rules(self) -> Choices:
        """With the next edition; after the last the first."""
        editions = list(EDITIONS)
        return attrs.evolve(self, rules=editions[(editions.index(self.rules) + 1) % len(editions)])


class Evening:
    """Runs one game after the other on one board. Times are the host's, in ms."""

    def __init__(
        self, device: Device, open_keeper: OpenKeeper, label: Callable[[Settings], Settings] = lambda settings: settings
    ) -> None:
        """`label` adds to a new game's settings what only its beginning tells, such as the time of day."""
        self._device: Final = device
        self._open_keeper: Final = open_keeper
        self._label: Final = label
        self._base: Settings | None = None
        """What games are begun with, but for what is chosen."""
        self._desk: Desk | None = None
        self._between: Between | None = None
        self._choices: Choices | None = None
        self._chosen = 0
        self._over_ms = 0
        self._dead: frozenset[str] = frozenset()
        self.games = 0
        """How many there have been, the one that is going on, or waited for, included."""

    @property
    def desk(self) -> Desk:
        """The game that is going on, or was last."""
        if self._desk is None:
            raise RuntimeError("no game has been begun")
        return self._desk

    @property
    def choices(self) -> Choices:
        """What is chosen for the next game; at first, what the last one was played with."""
        return self._choices or Choices.of(self.desk.session.settings)

    @property
    def is_between(self) -> bool:
        """Whether the next game is waited for."""
        return self._between is not None

    # -- games begin and end

    def open(self, settings: Settings, now_ms: int) -> None:
        """Begin with a first game: at once where the board is set up, else as soon as it is."""
        if Between(settings, self._device.inputs(), now_ms).is_set_up:
            self.begin(settings, now_ms)
        else:
            self._base = settings
            self._leave(now_ms)
            self._take(Desk.waiting(settings, self._device, now_ms))
            self._wait(now_ms)

    def begin(self, settings: Settings, now_ms: int) -> None:
        """Begin a game with these settings on the board as it is; the one that is going on is closed."""
        self._leave(now_ms)
        self._base = settings
        dead, self._dead = self._dead, frozenset()
        labelled = self._label(settings)
        self._take(Desk.begin(labelled, self._device, self._open_keeper(labelled), now_ms))
        for socket in sorted(dead):
            self.desk.say("dead", {"socket": socket, "dead": True}, now_ms)

    def go_on_with(self, desk: Desk, settings: Settings | None = None) -> None:
        """Go on with a game that was resumed from its journal; the next one is begun with `settings`."""
        self._base = settings
        self._take(desk)

    def begin_next(self, now_ms: int) -> str | None:
        """End the game that is going on, if one is, and begin the next, or wait until it is set up.

        None, or why that cannot be done.
        """
        if self.desk.is_offered:
            return OFFERED
        if self._between is None:
            self.desk.close(now_ms, for_good=True)
            self._wait(now_ms)
        assert self._between is not None
        self._between.was_otherwise = True
        if self._between.is_set_up and self._is_heard(now_ms):
            self._begin_chosen(now_ms)
        return None

    def close(self, now_ms: int) -> None:
        """Stop. A game that is going on can be resumed from its journal."""
        if self._desk is not None:
            self._desk.close(now_ms)

    def _take(self, desk: Desk) -> None:
        self._desk, self._between, self._choices = desk, None, None
        self.games += 1

    def _leave(self, now_ms: int) -> None:
        if self._desk is not None:
            self._desk.close(now_ms)

    @property
    def _settings(self) -> Settings:
        return self._base or self.desk.session.settings

    def _wait(self, now_ms: int) -> None:
        self._between = Between(self._settings, self._device.inputs(), now_ms, _dead_in(self.desk.rulings))
        self._over_ms = now_ms

    def _begin_chosen(self, now_ms: int) -> None:
        assert self._between is not None
        self._dead = frozenset(self._between.dead)
        self.begin(self.choices.over(self._settings), now_ms)

    # -- time and edges

    def take_edges(self, edges: Sequence[Edge]) -> None:
        """Take what the device has posted."""
        self.desk.take_edges(edges)
        if self._between is not None:
            self._between.take(edges)

    def go_round(self, now_ms: int) -> int:
        """Let time pass; when to be called again at the latest."""
        wake_ms = self.desk.go_round(now_ms)
        is_over = self.desk.session.referee.game.result is not None and not self.desk.is_offered
        if self._between is None and is_over and self.desk.session.referee.game.paused_ms is None:
            self._wait(now_ms)
        if self._between is None:
            return wake_ms
        if not is_over and not self.desk.is_resting and not self.desk.is_closed:
            # The arbiter took the end back.
            self._between = None
            return wake_ms
        return min(wake_ms, self._go_round_between(self._between, now_ms))

    def _go_round_between(self, between: Between, now_ms: int) -> int:
        if not (self.desk.is_resting or self.desk.is_closed) and now_ms - self._over_ms >= AFTERMATH_MS:
            self.desk.rest(now_ms)
        heard = self._is_heard(now_ms)
        between.go_round(self._device.inputs(), now_ms, heard=heard)
        begin = False
        for press in between.pressed():
            begin = self._obey(press, between, now_ms) or begin
        ready_ms = between.ready_ms()
        if self._between is between and heard and (begin or (ready_ms is not None and now_ms >= ready_ms)):
            self._begin_chosen(now_ms)
            return now_ms + 1
        due = [
            ready_ms,
            between.settles_ms(),
            None if self.desk.is_resting or self.desk.is_closed else self._over_ms + AFTERMATH_MS,
        ]
        return max(now_ms + 1, min((t_ms for t_ms in due if t_ms is not None), default=now_ms + LOOK_EVERY_MS))

    def _obey(self, press: str, between: Between, now_ms: int) -> bool:
        """What a press does between two games; whether the next one is to begin by it."""
        if press == "both":
            return between.is_set_up and self._settings.rings == "buttons"
        if press == "arbiter":
            return between.is_set_up
        if press == "arbiter_long":
            return self._begins_all_the_same(between)
        if press == "arbiter_held" and (self.desk.is_resting or self.desk.is_closed):
            self._annul(now_ms)
        elif press in ("red", "black") and (self.desk.is_resting or self.desk.is_closed):
            # Before that the press may have been meant for the game that has just ended.
            choices = self.choices
            self._choose(choices.next_level() if press == "red" else choices.next_rules())
        return False

    def _begins_all_the_same(self, between: Between) -> bool:
        """The arbiter says that the board is set up: what says otherwise is no longer listened to."""
        liars = {p.socket for p in between.problems() if p.what != "take_rings"}
        if len(liars | between.dead) > MOST_DEAD:
            return False
        between.dead.update(liars)
        return True

    def _is_heard(self, now_ms: int) -> bool:
        return self.desk.is_heard(now_ms)

    # -- what is chosen, and the arbiter

    def choose(self, choices: Choices) -> None:
        """Choose for the next game."""
        self._choose(choices)

    def _choose(self, choices: Choices) -> None:
        self._choices = choices
        self._chosen += 1

    def say(self, what: str, details: Mapping[str, object], now_ms: int) -> str | None:
        """Pass on a word of the arbiter's; None, or why it changes nothing.

        What makes no sense in a game that is going on comes as a notice among its rulings.
        """
        between = self._between
        if what == "new_game":
            return self.begin_next(now_ms)
        if between is not None and what == "dead":
            socket = str(details["socket"])
            (between.dead.add if details["dead"] else between.dead.discard)(socket)
            if self.desk.is_resting or self.desk.is_closed:
                return None
        elif between is not None and (self.desk.is_resting or self.desk.is_closed):
            return self._annul(now_ms) if what == "annul" else NOT_REOPENED
        self.desk.say(what, details, now_ms)
        return None

    def _annul(self, now_ms: int) -> str | None:
        if not self._is_heard(now_ms):
            return NOT_HEARD
        if not self.desk.take_up_again(now_ms):
            return NOT_REOPENED
        # It is obeyed in its place in the order: a little later.
        self.desk.say("annul", {}, now_ms)
        self._over_ms = now_ms
        return None

    # -- what there is to see

    def picture_ahead(self, certain: Snapshot) -> Snapshot | None:
        """What lamps and pages may show of the game already, though it is not certain; None: nothing else."""
        return None if self._between is not None else self.desk.picture_ahead(certain)

    def picture(self, now_ms: int) -> Snapshot:
        """The game now; between two games, the last one with what is to be done for the next."""
        snapshot, between = self.desk.picture(now_ms), self._between
        if between is None:
            return snapshot
        # A game that was broken off has no end to be shown.
        is_shown = snapshot.result is not None and not between.touched
        phase: Literal["setting_up", "over"] = "over" if is_shown else "setting_up"
        choices = self.choices
        upcoming = Upcoming(
            level=choices.level,
            rules=choices.rules,
            edition=list(EDITIONS).index(choices.rules) + 1,
            names={"red": choices.red, "black": choices.black},
            begins="by_press" if self._settings.rings == "buttons" else "by_itself",
            holders_lacking=between.holders_lacking(),
            chosen=self._chosen,
        )
        return attrs.evolve(
            snapshot,
            phase=phase,
            to_move=None,
            waits="",
            targets={},
            violations=(),
            setup_problems=between.problems(),
            suspects=between.suspects(now_ms),
            upcoming=upcoming,
        )


def _dead_in(rulings: Sequence[Ruling]) -> frozenset[str]:
    """The sockets that are not listened to at the end of a game."""
    dead: set[str] = set()
    for ruling in rulings:
        socket = str(ruling.get("socket"))
        if ruling.get("code") == "socket_dead":
            dead.add(socket)
        elif ruling.get("code") == "socket_alive":
            dead.discard(socket)
    return frozenset(dead)
