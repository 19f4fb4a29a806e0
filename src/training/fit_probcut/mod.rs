//! Fitting the error models of the selective search.
//!
//! Multi-ProbCut lets a shallow search speak for a deep one where the shallow value lies so far outside the window that
//! the deep one can hardly lie within. How far that is depends on how the two values of a position differ, which is
//! measured here: positions from our own games are searched by full width to every depth in turn, and for each rule set
//! and each of the [`bands`] of empty squares a model is [`fit`] to the differences. Near the end of the game, shallow
//! searches may speak for its result too: there positions are solved as well, and a second model says how the result
//! differs. The [`cases`] are what either goes by. What was searched is kept in a file of [`samples`]; the models leave
//! as a source file of the search.

pub mod bands;
pub mod cases;
mod evidence;
pub mod fit;
pub mod samples;
mod source;

use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::unbounded;

use crate::bench::evaluation_fingerprint;
use crate::board::Size;
use crate::eval::{Evaluation, HAND_MADE, PatternState};
use crate::files::append_log::LedgerError;
use crate::rules::Rules;
use crate::search::{Budget, Control, SearchMode, Searcher, Task};
use crate::terminal::progress;
use crate::training::positions;

use bands::{BANDS, END_BANDS};
use cases::{Depths, ToEnd, depth_misses, end_misses};
use evidence::Evidence;
use samples::{SampleFile, Settings, Subject, Values};
use source::Models;

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
    /// What values positions.
    pub weights: Evaluation,
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
    Samples(LedgerError),
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
                    bands::name(*band)
                )
            }
        }
    }
}

impl std::error::Error for FitError {}

impl From<LedgerError> for FitError {
    fn from(error: LedgerError) -> Self {
        Self::Samples(error)
    }
}

/// The rule sets, in the order they are reported.
/// Mebibytes of table for each search: it is cleared before each, which would take longer than many of them otherwise.
const HASH: usize = 16;

/// Mebibytes of table for solving, which takes long enough to be worth more.
const SOLVING_HASH: usize = 64;

/// One in so many positions of the last band that is solved: they take seconds each.
const SOLVED_OF_LAST: usize = 3;

/// Searches what is not in the file of samples yet, and fits the models.
///
/// # Errors
/// If the file cannot be used, or a band has no values at all.
pub fn run(campaign: &Campaign) -> Result<Report, FitError> {
    let settings = Settings {
        depth: campaign.depth,
        seed: campaign.seed,
        evaluation: evaluation_fingerprint(&campaign.weights, &Rules::ALL),
    };
    let (mut file, mut values) = SampleFile::open(&campaign.samples, settings)?;
    let plan = plan(campaign);
    let open: Vec<_> =
        plan.iter().filter(|planned| !values.contains_key(&planned.subject)).copied().collect();
    let known = plan.len() - open.len();
    search_all(&open, known, campaign, |subject, found| {
        file.append(&subject, &found)?;
        values.insert(subject, found);
        Ok(())
    })?;
    let mut tables = [evidence::table(&SHOWN_DEPTHS), evidence::table(&SHOWN_TO_END)];
    let mut models = Vec::new();
    for rules in Rules::ALL {
        let (mut depths, mut end) = (Vec::new(), Vec::new());
        for band in 0..BANDS {
            let no_misses = || FitError::NoMisses { rules, band };
            let found: Vec<_> = found(&plan, &values, rules, band).collect();
            let misses = |&(planned, values): &(&Planned, &Values)| {
                (planned.number, depth_misses(&values.by_depth).collect())
            };
            let evidence = Evidence::gather(found.iter().map(misses));
            let fit = fit::fit(&evidence.fitted_to).ok_or_else(no_misses)?;
            tables[0].row(evidence.row(rules, band, &fit, &SHOWN_DEPTHS));
            depths.push(fit.model);
            if band >= END_BANDS {
                continue;
            }
            let misses = |&(planned, values): &(&Planned, &Values)| {
                let empties = planned.subject.position.empties().len() as u8;
                (planned.number, end_misses(empties, &values.by_depth, values.exact).collect())
            };
            let evidence = Evidence::gather(found.iter().filter(|(_, v)| v.exact.is_some()).map(misses));
            let fit = fit::fit(&evidence.fitted_to).ok_or_else(no_misses)?;
            tables[1].row(evidence.row(rules, band, &fit, &SHOWN_TO_END));
            end.push(fit.model);
        }
        models.push(Models { rules, depths, end });
    }
    let Campaign { positions, depth, seed, .. } = campaign;
    let weights = match campaign.weights {
        Evaluation::Shipped => String::new(),
        Evaluation::HandMade => format!(" --weights {HAND_MADE}"),
        Evaluation::Loaded(_) => " --weights FILE".to_owned(),
    };
    let command =
        format!("ollehto fit-probcut --positions {positions} --depth {depth} --seed {seed}{weights}");
    let [depths, end] = tables;
    let quality = format!(
        "{known} positions known, {} searched\nDeep searches:\n{depths}The end of the game:\n{end}",
        open.len()
    );
    Ok(Report { source: source::source(&command, &models), quality })
}

