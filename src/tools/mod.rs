//! What the program does besides talking: counting, measuring, solving, fitting, playing games to learn from, looking
//! into what was learnt, learning openings, and experiments on the game.

pub mod bench;
pub mod book;
pub mod evaluation;
pub mod fit_probcut;
pub mod interrupts;
pub mod lab;
pub mod ledger;
pub mod openings;
pub mod perft;
pub mod positions;
pub mod progress;
pub mod records;
pub mod selfplay;
pub mod solve;
pub mod train;
pub mod tree;
pub mod tune;
pub mod values;
pub mod weights;
