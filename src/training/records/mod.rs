//! Recorded games for training: compact, checked, and merged with `cat`.
//!
//! A file is a sequence of [`block`]s, each with a header of its own. A game takes about 25 bytes. `docs/formats.md`
//! describes every byte.

pub mod block;
pub mod file;
pub mod game;
pub mod summary;

#[cfg(test)]
mod tests;

pub use block::{Block, SelfplaySettings};
pub use file::{BlockReader, RecordFile, RecordFileError};
pub use game::TrainingGame;
