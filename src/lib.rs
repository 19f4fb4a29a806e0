//! Ollehto: an engine for Reversed Reversi (the fewest discs win) and Othello.

pub mod board;
pub mod eval;
pub mod game;
pub mod rules;
pub mod score;
pub mod search;
pub mod tt;
