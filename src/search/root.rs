//! The root: iterative deepening, aspiration windows, multi-PV.

use std::collections::HashSet;
use std::iter;

use crate::board::{Board, Move};
use crate::eval::PatternState;
use crate::score::{Discs, Score};
use crate::selectivity::Selectivity;

use super::candidates::{Candidate, Candidates};
use super::common_iteration::{RootResult, SharedRoot};
use super::control::Stopped;
use super::cost::{SOLVE_AHEAD, min_empties_for};
use super::line::Moves;
use super::probcut;
use super::time_manager::{IterationStats, TimeManager};
use super::worker::Worker;
use super::{Iteration, Line, SearchMode, SearchResult, Task};

#[derive(Clone, Debug)]
struct RootMove {
    action: Move,
    next: PatternState,
    line: Line,
    /// Nodes below it in this iteration.
    nodes: u64,
}

pub(super) struct Root<'a> {
    worker: Worker<'a>,
    board: Board,
    lines: usize,
    mode: SearchMode,
    /// Best first.
    moves: Vec<RootMove>,
    /// Nodes of moves that were searched together in this iteration.
    other_nodes: u64,
    time_manager: TimeManager,
}

/// One iteration of the deepening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    depth: u8,
    selectivity: Selectivity,
}

/// The selectivity of iterations that do not reach the end of the game.
const MIDGAME: Selectivity = Selectivity::P73;

/// A forced move is searched this deep only, to know a reply to ponder on.
const FORCED_DEPTH: u8 = 6;

/// The least depth of an iteration that all threads search at once. A shallower one is over before they have begun.
const COMMON_DEPTH: u8 = 8;

/// The least depth with an aspiration window.
const ASPIRATION_DEPTH: u8 = 5;

/// Half its initial width: three discs.
const ASPIRATION: i16 = 3 * Score::UNITS;

/// Half its width around a final score found by a selective iteration: results have one parity, so it holds just that
/// one.
const RESULT_ASPIRATION: i16 = Score::UNITS;

/// A window that was moved by more than this becomes infinite.
const WIDEST_STEP: i16 = 32 * Score::UNITS;

