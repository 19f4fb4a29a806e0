//! Ollehto: an engine for Reversed Reversi (the fewest discs win) and Othello.
//!
//! The modules depend on each other in one direction only:
//!
//! ```text
//! main → cli → tools → report → referee → opponents ─┐
//!          └─→ stdio, frontend ───────────────────────┴→ engine → search → tt, eval → rules → board
//!     tools → records ────────────────────────────────────────────────────────────→ rules
//!     tools, frontend → book ─────────────────────────────────────────────────────→ rules
//! ```

pub mod board;
pub mod book;
pub mod certainty;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod frontend;
pub mod game;
mod memory;
pub mod notation;
mod numbers;
pub mod opponents;
pub mod output;
pub mod random;
pub mod records;
pub mod referee;
pub mod report;
pub mod rules;
pub mod score;
pub mod search;
pub mod stdio;
mod sync;
pub mod time_source;
pub mod tools;
pub mod tt;
