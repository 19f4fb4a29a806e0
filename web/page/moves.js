// The list of moves, each a button that shows the position after it.
import { judged } from "./review.js";
import { text } from "./text.js";

export function movesMarkup(state) {
  if (state.length === 0) return `<li class="none">${text.noMoves}</li>`;
  const entry = ({ move, side }, index) => {
    const at = index + 1;
    const review = judged(state, at);
    const here = at === state.at ? ' aria-current="step"' : "";
    const note = review?.mark ? text.judgements[review.judgement].one : "";
    const mark = review?.mark ? `<span class="mark-of-move">${review.mark}</span>` : "";
    return `<li><button type="button" class="move ${review?.judgement ?? ""}" data-at="${at}"${here} aria-label="${text.moveLabel(at, side, move, note)}"><span class="number">${at}</span><span class="dot ${side}"></span>${move}${mark}</button></li>`;
  };
  return state.view.steps.map(entry).join("");
}
