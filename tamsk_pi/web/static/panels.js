// What stands beside the board: whose turn, what is wrong, both sides' cards, the bar of what can be done, the record.
// Lines come finished from the server; only numbers that run are filled in here.

import { byId, element, setText } from "./dom.js";
import { otherSide, ownerOf, ringDue, sandAbove } from "./game.js";
import { clockText, language, say } from "./text.js";

const SHOWN_RULINGS = 300;
const SOON_MS = 10_000;

// ---- the banner ----

const button = (verb, words) => element("button", { type: "button", textContent: say(words), data: { verb } });

function hint({ text, mend, kind, closes, verb }, offers) {
  const parts = [text];
  if (mend) parts.push(" ", element("strong", {}, mend));
  if (verb && offers) parts.push(button(verb, `arbiter.${verb}`));
  if (closes) parts.push(element("span", { className: "closes" }));
  return element("li", { className: kind, data: closes ? { closes } : {} }, ...parts);
}

// What is told scrolls by itself; a sign says that there is more of it below.
export function showMore() {
  const notes = byId("notes");
  notes.classList.toggle("more", notes.scrollHeight - notes.scrollTop - notes.clientHeight > 8);
}

export function showBanner(game) {
  const { state, said, you } = game;
  const banner = byId("banner");
  banner.dataset.side = state.phase === "over" ? (state.winner ?? "") : (state.to_move ?? "");
  banner.dataset.phase = state.phase;
  document.body.dataset.level = state.level;
  document.body.dataset.phase = state.phase;
  setText(byId("turn"), said.turn);
  setText(byId("game-kind"), said.kind);
  const list = byId("hints");
  const offers = you.paired && you.arbiter.includes("accept");
  const key = JSON.stringify([said.hints, offers, language]);
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...said.hints.map((line) => hint(line, offers)));
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

function whereWords({ socket, in_hand, between }) {
  if (socket) return socket;
  if (in_hand) return say("glass.in_hand");
  return between ? say("glass.between", { one: between[0], other: between[1] }) : say("glass.table");
}

function showCard(game, side) {
  const { state, said } = game;
  const list = byId(`glasses-${side}`);
  if (!list.firstChild) buildCard(side);
  byId(`card-${side}`).classList.toggle("to-move", state.to_move === side && state.phase !== "over");
  setText(byId(`name-${side}`), said.sides[side]);
  setText(byId(`rings-${side}`), said.rings[side]);
  for (const row of list.children) {
    const it = state.glasses[row.dataset.row];
    setText(row.querySelector(".at"), whereWords(it));
    row.classList.toggle("out", it.out);
  }
}

export function showCards(game) {
  showCard(game, "red");
  showCard(game, "black");
}

// What runs: sand, timer, lines that hold for a while.
export function tickPanels(game, now) {
  const { state, said } = game;
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-row]"))) {
    const it = state.glasses[row.dataset.row];
    const above = sandAbove(it, now);
    setText(row.querySelector(".left"), !it.out && above > 0 ? clockText(above * it.full_ms) : said.glasses[row.dataset.row].empty);
    /** @type {HTMLElement} */ (row.querySelector(".bar-sand")).style.transform = `scaleX(${Math.round(above * 200) / 200})`;
    row.classList.toggle("soon", state.level > 1 && it.moved && !it.out && above > 0 && it.stops_at_ms - now < SOON_MS);
  }
  const timer = state.glasses.N;
  const above = sandAbove(timer, now);
  setText(byId("timer-left"), above > 0 ? clockText(above * timer.full_ms) : said.glasses.N.empty);
  const left = Math.ceil((state.timer_expires_at_ms - now) / 1000);
  setText(byId("timer-armed"), said.timer && left > 0 ? said.timer.replace("{seconds}", left) : "");
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#hints [data-closes]"))) {
    const closes = Number(line.dataset.closes) - now;
    line.hidden = closes <= 0 && line.classList.contains("note");
    setText(line.querySelector(".closes"), ` ${clockText(closes)}`);
  }
}

// ---- the bar: what can be done here and now ----

function barButtons(game, hands) {
  const { state } = game;
  const at = hands.focused, glass = hands.inHand(), standing = hands.board.glassIn(at), turns = state.level > 1;
  const buttons = [];
  const add = (key, text, does, more = {}) => buttons.push({ key, text, does, ...more });
  if (glass) {
    const target = hands.board.over ?? at;
    add("place", hands.between ? say("act.between.pick", { socket: hands.between }) : `${say("act.place", { glass })} → ${target}`,
      () => hands.activate(target), { off: Boolean(hands.between), main: true });
    if (turns) add("turn", say("act.turned"), () => hands.toggleTurn(), { pressed: hands.willTurn(glass, target, false), hint: say("act.turned.hint") });
    add("back", say("act.back", { glass }), () => hands.putBack(glass));
    add("between", say("act.between", { glass }), () => hands.dropBetween(target));
  } else {
    add("lift", say("act.lift", { glass: standing ?? "" }), () => hands.lift(standing), { off: !standing, main: true });
    if (turns) add("turn-here", say("act.turn_here", { glass: standing ?? "" }), () => hands.turnHere(standing), { off: !standing });
  }
  const due = ringDue(state, at);
  for (const side of [due, otherSide(due)]) add(`ring-${side}`, say(`act.ring.${side}`), () => hands.dropRing(side, at), { side });
  add("take", say("act.take"), () => hands.takeRing(at), { off: !(state.rings[at]?.length) });
  return buttons;
}

export function showBar(game, hands) {
  const bar = byId("bar");
  bar.hidden = game.you.hands === "none";
  if (bar.hidden) return;
  const at = hands.focused, buttons = barButtons(game, hands);
  const key = JSON.stringify([language, at, hands.able, buttons.map(({ does, ...rest }) => rest)]);
  if (bar.dataset.key === key) return;
  bar.dataset.key = key;
  const focusKey = /** @type {HTMLElement | null} */ (document.activeElement?.closest("#bar button"))?.dataset.act;
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
  const key = `${game.state.game}:${first}:${game.language}:${game.said.sides.red}:${game.said.sides.black}`;
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
