// The table of the best moves.
import { CHOICES } from "./settings.js";
import { text } from "./text.js";

export function lineChoices() {
  return CHOICES.lines.map((lines) => `<option value="${lines}">${lines === "all" ? text.allLines : lines}</option>`).join("");
}

export function linesHead() {
  const { move, value, line } = text.lineHeads;
  return `<tr><th>${move}</th><th class="number">${value}</th><th>${line}</th></tr>`;
}

/// The best moves, as many as were chosen. The search may know more, for the values on the board.
export function analysisMarkup(found, choice) {
  const shown = choice === "all" ? found.lines : found.lines.slice(0, Number(choice));
  const row = ({ score, moves }) => `<tr><td><button type="button" class="small" data-move="${moves[0]}">${moves[0]}</button></td>
    <td class="number">${text.discs(score, found.exact)}</td><td class="line">${moves.slice(1, 9).join(" ")}</td></tr>`;
  return shown.map(row).join("");
}
