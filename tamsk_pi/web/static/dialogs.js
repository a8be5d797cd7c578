// New game, settings, faults to order, the arbiter's words, pairing.

import { chooseLanguage } from "./choices.js";
import { byId, element, toast } from "./dom.js";
import { language, say, spoken } from "./text.js";

export function opens(button, dialog, before) {
  byId(button).addEventListener("click", () => {
    before?.();
    byId(dialog).showModal();
  });
}

export function setUpDialogs(game, hands, connection, sound) {
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      if (target === dialog || target.closest("[data-close]")) dialog.close();
    });
  }
  newGame(game, hands);
  settings(sound, hands);
  faults(game, hands);
  arbiter(game, hands, connection);
  pairing(connection);
}

function newGame(game, hands) {
  const form = byId("new-form");
  opens("new-button", "new-dialog", () => {
    const { state } = game;
    byId("new-ends").hidden = !state.last_move || state.phase === "over";
    form.level.value = String(state.level);
    form.rules.value = state.rules;
    form.rings.value = state.ring_mode;
    form.setup.value = state.setup;
    form.position.value = state.position;
    form.opponent.value = state.opponent?.side ?? "";
    form.strength.value = String(state.opponent?.strength ?? 5);
    form.red.value = state.names.red ?? "";
    form.black.value = state.names.black ?? "";
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const done = await hands.newGame({
      level: Number(form.level.value), rules: form.rules.value, rings: form.rings.value,
      setup: form.setup.value, position: form.position.value.trim(), red: form.red.value.trim(), black: form.black.value.trim(),
      opponent: form.opponent.value, strength: Number(form.strength.value),
    });
    if (done) byId("new-dialog").close();
  });
}

function settings(sound, hands) {
  opens("settings-button", "settings-dialog");
  const soundButton = byId("sound-button");
  const show = () => {
    soundButton.setAttribute("aria-pressed", sound.on);
    soundButton.querySelector("span").textContent = say(sound.on ? "sound.on" : "sound.off");
  };
  soundButton.addEventListener("click", () => {
    sound.allow(!sound.on);
    show();
    sound.play([[880, 60]]);
  });
  show();
  spoken.addEventListener("change", show);
  chooseLanguage(byId("language"));
  const volume = byId("volume");
  volume.value = sound.volume;
  volume.addEventListener("change", () => {
    sound.setVolume(Number(volume.value));
    sound.play([[880, 90]]);
  });
  const speak = byId("speak");
  speak.checked = sound.speaks;
  speak.addEventListener("change", () => sound.setSpeaks(speak.checked));
  const theme = byId("theme");
  theme.value = localStorage.getItem("theme") ?? "auto";
  theme.addEventListener("change", () => {
    localStorage.setItem("theme", theme.value);
    document.documentElement.dataset.theme = theme.value;
  });
  const helps = byId("helps");
  helps.value = hands.helps ? "yes" : "no";
  helps.addEventListener("change", () => hands.setHelps(helps.value === "yes"));
}

const OF_SOCKET = ["stuck_closed", "stuck_open", "weak", "bouncing"];
const OF_BOARD = ["link_cut", "scan_stopped"];

function faults(game, hands) {
  opens("faults-button", "faults-dialog", () => {
    byId("fault-socket").value = hands.focused;
    showFaults(game, hands);
  });
  const order = (fault) => hands.act({ do: "set_fault", fault, socket: OF_SOCKET.includes(fault) ? byId("fault-socket").value : null, on: true });
  byId("fault-acts").replaceChildren(...[...OF_SOCKET, ...OF_BOARD].map((fault) => {
    const button = element("button", { type: "button", textContent: say(`fault.${fault}`), data: { fault, say: `fault.${fault}` } });
    button.addEventListener("click", () => order(fault));
    return button;
  }));
}

export function showFaults(game, hands) {
  const select = byId("fault-socket");
  if (!select.options.length) select.append(...Object.keys(game.layout).map((name) => new Option(name, name)));
  select.value ||= hands.focused;
  const ordered = game.state.ordered_faults;
  byId("faults-button").dataset.count = ordered.length || "";
  byId("fault-between").textContent = say("fault.between", { act: say("act.between", { glass: "…" }) });
  byId("faults-none").hidden = ordered.length > 0;
  byId("fault-list").replaceChildren(...ordered.map(({ fault, socket }) => {
    const words = socket ? say("fault.at", { fault: say(`fault.${fault}`), socket }) : say(`fault.${fault}`);
    const end = element("button", { type: "button", textContent: say("faults.end"), "aria-label": `${say("faults.end")}: ${words}` });
    end.addEventListener("click", () => hands.act({ do: "set_fault", fault, socket, on: false }));
    return element("li", {}, words, end);
  }));
}

