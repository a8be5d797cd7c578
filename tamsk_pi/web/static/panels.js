// What stands beside the board: whose turn, what is wrong, both sides' cards, the bar of what can be done, the record.

import { otherSide, ownerOf, sandAbove } from "./game.js";
import { glassWords, ringDue } from "./board.js";
import { clockText, language, say } from "./text.js";

const SHOWN_RULINGS = 300;
const SOON_MS = 10_000;

export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "data") Object.assign(node.dataset, value);
    else if (key.startsWith("aria-") || key === "role") node.setAttribute(key, value);
    else node[key] = value;
  }
  node.append(...children);
  return node;
}

const byId = (id) => document.getElementById(id);

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const sideName = (state, side) => {
  const name = state.names[side];
  return name ? say("turn.named", { side: say(side), name }) : say(side);
};

// ---- the banner ----

function turnWords(state) {
  if (state.phase === "over") {
    const how = state.result ? ` ${say(`over.${state.result}`)}` : "";
    return (state.winner ? say("over.won", { side: sideName(state, state.winner) }) : say("over.draw")) + how;
  }
  const side = state.to_move ? sideName(state, state.to_move) : "";
  return say(`turn.${state.phase}`, { side });
}

const MENDS = { not_flipped: "hint.flip", flipped_in_place: "hint.turn_back" };

// How a board that is heard again differs from the game.
function differences({ opened = [], closed = [], turned = [], rings = {}, holders = {} }) {
  return [
    ...opened.map((socket) => say("differs.opened", { socket })),
    ...closed.map((socket) => say("differs.closed", { socket })),
    ...turned.map((glass) => say("differs.turned", { glass })),
    ...Object.entries(rings).map(([socket, by]) => say(by > 0 ? "differs.more" : "differs.fewer", { socket, count: Math.abs(by) })),
    ...Object.entries(holders).map(([side, by]) => say(by > 0 ? "differs.holder_more" : "differs.holder_fewer", { side: say(side), count: Math.abs(by) })),
  ];
}

function hints(game) {
  const { state } = game;
  const lines = state.problem ? [{ text: say("hint.problem", { problem: state.problem }), kind: "fault" }] : [];
  const differing = differences(state.differences).map((text) => ({ text, kind: "fault differs" }));
  if (differing.length) differing.at(-1).accept = game.you.paired && game.you.arbiter.includes("accept");
  lines.push(...differing);
  for (const { code, glass, home, socket } of state.violations) {
    const ruling = game.rulings.findLast((one) => one.ruling === "violation" && one.code === code);
    const text = ruling?.text ?? "";
    const mend = code === "ring_not_due" ? say(socket ? "hint.take_ring" : "hint.take_some_ring", { socket })
      : code === "ring_removed" ? say(socket ? "hint.ring_back" : "hint.ring_off_holder", { socket })
      : home && glass ? say(MENDS[code] ?? "hint.put_back", { glass: glassWords(game, glass), socket: home }) : "";
    // Words that name the place tell the way back already.
    const told = code.startsWith("ring") ? socket : home;
    lines.push({ text, mend: told && text.includes(told) && !MENDS[code] ? "" : mend, kind: "wrong" });
  }
  for (const [glass, cap] of Object.entries(state.caps ?? {})) {
    if (cap.state === "fine" && state.phase !== "setting_up") continue;
    const told = { glass, volts: cap.volts, ago: cap.heard_ago_s, unanswered: cap.unanswered, tries: cap.tries };
    lines.push({ text: say(`hint.cap.${cap.state}`, told), kind: cap.state === "fine" ? "note" : "fault" });
  }
  for (const problem of state.phase === "setting_up" ? state.setup_problems : []) {
    lines.push({ text: say(`setup.${problem.what}`, { socket: problem.socket }), kind: "setup" });
  }
  if (state.level === 3 && !state.last_move && state.glasses.N.stops_at_ms === null && ["setting_up", "to_move", "carrying"].includes(state.phase)) {
    lines.push({ text: say("setup.timer_side", { side: sideName(state, "black") }), kind: "note" });
  }
  if (game.helps) {
    for (const right of state.rights) {
      lines.push({ text: say(`hint.right.${right.kind}`, { side: say(right.player), socket: right.socket }), kind: "right", closes: right.closes_at_ms });
    }
    for (const side of state.penalty_owed) lines.push({ text: say("hint.owed", { side: say(side) }), kind: "note" });
    for (const side of state.skip_owed) lines.push({ text: say("hint.skip", { side: say(side) }), kind: "note" });
  }
  if (state.faults.length) lines.push({ text: say("hint.faults", { inputs: state.faults.join(", ") }), kind: "fault" });
  return lines;
}

