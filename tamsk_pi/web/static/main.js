// Puts the page together: the connection feeds the game, the game is drawn, the hands ask for what is to be done.

import { showAsks } from "./asks.js";
import { Board } from "./board.js";
import { setUpButtons, showButtons } from "./buttons.js";
import { Connection } from "./connection.js";
import { hearPaired, setUpDialogs, showFaults, showOffers } from "./dialogs.js";
import { byId, toast } from "./dom.js";
import { setUpExplanation, showExplanation } from "./explain.js";
import { Game } from "./game.js";
import { Hands } from "./hands.js";
import { showNext } from "./next_game.js";
import { showBanner, showBar, showCards, showMore, showRecord, tickPanels } from "./panels.js";
import { setUpPlayers, showPlayers, takeSeatOffered } from "./players.js";
import { Sound } from "./sound.js";
import { setUpLearning, showLearning } from "./learn.js";
import { setUpOpponent, showOpponent } from "./opponent.js";
import { language, loadTexts, say, spoken } from "./text.js";

const FRAME_MS = 80; // sand is slow
const SPOKEN = new Set(["move", "violation", "resolved", "timeout", "forfeit", "pass", "skip", "glass_stopped", "game_over", "fault", "paused", "resumed", "ring"]);

async function start() {
  document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
  await loadTexts();
  const game = new Game();
  const connection = new Connection();
  const sound = new Sound();
  const board = new Board(byId("board"), game);
  const hands = new Hands(board, game, connection);
  setUpDialogs(game, hands, connection, sound);
  setUpPlayers(game, hands, connection);
  setUpButtons(hands);
  setUpExplanation();
  setUpLearning(game, hands);
  setUpOpponent(hands);
  byId("turn-timer").addEventListener("click", () => hands.turnTimer());
  byId("notes").addEventListener("scroll", showMore);
  addEventListener("resize", showMore);

  const show = () => {
    showOffers(game);
    showPlayers(game);
    showButtons(hands);
    if (!game.ready) return;
    board.svg.dataset.ring = hands.ring ?? "";
    board.render();
    showBanner(game);
    byId("report-link").href = `/report?language=${language}`;
    showAsks(game, hands, connection);
    showNext(game, connection);
    showLearning(game, hands);
    showOpponent(game, hands);
    showMore();
    showCards(game);
    showBar(game, hands);
    showRecord(game);
    showExplanation(game);
    showFaults(game, hands);
    tickPanels(game, game.now());
    document.body.dataset.version = String(game.version);
  };

  connection.addEventListener("message", (/** @type {CustomEvent} */ { detail }) => {
    if (detail.type === "tones") sound.play(detail.tones);
    else if (detail.type === "paired") hearPaired(detail);
    else if (detail.type === "refused") toast(detail.reason);
    else game.hear(detail);
    if (detail.type === "you") takeSeatOffered(game, connection);
  });
  connection.addEventListener("stale", (/** @type {CustomEvent} */ { detail: stale }) => {
    if (stale) game.forgetClock();
    showStale(connection, game);
  });
  game.addEventListener("change", (/** @type {CustomEvent} */ { detail: { fresh } }) => {
    show();
    const texts = fresh.filter((one) => SPOKEN.has(one.ruling)).map((one) => one.text);
    if (texts.length) {
      byId("live").textContent = texts.join(" ");
      texts.forEach((text) => sound.speak(text));
    }
  });
  game.addEventListener("beat", () => showStale(connection, game));
  spoken.addEventListener("change", () => {
    show();
    showStale(connection, game);
  });
  hands.addEventListener("change", show);
  hands.addEventListener("refused", (/** @type {CustomEvent} */ { detail }) => toast(detail));

  takeDroppedTrace(game);

  let drawn = 0;
  const frame = (at) => {
    requestAnimationFrame(frame);
    if (!game.ready || at - drawn < FRAME_MS) return;
    drawn = at;
    const now = game.now();
    board.tick(now);
    tickPanels(game, now);
  };
  requestAnimationFrame(frame);
  connection.start();
}

function showStale(connection, game) {
  const overlay = byId("stale");
  overlay.hidden = !connection.stale && game.alive;
  const which = connection.stale ? "stale" : "stale.dead";
  byId("stale-title").textContent = say(`${which}.title`);
  byId("stale-text").textContent = say(`${which}.text`);
  byId("viewers").textContent = game.viewers ? say("viewers", { count: game.viewers }) : "";
}

// A trace that is dropped on the board is played again on the replay page.
function takeDroppedTrace(game) {
  addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  addEventListener("drop", async (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file || !game.you.replays) return;
    event.preventDefault();
    try {
      sessionStorage.setItem("trace", await file.text());
      sessionStorage.setItem("trace-name", file.name);
    } catch {
      return toast(say("replay.too_large", { size: 4 }));
    }
    location.href = "/replay#dropped";
  });
}

start();
