// The hands: pointer and keyboard to actions. What is done is asked of the server; the board shows what it answers.

import { HEIGHT, TILT, WIDTH, place, step, touches, tubeHeight } from "./geometry.js";
import { sure, toast } from "./dom.js";
import { otherSide, ringDue } from "./game.js";
import { isLegal } from "./legal.js";
import { say } from "./text.js";

const DRAG_PX = 6;
const REACH = 46; // how near to a socket's middle a dragged piece must be let go, in units of the drawing
const COMING_MS = 4000;

export class Hands extends EventTarget {
  /** @type {import("./board.js").Board} */
  board;
  /** @type {import("./game.js").Game} */
  game;
  /** @type {import("./connection.js").Connection} */
  connection;
  focused = "D4";
  helps = localStorage.getItem("helps") === "yes"; // only what is legal is done
  /** @type {boolean | null} */
  turns = null; // null: as the level has it; true or false: as the player chose for the glass in hand
  /** @type {string | null} */
  between = null; // the first of two sockets between which the glass in hand is to be dropped
  /** @type {string | null} */
  ring = null; // the side whose ring is in hand
  #goalY = place("D4").y;
  /** @type {any} */
  #drag = null;

  constructor(board, game, connection) {
    super();
    Object.assign(this, { board, game, connection });
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#dropNowhere());
    svg.addEventListener("keydown", (event) => this.#key(event));
    svg.addEventListener("focusin", (event) => this.#focus(event));
    // Without this a finger on a piece would scroll the page: touch-action does not reach the parts of a drawing.
    svg.addEventListener("touchstart", (event) => this.#carries(event) && event.preventDefault(), { passive: false });
    svg.addEventListener("contextmenu", (event) => event.pointerType === "touch" && event.preventDefault());
  }

  get able() {
    return this.game.ready && this.game.you.hands !== "none" && this.game.you.hands !== "theirs" && this.game.you.paired;
  }

  setHelps(helps) {
    this.helps = helps;
    localStorage.setItem("helps", helps ? "yes" : "no");
  }

  // Asks for an action and tells why it was not done. Hands that help do only what is legal.
  async act(action) {
    if (this.helps && !isLegal(this.game.state, action, this.game.now())) {
      toast(say("helps.not"));
      return false;
    }
    const refused = await this.connection.ask("act", action);
    if (refused) this.dispatchEvent(new CustomEvent("refused", { detail: refused }));
    return refused === null;
  }

  inHand() {
    return this.board.inHand().at(-1) ?? null;
  }

  // Whether a glass will be turned over when set down there. At levels 2 and 3 it is to stand the other way up than
  // where it came from, and the same way up when it is set back there; while it is to be put right, "where it came
  // from" is its home.
  willTurn(glass, socket, shift) {
    const { level, glasses, violations } = this.game.state;
    const it = glasses[glass];
    const home = violations.find((one) => one.glass === glass && one.home)?.home ?? it.lifted_from;
    const upThere = it.stood[home] ?? it.up;
    const usual = level > 1 && home !== null && (socket === home) !== (it.up === upThere);
    return (this.turns ?? (home === null ? level > 1 : usual)) !== Boolean(shift);
  }

  async newGame(settings) {
    const { last_move: begun, phase, result } = this.game.state;
    if (begun && phase !== "over" && !result && !(await sure(say("sure.new"), say("sure.new.yes")))) return false;
    // Whoever plays against the program goes on doing so unless something else is chosen.
    const { side = "", strength = 5 } = this.game.state.opponent ?? {};
    return this.act({ do: "new_game", opponent: side, strength, ...settings });
  }

  async agreeDraw() {
    if (!(await sure(say("sure.draw"), say("press.draw")))) return;
    for (const button of ["red", "black"]) this.press(button, "held");
  }

  press(button, press) {
    return this.act({ do: "press_button", button, press, lays_ring: true });
  }

  turnHere(glass) {
    return this.act({ do: "turn_in_place", glass });
  }

  dropBetween(socket) {
    this.between = socket;
    this.changed();
  }

  lift(glass) {
    this.turns = null;
    this.between = null;
    return this.act({ do: "lift", glass });
  }

  async set(glass, socket, shift = false) {
    if (this.board.loses(socket) && !(await sure(say("sure.full", { socket }), say("sure.full.yes")))) {
      this.board.over = null;
      this.changed();
      return false;
    }
    const turned = this.willTurn(glass, socket, shift);
    this.focusOn(socket);
    this.board.coming.set(glass, socket);
    this.board.over = null;
    this.turns = null;
    this.changed();
    const settle = () => {
      this.board.coming.delete(glass);
      this.changed();
    };
    const late = setTimeout(settle, COMING_MS);
    return this.act({ do: "place", glass, socket, turned }).then((done) => {
      clearTimeout(late);
      settle();
      return done;
    });
  }

  putBack(glass) {
    this.turns = null;
    this.between = null;
    this.board.over = null;
    return this.act({ do: "put_back", glass });
  }

  dropRing(player, socket) {
    this.ring = null;
    this.board.showRingInHand(null);
    return this.act({ do: "drop_ring", player, socket });
  }

  takeRing(socket) {
    return this.act({ do: "take_ring", socket });
  }

  turnTimer() {
    if (this.game.state.level < 3) return undefined;
    return this.act({ do: "turn_timer" });
  }

  toggleTurn() {
    const glass = this.inHand();
    if (!glass || this.game.state.level === 1) return;
    // As it is shown: for the socket over which the glass is held.
    this.turns = !this.willTurn(glass, this.board.over ?? this.focused, false);
    this.changed();
  }

  takeRingInHand(side) {
    this.ring = this.ring === side ? null : side;
    this.changed();
  }

  // What a click or Enter on a socket does.
  activate(socket, shift = false) {
    const glass = this.inHand();
    if (this.ring) return this.dropRing(this.ring, socket);
    if (glass && this.between) {
      const first = this.between;
      if (!touches(first, socket)) return undefined;
      this.between = null;
      return this.act({ do: "place_between", glass, socket: first, other: socket });
    }
    if (glass) return this.set(glass, socket, shift);
    const standing = this.board.glassIn(socket);
    return standing ? this.lift(standing) : undefined;
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  focusOn(socket) {
    this.board.sockets.get(this.focused)?.node.setAttribute("tabindex", "-1");
    this.focused = socket;
    const { node } = this.board.sockets.get(socket);
    node.setAttribute("tabindex", "0");
    return node;
  }

  #focus(event) {
    const socket = event.target.closest?.("[data-socket]")?.dataset.socket;
    if (!socket) return;
    this.focusOn(socket);
    if (this.game.ready && this.inHand()) this.board.over = socket;
    this.changed();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target.closest("[data-socket], [data-holder], [data-timer]");
    const done = at?.dataset.socket ? this.#socketKey(event, at.dataset.socket) : this.#otherKey(event, at);
    if (done || this.#anyKey(event)) event.preventDefault();
  }

  #socketKey(event, socket) {
    if (event.key.startsWith("Arrow")) {
      const next = step(socket, event.key, this.#goalY);
      if (event.key === "ArrowUp" || event.key === "ArrowDown") this.#goalY = place(next).y;
      this.focusOn(next).focus({ preventScroll: true });
      return true;
    }
    if (!this.able) return false;
    if (event.key === "Enter" || event.key === " ") this.activate(socket, event.shiftKey);
    else if (event.key === "r" || event.key === "R") {
      const due = ringDue(this.game.state, socket);
      this.dropRing(event.shiftKey ? otherSide(due) : due, socket);
    } else if (event.key === "Delete" || event.key === "Backspace") this.takeRing(socket);
    else return false;
    return true;
  }

  #otherKey(event, at) {
    if (!at || !this.able || (event.key !== "Enter" && event.key !== " ")) return false;
    if (at.dataset.holder) this.takeRingInHand(at.dataset.holder);
    else this.turnTimer();
    return true;
  }

  #anyKey(event) {
    if (!this.able) return false;
    const glass = this.inHand();
    if (event.key === "f" || event.key === "F") this.toggleTurn();
    else if (event.key === "t" || event.key === "T") this.turnTimer();
    else if (event.key === "Escape" && (this.ring || this.between)) {
      this.ring = this.between = null;
      this.board.showRingInHand(null);
      this.changed();
    } else if (event.key === "Escape" && glass) this.putBack(glass);
    else return false;
    return true;
  }

  // ---- the pointer ----

  #point(event) {
    const box = this.board.svg.getBoundingClientRect();
    const scale = Math.min(box.width / WIDTH, box.height / HEIGHT);
    const left = box.left + (box.width - WIDTH * scale) / 2, top = box.top + (box.height - HEIGHT * scale) / 2;
    return { x: (event.clientX - left) / scale, y: (event.clientY - top) / scale };
  }

  // The socket nearest to a point, measured at the top of its tube, where pieces are set down.
  #socketAt({ x, y }) {
    let best = null, least = REACH;
    for (const [name, parts] of this.board.sockets) {
      const middle = place(name);
      const away = Math.hypot(middle.x - x, (middle.y - tubeHeight(parts.capacity) / 2 - y) / 0.9);
      if (away < least) [best, least] = [name, away];
    }
    return best;
  }

