// The websocket: opens it, opens it again, tells when it has gone silent, and matches answers with questions.

import { language, say, spoken } from "./text.js";

const STALE_MS = 2250; // two beats missed, and known well within 3 s
const FIRST_WAIT_MS = 300, LONGEST_WAIT_MS = 4000;
const ANSWER_MS = 15000;
const PROTOCOL = 1;

export class Connection extends EventTarget {
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = FIRST_WAIT_MS;
  #heard = 0;
  #asked = new Map();
  #next = 1;
  /** @type {any} */
  #retry = 0;
  stale = true;

  start() {
    this.#open();
    setInterval(() => this.#look(), 250);
    spoken.addEventListener("change", () => this.#say({ type: "speak", language }));
    addEventListener("online", () => this.#again(0));
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#look();
    });
  }

  // Asks for an action; resolves with null when it was done, else with the reason why not.
  ask(type, action) {
    const id = this.#next++;
    if (!this.#say({ type, id, action })) return Promise.resolve(say("error.not_connected"));
    return new Promise((resolve) => {
      const late = setTimeout(() => this.#answer(id, say("error.no_answer")), ANSWER_MS);
      this.#asked.set(id, { resolve, late });
    });
  }

  say(message) {
    return this.#say(message);
  }

  #say(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/live?language=${language}`);
    this.#socket = socket;
    this.#heard = performance.now();
    socket.onopen = () => {
      this.#wait = FIRST_WAIT_MS;
      this.#say({ type: "hello", version: PROTOCOL, token: localStorage.getItem("token") ?? "" });
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
  }

  #hear(message) {
    this.#heard = performance.now();
    if (message.type === "beat") this.#setStale(false);
    if (message.type === "answer") this.#answer(message.id, message.ok ? null : message.reason);
    else this.dispatchEvent(new CustomEvent("message", { detail: message }));
  }

  #answer(id, reason) {
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    clearTimeout(asked.late);
    asked.resolve(reason);
  }

  #lost() {
    this.#socket = null;
    for (const id of [...this.#asked.keys()]) this.#answer(id, say("error.lost"));
    this.#setStale(true);
    this.#again(this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  #again(wait) {
    if (this.#socket) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#socket || this.#open(), wait);
  }

  #look() {
    if (!this.#socket || performance.now() - this.#heard < STALE_MS) return;
    this.#setStale(true);
    // Silent for too long: a half-open connection would stay silent for ever.
    const socket = this.#socket;
    this.#lost();
    socket.close();
  }

  #setStale(stale) {
    if (this.stale === stale) return;
    this.stale = stale;
    this.dispatchEvent(new CustomEvent("stale", { detail: stale }));
  }
}
