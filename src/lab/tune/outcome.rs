//! What a run leaves behind beside its history: the best individual, and how generations went.

use std::fmt::Write;
use std::path::Path;

use super::chance::Purpose;
use super::config::Config;
use super::contest::Ring;
use super::history::{Entry, Generation, Summary};
use super::{Run, TuneError};
use crate::arena::statistics::WinDrawLoss;
use crate::files::output::{Output, Outputs};
use crate::lab::Sheet;
use crate::lab::chart::{self, Chart, Point};
use crate::terminal::table::TextTable;

/// An individual of the final and how it did there.
#[derive(Clone, Debug)]
pub(super) struct Finalist {
    name: String,
    values: Vec<f64>,
    tally: WinDrawLoss,
}

impl Finalist {
    fn score(&self) -> f64 {
        self.tally.score().unwrap_or_default()
    }
}

/// The best of the last generation, and what was learnt from all of them, play each other: the games of one generation
/// are too few to tell the best from the lucky. The best comes first; none if the user has ended it.
pub(super) fn finals(
    config: &Config,
    ring: &Ring,
    last: &Generation,
    distilled: Option<Vec<f64>>,
) -> Option<Vec<Finalist>> {
    let mut best: Vec<&Entry> = last.entries.iter().collect();
    best.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    let best = best.into_iter().take(config.last.candidates);
    let finalist = |name, values| Finalist { name, values, tally: WinDrawLoss::default() };
    let mut finalists: Vec<_> = distilled.map(|values| finalist("mean".into(), values)).into_iter().collect();
    finalists.extend(best.map(|entry| finalist(entry.id.to_string(), entry.values.clone())));
    let values: Vec<_> = finalists.iter().map(|one| one.values.as_slice()).collect();
    let tallies = ring.round_robin(Purpose::Final, last.summary.generation, &values, config.last.games)?;
    for (finalist, tally) in finalists.iter_mut().zip(tallies) {
        finalist.tally = tally;
    }
    finalists.sort_by(|a, b| b.score().total_cmp(&a.score()));
    Some(finalists)
}

/// How the final went.
pub(super) fn table(finalists: &[Finalist]) -> String {
    let mut table = TextTable::with_titles(1, &["final", "score", "won", "drawn", "lost"]);
    for finalist in finalists {
        let WinDrawLoss { wins, draws, losses } = finalist.tally;
        table.row(vec![
            finalist.name.clone(),
            format!("{:.3}", finalist.score()),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
        ]);
    }
    table.to_string()
}

/// What a run leaves in its folder beside the history.
pub(super) struct Leavings {
    best: Output,
    summaries: Output,
    chart: Output,
}

impl Leavings {
    /// Asks for the files before the run begins. Those of a run that is gone on with are its own.
    pub(super) fn claim(run: &Run, config: &Config, history: &Path) -> Result<Self, TuneError> {
        let is_begun = history.metadata().is_ok_and(|found| found.len() > 0);
        if is_begun && !run.resume {
            // Better said at once than that the files of that very run are in the way.
            return Err(TuneError::Exists(history.to_owned()));
        }
        let is_own = run.resume && history.exists();
        let mut outputs =
            Outputs::new(run.force || is_own).with_inputs(config.fitness.file.iter().chain([&run.config]));
        let mut file = |name| outputs.claim(run.out.join(name).as_path()).map_err(TuneError::Output);
        Ok(Self {
            best: file("best.toml")?,
            summaries: file("generations.csv")?,
            chart: file("fitness.svg")?,
        })
    }

    /// Writes the winner of the final as a file that matches can be given.
    pub(super) fn write_best(
        &self,
        config: &Config,
        source: &Path,
        finalists: &[Finalist],
    ) -> Result<(), TuneError> {
        let Some(best) = finalists.first() else { return Ok(()) };
        let source = source.file_name().unwrap_or(source.as_os_str()).display();
        let mut text = format!(
            "# Found by `ollehto tune {source}` with seed {} in {} generations: {}, with {:.3} in the final.\n",
            config.seed,
            config.generations,
            best.name,
            best.score()
        );
        // Writing to a text cannot fail.
        let _ = write!(text, "system = \"{}\"\n\n[parameters]\n", config.system);
        for (parameter, value) in config.system.parameters().iter().zip(&best.values) {
            let _ = writeln!(text, "{} = {value}", parameter.name);
        }
        self.best.write(text).map_err(TuneError::Output)
    }

    /// Writes how generations went as a table.
    pub(super) fn write_summaries(&self, done: &[Summary]) -> Result<(), TuneError> {
        let mut text = "generation,best,fitness,mean,yardstick\n".to_owned();
        for Summary { generation, best, fitness, mean, yardstick } in done {
            let against = yardstick.and_then(|games| WinDrawLoss::from(games).score());
            let against = against.map_or(String::new(), |score| format!("{score:.4}"));
            let _ = writeln!(text, "{generation},{best},{fitness:.4},{mean:.4},{against}");
        }
        self.summaries.write(text).map_err(TuneError::Output)
    }

    /// Draws how generations went: the fitness of the best and of all, and the score of the best against the yardstick.
    pub(super) fn write_chart(&self, config: &Config, done: &[Summary]) -> Result<(), TuneError> {
        let curve = |value: &dyn Fn(&Summary) -> Option<f64>| -> Vec<Point> {
            let point = |summary: &Summary| {
                let y = value(summary)?;
                Some(Point { x: summary.generation.into(), y, ends: [y; 2] })
            };
            done.iter().filter_map(point).collect()
        };
        let mut curves = vec![
            ("best".to_owned(), curve(&|summary| Some(summary.fitness))),
            ("mean".to_owned(), curve(&|summary| Some(summary.mean))),
        ];
        if let Some(yardstick) = &config.yardstick {
            let score =
                |summary: &Summary| summary.yardstick.and_then(|games| WinDrawLoss::from(games).score());
            curves.push((format!("best against {}", yardstick.against), curve(&score)));
        }
        let title = format!("Fitness of {}, seed {}", config.system, config.seed);
        let mut sheet = Sheet::new(title.clone(), 1, ["generation"]);
        sheet.draw(Chart { title, x: "generations".into(), curves, ..Chart::default() });
        self.chart.write(chart::svg(&[sheet])).map_err(TuneError::Output)
    }
}
