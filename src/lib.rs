//! Ollehto: an engine for Reversed Reversi (the fewest discs win) and Othello.
//!
//! The modules depend on each other in one direction only:
//!
//! ```text
//! main → cli → lab → training → arena ─┐
//!          └─→ play, stdio, frontend ──┴→ engine, review → search → tt, eval → rules → board
//! ```
//!
//! The features `cli`, `play`, `lab`, `training` and `arena` leave these parts out; without any of them this is the engine as a
//! library that calls nothing of the operating system.

#![cfg_attr(not(feature = "lab"), allow(dead_code, reason = "some helpers serve only the parts left out"))]

#[cfg(feature = "commands")]
pub mod analyze;
#[cfg(feature = "arena")]
pub mod arena;
pub mod bench;
pub mod board;
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
pub mod clock;
pub mod engine;
pub mod eval;
#[cfg(feature = "commands")]
pub mod files;
pub mod frontend;
pub mod game;
pub mod game_reader;
#[cfg(feature = "lab")]
pub mod lab;
mod memory;
pub mod notation;
#[cfg(feature = "commands")]
mod numbers;
pub mod os;
#[cfg(feature = "commands")]
mod page;
pub mod perft;
#[cfg(feature = "play")]
pub mod play;
pub mod random;
pub mod review;
pub mod rules;
pub mod score;
pub mod search;
pub mod selectivity;
#[cfg(feature = "commands")]
pub mod shard;
#[cfg(feature = "commands")]
pub mod solve;
pub mod stdio;
#[cfg(feature = "commands")]
mod svg;
mod sync;
#[cfg(feature = "commands")]
pub mod terminal;
mod threads;
pub mod time_source;
#[cfg(feature = "training")]
pub mod training;
pub mod tt;
