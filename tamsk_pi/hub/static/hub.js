// The arbiter's page: all boards, the ones that need him first, each a small living picture.

import { draw, tick } from "./mini.js";
import { language, languages, loadTexts, sayAll, say, speak, spoken } from "./text.js";

const $ = (id) => document.getElementById(id);
const WORDS = [["pause"], ["resume"], ["recheck"], ["annul", null, true], ["accept", null, true],
  ["end_red", { verb: "end", winner: "red" }, true], ["end_black", { verb: "end", winner: "black" }, true], ["end_draw", { verb: "end", winner: null }, true]];
const QUIET_MS = 5000, AGAIN_MS = 1500, ROUND_MS = 5000;

const event = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const shown = new Map(); // a board's number to its state, and the time at which that came
let heardAt = performance.now();
let arbiter = null;
let round = null; // the newest round, as the hub told it last

const token = () => localStorage.getItem("arbiter") ?? "";
const headers = () => token() ? { authorization: `Bearer ${token()}` } : {};
const post = (path, body) => fetch(path, { method: "POST", headers: { ...headers(), "content-type": "application/json" }, body: JSON.stringify({ event, ...body }) });

async function tell(path, number, body) {
  const answer = await post(path, { board: number, language, ...body });
  const text = (await answer.text()).trim();
  $("said").textContent = answer.ok ? say("word.done", { number }) : say("word.refused", { number, reason: text });
}

function wordButtons(number) {
  const box = document.createDocumentFragment();
  for (const [key, body, sure] of WORDS) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.word = key;
    button.textContent = say(`word.${key}`);
    button.addEventListener("click", () => {
      if (!sure || confirm(`${say(`word.${key}`)}\n${say("word.sure", { number })}`)) tell("/word", number, body ?? { verb: key });
    });
    box.append(button);
  }
  return box;
}

function stateText(board) {
  if (!board.glasses) return say("no_game");
  if (board.result) return board.winner ? say("won", { side: say(board.winner) }) : say("draw");
  if (board.phase === "setting_up") return say("setting_up");
  if (board.phase === "paused") return say("paused");
  return board.to_move ? say("turn", { side: say(board.to_move) }) : "";
}

function card(number) {
  const found = $("boards").querySelector(`[data-board="${number}"]`);
  if (found) return found;
  const item = $("board").content.firstElementChild.cloneNode(true);
  item.dataset.board = number;
  item.querySelector(".words").append(wordButtons(number));
  sayAll(item);
  $("boards").append(item);
  return item;
}

function show(board) {
  const item = card(board.board), part = (name) => item.querySelector(name);
  item.classList.toggle("urgent", board.need !== "");
  item.classList.toggle("unheard", !board.heard && !board.result);
  item.dataset.need = board.need;
  part("h2").textContent = say("board", { number: board.board });
  part(".need").textContent = board.need ? say(`need.${board.need}`) : "";
  part(".red").textContent = board.names?.red || say("red");
  part(".black").textContent = board.names?.black || say("black");
  part(".state").textContent = stateText(board);
  part(".open").hidden = !board.glasses;
  part(".open").href = `/board/${encodeURIComponent(event)}/${board.board}?language=${language}`;
  part(".words").hidden = !(arbiter && board.glasses);
  const svg = part("svg");
  svg.setAttribute("aria-label", [say("board", { number: board.board }), part(".state").textContent, part(".need").textContent].filter(Boolean).join(". "));
  svg.toggleAttribute("hidden", !board.glasses);
  if (board.glasses) draw(svg, board, board.now_ms);
  part(".alarms").replaceChildren(...board.alarms.map((alarm) => {
    const line = document.createElement("li"), text = document.createElement("span");
    text.textContent = `${say(`alarm.${alarm.kind}`)}: ${alarm.detail}`;
    line.append(text);
    if (arbiter) {
      const seen = document.createElement("button");
      seen.type = "button";
      seen.textContent = say("seen");
      seen.addEventListener("click", () => tell("/seen", board.board, { alarm: alarm.id }));
      line.append(seen);
    }
    return line;
  }));
}

// The select that has the focus stays as it is: somebody is choosing.
function showRound() {
  $("round").hidden = !round || (!round.round && !arbiter);
  if (!round) return;
  $("round-title").textContent = say("event.round", { round: round.round || 1 });
  $("next-round").hidden = !arbiter || round.newest >= round.rounds || round.pairings.some((pairing) => pairing.result === null);
  if ($("pairings").contains(document.activeElement)) return;
  $("pairings").replaceChildren(...round.pairings.map((pairing) => {
    const row = document.createElement("tr");
    const cells = [pairing.board, pairing.red, pairing.black ?? say("event.bye")].map((text, i) => {
      const cell = document.createElement("td");
      cell.textContent = text;
      cell.classList.toggle("number", i === 0);
      return cell;
    });
    const result = document.createElement("td");
    if (arbiter) result.append(resultSelect(pairing));
    else result.textContent = pairing.result ? round.signs[pairing.result] : "";
    if (pairing.by) result.title = say("round.by", { name: pairing.by });
    row.append(...cells, result);
    return row;
  }));
}

