// The rules of moving, small and on their own, so that a page holds moves and not positions.

const EMPTY = 0, BLACK = 1, WHITE = 2;
const DIRECTIONS = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y])).filter(([x, y]) => x || y);

/** The position a text tells: cells row by row from a1, and the side to move. */
function readPosition(text) {
  const of = (symbol) => (symbol === "X" ? BLACK : symbol === "O" ? WHITE : EMPTY);
  const cells = Array.from(text.slice(0, text.indexOf(" ")), of);
  return { cells, side: of(text.at(-1)), placed: -1, flipped: [] };
}

/** The squares that a disc placed here would flip. */
function flips(cells, size, at, side) {
  const found = [];
  for (const [dx, dy] of DIRECTIONS) {
    const line = [];
    let x = at % size + dx, y = Math.floor(at / size) + dy;
    const inside = () => x >= 0 && x < size && y >= 0 && y < size;
    while (inside() && cells[y * size + x] === 3 - side) {
      line.push(y * size + x);
      x += dx;
      y += dy;
    }
    if (inside() && cells[y * size + x] === side) found.push(...line);
  }
  return found;
}

/** The square with a name such as `d3`. */
function squareOf(name, size) {
  return (name.charCodeAt(1) - 49) * size + name.charCodeAt(0) - 97;
}

/** The position after a move; throws if the move flips nothing. */
function after(position, move, size) {
  const { side } = position;
  if (move === "pa") return { cells: position.cells, side: 3 - side, placed: -1, flipped: [] };
  const at = squareOf(move, size);
  const flipped = flips(position.cells, size, at, side);
  if (position.cells[at] !== EMPTY || flipped.length === 0) throw new Error(`${move} is illegal`);
  const cells = position.cells.slice();
  for (const square of [at, ...flipped]) cells[square] = side;
  return { cells, side: 3 - side, placed: at, flipped };
}

/** All positions of a game, the first one included. */
function positionsOf(data, game) {
  const positions = [readPosition(data.starts[game.start])];
  for (const move of movesOf(game)) positions.push(after(positions.at(-1), move, data.size));
  return positions;
}

/** The moves of a game, two characters each. */
function movesOf(game) {
  return game.moves.match(/../g) ?? [];
}

/** The black and the white discs. */
function count(position) {
  const of = (side) => position.cells.filter((cell) => cell === side).length;
  return [of(BLACK), of(WHITE)];
}

/** Whether the side to move can place a disc. */
function canMove(position, size, side) {
  return position.cells.some((cell, at) => cell === EMPTY && flips(position.cells, size, at, side).length > 0);
}
