//! The Universal Chess Interface, in the convention of Fairy-Stockfish and PlayStrategy for Othello.
//!
//! The first player, Othello's Black, is White there. Moves are drops, and ranks count upwards: `P@e3` is `e6` of
//! Othello's 8x8 board. A pass is a move of a disc onto its own square.

mod command;
mod fen;
mod go;
mod moves;
mod reply;

pub use command::{Command, Start, UciError, parse_line};
pub(crate) use fen::read_ranks;
pub use fen::{Fen, Pocket, parse_fen};
pub use go::GoRequest;
pub use moves::{parse_move, print_drop, print_pass};
pub use reply::{Reply, ScoreText, SearchInfo};
