// The value of each position for Black, over the moves.

/** The curve, its fields where positions are solved, and a dot for each bad move. */
function drawCurve(game, current, choose) {
  const width = 460, height = 170, left = 34, right = 8, top = 8, bottom = 20;
  const plies = game.curve.length - 1;
  const largest = Math.max(4, ...game.curve.map((value) => Math.abs(value ?? 0)));
  const bound = Math.min(game.size ** 2, Math.ceil(largest / 4) * 4);
  const x = (ply) => left + (ply / Math.max(1, plies)) * (width - left - right);
  const y = (value) => top + (1 - value / bound) / 2 * (height - top - bottom);
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": curveText(game), class: "curve" });
  svg.append(make("rect", { x: left, y: top, width: width - left - right, height: height - top - bottom, class: "curve-ground" }));
  for (const [from, to] of solvedRanges(game)) {
    svg.append(make("rect", { x: x(from), y: top, width: Math.max(1, x(to) - x(from)), height: height - top - bottom, class: "exact-area" }));
  }
  const known = game.curve.flatMap((value, ply) => (value == null ? [] : [[ply, value]]));
  if (known.length > 0) {
    const side = (keep) => [`M${x(known[0][0])},${y(0)}`,
      ...withCrossings(known).map(([ply, value]) => `L${x(ply)},${y(keep(value) ? value : 0)}`), `L${x(known.at(-1)[0])},${y(0)}Z`].join("");
    svg.append(make("path", { d: side((value) => value > 0), class: "black-area" }));
    svg.append(make("path", { d: side((value) => value < 0), class: "white-area" }));
  }
  for (const value of [-bound, 0, bound]) {
    svg.append(make("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: value ? "gridline" : "axis" }));
    svg.append(make("text", { x: left - 5, y: y(value) + 4, class: "end" }, signed(value, 0)));
  }
  for (let ply = 0; ply <= plies; ply += 10) {
    svg.append(make("text", { x: x(ply), y: height - 5, class: "middle" }, String(ply)));
  }
  svg.append(make("polyline", { points: known.map(([ply, value]) => `${x(ply)},${y(value)}`).join(" "), class: "curve-line" }));
  game.reviews.forEach((review, ply) => {
    if (!review || review.judgement === "good" || game.curve[ply + 1] == null) return;
    svg.append(make("circle", { cx: x(ply + 1), cy: y(game.curve[ply + 1]), r: 4, class: `dot ${review.judgement}` }));
  });
  svg.append(make("line", { x1: x(current), x2: x(current), y1: top, y2: height - bottom, class: "cursor" }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * width;
    choose(Math.round((at - left) / (width - left - right) * plies));
  });
  return svg;
}

/** The points with those where the curve crosses zero, so that no area leaves its side. */
function withCrossings(points) {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    if (!before || before[1] * point[1] >= 0) return [point];
    const share = before[1] / (before[1] - point[1]);
    return [[before[0] + share * (point[0] - before[0]), 0], point];
  });
}

/** Where consecutive positions are solved. */
function solvedRanges(game) {
  const ranges = [];
  game.reviews.forEach((review, ply) => {
    if (!review?.exact) return;
    if (ranges.at(-1)?.[1] === ply) ranges.at(-1)[1] = ply + 1;
    else ranges.push([ply, ply + 1]);
  });
  return ranges;
}

/** The curve for someone who cannot see it. */
function curveText(game) {
  const known = game.curve.filter((value) => value != null);
  if (known.length === 0) return "Value curve: nothing is known yet";
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return `Value curve for Black, from ${signed(known[0], 1)} at the start to ${signed(known.at(-1), 1)} at the end, between ${signed(least, 1)} and ${signed(most, 1)}`;
}
