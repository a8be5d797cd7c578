// What the page works out by itself, without a browser: geometry, clocks, whose ring is meant, what helping hands do.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.localStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
const page = (name) => import(`../../../tamsk_pi/web/static/${name}`);

const { exists, place, step, touches } = await page("geometry.js");
const { ringDue, sandAbove, ownerOf, otherSide, Game } = await page("game.js");
const { isLegal } = await page("legal.js");
const { Film, FilmedGame } = await page("film.js");
const { clockText } = await page("text.js");

const COLUMNS = { A: 4, B: 5, C: 6, D: 7, E: 6, F: 5, G: 4 };
const SOCKETS = Object.entries(COLUMNS).flatMap(([column, rows]) => Array.from({ length: rows }, (_, row) => `${column}${row + 1}`));

test("there are 37 sockets, each at a place of its own", () => {
  assert.equal(SOCKETS.filter(exists).length, 37);
  assert.equal(new Set(SOCKETS.map((name) => JSON.stringify(place(name)))).size, 37);
  for (const none of ["A5", "H1", "D0", "D8", "D", ""]) assert.equal(exists(none), false, none);
});

test("inner sockets touch six others, and touching is mutual", () => {
  assert.deepEqual(SOCKETS.filter((other) => touches("F1", other)), ["E1", "E2", "F2", "G1"]);
  assert.equal(SOCKETS.filter((other) => touches("D4", other)).length, 6);
  for (const one of SOCKETS) for (const other of SOCKETS) assert.equal(touches(one, other), touches(other, one));
});

test("floors of sockets do not overlap, so that each answers for itself alone", () => {
  for (const one of SOCKETS) {
    for (const other of SOCKETS.filter((name) => name > one)) {
      const a = place(one), b = place(other);
      assert.ok(Math.hypot((a.x - b.x) / 82, (a.y - b.y) / 66) >= 1, `${one} ${other}`);
    }
  }
});

test("arrows lead to every socket and never off the board", () => {
  const seen = new Set(["D4"]);
  for (const at of seen) {
    for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
      const next = step(at, key, place(at).y);
      assert.ok(exists(next));
      seen.add(next);
    }
  }
  assert.equal(seen.size, 37);
});

test("a time is shown in whole seconds that have begun", () => {
  assert.deepEqual([-5, 0, 1, 59_999, 60_000, 179_001].map(clockText), ["0:00", "0:00", "0:01", "1:00", "1:00", "3:00"]);
});

test("the part of the sand that is above stays from 0 to 1", () => {
  assert.equal(sandAbove({ stops_at_ms: null, full_ms: 1000 }, 0), 0);
  assert.equal(sandAbove({ stops_at_ms: 750, full_ms: 1000 }, 250), 0.5);
  assert.equal(sandAbove({ stops_at_ms: 750, full_ms: 1000 }, 900), 0);
  assert.equal(sandAbove({ stops_at_ms: 7500, full_ms: 1000 }, 0), 1);
});

test("sides", () => {
  assert.deepEqual(["R1", "B3", "N"].map(ownerOf), ["red", "black", null]);
  assert.deepEqual(["red", "black"].map(otherSide), ["black", "red"]);
});

test("the ring that is meant is the one the situation asks for", () => {
  const state = { to_move: "black", ring_due: { D2: "red" } };
  assert.equal(ringDue(state, "D2"), "red");
  assert.equal(ringDue(state, "E3"), "black");
  assert.equal(ringDue({ to_move: "black", ring_due: { "": "red", D2: "black" } }, "E3"), "red");
  assert.equal(ringDue({ to_move: null, ring_due: {} }, "E3"), "red");
});

const glass = (more = {}) => ({ socket: null, in_hand: false, lifted_from: null, stops_at_ms: null, ...more });
const position = (more = {}) => ({
  level: 3, phase: "to_move", targets: { R2: ["D2", "C1", "E1"] }, violations: [], rights: [], missing_rings: {}, ring_due: {},
  glasses: { R1: glass({ socket: "A4" }), R2: glass({ socket: "D1", lifted_from: "D1" }), B1: glass({ socket: "A1" }), N: glass() }, ...more,
});

test("hands that help lift and place what may be moved, and nothing else", () => {
  const state = position();
  assert.ok(isLegal(state, { do: "lift", glass: "R2" }, 0));
  assert.ok(!isLegal(state, { do: "lift", glass: "B1" }, 0));
  assert.ok(isLegal(state, { do: "place", glass: "R2", socket: "D2" }, 0));
  assert.ok(isLegal(state, { do: "place", glass: "R2", socket: "D1" }, 0));
  assert.ok(!isLegal(state, { do: "place", glass: "R2", socket: "D4" }, 0));
  assert.ok(!isLegal(state, { do: "place_between", glass: "R2", socket: "D2", other: "D3" }, 0));
  assert.ok(!isLegal(state, { do: "turn_in_place", glass: "R2" }, 0));
  assert.ok(isLegal(state, { do: "new_game" }, 0));
});

