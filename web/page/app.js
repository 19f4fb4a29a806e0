// The page: one state, drawn after each change, and one job of the worker that follows from it.
import { BoardView } from "./board.js";
import { bookValues, openingName } from "./explorer.js";
import { GameState, newGame } from "./game.js";
import { saveSettings } from "./settings.js";
import { text } from "./text.js";
import { byId, drawAnalysis, drawBoard, drawMoves, drawPanels, keepFocus } from "./view.js";

const REVIEW_MILLISECONDS = 400;
/// An undo and another move drop so many moves. More can be brought back.
const MOST_DROPPED = 2;
/// An analysis that nobody looks at must not empty a battery.
const LONGEST_ANALYSIS = 60_000;

const blackScore = (score, side) => (side === "black" ? score : -score);
/// An offer to bring a game back must not give way to a game of a move or none.
const isWorthKeeping = (game) => game.moves.length > 2 || game.start !== null;
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
    /// Positions that a review has to search yet.
    this.reviewLeft = 0;
    /// Of the last position that was looked up in the book.
    this.openingKey = "";
    this.knownOpening = null;
    /// The game that can be brought back.
    this.replaced = null;
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

  /// The engine would move here if somebody told it to.
  get isWaiting() {
    const { position } = this.state;
    return this.isFree && this.tab !== "openings" && !position.over && !this.humanSides.includes(position.side);
  }

  get wantsValues() {
    return this.settings.values || (this.analysing && this.tab === "analysis");
  }

  // What users do

  playByHand(square) {
    const { position } = this.state;
    if (this.isEngineTurn || position.over) return this.announce(this.describeTurn());
    if (!position.legal.includes(square)) return this.announce(text.illegal(square));
    this.paused = false;
    byId("rules").open = false;
    this.play(square);
  }

  play(square) {
    this.stopReview();
    const before = this.state.game;
    const dropped = this.state.play(square);
    this.offerDropped(dropped, before);
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
    const before = this.state.at;
    this.state.goTo(at);
    if (this.state.at !== before) this.found = null;
    this.paused = false;
    this.paused = this.isEngineTurn;
    this.refresh(`${text.place(this.state.at, this.state.length)} ${this.describeTurn()}`);
  }

  resume() {
    this.stopReview();
    this.paused = false;
    this.dropFuture();
    this.refresh(this.describeTurn());
  }

  /// The engine moves from the position that is shown, so what followed is dropped.
  dropFuture() {
    const { state } = this;
    if (state.isAtEnd) return;
    this.offerDropped(state.length - state.at, state.game);
    state.load(state.until());
  }

  newGame() {
    this.load(newGame(this.settings.rules, this.settings.size), { message: text.newGameBegun, waits: false });
  }

  bringBack() {
    const game = this.replaced;
    this.hideNotice();
    this.load(game, { message: text.broughtBack });
  }

  /// Shows a game. The one before can be brought back.
  load(game, { message, isProblem = false, waits = true }) {
    this.stopReview();
    const before = this.state.game;
    this.state.load(game);
    Object.assign(this.settings, { rules: this.state.game.rules, size: this.state.game.size });
    // Perhaps the same position: its values come anew.
    Object.assign(this, { found: null, jobKey: "" });
    this.paused = false;
    this.paused = waits && this.isEngineTurn;
    if (isWorthKeeping(before) && JSON.stringify(before) !== JSON.stringify(this.state.game)) this.replaced = before;
    const isNoticed = isProblem || this.replaced !== null;
    if (isNoticed) this.notice(message);
    else this.hideNotice();
    this.refresh(isNoticed ? this.describeTurn() : `${message} ${this.describeTurn()}`);
  }

  offerDropped(moves, game) {
    if (moves <= MOST_DROPPED) return;
    this.replaced = game;
    this.notice(text.dropped(moves));
  }

  /// The worker has died. What asked for its work must not kill the next one at once.
  engineFailed(why, isRestarted) {
    Object.assign(this, { jobKey: "", analysing: false, paused: true, reviewLeft: 0 });
    this.settings.values = false;
    this.notice(isRestarted ? text.broken(why) : text.notStarted(why));
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
    this.refresh(text.valuesShown[this.settings.values ? "on" : "off"]);
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

  /// Screen readers are silent about a text that does not change, so a repeated one ends in a space that nobody hears.
  announce(message) {
    const announcer = byId("announcer");
    announcer.textContent = announcer.textContent === message ? `${message}\u00a0` : message;
  }

  /// The offer to bring a game back stays beside later messages, until somebody takes it or closes it.
  notice(message) {
    byId("notice-text").textContent = message;
    byId("bring-back").hidden = this.replaced === null;
    byId("notice").hidden = false;
  }

  hideNotice() {
    this.replaced = null;
    keepFocus(this.board, () => { byId("notice").hidden = true; });
  }

  // After each change

  refresh(message) {
    keepFocus(this.board, () => {
      drawBoard(this);
      drawPanels(this);
      drawMoves(this);
    });
    saveSettings(this.settings);
    this.showLink();
    if (message) this.announce(this.tab === "openings" && this.opening() ? `${message} ${openingName(this.opening().name)}.` : message);
    this.work();
  }

  showLink() {
    try {
      history.replaceState(null, "", this.state.link());
    } catch {
      // Some browsers limit how often an address may change. The next move brings it up to date.
    }
  }

  squareValues() {
    if (this.tab === "openings") return bookValues(this.opening());
    if (!this.wantsValues || !this.found || this.isEngineTurn) return new Map();
    return new Map(this.found.lines.map((line) => [line.moves[0], line.score]));
  }

  /// What the book knows of the position. Nothing on small boards and from other starts.
  opening() {
    const { game } = this.state;
    if (game.size !== 8 || game.start) return null;
    const key = this.state.until();
    if (JSON.stringify(key) !== this.openingKey) {
      this.openingKey = JSON.stringify(key);
      this.knownOpening = this.call({ request: "openings", game: key });
    }
    return this.knownOpening;
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
      drawBoard(this);
      drawMoves(this);
      if (this.tab === "analysis") drawAnalysis(this);
    });
  }

  review() {
    const { state } = this;
    if (this.reviewLeft) {
      this.stopReview();
      this.refresh();
      return;
    }
    if (state.length === 0) return;
    this.reviewLeft = state.length + 1;
    this.jobKey = "";
    this.worker.run({ kind: "review", game: state.game, milliseconds: REVIEW_MILLISECONDS }, ({ review, done }) => {
      this.reviewLeft = review.left;
      state.reviewed = review;
      state.values = new Map(review.curve);
      drawMoves(this);
      drawAnalysis(this);
      if (done) this.announce(text.reviewed);
      if (done) this.work();
    });
    drawAnalysis(this);
  }

  stopReview() {
    if (this.reviewLeft) this.worker.stop();
    this.reviewLeft = 0;
  }
}
