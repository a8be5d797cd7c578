// What all pages of the site share: texts in the reader's language, the choice of the event, and looking again.

const KEPT = "language";
let texts = {};
export let language = "en";
export const query = new URLSearchParams(location.search);
export const $ = (id) => document.getElementById(id);

export const say = (key, values = {}) => (texts[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

export async function json(path) {
  const answer = await fetch(path, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function speak(wanted) {
  const got = await json(`texts/${wanted}.json`);
  ({ texts, language } = got);
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll("[data-say]")) node.textContent = say(node.dataset.say);
  for (const node of document.querySelectorAll("[data-say-label]")) node.setAttribute("aria-label", say(node.dataset.sayLabel));
  $("language").replaceChildren(...Object.entries(got.languages).map(([key, name]) => new Option(name, key, key === language, key === language)));
}

// Sets the page up: `shown` is called now, and again whenever another language is chosen. Tells the event.
export async function begin(shown, { all = false } = {}) {
  const asked = localStorage.getItem(KEPT) ?? navigator.languages.map((l) => l.slice(0, 2)).find((l) => ["en", "de", "es"].includes(l)) ?? "en";
  await speak(asked);
  $("language").addEventListener("change", async () => {
    localStorage.setItem(KEPT, $("language").value);
    await speak($("language").value);
    fillEvents();
    shown();
  });
  const { events } = await json("data/events.json");
  let event = query.get("event") ?? (all ? "" : events[0] ?? "");
  const fillEvents = () => $("event").replaceChildren(
    ...(all ? [new Option(say("search.any"), "", event === "", event === "")] : []),
    ...events.map((name) => new Option(name, name, name === event, name === event)));
  fillEvents();
  $("event").addEventListener("change", () => { location.search = new URLSearchParams($("event").value ? { event: $("event").value } : {}); });
  $("live-link").href = event ? `index.html?event=${encodeURIComponent(event)}` : "index.html";
  return event;
}

// Looks again and again, for ever; says so where the site has not been heard for a while.
export async function keepLooking(look, everyMs) {
  let heardAt = performance.now();
  setInterval(() => { $("lost").hidden = performance.now() - heardAt < 5 * everyMs + 5000; }, 1000);
  for (;;) {
    try {
      await look();
      heardAt = performance.now();
      document.body.dataset.ready = "";
    } catch (error) {
      if (!(error instanceof TypeError) && !/\d{3}$/.test(error.message)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

export function cells(row, tag, values) {
  for (const [text, number, link] of values) {
    const cell = document.createElement(tag);
    if (number) cell.className = "number";
    if (link) {
      const anchor = document.createElement("a");
      anchor.href = link;
      anchor.textContent = text;
      cell.append(anchor);
    } else cell.textContent = text;
    row.append(cell);
  }
  return row;
}

export function fill(table, head, rows) {
  const top = document.createElement("thead"), body = document.createElement("tbody");
  top.append(cells(document.createElement("tr"), "th", head));
  for (const row of rows) body.append(cells(document.createElement("tr"), "td", row));
  table.replaceChildren(top, body);
}

export const clock = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

export function stateText(board) {
  if (board.result) return board.winner ? say("won", { side: say(board.winner) }) : say("draw");
  if (board.violations.length) return say("need.violation");
  if (board.phase === "setting_up") return say("setting_up");
  if (board.phase === "paused") return say("paused");
  return board.to_move ? say("turn", { side: say(board.to_move) }) : "";
}
