// One game: live or played again, with every ruling, what was put right and what was annulled.

import { draw } from "./mini.js";
import { $, begin, clock, json, keepLooking, language, query, say, stateText } from "./site.js";

const EVERY_MS = 3000;
const id = Number(query.get("id"));
let game = null, states = [], at = 0, followed = true, shownAs = "";

function unfold(frames) {
  let state = {};
  return frames.map((frame) => (state = { ...state, ...frame }));
}

function go(to) {
  at = Math.max(0, Math.min(states.length - 1, to));
  followed = at === states.length - 1;
  show();
}

function show() {
  if (!states.length) return;
  const state = states[at];
  const title = `${game.names.red || say("red")} – ${game.names.black || say("black")}`;
  $("title").textContent = title;
  document.title = title;
  draw($("picture"), state, state.t);
  $("picture").setAttribute("aria-label", stateText(state));
  $("at").max = states.length - 1;
  $("at").value = at;
  $("clock").textContent = clock(state.t);
  $("state").textContent = stateText(state);
  [...$("rulings").children].forEach((line, i) => {
    line.hidden = i >= state.r;
    line.classList.toggle("now", i === state.r - 1);
  });
  $("rulings").querySelector(".now")?.scrollIntoView({ block: "nearest" });
}

function list() {
  $("rulings").replaceChildren(...game.rulings.map((ruling) => {
    const line = document.createElement("li"), time = document.createElement("time"), words = document.createElement("span");
    line.className = ruling.ruling;
    line.classList.toggle("annulled", Boolean(ruling.annulled));
    time.textContent = clock(ruling.t);
    words.className = "words-of";
    words.textContent = ruling.text[language];
    line.append(time, words);
    if (ruling.annulled) line.append(document.createTextNode(` (${say("annulled")})`));
    return line;
  }));
  $("files").replaceChildren(...game.files.flatMap((key) => {
    const link = document.createElement("a");
    link.href = `data/games/${id}.${{ trace: "trace.jsonl", record: "record.txt" }[key]}`;
    link.download = "";
    link.textContent = say(key);
    return [link, " "];
  }));
  show();
}

$("first").addEventListener("click", () => go(0));
$("back").addEventListener("click", () => go(at - 1));
$("forth").addEventListener("click", () => go(at + 1));
$("last").addEventListener("click", () => go(states.length - 1));
$("at").addEventListener("input", () => go(Number($("at").value)));
addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, button")) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) go(at + step);
});

await begin(() => game && list());
await keepLooking(async () => {
  const now = await json(`data/games/${id}.json`);
  const same = JSON.stringify(now);
  if (same === shownAs) return;
  [game, shownAs] = [now, same];
  states = unfold(game.frames);
  if (followed) at = states.length - 1;
  list();
}, EVERY_MS);
