// The board: a grid of buttons with discs on them.
import { text } from "./text.js";

const COLUMNS = "abcdefgh";
const squareAt = (column, row) => `${COLUMNS[column]}${row + 1}`;
const STEPS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-8, 0], End: [8, 0],
};

export class BoardView {
  constructor(element, { onPlay, onKey }) {
    this.element = element;
    this.onPlay = onPlay;
    this.onKey = onKey;
    this.size = 0;
    this.cells = new Map();
    element.addEventListener("click", (event) => {
      const cell = event.target.closest("button[data-square]");
      if (cell) {
        this.moveFocus(cell.dataset.square);
        this.onPlay(cell.dataset.square);
      }
    });
    element.addEventListener("keydown", (event) => this.keydown(event));
  }

  keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const name = document.activeElement?.dataset?.square;
    if (step && name) {
      const clamp = (place) => Math.max(0, Math.min(this.size - 1, place));
      const column = clamp(COLUMNS.indexOf(name[0]) + step[0]);
      const row = clamp(Number(name[1]) - 1 + step[1]);
      this.moveFocus(squareAt(column, row), true);
      event.preventDefault();
    } else if (this.onKey(event.key)) {
      event.preventDefault();
    }
  }

  /// One square at a time is in the tab order.
  moveFocus(name, focus = false) {
    for (const [each, { cell }] of this.cells) cell.tabIndex = each === name ? 0 : -1;
    if (focus) this.cells.get(name)?.cell.focus();
  }

  focus() {
    this.element.querySelector('[tabindex="0"]').focus({ preventScroll: true });
  }

  build(size) {
    this.size = size;
    this.cells.clear();
    this.element.replaceChildren();
    this.element.style.setProperty("--size", size);
    for (let row = 0; row < size; row += 1) {
      const line = document.createElement("div");
      line.role = "row";
      line.className = "board-row";
      for (let column = 0; column < size; column += 1) line.append(this.buildCell(column, row));
      this.element.append(line);
    }
    this.moveFocus(squareAt(size / 2, size / 2 - 2));
  }

  buildCell(column, row) {
    const name = squareAt(column, row);
    const holder = document.createElement("div");
    holder.role = "gridcell";
    holder.className = "board-cell";
    const cell = document.createElement("button");
    cell.type = "button";
    cell.className = "square";
    cell.dataset.square = name;
    if (row === 0) cell.dataset.column = COLUMNS[column];
    if (column === 0) cell.dataset.row = String(row + 1);
    const disc = document.createElement("span");
    disc.className = "disc";
    disc.append(Object.assign(document.createElement("span"), { className: "face front" }));
    disc.append(Object.assign(document.createElement("span"), { className: "face back" }));
    const value = document.createElement("span");
    value.className = "value";
    value.setAttribute("aria-hidden", "true");
    cell.append(disc, value);
    holder.append(cell);
    this.cells.set(name, { cell, disc, value });
    return holder;
  }

  /// Draws a position. `values` has a number for each move to mark, `best` is the best of them.
  show({ position, last, playable, values, best, exact, rules, size }) {
    if (size !== this.size) this.build(size);
    this.element.setAttribute("aria-label", text.boardLabel(rules, size));
    this.element.classList.toggle("playable", playable);
    const legal = new Set(position.legal);
    let index = 0;
    for (const [name, { cell, disc, value }] of this.cells) {
      const symbol = position.board[index];
      index += 1;
      const color = symbol === "X" ? "black" : symbol === "O" ? "white" : null;
      disc.className = `disc ${color ?? "none"}`;
      const canPlay = playable && legal.has(name);
      cell.classList.toggle("legal", canPlay);
      cell.classList.toggle("last", last === name);
      cell.classList.toggle("best", best !== undefined && values.get(name) === best);
      cell.setAttribute("aria-disabled", String(!canPlay));
      const known = legal.has(name) ? values.get(name) : undefined;
      value.textContent = known === undefined ? "" : text.discs(known, exact);
      const spoken = known === undefined ? "" : text.squareValue(known, exact, known === best);
      cell.setAttribute("aria-label", text.square(name, { color, legal: legal.has(name), last: last === name, value: spoken }));
    }
  }
}
