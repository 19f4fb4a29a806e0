// The page: one state, drawn after each change, and one job of the worker that follows from it.
import { BoardView } from "./board.js";
import { analysisMarkup } from "./analysis.js";
import { curveMarkup } from "./curve.js";
import { bookValues, explorerMarkup } from "./explorer.js";
import { GameState, newGame } from "./game.js";
import { movesMarkup } from "./moves.js";
import { reviewMarkup } from "./review.js";
import { saveSettings } from "./settings.js";
import { text } from "./text.en.js";

const REVIEW_MILLISECONDS = 400;
/// An undo and another move drop so many moves. More can be brought back.
const MOST_DROPPED = 2;
/// An analysis that nobody looks at must not empty a battery.
const LONGEST_ANALYSIS = 60_000;

export const byId = (id) => document.getElementById(id);
const blackScore = (score, side) => (side === "black" ? score : -score);
const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

export class App {
  constructor({ call, worker }, settings, strengths) {
    Object.assign(this, { call, worker, settings, strengths });
    this.tab = "game";
    this.analysing = false;
    /// The engine waits: the position was loaded or walked to.
    this.paused = false;
    /// The last iteration for the position that is shown.
    this.found = null;
    this.jobKey = "";
    this.previous = null;
    this.state = new GameState(call, newGame(settings.rules, settings.size));
    this.board = new BoardView(byId("board"), {
      onPlay: (square) => this.playByHand(square),
      onKey: (key) => this.boardKey(key),
    });
  }

  // Who does what

  get humanSides() {
    return { black: ["black"], white: ["white"], both: ["black", "white"], none: [] }[this.settings.players];
  }

  /// One person plays against the engine.
  get isDuel() {
    return this.humanSides.length === 1 && !this.paused && this.tab !== "openings";
  }

  /// Both sides are moved by hand.
  get isFree() {
    return this.paused || this.tab === "openings" || !this.state.isAtEnd;
  }

  get isEngineTurn() {
    const { position } = this.state;
    return !position.over && !this.isFree && !this.humanSides.includes(position.side);
  }

  get wantsValues() {
    return this.settings.values || (this.analysing && this.tab === "analysis");
  }

  // What users do

  playByHand(square) {
    const { position } = this.state;
    if (this.isEngineTurn || !position.legal.includes(square)) return;
    this.paused = false;
    byId("rules").open = false;
    this.play(square);
  }

  play(square) {
    const before = this.state.game;
    const dropped = this.state.play(square);
    if (dropped > MOST_DROPPED) this.offerBack(text.dropped(dropped), before);
    const step = this.state.lastStep;
    this.found = null;
    this.refresh(`${text.played(step.side, step.move, step.flips.length)} ${this.describeTurn()}`);
  }

  /// Where undo goes: before the last move of a person, if the engine plays.
  undoTarget() {
    const { state } = this;
    if (!this.isDuel) return state.at - 1;
    const isOwn = (at) => this.humanSides.includes(state.view.positions[at].side);
    let at = state.at - 1;
    while (at > 0 && !isOwn(at)) at -= 1;
    return at;
  }

  redoTarget() {
    const { state } = this;
    if (!this.isDuel) return state.at + 1;
    const isOwn = (at) => this.humanSides.includes(state.view.positions[at].side);
    let at = state.at + 1;
    while (at < state.length && !isOwn(at)) at += 1;
    return at;
  }

  undo() {
    if (this.state.at > 0) this.goTo(this.undoTarget());
  }

  redo() {
    if (!this.state.isAtEnd) this.goTo(this.redoTarget());
  }

  goTo(at) {
    this.state.goTo(at);
    this.found = null;
    this.paused = false;
    this.paused = this.isEngineTurn;
    this.refresh(`${text.undone(this.state.at)} ${this.describeTurn()}`);
  }

  resume() {
    this.paused = false;
    this.dropFuture();
    this.refresh(this.describeTurn());
  }

  /// The engine moves from the position that is shown, so what followed is dropped.
  dropFuture() {
    if (!this.state.isAtEnd) this.state.load(this.state.until());
  }

  newGame() {
    this.load(newGame(this.settings.rules, this.settings.size), { waits: false });
  }

  /// Shows a game. The one before can be brought back.
  load(game, { waits = true } = {}) {
    const before = this.state.game;
    const worthKeeping = before.moves.length > 2 && before.moves !== game.moves;
    this.state.load(game);
    Object.assign(this.settings, { rules: this.state.game.rules, size: this.state.game.size });
    this.found = null;
    this.paused = false;
    this.paused = waits && this.isEngineTurn;
    this.hideNotice();
    if (worthKeeping) this.offerBack(text.replaced, before);
    this.refresh(this.describeTurn());
  }

