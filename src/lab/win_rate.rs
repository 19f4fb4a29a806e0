//! Monte-Carlo win rate of weights without a search, against a random mover.

use super::games::share;
use super::published::{GENETIC_WIN_RATES, NEIGHBOUR_KILLING};
use super::sheet::{Cell, Sheet};
use super::{LabError, PERFECT, each_with};
use crate::arena::opponents::parameters::{ParameterError, ParameterFile, System};
use crate::arena::opponents::quick_games::{QuickGameRules, QuickGames, QuickPlayer, TunedEvaluator};
use crate::arena::statistics::{GameResult, PairScore, Pentanomial};
use crate::board::{Position, Size};
use crate::random::Random;
use crate::rules::Rules;

#[derive(Clone, Debug)]
pub struct WinRateExperiment {
    /// Pairs of games for each set of weights.
    pub pairs: u32,
    /// More weights of `maximax`, as for `weights=` in a match.
    pub weights: Vec<String>,
    pub seed: u64,
    pub jobs: usize,
}

struct WinRateRow {
    name: String,
    values: Vec<f64>,
    said: Option<f64>,
}

/// Weights found by `ollehto tune`.
const FOUND: [(&str, &str); 2] = [
    ("ten costs of ours", include_str!("../../training/tune/found/maximax-squares.toml")),
    ("sixteen numbers of ours", include_str!("../../training/tune/found/maximax.toml")),
];

fn rows(weights: &[String]) -> Result<Vec<WinRateRow>, LabError> {
    let system = System::Maximax;
    let published = ["published-costs", "published"].map(|name| system.named(name));
    let names = ["ten costs of the report", "sixteen numbers of the report"];
    let mut rows = Vec::new();
    for ((name, values), said) in names.into_iter().zip(published).zip(GENETIC_WIN_RATES) {
        rows.push(WinRateRow { name: name.into(), values: values?, said: Some(said) });
    }
    for (name, text) in FOUND {
        let file: ParameterFile = toml::from_str(text).map_err(ParameterError::from)?;
        rows.push(WinRateRow { name: name.into(), values: file.values()?, said: None });
    }
    rows.push(WinRateRow { name: "equal costs and mix".into(), values: system.untuned(), said: None });
    for name in weights {
        rows.push(WinRateRow { name: name.clone(), values: system.named(name)?, said: None });
    }
    Ok(rows)
}

/// Weights of `maximax` play one ply ahead, reversed rules; both sides play the last twelve plies perfectly.
///
/// # Errors
/// If some weights cannot be read.
pub fn run(win_rate: &WinRateExperiment) -> Result<Sheet, LabError> {
    let rules = Rules::Reversed;
    let rows = rows(&win_rate.weights)?;
    let contestants: Vec<TunedEvaluator> =
        rows.iter().map(|row| System::Maximax.contestant(&row.values, rules)).collect();
    let pairs: Vec<(usize, u64)> = (0..rows.len())
        .flat_map(|row| (0..u64::from(win_rate.pairs)).map(move |number| (row, number)))
        .collect();
    let arena = || QuickGames::new(QuickGameRules { rules, depth: 1, exact: PERFECT });
    let scores = each_with("pairs", &pairs, win_rate.jobs, arena, |arena, &(row, number)| {
        // The same random moves for all weights.
        let mut rng = Random::keyed(win_rate.seed, number);
        let (one, begin) = (QuickPlayer::Evaluator(&contestants[row]), Position::start(Size::Eight));
        let black = arena.play(one, QuickPlayer::Random, begin, &mut rng);
        let white = -arena.play(QuickPlayer::Random, one, begin, &mut rng);
        PairScore::of(GameResult::of_margin(black), GameResult::of_margin(white))
    });
    let mut counted = vec![Pentanomial::default(); rows.len()];
    for (&(row, _), score) in pairs.iter().zip(scores) {
        counted[row].count(score);
    }
    let title = "Monte-Carlo win rate of weights of maximax without a search, reversed rules";
    let mut sheet = Sheet::new(title, 1, ["weights", "games", "win rate", "report"]);
    for (row, pairs) in rows.iter().zip(&counted) {
        let games = u64::from(win_rate.pairs) * 2;
        sheet.row(vec![
            row.name.as_str().into(),
            games.into(),
            Cell::of(share(pairs), 3),
            Cell::said(row.said, 3),
        ]);
    }
    sheet.note(format!(
        "Share of the points from the start position against a random mover, both colours; both sides play the last \
         {PERFECT} plies perfectly, without a limit. The ten costs count alone: mobility and stability have no part. The \
         report's sixteen numbers were bred by another fitness, its \"neighbour killing value\", which it does not define: \
         {NEIGHBOUR_KILLING:.2} of at most 0.50."
    ));
    Ok(sheet)
}
