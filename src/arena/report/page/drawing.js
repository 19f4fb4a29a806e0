// Drawing the board and the evaluations of a game.

const SQUARE = 40, EDGE = 22;

/** An element of a page or, with a namespace taken from the page itself, of a drawing. */
function make(name, attributes = {}, ...children) {
  const drawn = ["svg", "g", "rect", "circle", "line", "text", "path", "polyline", "title"].includes(name);
  const element = drawn
    ? document.createElementNS(document.getElementById("svg-namespace").namespaceURI, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** What a position looks like to someone who cannot see it. */
function describe(position, size) {
  const names = (side) => position.cells
    .map((cell, at) => (cell === side ? nameOf(at, size) : ""))
    .filter(Boolean).join(" ");
  return `Board. Black: ${names(BLACK) || "none"}. White: ${names(WHITE) || "none"}.`;
}

function nameOf(at, size) {
  return String.fromCharCode(97 + at % size) + (Math.floor(at / size) + 1);
}

/** The board with a position on it. */
function drawBoard(position, size) {
  const length = size * SQUARE, all = length + EDGE + 8;
  const svg = make("svg", { viewBox: `0 0 ${all} ${all}`, role: "img", "aria-label": describe(position, size), class: "board" });
  svg.append(make("rect", { x: 0, y: 0, width: all, height: all, rx: 8, class: "frame" }));
  const board = make("g", { transform: `translate(${EDGE} ${EDGE})` });
  board.append(make("rect", { width: length, height: length, class: "felt" }));
  for (let n = 0; n < size; n++) {
    const middle = n * SQUARE + SQUARE / 2;
    board.append(make("text", { x: middle, y: -7, class: "coordinate" }, String.fromCharCode(97 + n)));
    board.append(make("text", { x: -11, y: middle + 4, class: "coordinate" }, String(n + 1)));
  }
  for (let n = 0; n <= size; n++) {
    board.append(make("line", { x1: n * SQUARE, x2: n * SQUARE, y1: 0, y2: length, class: "grid" }));
    board.append(make("line", { y1: n * SQUARE, y2: n * SQUARE, x1: 0, x2: length, class: "grid" }));
  }
  if (size === 8) {
    for (const [x, y] of [[2, 2], [2, 6], [6, 2], [6, 6]]) {
      board.append(make("circle", { cx: x * SQUARE, cy: y * SQUARE, r: 3, class: "grid-dot" }));
    }
  }
  position.cells.forEach((cell, at) => board.append(...disc(position, cell, at, size)));
  svg.append(board);
  return svg;
}

/** A disc with the mark of the last move, or the dot of a flip. */
function disc(position, cell, at, size) {
  if (cell === EMPTY) return [];
  const centre = { cx: at % size * SQUARE + SQUARE / 2, cy: Math.floor(at / size) * SQUARE + SQUARE / 2 };
  const parts = [make("circle", { ...centre, r: SQUARE * 0.42, class: cell === BLACK ? "disc-black" : "disc-white" })];
  if (at === position.placed) parts.push(make("circle", { ...centre, r: 6, class: "last-move" }));
  if (position.flipped.includes(at)) parts.push(make("circle", { ...centre, r: 2.5, class: "flip" }));
  return parts;
}

/** The evaluations of both players over the moves, as discs for Black. */
function drawEvaluations(game, sides, current, area, choose) {
  const width = 400, height = 150, left = 34, right = 8, top = 8, bottom = 20;
  const plies = sides.length;
  const said = [BLACK, WHITE].map((side) => sides.flatMap((mover, ply) => {
    const value = game.evals?.[ply - game.opening];
    return mover === side && value != null ? [[ply + 1, side === BLACK ? value / 100 : -value / 100]] : [];
  }));
  const largest = Math.max(4, ...said.flat().map(([, value]) => Math.abs(value)));
  const bound = Math.min(area, Math.ceil(largest / 4) * 4);
  const x = (ply) => left + (ply / Math.max(1, plies)) * (width - left - right);
  const y = (value) => top + (1 - (Math.max(-bound, Math.min(bound, value)) / bound + 1) / 2) * (height - top - bottom);
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Evaluations over the moves", class: "chart eval-chart" });
  if (game.opening > 0) {
    svg.append(make("rect", { x: x(0), y: top, width: x(game.opening) - x(0), height: height - top - bottom, class: "opening-area" }));
  }
  for (const value of [-bound, 0, bound]) {
    svg.append(make("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: value ? "gridline" : "axis" }));
    svg.append(make("text", { x: left - 5, y: y(value) + 4, class: "tick end" }, signed(value, 0)));
  }
  for (let ply = 0; ply <= plies; ply += 10) {
    svg.append(make("text", { x: x(ply), y: height - 5, class: "tick middle" }, String(ply)));
  }
  said.forEach((points, index) => {
    const name = index === 0 ? "black-line" : "white-line";
    svg.append(make("polyline", { points: points.map(([ply, value]) => `${x(ply)},${y(value)}`).join(" "), class: name }));
    for (const [ply, value] of points) svg.append(make("circle", { cx: x(ply), cy: y(value), r: 1.8, class: name }));
  });
  svg.append(make("line", { x1: x(current), x2: x(current), y1: top, y2: height - bottom, class: "cursor" }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * width;
    choose(Math.round((at - left) / (width - left - right) * plies));
  });
  return svg;
}

/** A number with its sign, a true minus included. */
function signed(value, decimals) {
  const text = Math.abs(value).toFixed(decimals);
  return Number(text) === 0 ? text : (value < 0 ? "−" : "+") + text;
}
