//! Matches between single-feature evaluations, and against the same feature with the sign reversed.

use super::games::{LabPlayer, Limit, Series, share, total};
use super::published;
use super::sheet::{Cell, Sheet};
use crate::arena::opponents::evaluations::{BoardEvaluator, FEATURES, feature};
use crate::arena::statistics::Pentanomial;
use crate::board::Size;
use crate::rules::Rules;

#[derive(Clone, Copy, Debug)]
pub struct FeatureExperiment {
    /// Pairs of games for each pairing.
    pub pairs: u32,
    /// Search depth.
    pub depth: u8,
    /// Random plies of an opening.
    pub plies: u32,
    pub seed: u64,
    pub jobs: usize,
}

#[must_use]
pub fn run(features: &FeatureExperiment) -> Vec<Sheet> {
    let [reversed, standard] = [Rules::Reversed, Rules::Standard].map(|rules| round_robin(features, rules));
    vec![reversed, standard, signs(features), mobility(features)]
}

fn series(features: &FeatureExperiment, rules: Rules) -> Series {
    let &FeatureExperiment { pairs, plies, seed, jobs, .. } = features;
    Series { rules, pairs, plies, limit: Limit::None, seed, jobs }
}

fn judge(name: &str, rules: Rules, negated: bool) -> BoardEvaluator {
    let judge = feature(name, rules, Size::Eight).expect("it is one of the features");
    if negated { Box::new(move |board| -judge(board)) } else { judge }
}

fn contestant(name: &'static str, depth: u8, rules: Rules, negated: bool) -> LabPlayer {
    LabPlayer::fixed(name, depth, rules, judge(name, rules, negated))
}

fn round_robin(features: &FeatureExperiment, rules: Rules) -> Sheet {
    let players = FEATURES.map(|name| contestant(name, features.depth, rules, false));
    let table = series(features, rules).round_robin(&players);
    let title = format!("Round robin of single features, {rules} rules, depth {}", features.depth);
    let head = ["feature"].into_iter().chain(FEATURES).chain(["all", "pairs", "report"]);
    let mut sheet = Sheet::new(title, 1, head);
    for (one, row) in table.iter().enumerate() {
        let mut cells = vec![Cell::from(FEATURES[one])];
        let against = |(other, pairs)| if other == one { Cell::Nothing } else { Cell::of(share(pairs), 2) };
        cells.extend(row.iter().enumerate().map(against));
        let all = total(row);
        let said = published::feature_rate(FEATURES[one]).filter(|_| rules == Rules::Reversed);
        cells.extend([Cell::of(share(&all), 3), u64::from(all.pairs()).into(), Cell::said(said, 3)]);
        sheet.row(cells);
    }
    sheet.note(format!(
        "Share of the points of the feature in the row, {} pairs of games a pairing after {} random plies, 95 % \
         intervals over pairs. The report's is the share of its three pairings that a feature won; discs had no part.",
        features.pairs, features.plies
    ));
    sheet
}

fn signs(features: &FeatureExperiment) -> Sheet {
    let title = format!("Every feature against its negation, depth {}", features.depth);
    let columns = ["feature, as the report wants it", "reversed", "standard", "pairs"];
    let mut sheet = Sheet::new(title, 1, columns);
    let shares = [Rules::Reversed, Rules::Standard].map(|rules| {
        let of = |negated| FEATURES.map(|name| contestant(name, features.depth, rules, negated));
        let (players, negated_players) = (of(false), of(true));
        let pairings: Vec<_> =
            players.iter().zip(&negated_players).map(|(one, other)| [one, other]).collect();
        series(features, rules).play(&pairings)
    });
    let wanted = FEATURES.map(|name| match name {
        "squares" => "squares: the table of the report",
        "stability" => "stability: few stable discs",
        "frontier" => "frontier: many frontier discs",
        "mobility" => "mobility: many moves",
        _ => "discs: few discs",
    });
    add_rows(&mut sheet, &wanted, &shares);
    sheet.note(
        "Share of the points against the same feature with the sign turned. Under standard rules all but mobility are \
         wanted the other way round.",
    );
    sheet
}

fn add_rows(sheet: &mut Sheet, names: &[&str], shares: &[Vec<Pentanomial>; 2]) {
    for ((name, reversed), standard) in names.iter().zip(&shares[0]).zip(&shares[1]) {
        let [one, other] = [reversed, standard].map(|pairs| Cell::of(share(pairs), 3));
        sheet.row(vec![(*name).into(), one, other, u64::from(reversed.pairs()).into()]);
    }
}

/// Weights of the other features beside mobility, in discs: about those of solved positions with 12 empty squares
/// (`ollehto lab loss worth`).
const OTHERS: [(&str, f64); 3] = [("squares", 0.0033), ("stability", 0.3), ("discs", 0.4)];

/// Discs for a move more.
const MOVE: f64 = 1.0;

/// Three features and `moves` discs for each move.
fn mixture(rules: Rules, moves: f64) -> BoardEvaluator {
    let others = OTHERS.map(|(name, weight)| (judge(name, rules, false), weight));
    let mobility = judge("mobility", rules, false);
    Box::new(move |board| {
        let placed: f64 = others.iter().map(|(judge, weight)| weight * judge(board)).sum();
        placed + moves * mobility(board)
    })
}

fn mobility(features: &FeatureExperiment) -> Sheet {
    let title = format!("Mobility beside squares, stability and discs, depth {}", features.depth);
    let mut sheet = Sheet::new(title, 1, ["pairing", "reversed", "standard", "pairs"]);
    let shares = [Rules::Reversed, Rules::Standard].map(|rules| {
        let [many, any, few] = [MOVE, 0.0, -MOVE]
            .map(|moves| LabPlayer::fixed("mixture", features.depth, rules, mixture(rules, moves)));
        series(features, rules).play(&[[&many, &any], [&any, &few], [&many, &few]])
    });
    let names =
        ["many moves against any number", "any number against few moves", "many moves against few moves"];
    add_rows(&mut sheet, &names, &shares);
    sheet.note(
        "Share of the points of the first. All value 0.33 discs for 100 units of the square table, 0.3 for a stable disc \
         and 0.4 for a disc; a move more than the opponent has is worth a disc, nothing, or minus one.",
    );
    sheet
}
