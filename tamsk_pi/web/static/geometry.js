// Where things lie on the drawing, in its own units. The board is seen from above and a little from the front:
// distances to the back are shortened, and height is drawn upwards.

export const WIDTH = 628, HEIGHT = 778;
export const RING = 9; // height of a ring
export const TILT = 0.8; // how much distances to the back are shortened
const LEFT = 50, ACROSS = 88, MIDDLE_Y = 372, BACK = 80;
const COLUMNS = "ABCDEFG", HEIGHTS = [4, 5, 6, 7, 6, 5, 4];

export function place(socket) {
  const column = COLUMNS.indexOf(socket[0]);
  const row = Number(socket[1]);
  return { x: LEFT + ACROSS * column, y: MIDDLE_Y + ((HEIGHTS[column] - 1) / 2 - (row - 1)) * BACK };
}

export function exists(socket) {
  const column = COLUMNS.indexOf(socket[0]);
  return column >= 0 && Number(socket[1]) >= 1 && Number(socket[1]) <= HEIGHTS[column] && socket.length === 2;
}

export const tubeHeight = (capacity) => 6 + RING * capacity;
export const HOLDERS = { red: { x: 62, y: 700 }, black: { x: WIDTH - 62, y: 700 } };
export const TIMER = { x: WIDTH / 2, y: 752 };
export const TABLE = {
  R1: { x: 28, y: 92 }, R2: { x: 72, y: 92 }, R3: { x: 116, y: 92 },
  B1: { x: WIDTH - 116, y: 92 }, B2: { x: WIDTH - 72, y: 92 }, B3: { x: WIDTH - 28, y: 92 },
};

export const touches = (one, other) => {
  const a = place(one), b = place(other);
  return one !== other && Math.hypot(a.x - b.x, (a.y - b.y) / TILT) < 105;
};

// The next socket for an arrow key. Left and right keep near the height at which the walk along columns began, so
// that going right and then left again comes back.
export function step(socket, key, goalY) {
  const column = COLUMNS.indexOf(socket[0]), row = Number(socket[1]);
  const up = { ArrowUp: 1, ArrowDown: -1 }[key];
  if (up) {
    const next = `${COLUMNS[column]}${row + up}`;
    return exists(next) ? next : socket;
  }
  const to = column + (key === "ArrowRight" ? 1 : -1);
  if (to < 0 || to >= COLUMNS.length) return socket;
  let best = socket, least = Infinity;
  for (let r = 1; r <= HEIGHTS[to]; r++) {
    const next = `${COLUMNS[to]}${r}`;
    const away = Math.abs(place(next).y - goalY);
    if (away < least - 1e-6) [best, least] = [next, away];
  }
  return best;
}
