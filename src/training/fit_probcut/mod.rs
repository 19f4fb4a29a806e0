//! `ollehto fit-probcut`: fits the error models of the selective search.
//!
//! Multi-ProbCut cuts where a shallow value lies so far outside the window that the deep value can hardly lie within.
//! How far that is depends on how the two differ, which is measured here: positions of our own games are searched at
//! full width to every depth, and a model is [`fit`] for each rule set and band of empty squares. Near the end of the
//! game positions are also solved, and a second model predicts the result. Searched values are kept in a log of
//! [`samples`].

pub mod fit;
pub mod predictors;
mod report;
pub mod samples;

use std::collections::HashMap;
use std::path::PathBuf;

use thiserror::Error;

use super::{parallel, positions};
use crate::bench::evaluation_fingerprint;
use crate::board::Size;
use crate::eval::{Evaluation, HAND_MADE, PatternState};
use crate::files::append_log::AppendLogError;
use crate::rules::Rules;
use crate::search::{Budget, Control, SearchMode, Searcher, Task};
use crate::terminal::progress::CommandProgress;

use predictors::{
    BAND_WIDTH, BANDS, DepthPair, END_BANDS, ToEnd, band_discs, band_name, band_of, depth_errors, end_errors,
};
use report::{BandErrors, FittedModels};
use samples::{DepthValues, SampleFile, SampleSettings, SampledPosition};

#[derive(Clone, Debug)]
pub struct FitOptions {
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

/// One position in so many of the last band is solved: they take seconds each.
const SOLVED_OF_LAST: usize = 3;

/// Searches the positions that are not in the log yet, and fits the models.
///
/// # Errors
/// If the log cannot be used, or a band has no values.
pub fn run(options: &FitOptions) -> Result<FitReport, FitError> {
    let settings = SampleSettings {
        depth: options.depth,
        seed: options.seed,
        evaluation: evaluation_fingerprint(&options.weights, &Rules::ALL),
    };
    let (mut file, mut values) = SampleFile::open(&options.samples, settings)?;
    let plan = plan(options);
    let new: Vec<_> = plan.iter().filter(|planned| !values.contains_key(&planned.sampled)).copied().collect();
    let known = plan.len() - new.len();
    search_all(&new, known, options, |sampled, found| {
        file.append(&sampled, &found)?;
        values.insert(sampled, found);
        Ok(())
    })?;
    let mut tables = [report::table(&SHOWN_DEPTHS), report::table(&SHOWN_TO_END)];
    let mut models = Vec::new();
    for rules in Rules::ALL {
        let (mut depths, mut end) = (Vec::new(), Vec::new());
        for band in 0..BANDS {
            let no_errors = || FitError::NoErrors { rules, band };
            let found: Vec<_> = found(&plan, &values, rules, band).collect();
            let errors = |&(planned, values): &(&PlannedPosition, &DepthValues)| {
                (planned.number, depth_errors(&values.by_depth).collect())
            };
            let errors = BandErrors::gather(found.iter().map(errors));
            let fit = fit::fit(&errors.fitted_to).ok_or_else(no_errors)?;
            tables[0].row(errors.row(rules, band, &fit, &SHOWN_DEPTHS));
            depths.push(fit.model);
            if band >= END_BANDS {
                continue;
            }
            let errors = |&(planned, values): &(&PlannedPosition, &DepthValues)| {
                let empties = planned.sampled.position.empties().len() as u8;
                (planned.number, end_errors(empties, &values.by_depth, values.exact).collect())
            };
            let errors = BandErrors::gather(found.iter().filter(|(_, v)| v.exact.is_some()).map(errors));
            let fit = fit::fit(&errors.fitted_to).ok_or_else(no_errors)?;
            tables[1].row(errors.row(rules, band, &fit, &SHOWN_TO_END));
            end.push(fit.model);
        }
        models.push(FittedModels { rules, depths, end });
    }
    let FitOptions { positions, depth, seed, .. } = options;
    let weights = match options.weights {
        Evaluation::Shipped => String::new(),
        Evaluation::HandMade => format!(" --weights {HAND_MADE}"),
        Evaluation::Loaded(_) => " --weights FILE".to_owned(),
    };
    let command =
        format!("ollehto fit-probcut --positions {positions} --depth {depth} --seed {seed}{weights}");
    let [depths, end] = tables;
    let quality = format!(
        "{known} positions known, {} searched\nDeep searches:\n{depths}The end of the game:\n{end}",
        new.len()
    );
    Ok(FitReport { source: report::source(&command, &models), quality })
}

fn found<'a>(
    plan: &'a [PlannedPosition],
    values: &'a HashMap<SampledPosition, DepthValues>,
    rules: Rules,
    band: usize,
) -> impl Iterator<Item = (&'a PlannedPosition, &'a DepthValues)> {
    let of_band = plan.iter().filter(move |planned| planned.sampled.rules == rules && planned.band == band);
    of_band.filter_map(|planned| Some((planned, values.get(&planned.sampled)?)))
}

