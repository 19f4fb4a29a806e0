// The value curve: the value for Black after each move.
import { text } from "./text.js";

const WIDTH = 320;
const HEIGHT = 96;

/// `values` maps move numbers to values for Black. Returns markup, or nothing for fewer than two values.
export function curveMarkup(values, moves, at) {
  const points = [...values].filter(([, value]) => Number.isFinite(value)).sort(([a], [b]) => a - b);
  if (points.length < 2) return "";
  const most = Math.max(8, ...points.map(([, value]) => Math.abs(value)));
  const x = (move) => (6 + (move / Math.max(1, moves)) * (WIDTH - 12)).toFixed(1);
  const y = (value) => (HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 8)).toFixed(1);
  const line = points.map(([move, value], index) => `${index ? "L" : "M"}${x(move)} ${y(value)}`).join("");
  const first = x(points[0][0]);
  const last = x(points.at(-1)[0]);
  const area = `${line}L${last} ${HEIGHT / 2}L${first} ${HEIGHT / 2}Z`;
  const dots = points.map(([move, value]) => `<circle class="dot${move === at ? " here" : ""}" data-move="${move}" cx="${x(move)}" cy="${y(value)}" r="${move === at ? 4 : 2.2}"><title>${text.curvePoint(move, value)}</title></circle>`).join("");
  const spoken = text.curveLabel(points.map(([move, value]) => text.curvePoint(move, value)).join(" "));
  return `<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${spoken}">
    <path class="area" d="${area}"/><path class="zero" d="M0 ${HEIGHT / 2}H${WIDTH}"/>
    <path class="line" d="${line}"/>${dots}
    <text x="4" y="11">${text.curveBlack} ${text.discs(Math.round(most), true)}</text><text x="4" y="${HEIGHT - 4}">${text.curveWhite} ${text.discs(Math.round(most), true)}</text>
  </svg>`;
}

/// The move that a click on the curve means.
export function curveMove(svg, event, moves) {
  const box = svg.getBoundingClientRect();
  const share = ((event.clientX - box.left) / box.width) * WIDTH - 6;
  return Math.round((share / (WIDTH - 12)) * moves);
}
