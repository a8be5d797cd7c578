// A game to be played again, as the server made it from a trace: what was seen at every moment at which it changed.

import { Game } from "./game.js";

export class Film {
  /** @type {any[]} */
  rulings = [];
  /** @type {[number, string, string, any][]} */
  edges = [];
  layout = {};
  settings = {};
  end = 1;
  /** @type {string | null} */
  record = null;
  /** @type {any[]} */
  #states = [];
  /** @type {any[]} */
  #said = [];

  constructor(data) {
    Object.assign(this, { layout: data.layout, settings: data.settings, end: Math.max(1, data.end_ms), rulings: data.rulings, edges: data.edges, record: data.record });
    this.times = data.frames.map(([t]) => t);
    this.known = data.frames.map(([, , rulings]) => rulings);
    let state = {}, said = {};
    data.frames.forEach(([, sections], number) => {
      state = { ...state, ...sections, glasses: { ...state.glasses, ...sections.glasses } };
      said = Object.fromEntries(Object.entries(data.said[number]).map(([language, lines]) => [language, { ...said[language], ...lines }]));
      this.#states.push(state);
      this.#said.push(said);
    });
  }

  // The number of the last moment at or before `t`.
  frameAt(t) {
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  state(frame) {
    return this.#states[frame];
  }

  said(frame, language) {
    return this.#said[frame][language] ?? this.#said[frame].en;
  }

  // The number of the last ruling that was known at `t`, or -1.
  rulingAt(t) {
    return this.known[this.frameAt(t)] - 1;
  }
}

// A film as the board and the panels want a game: what was known at one moment of it, and the clock at that moment.
export class FilmedGame extends Game {
  /** @type {Film} */
  film;
  at = 0;
  frame = -1;

  constructor(film) {
    super();
    Object.assign(this, { film, layout: film.layout, mode: "play", helps: true, ready: true });
    this.goTo(0, "");
  }

  now() {
    return this.at;
  }

  // Whether something is to be drawn anew.
  goTo(at, language) {
    this.at = at;
    const frame = this.film.frameAt(at);
    if (frame === this.frame && language === this.language) return false;
    Object.assign(this, { frame, language, state: this.film.state(frame), said: this.film.said(frame, language) });
    this.rulings = this.film.rulings.slice(0, this.film.known[frame]).map((one) => ({ ...one, text: one.text[language] }));
    return true;
  }
}
