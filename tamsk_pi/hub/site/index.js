// All boards of an event live, its standings and its rounds.

import { draw, tick } from "./mini.js";
import { $, begin, fill, json, keepLooking, say, stateText } from "./site.js";

const EVERY_MS = 2000;
let live = null, told = null, cameAt = 0, shownAs = "";

function card(board) {
  const found = $("boards").querySelector(`[data-board="${board.board}"]`);
  if (found) return found;
  const item = $("board").content.firstElementChild.cloneNode(true);
  item.dataset.board = board.board;
  $("boards").append(item);
  return item;
}

function show() {
  if (!live || !told) return;
  $("title").textContent = live.title;
  document.title = live.title;
  $("delay").textContent = live.delay_s ? say("delay", { seconds: live.delay_s }) : "";
  for (const board of live.boards) {
    const item = card(board), part = (name) => item.querySelector(name);
    item.classList.toggle("unheard", !board.heard);
    item.classList.toggle("urgent", board.violations.length > 0);
    part("h2").textContent = say("board", { number: board.board });
    part(".open").textContent = say("open");
    part(".open").href = `game.html?id=${board.id}`;
    part(".red").textContent = board.names.red || say("red");
    part(".black").textContent = board.names.black || say("black");
    part(".state").textContent = stateText(board);
    part("svg").setAttribute("aria-label", `${say("board", { number: board.board })}. ${stateText(board)}`);
    draw(part("svg"), board, board.now_ms);
  }
  const breaks = Object.keys(told.standings[0]?.tie_breaks ?? {});
  fill($("standings"),
    [[say("event.place"), true], [say("event.name")], [say("event.points"), true], [say("event.played"), true], ...breaks.map((key) => [say(`event.${key}`), true])],
    told.standings.map((s) => [[s.place, true], [s.name], [s.points, true], [s.played, true], ...breaks.map((key) => [s.tie_breaks[key], true])]));
  $("rounds").replaceChildren(...told.rounds.toReversed().map((round) => {
    const box = document.createElement("details"), head = document.createElement("summary"), table = document.createElement("table");
    box.open = round.round === told.rounds.length;
    head.textContent = say("event.round", { round: round.round });
    fill(table, [[say("event.board"), true], [say("event.red")], [say("event.black")], [say("event.result")]],
      round.pairings.map((p) => [[p.black === null ? "" : p.board, true], [p.red], [p.black ?? say("event.bye")], [p.result ?? "", false, p.game ? `game.html?id=${p.game}` : ""]]));
    box.append(head, table);
    return box;
  }));
}

const event = await begin(show);
setInterval(() => {
  for (const board of live?.boards ?? [])
    if (board.runs) tick(card(board).querySelector("svg"), board.now_ms + performance.now() - cameAt);
}, 1000);
await keepLooking(async () => {
  const folder = `data/${encodeURIComponent(event)}`;
  const [now, results] = [await json(`${folder}/live.json`), await json(`${folder}/event.json`)];
  const same = JSON.stringify([now, results]);
  if (same === shownAs) return;
  [live, told, shownAs, cameAt] = [now, results, same, performance.now()];
  show();
}, EVERY_MS);
