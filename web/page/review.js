// What a review says of the game and of the move that is shown.
import { text } from "./text.js";

/// The judgement of a move, by its number.
export function judged(state, number) {
  return state.reviewed?.moves.find((move) => move.number === number);
}

function moveMarkup(state) {
  const move = judged(state, state.at);
  if (!move) return "";
  const { move: square } = state.view.steps[state.at - 1];
  return `<p class="verdict-of-move ${move.judgement}">${text.judged(square, move)}</p>`;
}

function tableMarkup({ black, white }) {
  const rows = [
    [text.accuracy, (player) => text.percent(player.accuracy)],
    [text.meanLoss, (player) => text.mean(player.mean_loss)],
    [text.judgements.inaccuracy.many, (player) => player.inaccuracies],
    [text.judgements.mistake.many, (player) => player.mistakes],
    [text.judgements.blunder.many, (player) => player.blunders],
  ];
  const body = rows.map(([name, show]) => `<tr><th scope="row">${name}</th><td class="number">${show(black)}</td><td class="number">${show(white)}</td></tr>`);
  return `<table class="summary"><thead><tr><td></td><th class="number">${text.sides.black}</th><th class="number">${text.sides.white}</th></tr></thead><tbody>${body.join("")}</tbody></table>`;
}

/// Buttons for the moves that lost most.
function worstMarkup(state) {
  const worst = state.reviewed.moves.filter((move) => move.mark).sort((a, b) => b.loss - a.loss).slice(0, 5);
  if (worst.length === 0) return "";
  const button = ({ number, mark }) => {
    const { move } = state.view.steps[number - 1];
    return `<button type="button" class="small" data-at="${number}">${number}. ${move}${mark}</button>`;
  };
  return `<p class="worst"><span>${text.worst}</span> ${worst.map(button).join(" ")}</p>`;
}

export function reviewMarkup(state) {
  if (!state.reviewed) return "";
  return moveMarkup(state) + tableMarkup(state.reviewed) + worstMarkup(state);
}
