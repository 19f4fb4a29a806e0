//! Statistics of a match: pure functions of its games.
//!
//! The unit is the *pair*: one opening played twice with colours swapped. Its games depend on each other (a lopsided
//! opening gives one win to each player), so all intervals, likelihoods and tests count pairs by their five possible
//! scores, the *pentanomial*. A game of an incomplete pair counts for wins, draws, losses and ratings only.

pub mod elo;
pub mod head_to_head;
pub mod numeric;
pub mod pairs;
pub mod ratings;
pub mod report;
pub mod sprt;
pub mod standings;
pub mod summary;

#[cfg(test)]
mod tests;

pub use elo::Elo;
pub use head_to_head::{DiscMargins, HeadToHead};
pub use numeric::Estimate;
pub use pairs::{GameResult, PairScore, Pentanomial, WinDrawLoss};
pub use report::{progress, report};
pub use sprt::{SequentialTest, Sprt, SprtDecision};
pub use standings::Standings;
pub use summary::{ForfeitCause, PlayerSummary, TimeStats};
