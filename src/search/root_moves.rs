//! The moves of the root.

use std::collections::HashSet;

use crate::board::Move;
use crate::eval::{Evaluator, PatternState};

use super::{Line, SearchMode, Task};

#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) action: Move,
    pub(super) next: PatternState,
    pub(super) line: Line,
    /// The thread's nodes below it in this iteration.
    pub(super) nodes: u64,
}

#[derive(Clone, Default)]
pub(super) struct RootMoves {
    /// Best first.
    pub(super) list: Vec<RootMove>,
    lines: usize,
    /// Gets an exact value too.
    include: Option<Move>,
}

impl RootMoves {
    /// Sorted by their static values.
    pub(super) fn new(task: &Task, evaluator: &Evaluator) -> Self {
        let legal = task.position.moves();
        let chosen = legal & task.only;
        let squares = if chosen.is_empty() { legal } else { chosen };
        let mut actions: Vec<_> = squares.into_iter().map(Move::Place).collect();
        if actions.is_empty() && !task.position.is_over() {
            actions.push(Move::Pass);
        }
        let mut list: Vec<_> = actions
            .into_iter()
            .filter_map(|action| {
                let next = PatternState::new(task.position.play(action)?.board());
                let line = Line { score: -evaluator.evaluate(&next), moves: vec![action] };
                Some(RootMove { action, next, line, nodes: 0 })
            })
            .collect();
        list.sort_by_key(|root_move| std::cmp::Reverse(root_move.line.score));
        let lines = task.lines.clamp(1, 64);
        if lines == 1 && task.mode != SearchMode::FullWidth {
            // Of moves that a symmetry of the position maps onto each other one is enough, as at the start: the
            // included one, or the first.
            let canonical = |root_move: &RootMove| root_move.next.board.canonical().0;
            let is_included = |root_move: &RootMove| Some(root_move.action) == task.include;
            let mut seen: HashSet<_> = list.iter().filter(|&each| is_included(each)).map(canonical).collect();
            list.retain(|root_move| is_included(root_move) || seen.insert(canonical(root_move)));
        }
        Self { list, lines, include: task.include }
    }

    /// For another thread, which finds lines of its own: copying them would allocate.
    pub(super) fn without_lines(&self) -> Self {
        let copy = |root_move: &RootMove| {
            let line = Line { score: root_move.line.score, moves: Vec::new() };
            RootMove { line, ..*root_move }
        };
        Self { list: self.list.iter().map(copy).collect(), ..*self }
    }

    /// One of them, to search it by itself.
    pub(super) fn alone(root_move: RootMove) -> Self {
        Self { list: vec![root_move], lines: 1, include: None }
    }

    pub(super) const fn has_included(&self) -> bool {
        self.include.is_some()
    }

    /// The place of the included move, if it is none of the best ones, which have exact values anyway.
    pub(super) fn included_below(&self) -> Option<usize> {
        let include = self.include?;
        let at = self.list.iter().position(|root_move| root_move.action == include)?;
        (at >= self.lines).then_some(at)
    }

    /// How many of them get exact values.
    pub(super) const fn lines(&self) -> usize {
        self.lines
    }

    #[cfg(test)]
    pub(super) const fn with_lines(lines: usize) -> Self {
        Self { list: Vec::new(), lines, include: None }
    }
}
