// The board: what is drawn follows the game's state; what moves, moves there visibly.

import { HEIGHT, HOLDERS, RING, TABLE, TIMER, WIDTH, exists, place, tubeHeight } from "./geometry.js";
import { ownerOf, sandAbove } from "./game.js";
import { definitions, draw, drawTube, glass, ring, setSand, socket } from "./pieces.js";
import { say } from "./text.js";

const NEARLY_OUT_MS = 10_000;
const MOVE_MS = 420;
const HOLDER_RING = 4;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  sockets = new Map();
  glasses = new Map();
  over = null; // the socket over which a glass in hand is held
  held = new Map(); // glasses held by the pointer: name to a point
  coming = new Map(); // glasses set down here, of which the server has not told yet: name to a place
  #holders = {};
  #drawn = false;

  constructor(svg, game) {
    this.svg = svg;
    this.game = game;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    this.trail = draw("g", { class: "trail" });
    this.items = draw("g", { class: "items" });
    this.flight = draw("g", { class: "flight" });
    this.signs = draw("g", { class: "signs" });
    this.ringInHand = draw("g", { class: "ring-in-hand" });
    svg.append(definitions(), this.#plate(), this.trail, this.items, this.signs, this.flight, this.ringInHand);
    for (const side of ["red", "black"]) this.#holders[side] = this.#holder(side);
    for (const name of ["R1", "R2", "R3", "B1", "B2", "B3", "N"]) {
      const parts = glass(name, ownerOf(name));
      this.glasses.set(name, parts);
    }
    this.timer = draw("g", { class: "timer-seat", role: "button", tabindex: "0", id: "timer", "data-timer": "" },
      draw("g", { transform: `translate(${TIMER.x} ${TIMER.y})` }, draw("ellipse", { class: "floor", rx: 44, ry: 20 }), draw("ellipse", { class: "focus", rx: 48, ry: 23 }), draw("rect", { class: "hit", x: -44, y: -66, width: 88, height: 86 })));
    this.items.append(this.timer);
    this.svg.append(this.#holders.red.node, this.#holders.black.node);
    svg.append(this.flight, this.ringInHand);
  }

  #plate() {
    const corner = ["A1", "D1", "G1", "G4", "D7", "A4"].map(place);
    const middle = place("D4");
    const points = corner.map(({ x, y }) => {
      const length = Math.hypot(x - middle.x, y - middle.y);
      const by = 1 + 38 / length;
      return `${Math.round(middle.x + (x - middle.x) * by)},${Math.round(middle.y + (y - middle.y) * by)}`;
    }).join(" ");
    return draw("g", { class: "plate" }, draw("polygon", { class: "plate-side", points, transform: "translate(0 9)" }), draw("polygon", { class: "plate-top", points }));
  }

  #holder(side) {
    const { x, y } = HOLDERS[side];
    const stack = draw("g", { class: "rings" });
    const count = draw("text", { class: "holder-count", y: 56 });
    const body = draw("g", { transform: `translate(${x} ${y})` },
      draw("ellipse", { class: "floor", rx: 45, ry: 36 }), draw("ellipse", { class: "focus", rx: 50, ry: 41 }), stack, count,
      draw("rect", { class: "hit", x: -34, y: -158, width: 68, height: 220 }));
    return { node: draw("g", { class: `holder ${side}`, role: "button", tabindex: "0", id: `holder-${side}`, "data-holder": side }, body), stack, count, shown: -1 };
  }

  #build() {
    const names = Object.keys(this.game.layout).sort((a, b) => place(a).y - place(b).y || place(a).x - place(b).x);
    for (const name of names) {
      const parts = socket(name, this.game.layout[name], place(name));
      this.sockets.set(name, parts);
      this.items.append(parts.node);
    }
    this.items.append(this.timer);
    this.sockets.get("D4").node.setAttribute("tabindex", "0");
    this.#drawn = true;
  }

  render() {
    const { state } = this.game;
    const first = !this.#drawn;
    if (first) this.#build();
    const inHand = this.inHand();
    const targets = new Set(inHand.flatMap((name) => state.targets[name] ?? []));
    const wrong = new Set(state.violations.map((v) => v.socket).filter(Boolean));
    const homes = new Set(state.violations.map((v) => v.home).filter(Boolean));
    const { opened = [], closed = [], rings: odd = {} } = state.differences;
    const unset = new Set([...state.setup_problems.map((problem) => problem.socket), ...opened, ...closed, ...Object.keys(odd)]);
    for (const [name, parts] of this.sockets) {
      const classes = parts.node.classList;
      const rings = state.rings[name] ?? [];
      this.#stack(parts, rings, first);
      classes.toggle("is-target", targets.has(name));
      classes.toggle("is-full", inHand.length > 0 && !targets.has(name) && this.loses(name));
      classes.toggle("is-wrong", wrong.has(name) || unset.has(name));
      classes.toggle("is-home", homes.has(name));
      classes.toggle("is-last", state.last_move?.includes(name) ?? false);
      classes.toggle("is-penalty", state.penalty_lamp === name);
      classes.toggle("is-missing", name in state.missing_rings);
      classes.toggle("lit-red", state.red_lamps.includes(name));
      classes.toggle("lit-green", state.green_lamps.includes(name));
      classes.toggle("is-faulty", state.faults.includes(`socket:${name}`));
    }
    for (const side of ["red", "black"]) this.#ringsOf(side, state.holders[side]);
    for (const parts of this.glasses.values()) this.#glass(parts, first);
    // With a piece in hand a socket's floor takes the pointer, whatever stands in front of it.
    this.svg.classList.toggle("carrying", inHand.length > 0 || Boolean(this.svg.dataset.ring));
    this.#trail();
    this.#signs();
    this.name();
    this.tick(this.game.now());
  }

  inHand() {
    const { glasses } = this.game.state;
    return Object.keys(glasses).filter((name) => glasses[name].in_hand && name !== "N");
  }

  // Whether the glass in hand would lose the game here: the socket is full, and not the one that it came from.
  loses(socketName) {
    const { state, layout } = this.game;
    const name = this.inHand().at(-1);
    if (!name || (state.rings[socketName]?.length ?? 0) < layout[socketName]) return false;
    const homes = [state.glasses[name].lifted_from, ...state.violations.filter((one) => one.glass === name).map((one) => one.home)];
    return !homes.includes(socketName);
  }

  glassIn(socketName) {
    const { glasses } = this.game.state;
    return Object.keys(glasses).find((name) => glasses[name].socket === socketName) ?? null;
  }

  #stack(parts, rings, first) {
    const shown = rings.map((owner) => owner?.[0] ?? "?").join("");
    if (shown === parts.shown && parts.tube.firstChild) return;
    const before = parts.shown.length;
    parts.shown = shown;
    parts.rings.replaceChildren(...rings.map((owner, level) => ring(owner, level * RING + 1)));
    if (!first && rings.length > before) parts.rings.lastChild.classList.add("dropped");
    drawTube(parts, rings.length);
  }

  #ringsOf(side, count) {
    const parts = this.#holders[side];
    if (parts.shown === count) return;
    parts.shown = count;
    parts.stack.replaceChildren(...Array.from({ length: count }, (_, level) => ring(side, level * HOLDER_RING, HOLDER_RING, 1)));
    parts.count.textContent = count;
  }

  // Where a glass is to be drawn, and whether it floats.
  where(name) {
    const { state } = this.game;
    const it = state.glasses[name];
    if (this.held.has(name)) return { ...this.held.get(name), floats: true };
    if (name === "N") return { x: TIMER.x, y: TIMER.y, floats: false, seat: this.timer };
    if (this.coming.has(name)) return this.#standing(this.coming.get(name));
    if (it.between) {
      const [a, b] = it.between.map(place);
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 6, floats: false, lies: true, seat: null };
    }
    if (it.in_hand) {
      const over = this.over ?? it.lifted_from;
      const { x, y } = over ? place(over) : TABLE[name];
      const lift = over ? tubeHeight(this.game.layout[over]) + 22 : 22;
      return { x: x + 7 * this.inHand().indexOf(name), y: y - lift, floats: true };
    }
    if (it.socket) return this.#standing(it.socket);
    return { ...TABLE[name], floats: false, seat: null };
  }

  #standing(socketName) {
    const { x, y } = place(socketName);
    return { x, y: y - tubeHeight(this.game.layout[socketName]) + 5, floats: false, seat: this.sockets.get(socketName).standing };
  }

  #glass(parts, first) {
    const { state } = this.game;
    const it = state.glasses[parts.name];
    const to = this.where(parts.name);
    parts.node.classList.toggle("in-hand", to.floats);
    parts.node.classList.toggle("lies", Boolean(to.lies));
    parts.node.classList.toggle("is-out", it.out);
    parts.node.classList.toggle("may-move", this.game.helps && !this.inHand().length && parts.name in state.targets && state.phase === "to_move");
    parts.node.classList.toggle("by-pointer", this.held.has(parts.name));
    const spot = `translate(${to.x}px, ${to.y}px)`;
    const moved = parts.spot !== spot;
    if (parts.up !== undefined && parts.up !== it.up && !still.matches) {
      parts.turning.animate([{ transform: "rotate(-180deg)" }, { transform: "rotate(0deg)" }], { duration: MOVE_MS, easing: "ease-in-out" });
    }
    parts.up = it.up;
    const seat = to.seat ?? this.flight;
    if (first || still.matches || this.held.has(parts.name)) {
      if (parts.node.parentNode !== seat) seat.append(parts.node);
      parts.node.style.transform = spot;
    } else if (moved) {
      const from = parts.spot;
      if (parts.node.parentNode !== this.flight) this.flight.append(parts.node);
      parts.node.style.transform = spot;
      parts.flying?.cancel();
      parts.flying = parts.node.animate([{ transform: from }, { transform: spot }], { duration: MOVE_MS, easing: "cubic-bezier(.3,.7,.2,1)" });
      parts.flying.onfinish = () => {
        parts.flying = null;
        const now = this.where(parts.name).seat ?? this.flight;
        if (parts.node.parentNode !== now) now.append(parts.node);
      };
    } else if (!parts.flying && parts.node.parentNode !== seat) seat.append(parts.node);
    parts.spot = spot;
  }

  moveHeld(name, point) {
    this.held.set(name, point);
    this.#glass(this.glasses.get(name), false);
  }

  #trail() {
    const { last_move: last } = this.game.state;
    this.trail.replaceChildren();
    if (!last?.[0]) return;
    const a = place(last[0]), b = place(last[1]);
    this.trail.append(draw("path", { d: `M${a.x} ${a.y}L${b.x} ${b.y}` }));
  }

  // Arrows from where a glass wrongly stands to where it is to be put back.
  #signs() {
    this.signs.replaceChildren();
    for (const { home, socket: at, code } of this.game.state.violations) {
      if (home && exists(home)) {
        const h = place(home);
        const top = h.y - tubeHeight(this.game.layout[home]);
        this.signs.append(draw("path", { class: "sign-home", d: `M${h.x - 15} ${top}h30M${h.x - 15} ${top - 40}h30M${h.x - 11} ${top}L${h.x + 11} ${top - 40}M${h.x + 11} ${top}L${h.x - 11} ${top - 40}` }));
        if (at && at !== home) {
          const a = place(at);
          const from = { x: a.x, y: a.y - tubeHeight(this.game.layout[at]) - 30 }, to = { x: h.x, y: top - 46 };
          const bend = { x: (from.x + to.x) / 2 + (to.y - from.y) * 0.18, y: (from.y + to.y) / 2 - Math.abs(to.x - from.x) * 0.18 - 24 };
          const turn = (Math.atan2(to.y - bend.y, to.x - bend.x) * 180) / Math.PI;
          this.signs.append(draw("path", { class: "sign-way", d: `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}` }),
            draw("path", { class: "sign-head", d: "M0 0L-13 -7L-13 7Z", transform: `translate(${to.x} ${to.y}) rotate(${turn})` }));
        }
      }
      const where = at ?? null;
      if (where && exists(where) && where !== home) {
        const { x, y } = place(where);
        this.signs.append(draw("g", { class: "sign-wrong", transform: `translate(${x + 27} ${y - tubeHeight(this.game.layout[where]) - (code.startsWith("ring") ? 4 : 58)})` },
          draw("circle", { r: 12 }), draw("path", { d: "M-5 -5L5 5M5 -5L-5 5" })));
      }
    }
  }

  showRingInHand(side, point) {
    this.ringInHand.replaceChildren();
    if (side) this.ringInHand.append(draw("g", { transform: `translate(${point.x} ${point.y})` }, ring(side, 0)));
  }

  // Names for screen readers.
  name() {
    const { state, layout } = this.game;
    const targets = new Set(this.inHand().flatMap((glassName) => state.targets[glassName] ?? []));
    for (const [name, parts] of this.sockets) {
      const rings = state.rings[name] ?? [];
      const words = [name];
      const standing = this.glassIn(name);
      if (standing) words.push(glassWords(this.game, standing));
      words.push(rings.length ? say("socket.rings", { rings: rings.map((owner) => (owner ? say(owner) : say("socket.unknown_ring"))).join(", ") }) : say("socket.empty"));
      words.push(rings.length >= layout[name] ? say("socket.full") : say("socket.height", { count: layout[name] }));
      if (targets.has(name)) words.push(say("socket.target"));
      if (parts.node.classList.contains("is-full")) words.push(say("socket.loses"));
      if (parts.node.classList.contains("is-home")) words.push(say("socket.home"));
      if (parts.node.classList.contains("is-wrong")) words.push(say("socket.wrong"));
      if (state.red_lamps.includes(name)) words.push(say("socket.lamp.red"));
      if (state.green_lamps.includes(name)) words.push(say("socket.lamp.green"));
      relabel(parts.node, words.join(", "));
    }
    for (const side of ["red", "black"]) {
      relabel(this.#holders[side].node, `${say(`holder.${side}`)}, ${say("rings.left", { count: state.holders[side] })}`);
    }
    relabel(this.timer, `${say("timer.turn")}`);
  }

  // The sand, and the trembling of glasses that are nearly out.
  tick(now) {
    const { state } = this.game;
    for (const parts of this.glasses.values()) {
      const it = state.glasses[parts.name];
      const above = sandAbove(it, now);
      setSand(parts, above, above > 0);
      const nearly = parts.owner && state.level > 1 && it.moved && !it.out && above > 0 && it.stops_at_ms - now < NEARLY_OUT_MS;
      parts.node.classList.toggle("nearly-out", Boolean(nearly));
    }
  }
}

function relabel(node, words) {
  if (node.getAttribute("aria-label") !== words) node.setAttribute("aria-label", words);
}

export function glassWords(game, name) {
  return say(`glass.${ownerOf(name) ?? "timer"}`, { glass: name });
}
