// Who plays: names, which seat this page has, and the way for other devices to the page.

import { opens } from "./dialogs.js";
import { byId, element, setText, toast } from "./dom.js";
import { say, language } from "./text.js";

const SEATS = ["both", "red", "black", "none"];
const myName = () => localStorage.getItem("name") ?? "";

// A link that was given to this device may name its seat and bring the code: `#seat=black&code=123456`.
let offered = new URLSearchParams(location.hash.slice(1));
let claimed = false;

/** The seat that this page has. @param {any} you */
export function seatOf({ seats, hands }) {
  const mine = ["red", "black"].filter((side) => seats[side] === "yours");
  return hands === "none" || mine.length === 0 ? "none" : mine.length === 2 ? "both" : mine[0];
}

function sit(connection, seat) {
  claimed = true;
  if (seat === "none") connection.say({ type: "release_hands" });
  else connection.say({ type: "take_hands", name: myName(), seat });
}

/** Take what the link promised, once: first the code, then the seat. */
export function takeSeatOffered({ you }, connection) {
  const code = offered.get("code"), seat = offered.get("seat");
  if (!code && !seat) return;
  if (!you.paired && code) {
    offered.delete("code");
    connection.say({ type: "pair", code });
    return;
  }
  if (!you.paired) return;
  offered = new URLSearchParams();
  history.replaceState(null, "", location.pathname);
  if (seat && SEATS.includes(seat) && you.hands !== "none") sit(connection, seat);
}

export function setUpPlayers(game, hands, connection) {
  const form = byId("names-form");
  opens("players-button", "players-dialog", () => {
    for (const side of ["red", "black"]) form[side].value = game.state.names[side] ?? "";
    byId("seat").value = seatOf(game.you);
    byId("my-name").value = myName();
    byId("link-seat").value = "black";
    showLinks(game);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const names = { red: form.red.value.trim(), black: form.black.value.trim() };
    // At a real board names are the arbiter's to say.
    const refused = game.you.hands === "none" ? await connection.ask("arbitrate", { verb: "names", ...names }) : null;
    if (refused) toast(refused);
    else if (game.you.hands === "none" || (await hands.act({ do: "set_names", ...names }))) toast(say("players.saved"));
  });
  byId("seat").addEventListener("change", () => sit(connection, byId("seat").value));
  byId("my-name").addEventListener("change", () => {
    localStorage.setItem("name", byId("my-name").value.trim());
    const seat = seatOf(game.you);
    // Whoever says its name without a seat wants to play, as long as nobody else does.
    if (seat !== "none" || (!claimed && game.you.hands === "free")) sit(connection, seat === "none" ? "both" : seat);
  });
  byId("take-hands").addEventListener("click", () => sit(connection, "both"));
  byId("link-seat").addEventListener("change", () => showLinks(game));
  byId("link-copy").addEventListener("click", async () => {
    byId("link-text").select();
    await navigator.clipboard?.writeText(byId("link-text").value);
    toast(say("replay.copied"));
  });
  opens("lamps-help", "lamps-dialog", () => showLamps(game));
}

const LAMPS = ["turn_red", "turn_black", "ready", "alarm", "red_socket", "green_socket"];

function showLamps({ said }) {
  byId("lamps-list").replaceChildren(...LAMPS.map((lamp) => element("li", { data: { lamp } }, element("i", { className: `lamp on ${lamp.replace("turn_", "")}`, "aria-hidden": "true" }), element("span", {}, say(`lamps.${lamp}`)))));
  byId("presses-list").replaceChildren(...["red", "black", "arbiter"].map((side) => element("li", {}, element("strong", {}, say(`press.${side}`)), " ", said ? `${said.presses[side].now} ${said.presses[side].held}` : "")));
}

function showLinks({ you }) {
  const [link] = you.links, seat = byId("link-seat").value;
  byId("links").hidden = !link;
  byId("links-none").hidden = Boolean(link) || you.hands === "none";
  if (!link) return;
  const values = new URLSearchParams({ seat, ...(you.code ? { code: you.code } : {}) });
  byId("link-text").value = `${link}#${values}`;
  byId("qr").src = `/qr.svg?${new URLSearchParams({ seat })}`;
}

// Whose the hands are.
export function showPlayers({ you, state }) {
  const { hands, holders, holder, paired, code } = you;
  const seat = seatOf(you);
  const both = holders?.red === holders?.black;
  const words = hands === "theirs" && both ? say("hands.theirs", { name: holder || say("hands.somebody") })
    : seat === "red" || seat === "black" ? say(`hands.${seat}`)
    : say(`hands.${hands === "none" ? "view" : hands}`, { name: holder || say("hands.somebody") });
  setText(byId("hands-words"), words);
  byId("take-hands").hidden = hands !== "theirs" || !paired;
  byId("players-button").hidden = hands === "none" && !you.links.length && !you.arbiter.includes("names");
  byId("seat-label").hidden = hands === "none";
  for (const node of byId("players-play").querySelectorAll("input, select, button")) node.disabled = !paired || !state;
  setText(byId("pair-shown"), code ? say("pair.shown", { code }) : "");
  const key = `${language} ${JSON.stringify([you.seats, holders])}`;
  const list = byId("seat");
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    const chosen = seat;
    list.replaceChildren(...SEATS.map((one) => {
      const taken = (one === "red" || one === "black") && you.seats?.[one] === "theirs";
      return new Option(taken ? say("seat.taken", { seat: say(`seat.${one}`), name: holders[one] || say("hands.somebody") }) : say(`seat.${one}`), one);
    }));
    list.value = chosen;
  }
}