/// Shown in the table.
const SHOWN_DEPTHS: [(&str, DepthPair); 2] =
    [("2 for 6", DepthPair { shallow: 2, deep: 6 }), ("4 for 8", DepthPair { shallow: 4, deep: 8 })];

/// Shown in the table; the same for all even numbers of empty squares.
const SHOWN_TO_END: [(&str, ToEnd); 3] = [
    ("2 for all", ToEnd { shallow: 2, empties: 0 }),
    ("4 for all", ToEnd { shallow: 4, empties: 0 }),
    ("6 for all", ToEnd { shallow: 6, empties: 0 }),
];

#[derive(Clone, Copy, Debug)]
struct PlannedPosition {
    sampled: SampledPosition,
    band: usize,
    /// Within rules and band.
    number: usize,
}

impl PlannedPosition {
    const fn is_solved(&self) -> bool {
        // Disc counts take turns by four, so every third position has them all.
        self.band + 1 < END_BANDS
            || (self.band + 1 == END_BANDS && self.number % SOLVED_OF_LAST == SOLVED_OF_LAST - 1)
    }
}

/// The positions of all bands, interleaved so that the remaining time can be estimated.
fn plan(options: &FitOptions) -> Vec<PlannedPosition> {
    let mut plan = Vec::new();
    for rules in Rules::ALL {
        let each = options.positions.div_ceil(BAND_WIDTH as usize);
        let drawn = positions::sample_each(rules, band_discs(), each, options.seed);
        let mut sizes = [0; BANDS];
        // Disc counts take turns, so that the held-out positions have them all.
        for position in (0..each).flat_map(|at| drawn.iter().filter_map(move |drawn| drawn.get(at))) {
            let Some(band) = band_of(position.empties().len()) else { continue };
            let number = sizes[band];
            if number < options.positions {
                plan.push(PlannedPosition {
                    sampled: SampledPosition { rules, position: *position },
                    band,
                    number,
                });
                sizes[band] += 1;
            }
        }
    }
    plan.sort_by_key(|planned| planned.number);
    plan
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
    let control = Control::new(&Budget { depth: Some(deepest), ..Budget::UNLIMITED });
    // Entries of other positions would change values and skip depths.
    searcher.clear();
    searcher.run(&full_width(sampled), &control, &mut |iteration| {
        if let Some(value) = values.get_mut(usize::from(iteration.depth)) {
            *value = iteration.lines.first().map(|line| line.score.units());
        }
    });
    values
}

/// The result of the game; it does not depend on the contents of the table.
fn solve(solver: &mut Searcher, sampled: &SampledPosition) -> Option<i16> {
    let found = solver.run(&full_width(sampled), &Control::new(&Budget::UNLIMITED), &mut |_| {}).last;
    found.lines.first().filter(|_| found.exact).map(|line| line.score.units())
}

/// Without ProbCut, whose errors are measured.
fn full_width(sampled: &SampledPosition) -> Task {
    Task { mode: SearchMode::FullWidth, ..Task::new(sampled.position, sampled.rules) }
}

#[cfg(test)]
mod tests {
    use super::predictors::band_empties;
    use super::*;
    use crate::score::Score;
    use std::collections::HashSet;

    fn options(positions: usize) -> FitOptions {
        FitOptions {
            positions,
            depth: 4,
            seed: 3,
            jobs: 1,
            samples: PathBuf::new(),
            weights: Evaluation::HandMade,
        }
    }

    #[test]
    fn a_plan_has_as_many_of_every_band_as_there_are() {
        let plan = plan(&options(24));
        let sampled_positions: HashSet<_> = plan.iter().map(|planned| planned.sampled).collect();
        assert_eq!(sampled_positions.len(), plan.len(), "each position once");
        for rules in Rules::ALL {
            for band in 0..BANDS {
                let of_band: Vec<_> =
                    plan.iter().filter(|p| p.sampled.rules == rules && p.band == band).collect();
                let all = if band == BANDS - 1 { 1 + 1 + 3 + 6 } else { 24 };
                assert_eq!(of_band.len(), all, "{rules} {band}");
                let wide = band_empties(band);
                assert!(of_band.iter().all(|p| wide.contains(&p.sampled.position.empties().len())));
                let held_out = of_band.iter().filter(|p| report::is_held_out(p.number));
                let numbers: HashSet<_> = held_out.map(|p| p.sampled.position.empties().len()).collect();
                assert!(numbers.len() >= 2, "those held out differ in discs: {numbers:?}");
            }
        }
    }

    #[test]
    fn positions_near_the_end_are_solved_but_few_of_the_last_band() {
        let plan = plan(&options(24));
        for rules in Rules::ALL {
            for band in 0..BANDS {
                let solved: Vec<_> = plan
                    .iter()
                    .filter(|p| p.sampled.rules == rules && p.band == band && p.is_solved())
                    .collect();
                let expected = [24, 24, 24, 8].get(band).copied().unwrap_or(0);
                assert_eq!(solved.len(), expected, "{rules} {band}");
                let numbers: HashSet<_> = solved.iter().map(|p| p.sampled.position.empties().len()).collect();
                assert_eq!(numbers.len(), expected.min(4), "all numbers of empty squares: {numbers:?}");
            }
        }
    }

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
