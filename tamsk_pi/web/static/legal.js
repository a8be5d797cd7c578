// What hands that help may do now: the server's own lists of what is legal, nothing worked out anew.

/**
 * @param {any} state the sections of the server's state
 * @param {any} action what is asked of the hands
 * @param {number} now the game's time in ms
 */
export function isLegal(state, action, now) {
  const { targets, violations, rights, glasses } = state;
  const glass = glasses[action.glass];
  const mends = violations.filter((one) => one.glass && one.glass === action.glass);
  switch (action.do) {
    case "lift":
      return mends.length > 0 || (targets[action.glass]?.length ?? 0) > 0;
    case "place":
      return [...(targets[action.glass] ?? []), glass.lifted_from, ...mends.map((one) => one.home)].includes(action.socket);
    case "place_between":
      return false;
    case "turn_in_place":
      return mends.some((one) => one.code === "flipped_in_place" || one.code === "not_flipped");
    case "drop_ring":
      return rights.some((one) => one.player === action.player && (one.socket === null || one.socket === action.socket)) || missing(state, action);
    case "take_ring":
      return violations.some((one) => one.code === "ring_not_due" && (one.socket === null || one.socket === action.socket));
    case "turn_timer":
      return state.level === 3 && ["to_move", "carrying"].includes(state.phase) && (glasses.N.stops_at_ms === null || glasses.N.stops_at_ms <= now);
    default:
      return true;
  }
}

// Whether a ring that counts does not lie there, and is to be put back.
function missing({ missing_rings, ring_due, violations }, { player, socket }) {
  const returned = violations.some((one) => one.code === "ring_removed" && one.socket === null && one.player === player);
  return returned || (ring_due[socket] === player && (socket in missing_rings || violations.some((one) => one.code === "ring_removed" && one.socket === socket)));
}
