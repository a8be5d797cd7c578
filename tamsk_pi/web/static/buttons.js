// The three buttons of the box: a short press, a long one, one held for three seconds, as on the board.

import { byId, setText } from "./dom.js";
import { say } from "./text.js";

const LONG_MS = 800, HELD_MS = 3000;

export function setUpButtons(hands) {
  for (const node of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-press]"))) {
    /** @type {any} */
    let timer = 0;
    let down = 0;
    const side = node.dataset.press;
    const send = (press) => hands.press(side, press);
    const release = (cancel) => {
      if (!down) return;
      clearTimeout(timer);
      const lasted = performance.now() - down;
      down = 0;
      node.classList.remove("down");
      if (!cancel) send(lasted >= LONG_MS ? "long" : "short");
    };
    const press = () => {
      if (down || node.disabled) return;
      down = performance.now();
      node.classList.add("down");
      timer = setTimeout(() => {
        down = 0;
        node.classList.remove("down");
        send("held");
      }, HELD_MS);
    };
    node.addEventListener("pointerdown", (event) => {
      if (event.button === 0) press();
    });
    for (const name of ["pointerup", "pointerleave"]) node.addEventListener(name, () => release(false));
    node.addEventListener("pointercancel", () => release(true));
    node.addEventListener("contextmenu", (event) => event.preventDefault());
    node.addEventListener("keydown", (event) => {
      if ((event.key === "Enter" || event.key === " ") && !event.repeat) {
        event.preventDefault();
        press();
      }
    });
    node.addEventListener("keyup", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      release(false);
    });
    node.addEventListener("blur", () => release(true));
    // Screen readers click without pressing.
    node.addEventListener("click", (event) => {
      if (event.detail === 0 && event.pointerType === "") send("short");
    });
  }
  byId("agree-draw").addEventListener("click", () => hands.agreeDraw());
}

export function showButtons(hands) {
  for (const node of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-press], #agree-draw, #turn-timer"))) node.disabled = !hands.able;
  const { state, said, ready } = hands.game;
  if (!ready) return;
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-press]"))) {
    const side = node.dataset.press;
    node.title = say("press.how");
    setText(byId(`does-${side}`), `${said.presses[side].now} ${said.presses[side].held}`.trim());
    // The button that makes a ring count, where no sensor does.
    node.classList.toggle("due", state.ring_mode === "buttons" && state.rights.some((right) => right.player === side));
  }
}
