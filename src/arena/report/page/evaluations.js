// The evaluations of a game.

/** The evaluations of both players over the moves, as discs for Black. */
function drawEvaluations(game, sides, current, area, choose) {
  const width = 400, height = 150, left = 34, right = 8, top = 8, bottom = 20;
  const plies = sides.length;
  const said = [BLACK, WHITE].map((side) => sides.flatMap((mover, ply) => {
    const value = game.evals?.[ply - game.opening];
    return mover === side && value != null ? [[ply + 1, side === BLACK ? value / 100 : -value / 100]] : [];
  }));
  const largest = Math.max(4, ...said.flat().map(([, value]) => Math.abs(value)));
  const bound = Math.min(area, Math.ceil(largest / 4) * 4);
  const x = (ply) => left + (ply / Math.max(1, plies)) * (width - left - right);
  const y = (value) => top + (1 - (Math.max(-bound, Math.min(bound, value)) / bound + 1) / 2) * (height - top - bottom);
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Evaluations over the moves", class: "chart eval-chart" });
  if (game.opening > 0) {
    svg.append(make("rect", { x: x(0), y: top, width: x(game.opening) - x(0), height: height - top - bottom, class: "opening-area" }));
  }
  for (const value of [-bound, 0, bound]) {
    svg.append(make("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), class: value ? "gridline" : "axis" }));
    svg.append(make("text", { x: left - 5, y: y(value) + 4, class: "tick end" }, signed(value, 0)));
  }
  for (let ply = 0; ply <= plies; ply += 10) {
    svg.append(make("text", { x: x(ply), y: height - 5, class: "tick middle" }, String(ply)));
  }
  said.forEach((points, index) => {
    const name = index === 0 ? "black-line" : "white-line";
    svg.append(make("polyline", { points: points.map(([ply, value]) => `${x(ply)},${y(value)}`).join(" "), class: name }));
    for (const [ply, value] of points) svg.append(make("circle", { cx: x(ply), cy: y(value), r: 1.8, class: name }));
  });
  svg.append(make("line", { x1: x(current), x2: x(current), y1: top, y2: height - bottom, class: "cursor" }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const at = (event.clientX - box.left) / box.width * width;
    choose(Math.round((at - left) / (width - left - right) * plies));
  });
  return svg;
}