// What must be said along with a word of the arbiter's: the names of the form's fields.
const WITH = {
  rings: ["socket", "count", "side"], glass: ["glass", "state", "left"], place: ["glass", "socket", "turned"],
  dead: ["socket", "dead"], penalty: ["side", "given"], turn: ["side"], end: ["winner"],
};
const AT_HAND = ["pause", "resume", "takeback"], ALONE = ["recheck", "annul", "accept", "new_game"];
const GLASSES = ["R1", "R2", "R3", "B1", "B2", "B3", "N"];

function arbiter(game, hands, connection) {
  const form = byId("arbiter-form");
  const tell = async (action) => {
    const refused = await connection.ask("arbitrate", action);
    if (refused) toast(refused);
    return refused === null;
  };
  const fit = () => {
    const shown = new Set(WITH[form.word.value] ?? []);
    if (form.word.value === "glass" && form.state.value === "stopped") shown.delete("left");
    for (const label of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-field]"))) label.hidden = !shown.has(label.dataset.field);
    form.glass.querySelector("[value=N]").hidden = form.word.value !== "glass";
    form.count.max = game.layout[form.socket.value] ?? 4;
  };
  form.glass.append(...GLASSES.map((name) => new Option(name, name)));
  opens("arbiter-button", "arbiter-dialog", () => {
    if (!form.socket.options.length) form.socket.append(...Object.keys(game.layout).map((name) => new Option(name, name)));
    form.socket.value = hands.focused;
    form.glass.querySelector("[value=N]").textContent = say("timer.name");
    form.glass.value = hands.board.glassIn(hands.focused) ?? "R1";
    form.count.value = game.state.rings[hands.focused]?.length ?? 0;
    fit();
  });
  form.addEventListener("change", fit);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const verb = form.word.value, action = { verb };
    for (const name of WITH[verb]) {
      const field = form[name];
      if (name === "left") action.left_ms = form.state.value === "running" ? Number(field.value) * 1000 : null;
      else if (name === "count") action.count = Number(field.value);
      else if (["turned", "dead", "given"].includes(name)) action[name] = field.value === "yes";
      else action[name] = field.value || null;
    }
    if (await tell(action)) byId("arbiter-dialog").close();
  });
  document.addEventListener("click", async (event) => {
    const verb = /** @type {any} */ (event.target).closest?.("[data-verb]")?.dataset.verb;
    if (verb && (await tell({ verb }))) byId("arbiter-dialog").close();
  });
}

function showArbiter(offered, paired) {
  const button = (verb) => element("button", { type: "button", textContent: say(`arbiter.${verb}`), data: { verb } });
  const key = [language, ...offered].join();
  if (byId("arbiter-alone").dataset.key !== key) {
    byId("arbiter-alone").dataset.key = key;
    byId("arbiter-acts").replaceChildren(...AT_HAND.filter((verb) => offered.includes(verb)).map(button));
    byId("arbiter-alone").replaceChildren(...ALONE.filter((verb) => offered.includes(verb)).map(button));
    byId("arbiter-form").word.replaceChildren(...Object.keys(WITH).filter((verb) => offered.includes(verb)).map((verb) => new Option(say(`arbiter.${verb}`), verb)));
  }
  byId("arbiter-button").hidden = !offered.some((verb) => verb in WITH || ALONE.includes(verb));
  for (const node of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-verb], #arbiter-button"))) node.disabled = !paired;
}

function pairing(connection) {
  opens("pair-button", "pair-dialog", () => (byId("pair-refused").textContent = ""));
  byId("pair-form").addEventListener("submit", (event) => {
    event.preventDefault();
    connection.say({ type: "pair", code: byId("pair-code").value.trim() });
  });
}

export function hearPaired({ token, reason }) {
  if (token) {
    localStorage.setItem("token", token);
    byId("pair-dialog").close();
  } else byId("pair-refused").textContent = reason;
}

// What this page may ask for.
export function showOffers({ you, ready }) {
  const { hands, paired, arbiter } = you;
  byId("pair-button").hidden = paired;
  byId("games-link").hidden = !you.replays;
  byId("sensors-link").hidden = !you.sensors;
  byId("no-game").hidden = ready || paired;
  for (const id of ["new-button", "faults-button"]) byId(id).hidden = hands === "none";
  document.body.dataset.hands = hands;
  showArbiter(arbiter, paired);
}
