//! The engine as its clients see it: conversations, games, searches, and everything that may go wrong in between.

mod analysis;
mod faults;
mod games;
mod harness;
mod lifetime;
mod memory;
mod oracle;
mod ponder;
mod rhino;
mod storm;
#[path = "../support/mod.rs"]
mod support;
mod transcripts;
mod uci;
