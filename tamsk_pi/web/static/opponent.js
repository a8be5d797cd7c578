// The opponent at the board and the coach: what they want, in finished lines, and the way to ask for a hint.

import { byId, element } from "./dom.js";

export function setUpOpponent(hands) {
  byId("hint-button").addEventListener("click", () => hands.act({ do: "hint" }));
}

let shown = "";

export function showOpponent(game, hands) {
  const { opponent, hint, phase } = game.state;
  byId("hint-button").hidden = !hands.able || !["to_move", "carrying"].includes(phase);
  // On a virtual board the opponent's own hands do what it wants: only what it thinks, and its troubles, need be told.
  const wants = game.mode === "simulator" && !["", "thinking"].includes(opponent?.stage ?? "") ? [] : (opponent?.lines ?? []);
  const lines = [...wants, ...(hint?.lines ?? [])];
  const key = JSON.stringify([lines, opponent?.stage]);
  if (key === shown) return;
  shown = key;
  byId("advice").replaceChildren(...lines.map((text) => element("li", { textContent: text, data: { stage: opponent?.stage ?? "" } })));
}