test("hands that help put right what is wrong", () => {
  const state = position({ targets: {}, violations: [{ code: "not_adjacent", glass: "R1", home: "A4", socket: "D4" }, { code: "ring_not_due", glass: null, home: null, socket: "C3" }] });
  assert.ok(isLegal(state, { do: "lift", glass: "R1" }, 0));
  assert.ok(isLegal(state, { do: "place", glass: "R1", socket: "A4" }, 0));
  assert.ok(!isLegal(state, { do: "lift", glass: "R2" }, 0));
  assert.ok(isLegal(state, { do: "take_ring", socket: "C3" }, 0));
  assert.ok(!isLegal(state, { do: "take_ring", socket: "C4" }, 0));
});

test("hands that help drop a ring only where one is due, of the side whose it is", () => {
  const state = position({ rights: [{ kind: "move", player: "red", socket: "D2" }] });
  assert.ok(isLegal(state, { do: "drop_ring", player: "red", socket: "D2" }, 0));
  assert.ok(!isLegal(state, { do: "drop_ring", player: "black", socket: "D2" }, 0));
  assert.ok(!isLegal(state, { do: "drop_ring", player: "red", socket: "D3" }, 0));
  const penalty = position({ rights: [{ kind: "penalty", player: "black", socket: null }] });
  assert.ok(isLegal(penalty, { do: "drop_ring", player: "black", socket: "F1" }, 0));
  const removed = position({ missing_rings: { D2: 1 }, ring_due: { D2: "red" } });
  assert.ok(isLegal(removed, { do: "drop_ring", player: "red", socket: "D2" }, 0));
  assert.ok(!isLegal(removed, { do: "drop_ring", player: "black", socket: "D2" }, 0));
});

test("hands that help turn the timer only at level 3 and once it is empty", () => {
  assert.ok(isLegal(position(), { do: "turn_timer" }, 0));
  assert.ok(!isLegal(position({ level: 2 }), { do: "turn_timer" }, 0));
  assert.ok(!isLegal(position({ phase: "mending" }), { do: "turn_timer" }, 0));
  const running = position();
  running.glasses.N.stops_at_ms = 5000;
  assert.ok(!isLegal(running, { do: "turn_timer" }, 4999));
  assert.ok(isLegal(running, { do: "turn_timer" }, 5000));
});

test("a change brings sections, lines and rulings up to date, and nothing comes before the whole", () => {
  const game = new Game();
  const fresh = [];
  game.addEventListener("change", (event) => fresh.push(event.detail.fresh.length));
  game.hear({ type: "change", version: 2, sections: { to_move: "black" }, said: {}, from: 0, rulings: [] });
  assert.equal(game.state, null);
  game.hear({ type: "state", version: 1, mode: "simulator", helps: true, layout: {}, language: "en", sections: { game: 1, to_move: "red" }, said: { turn: "Red to move" }, rulings: [{ t: 0 }] });
  game.hear({ type: "change", version: 2, sections: { to_move: "black" }, said: { turn: "Black to move" }, from: 1, rulings: [{ t: 5 }] });
  assert.deepEqual([game.state.to_move, game.said.turn, game.rulings.length, game.version], ["black", "Black to move", 2, 2]);
  assert.deepEqual(fresh, [0, 1]);
});

test("a film tells each moment's lines in the language that is asked for", () => {
  const film = new Film({
    layout: {}, settings: {}, end_ms: 1000, edges: [], record: null, rulings: [{ t: 400, at: 500, text: { en: "pass", de: "passt" } }],
    frames: [[0, { glasses: { R1: 1 } }, 0], [500, { glasses: { R2: 2 }, to_move: "red" }, 1]],
    said: [{ en: { turn: "one", kind: "k" }, de: { turn: "eins" } }, { en: { turn: "two" }, de: { turn: "zwei" } }],
  });
  const game = new FilmedGame(film);
  assert.equal(game.said.turn, "one");
  assert.ok(game.goTo(700, "de"));
  assert.deepEqual([game.said.turn, game.rulings[0].text, game.state.glasses], ["zwei", "passt", { R1: 1, R2: 2 }]);
  game.goTo(700, "en");
  assert.deepEqual(game.said, { turn: "two", kind: "k" });
  assert.equal(game.goTo(700, "en"), false);
});
