//! Structural minimax loss: how far an evaluation is from the truth, over whole trees with known values.
//!
//! The report behind `maximax` defines it: the evaluation estimates every node of a game tree by an n-ply minimax, and
//! each estimate is compared with the node's true value. The report leaves three things open, which are settled here:
//!
//! - **Trees.** Roots are positions of our own games with a given number of empty squares; nodes are all positions up to
//!   a given depth below, a pass being a ply. Their values come from our solver. See [`file`](mod@file).
//! - **Scale.** Evaluations have units of their own. One line with a slope of at least 0 turns a value into discs: the
//!   least-squares fit to the true values of all unfinished nodes, roots weighing the same ([`DiscScale`]). It is the same
//!   for every n, so units and offsets do not change the loss. A finished game is worth its result.
//! - **Loss.** The square root of the squared difference in discs, averaged over the unfinished nodes of a root and then
//!   over the roots. The *cost* is the average number of discs given away by the move with the best n-ply estimate
//!   (averaged over equal ones).

pub mod file;
mod worth;

use arrayvec::ArrayVec;

use crate::arena::statistics::Estimate;
use crate::board::{Board, Size};
use crate::rules::Rules;

use super::each;
use super::evaluations::{self, UnknownEvaluation};
use super::sheet::{Cell, Sheet};
use super::statistics::SampleMean;

pub use file::{LossFileError, LossSetOptions, make};
pub use worth::worth;

/// The most plies of an estimate.
pub const MOST_PLIES: usize = 8;

/// The boards after each move, or after a pass if there is none; none when the game is over.
pub(super) type ChildBoards = ArrayVec<Board, 64>;

pub(super) fn children(board: Board) -> ChildBoards {
    let area = Size::Eight.squares();
    let moves = board.moves(area);
    if !moves.is_empty() {
        return moves.into_iter().map(|square| board.after(square, board.flips(square))).collect();
    }
    let passed = board.passed();
    if passed.moves(area).is_empty() { ChildBoards::new() } else { [passed].into_iter().collect() }
}

/// A root with the true values of its tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedTree {
    board: Board,
    /// In discs for the side to move; preorder, children in board order.
    values: Vec<i8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LossSet {
    rules: Rules,
    empties: u8,
    depth: u8,
    roots: Vec<SolvedTree>,
}

/// The line that turns an evaluation into discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscScale {
    /// Discs for a unit of the evaluation; 0 if it does not correlate with the truth.
    pub slope: f64,
    /// Discs where the evaluation is 0.
    pub offset: f64,
}

