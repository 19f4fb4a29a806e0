//! What the charts show, counted from the games.

use std::collections::BTreeMap;

use super::matches::{ReplayedGame, ReplayedMatch};
use crate::arena::journal::GameEnding;
use crate::arena::statistics::likelihood::{Prior, SmoothedPentanomial};
use crate::arena::statistics::numeric::Z95;
use crate::arena::statistics::{Estimate, GameResult, PairScore, Pentanomial};

/// No chart is wide enough to show more points than this.
const POINTS: usize = 200;

/// A player's score after so many pairs.
pub(super) struct ScorePoint {
    pub pairs: usize,
    pub score: Estimate<f64>,
}

/// The score of a player over its pairs, in the order of the schedule, with the interval that the Elo is made of.
pub(super) fn scores(replayed: &ReplayedMatch, player: usize) -> Vec<ScorePoint> {
    let pairs = pair_scores(replayed, player);
    // A step of whole pairs, counted from the end, so that the last point is always that of the result.
    let step = pairs.len().div_ceil(POINTS).max(1);
    let mut so_far = Pentanomial::default();
    let mut scores = Vec::new();
    for (count, score) in (1..).zip(&pairs) {
        so_far.count(*score);
        if (pairs.len() - count).is_multiple_of(step) {
            let score = SmoothedPentanomial::new(&so_far, Prior::ONE_PAIR).interval(Z95);
            scores.push(ScorePoint { pairs: count, score });
        }
    }
    scores
}

/// The scores of all finished pairs that a player had a part in.
fn pair_scores(replayed: &ReplayedMatch, player: usize) -> Vec<PairScore> {
    let mut pairs: BTreeMap<u32, Vec<GameResult>> = BTreeMap::new();
    for (game, margin) in games_of(replayed, player) {
        pairs.entry(game.pair()).or_default().push(GameResult::of_margin(margin));
    }
    pairs
        .into_values()
        .filter_map(|outcomes| match outcomes[..] {
            [one, other] => Some(PairScore::of(one, other)),
            _ => None,
        })
        .collect()
}

/// The games of a player with its margin in discs.
fn games_of(replayed: &ReplayedMatch, player: usize) -> impl Iterator<Item = (&ReplayedGame, i32)> {
    replayed.games.iter().filter_map(move |game| {
        let score = i32::from(game.record.score);
        match game.players {
            [black, _] if black == player => Some((game, score)),
            [_, white] if white == player => Some((game, -score)),
            _ => None,
        }
    })
}

/// How often a player won or lost by so many discs.
pub(super) struct MarginHistogram {
    /// How many discs a bar spans.
    pub width: i32,
    /// The games of each bar, by its place: 0 for draws alone, 1 for wins by up to `width` discs, and so on.
    pub bars: BTreeMap<i32, u32>,
    /// Games decided by a fault, which say nothing about discs.
    pub forfeits: u32,
}

/// The margins of a player's games.
pub(super) fn margins(replayed: &ReplayedMatch, player: usize) -> MarginHistogram {
    // DiscMargins are even wherever the board is filled: bars of four discs for 8×8, of two for smaller boards.
    let width = if replayed.size.side() == 8 { 4 } else { 2 };
    let mut histogram = MarginHistogram { width, bars: BTreeMap::new(), forfeits: 0 };
    for (game, margin) in games_of(replayed, player) {
        if matches!(game.record.ending, GameEnding::Forfeit { .. }) {
            histogram.forfeits += 1;
        } else {
            *histogram.bars.entry(bar(margin, width)).or_default() += 1;
        }
    }
    histogram
}

/// The bar that a margin belongs to, counted outwards from the draws: of 1 to `width` discs, and so on.
fn bar(margin: i32, width: i32) -> i32 {
    let outwards = (margin.abs() + width - 1) / width;
    outwards * margin.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_a_bar_of_their_own() {
        let bars: Vec<_> =
            [-64, -5, -4, -1, 0, 1, 2, 4, 5, 64].into_iter().map(|margin| bar(margin, 4)).collect();
        assert_eq!(bars, [-16, -2, -1, -1, 0, 1, 1, 1, 2, 16]);
    }
}
