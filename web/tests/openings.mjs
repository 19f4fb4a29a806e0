// The explorer: names and values of the book.
import { check, equal } from "./check.mjs";

export function openings(call) {
  for (const rules of ["reversed", "standard"]) walk(call, rules);
}

/// Every opening of up to four moves: one name for each class, and values that agree.
function walk(call, rules) {
  const at = (moves) => call({ request: "openings", game: { rules, size: 8, start: null, moves } });
  const names = new Map();
  const visit = (moves) => {
    const opening = at(moves);
    for (const { moves: same, value, name } of opening.moves) {
      for (const move of same) {
        const next = at(moves + move);
        equal(`the name after ${moves}${move}`, next.name, name);
        if (next.moves.length > 0) equal(`the value of ${moves}${move}`, -next.moves[0].value, value);
        const key = name.moves.join("");
        check(`${moves}${move} is one of its class`, (names.get(key) ?? next.positions) === next.positions);
        names.set(key, next.positions);
      }
      if (moves.length < 4) visit(moves + same[0]);
    }
  };
  visit("");
  // One first move, three replies, and so on: symmetric ones counted once.
  const classes = [...names.keys()].map((key) => key.length / 2);
  equal(`classes of one and two moves, ${rules}`, classes.filter((plies) => plies <= 2).length, 4);
}
