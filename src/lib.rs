//! Ollehto: an engine for Reversed Reversi (the fewest discs win) and Othello.

pub mod board;
pub mod game;
pub mod rules;
pub mod score;
