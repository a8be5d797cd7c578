// The replay page: which game, where in it, and how fast; the board and the panels are those of the live page.

import { Board } from "./board.js";
import { chooseLanguage } from "./choices.js";
import { explanationParts } from "./explain.js";
import { byId, element, sure, toast } from "./dom.js";
import { Film, FilmedGame } from "./film.js";
import { Hands } from "./hands.js";
import { rulingRow, showBanner, showCards, tickPanels } from "./panels.js";
import { clockText, language, loadTexts, say, spoken } from "./text.js";
import { drawTimeline } from "./timeline.js";

const FRAME_MS = 40;
const MOST_BYTES = 8_000_000;

const asHash = (values) => `#${new URLSearchParams(values)}`;
const headers = () => ({ authorization: `Bearer ${localStorage.getItem("token") ?? ""}` });
const ask = (path, options = {}) => fetch(`${path}?language=${language}`, { ...options, headers: headers() });

class Player {
  /** @type {Film} */
  film;
  name = "";
  /** @type {File | null} */
  trace = null;
  playing = false;
  speed = 1;
  chosen = -1; // the ruling that is looked at
  #drawn = 0;
  #last = 0;

  constructor(film, name, trace) {
    Object.assign(this, { film, name, trace });
    this.game = new FilmedGame(film);
    const svg = byId("board").cloneNode(false); // with no ears for the game before
    byId("board").replaceWith(svg);
    this.board = new Board(svg, this.game);
    this.hands = new Hands(this.board, this.game, null); // moves the focus; there is nothing to be done here
    byId("seek").max = film.end;
    byId("save-trace").href = trace ? URL.createObjectURL(trace) : `/games/${encodeURIComponent(name)}/trace`;
    byId("save-trace").download = name;
    const record = byId("save-record");
    record.hidden = film.record === null;
    if (film.record !== null) record.href = URL.createObjectURL(new Blob([film.record], { type: "text/plain" }));
    record.download = `${name.replace(/\.trace\.jsonl$/, "")}.txt`;
    byId("link").hidden = trace !== null;
    this.#marks();
    this.list();
  }

  #marks() {
    const at = (one) => `M${((one.at / this.film.end) * 1000).toFixed(1)} `;
    const svg = byId("marks");
    svg.setAttribute("viewBox", "0 0 1000 20");
    svg.querySelector(".some").setAttribute("d", this.film.rulings.map((one) => `${at(one)}8v8`).join(""));
    svg.querySelector(".wrong").setAttribute("d", this.film.rulings.filter(isWrong).map((one) => `${at(one)}1v15`).join(""));
  }

  list() {
    byId("rulings").replaceChildren(...this.film.rulings.map((one, number) => {
      const row = rulingRow({ ...one, text: one.text[language] });
      const button = element("button", { type: "button" }, ...row.childNodes);
      button.addEventListener("click", () => this.look(number));
      row.append(button);
      return row;
    }));
  }

  goTo(at) {
    this.game.goTo(Math.min(this.film.end, Math.max(0, at)), language);
    this.show();
  }

  // To the moment at which a ruling was known, with what stands behind it.
  look(number) {
    const ruling = this.film.rulings[number];
    if (!ruling) return;
    this.pause();
    this.chosen = number;
    this.goTo(ruling.at);
    this.keep();
    byId("live").textContent = ruling.text[language];
  }

  next(step, which) {
    const { rulings } = this.film, { at } = this.game;
    const isChosen = this.chosen >= 0 && rulings[this.chosen].at === at;
    const known = this.film.rulingAt(at);
    let number = isChosen ? this.chosen + step : step > 0 ? known + 1 : known;
    while (rulings[number] && !which(rulings[number])) number += step;
    this.look(number);
  }

  play() {
    if (this.game.at >= this.film.end) this.goTo(0);
    this.playing = true;
    this.#last = performance.now();
    this.show();
  }

  pause() {
    this.playing = false;
    this.show();
  }

  frame(now) {
    if (!this.playing || now - this.#drawn < FRAME_MS) return;
    this.#drawn = now;
    const at = this.game.at + (now - this.#last) * this.speed;
    this.#last = now;
    this.goTo(at);
    if (at >= this.film.end) {
      this.pause();
      this.keep();
    }
  }

  // Keeps the moment in the address.
  keep() {
    if (!this.trace) history.replaceState(null, "", asHash({ game: this.name, t: Math.round(this.game.at) }));
  }

  show() {
    const { game, film } = this;
    if (game.goTo(game.at, language) || !this.shown || this.shown !== game.frame) {
      this.shown = game.frame;
      this.board.render();
      showBanner(game);
      showCards(game);
    }
    this.board.tick(game.at);
    tickPanels(game, game.at);
    const seek = byId("seek");
    seek.value = game.at;
    const words = say("replay.at", { time: clockText(wholeSeconds(game.at)), end: clockText(wholeSeconds(film.end)) });
    seek.setAttribute("aria-valuetext", words);
    byId("at").textContent = words;
    byId("play").textContent = say(this.playing ? "replay.pause" : "replay.play");
    this.#current();
    this.#why();
    document.body.dataset.at = String(Math.round(game.at));
  }

  #current() {
    const now = this.chosen >= 0 && this.film.rulings[this.chosen].at === this.game.at ? this.chosen : this.film.rulingAt(this.game.at);
    const list = byId("rulings");
    if (list.dataset.now === String(now) && list.querySelector("[aria-current]")) return;
    list.dataset.now = now;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    [...list.children].forEach((row, number) => row.classList.toggle("to-come", number > now));
    const row = list.children[now];
    if (!row) return;
    row.firstChild.setAttribute("aria-current", "true");
    list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  #why() {
    const ruling = this.film.rulings[this.chosen];
    const box = byId("why");
    const wide = Math.max(240, byId("why-chart").clientWidth);
    const key = `${this.chosen} ${language} ${wide}`;
    if (box.dataset.key === key) return;
    box.dataset.key = key;
    byId("why-words").textContent = ruling ? ruling.text[language] : say("edges.none");
    byId("why-parts").replaceChildren(...(ruling ? explanationParts(ruling.why[language]) : []));
    const drawn = ruling && drawTimeline(this.film, ruling, wide);
    byId("why-chart").replaceChildren(...(drawn ? [drawn.svg, ...(drawn.rest ? [say("edges.further", { count: drawn.rest })] : [])] : ruling ? [say("edges.no_edges")] : []));
  }
}

