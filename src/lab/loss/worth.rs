//! The value of features on solved trees: each alone, and with the others held equal.

use super::super::sheet::{Cell, Sheet};
use super::super::statistics::middle;
use super::{LossSet, visit};
use crate::arena::opponents::evaluations::{BoardEvaluator, FEATURES, feature};
use crate::arena::statistics::Estimate;
use crate::board::Size;
use crate::random::Random;

/// The features, and the value of being to move.
const UNKNOWNS: usize = FEATURES.len() + 1;

/// Bootstrap samples.
const DRAWS: usize = 1000;

/// The normal equations of least squares.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    products: [[f64; UNKNOWNS]; UNKNOWNS],
    with_truth: [f64; UNKNOWNS],
}

impl Sums {
    fn add(&mut self, weight: f64, said: &[f64; UNKNOWNS], truth: f64) {
        for (row, &one) in said.iter().enumerate() {
            for (sum, &other) in self.products[row].iter_mut().zip(said) {
                *sum += weight * one * other;
            }
            self.with_truth[row] += weight * one * truth;
        }
    }

    fn join(mut self, other: &Self) -> Self {
        for row in 0..UNKNOWNS {
            let pairs = self.products[row].iter_mut().zip(other.products[row]);
            pairs.for_each(|(sum, more)| *sum += more);
            self.with_truth[row] += other.with_truth[row];
        }
        self
    }

    /// The weights of some of the unknowns, without the others.
    fn fit(&self, used: &[usize]) -> Option<Vec<f64>> {
        let rows = used.iter().map(|&row| {
            let products = used.iter().map(|&column| self.products[row][column]);
            products.chain([self.with_truth[row]]).collect()
        });
        solve(rows.collect())
    }
}

/// Gaussian elimination; the last number of a row is its right side. None if the matrix is singular.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    const LEAST: f64 = 1e-9;
    let count = rows.len();
    for column in 0..count {
        let largest =
            (column..count).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, largest);
        let pivot = rows[column].clone();
        if pivot[column].abs() < LEAST {
            return None;
        }
        for row in (0..count).filter(|&row| row != column) {
            let factor = rows[row][column] / pivot[column];
            rows[row].iter_mut().zip(&pivot).for_each(|(number, from)| *number -= factor * from);
        }
    }
    (0..count).map(|row| Some(rows[row].last()? / rows[row][row])).collect()
}

/// In discs.
#[must_use]
pub fn worth(set: &LossSet, seed: u64) -> Sheet {
    let judges: Vec<BoardEvaluator> =
        FEATURES.iter().filter_map(|name| feature(name, set.rules(), Size::Eight)).collect();
    let by_root: Vec<Sums> = set.roots().iter().map(|root| sums(set, root, &judges)).collect();
    let mut random = Random::new(seed);
    let drawn: Vec<Sums> = (0..DRAWS)
        .map(|_| {
            let roots = (0..by_root.len()).filter_map(|_| random.pick(&by_root));
            roots.fold(Sums::default(), Sums::join)
        })
        .collect();
    let all = by_root.iter().fold(Sums::default(), Sums::join);
    let estimate = |used: &[usize]| {
        let weight = |sums: &Sums| sums.fit(used).and_then(|weights| weights.first().copied());
        let [low, high] = middle(drawn.iter().filter_map(weight).collect());
        weight(&all).map(|value| Estimate { value, low, high })
    };
    let title = format!(
        "What features are worth, {} rules, {} empty squares, trees of depth {}",
        set.rules(),
        set.empties(),
        set.depth()
    );
    let mut sheet = Sheet::new(title, 1, ["feature", "alone", "others equal"]);
    for (number, name) in FEATURES.into_iter().enumerate() {
        let alone = estimate(&[number, FEATURES.len()]);
        let others = (0..UNKNOWNS).filter(|&other| other != number);
        let equal = estimate(&[number].into_iter().chain(others).collect::<Vec<_>>());
        sheet.row(vec![name.into(), Cell::of(alone, 3), Cell::of(equal, 3)]);
    }
    sheet.note(format!(
        "Discs of the true value for a unit of the feature as `ollehto lab features` has it (squares: for 100 units), by \
         least squares over {} nodes of {} positions; 95 % intervals by drawing positions anew. Above zero the feature is \
         good as the report wants it: in the reversed game few stable discs, many frontier discs, many moves, few discs; \
         in the standard game the contrary, but for moves.",
        set.nodes(),
        set.roots().len()
    ));
    sheet
}

fn sums(set: &LossSet, root: &super::SolvedTree, judges: &[BoardEvaluator]) -> Sums {
    let mut nodes = Vec::with_capacity(root.values.len());
    visit(root.board, set.depth(), &mut root.values.iter(), &mut |board, truth| {
        // The last one is for being to move.
        let mut said = [1.0; UNKNOWNS];
        for ((place, judge), name) in said.iter_mut().zip(judges).zip(FEATURES) {
            let unit = if name == "squares" { 100.0 } else { 1.0 };
            *place = judge(board) / unit;
        }
        nodes.push((said, f64::from(truth)));
    });
    let weight = 1.0 / nodes.len().max(1) as f64;
    let mut sums = Sums::default();
    nodes.iter().for_each(|(said, truth)| sums.add(weight, said, *truth));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved() {
        let rows = vec![vec![0.0, 2.0, 4.0], vec![3.0, 1.0, 11.0]];
        assert_eq!(solve(rows), Some(vec![3.0, 2.0]));
        assert_eq!(solve(vec![vec![1.0, 2.0, 3.0], vec![2.0, 4.0, 6.0]]), None);
    }

    #[test]
    fn known_weights_are_found() {
        let mut sums = Sums::default();
        let mut random = Random::new(1);
        for _ in 0..50 {
            let said = [(); UNKNOWNS].map(|()| random.below(100) as f64 - 50.0);
            sums.add(0.5, &said, 2.0 * said[0] - 3.0 * said[4] + said[5]);
        }
        let found = sums.fit(&[4, 0, 1, 2, 3, 5]).expect("they determine it");
        for (weight, expected) in found.iter().zip([-3.0, 2.0, 0.0, 0.0, 0.0, 1.0]) {
            assert!((weight - expected).abs() < 1e-9, "{found:?}");
        }
    }
}
