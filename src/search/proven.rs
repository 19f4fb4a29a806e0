//! What a search has found out, for a later search of the same position: the bounds that it has proven, which are read
//! from the table while it runs, and its last completed iteration.

use std::collections::HashSet;

use crate::board::{Bitboard, Board, Move, Position, Size, Square};
use crate::score::{Discs, Score};
use crate::selectivity::Selectivity;
use crate::tt::{Entry, Table};

use super::Iteration;
use super::endgame_cache::SHALLOW_EMPTIES;

/// Bounds on the result of perfect play, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenBounds {
    pub board: Board,
    pub lower: Discs,
    pub upper: Discs,
    /// Only orders moves.
    pub best: Option<Square>,
}

impl ProvenBounds {
    /// None unless the entry comes from a search to the end of the game without a selective cut, and tells something.
    fn from_entry(board: Board, entry: &Entry, size: Size) -> Option<Self> {
        let empties = (size.squares() - board.discs()).len() as u8;
        if entry.selectivity != Selectivity::Off || entry.depth < empties {
            return None;
        }
        let most = size.area() as i8;
        // Results are whole, so a bound between two of them is as good as the next one inwards.
        let lower = -(-entry.lower).whole_discs_below();
        let upper = entry.upper.whole_discs_below();
        let within = |discs: i32| Discs(discs.clamp((-most).into(), most.into()) as i8);
        let proven = Self { board, lower: within(lower), upper: within(upper), best: entry.best };
        let tells = proven.lower > Discs(-most) || proven.upper < Discs(most);
        (tells && proven.lower <= proven.upper).then_some(proven)
    }

    pub(super) fn store(&self, table: &Table, size: Size) {
        let Self { board, lower, upper, best } = *self;
        let depth = (size.squares() - board.discs()).len() as u8;
        let (lower, upper) = (Score::from(lower), Score::from(upper));
        table.store(board.hash(), Entry { lower, upper, depth, selectivity: Selectivity::Off, best });
    }
}

/// An iteration that a later search need not repeat. It proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompletedIteration {
    pub depth: u8,
    pub selectivity: Selectivity,
    pub score: Score,
    pub best: Square,
}

impl CompletedIteration {
    /// None for a forced pass.
    #[must_use]
    pub fn of(iteration: &Iteration) -> Option<Self> {
        let &Iteration { depth, selectivity, .. } = iteration;
        let line = iteration.lines.first()?;
        match line.moves.first()? {
            &Move::Place(best) => Some(Self { depth, selectivity, score: line.score, best }),
            Move::Pass => None,
        }
    }

    /// Where the root finds it.
    pub(super) fn store(&self, table: &Table, root: Board) {
        let Self { depth, selectivity, score, best } = *self;
        table.store(root.hash(), Entry { lower: score, upper: score, depth, selectivity, best: Some(best) });
    }
}

/// Boards looked up in one walk: less than a second.
const MAX_LOOKUPS: usize = 1 << 20;

/// Down to this many plies below the root, boards that are not in the table are passed through: an unfinished node has
/// no entry of its own, but its children may.
const FULL_PLIES: usize = 4;

/// The bounds in the table on boards that can follow from a position: at most so many, those with the most empty squares.
///
/// A search may be running. Walks from the position along the boards in the table, since an entry alone does not tell its
/// board.
#[must_use]
pub fn proven_below(table: &Table, root: Position, most: usize) -> Vec<ProvenBounds> {
    let (size, area) = (root.size(), root.size().squares());
    let mut proven = Vec::new();
    let mut seen = HashSet::new();
    let mut level = vec![root.board()];
    for ply in 0.. {
        let mut next = Vec::new();
        for board in level {
            for child in children(board, area) {
                if proven.len() >= most || seen.len() >= MAX_LOOKUPS {
                    return proven;
                }
                // Boards of the shallow endgame are too many, and quick to solve again.
                let empties = (area - child.discs()).len() as u8;
                if empties <= SHALLOW_EMPTIES || !seen.insert(child.hash()) {
                    continue;
                }
                let entry = table.probe(child.hash());
                proven.extend(entry.and_then(|entry| ProvenBounds::from_entry(child, &entry, size)));
                // A board without moves has no entry either.
                if entry.is_some() || ply < FULL_PLIES || child.moves(area).is_empty() {
                    next.push(child);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    proven
}

/// The boards after one move, or after a forced pass.
fn children(board: Board, area: Bitboard) -> Vec<Board> {
    let moves = board.moves(area);
    if moves.is_empty() {
        let passed = board.passed();
        return if passed.moves(area).is_empty() { Vec::new() } else { vec![passed] };
    }
    moves.into_iter().filter_map(|square| board.play(square)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tt::TableUse;

    fn table() -> Table {
        let table = Table::new(1);
        table.begin_search(TableUse::Whole);
        table
    }

    /// A child of the 6×6 start, with the entry of a search to the end.
    fn child() -> (Board, Entry) {
        let start = Position::start(Size::Six);
        let square = start.moves().first().expect("there are moves");
        let board = start.play(Move::Place(square)).expect("legal").board();
        let (lower, upper) = (Score::from(Discs(-4)), Score::MAX);
        (board, Entry { lower, upper, depth: 31, selectivity: Selectivity::Off, best: None })
    }

    #[test]
    fn only_what_is_proven_is_found() {
        let (board, entry) = child();
        let selective = Entry { selectivity: Selectivity::P99, ..entry };
        let shallow = Entry { depth: 30, ..entry };
        let trivial = Entry { lower: -Score::MAX, ..entry };
        for (entry, found) in [(entry, 1), (selective, 0), (shallow, 0), (trivial, 0)] {
            let table = table();
            table.store(board.hash(), entry);
            let proven = proven_below(&table, Position::start(Size::Six), 100);
            assert_eq!(proven.len(), found, "{entry:?}");
            assert!(proven.iter().all(|p| (p.board, p.lower, p.upper) == (board, Discs(-4), Discs(36))));
        }
    }

    #[test]
    fn bounds_between_two_results_move_inwards() {
        let (board, entry) = child();
        let between = Entry { lower: Score::from_units(-33), upper: Score::from_units(65), ..entry };
        let proven = ProvenBounds::from_entry(board, &between, Size::Six).expect("exact");
        assert_eq!((proven.lower, proven.upper), (Discs(-1), Discs(2)));
    }

    #[test]
    fn what_is_stored_is_found_again_and_no_more_than_asked_for() {
        let table = table();
        let (board, _) = child();
        let stored = ProvenBounds { board, lower: Discs(-2), upper: Discs(6), best: None };
        stored.store(&table, Size::Six);
        assert_eq!(proven_below(&table, Position::start(Size::Six), 1), [stored]);
        assert_eq!(proven_below(&table, Position::start(Size::Six), 0), []);
    }
}
