// The game on the board: stepping, what each move was worth, and best lines to play out.

const STEP_MS = 900;
const SWIPE_PX = 40;

class Viewer {
  constructor(data) {
    this.data = data;
    this.game = null;
    this.move = 0;
    /** A best line that is played out: `{ from, moves, positions, at }`. */
    this.line = null;
    this.timer = null;
    const on = (id, action) => byId(id).addEventListener("click", action);
    on("first", () => this.step(-Infinity));
    on("back", () => this.step(-1));
    on("forward", () => this.step(1));
    on("last", () => this.step(Infinity));
    on("play", () => this.togglePlay());
    on("next-mistake", () => this.nextMistake());
    on("worst", () => this.worstMove());
    on("game-back", () => this.openNeighbour(-1));
    on("game-forward", () => this.openNeighbour(1));
    byId("slider").addEventListener("input", (event) => this.choose(Number(event.target.value)));
    byId("game-choice").addEventListener("change", (event) => this.openNumber(Number(event.target.value)));
    document.addEventListener("keydown", (event) => this.key(event));
    this.listenToSwipes();
    this.writeChooser();
  }

  writeChooser() {
    const { games } = this.data;
    byId("chooser").hidden = games.length < 2;
    byId("game-choice").replaceChildren(...games.map((game) =>
      make("option", { value: game.number }, `${game.number}: ${playerName(game, 0)} – ${playerName(game, 1)}${game.result ? `, ${game.result}` : ""}`)));
  }

  /** Shows a game at a move. */
  open(game, move = 0) {
    if (game !== this.game) {
      this.pause();
      this.game = game;
      this.moves = movesOf(game);
      this.positions = positionsOf({ starts: [game.start], size: game.size }, { start: 0, moves: game.moves });
      this.writeHead();
      this.writeMoves();
      drawSummaries(game);
    }
    this.line = null;
    this.show(move);
  }

  writeHead() {
    const { game } = this;
    const rules = game.rules === "reversed" ? "Reversed Reversi, the fewest discs win" : "Othello, the most discs win";
    byId("kicker").textContent = `${rules} · ${game.size}×${game.size}`;
    byId("heading").textContent = `${playerName(game, 0)} – ${playerName(game, 1)}`;
    const result = game.result ? `${game.result}, ${game.discs[0]} black and ${game.discs[1]} white discs.` : "The game is not over.";
    byId("lead").textContent = this.moves.length === 0 ? "A position." : `${placed(this.moves)} moves. ${result}`;
    byId("fault").hidden = !game.fault;
    byId("fault").textContent = game.fault ? `Analysed up to a fault: ${game.fault}` : "";
    byId("black-name").textContent = playerName(game, 0);
    byId("white-name").textContent = playerName(game, 1);
    byId("slider").max = this.moves.length;
    byId("game-choice").value = String(game.number);
    const at = this.data.games.indexOf(game);
    byId("game-back").disabled = at === 0;
    byId("game-forward").disabled = at === this.data.games.length - 1;
    byId("next-mistake").disabled = this.mistakes().length === 0;
    byId("worst").disabled = this.worstPly() == null;
  }

  writeMoves() {
    byId("moves").replaceChildren(...this.moves.map((move, ply) => this.moveRow(move, ply)));
  }

  moveRow(move, ply) {
    const review = this.game.reviews[ply];
    const side = this.positions[ply].side === BLACK ? "black" : "white";
    const judged = review && review.judgement !== "good" ? review.judgement : "";
    const number = numberOf(this.moves, ply);
    const spoken = `${number ? `Move ${number}, ` : ""}${side} ${move === "pa" ? "passes" : move}${judged ? `, ${judged}` : ""}`;
    const button = make("button", { type: "button", class: review?.turn ? "move turned" : "move", "aria-label": spoken },
      make("span", { class: `disc ${side}`, "aria-hidden": "true" }), moveName(move) + (review?.mark ?? ""));
    button.addEventListener("click", () => this.choose(ply + 1));
    const best = review?.loss > 0 ? moveName(movesOf(review.lines[0])[0]) : "";
    return make("tr", { class: judged || undefined, "data-ply": ply + 1 },
      make("td", {}, number),
      make("td", {}, button),
      make("td", {}, review ? valueText(review.value, review.exact) : ""),
      make("td", {}, review?.loss > 0 ? review.loss.toFixed(2) : ""),
      make("td", {}, best));
  }

  /** Shows the position after so many moves. */
  show(move) {
    const wanted = Number.isInteger(move) || Math.abs(move) === Infinity ? move : 0;
    this.move = Math.max(0, Math.min(this.moves.length, wanted));
    this.draw(this.positions[this.move]);
    byId("slider").value = this.move;
    const place = `Move ${placed(this.moves, this.move)} of ${placed(this.moves)}`;
    byId("move-label").textContent = place;
    byId("slider").setAttribute("aria-valuetext", place);
    byId("curve").replaceChildren(drawCurve(this.game, this.move, (ply) => this.choose(ply)));
    markMove(this.move);
    this.writeVerdict();
    this.enable(this.move, this.moves.length);
  }

