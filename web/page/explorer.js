// The opening explorer: the book as a tree to walk.
import { text } from "./text.js";

export function openingName(name) {
  if (!name) return text.unnamed;
  if (name.moves.length === 0) return text.startName;
  return [name.family ? text.families[name.family] : null, ...name.rest].filter(Boolean).join(" ");
}

const blackValue = (value, side) => (side === "black" ? value : -value);

function row(opening, side) {
  const name = openingName(opening.name);
  const verdict = text.shortVerdict(blackValue(opening.value, side), opening.line.slice(0, 6).join(" "));
  const below = opening.positions > 1 ? ` ${text.below(opening.positions)}` : "";
  const buttons = opening.moves.map((move) => `<button type="button" class="small" data-move="${move}">${move}</button>`).join(" ");
  return `<tr><td>${buttons}</td><td class="number">${text.discs(opening.value)}</td>
    <td><span class="name">${name}</span><span class="verdict">${verdict}${below}</span></td></tr>`;
}

/// The position in the book, as markup.
export function explorerMarkup(opening, { size, start }) {
  if (size !== 8) return `<p>${text.openingsOnlyEight}</p>`;
  if (start) return `<p>${text.openingsCustom}</p>`;
  const heads = text.openingHeads;
  const { positions, plies, depth, deep_depth: deep } = opening;
  const title = `<h2 class="opening-name">${openingName(opening.name)}</h2>`;
  const canonical = opening.name?.moves.length > 1 ? `<p class="facts">${text.canonical(opening.name.moves.join(" "))}</p>` : "";
  if (opening.moves.length === 0) return `${title}${canonical}<p>${text.openingsEnd}</p><button type="button" data-at="0">${text.openingsStart}</button>`;
  const best = opening.moves[0];
  const line = [best.moves[0], ...best.line].slice(0, 6).join(" ");
  return `${title}${canonical}<p>${text.verdict(openingName(opening.name), opening.value, line)}</p>
    <div class="scroll"><table class="book"><thead><tr><th>${heads.move}</th><th class="number">${heads.value}</th><th>${heads.name}</th></tr></thead>
    <tbody>${opening.moves.map((each) => row(each, opening.side)).join("")}</tbody></table></div>
    <p class="facts">${text.openingsIntro({ positions, plies, depth, deep })}</p>`;
}

/// The values of the book for the squares of the board.
export function bookValues(opening) {
  const values = new Map();
  for (const { moves, value } of opening?.moves ?? []) for (const move of moves) values.set(move, value);
  return values;
}
