// How well both have played.

function drawSummaries(game) {
  byId("summaries").replaceChildren(...["black", "white"].map((side, index) => drawSummary(game, side, index)));
}

function drawSummary(game, side, index) {
  const { stages, worst } = game.players[index];
  const whole = stages[0];
  const name = playerName(game, index);
  const accuracy = whole.accuracy == null ? "–" : `${whole.accuracy.toFixed(1)} %`;
  const head = ["", "Moves", "Loss", "Accuracy", "?!", "?", "??"];
  const table = make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((title) => make("th", { scope: "col", title: TITLES[title] }, title)))),
    make("tbody", {}, ...stages.map(stageRow)));
  const card = make("div", { class: "summary" },
    make("h3", {}, make("span", { class: `disc ${side}`, "aria-hidden": "true" }), name),
    make("p", { class: "big" }, accuracy, make("small", {}, " accuracy")),
    table);
  if (worst != null) {
    const button = make("button", { type: "button" }, `Worst: ${numbered(movesOf(game), worst - 1)}${moveName(movesOf(game)[worst - 1])}, −${game.reviews[worst - 1].loss.toFixed(2)}`);
    button.addEventListener("click", () => { location.hash = `game=${game.number}&move=${worst}`; });
    card.append(make("p", {}, button));
  }
  return card;
}

const TITLES = { Moves: "With a choice", Loss: "Mean loss of a move, in discs", "?!": "Inaccuracies", "?": "Mistakes", "??": "Blunders" };

function stageRow(stage) {
  const number = (value, decimals, unit = "") => (value == null ? "–" : value.toFixed(decimals) + unit);
  const name = stage.name === "game" ? "Whole game" : stage.name[0].toUpperCase() + stage.name.slice(1);
  const cells = [stage.moves, number(stage.loss, 2), number(stage.accuracy, 1, " %"), ...stage.counts.slice(1)];
  return make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell) => make("td", {}, String(cell))));
}

function playerName(game, index) {
  return game.names[index] || ["Black", "White"][index];
}

function moveName(move) {
  return move === "pa" ? "pass" : move;
}
