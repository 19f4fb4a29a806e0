//! Fitting the error models of the selective search.
//!
//! Multi-ProbCut lets a shallow search speak for a deep one where the shallow value lies so far outside the window that
//! the deep one can hardly lie within. How far that is depends on how the two values of a position differ, which is
//! measured here: positions from our own games are searched by full width to every depth in turn, and for each rule set
//! and each of the [`bands`] of empty squares a model is [`fit`] to the differences. What was searched is kept in
//! a file of [`samples`]; the models leave as a source file of the search.

pub mod bands;
pub mod fit;
pub mod samples;
mod source;

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::unbounded;
use indicatif::{ProgressBar, ProgressStyle};

use crate::board::Size;
use crate::eval::Evaluator;
use crate::random::Random;
use crate::referee::statistics::table::Table;
use crate::rules::Rules;
use crate::search::{Budget, Control, Searcher, Task};
use crate::tools::{bench, positions};

use bands::BANDS;
use fit::{Fit, Miss, REACHES, coverage, expected_coverage, misses};
use samples::{SampleError, SampleFile, Settings, Subject, Values};

/// What to fit to.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// Positions for each rule set and band.
    pub positions: usize,
    /// How deep they are searched.
    pub depth: u8,
    /// What draws them.
    pub seed: u64,
    /// Positions searched at a time.
    pub jobs: usize,
    /// Where their values are kept.
    pub samples: PathBuf,
}

/// What has come of it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The models, for the search.
    pub source: String,
    /// How good they are, for people.
    pub quality: String,
}

/// Why there are no models.
#[derive(Debug)]
pub enum FitError {
    /// The file of samples is at fault.
    Samples(SampleError),
    /// There is nothing to fit a band to.
    NoMisses {
        /// By these rules.
        rules: Rules,
        /// The band.
        band: usize,
    },
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Samples(error) => error.fmt(f),
            Self::NoMisses { rules, band } => {
                write!(
                    f,
                    "no values to fit {rules} rules with {} to: more positions are needed",
                    empties(*band)
                )
            }
        }
    }
}

impl std::error::Error for FitError {}

impl From<SampleError> for FitError {
    fn from(error: SampleError) -> Self {
        Self::Samples(error)
    }
}

/// The rule sets, in the order they are reported.
const RULES: [Rules; 2] = [Rules::Reversed, Rules::Standard];

/// Mebibytes of table for each search: it is cleared before each, which would take longer than many of them otherwise.
const HASH: usize = 16;

/// One in so many positions is not fitted to but used to see how good the fit is.
const HELD_OUT: usize = 5;

/// Searches what is not in the file of samples yet, and fits the models.
///
/// # Errors
/// If the file cannot be used, or a band has no values at all.
pub fn run(campaign: &Campaign) -> Result<Report, FitError> {
    let settings = Settings { depth: campaign.depth, seed: campaign.seed, evaluation: evaluation_mark() };
    let (mut file, mut values) = SampleFile::open(&campaign.samples, settings)?;
    let plan = plan(campaign);
    let subjects = plan.iter().map(|planned| planned.subject);
    let open: Vec<_> = subjects.filter(|subject| !values.contains_key(subject)).collect();
    let known = plan.len() - open.len();
    search_all(&open, known, campaign, |subject, found| {
        file.append(&subject, &found)?;
        values.insert(subject, found);
        Ok(())
    })?;
    let mut table = quality_table();
    let mut models = Vec::new();
    for rules in RULES {
        for band in 0..BANDS {
            let evidence = Evidence::gather(&plan, &values, rules, band);
            let fit = fit::fit(&evidence.fitted_to).ok_or(FitError::NoMisses { rules, band })?;
            table.row(evidence.row(rules, band, &fit));
            models.push(fit.model);
        }
    }
    let (reversed, standard) = models.split_at(BANDS);
    let Campaign { positions, depth, seed, .. } = campaign;
    let command = format!("ollehto fit-probcut --positions {positions} --depth {depth} --seed {seed}");
    let quality = format!("{known} positions known, {} searched\n{table}", open.len());
    Ok(Report { source: source::source(&command, reversed, standard), quality })
}

