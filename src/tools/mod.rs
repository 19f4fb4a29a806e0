//! What the program does besides talking: counting, measuring, solving, fitting, playing games to learn from.

pub mod bench;
pub mod fit_probcut;
pub mod interrupts;
pub mod openings;
pub mod perft;
pub mod positions;
pub mod records;
pub mod selfplay;
pub mod solve;
pub mod train;
