//! The maximum-likelihood rating list.
//!
//! Bradley and Terry's model: player `i` scores `E = 1 / (1 + 10^((rⱼ − rᵢ)/400))` a game against `j`, a draw being half
//! a win and half a loss. The ratings maximise `Σ sᵢⱼ·ln Eᵢⱼ` over the points `s`, and have mean 0.
//!
//! **Prior**: every player has played one pair more ([`Prior::ONE_PAIR`]), a fifth of it for each of the five scores, in
//! equal parts against all the others. So ratings are finite, players without a common opponent can be compared, and two
//! players are rated as far apart as [`Pentanomial::elo`](super::Pentanomial::elo) says.
//!
//! **Intervals**: were all games independent, the inverse of the observed information `L` would be the covariance of the
//! ratings. The games of a pair are not, so that it is `L⁺·M·L⁺`, where `M` is the variance of the likelihood's gradient
//! as it is observed, each pair (or game without a finished twin) adding the square of what it scored beyond
//! expectation. `L⁺` is the inverse among ratings of mean 0. The interval reaches 1.96 standard errors to both sides:
//! it is meant against the average of the field.

use super::elo::Elo;
use super::elo::{Prior, SmoothedPentanomial};
use super::head_to_head::HeadToHead;
use super::numeric::{Estimate, Z95};

/// Two players and their games, from the view of the first.
#[derive(Clone, Copy, Debug)]
pub struct Pairing<'a> {
    /// Index in the list of players.
    pub first: usize,
    pub second: usize,
    pub head_to_head: &'a HeadToHead,
}

/// `count` independent results of `games` games each, with the mean score `score`.
#[derive(Clone, Copy)]
struct Cluster {
    count: f64,
    games: f64,
    score: f64,
}

/// A pairing in numbers, with the prior.
struct PairingData {
    first: usize,
    second: usize,
    clusters: Vec<Cluster>,
    games: f64,
    points: f64,
}

impl PairingData {
    fn new(pairing: &Pairing, prior: Prior) -> Self {
        let singles = pairing.head_to_head.singles();
        let pairs = SmoothedPentanomial::new(pairing.head_to_head.pairs(), prior);
        let clusters: Vec<_> = [(0.0, singles.losses), (0.5, singles.draws), (1.0, singles.wins)]
            .into_iter()
            .map(|(score, count)| Cluster { count: count.into(), games: 1.0, score })
            .chain(pairs.iter().map(|(score, count)| Cluster { count, games: 2.0, score }))
            .collect();
        let games = clusters.iter().map(|c| c.count * c.games).sum();
        let points = clusters.iter().map(|c| c.count * c.games * c.score).sum();
        Self { first: pairing.first, second: pairing.second, clusters, games, points }
    }

    /// The expected score of the first player; ratings are in logits here.
    fn expected(&self, ratings: &[f64]) -> f64 {
        1.0 / (1.0 + (ratings[self.second] - ratings[self.first]).exp())
    }

    fn log_likelihood(&self, ratings: &[f64]) -> f64 {
        let lead = ratings[self.first] - ratings[self.second];
        -self.points * (-lead).exp().ln_1p() - (self.games - self.points) * lead.exp().ln_1p()
    }

    /// The observed information about the lead of the first player.
    fn information(&self, ratings: &[f64]) -> f64 {
        let expected = self.expected(ratings);
        self.games * expected * (1.0 - expected)
    }

    /// The observed variance of the gradient: the sum of squared deviations from the expected score.
    fn variance(&self, ratings: &[f64]) -> f64 {
        let expected = self.expected(ratings);
        self.clusters.iter().map(|c| c.count * (c.games * (c.score - expected)).powi(2)).sum()
    }
}

