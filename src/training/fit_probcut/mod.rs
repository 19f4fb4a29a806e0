//! `ollehto fit-probcut`: fits the error models of the selective search.
//!
//! Multi-ProbCut cuts where a shallow value lies so far outside the window that the deep value can hardly lie within.
//! How far that is depends on how the two differ, which is measured here: positions of our own games and others one move
//! off them are searched to every depth, and the errors of each rule set and band of empty squares make a table. Near
//! the end of the game positions are also solved, and the errors of predicting the result make another. Searched values
//! are kept in a log of [`samples`].

pub mod fit;
mod plan;
pub mod predictors;
mod report;
pub mod samples;
mod source;
mod tables;

use std::collections::HashMap;
use std::path::PathBuf;

use thiserror::Error;

use super::parallel;
use crate::bench::evaluation_fingerprint;
use crate::board::Size;
use crate::eval::{Evaluation, HAND_MADE, PatternState};
use crate::files::append_log::AppendLogError;
use crate::rules::Rules;
use crate::search::{Budget, Control, SearchMode, Searcher, Task};
use crate::selectivity::Selectivity;
use crate::terminal::progress::CommandProgress;
use crate::terminal::table::TextTable;

use plan::PlannedPosition;
use predictors::{
    BANDS, DepthPair, END_BANDS, EndgameErrors, ErrorModels, FIRST_END_BAND, MidgameErrors, band_name,
    depth_errors, end_errors,
};
use report::BandErrors;
use samples::{DepthValues, SampleFile, SampleSettings, SampledPosition};
use source::FittedModels;
use tables::{MeasuredBand, MeasuredEnd};

#[derive(Clone, Debug)]
pub struct FitOptions {
    /// Both rule sets if none. The models in use are kept for the other one.
    pub rules: Option<Rules>,
    /// Positions for each rule set and band.
    pub positions: usize,
    /// The deepest search.
    pub depth: u8,
    pub seed: u64,
    pub jobs: usize,
    /// The log of searched positions.
    pub samples: PathBuf,
    pub weights: Evaluation,
}

#[derive(Clone, Debug)]
pub struct FitReport {
    /// The source file of the search.
    pub source: String,
    /// Tables of how good the models are.
    pub quality: String,
}

