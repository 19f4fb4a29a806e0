//! Matches between engines.
//!
//! [`run`] plays a match: [`player`]s play each [`game`] of the [`schedule`] from one of the [`openings`] under their
//! [clocks](crate::clock). The [`journal`] keeps the games, [`statistics`] and the [`report`] evaluate them.
//! [`compliance`] tests a single engine.

pub mod compliance;
pub mod config;
mod decided;
pub mod game;
mod ggf;
mod gtp_player;
mod handshake;
pub mod journal;
mod nboard_player;
pub mod openings;
pub mod opponents;
pub mod orphans;
pub mod player;
mod process;
pub mod report;
pub mod run;
pub mod schedule;
pub mod spec;
pub mod statistics;
mod stderr;
mod uci_player;
mod worker;