impl DiscScale {
    /// Clamped to 64 discs.
    #[must_use]
    pub fn discs(&self, value: f64) -> f64 {
        (self.slope * value + self.offset).clamp(-64.0, 64.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlyLoss {
    /// 0 is the evaluation itself.
    pub plies: usize,
    /// Root mean squared error, in discs.
    pub loss: Estimate<f64>,
    /// Discs given away by the move with the best estimate.
    pub cost: Estimate<f64>,
}

impl LossSet {
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Empty squares of the roots.
    #[must_use]
    pub const fn empties(&self) -> u8 {
        self.empties
    }

    /// Of the trees.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    #[must_use]
    pub fn roots(&self) -> &[SolvedTree] {
        &self.roots
    }

    /// All nodes of all trees.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.roots.iter().map(|root| root.values.len() as u64).sum()
    }

    /// The standard deviation of the true values: the loss of a constant evaluation.
    #[must_use]
    pub fn sigma(&self) -> f64 {
        self.loss(0, &|_| 0.0)
    }

    /// The loss of the n-ply estimate alone: what tuning minimises.
    #[must_use]
    pub fn loss(&self, plies: usize, evaluate: &dyn Fn(Board) -> f64) -> f64 {
        self.losses(plies, evaluate).last().map_or(f64::INFINITY, |loss| loss.loss.value)
    }

    /// The losses of the estimates of 0 to `plies` plies, at most [`MOST_PLIES`]; none without roots.
    #[must_use]
    pub fn losses(&self, plies: usize, evaluate: &dyn Fn(Board) -> f64) -> Vec<PlyLoss> {
        let plies = plies.min(MOST_PLIES);
        let scale = self.scale(evaluate);
        let mut samples = vec![[SampleMean::default(); 2]; plies + 1];
        for root in &self.roots {
            let mut walk = TreeWalk {
                rules: self.rules,
                plies,
                evaluate: &|board| scale.discs(evaluate(board)),
                values: root.values.iter(),
                sums: [LossSums::default(); MOST_PLIES + 1],
            };
            walk.tree_node(root.board, self.depth);
            for (samples, sums_of_plies) in samples.iter_mut().zip(&walk.sums) {
                samples[0].add(sums_of_plies.squares / f64::from(sums_of_plies.nodes.max(1)));
                samples[1].add(sums_of_plies.cost / f64::from(sums_of_plies.choices.max(1)));
            }
        }
        let by_plies = samples.into_iter().enumerate().filter_map(|(plies, [squares, costs])| {
            let loss = squares.mean()?.map(|square| square.max(0.0).sqrt());
            Some(PlyLoss { plies, loss, cost: costs.mean()? })
        });
        by_plies.collect()
    }

    /// By least squares.
    #[must_use]
    pub fn scale(&self, evaluate: &dyn Fn(Board) -> f64) -> DiscScale {
        // Nodes are weighted so that all roots weigh the same.
        let mut all = Moments::default();
        for root in &self.roots {
            let mut pairs = Vec::with_capacity(root.values.len());
            let mut values = root.values.iter();
            visit(root.board, self.depth, &mut values, &mut |board, truth| {
                pairs.push((evaluate(board), f64::from(truth)));
            });
            let weight = 1.0 / pairs.len().max(1) as f64;
            pairs.iter().for_each(|&(said, truth)| all.add(weight, said, truth));
        }
        all.line()
    }
}

/// Passes every unfinished node with its value to `see`.
fn visit<'a>(
    board: Board,
    depth: u8,
    values: &mut impl Iterator<Item = &'a i8>,
    see: &mut impl FnMut(Board, i8),
) {
    let Some(&value) = values.next() else { return };
    let next = children(board);
    if next.is_empty() {
        return;
    }
    see(board, value);
    if depth > 0 {
        next.into_iter().for_each(|child| visit(child, depth - 1, values, see));
    }
}

/// Weighted moments about moving means, so that large offsets do no harm.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    weight: f64,
    said: f64,
    truth: f64,
    variance: f64,
    covariance: f64,
}

impl Moments {
    fn add(&mut self, weight: f64, said: f64, truth: f64) {
        self.weight += weight;
        let before = said - self.said;
        self.said += before * weight / self.weight;
        self.truth += (truth - self.truth) * weight / self.weight;
        self.variance += weight * before * (said - self.said);
        self.covariance += weight * before * (truth - self.truth);
    }

    fn line(&self) -> DiscScale {
        let slope = if self.variance > 0.0 { (self.covariance / self.variance).max(0.0) } else { 0.0 };
        DiscScale { slope, offset: self.truth - slope * self.said }
    }
}

/// Sums over the nodes of a root.
#[derive(Clone, Copy, Debug, Default)]
struct LossSums {
    nodes: u32,
    squares: f64,
    /// Nodes with moves to choose from.
    choices: u32,
    cost: f64,
}

/// The estimates of a node by 0 plies, 1 ply and so on.
type Estimates = ArrayVec<f64, { MOST_PLIES + 1 }>;

struct TreeWalk<'a> {
    rules: Rules,
    plies: usize,
    evaluate: &'a dyn Fn(Board) -> f64,
    values: std::slice::Iter<'a, i8>,
    sums: [LossSums; MOST_PLIES + 1],
}

