//! Structural minimax loss: how far an evaluation is from the truth, over whole trees whose true values are known.
//!
//! As the report behind `maximax` defines it: the evaluation estimates every node of a game tree by a minimax of n plies,
//! each estimate is compared with the node's true minimax value, and the losses of all nodes are credited to the root.
//! It leaves three things open, which are settled here:
//!
//! - **Which trees.** Roots are positions of our own games with a given number of empty squares; nodes are all positions
//!   up to a given depth below, a pass being a ply, as in the report. Their values come from our solver. The plies of an
//!   estimate may lead beyond them. See [`file`](mod@file) for how such a set is kept.
//! - **Which scale.** Evaluations have units of their own, so one straight line, never a falling one, turns a value into
//!   discs: the one that fits the true values of all unfinished nodes best ([`Scale`]). Roots weigh the same in it. A
//!   finished game is worth its result. What the evaluation says is thus read as charitably as a line can, the same line
//!   for every n, and two evaluations that differ by a unit or an offset have the same loss.
//! - **Which loss.** The squared difference in discs, meaned over the unfinished nodes of a root and then over the roots;
//!   its square root is reported, in discs. A second figure does not depend on how large differences are: the *cost*, the
//!   discs that are given away on average where the move with the best n-ply estimate is made (the mean over equal
//!   ones, and over all where the line is level).

pub mod file;
mod report;
mod worth;

use arrayvec::ArrayVec;

use crate::arena::statistics::Estimate;
use crate::board::{Board, Size};
use crate::rules::Rules;

use super::statistics::Sample;

pub use file::{LossFileError, Making, make};
pub use report::report;
pub use worth::worth;

/// The most plies of an estimate.
pub const MOST_PLIES: usize = 8;

/// The boards that a move leads to, a pass if there is no move; none when the game is over.
pub(super) type Children = ArrayVec<Board, 64>;

pub(super) fn children(board: Board) -> Children {
    let area = Size::Eight.squares();
    let moves = board.moves(area);
    if !moves.is_empty() {
        return moves.into_iter().map(|square| board.after(square, board.flips(square))).collect();
    }
    let passed = board.passed();
    if passed.moves(area).is_empty() { Children::new() } else { [passed].into_iter().collect() }
}

/// A position with the true values of the tree below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    board: Board,
    /// In discs for the player to move: a node comes before its children, and children come in board order.
    values: Vec<i8>,
}

/// Positions with the true values of the trees below them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LossSet {
    rules: Rules,
    empties: u8,
    depth: u8,
    roots: Vec<Root>,
}

/// The line that turns an evaluation into discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Discs for a unit of the evaluation; 0 if it says nothing, or the contrary of what is true.
    pub slope: f64,
    /// Discs where it says 0.
    pub offset: f64,
}

impl Scale {
    /// A value in discs, held within what a game can bring.
    #[must_use]
    pub fn discs(&self, value: f64) -> f64 {
        (self.slope * value + self.offset).clamp(-64.0, 64.0)
    }
}

/// What an evaluation loses by estimates of so many plies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Plies of the estimate; 0 is the evaluation itself.
    pub plies: usize,
    /// The root of the mean squared difference from the truth, in discs.
    pub loss: Estimate<f64>,
    /// Discs given away by the move with the best estimate.
    pub cost: Estimate<f64>,
}

impl LossSet {
    /// The rules that the values are true of.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// How many squares the roots have empty.
    #[must_use]
    pub const fn empties(&self) -> u8 {
        self.empties
    }

    /// How deep the trees are.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// The roots.
    #[must_use]
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// All nodes whose values are known.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.roots.iter().map(|root| root.values.len() as u64).sum()
    }

    /// The spread of the true values: the loss of an evaluation that says nothing.
    #[must_use]
    pub fn spread(&self) -> f64 {
        self.loss(0, &|_| 0.0)
    }

    /// The loss of an n-ply estimate alone: what a search for better weights makes as small as it can.
    #[must_use]
    pub fn loss(&self, plies: usize, evaluate: &dyn Fn(Board) -> f64) -> f64 {
        self.losses(plies, evaluate).last().map_or(f64::INFINITY, |loss| loss.loss.value)
    }

    /// The losses of the estimates of 0 plies, 1 ply and so on up to the plies given, or [`MOST_PLIES`]. The evaluation
    /// is asked for the value for the player to move, in any unit; none if there are no roots.
    #[must_use]
    pub fn losses(&self, plies: usize, evaluate: &dyn Fn(Board) -> f64) -> Vec<Loss> {
        let plies = plies.min(MOST_PLIES);
        let scale = self.scale(evaluate);
        let mut samples = vec![[Sample::default(); 2]; plies + 1];
        for root in &self.roots {
            let mut walk = Walk {
                rules: self.rules,
                plies,
                evaluate: &|board| scale.discs(evaluate(board)),
                values: root.values.iter(),
                credits: [Credit::default(); MOST_PLIES + 1],
            };
            walk.known(root.board, self.depth);
            for (samples, credit) in samples.iter_mut().zip(&walk.credits) {
                samples[0].add(credit.squares / f64::from(credit.nodes.max(1)));
                samples[1].add(credit.cost / f64::from(credit.choices.max(1)));
            }
        }
        let by_plies = samples.into_iter().enumerate().filter_map(|(plies, [squares, costs])| {
            let loss = squares.mean()?.map(|square| square.max(0.0).sqrt());
            Some(Loss { plies, loss, cost: costs.mean()? })
        });
        by_plies.collect()
    }

    /// The line that turns the evaluation into discs best, by least squares.
    #[must_use]
    pub fn scale(&self, evaluate: &dyn Fn(Board) -> f64) -> Scale {
        // Means and moments of the evaluation and of the truth; nodes weigh so that roots weigh the same.
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

/// Shows every unfinished node with its value.
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

/// Weighted sums, about moving means so that large offsets do no harm.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    weight: f64,
    said: f64,
    truth: f64,
    spread: f64,
    common: f64,
}

