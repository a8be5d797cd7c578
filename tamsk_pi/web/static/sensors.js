// The raw inputs, for whoever solders: asked for again and again while the page is looked at.

import { chooseLanguage } from "./choices.js";
import { byId, element, setText } from "./dom.js";
import { language, loadTexts, say } from "./text.js";

const EVERY_MS = 400, SILENT_MS = 1000, FRESH_MS = 1500;

const seconds = (ms) => (ms / 1000).toFixed(1);

/** What an input tells, in words. @param {string} kind @param {any} value */
export function valueWords(kind, value) {
  if (kind === "socket" && value === null) return say("sensors.none");
  if (typeof value !== "boolean") return String(value ?? "–");
  return say(value ? "sensors.closed" : "sensors.open");
}

const isOn = (value) => value !== null && value !== false && value !== 0 && value !== "a";

const nameWords = ({ kind, name }) => say(`input.${kind}`, { name: kind === "button" || kind === "holder" ? say(name) : name });

const nodes = new Map();

function node(one) {
  const key = `${one.kind}:${one.name}`;
  if (!nodes.has(key)) {
    const made = element(one.kind === "socket" ? "div" : "li", { className: "input", data: { input: key } }, element("b"), element("span"));
    nodes.set(key, made);
    if (one.kind === "socket") byId("sockets").querySelector(`[data-column="${one.name[0]}"]`).append(made);
    else byId("inputs").append(made);
  }
  return nodes.get(key);
}

function show({ heard_ago_ms: heard, inputs, edges }) {
  const link = byId("link"), silent = heard > SILENT_MS;
  setText(link, silent ? say("sensors.silent", { seconds: Math.floor(heard / 1000) }) : say("sensors.heard"));
  link.classList.toggle("silent", silent);
  for (const one of inputs) {
    const made = node(one);
    setText(made.firstChild, one.kind === "socket" ? one.name : nameWords(one));
    setText(made.lastChild, valueWords(one.kind, one.value));
    made.classList.toggle("on", isOn(one.value));
    made.classList.toggle("fresh", one.ago_ms !== null && one.ago_ms < FRESH_MS);
    made.title = `${one.edges}`;
  }
  byId("edges").replaceChildren(...edges.map((one) => element("li", {}, element("time", {}, say("sensors.ago", { seconds: seconds(one.ago_ms) })), element("span", {}, nameWords(one)), element("b", {}, valueWords(one.kind, one.value)))));
  document.body.dataset.shown = String(edges.length);
}

async function look() {
  if (!document.hidden) {
    try {
      const answer = await fetch(`/sensors/now?language=${language}`, { headers: { authorization: `Bearer ${localStorage.getItem("token") ?? ""}` } });
      if (answer.ok) show(await answer.json());
      else tell((await answer.text()).trim());
    } catch {
      tell(say("sensors.unreachable"));
    }
  }
  setTimeout(look, EVERY_MS);
}

function tell(text) {
  setText(byId("link"), text);
  byId("link").classList.add("silent");
}

if (document.body.classList.contains("sensors")) {
  document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
  await loadTexts();
  chooseLanguage(byId("language"));
  byId("sockets").append(...[..."ABCDEFG"].map((column) => element("div", { data: { column } })));
  look();
}
