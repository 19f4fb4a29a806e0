//! Counts the leaves of the game tree, to check move generation and its speed.

use std::io::{self, Write};

use crate::board::{Bitboard, Board, Size};
use crate::time_source::Timestamp;

/// Leaves at this depth, games that end before included. A pass is a ply.
#[must_use]
pub fn perft(board: Board, area: Bitboard, depth: u8) -> u64 {
    leaves(board, board.moves(area), area - board.discs(), depth)
}

fn leaves(board: Board, moves: Bitboard, empty: Bitboard, depth: u8) -> u64 {
    if moves.is_empty() {
        let passed = board.passed();
        let replies = passed.moves(empty);
        return if depth == 0 || replies.is_empty() { 1 } else { leaves(passed, replies, empty, depth - 1) };
    }
    match depth {
        0 => 1,
        1 => u64::from(moves.len()),
        _ => moves
            .into_iter()
            .map(|square| {
                let empty = empty - square.into();
                let (next, replies) = board.after_with_moves(square, empty);
                // Bulk counting: most leaves are one ply away.
                if depth == 2 && !replies.is_empty() {
                    u64::from(replies.len())
                } else {
                    leaves(next, replies, empty, depth - 1)
                }
            })
            .sum(),
    }
}

/// Prints the counts from the start position for all depths up to this one.
///
/// # Errors
/// If they cannot be written.
pub fn run(depth: u8, size: Size, output: &mut impl Write) -> io::Result<()> {
    for depth in 1..=depth {
        let start = Timestamp::now();
        let count = perft(Board::START, size.squares(), depth);
        let seconds = start.elapsed().as_secs_f64();
        writeln!(output, "perft {depth}: {count} ({seconds:.3} s)")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_counts() {
        let known = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288];
        for (depth, count) in (1..).zip(known) {
            assert_eq!(perft(Board::START, Size::Eight.squares(), depth), count, "depth {depth}");
        }
    }

    #[test]
    fn a_finished_game_is_one_leaf_however_deep() {
        let four = Size::Four.squares();
        assert_eq!(perft(Board::START, four, 40), perft(Board::START, four, 41));
    }
}