  draw(position) {
    const { size } = this.game;
    const svg = drawBoard(position, size);
    byId("board").className = this.line ? "variation" : "";
    const [black, white] = count(position);
    byId("black-discs").textContent = black;
    byId("white-discs").textContent = white;
    if (!this.line) this.drawMarks(svg, position);
    byId("board").replaceChildren(svg);
  }

  /** The best moves of the position, and a ring around a bad move that led to it. */
  drawMarks(svg, position) {
    const { size } = this.game;
    const centre = (at) => ({ cx: EDGE + at % size * SQUARE + SQUARE / 2, cy: EDGE + Math.floor(at / size) * SQUARE + SQUARE / 2 });
    const made = this.game.reviews[this.move - 1];
    if (made && made.judgement !== "good" && position.placed >= 0) {
      svg.append(make("circle", { ...centre(position.placed), r: SQUARE * 0.44, class: `bad-mark ${made.judgement}` }));
    }
    const next = this.found(this.move);
    (next?.lines ?? []).forEach(({ value, moves }, index) => {
      if (moves.startsWith("pa")) return;
      const { cx, cy } = centre(squareOf(moves.slice(0, 2), size));
      if (index === 0) svg.append(make("circle", { cx, cy, r: SQUARE * 0.4, class: "best-mark" }));
      svg.append(make("text", { x: cx, y: cy + 4, class: "best-value" }, valueText(value, next.exact, 1)));
    });
  }

  /** What was found in the position after so many moves. */
  found(move) {
    return move < this.moves.length ? this.game.reviews[move] : this.game.last;
  }

  writeVerdict() {
    const made = this.game.reviews[this.move - 1];
    const box = byId("verdict");
    box.className = `verdict ${made?.judgement ?? ""}`;
    const parts = [];
    if (this.move > 0) parts.push(...this.aboutMove(made));
    const next = this.found(this.move);
    const side = this.positions[this.move].side === BLACK ? "Black" : "White";
    if (next) {
      parts.push(make("p", { class: "how" }, `${side} to move; the best ${next.lines.length > 1 ? "moves" : "line"}, ${howText(next)}:`), this.lineButtons(next, this.move));
    } else if (this.move === this.moves.length && this.game.result) {
      parts.push(make("p", {}, `${this.game.result}.`));
    } else if (this.move === 0) {
      parts.push(make("p", {}, "This position is not analysed yet."));
    }
    box.replaceChildren(...parts);
  }

  /** The move that led here: its judgement, and what was better. */
  aboutMove(made) {
    const name = moveName(this.moves[this.move - 1]);
    const side = this.positions[this.move - 1].side === BLACK ? "Black" : "White";
    const what = make("p", { class: "what" }, `${numbered(this.moves, this.move - 1)}${side} ${name} `);
    if (!made) return [what, make("p", {}, "This move is not analysed yet.")];
    what.append(make("span", { class: `judged ${made.judgement}` }, made.judgement === "good" ? "" : `${made.mark} ${made.judgement}`));
    const turn = made.turn ? ` The game turns: ${made.turn}.` : "";
    if (made.loss === 0) {
      return [what, make("p", {}, `Worth ${valueText(made.value, made.exact)}: no move is better.${turn}`)];
    }
    return [what,
      make("p", {}, `Worth ${valueText(made.value, made.exact)}, ${made.loss.toFixed(2)} less than the best move.${turn}`),
      make("p", { class: "how" }, `Better, ${howText(made)}:`),
      this.lineButtons(made, this.move - 1)];
  }

  lineButtons(found, from) {
    return make("div", { class: "best-lines" }, ...found.lines.map((line) => {
      const moves = movesOf(line);
      const shown = moves.slice(0, 10).map(moveName).join(" ") + (moves.length > 10 ? " …" : "");
      const button = make("button", { type: "button", class: "best-line", title: "Play this line out on the board" },
        make("b", {}, valueText(line.value, found.exact)), make("span", {}, shown));
      button.addEventListener("click", () => this.openLine(from, moves));
      return button;
    }));
  }

  /** Plays a line out from the position after `from` moves. */
  openLine(from, moves) {
    this.pause();
    const positions = [this.positions[from]];
    for (const move of moves) positions.push(after(positions.at(-1), move, this.game.size));
    this.line = { from, moves, positions, at: 1 };
    this.showLine();
  }