/// A position that the models are to be made of.
#[derive(Clone, Copy, Debug)]
struct Planned {
    subject: Subject,
    band: usize,
    /// Its number within rules and band.
    number: usize,
}

/// The positions of all bands, in an order that gets on with all of them at once, so that the time left can be told.
fn plan(campaign: &Campaign) -> Vec<Planned> {
    let mut plan = Vec::new();
    for rules in RULES {
        let each = campaign.positions.div_ceil(bands::WIDTH as usize);
        let drawn = positions::sample_each(rules, bands::discs(), each, campaign.seed);
        let mut sizes = [0; BANDS];
        // Numbers of discs take turns, so that those held out are of all of them.
        for position in (0..each).flat_map(|at| drawn.iter().filter_map(move |drawn| drawn.get(at))) {
            let Some(band) = bands::band(position.empties().len()) else { continue };
            let number = sizes[band];
            if number < campaign.positions {
                plan.push(Planned { subject: Subject { rules, position: *position }, band, number });
                sizes[band] += 1;
            }
        }
    }
    plan.sort_by_key(|planned| planned.number);
    plan
}

/// A number that changes with the evaluation.
fn evaluation_mark() -> u32 {
    let values = RULES.into_iter().flat_map(|rules| {
        let evaluator = Evaluator::new(rules, Size::Eight);
        bench::positions().into_iter().map(move |position| evaluator.evaluate(position.board()).units())
    });
    let mixed = values.fold(0, |mixed, units| Random::keyed(mixed, units as u64).draw());
    (mixed >> 32) as u32
}

