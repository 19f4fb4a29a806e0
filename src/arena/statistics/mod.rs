//! What the games of a match say: pure functions of the games, without files or clocks.
//!
//! The unit of diagnostics is the *pair*: one opening played twice with colours swapped. Its two games are anything but
//! independent, as a lopsided opening gives one win to each player, so every interval, likelihood and test here counts
//! pairs, by the five scores that a pair can have (the *pentanomial*). A game whose twin is not finished counts among
//! wins, draws and losses and for ratings, and nowhere else.
//!
//! - [`pairs`]: outcomes, their tallies and the pentanomial;
//! - [`likelihood`]: the likelihood of a mean score given the pentanomial, from which the next two follow;
//! - [`elo`]: the Elo difference with its interval, and the likelihood of superiority;
//! - [`sprt`]: the sequential test;
//! - [`margin`]: the mean disc margin;
//! - [`head_to_head`]: all of that for one pairing, game by game;
//! - [`ratings`]: the maximum-likelihood rating list;
//! - [`summary`]: what one player did, with its time and its forfeits;
//! - [`standings`]: the whole match, game by game;
//! - [`table`] and [`mod@report`]: the same as text.

pub mod elo;
pub mod head_to_head;
pub mod likelihood;
pub mod margin;
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
pub use head_to_head::HeadToHead;
pub use margin::DiscMargins;
pub use numeric::Estimate;
pub use pairs::{GameResult, PairScore, Pentanomial, WinDrawLoss};
pub use report::{progress, report};
pub use sprt::{SequentialTest, Sprt, SprtDecision};
pub use standings::Standings;
pub use summary::{ForfeitCause, PlayerSummary, TimeStats};
