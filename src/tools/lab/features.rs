//! Evaluations that look at one feature alone, against each other and against their contraries.

use super::games::{Contestant, Limit, Series, share, total};
use super::published;
use super::sheet::{Cell, Sheet};
use crate::board::Size;
use crate::opponents::evaluations::{FEATURES, Judge, feature};
use crate::rules::Rules;

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    /// Pairs of games for each pairing.
    pub pairs: u32,
    /// How deep both sides search.
    pub depth: u8,
    /// Random plies of an opening.
    pub plies: u32,
    /// What chance is drawn from.
    pub seed: u64,
    /// Pairs at a time.
    pub jobs: usize,
}

/// A round robin of the features for each rule set, and every feature against its contrary.
#[must_use]
pub fn run(features: &Features) -> Vec<Sheet> {
    let [reversed, standard] = [Rules::Reversed, Rules::Standard].map(|rules| round_robin(features, rules));
    vec![reversed, standard, signs(features)]
}

fn series(features: &Features, rules: Rules) -> Series {
    let &Features { pairs, plies, seed, jobs, .. } = features;
    Series { rules, pairs, plies, limit: Limit::None, seed, jobs }
}

/// The evaluation by a feature, or by its contrary.
fn judge(name: &str, rules: Rules, contrary: bool) -> Judge {
    let judge = feature(name, rules, Size::Eight).expect("it is one of the features");
    if contrary { Box::new(move |board| -judge(board)) } else { judge }
}

fn contestant(name: &'static str, depth: u8, rules: Rules, contrary: bool) -> Contestant {
    Contestant::fixed(name, depth, rules, judge(name, rules, contrary))
}

fn round_robin(features: &Features, rules: Rules) -> Sheet {
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

fn signs(features: &Features) -> Sheet {
    let title = format!("Every feature against its contrary, depth {}", features.depth);
    let columns = ["feature, as the report wants it", "reversed", "standard", "pairs"];
    let mut sheet = Sheet::new(title, 1, columns);
    let shares = [Rules::Reversed, Rules::Standard].map(|rules| {
        let of = |contrary| FEATURES.map(|name| contestant(name, features.depth, rules, contrary));
        let (players, contraries) = (of(false), of(true));
        let pairings: Vec<_> = players.iter().zip(&contraries).map(|(one, other)| [one, other]).collect();
        series(features, rules).play(&pairings)
    });
    for (number, name) in FEATURES.into_iter().enumerate() {
        let wanted = match name {
            "squares" => "squares: the table of the report",
            "stability" => "stability: few stable discs",
            "frontier" => "frontier: many frontier discs",
            "mobility" => "mobility: many moves",
            _ => "discs: few discs",
        };
        sheet.row(vec![
            wanted.into(),
            Cell::of(share(&shares[0][number]), 3),
            Cell::of(share(&shares[1][number]), 3),
            u64::from(features.pairs).into(),
        ]);
    }
    sheet.note(
        "Share of the points against the same feature with the sign turned. Under standard rules all but mobility are \
         wanted the other way round.",
    );
    sheet
}