export function showBanner(game) {
  const { state } = game;
  const banner = byId("banner");
  banner.dataset.side = state.phase === "over" ? (state.winner ?? "") : (state.to_move ?? "");
  banner.dataset.phase = state.phase;
  setText(byId("turn"), turnWords(state));
  setText(byId("game-kind"), `${say("level", { level: state.level })} · ${say(`rules.${state.rules}`)}`);
  const lines = hints(game);
  const list = byId("hints");
  const key = JSON.stringify(lines);
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...lines.map(({ text, mend, kind, closes, accept }) =>
      element("li", { className: kind }, text, ...(mend ? [element("strong", {}, mend)] : []), ...(accept ? [element("button", { type: "button", textContent: say("arbiter.accept"), data: { verb: "accept" } })] : []), ...(closes ? [element("span", { className: "closes", data: { closes } })] : []))));
  }
  for (const lamp of ["turn_red", "ready", "alarm", "turn_black"]) {
    const node = byId(`lamp-${lamp}`);
    const on = Boolean(state.lamps[lamp]);
    node.classList.toggle("on", on);
    const words = say("lamp.state", { lamp: say(`lamp.${lamp}`), state: say(on ? "on" : "off") });
    if (node.getAttribute("aria-label") !== words) {
      node.setAttribute("aria-label", words);
      node.title = words;
    }
  }
}

// ---- the sides ----

function buildCard(side) {
  const rows = ["1", "2", "3"].map((number) => {
    const name = (side === "red" ? "R" : "B") + number;
    const sand = element("span", { className: "bar" }, element("span", { className: "bar-sand" }));
    return element("li", { data: { row: name } }, element("b", { className: `chip ${side}` }, name),
      element("span", { className: "at" }), sand, element("span", { className: "left" }));
  });
  byId(`glasses-${side}`).replaceChildren(...rows);
}

function showCard(game, side) {
  const { state } = game;
  const list = byId(`glasses-${side}`);
  if (!list.firstChild) buildCard(side);
  byId(`card-${side}`).classList.toggle("to-move", state.to_move === side && state.phase !== "over");
  setText(byId(`name-${side}`), state.names[side] || say(side));
  setText(byId(`rings-${side}`), say("rings.left", { count: state.holders[side] }));
  for (const row of list.children) {
    const it = state.glasses[row.dataset.row];
    const at = it.socket ?? (it.in_hand ? say("glass.in_hand") : it.between ? say("glass.between", { one: it.between[0], other: it.between[1] }) : say("glass.table"));
    setText(row.querySelector(".at"), at);
    row.classList.toggle("out", it.out);
  }
}

export function showCards(game) {
  showCard(game, "red");
  showCard(game, "black");
}

// What runs: sand, timer, rights that close.
export function tickPanels(game, now) {
  const { state } = game;
  for (const row of document.querySelectorAll("[data-row]")) {
    const it = state.glasses[row.dataset.row];
    const above = sandAbove(it, now);
    const words = it.out ? say("glass.out") : above > 0 ? clockText(above * it.full_ms) : it.moved ? say("glass.stopped") : say("glass.fresh");
    setText(row.querySelector(".left"), words);
    row.querySelector(".bar-sand").style.transform = `scaleX(${Math.round(above * 200) / 200})`;
    row.classList.toggle("soon", state.level > 1 && it.moved && !it.out && above > 0 && it.stops_at_ms - now < SOON_MS);
  }
  const timer = state.glasses.N;
  const above = sandAbove(timer, now);
  setText(byId("timer-left"), above > 0 ? clockText(above * timer.full_ms) : say("timer.empty"));
  const armed = byId("timer-armed");
  const against = state.timer_armed_against;
  setText(armed, against && state.timer_expires_at_ms > now
    ? say("hint.timer", { side: say(against), seconds: Math.ceil((state.timer_expires_at_ms - now) / 1000) }) : "");
  for (const node of document.querySelectorAll(".closes")) setText(node, ` ${clockText(Number(node.dataset.closes) - now)}`);
}

