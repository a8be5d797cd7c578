// A game to be played again, as the server made it from a trace: what was seen at every moment at which it changed.

import { Game } from "./game.js";

export class Film {
  #states = [];

  constructor(data) {
    Object.assign(this, { layout: data.layout, settings: data.settings, end: Math.max(1, data.end_ms), rulings: data.rulings, edges: data.edges, record: data.record });
    this.times = data.frames.map(([t]) => t);
    this.known = data.frames.map(([, , rulings]) => rulings);
    let state = {};
    for (const [, sections] of data.frames) {
      state = { ...state, ...sections, glasses: { ...state.glasses, ...sections.glasses } };
      this.#states.push(state);
    }
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

  // The number of the last ruling that was known at `t`, or -1.
  rulingAt(t) {
    return this.known[this.frameAt(t)] - 1;
  }
}

// A film as the board and the panels want a game: what was known at one moment of it, and the clock at that moment.
export class FilmedGame extends Game {
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
    Object.assign(this, { frame, language, state: this.film.state(frame) });
    this.rulings = this.film.rulings.slice(0, this.film.known[frame]).map((one) => ({ ...one, text: one.text[language] }));
    return true;
  }
}
