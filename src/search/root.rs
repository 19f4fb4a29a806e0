//! The root: iterative deepening, aspiration windows, multi-PV.

use crate::board::{Board, Move};
use crate::score::{Discs, Score};
use crate::selectivity::Selectivity;

use super::common_iteration::{Round, SharedWindow};
use super::control::Stopped;
use super::cost::{SOLVE_AHEAD, min_empties_for};
use super::probcut;
use super::root_moves::{RootMove, RootMoves};
use super::sharing::COMMON_EMPTIES;
use super::time_manager::{IterationStats, TimeManager};
use super::worker::Worker;
use super::{Iteration, SearchMode, SearchResult, Task};

pub(super) struct Root<'a> {
    worker: Worker<'a>,
    board: Board,
    mode: SearchMode,
    moves: RootMoves,
    time_manager: TimeManager,
    /// Starts the other threads, when there is something for them to do.
    start_helpers: Option<Box<dyn FnOnce() + 'a>>,
}

/// The selectivity of iterations that do not reach the end of the game.
const MIDGAME: Selectivity = Selectivity::P73;

/// A forced move is searched this deep only while a clock runs, to know a reply to ponder on.
const FORCED_DEPTH: u8 = 6;

/// The least depth of an iteration that all threads search at once. A shallower one is over before they have begun.
const COMMON_DEPTH: u8 = 10;

/// Plies between iterations that all threads search at once: some threads search those that are left out.
const COMMON_STEP: u8 = 2;

/// The least number of threads of which some are ahead of the others. To the same depth, two need 1.4 to 1.9 times fewer
/// nodes each than one with a thread ahead, and 1.7 to 2.4 times fewer without.
const LEAST_TO_LEAD: usize = 4;