  offerBack(message, game) {
    this.notice(message, { label: text.bringBack, run: () => this.load(game) });
  }

  /// The worker has died and been started again. What asked for its work must not kill it again at once.
  engineFailed(why) {
    Object.assign(this, { jobKey: "", analysing: false, paused: true, reviewLeft: 0 });
    this.settings.values = false;
    this.notice(text.broken(why));
    this.refresh();
  }

  boardKey(key) {
    const actions = {
      u: () => this.undo(), r: () => this.redo(), n: () => this.newGame(), v: () => this.toggleValues(),
    };
    const action = actions[key.toLowerCase()];
    action?.();
    return Boolean(action);
  }

  toggleValues() {
    this.settings.values = !this.settings.values;
    this.refresh();
  }

  toggleAnalysis() {
    this.analysing = !this.analysing;
    this.refresh();
  }

  showTab(tab) {
    this.tab = tab;
    if (tab === "analysis") this.analysing = true;
    this.refresh();
  }

  // Texts

  describeTurn() {
    const { position, view } = this.state;
    const passed = position.passed ? `${text.passed(position.passed)} ` : "";
    if (position.over) return this.describeResult(view.result ?? 0, position);
    if (this.isEngineTurn) return passed + text.thinking(position.side);
    const own = this.isDuel && this.humanSides.includes(position.side);
    return passed + (own ? text.yourTurn(position.side) : text.turn(position.side));
  }

  describeResult(result, { black, white }) {
    const own = this.humanSides.length === 1 ? blackScore(result, this.humanSides[0]) : 0;
    const verdict = own > 0 ? `${text.youWin} ` : own < 0 ? `${text.youLose} ` : "";
    return verdict + text.result(result, black, white);
  }

  announce(message) {
    byId("announcer").textContent = message;
  }

  notice(message, action = null) {
    byId("notice-text").textContent = message;
    const button = byId("notice-action");
    button.hidden = action === null;
    button.textContent = action?.label ?? "";
    button.onclick = () => { this.hideNotice(); action?.run(); };
    byId("notice").hidden = false;
  }

  hideNotice() {
    byId("notice").hidden = true;
  }

  // Drawing

  refresh(message) {
    this.drawBoard();
    this.drawPanels();
    this.drawMoves();
    saveSettings(this.settings);
    this.showLink();
    if (message) this.announce(message);
    this.work();
  }

  showLink() {
    try {
      history.replaceState(null, "", this.state.link());
    } catch {
      // Some browsers limit how often an address may change. The next move brings it up to date.
    }
  }

  drawBoard() {
    const { state } = this;
    const { position } = state;
    const values = this.squareValues();
    this.board.show({
      position, values, exact: this.tab !== "openings" && this.found?.exact, best: values.size > 0 ? Math.max(...values.values()) : undefined,
      last: state.lastStep?.move, playable: !this.isEngineTurn && !position.over,
      rules: state.game.rules, size: state.game.size,
    });
    const looking = state.isAtEnd ? "" : ` ${text.looking(state.at, state.length)}`;
    byId("status").textContent = this.describeTurn() + looking;
    byId("resume").hidden = !(this.isFree && this.tab !== "openings" && !position.over && this.humanSides.length < 2
      && !this.humanSides.includes(position.side));
    byId("goal").textContent = text.goal[state.game.rules];
    for (const side of ["black", "white"]) {
      const player = byId(`player-${side}`);
      player.classList.toggle("on-turn", !position.over && position.side === side);
      player.querySelector(".count").textContent = position[side];
      const role = this.humanSides.length === 2 ? "" : this.humanSides.includes(side) ? text.you : text.engine;
      player.querySelector(".who").textContent = role ? `${text.sides[side]} · ${role}` : text.sides[side];
    }
    byId("undo").disabled = state.at === 0;
    byId("redo").disabled = state.isAtEnd;
    byId("values").setAttribute("aria-pressed", String(this.settings.values));
  }

  squareValues() {
    if (this.tab === "openings") return bookValues(this.opening());
    if (!this.wantsValues || !this.found || this.isEngineTurn) return new Map();
    return new Map(this.found.lines.map((line) => [line.moves[0], line.score]));
  }

  opening() {
    const { game } = this.state;
    if (game.size !== 8 || game.start) return null;
    return this.call({ request: "openings", game: this.state.until() });
  }

