//! The laboratory: experiments of the founding reports, repeated by the right rules and with many more samples.
//!
//! Every experiment gives [`Sheet`]s: tables with our figures, how many samples they rest on, their 95 % intervals, and
//! what the reports say beside them. Chance comes from a seed alone, so an experiment without a clock can be repeated to
//! the last digit. `docs/laboratory.md` tells what was found.

pub mod breadth;
pub mod chart;
pub mod colour;
pub mod depth;
pub mod evaluations;
pub mod features;
pub mod games;
pub mod generations;
pub mod loss;
pub mod measures;
pub mod published;
pub mod search;
pub mod sheet;
pub mod speed;
pub mod statistics;
mod strong;
pub mod tree;
pub mod tune;
pub mod win_rate;
mod work;

use std::fmt;

pub use sheet::Sheet;

use crate::arena::opponents;

use games::{Contestant, ENGINE};

/// Random plies that games between different players begin with.
const OPENING_PLIES: u32 = 6;

/// From how many empty squares on the random mover of the Monte-Carlo measure plays perfectly.
const PERFECT: u8 = 12;

/// Random moves that games of strong play begin with where positions after them are counted.
const STRONG_RANDOM: (u8, u8) = (0, 12);

/// There is no player of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPlayer(String);

impl fmt::Display for UnknownPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no player '{}': give {ENGINE}, {}", self.0, opponents::NAMES.join(", "))
    }
}

impl std::error::Error for UnknownPlayer {}

/// The players of these names.
fn contestants(names: &[String]) -> Result<Vec<Contestant>, UnknownPlayer> {
    names.iter().map(|name| Contestant::named(name).ok_or_else(|| UnknownPlayer(name.clone()))).collect()
}

/// The names of all players, the weakest first.
pub fn players() -> impl Iterator<Item = &'static str> {
    opponents::NAMES.into_iter().chain([ENGINE])
}
