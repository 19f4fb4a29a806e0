//! What the program does besides talking: counting, measuring, solving, fitting, playing games to learn from, looking
//! into what was learnt.

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
pub mod weights;
