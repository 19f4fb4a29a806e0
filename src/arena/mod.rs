//! Matches between any engines, and results one can trust.
//!
//! [`run`] holds a match: it takes the [`schedule`] of games, lets [`player`]s play each [`game`] from one of the
//! [`openings`] under their [clocks](crate::clock), and keeps it in the [`journal`], from which [`statistics`] draws its
//! conclusions. [`compliance`] examines a single engine.

pub mod compliance;
mod error_log;
pub mod game;
mod gtp_player;
mod introduction;
pub mod journal;
mod nboard_player;
pub mod openings;
pub mod opponents;
pub mod player;
pub mod process;
pub mod record;
pub mod report;
pub mod run;
pub mod schedule;
pub mod spec;
pub mod statistics;
mod worker;
