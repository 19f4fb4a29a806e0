// The picture beside the rules: a move and what it turns over.
import { text } from "./text.js";

const PLACES = { before: { white: ["d4", "e5"], black: ["e4", "d5"] }, after: { white: ["d4"], black: ["e4", "d5", "e5", "f5"] } };

function smallBoard(left, places, { marked, caption }) {
  const at = (name) => ["cdef".indexOf(name[0]), Number(name[1]) - 3];
  const circle = (name, kind) => {
    const [column, row] = at(name);
    return `<circle class="${kind}" cx="${left + column * 26 + 13}" cy="${row * 26 + 13}" r="10.5"/>`;
  };
  const lines = [1, 2, 3].map((n) => `<path d="M${left + n * 26} 0v104M${left} ${n * 26}h104"/>`).join("");
  const discs = ["white", "black"].map((color) => places[color].map((name) => circle(name, color)).join("")).join("");
  return `<rect class="cloth" x="${left}" width="104" height="104" rx="5"/>${lines}${discs}${circle(marked, "ring")}
    <text x="${left + 52}" y="122">${caption}</text>`;
}

export function rulesFigure() {
  return `<svg viewBox="0 0 268 128" role="img" aria-label="${text.rulesFigure}">
    ${smallBoard(0, PLACES.before, { marked: "f5", caption: text.rulesBefore })}
    <path class="arrow" d="M120 52h24m-8-8 8 8-8 8"/>
    ${smallBoard(164, PLACES.after, { marked: "f5", caption: text.rulesAfter })}
  </svg>`;
}
