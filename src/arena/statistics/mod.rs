//! What the games of a match say: pure functions of the games, without files or clocks.
//!
//! The unit of evidence is the *pair*: one opening played twice with colours swapped. Its two games are anything but
//! independent, as a lopsided opening gives one win to each player, so every interval, likelihood and test here counts
//! pairs, by the five scores that a pair can have (the *pentanomial*). A game whose twin is not finished counts among
//! wins, draws and losses and for ratings, and nowhere else.
//!
//! - [`pairs`]: outcomes, their tallies and the pentanomial;
//! - [`likelihood`]: the likelihood of a mean score given the pentanomial, from which the next two follow;
//! - [`elo`]: the Elo difference with its interval, and the likelihood of superiority;
//! - [`sprt`]: the sequential test;
//! - [`margin`]: the mean disc margin;
//! - [`duel`]: all of that for one pairing, game by game;
//! - [`ratings`]: the maximum-likelihood rating list;
//! - [`summary`]: what one player did, with its time and its forfeits;
//! - [`standings`]: the whole match, game by game;
//! - [`table`] and [`mod@report`]: the same as text.

pub mod duel;
pub mod elo;
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

pub use duel::Duel;
pub use elo::Elo;
pub use margin::Margins;
pub use numeric::Estimate;
pub use pairs::{Outcome, PairScore, Pentanomial, Tally};
pub use report::{progress, report};
pub use sprt::{SequentialTest, Sprt, Verdict};
pub use standings::Standings;
pub use summary::{Cause, PlayerSummary, TimeUse};
