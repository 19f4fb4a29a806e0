// Drawing the board, for every page.

const SQUARE = 40, EDGE = 22;

function byId(id) {
  return document.getElementById(id);
}

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

/** A number with its sign, a true minus included. */
function signed(value, decimals) {
  const text = Math.abs(value).toFixed(decimals);
  return Number(text) === 0 ? text : (value < 0 ? "−" : "+") + text;
}

/** Whatever goes wrong is told, not swallowed. */
function complain(text) {
  document.documentElement.dataset.error = text;
  tell(`This page has a problem: ${text}`);
}

/** Shows a message above everything else, or none. */
function tell(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = text === "";
}

/** Whether a reader can see some of an element. */
function onScreen(element) {
  const box = element.getBoundingClientRect();
  return box.bottom > 0 && box.top < window.innerHeight;
}

/** Marks a move in the list of moves, and scrolls to it. */
function markMove(ply) {
  for (const row of byId("moves").querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
  const row = byId("moves").querySelector(`[data-ply="${ply}"]`);
  const box = byId("moves-scroll");
  row?.setAttribute("aria-current", "step");
  // Only the list may scroll: the page stays where its reader left it.
  box.scrollTop = row ? row.offsetTop - box.clientHeight / 2 : 0;
}
