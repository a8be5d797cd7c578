// Between two games: what is to be done for the next one, and how it is to be played.

import { element } from "./panels.js";
import { say } from "./text.js";

const LEVELS = [1, 2, 3], EDITIONS = ["rulebook", "wikipedia", "schmidt1998"];

let box, shown = "";

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
export function showNext(game, connection, refuse) {
  box ??= document.getElementById("asks").insertAdjacentElement("afterend", element("form", { id: "next-game" }));
  const { upcoming } = game.state;
  box.hidden = !upcoming;
  document.getElementById("report").hidden = game.state.result === null;
  const key = JSON.stringify([upcoming, game.state.phase, game.state.setup_problems, game.you, document.documentElement.lang]);
  if (!upcoming || key === shown || box.contains(document.activeElement) && shown) return;
  shown = key;
  const may = game.you.paired && game.you.hands !== "theirs";
  const ask = async (type, action) => {
    const refused = await connection.ask(type, action);
    if (refused) refuse(refused);
  };
  const choose = (more) => {
    const form = new FormData(box);
    ask("choose_next", { level: Number(form.get("level")), rules: form.get("rules"), red: form.get("red").trim(), black: form.get("black").trim(), ...more });
  };
  const swap = element("button", { type: "button", textContent: say("next.swap") });
  swap.addEventListener("click", () => choose({ red: upcoming.names.black, black: upcoming.names.red }));
  const begin = element("button", { type: "button", textContent: say("next.begin") });
  begin.addEventListener("click", () => ask("arbitrate", { verb: "new_game" }));
  const problems = game.state.phase === "over" ? game.state.setup_problems : [];
  const todo = [...problems.map(({ socket, what }) => say(`setup.${what}`, { socket })),
    ...Object.entries(upcoming.holders_lacking).map(([side, count]) => say("next.holder", { side: say(side), count }))];
  box.replaceChildren(
    element("strong", {}, say("next.title")),
    element("ul", {}, ...todo.map((text) => element("li", {}, text))),
    field("next.level", choice("level", LEVELS, upcoming.level, (level) => say("level", { level }))),
    field("next.rules", choice("rules", EDITIONS, upcoming.rules, (rules) => say(`rules.${rules}`))),
    name("red", upcoming.names.red), name("black", upcoming.names.black), swap, begin,
    element("p", {}, say(`next.${upcoming.begins}`)));
  for (const node of box.querySelectorAll("select, input, button")) node.disabled = !may;
  box.onchange = () => choose({});
  box.onsubmit = (event) => event.preventDefault();
}
