// The value of each position for Black, over the moves.

/** The curve, its fields where positions are solved, and a dot for each bad move. */
function drawCurve(game, current, choose) {
  const plies = game.curve.length - 1;
  const known = game.curve.flatMap((value, ply) => (value == null ? [] : [[ply, value]]));
  const curve = new Curve([460, 170], plies, known.map(([, value]) => value), game.size ** 2, curveText(game));
  curve.field(0, plies, "curve-ground");
  for (const [from, to] of solvedRanges(game)) curve.field(from, to, "exact-area");
  if (known.length > 0) {
    const zero = (ply) => `${curve.x(ply)},${curve.y(0)}`;
    const side = (keep) => [`M${zero(known[0][0])}`,
      ...withCrossings(known).map(([ply, value]) => `L${curve.x(ply)},${curve.y(keep(value) ? value : 0)}`), `L${zero(known.at(-1)[0])}Z`].join("");
    curve.add("path", { d: side((value) => value > 0), class: "black-area" });
    curve.add("path", { d: side((value) => value < 0), class: "white-area" });
  }
  curve.axes();
  curve.add("polyline", { points: curve.points(known), class: "curve-line" });
  game.reviews.forEach((review, ply) => {
    if (!review || review.judgement === "good" || game.curve[ply + 1] == null) return;
    curve.add("circle", { cx: curve.x(ply + 1), cy: curve.y(game.curve[ply + 1]), r: 4, class: `dot ${review.judgement}` });
  });
  curve.cursor(current, choose);
  return curve.svg;
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
