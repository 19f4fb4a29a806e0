//! What the program does besides talking: counting, measuring, solving, fitting, learning openings.

pub mod bench;
pub mod book;
pub mod evaluation;
pub mod fit_probcut;
pub mod ledger;
pub mod openings;
pub mod perft;
pub mod positions;
pub mod progress;
pub mod solve;
pub mod tree;
pub mod values;
