// What the server has told of the game, and the game's clock.

const SAMPLES = 8;

export class Game extends EventTarget {
  /** @type {number[]} */
  #offsets = [];
  #version = 0;
  ready = false;
  /** @type {any} the sections of the server's state */
  state = null;
  /** @type {any} what the server says of it, in finished lines of this page's language */
  said = null;
  language = ""; // of the rulings
  layout = {};
  mode = "simulator";
  helps = true;
  /** @type {any[]} */
  rulings = [];
  /** @type {any} whose the hands are, and what this page may ask for */
  you = { hands: "none", seats: {}, holders: {}, holder: "", paired: true, code: null, arbiter: [], links: [] };
  alive = true;
  viewers = 0;

  // The game's clock now, in ms. The least delayed of the last beats tells it best.
  now() {
    return performance.now() + (this.#offsets.length ? Math.max(...this.#offsets) : 0);
  }

  forgetClock() {
    this.#offsets = [];
  }

  hear(message) {
    if (message.type === "beat") return this.#beat(message);
    if (message.type === "you") {
      this.you = message;
      return this.#changed([]);
    }
    if (message.type === "state") {
      const { mode, helps, layout, language, sections, said, rulings, version } = message;
      const fresh = this.state?.game === sections.game ? rulings.slice(this.rulings.length) : [];
      Object.assign(this, { mode, helps, layout, language, rulings, said, state: sections, ready: true });
      this.#version = version;
      return this.#changed(fresh);
    }
    if (message.type === "change" && this.ready) {
      this.#version = message.version;
      Object.assign(this.state, message.sections);
      Object.assign(this.said, message.said);
      this.rulings = this.rulings.slice(0, message.from).concat(message.rulings);
      this.#changed(message.rulings);
    }
  }

  get version() {
    return this.#version;
  }

  #beat({ now_ms, alive, viewers }) {
    const offset = now_ms - performance.now();
    // A jump (a new game, a machine that slept) makes the older samples worthless.
    if (this.#offsets.length && Math.abs(offset - Math.max(...this.#offsets)) > 500) this.#offsets = [];
    this.#offsets = [...this.#offsets.slice(1 - SAMPLES), offset];
    if (alive !== this.alive || viewers !== this.viewers) {
      this.alive = alive;
      this.viewers = viewers;
      this.dispatchEvent(new Event("beat"));
    }
  }

  #changed(fresh) {
    this.dispatchEvent(new CustomEvent("change", { detail: { fresh } }));
  }
}

export const ownerOf = (glass) => (glass === "N" ? null : glass[0] === "R" ? "red" : "black");
export const otherSide = (side) => (side === "red" ? "black" : "red");

// Whose ring is meant on a socket: the side that the situation asks for, else the side to move.
export const ringDue = ({ ring_due: due, to_move }, socket) => due[socket] ?? due[""] ?? to_move ?? "red";

// The part of its sand that is still above, 0 to 1.
export function sandAbove(glass, nowMs) {
  if (glass.stops_at_ms === null) return 0;
  return Math.min(1, Math.max(0, (glass.stops_at_ms - nowMs) / glass.full_ms));
}