/// The most empty squares of a position whose search to the end of the game comes soon, unless something else ends it.
const SOLVED_SOON: u8 = 32;

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
    pub(super) fn new(task: &Task, worker: Worker<'a>, start_helpers: impl FnOnce() + 'a) -> Self {
        let board = task.position.board();
        let moves = RootMoves::new(task, worker.evaluator);
        if task.for_play && moves.list.len() == 1 {
            worker.control.limit_timed_depth(FORCED_DEPTH);
        }
        // An included move costs nothing in a review: what follows it was searched before.
        let time_manager =
            TimeManager::new(task.rules, worker.empties(board), moves.lines().min(moves.list.len()))
                .with_threads(worker.common.threads());
        let start_helpers: Option<Box<dyn FnOnce() + 'a>> = Some(Box::new(start_helpers));
        Self { worker, board, mode: task.mode, moves, time_manager, start_helpers }
    }

    /// Iterative deepening, until solved or stopped.
    pub(super) fn deepen(mut self, on_iteration: &mut dyn FnMut(&Iteration)) -> SearchResult {
        if self.moves.list.is_empty() {
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
        while !last.exact && self.may_begin(round) {
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
        let best = &self.moves.list[0];
        let total = self.moves.list.iter().map(|root_move| root_move.nodes).sum::<u64>();
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
        // The table has the value of one move only.
        if self.moves.lines() > 1 || self.moves.has_included() {
            return 0;
        }
        let Some(entry) =
            self.worker.table.probe(self.board.hash()).filter(|entry| entry.lower == entry.upper)
        else {
            return 0;
        };
        let is_best =
            |root_move: &RootMove| entry.best.is_some_and(|square| root_move.action == Move::Place(square));
        let Some(at) = self.moves.list.iter().position(is_best) else { return 0 };
        let mut best = self.moves.list.remove(at);
        best.line.score = entry.lower;
        self.moves.list.insert(0, best);
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

    /// A stopped iteration may have found a better move. Its value does not compare with that of an included move.
    fn keep_better_move(&self, last: &mut Iteration) {
        let best = &self.moves.list[0];
        if !self.moves.has_included() && last.lines[0].moves.first() != Some(&best.action) {
            last.lines.retain(|line| line.moves.first() != Some(&best.action));
            last.lines.insert(0, best.line.clone());
            last.lines.truncate(self.moves.lines());
            last.exact = false;
        }
    }

    fn empties(&self) -> u8 {
        self.worker.empties(self.board)
    }

    /// The iteration after this one.
    fn following(&self, Round { depth, selectivity }: Round) -> Round {
        if depth < self.empties() {
            let deeper = depth.saturating_add(COMMON_STEP);
            let last = self.last_short_of_the_end().min(self.worker.control.max_depth());
            let leaves_out = self.is_common(depth) && deeper <= last;
            return self.round(if leaves_out { deeper } else { depth + 1 });
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
        let depth = if depth > self.last_short_of_the_end() { empties } else { depth };
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

    /// The depth of the last iteration that does not reach the end of the game.
    fn last_short_of_the_end(&self) -> u8 {
        self.empties().saturating_sub(if self.will_solve() { SOLVE_AHEAD } else { 1 })
    }

    /// Whether an iteration to the end of the game is within the limits.
    fn will_solve(&self) -> bool {
        self.worker.control.max_depth() >= self.empties() && self.has_time_to_solve()
    }

    /// Whether the clock allows a first iteration to the end of the game.
    fn has_time_to_solve(&self) -> bool {
        let control = self.worker.control;
        let enough =
            |deadlines| self.time_manager.can_solve(control.elapsed_time(), control.nodes(), deadlines);
        control.deadlines().is_none_or(enough)
    }

    fn iteration(&self, Round { depth, selectivity }: Round) -> Iteration {
        let best = 0..self.moves.lines().min(self.moves.list.len());
        let lines =
            best.chain(self.moves.included_below()).map(|at| self.moves.list[at].line.clone()).collect();
        let exact = depth > 0 && depth >= self.empties() && selectivity == Selectivity::Off;
        Iteration { depth, selectivity, exact, lines, nodes: self.worker.control.nodes() }
    }

    fn iterate(&mut self, round: Round) -> Result<(), Stopped> {
        self.worker.selectivity = round.selectivity;
        self.moves.list.iter_mut().for_each(|root_move| root_move.nodes = 0);
        self.search_best(round)?;
        self.search_included(round)
    }

    /// Gives the included move its value, unless it is one of the best.
    fn search_included(&mut self, round: Round) -> Result<(), Stopped> {
        let Some(at) = self.moves.included_below() else { return Ok(()) };
        let included = RootMoves::alone(self.moves.list[at].clone());
        let all = std::mem::replace(&mut self.moves, included);
        let searched = self.search_best(round);
        let included = std::mem::replace(&mut self.moves, all);
        self.moves.list.splice(at..=at, included.list);
        searched
    }

    /// Searches with wider and wider windows until the values of the best moves lie within.
    fn search_best(&mut self, round: Round) -> Result<(), Stopped> {
        let (mut alpha, mut beta) = self.window(round);
        let mut step = RESULT_ASPIRATION;
        loop {
            self.search_window(round, alpha, beta)?;
            let best = self.moves.list[0].line.score;
            if round.depth >= self.empties() && self.decisive_window().is_some() {
                if best <= alpha {
                    // All moves fail. The bound of the first one's refutation does not hold for the others.
                    self.moves.list[0].line.score = alpha.plus(-Score::UNITS);
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

    /// Searches all root moves once, together with the other threads.
    fn search_window(&mut self, round: Round, alpha: Score, beta: Score) -> Result<(), Stopped> {
        let depth = round.depth;
        if !self.is_common(depth) {
            return self.worker.search_window(&mut self.moves, depth, alpha, beta);
        }
        let to_the_end = depth >= self.empties();
        // What a thread ahead finds is of little use for a search to the end that comes soon.
        let solves_soon = self.empties() <= SOLVED_SOON && self.will_solve();
        let next_selectivity = self.following(round).selectivity;
        let Self { worker, moves, .. } = self;
        let common = worker.common;
        let none_leads = solves_soon || common.threads() < LEAST_TO_LEAD;
        let deepest = if none_leads { depth } else { worker.empties(self.board) - 1 };
        let shared = moves.without_lines();
        let window =
            SharedWindow { moves: shared, round, to_the_end, deepest, next_selectivity, alpha, beta };
        let id = common.begin(window);
        if let Some(start) = self.start_helpers.take() {
            start();
        }
        worker.begin_sharing(id, depth, to_the_end);
        let searched = worker.search_window(moves, depth, alpha, beta);
        worker.end_sharing();
        let searched = match (searched, common.end(id)) {
            (Err(Stopped), Some(result)) => {
                // Not if the whole search was stopped as well.
                worker.poll()?;
                *moves = result;
                Ok(())
            }
            (searched, _) => searched,
        };
        if !to_the_end {
            let lines = moves.lines();
            for root_move in moves.list.iter_mut().take(lines) {
                worker.complete_line(self.board, depth, &mut root_move.line.moves);
            }
        }
        searched
    }

    /// Whether all threads search an iteration of this depth at once. Near the end of the game they have no table to
    /// share, and each would search everything.
    fn is_common(&self, depth: u8) -> bool {
        let has_common_nodes = depth < self.empties() || depth >= COMMON_EMPTIES;
        self.worker.common.threads() > 1 && depth >= COMMON_DEPTH && has_common_nodes
    }

    /// The aspiration window.
    fn window(&self, Round { depth, selectivity }: Round) -> (Score, Score) {
        let solving = depth >= self.empties();
        if solving && let Some(window) = self.decisive_window() {
            return window;
        }
        if self.moves.lines() > 1 || depth < ASPIRATION_DEPTH {
            return (-Score::INFINITY, Score::INFINITY);
        }
        let width = if solving && selectivity > MIDGAME { RESULT_ASPIRATION } else { ASPIRATION };
        let centre = self.moves.list[0].line.score;
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
}
