//! What the program does besides talking: counting, measuring, fitting.

pub mod bench;
pub mod fit_probcut;
pub mod openings;
pub mod perft;
pub mod positions;
