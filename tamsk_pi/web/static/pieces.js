// The pieces as SVG: sockets with their tubes, rings, glasses with their sand. Built once, then changed in place.

import { RING, TILT, tubeHeight } from "./geometry.js";

const SVG = "http://www.w3.org/2000/svg";

export function draw(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const r1 = (number) => Math.round(number * 10) / 10;
const TUBE = 19, RING_OUT = 35, RING_IN = 22.5;

const ellipse = (rx, y, kind) => draw("ellipse", { cx: 0, cy: y, rx, ry: r1(rx * TILT), class: kind });

// A standing cylinder from `low` to `high` above the board: its wall, and its top.
function wall(rx, low, high, kind) {
  const ry = r1(rx * TILT);
  return draw("path", { class: kind, d: `M${-rx} ${-high}V${-low}A${rx} ${ry} 0 0 0 ${rx} ${-low}V${-high}A${rx} ${ry} 0 0 1 ${-rx} ${-high}Z` });
}

function annulus(out, inner, y) {
  const turn = (rx, sweep) => `M${-rx} ${y}A${rx} ${r1(rx * TILT)} 0 1 ${sweep} ${rx} ${y}A${rx} ${r1(rx * TILT)} 0 1 ${sweep} ${-rx} ${y}Z`;
  return turn(out, 1) + turn(inner, 0);
}

// A ring lying with its underside at height `low`. Red rings are plain, black ones notched, unknown ones hatched.
export function ring(owner, low, height = RING, scale = 1) {
  const out = RING_OUT * scale, inner = RING_IN * scale;
  const kind = owner ?? "unknown";
  const node = draw("g", { class: `ring ${kind}` });
  node.append(wall(out, low, low + height - 1, "ring-wall"));
  node.append(draw("path", { class: "ring-top", "fill-rule": "evenodd", d: annulus(out, inner, -(low + height - 1)) }));
  if (kind !== "red" && height >= RING) {
    for (const turn of [20, 55, 90, 125, 160]) {
      const x = Math.cos((turn * Math.PI) / 180) * out, y = Math.sin((turn * Math.PI) / 180) * out * TILT;
      node.append(draw("path", { class: "ring-notch", d: `M${r1(x)} ${r1(y - low - height + 2)}v${height - 3}` }));
    }
  }
  return node;
}

// A socket; its parts are kept for later changes.
export function socket(name, capacity, { x, y }) {
  const base = draw("g", { class: "base" }, ellipse(41, 3, "hollow"), ellipse(41, 0, "floor"));
  const target = draw("g", { class: "target" }, ellipse(39, 0, "target-edge"), draw("path", { class: "target-mark", d: "M-5 31l5 5 5-5" }));
  const tube = draw("g", { class: "tube" });
  const rings = draw("g", { class: "rings" });
  const mark = draw("g", { class: "mark" });
  const lamps = draw("g", { class: "lamps" },
    draw("circle", { class: "lamp-green", cx: 26, cy: 26, r: 5 }),
    draw("path", { class: "lamp-red", d: "M38 7l6.5 6.5-6.5 6.5-6.5-6.5z" }));
  const label = draw("text", { class: "socket-name", x: -31, y: 37 });
  label.textContent = name;
  const full = draw("path", { class: "full-mark", d: "M-27 -22L27 22M27 -22L-27 22" });
  const focus = ellipse(44, 0, "focus");
  const hit = draw("path", { class: "hit", d: `M-42 0A42 34 0 0 0 42 0V${-tubeHeight(capacity)}A42 34 0 0 0 -42 ${-tubeHeight(capacity)}Z` });
  const body = draw("g", { transform: `translate(${x} ${y})` }, base, focus, target, rings, tube, full, lamps, label, mark, hit);
  const standing = draw("g", { class: "standing" });
  const node = draw("g", { class: "socket", role: "button", tabindex: "-1", id: `socket-${name}`, "data-socket": name, "data-capacity": capacity }, body, standing);
  return { node, rings, tube, mark, standing, name, capacity, shown: "" };
}

// The tube from the top of the stack on, with a line where each ring would lie.
export function drawTube(parts, count) {
  const low = count ? count * RING + 1 : 0, high = tubeHeight(parts.capacity);
  parts.tube.replaceChildren(wall(TUBE, low, high, "tube-wall"));
  for (let level = count + 1; level < parts.capacity; level++) {
    const y = -(level * RING) - 1;
    parts.tube.append(draw("path", { class: "tube-line", d: `M${-TUBE} ${y}A${TUBE} ${r1(TUBE * TILT)} 0 0 0 ${TUBE} ${y}` }));
  }
  parts.tube.append(ellipse(TUBE, -high, "tube-top"), ellipse(13, -high, "tube-hole"));
}

// ---- the glass: 66 high, its origin at the middle of its foot ----

const BULB_TOP = "M-13 -46C-13 -36 -3 -31 -1.6 -26L1.6 -26C3 -31 13 -36 13 -46Z";
const BULB_LOW = "M-1.6 -26C-3 -21 -13 -16 -13 -6L13 -6C13 -16 3 -21 1.6 -26Z";

export function definitions() {
  const clip = (id, d) => draw("clipPath", { id }, draw("path", { d }));
  return draw("defs", {}, clip("bulb-top", BULB_TOP), clip("bulb-low", BULB_LOW));
}

const CAPS = {
  red: "M-9 -66H9A9.5 9.5 0 0 1 9 -46H-9A9.5 9.5 0 0 1 -9 -66Z",
  black: "M-13 -66H13L18 -56L13 -46H-13L-18 -56Z",
  timer: "M-17 -66H17V-46H-17Z",
};

export function glass(name, owner) {
  const side = owner ?? "timer";
  const sandTop = draw("rect", { class: "sand", x: -14, width: 28, y: -26, height: 0 });
  const sandLow = draw("path", { class: "sand", d: "" });
  const stream = draw("path", { class: "stream", d: "M0 -27V-7" });
  const label = draw("text", { class: "glass-name", x: 0, y: -50.2 });
  label.textContent = name;
  const turning = draw("g", { class: "turning" },
    draw("path", { class: "post", d: "M-15 -5V-47M15 -5V-47" }),
    draw("path", { class: "bulb", d: BULB_TOP }), draw("path", { class: "bulb", d: BULB_LOW }),
    draw("g", { "clip-path": "url(#bulb-top)" }, sandTop),
    draw("g", { "clip-path": "url(#bulb-low)" }, sandLow), stream,
    draw("path", { class: "shine", d: "M-8.5 -42C-8 -36 -4 -33 -3.4 -30M-8.5 -10C-8 -15 -5 -18 -3.6 -21" }),
    draw("path", { class: "foot", d: "M-17 -6H17V-3A17 5 0 0 1 -17 -3Z" }),
    draw("path", { class: "cap", d: CAPS[side] }), label);
  const shadow = draw("ellipse", { class: "glass-shadow", cx: 0, cy: 0, rx: 19, ry: 9 });
  const carried = draw("g", { class: "carried" }, turning);
  const node = draw("g", { class: `glass ${side}`, "data-glass": name, "aria-hidden": "true" }, shadow, carried);
  return { node, turning, carried, sandTop, sandLow, stream, name, owner, above: -1 };
}

// How high sand of a given part stands in a bulb that is narrow at its neck and wide at its other end.
const heightAbove = (part) => 19 * part ** 0.55;
const heightBelow = (part) => 19 * (1 - (1 - part) ** 0.6);

export function setSand(parts, above, running) {
  const rounded = Math.round(above * 1000) / 1000;
  if (parts.above !== rounded) {
    parts.above = rounded;
    const top = heightAbove(rounded), low = heightBelow(1 - rounded);
    parts.sandTop.setAttribute("y", r1(-26 - top));
    parts.sandTop.setAttribute("height", r1(top));
    const surface = -6 - low, cone = Math.min(5, low * 0.5);
    parts.sandLow.setAttribute("d", low > 0 ? `M-14 ${r1(surface + cone)}L0 ${r1(surface - cone * 0.6)}L14 ${r1(surface + cone)}V-5H-14Z` : "");
  }
  parts.stream.classList.toggle("runs", running);
}