#[derive(Debug, Error)]
pub enum FitError {
    #[error("{0}")]
    Samples(#[from] AppendLogError),
    #[error("no values to fit {rules} rules with {} to: more positions are needed", band_name(*band))]
    NoErrors { rules: Rules, band: usize },
}

/// MiB of table for each search, cleared before each.
const HASH: usize = 16;

/// MiB of table for solving.
const SOLVING_HASH: usize = 64;

/// Full width would take too long at greater depths; the errors of this confidence are small beside those measured.
const CONFIDENCE: Selectivity = Selectivity::P95;

/// A prediction with fewer errors in a band is not measured there.
const ENOUGH_ERRORS: usize = 40;

/// With few positions half of them are enough.
fn enough_errors(positions: usize) -> usize {
    ENOUGH_ERRORS.min(positions.div_ceil(2))
}

/// Searches the positions that are not in the log yet, and fits the models.
///
/// # Errors
/// If the log cannot be used, or a band has no values.
pub fn run(options: &FitOptions) -> Result<FitReport, FitError> {
    let fitted: Vec<_> =
        Rules::ALL.into_iter().filter(|&rules| options.rules.is_none_or(|only| only == rules)).collect();
    let settings = SampleSettings {
        depth: options.depth,
        seed: options.seed,
        evaluation: evaluation_fingerprint(&options.weights, &fitted),
    };
    let (mut file, mut values) = SampleFile::open(&options.samples, settings)?;
    let plan = plan::plan(&fitted, options.positions, options.seed);
    let new: Vec<_> = plan.iter().filter(|planned| !values.contains_key(&planned.sampled)).copied().collect();
    let known = plan.len() - new.len();
    search_all(&new, known, options, |sampled, found| {
        file.append(&sampled, &found)?;
        values.insert(sampled, found);
        Ok(())
    })?;
    let mut quality = [report::table(), report::table()];
    let mut models = Vec::new();
    for rules in Rules::ALL {
        if !fitted.contains(&rules) {
            let evaluator = options.weights.evaluator(rules, Size::Eight);
            models.push(FittedModels::kept(rules, ErrorModels::of(&evaluator)));
            continue;
        }
        let bands: Vec<Vec<_>> = (0..BANDS).map(|band| found(&plan, &values, rules, band)).collect();
        let [midgame_quality, endgame_quality] = &mut quality;
        models.push(FittedModels {
            rules,
            made_by: command(options, rules),
            midgame: fit_midgame(rules, &bands, options, midgame_quality)?,
            endgame: fit_endgame(rules, &bands, options, endgame_quality)?,
        });
    }
    let [midgame, endgame] = quality;
    let quality = format!(
        "{known} positions known, {} searched\n\
         Deep searches (fitted to -: extrapolated, or from another band):\n{midgame}\
         The end of the game (fitted to -: from a shallower search):\n{endgame}",
        new.len()
    );
    Ok(FitReport { source: source::source(&models), quality })
}

/// What makes these models again.
fn command(options: &FitOptions, rules: Rules) -> String {
    let FitOptions { positions, depth, seed, .. } = options;
    let weights = match options.weights {
        Evaluation::Shipped => String::new(),
        Evaluation::HandMade => format!(" --weights {HAND_MADE}"),
        Evaluation::Loaded(_) => " --weights FILE".to_owned(),
    };
    format!(
        "ollehto fit-probcut --rules {rules} --positions {positions} --depth {depth} --seed {seed}{weights}"
    )
}

type Found<'a> = (&'a PlannedPosition, &'a DepthValues);

fn found<'a>(
    plan: &'a [PlannedPosition],
    values: &'a HashMap<SampledPosition, DepthValues>,
    rules: Rules,
    band: usize,
) -> Vec<Found<'a>> {
    let of_band = plan.iter().filter(|planned| planned.sampled.rules == rules && planned.band == band);
    of_band.filter_map(|planned| Some((planned, values.get(&planned.sampled)?))).collect()
}

/// The table of each band.
fn fit_midgame(
    rules: Rules,
    bands: &[Vec<Found<'_>>],
    options: &FitOptions,
    quality: &mut TextTable,
) -> Result<Vec<MidgameErrors>, FitError> {
    let errors = |found: &Vec<Found<'_>>| {
        let errors = |values: &DepthValues| depth_errors(&values.by_depth).collect();
        BandErrors::gather(found.iter().map(|(planned, values)| (planned.number, errors(values))))
    };
    let errors: Vec<_> = bands.iter().map(errors).collect();
    let enough = enough_errors(options.positions);
    let measured =
        |errors: &BandErrors<DepthPair>| MeasuredBand::new(&errors.fitted_to, enough, options.depth);
    let measured: Vec<_> = errors.iter().map(measured).collect();
    let table = |(band, errors): (usize, &BandErrors<DepthPair>)| {
        errors.rows(rules, band, &measured).for_each(|row| quality.row(row));
        tables::midgame_errors(&measured, band).ok_or(FitError::NoErrors { rules, band })
    };
    errors.iter().enumerate().map(table).collect()
}

/// The table of each band from [`FIRST_END_BAND`] on.
fn fit_endgame(
    rules: Rules,
    bands: &[Vec<Found<'_>>],
    options: &FitOptions,
    quality: &mut TextTable,
) -> Result<Vec<EndgameErrors>, FitError> {
    // Every other position has the parity of a prediction.
    let enough = enough_errors(options.positions / 2);
    let table = |(band, found): (usize, &Vec<Found<'_>>)| {
        let errors = |&(planned, values): &Found<'_>| {
            let empties = planned.sampled.position.empties().len() as u8;
            (planned.number, end_errors(empties, &values.by_depth, values.exact).collect())
        };
        let errors = BandErrors::gather(found.iter().map(errors));
        let measured = MeasuredEnd::new(&errors.fitted_to, enough);
        errors.rows(rules, band, &measured).for_each(|row| quality.row(row));
        measured.errors().ok_or(FitError::NoErrors { rules, band })
    };
    bands.iter().enumerate().skip(FIRST_END_BAND).take(END_BANDS).map(table).collect()
}

