//! What the program does besides talking: counting, measuring, solving, fitting.

pub mod bench;
pub mod fit_probcut;
pub mod openings;
pub mod perft;
pub mod positions;
pub mod solve;
pub mod train;
