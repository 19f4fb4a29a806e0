//! The moves of the root, and a search of them all.

use std::collections::HashSet;
use std::iter;

use crate::board::Move;
use crate::eval::PatternState;
use crate::score::Score;

use super::control::Stopped;
use super::line::Moves;
use super::worker::Worker;
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
}

impl RootMoves {
    pub(super) fn new(task: &Task, worker: &Worker) -> Self {
        let board = task.position.board();
        let squares = board.moves(worker.area);
        let mut actions: Vec<_> = squares.into_iter().map(Move::Place).collect();
        if actions.is_empty() && !board.is_over(worker.area) {
            actions.push(Move::Pass);
        }
        let mut list: Vec<_> = actions
            .into_iter()
            .filter_map(|action| {
                let next = PatternState::new(task.position.play(action)?.board());
                let line = Line { score: -worker.evaluator.evaluate(&next), moves: vec![action] };
                Some(RootMove { action, next, line, nodes: 0 })
            })
            .collect();
        list.sort_by_key(|root_move| std::cmp::Reverse(root_move.line.score));
        let lines = task.lines.clamp(1, 64);
        if lines == 1 && task.mode != SearchMode::FullWidth {
            // Of moves that a symmetry of the position maps onto each other one is enough, as at the start.
            let mut seen = HashSet::new();
            list.retain(|root_move| seen.insert(root_move.next.board.canonical().0));
        }
        Self { list, lines }
    }

    /// How many of them get exact values.
    pub(super) const fn lines(&self) -> usize {
        self.lines
    }

    #[cfg(test)]
    pub(super) const fn with_lines(lines: usize) -> Self {
        Self { list: Vec::new(), lines }
    }

    /// Searches all moves once. The best ones are moved to the front as they are found, so that a stop keeps them.
    pub(super) fn search_window(
        &mut self,
        worker: &mut Worker,
        depth: u8,
        alpha: Score,
        beta: Score,
    ) -> Result<(), Stopped> {
        let (mut found, mut at) = (0, 0);
        let mut deferred_from = self.list.len();
        while at < self.list.len() {
            let is_wanted = found < self.lines;
            let floor = if is_wanted { alpha } else { self.list[found - 1].line.score.max(alpha) };
            if !is_wanted && at < deferred_from && worker.should_defer(self.list[at].next.board, depth, false)
            {
                self.list[at..].rotate_left(1);
                deferred_from -= 1;
                continue;
            }
            let before = worker.own_nodes();
            let line = self.list[at].search(worker, depth, floor, beta, is_wanted);
            self.list[at].nodes += worker.own_nodes() - before;
            at += 1;
            let Some(line) = line? else { continue };
            let mut root_move = self.list.remove(at - 1);
            root_move.line = line;
            let place = self.list[..found].partition_point(|other| other.line.score >= root_move.line.score);
            let cut = root_move.line.score >= beta;
            self.list.insert(place, root_move);
            found = (found + 1).min(self.lines);
            if cut {
                break;
            }
        }
        Ok(())
    }
}

impl RootMove {
    /// Its value; none if it is not above `floor`. Moves whose value is wanted get an exact one always.
    fn search(
        &self,
        worker: &mut Worker,
        depth: u8,
        floor: Score,
        beta: Score,
        is_wanted: bool,
    ) -> Result<Option<Line>, Stopped> {
        let Self { action, next, .. } = self;
        let below = if *action == Move::Pass { depth } else { depth - 1 };
        if !is_wanted {
            let search = |worker: &mut Worker| worker.null_window(next, below, (-floor).plus(-1));
            let bound = -worker.in_progress(next.board, depth, search)?;
            if bound <= floor {
                return Ok(None);
            }
        }
        let mut rest = Moves::new();
        let score = -worker.pvs(next, below, -beta, -floor, &mut rest)?;
        if !is_wanted && score <= floor {
            return Ok(None);
        }
        Ok(Some(Line { score, moves: iter::once(*action).chain(rest).collect() }))
    }
}