// ---- the bar: what can be done here and now ----

export function showBar(game, hands) {
  const bar = byId("bar");
  const { state } = game;
  bar.hidden = game.you.hands === "none";
  if (bar.hidden) return;
  const at = hands.focused, glass = hands.inHand(), standing = hands.board.glassIn(at);
  const buttons = [];
  const add = (key, text, does, more = {}) => buttons.push({ key, text, does, ...more });
  if (glass) {
    const target = hands.board.over ?? at;
    add("place", hands.between ? say("act.between.pick", { socket: hands.between }) : `${say("act.place", { glass })} → ${target}`,
      () => hands.activate(target), { off: Boolean(hands.between), main: true });
    add("turn", say("act.turned"), () => hands.toggleTurn(), { pressed: hands.willTurn(glass, target, false), hint: say("act.turned.hint") });
    add("back", say("act.back", { glass }), () => hands.putBack(glass));
    add("between", say("act.between", { glass }), () => {
      hands.between = target;
      hands.changed();
    });
  } else {
    add("lift", say("act.lift", { glass: standing ?? "" }), () => hands.lift(standing), { off: !standing, main: true });
    add("turn-here", say("act.turn_here", { glass: standing ?? "" }), () => hands.act({ do: "turn_in_place", glass: standing }), { off: !standing });
  }
  const due = ringDue(state, at);
  for (const side of [due, otherSide(due)]) add(`ring-${side}`, say(`act.ring.${side}`), () => hands.dropRing(side, at), { side });
  add("take", say("act.take"), () => hands.takeRing(at), { off: !(state.rings[at]?.length) });
  const key = JSON.stringify([language, at, hands.able, buttons.map(({ does, ...rest }) => rest)]);
  if (bar.dataset.key === key) return;
  bar.dataset.key = key;
  const focusKey = document.activeElement?.closest?.("#bar button")?.dataset.act;
  byId("bar-at").textContent = at;
  byId("bar-acts").replaceChildren(...buttons.map((one) => {
    const node = element("button", { type: "button", textContent: one.text, disabled: Boolean(one.off) || !hands.able,
      className: [one.main ? "main" : "", one.side ? `ring-act ${one.side}` : ""].join(" ").trim(), title: one.hint ?? "", data: { act: one.key } });
    if (one.pressed !== undefined) node.setAttribute("aria-pressed", one.pressed);
    node.addEventListener("click", one.does);
    return node;
  }));
  if (focusKey) byId("bar-acts").querySelector(`[data-act="${focusKey}"]`)?.focus();
}

// ---- the record ----

export function showRecord(game) {
  const list = byId("rulings");
  const first = Math.max(0, game.rulings.length - SHOWN_RULINGS);
  const wanted = game.rulings.slice(first);
  const key = `${game.state.game}:${first}:${game.language}`;
  if (list.dataset.key !== key || list.children.length > wanted.length) {
    list.dataset.key = key;
    list.replaceChildren();
  }
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  for (const ruling of wanted.slice(list.children.length)) list.append(rulingRow(ruling));
  byId("record-none").hidden = wanted.length > 0;
  if (atEnd) list.scrollTop = list.scrollHeight;
}

const SIGNS = {
  move: "→", ring: "○", violation: "!", resolved: "✓", timer_started: "◷", timeout: "◷", forfeit: "–", pass: "–", skip: "–",
  glass_stopped: "▽", game_over: "■", notice: "i", fault: "×", fault_cleared: "✓", paused: "‖", resumed: "▸", ready: "·", started: "▸",
};

export function rulingRow(ruling) {
  const side = ruling.player ?? (ruling.glass ? ownerOf(ruling.glass) : ruling.winner) ?? "";
  return element("li", { className: ruling.ruling, data: { side } },
    element("time", { textContent: clockText(Math.floor(ruling.t / 1000) * 1000) }),
    element("span", { className: "sign", textContent: SIGNS[ruling.ruling] ?? "·", "aria-hidden": "true" }),
    element("span", { className: "words", textContent: ruling.text }));
}
