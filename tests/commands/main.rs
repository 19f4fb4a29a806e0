//! The exact solver and the tools around the engine, from self-play to the laboratory.

mod analyze;
mod book;
mod documents;
mod exact;
mod fit_probcut;
mod foreign;
mod formats;
mod full_disk;
mod lab;
mod long_solves;
mod manual;
mod outputs;
mod play;
mod selfplay;
mod solve;
#[path = "../support/mod.rs"]
mod support;
mod train;
mod tune;
mod weights;