/// What is known of a band.
fn found<'a>(
    plan: &'a [Planned],
    values: &'a HashMap<Subject, Values>,
    rules: Rules,
    band: usize,
) -> impl Iterator<Item = (&'a Planned, &'a Values)> {
    let of_band = plan.iter().filter(move |planned| planned.subject.rules == rules && planned.band == band);
    of_band.filter_map(|planned| Some((planned, values.get(&planned.subject)?)))
}

/// The pairs of depths whose mean and spread are shown.
const SHOWN_DEPTHS: [(&str, Depths); 2] =
    [("2 for 6", Depths { shallow: 2, deep: 6 }), ("4 for 8", Depths { shallow: 4, deep: 8 })];

/// The predictions of the end whose mean and spread are shown; both are the same for all even numbers of empty squares.
const SHOWN_TO_END: [(&str, ToEnd); 3] = [
    ("2 for all", ToEnd { shallow: 2, empties: 0 }),
    ("4 for all", ToEnd { shallow: 4, empties: 0 }),
    ("6 for all", ToEnd { shallow: 6, empties: 0 }),
];

/// A position that the models are to be made of.
#[derive(Clone, Copy, Debug)]
struct Planned {
    subject: Subject,
    band: usize,
    /// Its number within rules and band.
    number: usize,
}

impl Planned {
    /// Whether it is solved too.
    const fn is_solved(&self) -> bool {
        // Numbers of discs take turns by four, so that the third parts of them are of all.
        self.band + 1 < END_BANDS
            || (self.band + 1 == END_BANDS && self.number % SOLVED_OF_LAST == SOLVED_OF_LAST - 1)
    }
}

