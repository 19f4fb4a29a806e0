//! Lines of play while they are being found.

use arrayvec::ArrayVec;

use crate::board::Move;

/// Moves in a row. Nothing allocates while the search is under way: after each of sixty discs one side may pass.
pub(super) type Moves = ArrayVec<Move, 128>;

/// Makes `line` the move followed by the rest.
pub(super) fn replace(line: &mut Moves, first: Move, rest: &[Move]) {
    line.clear();
    line.push(first);
    line.extend(rest.iter().copied());
}
