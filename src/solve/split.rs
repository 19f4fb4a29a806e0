//! `ollehto solve --split`: a position broken up into jobs that decide its value.
//!
//! An estimate of the value is to be proven from both sides. The side that a bound favours needs one good move at each
//! of its turns, and an answer to all moves of the other side. The jobs are the leaves of these two trees.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::board::Position;
use crate::score::{Discs, Score};
use crate::search::{Budget, Control, Searcher, Task, nodes_to_solve};

use super::SolveOptions;
use super::bound::{Bound, Interval};
use super::jobs::{Job, JobList};
use super::proof::{CanonicalBoard, Memo, ProofTree};

/// The depth of the search that estimates the value of the root.
const ESTIMATE_DEPTH: u8 = 18;

/// The depth of the searches that choose the move of the side that a bound favours. A wrong choice costs a round.
const MOVE_DEPTH: u8 = 14;

/// The depth of the searches that tell easy jobs from hard ones, and estimate the leaves after a wrong estimate.
const LEAF_DEPTH: u8 = 8;

/// MiB of table for these searches.
const ORDER_HASH: usize = 16;

/// Jobs with so few empty squares take less time than the start of a process.
const MIN_EMPTIES: u32 = 10;

/// The share of the jobs still wanted that one round of expansion may expand: a position has about ten moves.
const ROUND_SHARE: usize = 16;

/// Discs between the value to prove and a later estimate that make it doubtful: the leaves are estimated no better.
const DOUBTFUL_BY: u8 = 6;

/// A job is taken to be easier by the factor e for so many discs between its bound and the estimate. A rough guess: it
/// only balances the jobs.
const EASIER_BY: f64 = 8.0;

/// Breaks a position up into about so many jobs. Fewer if they would be too easy, none if it is proven already.
///
/// The value to prove is estimated if none is given. One of an earlier round is kept unless what is known by now speaks
/// against it.
pub(super) fn split(
    root: Position,
    tree: ProofTree,
    value: Option<Discs>,
    wanted: usize,
    options: &SolveOptions,
) -> JobList {
    let searcher = Searcher::new(options.threads, options.hash.unwrap_or(ORDER_HASH));
    let searcher = searcher.with_evaluation(options.weights.clone()).batch();
    let mut splitter = Splitter { tree, searcher, values: HashMap::new(), best: HashMap::new() };
    let board = CanonicalBoard::from(root.board());
    let known = splitter.tree.bounds(board, &mut Memo::new());
    let estimate = match value {
        Some(value) if splitter.tree.expanded.is_empty() => value,
        Some(value) => splitter.reconsider(root, value, known),
        None => splitter.estimate(root),
    };
    let value = estimate.clamp(known.lower, known.upper);
    let jobs = splitter.jobs(board, value, wanted);
    JobList { root, value, jobs, tree: splitter.tree }
}

struct Splitter {
    tree: ProofTree,
    searcher: Searcher,
    /// By short searches, for the side to move.
    values: HashMap<CanonicalBoard, Score>,
    /// The positions after the best moves.
    best: HashMap<CanonicalBoard, CanonicalBoard>,
}

impl Splitter {
    fn estimate(&mut self, root: Position) -> Discs {
        let budget = Budget { depth: Some(ESTIMATE_DEPTH), ..Budget::UNLIMITED };
        even(self.searcher.score(&Task::new(root, self.tree.rules), &budget))
    }

    /// The value of an earlier round, or an estimate by all that is known of the leaves.
    fn reconsider(&mut self, root: Position, value: Discs, known: Interval) -> Discs {
        let by_leaves = self.estimate_by_leaves(root.board().into(), &mut Memo::new(), &mut HashMap::new());
        let estimate = even(by_leaves);
        let possible = known.lower <= value && value <= known.upper;
        if possible && estimate.0.abs_diff(value.0) < DOUBTFUL_BY { value } else { estimate }
    }

