//! Ollehto: an engine for Reversed Reversi (the fewest discs win) and Othello.
//!
//! The modules depend on each other in one direction only:
//!
//! ```text
//! main → cli → lab → training → arena ─┐
//!          └─→ stdio, frontend ────────┴→ engine → search → tt, eval → rules → board
//! ```
//!
//! The features `cli`, `lab`, `training` and `arena` leave these parts out; without any of them this is the engine as a
//! library that calls nothing of the operating system.

pub mod arena;
pub mod bench;
pub mod board;
pub mod book;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod files;
pub mod frontend;
pub mod game;
pub mod lab;
mod memory;
pub mod notation;
mod numbers;
pub mod perft;
pub mod random;
pub mod rules;
pub mod score;
pub mod search;
pub mod selectivity;
pub mod solve;
pub mod stdio;
mod sync;
pub mod terminal;
pub mod time_source;
pub mod training;
pub mod tt;