  // What a pointer means that came to `socket` (or to none) with a piece in hand: a legal socket whose floor it is on; else
  // a legal one whose tube it is on; else what it came to.
  #meant(point, socket) {
    const legal = this.#legal();
    const on = (name, high) => {
      const { x, y } = place(name);
      const up = Math.min(0, Math.max(-high, point.y - y));
      return Math.hypot((point.x - x) / 41, (point.y - y - up) / 33) <= 1;
    };
    const floor = legal.find((name) => on(name, 0));
    if (floor) return floor;
    if (socket && legal.includes(socket)) return socket;
    return legal.find((name) => on(name, tubeHeight(this.game.layout[name]))) ?? socket ?? this.#socketAt(point);
  }

  // Where the piece in hand may go.
  #legal() {
    const { targets, rights } = this.game.state;
    const glass = this.inHand();
    if (this.ring) return rights.filter((one) => one.player === this.ring && one.socket).map((one) => one.socket);
    return (glass && targets[glass]) || [];
  }

  // Whether a point is on the glass in hand, as it is drawn.
  #onHeld(glass, { x, y }) {
    const foot = this.board.where(glass);
    return Math.abs(x - foot.x) < 22 && y < foot.y + 8 && y > foot.y - 78;
  }

  // The socket in which a glass would come to stand whose foot is at a point.
  #standingAt({ x, y }) {
    let best = null, least = REACH;
    for (const [name, parts] of this.board.sockets) {
      const middle = place(name);
      const away = Math.hypot(middle.x - x, (middle.y - tubeHeight(parts.capacity) - y) / TILT);
      if (away < least) [best, least] = [name, away];
    }
    return best;
  }

  // Where a drag has brought its piece, and the socket that it is over. A glass keeps its distance to the pointer, so
  // that it moves as far as the hand does, wherever it was taken hold of.
  #brought(drag, event) {
    const point = this.#point(event);
    if (!drag.glass) return { at: point, socket: this.#socketAt(point) };
    const at = { x: point.x + drag.grip.x, y: point.y + drag.grip.y };
    return { at, socket: this.#standingAt(at) };
  }

  // Whether a drag that begins here carries a piece along.
  #carries({ target, touches: [touch] }) {
    if (!this.able) return false;
    const held = this.inHand();
    if (held && touch && this.#onHeld(held, this.#point(touch))) return true;
    const hit = target.closest("[data-glass], [data-socket], [data-holder]");
    return Boolean(hit && (hit.dataset.glass || hit.dataset.holder || this.board.glassIn(hit.dataset.socket)));
  }

  #down(event) {
    if (event.button !== 0 || !this.game.ready) return;
    const hit = event.target.closest("[data-glass], [data-socket], [data-holder], [data-timer]");
    const point = this.#point(event), held = this.able ? this.inHand() : null, carries = held !== null || this.ring !== null;
    if (!hit && !carries) return;
    const { glass, socket, holder } = hit?.dataset ?? {};
    const timer = hit?.dataset.timer !== undefined || glass === "N";
    const moved = held && this.#onHeld(held, point) ? held : null;
    this.#drag = {
      start: { x: event.clientX, y: event.clientY }, moving: false, timer, holder,
      glass: timer ? null : (moved ?? glass ?? (socket ? this.board.glassIn(socket) : null)),
      socket: carries && !timer && !holder ? this.#meant(point, socket ?? null) : (socket ?? (glass && !timer ? this.game.state.glasses[glass].socket : null)),
      id: event.pointerId, lifted: null, ring: null,
    };
    if (this.#drag.glass) {
      const foot = this.board.where(this.#drag.glass);
      this.#drag.grip = { x: foot.x - point.x, y: foot.y - point.y };
    }
    if (this.#drag.glass || holder) this.board.svg.setPointerCapture(event.pointerId);
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag) return this.#hover(event);
    if (event.pointerId !== drag.id || !this.able) return undefined;
    const far = Math.hypot(event.clientX - drag.start.x, event.clientY - drag.start.y) > DRAG_PX;
    if (!drag.moving && far) this.#begin(drag);
    if (!drag.moving) return undefined;
    const { at, socket } = this.#brought(drag, event);
    if (drag.ring) this.board.showRingInHand(drag.ring, { x: at.x, y: at.y + 6 });
    else if (drag.glass) this.board.moveHeld(drag.glass, at);
    this.#aim(socket);
    return undefined;
  }

  #begin(drag) {
    if (drag.holder) drag.ring = drag.holder;
    else if (!drag.glass) return;
    drag.moving = true;
    if (drag.glass) {
      const inHand = this.game.state.glasses[drag.glass].in_hand;
      drag.lifted = inHand ? Promise.resolve(true) : this.lift(drag.glass);
    }
  }

  #hover(event) {
    if (event.pointerType === "touch" || !this.game.ready || !this.inHand() || !this.able) return;
    const over = this.#meant(this.#point(event), null);
    if (over && over !== this.board.over) {
      this.board.over = over;
      this.changed();
    }
  }

  #aim(socket) {
    for (const [name, parts] of this.board.sockets) parts.node.classList.toggle("is-aimed", name === socket);
  }

  async #up(event) {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.id) return;
    this.#drag = null;
    this.#aim(null);
    if (!drag.moving) return this.#click(drag, event.shiftKey);
    const { socket } = this.#brought(drag, event);
    // A key that follows is meant for where the hand is now, not for where it came from.
    if (socket) this.focusOn(socket).focus({ preventScroll: true });
    if (drag.ring) {
      this.board.showRingInHand(null);
      if (socket) await this.dropRing(drag.ring, socket);
      return undefined;
    }
    const { glass } = drag;
    // It stays where it was let go until the server has told; the lift must have been done before it can be set down.
    if (socket) this.board.coming.set(glass, socket);
    this.board.held.delete(glass);
    this.board.over = socket;
    this.changed();
    const lifted = await drag.lifted;
    this.board.coming.delete(glass);
    if (lifted && socket) await this.set(glass, socket, event.shiftKey);
    else this.changed();
    return undefined;
  }

  #dropNowhere() {
    const drag = this.#drag;
    this.#drag = null;
    this.#aim(null);
    this.board.showRingInHand(null);
    if (drag?.glass) this.board.held.delete(drag.glass);
    this.changed();
  }

  #click(drag, shift) {
    if (drag.timer || drag.holder) {
      if (!this.able) return undefined;
      return drag.timer ? this.turnTimer() : this.takeRingInHand(drag.holder);
    }
    if (drag.socket) {
      const { node } = this.board.sockets.get(drag.socket);
      this.focusOn(drag.socket);
      node.focus({ preventScroll: true });
      return this.able ? this.activate(drag.socket, shift) : undefined;
    }
    // A glass beside the board is lifted.
    return drag.glass && this.able && !this.game.state.glasses[drag.glass].in_hand ? this.lift(drag.glass) : undefined;
  }
}
