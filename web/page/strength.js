// How strong the engine plays.
import { text } from "./text.js";

/// Time for a move, in milliseconds. A weaker player needs less.
const MOVE_TIME = 1500;
const DEFAULT_RATING = 1400;

/// The steps of the slider: the ratings that the engine can play at, then its full strength.
export class Strengths {
  constructor(ratings) {
    this.ratings = ratings;
  }

  get last() {
    return this.ratings.length;
  }

  get usual() {
    return this.ratings.indexOf(DEFAULT_RATING);
  }

  has(step) {
    return Number.isInteger(step) && step >= 0 && step <= this.last;
  }

  name(step) {
    return text.strengthName(this.ratings[step], this.ratings.at(0));
  }

  /// What the worker is told.
  limits(step) {
    return { elo: this.ratings[step], milliseconds: MOVE_TIME };
  }
}
