"""Every sentence that a ruling can be told in, by key. Which ones a ruling asks for is told by `words.py`.

A text is one or more whole sentences. What stands in braces is filled in: `{glass}` is `the left red hourglass (R1)`
and `{Glass}` the same at the beginning of a sentence. Texts are written so that names keep their basic form: never
after a preposition that would bend `{glass}`, never with a possessive.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tamsk_pi.signals.language import N_

SENTENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        # -- the game
        "ready": N_("The board is set up."),
        "started": N_("The game begins: {red} moves first."),
        "started.position": N_("The game begins from a set-up position: {player} moves first."),
        "move": N_("{player} moves {glass} from {from} to {to}."),
        "move.placed": N_("{player} places {glass} on {to}."),
        "ring.move": N_("{player} drops a ring on {socket}."),
        "ring.claim": N_("{player} drops a ring on {socket}, where the other side forgot to."),
        "ring.own": N_("{player} says that the ring on {socket} is its own: it counts as that."),
        "ring.penalty": N_("{player} drops a penalty ring on {socket}."),
        "timer_started": N_("{player} turns the timer over: it runs against {opponent}."),
        "timeout.begun": N_("The timer has run out on {player}. The move that has begun may be completed, at a price."),
        "timeout.not_begun": N_("The timer has run out on {player}, and no move had begun."),
        "forfeit": N_("{player} forfeits this turn."),
        "pass": N_("{player} cannot move and passes."),
        "skip": N_("{player} misses this turn as a penalty."),
        "glass_stopped": N_("{Glass} has run out."),
        "game_over.rings": N_("{winner} wins with fewer rings left."),
        "game_over.rings.draw": N_("The game is drawn: both sides have the same number of rings left."),
        "game_over.tie_break": N_("{winner} wins the tie-break with the glass that ran longest."),
        "game_over.tie_break.draw": N_("The game is drawn: the tie-break decides nothing either."),
        "game_over.last_ring": N_("{winner} wins by dropping the last ring."),
        "game_over.full_socket": N_("{winner} wins, as {loser} placed a glass on a full socket."),
        "game_over.resigned": N_("{winner} wins, as {loser} resigns."),
        "game_over.agreed": N_("The game is drawn by agreement."),
        "game_over.arbiter": N_("{winner} wins by the arbiter's word."),
        "game_over.arbiter.draw": N_("The arbiter ends the game as a draw."),
        "game_over.rings_left": N_("Rings left: {red} {red_rings}, {black} {black_rings}."),
        # -- what is wrong, and how to put it right
        "violation:wrong_glass": N_("{Glass} was moved, but {opponent} is to move."),
        "violation:full_socket": N_("{Glass} was placed on {to}, which is full: {player} loses the game."),
        "violation:stopped_glass": N_("{Glass} has run out and may not be moved any more."),
        "violation:opening_order": N_(
            "{Glass} has to wait: {player} must first move the glasses that have not moved yet."
        ),
        "violation:not_adjacent": N_("{Glass} was placed on {to}, which does not touch the socket it came from."),
        "violation:not_adjacent.home": N_("{Glass} was placed on {to}, which does not touch {home}."),
        "violation:not_flipped": N_("{Glass} was placed on {to} without being turned over."),
        "violation:flipped_in_place": N_("{Glass} was turned over on {to} without a move."),
        "violation:must_mend": N_("{Glass} was placed on {to}, but another glass is still to be put back."),
        "violation:ring_not_due": N_("No ring is due on {socket}. Take it off again."),
        "violation:ring_not_due.player": N_(
            "No ring of {player} is due. If one was dropped, take it off and put it back on the holder."
        ),
        "violation:ring_removed": N_("A ring that counts was taken off {socket}. Put it back."),
        "violation:ring_removed.player": N_(
            "A ring that counts came back to the holder of {player}. Put it back where it lay."
        ),
        "violation:timer_running": N_(
            "The timer was turned over while its sand was still running. That starts nothing and stops nothing."
        ),
        "violation:must_move": N_("{player} can move and so may not pass."),
        "mend.home": N_("Put it back on {home}."),
        "mend": N_("Put it back where it came from."),
        "mend.off_board": N_("Take it off the board again."),
        "mend.turn.home": N_("Lift it and set it down turned over, or put it back on {home} as it stood there."),
        "mend.turn": N_("Lift it and set it down turned over, or put it back as it stood where it came from."),
        "mend.turn.off_board": N_("Lift it and set it down turned over."),
        "mend.turn_back": N_("Lift it and set it down there the other way up."),
        "resolved": N_("That is put right."),
        "resolved.glass": N_("{Glass} is put right."),
        "resolved:ring_not_due.socket": N_("The ring that was not due is off {socket} again."),
        "resolved:ring_not_due.player": N_("The ring that was not due is back on the holder of {player}."),
        "resolved:ring_removed.socket": N_("The ring is back on {socket}."),
        "resolved:ring_removed.player": N_("The ring has left the holder of {player} again."),
        # -- what the sensors told
        "notice:ambiguous": N_("Several glasses are in hand; the one on {socket} is taken to be {glass}."),
        "notice:close_call": N_("{Glass}: too close to call, so the benefit of the doubt is given."),
        "notice:ring_undone": N_("{player} has put the ring of the last move back on its holder: it is undone."),
        "notice:timer_waived": N_("{player} says that it did not start the timer: it is void."),
        "notice:lapsed.move": N_(
            "Rings changed while nothing was judged: the ring right of {player} on {socket} has lapsed."
        ),
        "notice:lapsed.claim": N_(
            "Rings changed while nothing was judged: the claim of {player} on {socket} has lapsed."
        ),
        "notice:lapsed.penalty": N_("Rings changed while nothing was judged: the penalty ring of {player} has lapsed."),
        "notice:lapsed.timer": N_("The timer of {player} did not go on while nothing was judged: it is void."),
        "notice:glass_off_board": N_("{Glass} has been off the board for a long time."),
        "notice:weak": N_("{Sensor} flickers often: it may be weak or loose."),
        "notice:turning_not_seen": N_(
            "{Glass} was placed on {to}, and no sensor saw it being turned over. "
            "If it was, {player} confirms it by a press of the button."
        ),
        "notice:turning_confirmed": N_("{player} confirms that {glass} was turned over."),
        "notice:unobserved": N_(
            "The board changed while nothing was watched. It is taken as it is, and nothing of it counts as illegal."
        ),
        "notice:unobserved.opened": N_("Empty now: {opened}."),
        "notice:unobserved.closed": N_("Occupied now: {closed}."),
        "notice:unobserved.turned": N_("Turned over: {turned}."),
        "notice:unobserved.rings": N_("Other rings than before: {rings}."),
        "notice:unobserved.holders": N_("Another number of rings than before on the holder of: {holders}."),
        "notice:watch_glasses": N_(
            "The tie-break is too close to be calculated. Watch these glasses and take each one off as it stops: "
            "{glasses}."
        ),
        "notice:ask_for_sand": N_("Nobody knows for how long nothing was watched. Say which still run: {glasses}."),
        "fault:tilt_without_lift": N_(
            "The tilt sensor says that {glass} was turned over while it stood on {socket}. That is ignored."
        ),
        "fault:unexpected_closed": N_("{socket} says that a glass stands there, but none is in hand. It is ignored."),
        "fault:ambiguous_placing": N_(
            "{Glass} seems to stand on several sockets at once: {sockets}. Lift it and set it down on one of them."
        ),
        "fault:noisy": N_("{Sensor} gives no rest. It is not believed until it has been quiet for a second."),
        "fault:impossible_count": N_("{Sensor} tells a number of rings that no hand can make. It is ignored."),
        "fault:held_from_start": N_("{Sensor} was down as the game began. It is ignored until it is let go."),
        "fault:wire": N_(
            "No hand changes {inputs} in the same millisecond: their wire ({line}) may be broken or loose. "
            "That is ignored."
        ),
        "fault_cleared:held_from_start": N_("{Sensor} is listened to again."),
        "fault_cleared:wire": N_("The wire of {inputs} ({line}) makes contact again."),
        "fault_cleared:impossible_count": N_("{Sensor} tells a possible number of rings again."),
        "fault_cleared:unexpected_closed": N_("{socket} is listened to again."),
        "fault_cleared:ambiguous_placing": N_("It is clear again where to find {glass}."),
        "fault_cleared:noisy": N_("{Sensor} is quiet again."),
        "paused.link": N_("The board is not heard: the game is paused."),
        "paused.arbiter": N_("The arbiter pauses the game."),
        "resumed": N_("The game goes on."),
        # -- the arbiter
        "notice:recheck": N_("The last ruling is being looked at again."),
        "notice:taken_back": N_(
            "The last move is taken back, and {player} is to move. Where {glass} belongs, as it stood there: {back_to}."
        ),
        "notice:taken_back.rings": N_("Rings to take off again: {rings}."),
        "notice:accepted": N_("The arbiter accepts the position as it stands."),
        "notice:annulled": N_("The arbiter takes a verdict back: “{verdict}”"),
        "notice:rings_corrected": N_("The arbiter corrects the rings on {socket}."),
        "notice:glass_corrected.stopped": N_("The arbiter says that {glass} has stopped."),
        "notice:glass_corrected.running": N_("The arbiter says that {glass} is running."),
        "notice:penalty_corrected.given": N_("The arbiter says that {player} is owed a penalty ring."),
        "notice:penalty_corrected.taken": N_("The arbiter says that {player} is owed no penalty ring."),
        "notice:socket_dead": N_("{socket} is not listened to any more; the arbiter's word counts there."),
        "notice:socket_alive": N_("{socket} is listened to again."),
        "notice:names_corrected": N_("Now playing: {red_name} (red) and {black_name} (black)."),
        "notice:refused": N_("The arbiter's word “{word}” changes nothing: {reason}."),
    }
)

OFF_BOARD: Final = N_("beside the board")
"""Where a glass belongs that had not been placed yet."""

REFUSALS: Final = (
    N_("it does not concern the game"),
    N_("there is no verdict since the last move"),
    N_("there is no move to take back"),
    N_("the socket does not hold so many rings"),
    N_("the side does not have so many rings"),
    N_("a glass that runs needs left_ms: how long it will still run"),
    N_("the game is over"),
    N_("the game has not begun"),
    N_("nothing is judged now"),
    N_("another glass stands there"),
)
"""Why the referee refuses an arbiter's word: the texts of `reason` in the notice `refused`."""