/// Passes the values of each position to `keep` as its search ends.
fn search_all(
    new: &[PlannedPosition],
    known: usize,
    options: &FitOptions,
    mut keep: impl FnMut(SampledPosition, DepthValues) -> Result<(), AppendLogError>,
) -> Result<(), AppendLogError> {
    let mut progress = CommandProgress::new("positions", known + new.len(), known);
    let searchers =
        || [HASH, SOLVING_HASH].map(|hash| Searcher::new(1, hash).with_evaluation(options.weights.clone()));
    let search = |[searcher, solver]: &mut [Searcher; 2], planned: &PlannedPosition| {
        let by_depth = search(searcher, &options.weights, &planned.sampled, options.depth);
        let exact = planned.is_solved().then(|| solve(solver, &planned.sampled)).flatten();
        Some(DepthValues { by_depth, exact })
    };
    parallel::for_each(new, options.jobs, searchers, search, |at, values| {
        progress.advance(1);
        keep(new[at].sampled, values)
    })
}

/// Values by depth.
fn search(
    searcher: &mut Searcher,
    weights: &Evaluation,
    sampled: &SampledPosition,
    depth: u8,
) -> Vec<Option<i16>> {
    let deepest = sampled.deepest(depth);
    let mut values = vec![None; usize::from(deepest) + 1];
    let static_value =
        weights.evaluator(sampled.rules, Size::Eight).evaluate(&PatternState::new(sampled.position.board()));
    values[0] = Some(static_value.units());
    let task = Task { mode: SearchMode::Confident(CONFIDENCE), ..Task::new(sampled.position, sampled.rules) };
    // Entries of other positions would change values.
    searcher.clear();
    for (depth, value) in (0..=deepest).zip(&mut values).skip(1) {
        // Only the last iteration of a search has the confidence.
        let control = Control::new(&Budget { depth: Some(depth), ..Budget::UNLIMITED });
        let found = searcher.run(&task, &control, &mut |_| {}).last;
        *value = found.lines.first().filter(|_| found.depth == depth).map(|line| line.score.units());
    }
    values
}

/// The result of the game; it does not depend on the contents of the table.
fn solve(solver: &mut Searcher, sampled: &SampledPosition) -> Option<i16> {
    let task = Task::new(sampled.position, sampled.rules);
    let found = solver.run(&task, &Control::new(&Budget::UNLIMITED), &mut |_| {}).last;
    found.lines.first().filter(|_| found.exact).map(|line| line.score.units())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use crate::training::positions;

    #[test]
    fn solving_gives_the_result_whatever_was_solved_before() {
        let mut solver = Searcher::new(1, 1);
        for rules in Rules::ALL {
            for position in positions::sample(rules, 54, 4, 2) {
                let sampled = SampledPosition { rules, position };
                let exact = solve(&mut solver, &sampled);
                assert!(exact.is_some_and(|units| units % Score::UNITS == 0), "{exact:?}");
                assert_eq!(solve(&mut Searcher::new(1, 1), &sampled), exact);
            }
        }
    }

    #[test]
    fn a_position_has_a_value_for_every_depth_before_the_end() {
        let mut searcher = Searcher::new(1, 1);
        for (discs, depths) in [(20, 5), (54, 5), (60, 3)] {
            let position = positions::sample(Rules::Reversed, discs, 1, 1)[0];
            let sampled = SampledPosition { rules: Rules::Reversed, position };
            let values = search(&mut searcher, &Evaluation::HandMade, &sampled, 5);
            assert_eq!(values.len(), depths + 1, "{discs} discs");
            assert!(values.iter().all(Option::is_some), "{discs} discs: {values:?}");
            assert_eq!(
                search(&mut searcher, &Evaluation::HandMade, &sampled, 5),
                values,
                "whatever was searched before"
            );
        }
    }
}
