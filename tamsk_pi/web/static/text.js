// Every text of the page that does not come from the server, by key. Numbers of things choose the form by `count`.

const ENGLISH = {
  "title": "TAMSK board",
  "red": "Red", "black": "Black", "arbiter": "Arbiter",
  "turn.setting_up": "Set up the board", "turn.paused": "Paused", "turn.over": "The game is over",
  "turn.tie_break": "Tie-break: watch the last glasses", "turn.closing": "Closing: rings may still be dropped",
  "turn.carrying": "{side} holds a glass", "turn.to_move": "{side} to move", "turn.mending": "To be put right",
  "turn.named": "{side} ({name})",
  "over.draw": "A draw", "over.won": "{side} wins",
  "over.rings": "by rings", "over.tie_break": "by the tie-break", "over.last_ring": "with the last ring",
  "over.full_socket": "as a glass was set on a full socket", "over.resigned": "by resignation", "over.agreed": "by agreement",
  "over.arbiter": "by the arbiter's word",
  "report": "Report of the game, to print",
  "setup.put_glass": "Put a glass on {socket}.", "setup.take_glass": "Take the glass off {socket}.",
  "setup.take_rings": "Take the rings off {socket}.", "setup.timer_side": "{side} chooses which end of the timer is up.",
  "hint.problem": "Not watching: {problem}.",
  "hint.put_back": "Put {glass} back on {socket}.", "hint.flip": "Turn {glass} over, or put it back on {socket} as it stood.",
  "hint.turn_back": "Turn {glass} back on {socket}.",
  "hint.take_ring": "Take the ring off {socket} again.", "hint.take_some_ring": "Put the ring back on its holder.", "hint.ring_off_holder": "Take the ring off the holder and put it back where it lay.",
  "hint.ring_back": "Put the ring back on {socket}.",
  "hint.right.move": "{side} may drop a ring on {socket}.", "hint.right.claim": "{side} may claim a ring on {socket}.",
  "hint.right.penalty": "{side} may drop a penalty ring anywhere.",
  "hint.timer": "The timer runs against {side}: {seconds} s.",
  "hint.skip": "{side}'s next turn is skipped.", "hint.owed": "{side} is owed a penalty ring.",
  "hint.last": "{glass} runs out in {seconds} s.", "hint.faults": "Not trusted now: {inputs}.",
  "level": "Level {level}", "rules.rulebook": "current rules", "rules.wikipedia": "encyclopaedia's rules",
  "rules.schmidt1998": "first edition",
  "lamp.turn_red": "red's turn", "lamp.turn_black": "black's turn", "lamp.alarm": "alarm", "lamp.ready": "ready",
  "lamp.state": "{lamp}: {state}", "on": "on", "off": "off",
  "rings.left": { one: "{count} ring left", other: "{count} rings left" },
  "glass.red": "red hourglass {glass}", "glass.black": "black hourglass {glass}", "glass.timer": "timer",
  "glass.runs": "{time} left", "glass.stopped": "stopped", "glass.out": "out", "glass.fresh": "unmoved",
  "glass.in_hand": "in hand", "glass.table": "beside the board", "glass.between": "between {one} and {other}",
  "socket.name": "{socket}", "socket.height": { one: "height {count}", other: "height {count}" },
  "socket.empty": "no rings", "socket.rings": "rings from below: {rings}", "socket.full": "full",
  "socket.unknown_ring": "unknown", "socket.target": "the glass in hand may go here",
  "socket.home": "to be put back here", "socket.wrong": "stands here wrongly",
  "socket.lamp.red": "red lamp on", "socket.lamp.green": "green lamp on",
  "holder.red": "Red's ring holder", "holder.black": "Black's ring holder",
  "timer.name": "Timer", "timer.turn": "Turn the timer", "timer.runs": "{time} left", "timer.empty": "empty",
  "board.label": "Board. Arrow keys move from socket to socket, Enter lifts and places, F turns, R drops a ring.",
  "act.lift": "Lift {glass}", "act.place": "Place {glass}", "act.back": "Put {glass} back", "act.turn_here": "Turn {glass} here",
  "act.between": "Drop {glass} between",
  "act.ring.red": "Red ring", "act.ring.black": "Black ring", "act.take": "Take ring off",
  "act.turned": "Turn over", "act.turned.hint": "F or Shift", "act.chosen": "{socket}",
  "act.between.pick": "Now choose a socket that touches {socket}.",
  "press.red": "Red's button", "press.black": "Black's button", "press.arbiter": "Arbiter's button",
  "press.how": "press; hold for long", "press.draw": "Agree a draw",
  "press.short": "short", "press.long": "long", "press.held": "held",
  "record": "Rulings", "record.none": "Nothing has been ruled yet.",
  "sound": "Sound", "sound.on": "Sound on", "sound.off": "Sound off", "sound.volume": "Volume", "sound.speak": "Speak rulings",
  "theme": "Colours", "theme.auto": "as the device", "theme.light": "light", "theme.dark": "dark",
  "settings": "Settings", "name": "Your name", "close": "Close", "cancel": "Cancel",
  "new": "New game", "new.start": "Set up", "new.level": "Level", "new.level.1": "1 · glasses are not turned",
  "new.level.2": "2 · glasses are turned and run out", "new.level.3": "3 · with the 15-second timer",
  "new.rules": "Edition", "new.rings": "Rings noticed by", "new.rings.stack": "the sockets",
  "new.rings.holder": "the holders", "new.rings.buttons": "the buttons",
  "new.setup": "Set-up", "new.setup.corners": "in the corners", "new.setup.free": "free placement",
  "new.red": "Red's name", "new.black": "Black's name",
  "faults": "Faults", "faults.help": "What goes wrong on a real board, to order. They last until they are ended.",
  "faults.socket": "Socket", "faults.none": "No fault is ordered.", "faults.end": "End it",
  "fault.stuck_closed": "sensor stuck closed", "fault.stuck_open": "sensor stuck open", "fault.weak": "weak sensor",
  "fault.bouncing": "bouncing sensor", "fault.link_cut": "link cut", "fault.scan_stopped": "scan stopped",
  "fault.at": "{fault}: {socket}", "fault.between": "To drop a glass between two tubes, lift it and choose “{act}”.",
  "hands.theirs": "{name} has the hands.", "hands.somebody": "Another page", "hands.take": "Take the hands",
  "hands.free": "Nobody has the hands yet; whoever acts first gets them.", "hands.yours": "You have the hands.",
  "hands.view": "Live view of a real board.",
  "pair": "Pair", "pair.code": "Code shown on the box", "pair.help": "Anything that changes the game needs the code shown on the box.",
  "pair.shown": "Pairing code: {code}", "pair.needed": "Type the code shown on the box to see the game.",
  "stale.title": "Connection lost", "stale.text": "What you see may be out of date. Trying again…",
  "stale.dead.title": "The referee is not watching", "stale.dead.text": "Its thread has not answered for a second. Nothing is judged now.",
  "viewers": { one: "{count} page open", other: "{count} pages open" },
  "arbiter.pause": "Pause", "arbiter.resume": "Go on", "arbiter.annul": "Annul the last verdict",
  "arbiter.recheck": "Recheck the last verdict", "arbiter.accept": "Accept the board as it is", "arbiter.end": "The game is over",
  "arbiter.rings": "Correct a ring count", "arbiter.glass": "Correct a glass's sand", "arbiter.place": "A glass was moved",
  "arbiter.dead": "A socket's sensor is broken", "arbiter.penalty": "A penalty ring is owed", "arbiter.turn": "Whose turn it is",
  "arbiter.title": "The arbiter's word", "arbiter.more": "Arbiter's word…", "arbiter.word": "Or correct the game", "arbiter.say": "Say it",
  "arbiter.field.glass": "Glass", "arbiter.field.socket": "Socket", "arbiter.field.count": "Rings that count there",
  "arbiter.field.side": "Side", "arbiter.field.state": "Its sand", "arbiter.field.left": "Seconds left",
  "arbiter.field.turned": "Turned over", "arbiter.field.dead": "Pass it over", "arbiter.field.given": "Owed",
  "arbiter.field.winner": "Winner", "arbiter.state.stopped": "has run out", "arbiter.state.running": "is running",
  "arbiter.draw": "nobody: a draw", "yes": "yes", "no": "no",
  "differs.opened": "{socket}: a glass should stand there.", "differs.closed": "{socket}: no glass should stand there.",
  "differs.turned": "{glass} was turned over.", "differs.more": "{socket}: more rings than counted ({count} too many).",
  "differs.fewer": "{socket}: fewer rings than counted ({count} missing).",
  "ask.resume": "A game was cut off. This is how it stood.", "ask.resume.yes": "Go on with it", "ask.resume.no": "Set it aside",
  "ask.sand": "How does the sand of the {glass} stand?", "ask.sand.runs": "still runs", "ask.sand.seconds": "s",
  "suspect.beyond": "{sensor}: says that a glass stands there, but no more than six glasses can stand on the board.",
  "suspect.ghost": "{sensor}: may say that a glass stands there only because three others square to it do. If none does, a diode is missing or broken.",
  "suspect.ring_beyond": "{sensor}: tells more rings than there can be.", "suspect.button_down": "{sensor}: is held down, or stuck.",
  "suspect.restless_tilt": "{sensor}: changes though nothing is touched.", "suspect.flickers": "{sensor}: flickers though nothing is touched.",
  "sensor.socket": "Sensor of {name}", "sensor.tilt": "Tilt sensor of {name}", "sensor.ring": "Ring sensor of {name}", "sensor.holder": "Ring holder: {name}", "sensor.button": "Button: {name}",
  "why": "Why it was ruled", "why.edges": "What was sensed", "why.no_edges": "Nothing: it stood in the header, or time alone brought it.",
  "why.waits": "Waits and windows", "why.rules": "The rule", "why.glass": "The glass", "why.sand": "The sand at that instant",
  "keys": "Keys", "keys.text": "Arrows: from socket to socket · Enter: lift, place · F: turn over or not · R: ring of whoever is due, Shift+R: the other side's · Delete: take a ring off · T: turn the timer · Escape: put back",
};

const plurals = new Intl.PluralRules(document.documentElement.lang);

export function say(key, values = {}) {
  let text = ENGLISH[key];
  if (text === undefined) return key;
  if (typeof text !== "string") text = text[plurals.select(values.count)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

// Fills in the texts of the document: data-say is the content, data-say-label the name for screen readers.
export function sayAll(root) {
  for (const node of root.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  for (const node of root.querySelectorAll("[data-say-label]")) node.setAttribute("aria-label", say(node.dataset.sayLabel));
}

export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
