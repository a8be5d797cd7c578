// What the arbiter is asked for: whether a game that was cut off goes on, and how the sand stands after a cut of unknown
// length. And what is to be looked at before play: sensors whose state cannot be right.

import { glassWords } from "./board.js";
import { element } from "./panels.js";
import { say } from "./text.js";

const LONGEST_S = 600;

const byId = (id) => document.getElementById(id);

function offer() {
  const button = (verb, words) => element("button", { type: "button", textContent: say(words), data: { verb } });
  return element("li", { data: { ask: "resume" } }, say("ask.resume"), button("resume", "ask.resume.yes"), button("discard", "ask.resume.no"));
}

// The glasses that were asked for last and that nothing has been said of since.
function askedFor(game) {
  const at = game.rulings.findLastIndex((one) => one.ruling === "notice" && one.code === "ask_for_sand");
  if (at < 0 || game.state.phase === "over") return [];
  const told = new Set(game.rulings.slice(at + 1).filter((one) => one.code === "glass_corrected" || ["move", "glass_stopped"].includes(one.ruling)).map((one) => one.glass));
  return game.rulings[at].glasses.filter((glass) => !told.has(glass));
}

function sand(game, glass, answer) {
  const left = Math.min(LONGEST_S, Math.max(1, Math.round((game.state.glasses[glass].stops_at_ms - game.now()) / 1000) || 1));
  const seconds = element("input", { type: "number", min: "1", max: String(LONGEST_S), value: String(left) });
  seconds.setAttribute("aria-label", say("arbiter.field.left"));
  const stopped = element("button", { type: "button", textContent: say("arbiter.state.stopped") });
  const running = element("button", { type: "button", textContent: say("ask.sand.runs") });
  stopped.addEventListener("click", () => answer({ verb: "glass", glass, state: "stopped", left_ms: null }));
  running.addEventListener("click", () => seconds.reportValidity() && answer({ verb: "glass", glass, state: "running", left_ms: Number(seconds.value) * 1000 }));
  return element("li", { data: { ask: glass } }, say("ask.sand", { glass: glassWords(game, glass) }), stopped, running, seconds, say("ask.sand.seconds"));
}

let asked = "";

export function showAsks(game, connection, refuse) {
  const { paired, arbiter } = game.you;
  const sands = arbiter.includes("glass") ? askedFor(game) : [];
  const suspects = game.state.suspects.map(({ what, kind, name }) => say(`suspect.${what}`, { sensor: say(`sensor.${kind}`, { name: kind === "socket" || kind === "tilt" || kind === "ring" ? name : say(name) }) }));
  const key = JSON.stringify([suspects, game.state.game, game.state.waits, sands, paired, document.documentElement.lang]);
  if (key === asked) return;
  asked = key;
  const answer = async (action) => {
    const refused = await connection.ask("arbitrate", action);
    if (refused) refuse(refused);
  };
  byId("asks").replaceChildren(...(game.state.waits === "resume" ? [offer()] : []), ...sands.map((glass) => sand(game, glass, answer)),
    ...suspects.map((text) => element("li", { data: { ask: "suspect" } }, text)));
  for (const node of byId("asks").querySelectorAll("button, input")) node.disabled = !paired;
}
