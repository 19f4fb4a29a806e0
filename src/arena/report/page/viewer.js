// The game on the board: stepping, playing, and the address that names the position.

const STEP_MS = 700;

class Viewer {
  constructor(data, list) {
    this.data = data;
    this.list = list;
    this.game = null;
    this.move = 0;
    this.timer = null;
    const on = (id, action) => byId(id).addEventListener("click", action);
    on("first", () => this.step(-Infinity));
    on("back", () => this.step(-1));
    on("forward", () => this.step(1));
    on("last", () => this.step(Infinity));
    on("play", () => this.togglePlay());
    on("game-back", () => this.openNeighbour(-1));
    on("game-forward", () => this.openNeighbour(1));
    byId("slider").addEventListener("input", (event) => this.choose(Number(event.target.value)));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows a game at a move, or where its players began. */
  open(game, move = game.opening) {
    if (game !== this.game) {
      this.pause();
      this.game = game;
      this.positions = positionsOf(this.data, game);
      this.moves = movesOf(game);
      this.sides = this.positions.slice(0, -1).map((position) => position.side);
      this.writeHead();
      this.writeMoves();
      this.list.mark(game);
    }
    byId("viewer").hidden = false;
    this.show(move);
  }

  writeHead() {
    const { game, data } = this;
    const [black, white] = game.players.map((player) => data.players[player]);
    byId("game-title").textContent = `Game ${game.number}: ${black} – ${white}`;
    byId("game-result").replaceChildren(make("b", {}, resultText(data, game)), ` · ${endingText(data, game)}`);
    byId("black-name").textContent = black;
    byId("white-name").textContent = white;
    byId("slider").max = this.moves.length;
    byId("evals-figure").hidden = !game.evals;
    byId("game-back").disabled = !this.list.neighbour(game, -1);
    byId("game-forward").disabled = !this.list.neighbour(game, 1);
  }

  writeMoves() {
    const { game } = this;
    const rows = this.moves.map((move, ply) => this.moveRow(move, ply));
    if (game.opening > 0) rows.unshift(noteRow("Opening, played by the referee"));
    if (game.opening > 0 && game.opening < this.moves.length) rows.splice(game.opening + 1, 0, noteRow("The players"));
    if (game.refused != null) rows.push(noteRow(`Refused: ${game.refused}`, "refused"));
    byId("moves").replaceChildren(...rows);
  }

  moveRow(move, ply) {
    const { game } = this;
    const made = ply - game.opening;
    const value = game.evals?.[made], depth = game.depths?.[made];
    const side = this.sides[ply] === BLACK ? "black" : "white";
    const button = make("button", { type: "button", class: "move", "aria-label": `Move ${ply + 1}, ${side} ${move === "pa" ? "passes" : move}` },
      make("span", { class: `disc ${side}`, "aria-hidden": "true" }), move === "pa" ? "pass" : move);
    button.addEventListener("click", () => this.choose(ply + 1));
    return make("tr", { class: made < 0 ? "opening" : undefined, "data-ply": ply + 1 },
      make("td", {}, String(ply + 1)),
      make("td", {}, button),
      make("td", {}, value == null ? "" : signed(value / 100, 2)),
      make("td", {}, depth == null ? "" : String(depth)),
      make("td", {}, made < 0 ? "" : (game.times[made] / 1e4).toFixed(3)));
  }

  /** Shows the position after so many moves. */
  show(move) {
    this.move = Math.max(0, Math.min(this.moves.length, Number.isInteger(move) || Math.abs(move) === Infinity ? move : 0));
    const position = this.positions[this.move];
    byId("board").replaceChildren(drawBoard(position, this.data.size));
    const [black, white] = count(position);
    byId("black-discs").textContent = black;
    byId("white-discs").textContent = white;
    byId("slider").value = this.move;
    byId("move-label").textContent = this.caption(position);
    byId("first").disabled = byId("back").disabled = this.move === 0;
    byId("forward").disabled = byId("last").disabled = this.move === this.moves.length;
    markMove(this.move);
    if (this.game.evals) {
      const choose = (ply) => this.choose(ply);
      byId("evals").replaceChildren(drawEvaluations(this.game, this.sides, this.move, this.data.size ** 2, choose));
    }
  }

  /** Shows a position and puts it in the address. */
  goTo(move) {
    this.show(move);
    // Many positions a second must not fill the history of the browser.
    history.replaceState(null, "", `#game=${this.game.number}&move=${this.move}`);
  }

  caption(position) {
    const side = position.side === BLACK ? "Black" : "White";
    const place = `Move ${this.move} of ${this.moves.length}`;
    const over = ![BLACK, WHITE].some((each) => canMove(position, this.data.size, each));
    if (over) return `${place}: game over`;
    if (this.move === this.moves.length) return `${place}: ${this.game.fault ? "forfeited" : this.game.ending} here`;
    if (this.move < this.game.opening) return `${place} (opening): ${side} to move`;
    return `${place}: ${side} to move`;
  }

  choose(move) {
    this.pause();
    this.goTo(move);
  }

  step(by) {
    this.choose(this.move + by);
  }

  togglePlay() {
    if (this.timer) return this.pause();
    if (this.move === this.moves.length) this.goTo(0);
    this.timer = setInterval(() => {
      this.goTo(this.move + 1);
      if (this.move === this.moves.length) this.pause();
    }, STEP_MS);
    this.showPlaying(true);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying(false);
  }

  showPlaying(playing) {
    byId("play").setAttribute("aria-pressed", String(playing));
  }

  openNeighbour(by) {
    const game = this.list.neighbour(this.game, by);
    if (!game) return;
    this.open(game);
    this.goTo(this.move);
  }

  key(event) {
    const { target } = event;
    const elsewhere = target.closest("input, select, textarea, .table-scroll") || !onScreen(byId("board"));
    if (!this.game || elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
    // Space presses a button, and scrolls a list, that has the focus.
    if (event.key === " " && target.closest("button, a, [tabindex='0']")) return;
    const actions = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      " ": () => this.togglePlay(),
    };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]();
  }
}

function noteRow(text, name = "note") {
  return make("tr", { class: name }, make("td", { colspan: 5 }, text));
}

/** Who won, and by how much. */
function resultText(data, game) {
  if (game.score === 0) return "Draw";
  const winner = game.score > 0 ? "Black" : "White";
  const name = data.players[game.players[game.score > 0 ? 0 : 1]];
  return `${name} (${winner}) won by ${Math.abs(game.score)}`;
}

/** How a game ended, in a sentence. */
function endingText(data, game) {
  if (game.ending === "played") {
    const fewer = data.reversed ? ", the fewest win" : "";
    return `played to the end, ${game.discs[0]} black and ${game.discs[1]} white discs${fewer}`;
  }
  if (game.ending === "adjudicated") return "adjudicated: the rest was solved exactly";
  const [by, detail] = game.fault;
  return `forfeit by ${by === "black" ? "Black" : "White"}, ${game.ending}${detail ? `: ${detail}` : ""}`;
}