  drawPanels() {
    const { game } = this.state;
    for (const tab of ["game", "analysis", "openings"]) {
      const chosen = tab === this.tab;
      byId(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
      byId(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
      byId(`panel-${tab}`).hidden = !chosen;
    }
    for (const name of ["rules", "size", "players"]) {
      const wanted = String(name === "players" ? this.settings.players : game[name]);
      for (const input of document.getElementsByName(name)) input.checked = input.value === wanted;
    }
    byId("strength").value = this.settings.strength;
    this.drawStrength(this.settings.strength);
    byId("rules-text").innerHTML = text.rules[game.rules].map((sentence) => `<li>${sentence}</li>`).join("");
    byId("analyse").setAttribute("aria-pressed", String(this.analysing));
    if (this.tab === "openings") byId("openings").innerHTML = explorerMarkup(this.opening(), game);
    if (this.tab === "analysis") this.drawAnalysis();
  }

  drawAnalysis() {
    const { position } = this.state;
    byId("lines").hidden = position.over || !this.found;
    const wait = position.over ? text.gameOver : this.found ? text.facts(this.found) : text.valueHelp;
    byId("search-facts").textContent = this.reviewLeft ? text.reviewing(this.reviewLeft) : wait;
    if (this.found) byId("lines").tBodies[0].innerHTML = analysisMarkup(this.found, this.settings.lines);
    byId("review").disabled = this.state.length === 0;
    byId("judged").innerHTML = reviewMarkup(this.state);
  }

  drawStrength(step) {
    const name = this.strengths.name(step);
    byId("strength-name").textContent = name;
    byId("strength").setAttribute("aria-valuetext", name);
  }

  drawMoves() {
    const { state } = this;
    byId("moves").innerHTML = movesMarkup(state);
    this.scrollMoves();
    byId("curve").innerHTML = curveMarkup(state.values, state.length, state.at);
  }

  /// Keeps the present move in sight without moving the page.
  scrollMoves() {
    const list = byId("moves");
    const place = list.querySelector("[aria-current]")?.offsetTop ?? 0;
    if (place < list.scrollTop || place > list.scrollTop + list.clientHeight - 40) list.scrollTop = place - 40;
  }

  // The worker's job

  lineCount() {
    const legal = this.state.position.legal.length;
    const wanted = this.settings.lines === "all" || this.settings.values ? legal : Number(this.settings.lines);
    return Math.max(1, Math.min(legal, wanted));
  }

  /// Gives the worker what the state asks for, unless it is at it.
  work() {
    if (this.reviewLeft) return;
    const { state } = this;
    const game = state.until();
    if (this.isEngineTurn) {
      this.runOnce(`play ${this.settings.strength} ${JSON.stringify(game)}`, () => this.think(game));
    } else if (this.wantsValues && this.tab !== "openings" && !state.position.over) {
      const lines = this.lineCount();
      this.runOnce(`analyse ${lines} ${JSON.stringify(game)}`, () => this.analyse(game, lines));
    } else if (this.jobKey) {
      this.jobKey = "";
      this.worker.stop();
    }
  }

  runOnce(key, run) {
    if (key === this.jobKey) return;
    this.jobKey = key;
    run();
  }

  think(game) {
    const limits = this.strengths.limits(this.settings.strength);
    this.worker.run({ kind: "play", game, seed: randomSeed(), ...limits }, ({ move }) => {
      if (move && this.isEngineTurn) this.play(move);
    });
  }

  analyse(game, lines) {
    const { side } = this.state.position;
    const { at } = this.state;
    this.worker.run({ kind: "analyse", game, lines, milliseconds: LONGEST_ANALYSIS }, ({ iteration }) => {
      if (!iteration.lines.length) return;
      const speed = iteration.milliseconds > 200 ? iteration.nodes / iteration.milliseconds / 1000 : null;
      this.found = { ...iteration, speed };
      this.state.values.set(at, blackScore(iteration.lines[0].score, side));
      this.drawBoard();
      this.drawMoves();
      if (this.tab === "analysis") this.drawAnalysis();
    });
  }

  review() {
    const { state } = this;
    this.reviewLeft = state.length + 1;
    this.jobKey = "";
    this.worker.run({ kind: "review", game: state.game, milliseconds: REVIEW_MILLISECONDS }, ({ review, done }) => {
      this.reviewLeft = review.left;
      state.reviewed = review;
      state.values = new Map(review.curve);
      this.drawMoves();
      this.drawAnalysis();
      if (done) this.announce(text.reviewed);
      if (done) this.work();
    });
    this.drawAnalysis();
  }

  stopReview() {
    if (this.reviewLeft) this.worker.stop();
    this.reviewLeft = 0;
  }
}