/// The positions of all bands, in an order that gets on with all of them at once, so that the time left can be told.
fn plan(campaign: &Campaign) -> Vec<Planned> {
    let mut plan = Vec::new();
    for rules in Rules::ALL {
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

/// Searches all positions and hands over the values of each as they come.
fn search_all(
    open: &[Planned],
    known: usize,
    campaign: &Campaign,
    mut keep: impl FnMut(Subject, Values) -> Result<(), LedgerError>,
) -> Result<(), LedgerError> {
    let progress = progress::bar(known + open.len(), known);
    let next = AtomicUsize::new(0);
    let (sender, found) = unbounded();
    thread::scope(|scope| {
        for _ in 0..campaign.jobs.min(open.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let searcher = |hash| Searcher::new(1, hash).with_evaluation(campaign.weights.clone());
                let (mut searcher, mut solver) = (searcher(HASH), searcher(SOLVING_HASH));
                while let Some(planned) = open.get(next.fetch_add(1, Relaxed)) {
                    let by_depth = search(&mut searcher, &campaign.weights, &planned.subject, campaign.depth);
                    let exact = planned.is_solved().then(|| solve(&mut solver, &planned.subject)).flatten();
                    if sender.send((planned.subject, Values { by_depth, exact })).is_err() {
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
fn search(searcher: &mut Searcher, weights: &Evaluation, subject: &Subject, depth: u8) -> Vec<Option<i16>> {
    let deepest = subject.deepest(depth);
    let mut values = vec![None; usize::from(deepest) + 1];
    let static_value =
        weights.evaluator(subject.rules, Size::Eight).evaluate(&PatternState::new(subject.position.board()));
    values[0] = Some(static_value.units());
    let control = Control::new(&Budget { depth: Some(deepest), ..Budget::UNLIMITED });
    // What is left of other positions, maybe of the same game, would change values and skip depths.
    searcher.forget();
    searcher.run(&full_width(subject), &control, &mut |iteration| {
        if let Some(value) = values.get_mut(usize::from(iteration.depth)) {
            *value = iteration.lines.first().map(|line| line.score.units());
        }
    });
    values
}

/// The result of the game, which does not depend on what the table holds.
fn solve(solver: &mut Searcher, subject: &Subject) -> Option<i16> {
    let found = solver.run(&full_width(subject), &Control::new(&Budget::UNLIMITED), &mut |_| {}).last;
    found.lines.first().filter(|_| found.exact).map(|line| line.score.units())
}

/// A search that cuts nothing on a guess: its values are what guesses are to be judged by.
fn full_width(subject: &Subject) -> Task {
    Task { mode: SearchMode::FullWidth, ..Task::new(subject.position, subject.rules) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use std::collections::HashSet;

    fn campaign(positions: usize) -> Campaign {
        Campaign {
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
        let plan = plan(&campaign(24));
        let subjects: HashSet<_> = plan.iter().map(|planned| planned.subject).collect();
        assert_eq!(subjects.len(), plan.len(), "each position once");
        for rules in Rules::ALL {
            for band in 0..BANDS {
                let of_band: Vec<_> =
                    plan.iter().filter(|p| p.subject.rules == rules && p.band == band).collect();
                let all = if band == BANDS - 1 { 1 + 1 + 3 + 6 } else { 24 };
                assert_eq!(of_band.len(), all, "{rules} {band}");
                let wide = bands::empties(band);
                assert!(of_band.iter().all(|p| wide.contains(&p.subject.position.empties().len())));
                let held_out = of_band.iter().filter(|p| evidence::is_held_out(p.number));
                let numbers: HashSet<_> = held_out.map(|p| p.subject.position.empties().len()).collect();
                assert!(numbers.len() >= 2, "those held out differ in discs: {numbers:?}");
            }
        }
    }

    #[test]
    fn positions_near_the_end_are_solved_but_few_of_the_last_band() {
        let plan = plan(&campaign(24));
        for rules in Rules::ALL {
            for band in 0..BANDS {
                let solved: Vec<_> = plan
                    .iter()
                    .filter(|p| p.subject.rules == rules && p.band == band && p.is_solved())
                    .collect();
                let expected = [24, 24, 24, 8].get(band).copied().unwrap_or(0);
                assert_eq!(solved.len(), expected, "{rules} {band}");
                let numbers: HashSet<_> = solved.iter().map(|p| p.subject.position.empties().len()).collect();
                assert_eq!(numbers.len(), expected.min(4), "all numbers of empty squares: {numbers:?}");
            }
        }
    }

    #[test]
    fn solving_gives_the_result_whatever_was_solved_before() {
        let mut solver = Searcher::new(1, 1);
        for rules in Rules::ALL {
            for position in positions::sample(rules, 54, 4, 2) {
                let subject = Subject { rules, position };
                let exact = solve(&mut solver, &subject);
                assert!(exact.is_some_and(|units| units % Score::UNITS == 0), "{exact:?}");
                assert_eq!(solve(&mut Searcher::new(1, 1), &subject), exact);
            }
        }
    }

    #[test]
    fn a_position_has_a_value_for_every_depth_before_the_end() {
        let mut searcher = Searcher::new(1, 1);
        for (discs, depths) in [(20, 5), (54, 5), (60, 3)] {
            let position = positions::sample(Rules::Reversed, discs, 1, 1)[0];
            let subject = Subject { rules: Rules::Reversed, position };
            let values = search(&mut searcher, &Evaluation::HandMade, &subject, 5);
            assert_eq!(values.len(), depths + 1, "{discs} discs");
            assert!(values.iter().all(Option::is_some), "{discs} discs: {values:?}");
            assert_eq!(
                search(&mut searcher, &Evaluation::HandMade, &subject, 5),
                values,
                "whatever was searched before"
            );
        }
    }
}
