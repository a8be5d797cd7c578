"""The referee: gestures and deadlines in, rulings out.

It does no I/O and reads no clock. Gestures and deadlines must come in the order of their times (`session.py` sees to
that): an action at t before a deadline at t.
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.referee import arbiter, blind, glasses, placing, rights, rings, takeback, turns, watching
from tamsk_pi.referee.game import Game, Held
from tamsk_pi.referee.life import Life
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Phase
from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import GLASSES, TIMER, Player, opponent, player_named
from tamsk_pi.sensing.gestures import Gesture, HolderCount, Lift, Oddity, Place, Press, RingCount, Turn
from tamsk_pi.sensing.hands import Hands
from tamsk_pi.sensing.seen import Seen

OFF_BOARD_MS: Final = 30_000
"""A glass that is in hand for longer is worth a notice."""


class Referee:
    """Judges one game. It is also the `Judge` that the hands ask about the rules."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.life: Final = Life()

    def start(self, t_ms: int, off_board: dict[str, str], *, from_position: bool = False) -> None:
        """Begin to judge. `off_board`: glasses that are not on the board yet, and the end that is up."""
        for glass, up in off_board.items():
            self.game.held[glass] = Held(t_ms, None, up, self.game.sand[glass], ran=True)
        self.life.go_to("to_move")
        if from_position:
            self.game.say(t_ms, "started", player=self.game.to_move)
            turns.begin_turn(self.game, t_ms, self.game.to_move)
        else:
            self.game.say(t_ms, "started")

    def fetch(self) -> list[Ruling]:
        """The rulings since the last call."""
        said, self.game.said = self.game.said, []
        return said

    # -- gestures

    def take(self, gesture: Gesture) -> None:
        """Judge one gesture."""
        if isinstance(gesture, Oddity):
            self.game.say(gesture.t_ms, gesture.ruling, code=gesture.code, **gesture.details)
            return
        if self.game.result is not None:
            return
        match gesture:
            case Lift():
                self._lift(gesture)
            case Place():
                self._place(gesture)
            case Turn():
                self._turn(gesture)
            case RingCount():
                rings.on_count(self.game, gesture.t_ms, gesture.socket, gesture.rings, at_once=gesture.at_once)
            case HolderCount(t_ms, player, before, count):
                rings.on_holder(self.game, t_ms, player_named(player), before - count, at_once=gesture.at_once)
            case Press():
                self._press(gesture)
        self._follow_up(gesture.t_ms)

    def _lift(self, lift: Lift) -> None:
        held = glasses.lift(self.game, lift)
        held.notice_ms = lift.t_ms + OFF_BOARD_MS
        watching.taken_off(self.game, lift.t_ms, lift.glass)
        takeback.lifted(self.game, lift.t_ms, lift.glass)

    def _place(self, place: Place) -> None:
        held = self.game.held.pop(place.glass)
        if not self.game.watched:
            placing.judge(self.game, place, held)
        else:
            # The players take glasses off to settle a tie: nothing about them is a move.
            glasses.settle_sand(self.game, place, held)
            glasses.end_handling(self.game, place, held, moved=False)
            self.game.table.standing[place.glass] = place.socket

    def _turn(self, turn: Turn) -> None:
        if turn.glass == TIMER:
            if self.game.settings.level == 3:
                glasses.turn_timer(self.game, turn.t_ms, playing=self.game.closing_ms is None)
            return
        glasses.turn(self.game, turn)

    def _press(self, press: Press) -> None:
        game, t_ms = self.game, press.t_ms
        if press.who == "arbiter":
            return
        player = player_named(press.who)
        match press.length:
            case "short" if placing.confirm(game, t_ms, player):
                return
            case "short":
                to_move = game.closing_ms is None and game.to_move == player
                rings.on_short_press(game, t_ms, player, to_move=to_move, can_move=game.can_move(player))
            case "long":
                rings.on_long_press(game, t_ms, player)
            case "held":
                rings.finish(game, t_ms, opponent(player), "resigned")
            case "both_held":
                rings.finish(game, t_ms, None, "agreed")

    def believe_turned(self, t_ms: int, glass: str, since_ms: int) -> None:
        """A cap was found not to have been heard since `since_ms`; what was ruled on its word since is taken back."""
        placing.believe_turned(self.game, t_ms, glass, since_ms)
        self._follow_up(t_ms)

    def turned_while_unheard(self, t_ms: int, glass: str) -> None:
        """A cap that is heard again tells another end than was believed: nobody saw when that was turned up."""
        self.game.say(t_ms, "notice", code="unobserved", turned=[glass])
        glasses.turn(self.game, Turn(t_ms, glass, "in_hand"))
        self._follow_up(t_ms)

    # -- pauses, and what the arbiter says

    def pause(self, t_ms: int, reason: str) -> None:
        """Judge nothing from now on."""
        if self.game.paused_ms is None and self.game.result is None:
            self.game.paused_ms = t_ms
            self.game.say(t_ms, "paused", reason=reason)
            self.life.go_to("paused")

    def go_on(self, hands: Hands, then: Seen, now: Seen, t_ms: int, dark: blind.Dark | None = None) -> None:
        """Judge again; `then` and `now` are what the sensors told when judging ended and tell at `t_ms`.

        `dark`: in between nothing was sensed at all.
        """
        game = self.game
        # A game whose end was annulled was over meanwhile.
        since_ms = game.over_ms if game.paused_ms is None else game.paused_ms
        if since_ms is None or (game.result is not None and game.paused_ms is None):
            return
        placings = blind.go_on(game, hands, then, now, since_ms, t_ms, dark)
        game.paused_ms = game.over_ms = None
        game.say(t_ms, "resumed")
        for place in placings:
            self.take(place)
        self._follow_up(t_ms)

    def ask_for_sand(self, t_ms: int) -> None:
        """Nobody knows how long nothing was watched: the players are to say of each glass whether it still runs."""
        game = self.game
        if game.settings.orientation_matters and game.result is None:
            running = [g for g in GLASSES if g not in game.table.out and game.sand[g].stops_at_ms is not None]
            if running:
                game.say(t_ms, "notice", code="ask_for_sand", glasses=running)

    def obey(self, word: Word) -> bool:
        """Do what the arbiter says, as far as it concerns the game alone; whether a game that was over goes on."""
        was_over = self.game.result is not None
        if was_over and word.what not in ("annul", "recheck"):
            refusal: str | None = "the game is over"
        elif word.what == "recheck":
            refusal = None
            self.game.say(word.t_ms, "notice", code="recheck")
        else:
            refusal = arbiter.obey(self.game, word)
        if refusal is not None:
            self.refuse(word, refusal)
        elif self.game.paused_ms is None:
            self._follow_up(word.t_ms)
        return was_over and self.game.result is None

    def refuse(self, word: Word, reason: str) -> None:
        """Say why a word changes nothing."""
        self.game.say(word.t_ms, "notice", code="refused", word=word.what, reason=reason)

    def _follow_up(self, t_ms: int) -> None:
        """What follows from the state alone after every event: passes, the end, the phase."""
        turns.pass_if_stuck(self.game, t_ms)
        turns.end_if_closed(self.game, t_ms)
        self.life.go_to(self._phase())

    def _phase(self) -> Phase:
        game = self.game
        if game.paused_ms is not None:
            return "paused"
        if game.result is not None:
            return "over"
        if game.watched:
            return "tie_break"
        if game.closing_ms is not None:
            return "closing"
        if game.mends:
            return "mending"
        return "carrying" if game.holds_own_glass(game.to_move) else "to_move"

    # -- deadlines

    def next_deadline_ms(self) -> int | None:
        """When something falls due if nothing is done."""
        game = self.game
        if game.result is not None or game.paused_ms is not None:
            return None
        times = [h.notice_ms for h in game.held.values() if h.notice_ms is not None]
        for t_ms in (
            glasses.next_stop_ms(game) if game.settings.orientation_matters else None,
            glasses.next_doubt_ms(game),
            glasses.expiry_ms(game),
            rights.next_closing_ms(game),
            placing.next_confirmation_ms(game) if game.mends else None,
            watching.next_due_ms(game) if game.watched else None,
        ):
            if t_ms is not None:
                times.append(t_ms)
        return min(times, default=None)

    def fall_due(self, t_ms: int) -> None:
        """Let everything fall due whose deadline is `t_ms`, in the order of rules.md, "Levels"."""
        game = self.game
        if game.settings.orientation_matters:
            glasses.stop_due(game, t_ms)
            turns.pass_if_stuck(game, t_ms)
        if glasses.expiry_ms(game) == t_ms:
            turns.time_out(game, t_ms)
        rights.close_due(game, t_ms)
        placing.unconfirmed_due(game, t_ms)
        watching.too_late(game, t_ms)
        for glass, held in game.held.items():
            if held.notice_ms == t_ms:
                held.notice_ms = None
                game.say(t_ms, "notice", code="glass_off_board", glass=glass)
        self._follow_up(t_ms)

    # -- what the hands ask

    def would_be_legal(self, glass: str, socket: str) -> bool:
        """Whether placing that glass in hand there now would be a legal move or put it back, turning not looked at."""
        held = self.game.held.get(glass)
        if held is None:
            return False
        mend = self.game.mends.get(glass)
        home = mend.home if mend else held.socket
        if socket == home:
            return True
        if self.game.must_mend(besides=glass):
            return False
        return placing.fault_in(self.game, glass, socket, home, held) is None

    def misses_ring(self, socket: str) -> bool:
        """Whether a ring that was taken off is to be put back there."""
        return rings.misses(self.game, socket)

    def suppose_lifted(self, glass: str, t_ms: int) -> None:
        """Answer as if that glass, which stands, were lifted at `t_ms`, until `forget_supposed`."""
        self.game.held[glass] = glasses.as_if_lifted(self.game, glass, t_ms)

    def forget_supposed(self, glass: str) -> None:
        """That glass stands."""
        del self.game.held[glass]

    def suppose_to_move(self, mover: Player) -> None:
        """Answer as if it were that side's turn."""
        self.game.to_move = mover

    def to_move(self) -> Player:
        """Whose turn it is."""
        return self.game.to_move

    def would_move(self, glass: str, socket: str, mover: Player) -> bool:
        """Whether placing that glass in hand there in `mover`'s turn would be a legal move, turning not looked at."""
        held, mend = self.game.held.get(glass), self.game.mends.get(glass)
        if held is None or self.game.closing_ms is not None or socket == (mend.home if mend else held.socket):
            return False
        to_move, self.game.to_move = self.game.to_move, mover
        legal = self.would_be_legal(glass, socket)
        self.game.to_move = to_move
        return legal

    def home_of(self, glass: str) -> tuple[str | None, str] | None:
        """Where a glass that has to be put back belongs, and which end was up there; None for any other glass."""
        mend = self.game.mends.get(glass)
        return (mend.home, mend.home_up) if mend else None
