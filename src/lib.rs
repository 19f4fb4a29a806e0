//! Ollehto: an engine for Reversed Reversi (the fewest discs win) and Othello.
