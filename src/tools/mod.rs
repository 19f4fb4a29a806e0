//! What the program does besides talking: counting, measuring.

pub mod bench;
pub mod openings;
pub mod perft;
