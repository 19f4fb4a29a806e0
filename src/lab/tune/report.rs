//! What a run shows and leaves: progress, tables, the winner of the final round robin, and its files.

use std::fmt::Write;
use std::path::Path;

use super::config::Config;
use super::fitness::FitnessGames;
use super::history::{GenerationSummary, JudgedGeneration, JudgedIndividual};
use super::rng::RandomStream;
use super::{TuneError, TuneOptions};
use crate::arena::statistics::WinDrawLoss;
use crate::files::output::{ClaimedOutput, Outputs};
use crate::lab::Sheet;
use crate::lab::chart::{Chart, Point};
use crate::lab::sheet;
use crate::terminal::progress::CommandProgress;
use crate::terminal::table::TextTable;

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

/// The best of the last generation, and the mean of CMA-ES, play each other: the games of one generation are too few to
/// tell the best from the lucky. The winner comes first; none after Ctrl-C.
pub(super) fn finals(
    config: &Config,
    games: &FitnessGames,
    last: &JudgedGeneration,
    mean_values: Option<Vec<f64>>,
) -> Option<Vec<Finalist>> {
    let mut best: Vec<&JudgedIndividual> = last.entries.iter().collect();
    best.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    let best = best.into_iter().take(config.last.candidates);
    let finalist = |name, values| Finalist { name, values, tally: WinDrawLoss::default() };
    let mut finalists: Vec<_> =
        mean_values.map(|values| finalist("mean".into(), values)).into_iter().collect();
    finalists.extend(best.map(|entry| finalist(entry.id.to_string(), entry.values.clone())));
    let values: Vec<_> = finalists.iter().map(|one| one.values.as_slice()).collect();
    let tallies =
        games.round_robin(RandomStream::Final, last.summary.generation, &values, config.last.games)?;
    for (finalist, tally) in finalists.iter_mut().zip(tallies) {
        finalist.tally = tally;
    }
    finalists.sort_by(|a, b| b.score().total_cmp(&a.score()));
    Some(finalists)
}

pub(super) fn final_table(finalists: &[Finalist]) -> String {
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

/// The files of a run beside the history.
pub(super) struct RunOutputs {
    best: ClaimedOutput,
    summaries: ClaimedOutput,
    chart: ClaimedOutput,
}

impl RunOutputs {
    /// Claims the files before the run begins; a resumed run replaces its own.
    pub(super) fn claim(run: &TuneOptions, config: &Config, history: &Path) -> Result<Self, TuneError> {
        let is_begun = history.metadata().is_ok_and(|found| found.len() > 0);
        if is_begun && !run.resume {
            // Otherwise the message would be about the files of that run.
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

    /// Writes the winner of the final as weights for `ollehto match`.
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
        let _ = write!(text, "system = \"{}\"\n\n[parameters]\n", config.system);
        for (parameter, value) in config.system.parameters().iter().zip(&best.values) {
            let _ = writeln!(text, "{} = {value}", parameter.name);
        }
        Ok(self.best.write(text)?)
    }

    pub(super) fn write_summaries(&self, done: &[GenerationSummary]) -> Result<(), TuneError> {
        Ok(self.summaries.write(summaries_text(done))?)
    }

    /// Draws the fitness of the best, the mean, and the score against the yardstick by generation.
    pub(super) fn write_chart(&self, config: &Config, done: &[GenerationSummary]) -> Result<(), TuneError> {
        let curve = |value: &dyn Fn(&GenerationSummary) -> Option<f64>| -> Vec<Point> {
            let point = |summary: &GenerationSummary| {
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
            let score = |summary: &GenerationSummary| {
                summary.yardstick.and_then(|games| WinDrawLoss::from(games).score())
            };
            curves.push((format!("best against {}", yardstick.against), curve(&score)));
        }
        let title = format!("Fitness of {}, seed {}", config.system, config.seed);
        let mut sheet = Sheet::new(title.clone(), 1, ["generation"]);
        sheet.draw(Chart { title, x: "generations".into(), curves, ..Chart::default() });
        Ok(self.chart.write(sheet::svg(&[sheet]))?)
    }
}

/// `generations.csv`.
pub(super) fn summaries_text(done: &[GenerationSummary]) -> String {
    let mut text = "generation,best,fitness,mean,yardstick\n".to_owned();
    for GenerationSummary { generation, best, fitness, mean, yardstick } in done {
        let against = yardstick.and_then(|games| WinDrawLoss::from(games).score());
        let against = against.map_or(String::new(), |score| format!("{score:.4}"));
        let _ = writeln!(text, "{generation},{best},{fitness:.4},{mean:.4},{against}");
    }
    text
}

/// Rows of the table of the best.
const ROWS: usize = 8;

/// Shows the best individuals above the bar on a terminal, elsewhere a line now and then.
pub(super) fn show(progress: &mut CommandProgress, generation: &JudgedGeneration) {
    progress.set_lines_above(best_table(&generation.entries));
    progress.advance_to(1, summary_line(generation));
}

pub(super) fn generation_text(generation: &JudgedGeneration) -> String {
    format!("{}\n{}", summary_line(generation), best_table(&generation.entries))
}

fn summary_line(generation: &JudgedGeneration) -> String {
    let summary = &generation.summary;
    let yardstick = summary.yardstick.and_then(|games| WinDrawLoss::from(games).score());
    let against = yardstick.map_or(String::new(), |score| format!(", yardstick {score:.3}"));
    let (number, best) = (summary.generation, summary.best);
    format!("generation {number}: best {best} with {:.3}, mean {:.3}{against}", summary.fitness, summary.mean)
}

fn best_table(entries: &[JudgedIndividual]) -> String {
    let mut best: Vec<&JudgedIndividual> = entries.iter().collect();
    best.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    let mut table =
        TextTable::with_titles(0, &["rank", "born", "age", "fitness", "won", "drawn", "lost", "parents"]);
    for (rank, entry) in (1..).zip(best.into_iter().take(ROWS)) {
        let WinDrawLoss { wins, draws, losses } =
            entry.games.map_or_else(WinDrawLoss::default, WinDrawLoss::from);
        let parents: Vec<_> = entry.parents.iter().map(ToString::to_string).collect();
        table.row(vec![
            rank.to_string(),
            entry.id.to_string(),
            (entry.generation - entry.id.0).to_string(),
            format!("{:.3}", entry.fitness),
            wins.to_string(),
            draws.to_string(),
            losses.to_string(),
            parents.join(" × "),
        ]);
    }
    table.to_string()
}
