// Why a ruling was given: shown beside the board when the arbiter looks at it again, until it is closed.

import { byId, element } from "./dom.js";
import { say } from "./text.js";

// The time of an edge, to the millisecond: mm:ss.mmm.
const stamp = (ms) =>
  `${String(Math.floor(ms / 60_000)).padStart(2, "0")}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}.${String(ms % 1000).padStart(3, "0")}`;

let shown = "", closed = "";

export function setUpExplanation() {
  byId("why-close").addEventListener("click", () => {
    closed = shown;
    byId("why").hidden = true;
  });
}

function part(key, lines) {
  if (!lines.length) return [];
  return [element("h4", { textContent: say(`why.${key}`) }), element("ul", { data: { part: key } }, ...lines.map((one) => element("li", {}, ...one)))];
}

// `told`, in one language, has the shape that docs/traces.md gives for explanations.
export function explanationParts(told) {
  const edges = told.edges.map(({ t, text }) => [element("time", { textContent: stamp(t) }), ` ${text}`]);
  return [
    ...part("edges", edges.length ? edges : [[say("why.no_edges")]]),
    ...part("waits", told.waits.map(({ text }) => [text])),
    ...part("rules", told.rules.map(({ text, source, origin }) => [text, element("small", { textContent: `${source}; ${origin}` })])),
    ...part("glass", told.glass ? [[told.glass.text]] : []),
    ...part("sand", [...Object.values(told.sand).map(({ text }) => [text]), [told.turn]]),
  ];
}

export function showExplanation(game) {
  const all = game.state.explanation, panel = byId("why");
  const language = document.documentElement.lang, told = all && (all[language] ?? all.en);
  const key = all ? `${game.state.game}:${all.asked_ms}` : "";
  panel.hidden = !told || key === closed;
  if (key === shown && panel.dataset.language === language) return;
  shown = key;
  panel.dataset.language = language;
  byId("why-ruling").textContent = told ? `${stamp(told.ruling.t)}  ${told.text}` : "";
  byId("why-parts").replaceChildren(...(told ? explanationParts(told) : []));
}
