//! Opening books. `ollehto book build` makes them.

#[allow(clippy::module_inception, reason = "the file of the type `Book`")]
mod book;
mod file;
mod names;
mod player;
#[cfg(test)]
mod tests;

pub use book::{Book, BookSettings, ScoredMove};
pub use file::{BookError, FormatError};
pub use names::{Family, OpeningName, OpeningNames};
pub use player::{BookMove, BookPlayer, BookSource, DEFAULT_VARIETY};
