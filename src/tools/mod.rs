//! What the program does besides talking: counting, measuring, solving.

pub mod bench;
pub mod openings;
pub mod perft;
pub mod solve;