impl Moments {
    fn add(&mut self, weight: f64, said: f64, truth: f64) {
        self.weight += weight;
        let before = said - self.said;
        self.said += before * weight / self.weight;
        self.truth += (truth - self.truth) * weight / self.weight;
        self.spread += weight * before * (said - self.said);
        self.common += weight * before * (truth - self.truth);
    }

    fn line(&self) -> Scale {
        let slope = if self.spread > 0.0 { (self.common / self.spread).max(0.0) } else { 0.0 };
        Scale { slope, offset: self.truth - slope * self.said }
    }
}

/// What the nodes of a root come to.
#[derive(Clone, Copy, Debug, Default)]
struct Credit {
    nodes: u32,
    squares: f64,
    /// Nodes with moves to choose from.
    choices: u32,
    cost: f64,
}

/// The estimates of a node by 0 plies, 1 ply and so on.
type Estimates = ArrayVec<f64, { MOST_PLIES + 1 }>;

/// A walk through the tree of one root.
struct Walk<'a> {
    rules: Rules,
    plies: usize,
    evaluate: &'a dyn Fn(Board) -> f64,
    values: std::slice::Iter<'a, i8>,
    credits: [Credit; MOST_PLIES + 1],
}

impl Walk<'_> {
    /// The estimates and the true value of a node whose value is known, those below credited.
    fn known(&mut self, board: Board, depth: u8) -> (Estimates, i8) {
        let truth = self.values.next().copied().unwrap_or_default();
        let next = children(board);
        if next.is_empty() {
            return (self.finished(board, self.plies), truth);
        }
        let mut estimates: Estimates = [(self.evaluate)(board)].into_iter().collect();
        if depth == 0 {
            let below: ArrayVec<Estimates, 64> = match self.plies {
                0 => ArrayVec::new(),
                plies => next.into_iter().map(|child| self.unknown(child, plies - 1)).collect(),
            };
            estimates.extend((0..self.plies).map(|plies| best(below.iter().map(|child| child[plies]))));
        } else {
            let below: ArrayVec<(Estimates, i8), 64> =
                next.into_iter().map(|child| self.known(child, depth - 1)).collect();
            estimates.extend((0..self.plies).map(|plies| best(below.iter().map(|(child, _)| child[plies]))));
            self.credit_choice(truth, &below);
        }
        for (credit, estimate) in self.credits.iter_mut().zip(&estimates) {
            credit.nodes += 1;
            credit.squares += (estimate - f64::from(truth)).powi(2);
        }
        (estimates, truth)
    }

    /// What is given away by following the estimates of the boards that moves lead to.
    fn credit_choice(&mut self, truth: i8, below: &[(Estimates, i8)]) {
        if below.len() < 2 {
            return;
        }
        for (plies, credit) in self.credits.iter_mut().enumerate().take(self.plies + 1) {
            let top = best(below.iter().map(|(child, _)| child[plies]));
            let chosen = below.iter().filter(|(child, _)| -child[plies] == top);
            let mean: Sample = chosen.map(|&(_, value)| -f64::from(value)).collect();
            credit.choices += 1;
            credit.cost += f64::from(truth) - mean.mean().map_or(0.0, |mean| mean.value);
        }
    }

    /// The estimates of a node below the known ones.
    fn unknown(&mut self, board: Board, plies: usize) -> Estimates {
        let next = children(board);
        if next.is_empty() {
            return self.finished(board, plies);
        }
        let mut estimates: Estimates = [(self.evaluate)(board)].into_iter().collect();
        if plies > 0 {
            let below: ArrayVec<Estimates, 64> =
                next.into_iter().map(|child| self.unknown(child, plies - 1)).collect();
            estimates.extend((0..plies).map(|plies| best(below.iter().map(|child| child[plies]))));
        }
        estimates
    }

    /// A finished game is known whatever the plies.
    fn finished(&self, board: Board, plies: usize) -> Estimates {
        let result = f64::from(self.rules.result(board, Size::Eight).0);
        std::iter::repeat_n(result, plies + 1).collect()
    }
}

/// The value of the best move, given those of the boards that moves lead to.
fn best(children: impl Iterator<Item = f64>) -> f64 {
    children.map(|value| -value).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests;
