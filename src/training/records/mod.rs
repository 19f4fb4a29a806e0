//! Recorded games for training: compact, checked, and merged with `cat`.
//!
//! A file is a sequence of [`block`]s, each with a header of its own. A game takes about 45 bytes. `docs/formats.md`
//! describes every byte.

mod bits;
pub mod block;
pub mod export;
pub mod file;
pub mod game;
pub mod settings;
pub mod summary;

#[cfg(test)]
mod tests;

pub use block::{Block, FormatVersion};
pub use file::{BlockReader, RecordFile, RecordFileError};
pub use game::{SearchValue, TrainingGame, TrainingPosition};
pub use settings::SelfplaySettings;
