// The list of moves, each a button that shows the position after it.
import { text } from "./text.en.js";

export function movesMarkup(state) {
  if (state.length === 0) return `<li class="none">${text.noMoves}</li>`;
  const entry = ({ move, side }, index) => {
    const at = index + 1;
    const here = at === state.at ? ' aria-current="step"' : "";
    return `<li><button type="button" class="move ${side}" data-at="${at}"${here} aria-label="${text.moveLabel(at, side, move)}"><span class="number">${at}</span> ${move}</button></li>`;
  };
  return state.view.steps.map(entry).join("");
}
