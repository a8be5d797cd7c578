// Between two games: what is to be done for the next one, and how it is to be played.

import { byId, element, toast } from "./dom.js";
import { say } from "./text.js";

const LEVELS = [1, 2, 3], EDITIONS = ["rulebook", "wikipedia", "schmidt1998"];

/** @type {any} */
let box;
let shown = "";

function choice(name, values, chosen, words) {
  const select = element("select", { name });
  select.append(...values.map((value) => new Option(words(value), value, false, String(value) === String(chosen))));
  return select;
}

function field(label, node) {
  return element("label", {}, say(label), node);
}

function name(side, value) {
  return field(side, element("input", { name: side, value, maxLength: 40, autocomplete: "off" }));
}

// Shown while the next game is waited for; whoever may act chooses, and what is chosen is shown to all.
export function showNext(game, connection) {
  box ??= byId("asks").insertAdjacentElement("afterend", element("form", { id: "next-game" }));
  const { upcoming } = game.state;
  box.hidden = !upcoming;
  byId("report").hidden = game.state.result === null;
  const key = JSON.stringify([upcoming, game.state.phase, game.you, document.documentElement.lang]);
  if (!upcoming || key === shown || (box.contains(document.activeElement) && shown)) return;
  shown = key;
  const may = game.you.paired && game.you.hands !== "theirs";
  const ask = async (type, action) => {
    const refused = await connection.ask(type, action);
    if (refused) toast(refused);
  };
  const choose = (more) => {
    const said = Object.fromEntries(new FormData(box));
    ask("choose_next", { level: Number(said.level), rules: said.rules, red: String(said.red).trim(), black: String(said.black).trim(), ...more });
  };
  const swap = element("button", { type: "button", textContent: say("next.swap") });
  swap.addEventListener("click", () => choose({ red: upcoming.names.black, black: upcoming.names.red }));
  const begin = element("button", { type: "button", textContent: say("next.begin") });
  begin.addEventListener("click", () => ask("arbitrate", { verb: "new_game" }));
  box.replaceChildren(
    element("strong", {}, say("next.title")),
    field("next.level", choice("level", LEVELS, upcoming.level, (level) => say("level", { level }))),
    field("next.rules", choice("rules", EDITIONS, upcoming.rules, (rules) => say(`rules.${rules}`))),
    name("red", upcoming.names.red), name("black", upcoming.names.black), swap, begin,
    element("p", {}, say(`next.${upcoming.begins}`)));
  for (const node of box.querySelectorAll("select, input, button")) node.disabled = !may;
  box.onchange = () => choose({});
  box.onsubmit = (event) => event.preventDefault();
}
