// The raw edges around a ruling, drawn on a time line: what each input told, and how long it then had to stay so.

import { draw } from "./pieces.js";
import { say } from "./text.js";

const LANE = 36, TOP = 22, LEFT = 8, RIGHT = 8;
const BEFORE_MS = 1200, AFTER_MS = 250, LONGEST_MS = 12_000, DEADLINE_WITHIN_MS = 3500;
const MOST_LANES = 6;

const inputOf = ([, kind, name]) => `${kind}:${name}`;

// The inputs that a ruling speaks of.
function namedIn(ruling) {
  const named = new Set();
  for (const key of ["from", "to", "home", "socket"]) if (ruling[key]) named.add(`socket:${ruling[key]}`).add(`ring:${ruling[key]}`);
  if (ruling.glass) named.add(`tilt:${ruling.glass}`);
  if (ruling.player) named.add(`holder:${ruling.player}`).add(`button:${ruling.player}`);
  if (ruling.ruling.startsWith("tim")) named.add("tilt:N");
  return named;
}

function deadlines(film, ruling) {
  const found = new Map();
  const note = (name, t) => t !== null && t !== undefined && found.set(`${name}${t}`, { name, t });
  for (const t of [ruling.t - 1, ruling.at]) {
    const state = film.state(film.frameAt(t));
    for (const right of state.rights) note(right.kind, right.closes_at_ms);
    if (state.timer_armed_against) note("timer", state.timer_expires_at_ms);
  }
  return [...found.values()];
}

// What an input told before the first of its edges here: as the trace's header has it, or as an edge before told.
function valueBefore(film, kind, name, from) {
  const last = film.edges.findLast((edge) => edge[0] < from && edge[1] === kind && edge[2] === name);
  if (last) return last[3];
  if (kind === "socket") return film.settings.occupied.includes(name);
  if (kind === "tilt") return film.settings.up[name];
  return kind === "holder" ? 32 : kind === "ring" ? 0 : false;
}

function titled(words) {
  const node = draw("title");
  node.textContent = words;
  return node;
}

const isHigh = (value) => value === true || value === "b" || value === "N" || value === "S";

export function drawTimeline(film, ruling, wide) {
  const marks = deadlines(film, ruling).filter(({ t }) => t >= ruling.t - BEFORE_MS && t <= ruling.at + DEADLINE_WITHIN_MS);
  const to = Math.max(ruling.at, ...marks.map(({ t }) => t)) + AFTER_MS;
  const from = Math.max(0, to - LONGEST_MS, ruling.t - BEFORE_MS);
  const edges = film.edges.filter(([t]) => t >= from && t <= to);
  if (!edges.length) return null;
  const named = namedIn(ruling);
  const inputs = [...new Set(edges.map(inputOf))].sort((a, b) => Number(named.has(b)) - Number(named.has(a)));
  const lanes = inputs.slice(0, MOST_LANES);
  const height = TOP + lanes.length * LANE + 44;
  const x = (t) => Math.round((LEFT + ((t - from) / (to - from)) * (wide - LEFT - RIGHT)) * 10) / 10;
  const svg = draw("svg", { class: "timeline", viewBox: `0 0 ${wide} ${height}`, role: "img",
    "aria-label": say("edges.chart", { start: (from / 1000).toFixed(1), end: (to / 1000).toFixed(1) }) });
  const write = (kind, at, y, words, anchor = "start") => {
    const node = draw("text", { class: kind, x: at, y, "text-anchor": anchor });
    node.textContent = words;
    svg.append(node);
  };
  const bottom = TOP + lanes.length * LANE;
  lanes.forEach((input, number) => {
    const [kind, name] = input.split(":");
    const low = TOP + number * LANE + 30, high = low - 13;
    const own = edges.filter((edge) => inputOf(edge) === input);
    const settle = film.settings.settle_ms[kind];
    own.forEach(([t], at) => {
      const until = Math.min(to, t + settle, own[at + 1]?.[0] ?? Infinity);
      const whole = t + settle <= (own[at + 1]?.[0] ?? Infinity);
      svg.append(draw("rect", { class: whole ? "settle whole" : "settle", x: x(t), y: high - 2, width: Math.max(0.5, x(until) - x(t)), height: 17 },
        titled(say("edges.settling"))));
    });
    let level = isHigh(valueBefore(film, kind, name, from)) ? high : low;
    let path = `M${LEFT} ${level}`;
    for (const [t, , , value] of own) {
      const counted = typeof value === "number";
      const next = counted ? level : isHigh(value) ? high : low;
      path += counted ? `H${x(t)}V${high}V${low}` : `H${x(t)}V${next}`;
      level = next;
      if (counted) write("count", x(t) + 3, high + 9, value);
    }
    svg.append(draw("path", { class: named.has(input) ? "signal named" : "signal", d: `${path}H${wide - RIGHT}` }));
    write("lane", LEFT, high - 4, say(`input.${kind}`, { name: name in { red: 1, black: 1, arbiter: 1 } ? say(name) : name }));
  });
  const line = (kind, t, words, y) => {
    svg.append(draw("path", { class: kind, d: `M${x(t)} ${TOP - 6}V${bottom + 6}` }));
    write(`${kind} label`, x(t), y, words, x(t) > wide * 0.7 ? "end" : x(t) < wide * 0.3 ? "start" : "middle");
  };
  line("counts", ruling.t, say("edges.counts"), 11);
  if (ruling.at > ruling.t) line("known", ruling.at, say("edges.known"), bottom + 18);
  for (const { name, t } of marks) line("deadline", t, say(`edges.deadline.${name}`), bottom + 30);
  write("axis", LEFT, height - 2, `${(from / 1000).toFixed(1)} s`);
  write("axis", wide - RIGHT, height - 2, `${(to / 1000).toFixed(1)} s`, "end");
  const rest = inputs.length - lanes.length;
  return { svg, rest };
}