  showLine() {
    const { line } = this;
    this.draw(line.positions[line.at]);
    byId("move-label").textContent = `Best line after move ${placed(this.moves, line.from)}: ${line.at} of ${line.moves.length}`;
    const moves = line.moves.flatMap((move, index) => {
      const name = moveName(move);
      return [index === line.at - 1 ? make("b", {}, name) : name, " "];
    });
    const back = make("button", { type: "button" }, "Back to the game");
    back.addEventListener("click", () => this.leaveLine());
    byId("verdict").className = "verdict in-line";
    byId("verdict").replaceChildren(
      make("p", { class: "what" }, `Best line instead of the game`), make("p", {}, ...moves), make("p", {}, back));
    this.enable(line.at, line.moves.length);
  }

  leaveLine() {
    this.line = null;
    this.show(this.move);
  }

  enable(at, length) {
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("forward").disabled = byId("last").disabled = at === length;
  }

  /** Shows a position and puts it in the address. */
  goTo(move) {
    this.show(move);
    // Many positions a second must not fill the history of the browser.
    history.replaceState(null, "", `#game=${this.game.number}&move=${this.move}`);
  }

  choose(move) {
    this.pause();
    this.line = null;
    this.goTo(move);
  }

  /** Steps in the best line if one is played out, else in the game. */
  step(by) {
    if (!this.line) return this.choose(this.move + by);
    this.pause();
    this.line.at = Math.max(0, Math.min(this.line.moves.length, this.line.at + by));
    this.showLine();
  }

  /** The plies of bad moves. */
  mistakes() {
    return this.game.reviews.flatMap((review, ply) => (review && review.judgement !== "good" ? [ply + 1] : []));
  }

  /** The next one, or the first one behind the last. */
  nextMistake() {
    const mistakes = this.mistakes();
    const next = mistakes.find((ply) => ply > this.move) ?? mistakes[0];
    if (next != null) this.choose(next);
  }

  worstPly() {
    const worst = this.game.players.map((player) => player.worst).filter((ply) => ply != null);
    return worst.sort((one, other) => this.game.reviews[other - 1].loss - this.game.reviews[one - 1].loss)[0];
  }

  worstMove() {
    const worst = this.worstPly();
    if (worst != null) this.choose(worst);
  }

  /** What would have been better than the last move, or else the best line of the position. */
  playBest() {
    const made = this.game.reviews[this.move - 1];
    const [found, from] = made?.loss > 0 ? [made, this.move - 1] : [this.found(this.move), this.move];
    if (found?.lines.length) this.openLine(from, movesOf(found.lines[0]));
  }

  togglePlay() {
    if (this.timer) return this.pause();
    const isAtEnd = () => (this.line ? this.line.at === this.line.moves.length : this.move === this.moves.length);
    if (isAtEnd() && !this.line) this.goTo(0);
    this.timer = setInterval(() => {
      if (this.line) {
        this.line.at = Math.min(this.line.moves.length, this.line.at + 1);
        this.showLine();
      } else {
        this.goTo(this.move + 1);
      }
      if (isAtEnd()) this.pause();
    }, STEP_MS);
    byId("play").setAttribute("aria-pressed", "true");
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    byId("play").setAttribute("aria-pressed", "false");
  }

  openNeighbour(by) {
    const game = this.data.games[this.data.games.indexOf(this.game) + by];
    if (game) this.openNumber(game.number);
  }

  openNumber(number) {
    this.open(this.data.games.find((game) => game.number === number));
    this.goTo(this.move);
  }

  listenToSwipes() {
    let start = null;
    byId("board").addEventListener("touchstart", (event) => { start = event.touches[0].clientX; }, { passive: true });
    byId("board").addEventListener("touchend", (event) => {
      const by = event.changedTouches[0].clientX - (start ?? event.changedTouches[0].clientX);
      if (Math.abs(by) > SWIPE_PX) this.step(by < 0 ? 1 : -1);
      start = null;
    });
  }

  key(event) {
    const { target } = event;
    const elsewhere = target.closest("input, select, textarea") || !onScreen(byId("board"));
    if (elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
    // Space presses a button, and scrolls a list, that has the focus.
    if (event.key === " " && target.closest("button, a, [tabindex='0']")) return;
    const actions = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      " ": () => this.togglePlay(),
      n: () => this.nextMistake(),
      w: () => this.worstMove(),
      b: () => this.playBest(),
      Escape: () => this.line && this.leaveLine(),
    };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]();
  }
}

/** How many of the first moves are no passes. */
function placed(moves, count = moves.length) {
  return moves.slice(0, count).filter((move) => move !== "pa").length;
}

/** The number of a move: from 1, without passes, which have none. */
function numberOf(moves, ply) {
  return moves[ply] === "pa" ? "" : String(placed(moves, ply) + 1);
}

function numbered(moves, ply) {
  const number = numberOf(moves, ply);
  return number && `${number}. `;
}

/** A value in discs, whole if it is exact. */
function valueText(value, exact, decimals = 2) {
  return signed(value, exact ? 0 : decimals);
}

function howText(found) {
  return found.exact ? "solved exactly" : `depth ${found.depth}`;
}
