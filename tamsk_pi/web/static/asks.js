// What is asked for: whether a game that was cut off goes on, how the sand stands after a cut of unknown length, at which
// level to begin, and what is next when a game is over. And what is to be looked at before play: sensors that cannot be right.

import { byId, element, toast } from "./dom.js";
import { say } from "./text.js";

const LONGEST_S = 600;
const TAKEN_BACK = ["agreed", "resigned", "full_socket"]; // what players may end a game by, and regret

const verb = (word, words) => element("button", { type: "button", textContent: say(words), data: { verb: word } });

function does(words, act) {
  const node = element("button", { type: "button", textContent: say(words), data: { does: words } });
  node.addEventListener("click", act);
  return node;
}

function sand(game, { text, glass }, answer) {
  const left = Math.min(LONGEST_S, Math.max(1, Math.round((game.state.glasses[glass].stops_at_ms - game.now()) / 1000) || 1));
  const seconds = element("input", { type: "number", min: "1", max: String(LONGEST_S), value: String(left), "aria-label": say("arbiter.field.left") });
  const stopped = does("arbiter.state.stopped", () => answer({ verb: "glass", glass, state: "stopped", left_ms: null }));
  const running = does("ask.sand.runs", () => seconds.reportValidity() && answer({ verb: "glass", glass, state: "running", left_ms: Number(seconds.value) * 1000 }));
  return element("li", { data: { ask: glass } }, text, stopped, running, seconds, say("ask.sand.seconds"));
}

const settingsOf = ({ level, rules, ring_mode, setup, names }) => ({ level, rules, rings: ring_mode, setup, red: names.red ?? "", black: names.black ?? "" });

// Before the first move: the levels in plain words, one click each.
function levels(game, hands) {
  const { state } = game;
  const choice = (level) => {
    const node = does(`new.level.${level}`, () => hands.newGame({ ...settingsOf(state), level }));
    node.setAttribute("aria-pressed", String(level === state.level));
    node.disabled = level === state.level;
    return node;
  };
  return element("li", { className: "choice", data: { ask: "level" } }, say("ask.level"), ...[1, 2, 3].map(choice));
}

// When a game is over.
function next(game, hands) {
  const { state, you } = game;
  const settings = settingsOf(state), acts = [];
  if (TAKEN_BACK.includes(state.result) && you.arbiter.includes("annul")) acts.push(verb("annul", "end.take_back"));
  if (hands.able) {
    acts.push(does("end.again", () => hands.newGame(settings)));
    acts.push(does("end.swap", () => hands.newGame({ ...settings, red: settings.black, black: settings.red })));
  }
  if (state.kept && you.replays) acts.push(element("a", { href: `/replay#${new URLSearchParams({ game: state.kept })}`, textContent: say("end.watch"), data: { does: "end.watch" } }));
  return acts.length ? [element("li", { className: "choice", data: { ask: "next" } }, ...acts)] : [];
}

let asked = "";

export function showAsks(game, hands, connection) {
  const { state, said } = game, { paired, arbiter } = game.you;
  const begins = game.mode === "simulator" && hands.able && !state.last_move && !state.position && ["to_move", "carrying"].includes(state.phase);
  const over = state.phase === "over";
  const key = JSON.stringify([said.asks, state.game, state.phase, state.level, state.names, state.kept, begins, over, paired, arbiter, hands.able, document.documentElement.lang]);
  if (key === asked) return;
  asked = key;
  const answer = async (action) => {
    const refused = await connection.ask("arbitrate", action);
    if (refused) toast(refused);
  };
  const lines = {
    resume: ({ text }) => [element("li", { data: { ask: "resume" } }, text, verb("resume", "ask.resume.yes"), verb("discard", "ask.resume.no"))],
    sand: (line) => (arbiter.includes("glass") ? [sand(game, line, answer)] : []),
    suspect: ({ text }) => [element("li", { data: { ask: "suspect" } }, text)],
  };
  const list = byId("asks");
  list.replaceChildren(...said.asks.flatMap((line) => lines[line.kind](line)));
  for (const node of list.querySelectorAll("button, input")) node.disabled = !paired;
  list.append(...(begins ? [levels(game, hands)] : []), ...(over ? next(game, hands) : []));
}