/// Searches all positions and hands over the values of each as they come.
fn search_all(
    subjects: &[Subject],
    known: usize,
    campaign: &Campaign,
    mut keep: impl FnMut(Subject, Values) -> Result<(), SampleError>,
) -> Result<(), SampleError> {
    let progress = progress_bar(known + subjects.len(), known);
    let next = AtomicUsize::new(0);
    let (sender, found) = unbounded();
    thread::scope(|scope| {
        for _ in 0..campaign.jobs.min(subjects.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut searcher = Searcher::new(1, HASH);
                while let Some(&subject) = subjects.get(next.fetch_add(1, Relaxed)) {
                    let values = search(&mut searcher, &subject, campaign.depth);
                    if sender.send((subject, values)).is_err() {
                        // What we find can no longer be kept.
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Moved in here, so that it is gone as soon as keeping has failed and the threads see it.
        let found = found;
        for (subject, values) in &found {
            keep(subject, values)?;
            progress.inc(1);
        }
        Ok(())
    })?;
    progress.finish_and_clear();
    Ok(())
}

/// The values of a position at all depths.
fn search(searcher: &mut Searcher, subject: &Subject, depth: u8) -> Values {
    let deepest = subject.deepest(depth);
    let mut values = vec![None; usize::from(deepest) + 1];
    let static_value = Evaluator::new(subject.rules, Size::Eight).evaluate(subject.position.board());
    values[0] = Some(static_value.units());
    let control = Control::new(&Budget { depth: Some(deepest), ..Budget::UNLIMITED });
    // What is left of other positions, maybe of the same game, would change values and skip depths.
    searcher.clear();
    searcher.run(&full_width(subject), &control, &mut |iteration| {
        if let Some(value) = values.get_mut(usize::from(iteration.depth)) {
            *value = iteration.lines.first().map(|line| line.score.units());
        }
    });
    values
}

/// A search that cuts nothing on a guess: its values are what guesses are to be judged by.
fn full_width(subject: &Subject) -> Task {
    Task { position: subject.position, rules: subject.rules, lines: 1 }
}

/// A bar on the terminal; nothing at all where there is none.
fn progress_bar(positions: usize, done: usize) -> ProgressBar {
    let bar = ProgressBar::new(positions as u64).with_position(done as u64);
    let style = ProgressStyle::with_template("{pos}/{len} positions [{bar:20}] {per_sec}, {eta} to go");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.reset_eta();
    bar
}

/// What is known of one band.
#[derive(Clone, Debug, Default)]
struct Evidence {
    positions: usize,
    fitted_to: Vec<Miss>,
    held_out: Vec<Miss>,
}

impl Evidence {
    fn gather(plan: &[Planned], values: &HashMap<Subject, Values>, rules: Rules, band: usize) -> Self {
        let mut evidence = Self::default();
        for planned in plan.iter().filter(|planned| planned.subject.rules == rules && planned.band == band) {
            let Some(values) = values.get(&planned.subject) else { continue };
            let is_held_out = planned.number % HELD_OUT == HELD_OUT - 1;
            let side = if is_held_out { &mut evidence.held_out } else { &mut evidence.fitted_to };
            side.extend(misses(values));
            evidence.positions += 1;
        }
        evidence
    }

    fn row(&self, rules: Rules, band: usize, fit: &Fit) -> Vec<String> {
        let mut row = vec![rules.to_string(), empties(band), self.positions.to_string()];
        row.extend([self.fitted_to.len(), self.held_out.len()].map(|count| count.to_string()));
        row.extend(SHOWN.map(|(shallow, deep)| {
            format!("{:+.2} ± {:.2}", fit.model.mean(shallow, deep), fit.model.spread(shallow, deep))
        }));
        row.push(format!("{:.2}", fit.quality));
        let shares = coverage(&fit.model, &self.held_out);
        row.extend((0..REACHES.len()).map(|n| shares.map_or("-".into(), |shares| percent(shares[n]))));
        row
    }
}

/// The pairs of depths whose mean and spread are shown: a model can be judged by them at a glance.
const SHOWN: [(u8, u8); 2] = [(2, 6), (4, 8)];

fn quality_table() -> Table {
    let mut titles: Vec<String> =
        ["rules", "empty", "positions", "fitted to", "held out"].map(str::to_owned).into();
    titles.extend(SHOWN.map(|(shallow, deep)| format!("{shallow} for {deep}")));
    titles.push("R²".into());
    titles.extend(REACHES.map(|reach| format!("{reach:.1}σ {}", percent(expected_coverage(reach)))));
    Table::with_titles(1, &titles.iter().map(String::as_str).collect::<Vec<_>>())
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

fn empties(band: usize) -> String {
    let empties = bands::empties(band);
    format!("{}-{}", empties.start(), empties.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn campaign(positions: usize) -> Campaign {
        Campaign { positions, depth: 4, seed: 3, jobs: 1, samples: PathBuf::new() }
    }

    #[test]
    fn a_plan_has_as_many_of_every_band_as_there_are() {
        let plan = plan(&campaign(24));
        let subjects: HashSet<_> = plan.iter().map(|planned| planned.subject).collect();
        assert_eq!(subjects.len(), plan.len(), "each position once");
        for rules in RULES {
            for band in 0..BANDS {
                let of_band: Vec<_> =
                    plan.iter().filter(|p| p.subject.rules == rules && p.band == band).collect();
                let all = if band == BANDS - 1 { 1 + 1 + 3 + 6 } else { 24 };
                assert_eq!(of_band.len(), all, "{rules} {band}");
                let wide = bands::empties(band);
                assert!(of_band.iter().all(|p| wide.contains(&p.subject.position.empties().len())));
                let held_out = of_band.iter().filter(|p| p.number % HELD_OUT == HELD_OUT - 1);
                let numbers: HashSet<_> = held_out.map(|p| p.subject.position.empties().len()).collect();
                assert!(numbers.len() >= 2, "those held out differ in discs: {numbers:?}");
            }
        }
    }

    #[test]
    fn a_position_has_a_value_for_every_depth_before_the_end() {
        let mut searcher = Searcher::new(1, 1);
        for (discs, depths) in [(20, 5), (54, 5), (60, 3)] {
            let position = positions::sample(Rules::Reversed, discs, 1, 1)[0];
            let subject = Subject { rules: Rules::Reversed, position };
            let values = search(&mut searcher, &subject, 5);
            assert_eq!(values.len(), depths + 1, "{discs} discs");
            assert!(values.iter().all(Option::is_some), "{discs} discs: {values:?}");
            assert_eq!(search(&mut searcher, &subject, 5), values, "whatever was searched before");
        }
    }
}
