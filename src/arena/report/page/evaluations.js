// The evaluations of a game.

/** The evaluations of both players over the moves, as discs for Black. */
function drawEvaluations(game, sides, current, area, choose) {
  const said = [BLACK, WHITE].map((side) => sides.flatMap((mover, ply) => {
    const value = game.evals?.[ply - game.opening];
    return mover === side && value != null ? [[ply + 1, side === BLACK ? value / 100 : -value / 100]] : [];
  }));
  const values = said.flat().map(([, value]) => value);
  const curve = new Curve([400, 150], sides.length, values, area, "Evaluations over the moves");
  if (game.opening > 0) curve.field(0, game.opening, "opening-area");
  curve.axes();
  said.forEach((points, index) => {
    const name = index === 0 ? "black-line" : "white-line";
    curve.add("polyline", { points: curve.points(points), class: name });
    for (const [ply, value] of points) curve.add("circle", { cx: curve.x(ply), cy: curve.y(value), r: 1.8, class: name });
  });
  curve.cursor(current, choose);
  return curve.svg;
}
