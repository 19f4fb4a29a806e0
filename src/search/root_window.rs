//! A search of all root moves with one window.

use std::iter;

use crate::board::Move;
use crate::score::Score;

use super::Line;
use super::control::Stopped;
use super::line::Moves;
use super::node_type::NodeType;
use super::root_moves::{RootMove, RootMoves};
use super::worker::Worker;

impl Worker<'_> {
    /// Searches all moves once. The best ones are moved to the front as they are found, so that a stop keeps them.
    pub(super) fn search_window(
        &mut self,
        moves: &mut RootMoves,
        depth: u8,
        alpha: Score,
        beta: Score,
    ) -> Result<(), Stopped> {
        let lines = moves.lines();
        let list = &mut moves.list;
        let (mut found, mut at) = (0, 0);
        let mut deferred_from = list.len();
        while at < list.len() {
            let is_wanted = found < lines;
            let floor = if is_wanted { alpha } else { list[found - 1].line.score.max(alpha) };
            if !is_wanted && at < deferred_from && self.should_defer(list[at].next.board, depth, false) {
                list[at..].rotate_left(1);
                deferred_from -= 1;
                continue;
            }
            let before = self.own_nodes();
            let line = self.search_root_move(&list[at], depth, floor, beta, is_wanted);
            list[at].nodes += self.own_nodes() - before;
            at += 1;
            let Some(line) = line? else { continue };
            let mut root_move = list.remove(at - 1);
            root_move.line = line;
            let place = list[..found].partition_point(|other| other.line.score >= root_move.line.score);
            let cut = root_move.line.score >= beta;
            list.insert(place, root_move);
            found = (found + 1).min(lines);
            if cut {
                break;
            }
        }
        Ok(())
    }

    /// The value of a move; none if it is not above `floor`. Those that are wanted get an exact one always.
    fn search_root_move(
        &mut self,
        RootMove { action, next, .. }: &RootMove,
        depth: u8,
        floor: Score,
        beta: Score,
        is_wanted: bool,
    ) -> Result<Option<Line>, Stopped> {
        let below = if *action == Move::Pass { depth } else { depth - 1 };
        if !is_wanted {
            let search =
                |worker: &mut Self| worker.null_window(next, below, (-floor).plus(-1), NodeType::Cut);
            let bound = -self.in_progress(next.board, depth, search)?;
            if bound <= floor {
                return Ok(None);
            }
        }
        let mut rest = Moves::new();
        let score = -self.pvs(next, below, -beta, -floor, &mut rest)?;
        if !is_wanted && score <= floor {
            return Ok(None);
        }
        Ok(Some(Line { score, moves: iter::once(*action).chain(rest).collect() }))
    }
}