const wholeSeconds = (ms) => Math.floor(ms / 1000) * 1000;
const isWrong = (ruling) => ruling.ruling === "violation" || ruling.ruling === "timeout";

let player = null;

function show(what) {
  for (const id of ["shelf", "stage", "loading"]) byId(id).hidden = id !== what;
  /** @type {HTMLElement} */ (document.querySelector(".lamps")).hidden = what !== "stage";
}

function fail(reason) {
  const trouble = byId("trouble");
  trouble.hidden = reason === null;
  trouble.textContent = reason === null ? "" : say("replay.failed", { reason });
}

async function open(name, request, trace = null, at = 0) {
  show("loading");
  fail(null);
  player?.pause();
  player = null;
  try {
    const answer = await request();
    if (!answer.ok) throw new Error((await answer.text()).trim());
    player = new Player(new Film(await answer.json()), name, trace);
  } catch (error) {
    await shelve();
    return fail(error instanceof TypeError ? say("replay.unreachable") : error.message);
  }
  show("stage");
  byId("other").hidden = alone;
  player.goTo(at);
  return undefined;
}

function bring(file) {
  if (file.size > MOST_BYTES) return toast(say("replay.too_large", { size: MOST_BYTES / 1e6 }));
  history.replaceState(null, "", "#");
  return open(file.name ?? "trace.jsonl", () => ask("/film", { method: "POST", body: file }), file);
}

let alone = false;

async function listed() {
  const answer = await ask("/games");
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}

const whoPlays = ({ red, black }) => (red || black ? `${red || say("red")} – ${black || say("black")}` : "");

function howItEnded({ winner, result, moves, length_ms: length, problem, red, black }) {
  if (problem) return say("shelf.unread");
  const name = { red, black }[winner] || say(winner ?? "red");
  const end = !result ? say("shelf.open") : winner ? say("shelf.won", { side: name, how: say(`shelf.${result}`) }) : say("shelf.draw", { how: say(`shelf.${result}`) });
  return [end, clockText(wholeSeconds(length)), say("shelf.moves", { count: moves })].join(" · ");
}