/// The ratings of all players. Every two players need a pairing, possibly without games, to share the prior.
#[must_use]
pub fn rate(players: usize, pairings: &[Pairing]) -> Vec<Estimate<Elo>> {
    let prior = Prior::ONE_PAIR.divided(players.saturating_sub(1));
    let data: Vec<_> = pairings.iter().map(|pairing| PairingData::new(pairing, prior)).collect();
    let ratings = maximise(players, &data);
    let inverse = inverse(laplacian(players, &data, |e| e.information(&ratings)));
    let variance = laplacian(players, &data, |e| e.variance(&ratings));
    let estimate = |(player, &rating): (usize, &f64)| {
        let row = &inverse[player];
        let spread: f64 = row.iter().zip(&variance).map(|(left, line)| left * dot(line, row)).sum();
        let reach = Z95 * spread.max(0.0).sqrt();
        Estimate { value: rating, low: rating - reach, high: rating + reach }
            .map(|logit| Elo(logit * Elo::PER_LOGIT))
    };
    ratings.iter().enumerate().map(estimate).collect()
}

/// Newton's method; the likelihood is concave, so that it suffices to shorten steps that overshoot.
fn maximise(players: usize, data: &[PairingData]) -> Vec<f64> {
    const STEPS: u32 = 100;
    const PRECISE: f64 = 1e-10;
    let likelihood = |ratings: &[f64]| -> f64 { data.iter().map(|e| e.log_likelihood(ratings)).sum() };
    let mut ratings = vec![0.0; players];
    let mut height = likelihood(&ratings);
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; players];
        for e in data {
            let surplus = e.points - e.games * e.expected(&ratings);
            gradient[e.first] += surplus;
            gradient[e.second] -= surplus;
        }
        let inverse = inverse(laplacian(players, data, |e| e.information(&ratings)));
        let step: Vec<f64> = inverse.iter().map(|row| dot(row, &gradient)).collect();
        let mut length = 1.0;
        while length > PRECISE {
            let next: Vec<f64> = ratings.iter().zip(&step).map(|(r, s)| r + length * s).collect();
            let higher = likelihood(&next);
            if higher >= height {
                (ratings, height) = (next, higher);
                break;
            }
            length /= 2.0;
        }
        if step.iter().all(|s| s.abs() < PRECISE) || length <= PRECISE {
            break;
        }
    }
    ratings
}

/// `Σ weight·(eᵢ − eⱼ)(eᵢ − eⱼ)ᵀ` over the pairings.
fn laplacian(players: usize, data: &[PairingData], weight: impl Fn(&PairingData) -> f64) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; players]; players];
    for e in data {
        let weight = weight(e);
        matrix[e.first][e.first] += weight;
        matrix[e.second][e.second] += weight;
        matrix[e.first][e.second] -= weight;
        matrix[e.second][e.first] -= weight;
    }
    matrix
}

/// The inverse of a Laplacian among vectors of mean 0. A multiple of the matrix of ones is added, which makes it regular
/// and does nothing to such vectors; it is then positive definite, so that elimination needs no pivots.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    // Of the order of the other entries, so that nothing is lost beside them.
    let ones = matrix.iter().enumerate().map(|(n, row)| row[n]).sum::<f64>() / size.max(1).pow(2) as f64;
    let ones = if ones > 0.0 { ones } else { 1.0 };
    matrix.iter_mut().flatten().for_each(|entry| *entry += ones);
    let mut result: Vec<Vec<f64>> =
        (0..size).map(|n| (0..size).map(|m| f64::from(u8::from(n == m))).collect()).collect();
    for pivot in 0..size {
        let scale = 1.0 / matrix[pivot][pivot];
        matrix[pivot].iter_mut().chain(&mut result[pivot]).for_each(|entry| *entry *= scale);
        let (line, line_result) = (matrix[pivot].clone(), result[pivot].clone());
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            subtract(&mut matrix[row], factor, &line);
            subtract(&mut result[row], factor, &line_result);
        }
    }
    result
}

fn subtract(row: &mut [f64], factor: f64, line: &[f64]) {
    row.iter_mut().zip(line).for_each(|(entry, other)| *entry -= factor * other);
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(l, r)| l * r).sum()
}