impl TreeWalk<'_> {
    /// The estimates and the value of a node of the tree; adds the losses of all nodes from it on.
    fn tree_node(&mut self, board: Board, depth: u8) -> (Estimates, i8) {
        let truth = self.values.next().copied().unwrap_or_default();
        let next = children(board);
        if next.is_empty() {
            return (self.finished(board, self.plies), truth);
        }
        let mut estimates: Estimates = [(self.evaluate)(board)].into_iter().collect();
        if depth == 0 {
            let below: ArrayVec<Estimates, 64> = match self.plies {
                0 => ArrayVec::new(),
                plies => next.into_iter().map(|child| self.node_below(child, plies - 1)).collect(),
            };
            estimates.extend((0..self.plies).map(|plies| best(below.iter().map(|child| child[plies]))));
        } else {
            let below: ArrayVec<(Estimates, i8), 64> =
                next.into_iter().map(|child| self.tree_node(child, depth - 1)).collect();
            estimates.extend((0..self.plies).map(|plies| best(below.iter().map(|(child, _)| child[plies]))));
            self.add_cost(truth, &below);
        }
        for (sums_of_plies, estimate) in self.sums.iter_mut().zip(&estimates) {
            sums_of_plies.nodes += 1;
            sums_of_plies.squares += (estimate - f64::from(truth)).powi(2);
        }
        (estimates, truth)
    }

    /// Adds the cost of the moves with the best estimates.
    fn add_cost(&mut self, truth: i8, below: &[(Estimates, i8)]) {
        if below.len() < 2 {
            return;
        }
        for (plies, sums_of_plies) in self.sums.iter_mut().enumerate().take(self.plies + 1) {
            let top = best(below.iter().map(|(child, _)| child[plies]));
            let chosen = below.iter().filter(|(child, _)| -child[plies] == top);
            let mean: SampleMean = chosen.map(|&(_, value)| -f64::from(value)).collect();
            sums_of_plies.choices += 1;
            sums_of_plies.cost += f64::from(truth) - mean.mean().map_or(0.0, |mean| mean.value);
        }
    }

    /// The estimates of a node below the tree.
    fn node_below(&mut self, board: Board, plies: usize) -> Estimates {
        let next = children(board);
        if next.is_empty() {
            return self.finished(board, plies);
        }
        let mut estimates: Estimates = [(self.evaluate)(board)].into_iter().collect();
        if plies > 0 {
            let below: ArrayVec<Estimates, 64> =
                next.into_iter().map(|child| self.node_below(child, plies - 1)).collect();
            estimates.extend((0..plies).map(|plies| best(below.iter().map(|child| child[plies]))));
        }
        estimates
    }

    fn finished(&self, board: Board, plies: usize) -> Estimates {
        let result = f64::from(self.rules.result(board, Size::Eight).0);
        std::iter::repeat_n(result, plies + 1).collect()
    }
}

/// The best value, given those of the children.
fn best(children: impl Iterator<Item = f64>) -> f64 {
    children.map(|value| -value).fold(f64::NEG_INFINITY, f64::max)
}

/// The losses of named evaluations, side by side.
///
/// # Errors
/// If there is no evaluation of some name.
pub fn report(
    set: &LossSet,
    names: &[String],
    plies: usize,
    jobs: usize,
) -> Result<Sheet, UnknownEvaluation> {
    let plies = plies.min(MOST_PLIES);
    let judges: Result<Vec<_>, _> =
        names.iter().map(|name| Ok((name, evaluations::named(name, set.rules())?))).collect();
    let judges = judges?;
    let losses =
        each("evaluations", &judges, jobs, |(_, judge)| (set.scale(judge), set.losses(plies, judge)));
    let title = format!(
        "Structural minimax loss, {} rules, {} empty squares, trees of depth {}",
        set.rules(),
        set.empties(),
        set.depth()
    );
    let of_plies = |what: &'static str| (0..=plies).map(move |n| format!("{what} {n}"));
    let head = ["evaluation", "discs/unit"].map(String::from);
    let mut sheet = Sheet::new(title, 1, head.into_iter().chain(of_plies("loss")).chain(of_plies("cost")));
    for ((name, _), (scale, losses)) in judges.iter().zip(&losses) {
        let cells = losses.iter().map(|loss| Cell::Estimate(loss.loss, 2));
        let costs = losses.iter().map(|loss| Cell::Estimate(loss.cost, 2));
        let head = [name.as_str().into(), Cell::Number(scale.slope, 5)];
        sheet.row(head.into_iter().chain(cells).chain(costs).collect());
    }
    sheet.note(format!(
        "{} positions, {} nodes; a constant evaluation loses {:.2}. loss n: root mean squared difference of \
         the n-ply estimate from the true value, in discs; cost n: discs given away by the move with the best n-ply \
         estimate. 95 % intervals over positions. The report defines the loss and gives no figures.",
        set.roots().len(),
        set.nodes(),
        set.sigma()
    ));
    Ok(sheet)
}

#[cfg(test)]
mod tests;