impl<'a> Root<'a> {
    pub(super) fn new(task: &Task, worker: Worker<'a>) -> Self {
        let board = task.position.board();
        let squares = board.moves(worker.area);
        let mut actions: Vec<_> = squares.into_iter().map(Move::Place).collect();
        if actions.is_empty() && !board.is_over(worker.area) {
            actions.push(Move::Pass);
        }
        let mut moves: Vec<_> = actions
            .into_iter()
            .filter_map(|action| {
                let next = PatternState::new(task.position.play(action)?.board());
                let line = Line { score: -worker.evaluator.evaluate(&next), moves: vec![action] };
                Some(RootMove { action, next, line, nodes: 0 })
            })
            .collect();
        moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.line.score));
        let lines = task.lines.clamp(1, 64);
        if lines == 1 && task.mode != SearchMode::FullWidth {
            // Of moves that a symmetry of the position maps onto each other one is enough, as at the start.
            let mut seen = HashSet::new();
            moves.retain(|root_move| seen.insert(root_move.next.board.canonical().0));
        }
        let time_manager = TimeManager::new(task.rules, worker.empties(board), lines.min(moves.len()));
        Self { worker, board, lines, mode: task.mode, moves, other_nodes: 0, time_manager }
    }

    /// Iterative deepening, until solved or stopped.
    pub(super) fn deepen(mut self, on_iteration: &mut dyn FnMut(&Iteration)) -> SearchResult {
        if self.moves.is_empty() {
            return SearchResult {
                last: Iteration {
                    exact: true,
                    ..self.iteration(Round { depth: 0, selectivity: Selectivity::Off })
                },
            };
        }
        let known = self.start_from_table();
        let mut last =
            Iteration { exact: false, ..self.iteration(Round { depth: known, selectivity: MIDGAME }) };
        let mut round = self.first(known);
        while !last.exact && self.may_begin(round) && !self.is_forced(last.depth) {
            self.worker.control.begin_iteration(round.depth);
            match self.iterate(round) {
                Ok(()) => {
                    last = self.iteration(round);
                    self.time_manager.record(self.progress(round, last.nodes));
                    on_iteration(&last);
                }
                Err(Stopped) => break,
            }
            round = self.following(round);
        }
        last.nodes = self.worker.control.nodes();
        self.keep_better_move(&mut last);
        SearchResult { last }
    }

    /// Whether the next iteration is within the limits and worth its time.
    fn may_begin(&self, round: Round) -> bool {
        let control = self.worker.control;
        if !control.allows(round.depth) {
            return false;
        }
        let Some(deadlines) = control.deadlines() else { return true };
        let solving = round.depth >= self.empties();
        let end = self.time_manager.next_deadline(solving, control.elapsed_time(), deadlines);
        if let Some(end) = end {
            control.end_iteration_at(end);
        }
        end.is_some()
    }

    fn progress(&self, round: Round, nodes: u64) -> IterationStats {
        let best = &self.moves[0];
        let total = self.moves.iter().map(|root_move| root_move.nodes).sum::<u64>() + self.other_nodes;
        IterationStats {
            nodes,
            best: best.action,
            score: best.line.score,
            best_move_share: best.nodes as f64 / total.max(1) as f64,
            solving: round.depth >= self.empties(),
        }
    }

    /// Takes best move and value of an earlier search from the table. Returns its depth, or 0.
    fn start_from_table(&mut self) -> u8 {
        if self.lines > 1 {
            return 0;
        }
        let Some(entry) =
            self.worker.table.probe(self.board.hash()).filter(|entry| entry.lower == entry.upper)
        else {
            return 0;
        };
        let is_best =
            |root_move: &RootMove| entry.best.is_some_and(|square| root_move.action == Move::Place(square));
        let Some(at) = self.moves.iter().position(is_best) else { return 0 };
        let mut best = self.moves.remove(at);
        best.line.score = entry.lower;
        self.moves.insert(0, best);
        entry.depth.min(self.empties())
    }

    /// The first iteration after a table hit: two plies deeper, since values of even and odd depths differ, but
    /// within the limit, to have a line.
    fn first(&self, known: u8) -> Round {
        if known == 0 {
            return self.round(1);
        }
        self.round((known + 2).min(self.worker.control.max_depth()))
    }

    /// A stopped iteration may have found a better move.
    fn keep_better_move(&self, last: &mut Iteration) {
        let best = &self.moves[0];
        if last.lines[0].moves.first() != Some(&best.action) {
            last.lines.retain(|line| line.moves.first() != Some(&best.action));
            last.lines.insert(0, best.line.clone());
            last.lines.truncate(self.lines);
            last.exact = false;
        }
    }

    fn empties(&self) -> u8 {
        self.worker.empties(self.board)
    }

    /// The iteration after this one.
    fn following(&self, Round { depth, selectivity }: Round) -> Round {
        if depth < self.empties() {
            return self.round(depth + 1);
        }
        Round { depth, selectivity: self.to_the_end(|other| other > selectivity) }
    }

    /// The strongest selectivity that pays for an iteration to the end of the game.
    fn to_the_end(&self, suits: impl Fn(Selectivity) -> bool) -> Selectivity {
        let worthwhile = |&other: &Selectivity| suits(other) && self.empties() >= min_empties_for(other);
        Selectivity::ALL.into_iter().find(worthwhile).unwrap_or_default()
    }

    /// The first iteration of a depth; one to the end of the game if that is close.
    fn round(&self, depth: u8) -> Round {
        let empties = self.empties();
        let solves = depth + SOLVE_AHEAD > empties
            && self.worker.control.max_depth() >= empties
            && self.has_time_to_solve();
        let depth = if solves { empties } else { depth.min(empties) };
        let is_last = depth >= self.worker.control.max_depth();
        let selectivity = match self.mode {
            _ if !probcut::has_models(self.worker.size) => Selectivity::Off,
            SearchMode::FullWidth => Selectivity::Off,
            _ if depth == empties => self.to_the_end(|_| true),
            SearchMode::Confident(selectivity) if is_last => selectivity,
            _ => MIDGAME,
        };
        Round { depth, selectivity }
    }

    /// Whether the clock allows a first iteration to the end of the game.
    fn has_time_to_solve(&self) -> bool {
        let control = self.worker.control;
        let enough =
            |deadlines| self.time_manager.can_solve(control.elapsed_time(), control.nodes(), deadlines);
        control.deadlines().is_none_or(enough)
    }

    /// With a single legal move the clock is better spent later.
    fn is_forced(&self, depth: u8) -> bool {
        self.moves.len() == 1 && depth >= FORCED_DEPTH && self.worker.control.is_timed()
    }

    fn iteration(&self, Round { depth, selectivity }: Round) -> Iteration {
        let lines = self.moves.iter().take(self.lines).map(|root_move| root_move.line.clone()).collect();
        let exact = depth > 0 && depth >= self.empties() && selectivity == Selectivity::Off;
        Iteration { depth, selectivity, exact, lines, nodes: self.worker.control.nodes() }
    }

    fn iterate(&mut self, round: Round) -> Result<(), Stopped> {
        self.worker.selectivity = round.selectivity;
        self.moves.iter_mut().for_each(|root_move| root_move.nodes = 0);
        self.other_nodes = 0;
        let (mut alpha, mut beta) = self.window(round);
        let mut step = RESULT_ASPIRATION;
        loop {
            self.search_window_by_all(round, alpha, beta)?;
            let best = self.moves[0].line.score;
            if round.depth >= self.empties() && self.decisive_window().is_some() {
                if best <= alpha {
                    // All moves fail. The bound of the first one's refutation does not hold for the others.
                    self.moves[0].line.score = alpha.plus(-Score::UNITS);
                }
                return self.worker.poll();
            }
            if alpha < best && best < beta {
                return self.worker.poll();
            }
            // A bound: the value lies outside, seldom far. Selective cuts depend on the window, so that bounds may
            // contradict each other: then only the infinite window ends it.
            step = (2 * step).min(Score::MAX.units());
            (alpha, beta) = match best <= alpha {
                _ if step > WIDEST_STEP => (-Score::INFINITY, Score::INFINITY),
                true => (best.plus(-step), best.plus(1)),
                false => (best.plus(-1), best.plus(step)),
            };
        }
    }

    /// Searches all root moves once, in the midgame together with all other threads.
    fn search_window_by_all(&mut self, round: Round, alpha: Score, beta: Score) -> Result<(), Stopped> {
        let Round { depth, selectivity } = round;
        let is_common = self.worker.splits.has_helpers()
            && self.lines == 1
            && (COMMON_DEPTH..self.empties()).contains(&depth)
            && self.moves[0].action != Move::Pass;
        if !is_common {
            return self.search_window(depth, alpha, beta);
        }
        let (state, moves) = (PatternState::new(self.board), self.candidates(0));
        let root = SharedRoot { state, moves, depth, alpha, beta, selectivity };
        let splits = self.worker.splits;
        let id = splits.begin_common(root);
        self.worker.enter_common(id);
        let searched = self.search_window(depth, alpha, beta);
        self.worker.leave_common();
        let others = splits.common.end(id);
        match (searched, others) {
            (Err(Stopped), Some(RootResult { score, line })) => {
                // Not if the whole search was stopped as well.
                self.worker.poll()?;
                let is_best = |root_move: &RootMove| score > alpha && line.first() == Some(&root_move.action);
                let at = self.moves.iter().position(is_best).unwrap_or(0);
                let mut best = self.moves.remove(at);
                best.line.score = score;
                if score > alpha {
                    best.line.moves = line.to_vec();
                }
                self.moves.insert(0, best);
                Ok(())
            }
            (searched, _) => searched,
        }
    }

    /// The aspiration window.
    fn window(&self, Round { depth, selectivity }: Round) -> (Score, Score) {
        let solving = depth >= self.empties();
        if solving && let Some(window) = self.decisive_window() {
            return window;
        }
        if self.lines > 1 || depth < ASPIRATION_DEPTH {
            return (-Score::INFINITY, Score::INFINITY);
        }
        let width = if solving && selectivity > MIDGAME { RESULT_ASPIRATION } else { ASPIRATION };
        let centre = self.moves[0].line.score;
        (centre.plus(-width), centre.plus(width))
    }

    /// The window that answers the question of a search to the end of the game; none if the score itself is wanted.
    fn decisive_window(&self) -> Option<(Score, Score)> {
        let around = |from: i8, to: i8| Some((Discs(from).into(), Discs(to).into()));
        match self.mode {
            SearchMode::WinLossDraw => around(-1, 1),
            // Results are even, so no result lies on its lower end.
            SearchMode::AtLeast(Discs(discs)) => around(discs + (discs & 1) - 1, discs + (discs & 1)),
            _ => None,
        }
    }

    /// Searches all root moves once. The best ones are moved to the front as they are found, so that a stop keeps
    /// them.
    fn search_window(&mut self, depth: u8, alpha: Score, beta: Score) -> Result<(), Stopped> {
        let (mut found, mut at) = (0, 0);
        while at < self.moves.len() {
            let floor = if found < self.lines { alpha } else { self.moves[found - 1].line.score.max(alpha) };
            if found == 1 && self.lines == 1 {
                at += self.refute_together(at, depth, floor)?;
                if at == self.moves.len() {
                    break;
                }
            }
            let before = self.nodes();
            let line = self.search_move(at, depth, floor, beta, found < self.lines);
            self.moves[at].nodes += self.nodes() - before;
            at += 1;
            let Some(line) = line? else { continue };
            let mut root_move = self.moves.remove(at - 1);
            root_move.line = line;
            let place = self.moves[..found].partition_point(|other| other.line.score >= root_move.line.score);
            let cut = root_move.line.score >= beta;
            self.moves.insert(place, root_move);
            found = (found + 1).min(self.lines);
            if cut {
                break;
            }
        }
        Ok(())
    }

    /// The nodes to compare root moves by: those of all threads, or, while each searches the moves in its own order, of
    /// this one.
    fn nodes(&self) -> u64 {
        if self.worker.shared.is_some() { self.worker.own_nodes() } else { self.worker.control.nodes() }
    }

    /// Searches the moves from `at` on together with idle threads, until one is above `floor`. Puts those that are not
    /// first, then that one; returns how many are not.
    fn refute_together(&mut self, at: usize, depth: u8, floor: Score) -> Result<usize, Stopped> {
        let moves = self.candidates(at);
        if !self.worker.can_split(self.board, &moves, depth) {
            return Ok(0);
        }
        let before = self.worker.control.nodes();
        let (found, rest) = self.worker.split_pv(moves, depth, floor)?;
        self.other_nodes += self.worker.control.nodes() - before;
        let is_left = |action: Move| rest.as_slice().iter().any(|left| Move::Place(left.square) == action);
        self.moves[at..].sort_by_key(|root_move| {
            let is_best = found.best.map(Move::Place) == Some(root_move.action);
            (is_left(root_move.action), !is_best)
        });
        Ok(self.moves.len() - at - rest.left())
    }

    /// The moves from `at` on, in this order; without a pass.
    fn candidates(&self, at: usize) -> Candidates {
        let moves = self.moves[at..].iter().zip(0..).filter_map(|(root_move, rank)| {
            let Move::Place(square) = root_move.action else { return None };
            let RootMove { next, .. } = root_move;
            let (replies, value) = (next.moves(self.worker.area), self.worker.evaluate(next));
            Some(Candidate { square, next: next.board, replies, value, sort_key: -rank, rank: 0 })
        });
        moves.collect()
    }

    /// The value of a root move; none if it is not above `floor`. The first moves get exact values always.
    fn search_move(
        &mut self,
        at: usize,
        depth: u8,
        floor: Score,
        beta: Score,
        always: bool,
    ) -> Result<Option<Line>, Stopped> {
        let RootMove { action, next, .. } = self.moves[at];
        let depth = if action == Move::Pass { depth } else { depth - 1 };
        if !always {
            let bound = -self.worker.null_window(&next, depth, (-floor).plus(-1))?;
            if bound <= floor {
                return Ok(None);
            }
        }
        let mut rest = Moves::new();
        let score = -self.worker.pvs(&next, depth, -beta, -floor, &mut rest)?;
        if !always && score <= floor {
            return Ok(None);
        }
        Ok(Some(Line { score, moves: iter::once(action).chain(rest).collect() }))
    }
}
