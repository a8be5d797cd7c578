"""Every text of the page that no ruling brings, by key: its labels, hints and dialogs.

What stands in braces is filled in by the page (`static/text.js`). Texts that count things have two forms.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tamsk_pi.signals.language import N_, Language, catalogue

SCREEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title": N_("TAMSK board"),
        "lamps": N_("Lamps of the box"),
        "lamps.help": N_("What the lamps and buttons mean"),
        "lamps.turn_red": N_("Red's turn. Slow blinking: red holds a glass. Double: red may drop a penalty ring."),
        "lamps.turn_black": N_(
            "Black's turn. Slow blinking: black holds a glass. Double: black may drop a penalty ring."
        ),
        "lamps.ready": N_("The box watches and keeps the game. Dark: it does not, and says why."),
        "lamps.alarm": N_("Something is to be put right, or the game is paused; the words say what."),
        "lamps.red_socket": N_(
            "At a socket: what stands or lies here must not. Blinking: the glass there soon runs out."
        ),
        "lamps.green_socket": N_(
            "At a socket: the glass in hand may go here. Blinking: a ring may be dropped here, or something is to be "
            "put back here."
        ),
        "presses": N_("The buttons now"),
        "notes": N_("What is to be done"),
        "card.middle": N_("Between the players"),
        "red": N_("Red"),
        "black": N_("Black"),
        "arbiter": N_("Arbiter"),
        "level": N_("Level {level}"),
        "rules.rulebook": N_("current rules"),
        "rules.wikipedia": N_("encyclopaedia's rules"),
        "rules.schmidt1998": N_("first edition"),
        "lamp.turn_red": N_("red's turn"),
        "lamp.turn_black": N_("black's turn"),
        "lamp.alarm": N_("alarm"),
        "lamp.ready": N_("ready"),
        "lamp.state": N_("{lamp}: {state}"),
        "on": N_("on"),
        "off": N_("off"),
        "glass.red": N_("red hourglass {glass}"),
        "glass.black": N_("black hourglass {glass}"),
        "glass.timer": N_("timer"),
        "glass.in_hand": N_("in hand"),
        "glass.table": N_("beside the board"),
        "glass.between": N_("between {one} and {other}"),
        "socket.empty": N_("no rings"),
        "socket.rings": N_("rings from below: {rings}"),
        "socket.full": N_("full"),
        "socket.unknown_ring": N_("unknown"),
        "socket.loses": N_("full: a glass set here loses the game"),
        "socket.target": N_("the glass in hand may go here"),
        "socket.home": N_("to be put back here"),
        "socket.wrong": N_("stands here wrongly"),
        "socket.lamp.red": N_("red lamp on"),
        "socket.lamp.green": N_("green lamp on"),
        "holder.red": N_("Red's ring holder"),
        "holder.black": N_("Black's ring holder"),
        "timer.name": N_("Timer"),
        "timer.turn": N_("Turn the timer"),
        "board.label": N_(
            "Board. Arrow keys move from socket to socket, Enter lifts and places, F turns, R drops a ring."
        ),
        "act.lift": N_("Lift {glass}"),
        "act.place": N_("Place {glass}"),
        "act.back": N_("Put {glass} back"),
        "act.turn_here": N_("Turn {glass} here"),
        "act.between": N_("Drop {glass} between"),
        "act.ring.red": N_("Red ring"),
        "act.ring.black": N_("Black ring"),
        "act.take": N_("Take ring off"),
        "act.turned": N_("Turn over"),
        "act.turned.hint": N_("F or Shift"),
        "act.between.pick": N_("Now choose a socket that touches {socket}."),
        "press.red": N_("Red's button"),
        "press.black": N_("Black's button"),
        "press.arbiter": N_("Arbiter's button"),
        "press.how": N_("press; hold for long"),
        "press.draw": N_("Agree a draw"),
        "sure.draw": N_("Do both sides agree on a draw? It ends the game."),
        "sure.full": N_("{socket} is full: a glass that is set there loses the game at once."),
        "sure.full.yes": N_("Set it there"),
        "sure.new": N_("A new game ends the one that is going on."),
        "sure.new.yes": N_("End it and begin anew"),
        "end.take_back": N_("Take the end back"),
        "end.again": N_("Play again"),
        "end.swap": N_("Play again, sides swapped"),
        "end.watch": N_("Watch it again"),
        "ask.level": N_("Choose a level, or just begin:"),
        "record": N_("Rulings"),
        "record.none": N_("Nothing has been ruled yet."),
        "sound.on": N_("Sound on"),
        "sound.off": N_("Sound off"),
        "sound.volume": N_("Volume"),
        "sound.speak": N_("Speak rulings"),
        "theme": N_("Colours"),
        "theme.auto": N_("as the device"),
        "theme.light": N_("light"),
        "theme.dark": N_("dark"),
        "settings": N_("Settings"),
        "name": N_("Your name"),
        "close": N_("Close"),
        "cancel": N_("Cancel"),
        "new": N_("New game"),
        "new.start": N_("Set up"),
        "new.level": N_("Level"),
        "new.ends": N_("The game that is going on ends with it."),
        "new.level.1": N_("1 · to learn: no time, glasses are not turned over"),
        "new.level.2": N_("2 · the whole game: glasses are turned over and run out after 3 minutes"),
        "new.level.3": N_("3 · as 2, and 15 seconds for a move once the timer is turned"),
        "new.rules": N_("Edition"),
        "new.rings": N_("Rings noticed by"),
        "new.rings.stack": N_("the sockets"),
        "new.rings.holder": N_("the holders"),
        "new.rings.buttons": N_("the buttons"),
        "new.setup": N_("Set-up"),
        "new.setup.corners": N_("in the corners"),
        "new.setup.free": N_("free placement"),
        "new.position": N_("Position to begin from (as text; empty: the usual set-up)"),
        "new.red": N_("Red's name"),
        "new.black": N_("Black's name"),
        "new.opponent": N_("Play against the program"),
        "new.opponent.none": N_("no: both sides are played by people"),
        "new.opponent.red": N_("yes, it plays red"),
        "new.opponent.black": N_("yes, it plays black"),
        "new.strength": N_("Its strength, 1 to 10"),
        "hint.ask": N_("Hint"),
        "learn": N_("Learn"),
        "learn.title": N_("Lesson {task} of {of}: {title}"),
        "learn.again": N_("Begin this task again"),
        "learn.next": N_("Next task"),
        "learn.end": N_("End the lesson"),
        "learn.done": N_("Done."),
        "learn.1.title": N_("Move an hourglass"),
        "learn.1.text": N_(
            "You are red, and red begins. Lift one of the red hourglasses and place it in a socket beside it: "
            "drag it, or choose both sockets with the arrow keys and Enter."
        ),
        "learn.1.done": N_("A move goes to a vacant socket that touches the one before."),
        "learn.2.title": N_("Drop a ring"),
        "learn.2.text": N_(
            "Move a red hourglass. Then drop one of red's rings around the tube it went to: drag it from the "
            "holder, or press R there."
        ),
        "learn.2.done": N_("Whoever drops most rings wins: that is the aim of the game."),
        "learn.3.title": N_("A full socket loses"),
        "learn.3.text": N_(
            "A3 holds as many rings as fit: one, as it lies on the rim. Move the red hourglass on A4 there all "
            "the same, and see what the referee says."
        ),
        "learn.3.done": N_("Whoever places an hourglass on a full socket loses at once."),
        "learn.4.title": N_("Hourglasses get stuck"),
        "learn.4.text": N_(
            "Nearly all sockets beside black's hourglasses are full. Go from A3 to A2: black cannot move any "
            "more, and its turn is passed."
        ),
        "learn.4.done": N_("A side that cannot move passes. When neither can, the game ends and rings are counted."),
        "learn.5.title": N_("Turn it over"),
        "learn.5.text": N_(
            "From level 2 on an hourglass is turned over with every move. Move a red one: the page turns it "
            "over as it is placed."
        ),
        "learn.5.done": N_("The sand runs now. A move without turning would be called illegal."),
        "learn.6.title": N_("An hourglass that stops"),
        "learn.6.text": N_(
            "Here the sand runs for 20 seconds only, not for three minutes. Move a red hourglass, then wait "
            "until it has run out."
        ),
        "learn.6.done": N_("An hourglass that has run out after it moved stays where it is for the rest of the game."),
        "learn.7.title": N_("Whose ring?"),
        "learn.7.text": N_(
            "Move a red hourglass, but drop no ring. After 3 seconds black may drop one of its own there: do "
            "that for black."
        ),
        "learn.7.done": N_("A ring that was forgotten may be claimed by the other side, which then moves as well."),
        "learn.8.title": N_("The timer"),
        "learn.8.text": N_(
            "At level 3 there is a timer of 15 seconds. Move a red hourglass and drop its ring; then, as black "
            "thinks, turn the timer over."
        ),
        "learn.8.done": N_("Now black must complete its move before the timer runs out."),
        "learn.9.title": N_("A penalty"),
        "learn.9.text": N_(
            "Here the timer runs for 6 seconds. Move a red hourglass and turn the timer over; let black's time "
            "run out. After red's next move a second red ring may go to any socket: drop it."
        ),
        "learn.9.done": N_("That was a penalty ring. It may fill a socket under the other side's nose."),
        "learn.10.title": N_("A whole game"),
        "learn.10.text": N_("Play red against the program at its weakest, at level 1, to the end."),
        "learn.10.done": N_("You know the game now. Choose a stronger opponent under New game."),
        "rules.page": N_("Rules"),
        "rules.back": N_("To the board"),
        "rules.aim.title": N_("The aim"),
        "rules.aim": N_(
            "Each side has three hourglasses and 32 rings. Whoever has fewer rings left at the end wins; "
            "whoever drops the last one wins at once."
        ),
        "rules.board": N_(
            "The board has 37 sockets. A socket on the rim holds one ring, those further in two, three, and the "
            "middle one four."
        ),
        "rules.turn.title": N_("A turn"),
        "rules.turn": N_(
            "Red begins. Lift one of your hourglasses and place it in a socket beside it that holds no "
            "hourglass and is not full."
        ),
        "rules.ring": N_("Then you may drop one of your rings around that socket."),
        "rules.end": N_("Whoever cannot move passes. The game ends when neither side can move."),
        "rules.full": N_("Whoever places an hourglass on a full socket loses at once."),
        "rules.turning.title": N_("Levels 2 and 3: sand"),
        "rules.turning": N_(
            "Each hourglass is turned over with its move. What has run through runs back: one turned over after "
            "10 seconds runs for 10 seconds."
        ),
        "rules.stops": N_(
            "An hourglass that has moved and runs out stays where it is. At equal rings the side wins whose "
            "hourglass runs longest."
        ),
        "rules.order": N_("Each side first moves each of its three hourglasses once."),
        "rules.claim": N_(
            "A ring that is not dropped within 3 seconds may be dropped there by the other side, until the next move."
        ),
        "rules.timer.title": N_("Level 3: the timer"),
        "rules.timer": N_(
            "In the other side's turn you may turn the 15-second timer over when it has run out. The other side "
            "must complete its move before it runs out again."
        ),
        "rules.penalty": N_(
            "If it is late you may drop a penalty ring on any socket after your next move. If it had not even "
            "lifted an hourglass, it loses the turn as well."
        ),
        "faults": N_("Faults"),
        "faults.help": N_("What goes wrong on a real board, to order. They last until they are ended."),
        "faults.socket": N_("Socket"),
        "faults.none": N_("No fault is ordered."),
        "faults.end": N_("End it"),
        "fault.stuck_closed": N_("sensor stuck closed"),
        "fault.stuck_open": N_("sensor stuck open"),
        "fault.weak": N_("weak sensor"),
        "fault.bouncing": N_("bouncing sensor"),
        "fault.link_cut": N_("link cut"),
        "fault.scan_stopped": N_("scan stopped"),
        "fault.at": N_("{fault}: {socket}"),
        "fault.between": N_("To drop a glass between two tubes, lift it and choose “{act}”."),
        "hands.theirs": N_("{name} has the hands."),
        "hands.take": N_("Take the hands"),
        "hands.free": N_("Nobody has the hands yet; whoever acts first gets them."),
        "hands.red": N_("This page plays red."),
        "hands.black": N_("This page plays black."),
        "hands.somebody": N_("Another page"),
        "hands.yours": N_("You have the hands."),
        "hands.view": N_("Live view of a real board."),
        "helps": N_("Hands on the board"),
        "helps.yes": N_("help me: only legal moves are made"),
        "helps.no": N_("let me err: the referee judges"),
        "helps.not": N_("That is not legal now, and the hands are set to help (see Settings)."),
        "players": N_("Players and phones"),
        "players.save": N_("Set the names"),
        "players.saved": N_("The names have been set."),
        "seat": N_("This page"),
        "seat.both": N_("plays both sides"),
        "seat.red": N_("plays red"),
        "seat.black": N_("plays black"),
        "seat.none": N_("looks on"),
        "seat.taken": N_("{seat} (now: {name})"),
        "links.for": N_("A phone that"),
        "links.qr": N_("The link as a QR code, for the camera of a phone in the same network"),
        "links.text": N_("Link for others in the same network"),
        "links.copy": N_("Copy the link"),
        "links.none": N_("Only this computer can open the page. For phones, start it with --host 0.0.0.0."),
        "sensors": N_("Sensors"),
        "sensors.page": N_("Sensors · TAMSK board"),
        "sensors.help": N_(
            "What each input tells now, before anything is settled or judged. A fresh change is marked."
        ),
        "sensors.heard": N_("The board is heard."),
        "sensors.silent": N_("The board has not been heard for {seconds} s."),
        "sensors.unreachable": N_("The program does not answer."),
        "sensors.edges": N_("Last edges"),
        "sensors.others": N_("Other inputs"),
        "sensors.ago": N_("{seconds} s ago"),
        "sensors.closed": N_("closed"),
        "sensors.open": N_("open"),
        "sensors.none": N_("no field"),
        "pair": N_("Pair"),
        "pair.code": N_("Code shown on the box"),
        "pair.help": N_("Anything that changes the game needs the code shown on the box."),
        "pair.shown": N_("Pairing code: {code}"),
        "pair.needed": N_("Type the code shown on the box to see the game."),
        "stale.title": N_("Connection lost"),
        "stale.text": N_("What you see may be out of date. Trying again…"),
        "stale.dead.title": N_("The referee is not watching"),
        "stale.dead.text": N_("Its thread has not answered for a second. Nothing is judged now."),
        "arbiter.pause": N_("Pause"),
        "arbiter.resume": N_("Go on"),
        "next.title": N_("The next game"),
        "next.level": N_("Level"),
        "next.rules": N_("Rules"),
        "next.swap": N_("Swap sides"),
        "next.begin": N_("Begin, if the board is set up"),
        "next.by_itself": N_("It begins by itself three seconds after the board is set up."),
        "next.by_press": N_("It begins when both players press their buttons together, or the arbiter a short one."),
        "arbiter.takeback": N_("Take the last move back"),
        "arbiter.new_game": N_("End this game and begin the next"),
        "arbiter.annul": N_("Annul the last verdict"),
        "arbiter.recheck": N_("Recheck the last verdict"),
        "arbiter.accept": N_("Accept the board as it is"),
        "arbiter.end": N_("The game is over"),
        "arbiter.rings": N_("Correct a ring count"),
        "arbiter.glass": N_("Correct a glass's sand"),
        "arbiter.place": N_("A glass was moved"),
        "arbiter.dead": N_("A socket's sensor is broken"),
        "arbiter.penalty": N_("A penalty ring is owed"),
        "arbiter.turn": N_("Whose turn it is"),
        "arbiter.title": N_("The arbiter's word"),
        "arbiter.more": N_("Arbiter's word…"),
        "arbiter.word": N_("Or correct the game"),
        "arbiter.say": N_("Say it"),
        "arbiter.field.glass": N_("Glass"),
        "arbiter.field.socket": N_("Socket"),
        "arbiter.field.count": N_("Rings that count there"),
        "arbiter.field.side": N_("Side"),
        "arbiter.field.state": N_("Its sand"),
        "arbiter.field.left": N_("Seconds left"),
        "arbiter.field.turned": N_("Turned over"),
        "arbiter.field.dead": N_("Pass it over"),
        "arbiter.field.given": N_("Owed"),
        "arbiter.field.winner": N_("Winner"),
        "arbiter.state.stopped": N_("has run out"),
        "arbiter.state.running": N_("is running"),
        "arbiter.draw": N_("nobody: a draw"),
        "yes": N_("yes"),
        "no": N_("no"),
        "keys": N_("Keys"),
        "keys.text": N_(
            "Arrows: from socket to socket · Enter: lift, place · F: turn over or not · R: ring of whoever "
            "is due, Shift+R: the other side's · Delete: take a ring off · T: turn the timer · Escape: put "
            "back"
        ),
        "report": N_("Report of the game, to print"),
        "ask.resume.yes": N_("Go on with it"),
        "ask.resume.no": N_("Set it aside"),
        "ask.sand.runs": N_("still runs"),
        "ask.sand.seconds": N_("s"),
        "why": N_("Why it was ruled"),
        "why.edges": N_("What was sensed"),
        "why.no_edges": N_("Nothing: it stood in the header, or time alone brought it."),
        "why.waits": N_("Waits and windows"),
        "why.rules": N_("The rule"),
        "why.glass": N_("The glass"),
        "why.sand": N_("The sand at that instant"),
        "language": N_("Language"),
        "language.auto": N_("as the browser"),
        "error.not_connected": N_("not connected"),
        "error.no_answer": N_("no answer"),
        "error.lost": N_("the connection was lost"),
        "games": N_("Games"),
        "replay": N_("Replay"),
        "replay.page": N_("Replay · TAMSK board"),
        "replay.kept": N_("Games kept"),
        "replay.none": N_("No games are kept yet."),
        "shelf.open": N_("not played to its end"),
        "shelf.unread": N_("cannot be judged"),
        "shelf.won": N_("{side} won {how}"),
        "shelf.draw": N_("a draw {how}"),
        "shelf.rings": N_("by rings"),
        "shelf.tie_break": N_("by the tie-break"),
        "shelf.last_ring": N_("with the last ring"),
        "shelf.full_socket": N_("as a glass was set on a full socket"),
        "shelf.resigned": N_("by resignation"),
        "shelf.agreed": N_("by agreement"),
        "shelf.arbiter": N_("by the arbiter's word"),
        "shelf.delete": N_("Delete"),
        "shelf.delete.sure": N_("Delete {name} for good?"),
        "replay.drop": N_("Or drop a trace anywhere on this page."),
        "replay.choose": N_("Open a trace"),
        "replay.back": N_("To the board"),
        "replay.play": N_("Play"),
        "replay.pause": N_("Pause"),
        "replay.previous": N_("Previous ruling"),
        "replay.next": N_("Next ruling"),
        "replay.previous_wrong": N_("Previous violation"),
        "replay.next_wrong": N_("Next violation"),
        "replay.speed": N_("Speed"),
        "replay.moment": N_("Moment of the game"),
        "replay.link": N_("Copy a link to this moment"),
        "replay.copied": N_("The link has been copied."),
        "replay.trace": N_("Save the trace"),
        "replay.record": N_("Save the record"),
        "replay.other": N_("Another game"),
        "replay.loading": N_("The trace is being judged…"),
        "replay.too_large": N_("The file is too large: a trace may have {size} MB here."),
        "replay.failed": N_("This cannot be replayed: {reason}"),
        "replay.unreachable": N_("the server does not answer"),
        "replay.at": N_("{time} of {end}"),
        "edges.title": N_("Behind the ruling"),
        "edges.none": N_("Choose a ruling to see the edges behind it."),
        "edges.chart": N_("Raw edges from {start} s to {end} s"),
        "edges.settling": N_("settling"),
        "edges.counts": N_("the ruling's time"),
        "edges.known": N_("known"),
        "edges.no_edges": N_("No edge came around this ruling: a deadline had fallen due."),
        "edges.deadline.move": N_("the ring right closes"),
        "edges.deadline.claim": N_("the claim closes"),
        "edges.deadline.penalty": N_("the penalty right closes"),
        "edges.deadline.timer": N_("the timer expires"),
        "input.socket": N_("socket {name}"),
        "input.tilt": N_("tilt of {name}"),
        "input.ring": N_("rings on {name}"),
        "input.holder": N_("holder of {name}"),
        "input.button": N_("button of {name}"),
    }
)

Count = Callable[[gettext.NullTranslations, int], str]

COUNTED: Final[Mapping[str, Count]] = MappingProxyType(
    {
        "rings.left": lambda of, count: of.ngettext("{count} ring left", "{count} rings left", count),
        "socket.height": lambda of, count: of.ngettext("height {count}", "height {count}", count),
        "shelf.moves": lambda of, count: of.ngettext("{count} move", "{count} moves", count),
        "viewers": lambda of, count: of.ngettext("{count} page open", "{count} pages open", count),
        "edges.further": lambda of, count: of.ngettext("{count} further input", "{count} further inputs", count),
    }
)
"""Texts that have a form for one thing and another for any other number, as the three languages all do."""


def screen_texts(language: Language) -> dict[str, str | dict[str, str]]:
    """All of them in one language: a text, or `one` and `other`, as `Intl.PluralRules` names the forms."""
    of = catalogue(language)
    texts: dict[str, str | dict[str, str]] = {key: of.gettext(text) for key, text in SCREEN.items()}
    return texts | {key: {"one": form(of, 1), "other": form(of, 2)} for key, form in COUNTED.items()}