    fn estimate_by_leaves(
        &mut self,
        board: CanonicalBoard,
        memo: &mut Memo,
        estimates: &mut HashMap<CanonicalBoard, Score>,
    ) -> Score {
        if let Some(&estimate) = estimates.get(&board) {
            return estimate;
        }
        let known = self.tree.bounds(board, memo);
        let is_leaf = known.is_exact() || !self.tree.expanded.contains(&board);
        let children = if is_leaf { Vec::new() } else { self.tree.children(board) };
        let best = children.into_iter().map(|child| -self.estimate_by_leaves(child, memo, estimates)).max();
        let estimate = match best {
            Some(best) => best,
            None if known.is_exact() => known.lower.into(),
            None => self.value(board),
        };
        let estimate = estimate.clamp(known.lower.into(), known.upper.into());
        estimates.insert(board, estimate);
        estimate
    }

    /// The position after the best move.
    fn best_child(&mut self, board: CanonicalBoard) -> Option<CanonicalBoard> {
        if let Some(&child) = self.best.get(&board) {
            return Some(child);
        }
        let position = board.position(self.tree.size);
        let control = Control::new(&Budget { depth: Some(MOVE_DEPTH), ..Budget::UNLIMITED });
        let best = self.searcher.run(&Task::new(position, self.tree.rules), &control, &mut |_| {}).best();
        let child = position.play(best)?.board().into();
        self.best.insert(board, child);
        Some(child)
    }

    fn value(&mut self, board: CanonicalBoard) -> Score {
        if let Some(&value) = self.values.get(&board) {
            return value;
        }
        let task = Task::new(board.position(self.tree.size), self.tree.rules);
        let value = self.searcher.score(&task, &Budget { depth: Some(LEAF_DEPTH), ..Budget::UNLIMITED });
        self.values.insert(board, value);
        value
    }

    /// Expands the hardest jobs until there are as many as wanted. The hardest come first, so that no worker is left
    /// with one at the end.
    fn jobs(&mut self, root: CanonicalBoard, value: Discs, wanted: usize) -> Vec<Job> {
        loop {
            let open = self.open_jobs(root, value);
            let mut ranked: Vec<(u64, Job)> = open.into_iter().map(|job| (self.work(job), job)).collect();
            ranked.sort_by_key(|&(work, _)| Reverse(work));
            let jobs: Vec<Job> = ranked.into_iter().map(|(_, job)| job).collect();
            let empties = |job: &Job| job.board.position(self.tree.size).empties().len();
            let hard: Vec<Job> = jobs.iter().copied().filter(|job| empties(job) > MIN_EMPTIES).collect();
            if jobs.len() >= wanted || hard.is_empty() {
                return jobs;
            }
            let round = (wanted - jobs.len()) / ROUND_SHARE + 1;
            self.tree.expanded.extend(hard.into_iter().take(round).map(|job| job.board));
        }
    }

    /// The leaves that are still to be proven.
    fn open_jobs(&mut self, board: CanonicalBoard, value: Discs) -> Vec<Job> {
        let (mut memo, mut seen, mut open) = (Memo::new(), HashSet::new(), Vec::new());
        for bound in [Bound::AtLeast(value), Bound::AtMost(value)] {
            self.add_open(Job { board, bound }, &mut memo, &mut seen, &mut open);
        }
        open
    }

    fn add_open(&mut self, node: Job, memo: &mut Memo, seen: &mut HashSet<Job>, open: &mut Vec<Job>) {
        let known = self.tree.bounds(node.board, memo);
        if known.proves(node.bound) || known.proves(node.bound.negated()) || !seen.insert(node) {
            return;
        }
        if !self.tree.expanded.contains(&node.board) {
            open.push(node);
            return;
        }
        let bound = node.bound.for_opponent();
        let mut children = self.tree.children(node.board);
        if let Bound::AtLeast(_) = node.bound {
            let legal = children.len();
            children.retain(|&child| !self.tree.bounds(child, memo).proves(bound.negated()));
            // One move is enough. If a good one was refuted the bound is doubtful: then all others at once, rather than
            // a round for each.
            if children.len() == legal
                && let Some(best) = self.best_child(node.board)
            {
                children = vec![best];
            }
        }
        for board in children {
            self.add_open(Job { board, bound }, memo, seen, open);
        }
    }