// How each game ended is worked out a few games at a time.
async function tellResults() {
  for (let more = true; more && !byId("shelf").hidden;) {
    const answer = await ask("/games/results").catch(() => null);
    if (!answer?.ok) return;
    const told = await answer.json();
    more = told.more;
    for (const row of byId("shelf-games").children) {
      const one = told.results[row.dataset.game];
      if (one) row.querySelector(".how").textContent = howItEnded(one);
      if (one && !one.problem) row.querySelector(".who").textContent = whoPlays(one);
      if (told.deletes && !row.querySelector("button")) row.append(deleteButton(row.dataset.game));
    }
  }
}

function deleteButton(name) {
  const button = element("button", { type: "button", textContent: say("shelf.delete"), "aria-label": `${say("shelf.delete")}: ${name}` });
  button.addEventListener("click", async () => {
    if (!(await sure(say("shelf.delete.sure", { name }), say("shelf.delete")))) return;
    const answer = await ask("/games/delete", { method: "POST", body: name }).catch(() => null);
    if (answer?.ok) await shelve();
    else toast(answer ? (await answer.text()).trim() : say("replay.unreachable"));
  });
  return button;
}

async function shelve() {
  show("shelf");
  byId("other").hidden = true;
  let games = [];
  try {
    ({ games, alone } = await listed());
  } catch (error) {
    fail(error instanceof TypeError ? say("replay.unreachable") : error.message);
  }
  byId("back").hidden = alone;
  byId("bring").hidden = alone;
  byId("shelf-none").hidden = games.length > 0;
  const when = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  byId("shelf-games").replaceChildren(...games.map((one) => {
    const link = element("a", { href: asHash({ game: one.name }) }, when.format(one.changed_s * 1000));
    return element("li", { data: { game: one.name } }, link, element("span", {}, say("level", { level: one.level })),
      element("span", { className: "who" }, whoPlays(one)), element("span", { className: "how" }), element("small", {}, one.name));
  }));
  if (games.length) tellResults();
  return games;
}

// What the address asks for: a game at a moment, a trace that was dropped on the live page, or the list.
async function follow() {
  const values = new URLSearchParams(location.hash.slice(1));
  const name = values.get("game"), at = Number(values.get("t")) || 0;
  if (name && player && player.name === name && !player.trace) return player.goTo(at);
  if (name) return open(name, () => ask(`/games/${encodeURIComponent(name)}/film`), null, at);
  const dropped = sessionStorage.getItem("trace");
  if (values.has("dropped") && dropped) return bring(new File([dropped], sessionStorage.getItem("trace-name") ?? "trace.jsonl"));
  player?.pause();
  player = null;
  const games = await shelve();
  if (alone && games.length) location.replace(asHash({ game: games[0].name }));
  return undefined;
}

function setUp() {
  const press = (id, does) => byId(id).addEventListener("click", () => player && does(player));
  press("play", (it) => {
    if (it.playing) it.pause(), it.keep();
    else it.play();
  });
  press("previous", (it) => it.next(-1, () => true));
  press("next", (it) => it.next(1, () => true));
  press("previous-wrong", (it) => it.next(-1, isWrong));
  press("next-wrong", (it) => it.next(1, isWrong));
  press("link", async (it) => {
    it.keep();
    await navigator.clipboard?.writeText(location.href);
    toast(say("replay.copied"));
  });
  byId("seek").addEventListener("input", () => player?.goTo(Number(byId("seek").value)));
  byId("seek").addEventListener("change", () => player?.keep());
  byId("speed").addEventListener("change", () => player && (player.speed = Number(byId("speed").value)));
  byId("choose").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", () => byId("file").files[0] && bring(byId("file").files[0]));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file && !alone) bring(file);
  });
  addEventListener("resize", () => player?.show());
  addEventListener("hashchange", follow);
  spoken.addEventListener("change", () => {
    if (player) {
      player.list();
      byId("rulings").dataset.now = "";
      player.show();
    } else shelve();
  });
  const frame = (now) => {
    requestAnimationFrame(frame);
    player?.frame(now);
  };
  requestAnimationFrame(frame);
}

document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
await loadTexts();
chooseLanguage(byId("language"));
setUp();
try {
  ({ alone } = await listed());
} catch {
  // Why there is no list is told where one is asked for.
}
byId("back").hidden = alone;
await follow();
document.body.dataset.ready = "";
