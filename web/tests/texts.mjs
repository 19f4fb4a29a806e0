// Games as texts: what is written reads back, and no text brings the engine down.
import { check, equal } from "./check.mjs";

/// Mulberry32: the same numbers in every run.
function random(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/// A game of random moves to its end.
function randomGame(call, draw, rules, size) {
  let game = { rules, size, start: null, moves: "" };
  for (;;) {
    const { positions } = call({ request: "game", game });
    const { legal, over } = positions.at(-1);
    if (over) return game;
    game = { ...game, moves: game.moves + legal[draw(legal.length)] };
  }
}

export function texts(call) {
  const draw = random(1);
  for (const rules of ["reversed", "standard"]) {
    for (const size of [4, 6, 8]) {
      for (let games = 0; games < 8; games += 1) roundTrip(call, randomGame(call, draw, rules, size));
    }
  }
  startPositions(call);
  brokenLinks(call, draw);
}

function roundTrip(call, game) {
  const { rules, size } = game;
  const view = call({ request: "game", game });
  const { link } = call({ request: "write-link", game });
  equal("a link reads back", call({ request: "read-link", link }).game, game);
  const { ggf } = call({ request: "ggf", game });
  equal("a GGF record reads back", call({ request: "read", text: ggf, rules: "standard", size: 8 }).game, game);
  equal("a list of moves reads back", call({ request: "read", text: game.moves, rules, size }).game.moves, game.moves);
  checkSteps(view, size);
}

/// Each step adds a disc, turns what it says, and the result is that of the discs.
function checkSteps(view, size) {
  view.steps.forEach(({ move, side, flips }, at) => {
    const [before, after] = [view.positions[at], view.positions[at + 1]];
    const index = (name) => (Number(name[1]) - 1) * size + "abcdefgh".indexOf(name[0]);
    const symbol = side === "black" ? "X" : "O";
    const wanted = [...before.board];
    for (const name of [move, ...flips]) wanted[index(name)] = symbol;
    equal("the board after a step", after.board, wanted.join(""));
    equal("who moves", before.side, side);
  });
  const { black, white } = view.positions.at(-1);
  const standard = black === white ? 0 : (black - white) + Math.sign(black - white) * (size * size - black - white);
  equal("the result", view.result, view.game.rules === "standard" ? standard : standard === 0 ? 0 : -standard);
}

function startPositions(call) {
  equal("moves of another board", call({ request: "read", text: "f5d6", rules: "reversed", size: 6 }).game.size, 8);
  equal("moves of no board", call({ request: "read", text: "a1a2", rules: "reversed", size: 6 }).problem, { kind: "illegal", number: 1, move: "a1" });
  const start = "X--------------O O";
  const { game, problem } = call({ request: "read", text: start, rules: "reversed", size: 8 });
  equal("a position has its own size", `${game.size} ${game.start} ${problem}`, `4 ${start} null`);
  const { link } = call({ request: "write-link", game });
  equal("a link holds a start position", call({ request: "read-link", link }).game, game);
}

/// A link with a few characters changed is read as far as it goes, or refused.
function brokenLinks(call, draw) {
  const characters = "1rs468@=abcdefgh12345678XO_-%é\u0000";
  for (let tries = 0; tries < 300; tries += 1) {
    const letters = [...(tries % 2 ? "1r8=f5d6c3d3c4f4" : "1s4@X______________OX=")];
    for (let edits = 0; edits <= draw(3); edits += 1) letters[draw(letters.length)] = characters[draw(characters.length)];
    const link = letters.join("");
    const { game, problem } = call({ request: "read-link", link });
    check("an edited link", game !== null || problem !== null, link);
    if (game) check("its game can be played", call({ request: "game", game }).problem === null, link);
  }
}