    /// Expected nodes; only to compare jobs.
    fn work(&mut self, Job { board, bound }: Job) -> u64 {
        let (Bound::AtLeast(discs) | Bound::AtMost(discs)) = bound;
        let distance = (self.value(board).discs() - f64::from(discs.0)).abs();
        let empties = board.position(self.tree.size).empties().len() as u8;
        (nodes_to_solve(self.tree.rules, empties) * (-distance / EASIER_BY).exp()) as u64
    }
}

/// The nearest possible result: results are even.
fn even(score: Score) -> Discs {
    Discs(2 * (score.discs() / 2.0).round() as i8)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::solver::tests::options;
    use super::*;
    use crate::board::{Board, Size};
    use crate::rules::Rules;

    /// The value by plain exhaustion.
    pub(in crate::solve) fn exhaust(tree: &ProofTree, board: CanonicalBoard) -> Discs {
        fn value(
            tree: &ProofTree,
            board: CanonicalBoard,
            memo: &mut HashMap<CanonicalBoard, Discs>,
        ) -> Discs {
            if let Some(&value) = memo.get(&board) {
                return value;
            }
            let best = tree.children(board).into_iter().map(|child| -value(tree, child, memo)).max();
            let result =
                best.unwrap_or_else(|| tree.rules.result(board.position(tree.size).board(), tree.size));
            memo.insert(board, result);
            result
        }
        value(tree, board, &mut HashMap::new())
    }

    fn split_start(value: i8, wanted: usize) -> JobList {
        let root = Position::start(Size::Four);
        let tree = ProofTree::new(Rules::Reversed, Size::Four);
        split(root, tree, Some(Discs(value)), wanted, &options(Rules::Reversed, Size::Four))
    }

    fn root() -> CanonicalBoard {
        Board::START.into()
    }

    #[test]
    fn the_jobs_decide_the_root() {
        let list = split_start(4, 5);
        assert!(list.jobs.len() > 1, "{list:?}");
        assert_eq!(list.jobs.iter().collect::<HashSet<_>>().len(), list.jobs.len());
        let mut tree = list.tree.clone();
        let proven = |tree: &ProofTree| tree.bounds(root(), &mut Memo::new());
        for job in &list.jobs {
            assert!(!proven(&tree).is_exact(), "every job is needed");
            tree.learn(job.board, Interval::unknown(Size::Four).and_bound(job.bound));
        }
        assert_eq!(proven(&tree), Interval::exactly(Discs(4)));
    }

    #[test]
    fn a_refuted_job_leads_to_others_and_a_proven_one_to_none() {
        let list = split_start(6, 5);
        let mut tree = list.tree.clone();
        let (refuted, proven) = (list.jobs[0], list.jobs[1]);
        tree.learn(refuted.board, Interval::unknown(Size::Four).and_bound(refuted.bound.negated()));
        tree.learn(proven.board, Interval::unknown(Size::Four).and_bound(proven.bound));
        let next = split(list.root, tree, Some(Discs(6)), 5, &options(Rules::Reversed, Size::Four));
        assert!(!next.jobs.contains(&refuted) && !next.jobs.contains(&proven), "{next:?}");
        assert!(!next.jobs.is_empty());
    }

    #[test]
    fn what_is_proven_needs_no_jobs() {
        let mut tree = ProofTree::new(Rules::Reversed, Size::Four);
        tree.learn(root(), Interval::exactly(Discs(4)));
        let list = split(Position::start(Size::Four), tree, None, 9, &options(Rules::Reversed, Size::Four));
        assert_eq!((list.value, list.jobs.len()), (Discs(4), 0));
    }
}
