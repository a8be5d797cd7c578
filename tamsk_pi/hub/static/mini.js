// A board as a small living picture: glasses with the sand they have left, rings, the last move, what is to be mended.
// Colour is never the only sign: red glasses are round, black ones angular, the neutral ones do not occur here.

import { place, WIDTH } from "./geometry.js";

const NS = "http://www.w3.org/2000/svg";
const TOP = 40, BOTTOM = 720;
const SOCKETS = [..."ABCDEFG"].flatMap((column, i) => Array.from({ length: [4, 5, 6, 7, 6, 5, 4][i] }, (_, row) => `${column}${row + 1}`));
const RADIUS = 34, TURN = 2 * Math.PI;

function make(parent, name, attributes, text) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

const octagon = (r) => Array.from({ length: 8 }, (_, i) => {
  const angle = TURN * (i + 0.5) / 8;
  return `${(r * Math.cos(angle)).toFixed(1)},${(r * Math.sin(angle)).toFixed(1)}`;
}).join(" ");

function arc(part, r) {
  if (part >= 0.999) part = 0.999;
  const angle = TURN * part - TURN / 4;
  return `M 0 ${-r} A ${r} ${r} 0 ${part > 0.5 ? 1 : 0} 1 ${(r * Math.cos(angle)).toFixed(2)} ${(r * Math.sin(angle)).toFixed(2)}`;
}

export const sandLeft = (glass, now) => glass.stops_at_ms === null ? 0
  : Math.max(0, Math.min(1, (glass.stops_at_ms - now) / glass.full_ms));

// Draws a board into an svg element; `state` is as the hub tells it, `now` the game's clock.
export function draw(svg, state, now) {
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 ${TOP} ${WIDTH} ${BOTTOM - TOP}`);
  const wrong = new Set(state.violations.flatMap((v) => [v.socket, v.home].filter(Boolean)));
  for (const socket of SOCKETS) {
    const { x, y } = place(socket);
    const spot = make(svg, "g", { transform: `translate(${x} ${y})`, class: "socket", "data-socket": socket });
    const marks = ["base"];
    if (wrong.has(socket)) marks.push("wrong");
    else if (state.last_move?.includes(socket)) marks.push("last");
    make(spot, "circle", { r: RADIUS + 4, class: marks.join(" ") });
    (state.rings[socket] ?? []).forEach((side, i) =>
      make(spot, "circle", { r: RADIUS - 2 - 5 * i, class: `ring ${side ?? "unknown"}` }));
  }
  let hands = 0;
  for (const [name, glass] of Object.entries(state.glasses)) {
    if (name === "N" || (!glass.socket && !glass.in_hand)) continue;
    const side = name[0] === "R" ? "red" : "black";
    const spot = glass.socket ? place(glass.socket) : { x: 60 + 90 * hands++, y: BOTTOM - 45 };
    const piece = make(svg, "g", { transform: `translate(${spot.x} ${spot.y})`, class: `glass ${side}${glass.in_hand ? " in-hand" : ""}`, "data-glass": name });
    if (side === "red") make(piece, "circle", { r: 24 });
    else make(piece, "polygon", { points: octagon(26) });
    const left = sandLeft(glass, now);
    if (glass.out) make(piece, "path", { d: "M -12 -12 L 12 12 M -12 12 L 12 -12", class: "out" });
    else if (left > 0) make(piece, "path", { d: arc(left, 19), class: "sand", "data-full": glass.full_ms, "data-stops": glass.stops_at_ms });
    make(piece, "text", { y: 9 }, name.slice(1));
  }
}

// Lets the sand run between two pictures.
export function tick(svg, now) {
  for (const sand of svg.querySelectorAll(".sand")) {
    const left = Math.max(0, (Number(sand.dataset.stops) - now) / Number(sand.dataset.full));
    if (left > 0) sand.setAttribute("d", arc(left, 19));
    else sand.remove();
  }
}
