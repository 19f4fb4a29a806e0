// The game on the page: its moves, the place that is shown, and who plays.

const pairs = (moves) => moves.match(/../g) ?? [];

export class GameState {
  constructor(call, game) {
    this.call = call;
    this.load(game);
  }

  /// Shows the end of a game.
  load(game) {
    const view = this.call({ request: "game", game });
    this.game = view.game;
    this.view = view;
    this.at = view.steps.length;
    /// What an analysis has found out, by move.
    this.values = new Map();
    this.reviewed = null;
  }

  get length() {
    return this.view.steps.length;
  }

  get position() {
    return this.view.positions[this.at];
  }

  /// The last move before the position that is shown.
  get lastStep() {
    return this.at > 0 ? this.view.steps[this.at - 1] : null;
  }

  get isAtEnd() {
    return this.at === this.length;
  }

  /// The game up to a position.
  until(at = this.at) {
    return { ...this.game, moves: pairs(this.game.moves).slice(0, at).join("") };
  }

  /// Plays a legal move where the game is shown. The moves that followed are dropped unless it is the next of them.
  /// Returns how many.
  play(move) {
    const isNext = this.view.steps[this.at]?.move === move;
    const dropped = isNext ? 0 : this.length - this.at;
    if (!isNext) {
      const { game, ...view } = this.call({ request: "game", game: { ...this.until(), moves: this.until().moves + move } });
      this.game = game;
      this.view = { game, ...view };
      for (const at of [...this.values.keys()]) if (at > this.at) this.values.delete(at);
      this.reviewed = null;
    }
    this.at += 1;
    return dropped;
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(this.length, at));
  }

  link() {
    return `#${this.call({ request: "write-link", game: this.game }).link}`;
  }
}

/// A new game with the usual start.
export const newGame = (rules, size) => ({ rules, size, start: null, moves: "" });
