//! Opening books. `ollehto book build` makes them.

#[allow(clippy::module_inception, reason = "the file of the type `Book`")]
mod book;
mod file;
mod player;
#[cfg(test)]
mod tests;

pub use book::{Book, BookSettings, ScoredMove};
pub use file::{BookError, FormatError};
pub use player::{BookMove, BookPlayer, BookSource, DEFAULT_VARIETY};
