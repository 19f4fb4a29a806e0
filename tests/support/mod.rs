//! What the integration tests share: rules of their own, the engine as a process, clients for all
//! protocols, transcripts, a referee, and the program's own referee with its journal.
//!
//! Nothing here but [`solver`] knows the engine's code. Whatever the tests believe about the game comes from
//! [`mailbox`], whatever about perfect play from [`exhaustive`], whatever about the wire from [`gtp`],
//! [`nboard`] and [`uci`].

// Every program of tests compiles this module for itself and uses only its part of it.
#![allow(dead_code)]

pub mod allocations;
pub mod exhaustive;
pub mod gtp;
pub mod journal;
pub mod mailbox;
pub mod nboard;
pub mod positions;
pub mod process;
pub mod referee;
pub mod solver;
pub mod tournament;
pub mod transcript;
pub mod uci;