function resultSelect(pairing) {
  const select = document.createElement("select");
  select.dataset.pairing = pairing.board;
  select.setAttribute("aria-label", say("round.result", { number: pairing.board }));
  const may = pairing.black === null ? round.byes : round.results;
  select.append(new Option(say("round.game"), "", false, pairing.result === null), ...may.map((result) => new Option(round.signs[result], result, false, result === pairing.result)));
  select.addEventListener("change", async () => {
    const of = round.round;
    select.blur();
    await tell("/result", pairing.board, { round: of, result: select.value || null });
    askRound();
  });
  return select;
}

async function askRound() {
  try {
    const answer = await fetch(`/round/${encodeURIComponent(event)}`, { headers: headers() });
    round = answer.ok ? await answer.json() : null;
  } catch {
    return; // The hub is away; the page says so elsewhere.
  }
  showRound();
}

async function pairNext() {
  const next = round.newest + 1;
  if (!confirm(say("round.sure", { round: next }))) return;
  const answer = await post("/next-round", { language });
  $("said").textContent = answer.ok ? say("round.done", { round: next }) : (await answer.text()).trim();
  askRound();
}

// Moves cards only where their order changed, so that a focused button is not torn out from under a hand.
function order(numbers) {
  const list = $("boards");
  numbers.forEach((number, i) => {
    const item = card(number);
    if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
  });
}

function take(message) {
  heardAt = performance.now();
  if (message.arbiter !== undefined && message.arbiter !== arbiter) {
    arbiter = message.arbiter;
    for (const { board } of shown.values()) show(board);
    sayPairing();
    showRound();
  }
  if (message.title) $("event").textContent = message.title;
  $("problem").hidden = !message.problem;
  $("problem").textContent = message.problem ?? "";
  for (const board of message.boards) {
    shown.set(board.board, { board, at: heardAt });
    show(board);
  }
  if (message.order) order(message.order);
  document.body.dataset.ready = "";
}

async function follow() {
  for (;;) {
    try {
      const answer = await fetch(`/feed?event=${encodeURIComponent(event)}`, { headers: headers() });
      if (!answer.ok) {
        $("problem").hidden = false;
        $("problem").textContent = (await answer.text()).trim();
      } else {
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          const lines = (rest + value).split("\n");
          rest = lines.pop();
          for (const line of lines) if (line) take(JSON.parse(line));
        }
      }
    } catch {
      // The hub is away; the page says so, and asks again.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

function sayPairing() {
  $("pair").textContent = arbiter ? say("pair.as", { name: arbiter }) : say("pair.title");
}

function sayEverything() {
  sayAll(document);
  sayPairing();
  $("rounds").href = `/print/${encodeURIComponent(event)}/pairings?language=${language}`;
  $("standings").href = `/print/${encodeURIComponent(event)}/standings?language=${language}`;
  $("language").replaceChildren(...Object.entries(languages).map(([key, name]) => new Option(name, key, key === language, key === language)));
  for (const item of $("boards").children) {
    sayAll(item);
    for (const button of item.querySelectorAll("[data-word]")) button.textContent = say(`word.${button.dataset.word}`);
  }
  for (const { board } of shown.values()) show(board);
  showRound();
}

$("language").addEventListener("change", () => speak($("language").value));
spoken.addEventListener("change", sayEverything);
$("next-round").addEventListener("click", pairNext);
$("pair").addEventListener("click", () => $("pairing").showModal());
$("pairing").querySelector("form").addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  const form = submitted.target;
  const answer = await post("/pair", { name: form.name.value, code: form.code.value, language });
  const text = (await answer.text()).trim();
  if (!answer.ok) {
    form.querySelector(".refused").textContent = text;
    return;
  }
  localStorage.setItem("arbiter", text);
  location.reload();
});

setInterval(() => {
  const now = performance.now();
  $("lost").hidden = now - heardAt < QUIET_MS;
  for (const { board, at } of shown.values())
    if (board.runs) tick(card(board.board).querySelector("svg"), board.now_ms + now - at);
}, 1000);

await loadTexts();
sayEverything();
askRound();
setInterval(askRound, ROUND_MS);
follow();
