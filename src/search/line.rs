//! Principal variations.

use arrayvec::ArrayVec;

use crate::board::Move;

/// A line of moves. It never allocates: each of sixty discs may be followed by a pass.
pub(super) type Moves = ArrayVec<Move, 128>;

pub(super) fn replace(line: &mut Moves, first: Move, rest: &[Move]) {
    line.clear();
    line.push(first);
    line.extend(rest.iter().copied());
}
