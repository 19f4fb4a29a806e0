//! Files of games to learn from: compact, checked, and merged by putting one after the other.
//!
//! A file is a sequence of [`block`]s, each with a header of its own and all that is needed to read it. A game in it is
//! the number of moves drawn at random at its beginning and then every move by its rank among the legal ones, in as few
//! bits as that takes: about 25 bytes a game. `docs/formats.md` describes every byte.

mod bits;
pub mod block;
pub mod file;
pub mod game;
pub mod reader;
pub mod summary;

#[cfg(test)]
mod tests;

pub use block::{Block, Settings};
pub use file::RecordFile;
pub use game::Game;
pub use reader::{Games, Reader, RecordError};
