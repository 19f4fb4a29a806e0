//! Squares, sets of squares, and boards with the moves on them.

mod bitboard;
#[allow(clippy::module_inception, reason = "the file of the type `Board`")]
mod board;
mod kernel;
mod position;
mod size;
mod square;
mod symmetry;
#[cfg(test)]
mod tests;
mod vector_board;

pub use bitboard::{Bitboard, SquareIter};
pub use board::Board;
pub use kernel::NAME as KERNEL;
pub use position::Position;
pub use size::Size;
pub use square::{Color, Move, Square};
pub use symmetry::Symmetry;
pub(crate) use vector_board::VectorBoard;
