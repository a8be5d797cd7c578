// All games that are over: found by player, event, result and length, with their traces and records.

import { $, begin, clock, fill, json, keepLooking, say } from "./site.js";

const EVERY_MS = 30000, MOST = 500;
let games = [];

function show() {
  const form = $("search"), kept = form.result.value;
  form.result.replaceChildren(...[["", "search.any"], ["red", "red"], ["black", "black"], ["draw", "draw"]].map(([value, key]) => new Option(say(key), value, value === kept, value === kept)));
  const player = form.player.value.trim().toLowerCase(), shortest = Number(form.shortest.value) * 60000;
  const longest = form.longest.value === "" ? Infinity : Number(form.longest.value) * 60000;
  const found = games.filter((game) =>
    (!event || game.event === event) && (!player || [game.red, game.black].some((name) => name.toLowerCase().includes(player)))
    && (!form.result.value || game.result === form.result.value) && game.length_ms >= shortest && game.length_ms <= longest);
  $("found").textContent = say("search.found", { count: found.length });
  $("title").textContent = document.title = say("archive");
  fill($("games"),
    [[say("search.date")], [say("search.event")], [say("red")], [say("black")], [say("search.result")], [say("search.length"), true], [say("search.moves"), true], [""], [""], [""]],
    found.slice(0, MOST).map((game) => [
      [game.started_at.replace("T", " ")], [game.title], [game.red], [game.black],
      [game.result ? (game.result === "draw" ? say("draw") : say("won", { side: say(game.result) })) : "–"],
      [clock(game.length_ms), true], [game.moves, true],
      [say("replay"), false, `game.html?id=${game.id}`], [say("trace"), false, `data/games/${game.id}.trace.jsonl`],
      [game.record ? say("record") : "", false, game.record ? `data/games/${game.id}.record.txt` : ""],
    ]));
}

const event = await begin(show, { all: true });
$("search").addEventListener("input", show);
$("search").addEventListener("submit", (submitted) => submitted.preventDefault());
await keepLooking(async () => {
  ({ games } = await json("data/archive.json"));
  show();
}, EVERY_MS);
