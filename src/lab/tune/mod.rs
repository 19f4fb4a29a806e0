//! `ollehto tune`: better parameters for an evaluation, by a genetic algorithm or CMA-ES.
//!
//! The fitness of a generation comes from games at a fixed depth, and every individual is kept in a `history`. Random
//! numbers depend on the seed and the place where they are drawn only, and an optimizer on what it was told only. So a
//! run resumes by telling the optimizer the history, and ends as if nothing had happened.

mod cma_es;
pub mod config;
mod fitness;
mod genetic;
mod genome;
mod history;
mod matrix;
mod report;
mod rng;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fmt, fs, io};

use thiserror::Error;

use cma_es::CmaEs;
use config::{CmaEsConfig, Config, OptimizerKind};
use fitness::{FitnessGames, FitnessResult};
use genetic::GeneticAlgorithm;
use genome::Individual;
use history::{GenerationSummary, History, JudgedGeneration, JudgedIndividual, LoggedResults};
use report::RunOutputs;
use rng::RandomStream;

use super::loss::LossFileError;
use crate::files::append_file::AppendError;
use crate::files::output::OutputError;
use crate::rules::Rules;
use crate::terminal::interrupts::Interrupts;
use crate::terminal::progress::CommandProgress;

#[derive(Clone, Debug)]
pub struct TuneOptions {
    pub config: PathBuf,
    /// The folder of the run.
    pub out: PathBuf,
    pub resume: bool,
    /// Replace other files in the folder; a history is never replaced.
    pub force: bool,
    pub jobs: usize,
}

#[derive(Debug, Error)]
pub enum TuneError {
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    #[error("{}: {}", .0.display(), .1)]
    Config(PathBuf, String),
    #[error("fitness.file: {0}")]
    Loss(#[source] LossFileError),
    #[error("fitness.file: {} is for {} rules: give another, or these rules", .0.display(), .1)]
    OtherRules(PathBuf, Rules),
    #[error("{} is there already: go on with it by --resume, or give another folder by --out", .0.display())]
    Exists(PathBuf),
    #[error(
        "{} belongs to another run ({}): give the same configuration, or another folder by --out", .0.display(), .1
    )]
    OtherRun(PathBuf, String),
    /// Lines are counted from 1.
    #[error("{}, line {}: {}; the file was changed, or another version has made it", .0.display(), .1, .2)]
    Line(PathBuf, usize, String),
    #[error("{0}")]
    History(#[from] AppendError),
    #[error("{0}")]
    Output(#[from] OutputError),
    #[error("{0}")]
    System(#[source] io::Error),
}

/// Proposes individuals, a generation at a time. What it asks for depends on what it was told only.
trait Optimizer {
    /// The individuals of a generation; the first one is 1.
    fn ask(&self, generation: u32) -> Vec<Individual>;

    /// Their fitness: more is better.
    fn tell(&mut self, individuals: Vec<Individual>, fitness: &[f64]);

    /// The mean of the distribution, if there is one.
    fn mean_values(&self) -> Option<Vec<f64>> {
        None
    }
}

fn optimizer(config: &Config) -> Result<Box<dyn Optimizer>, String> {
    let space = config.space()?;
    let (included, population, seed) = (config.included()?, config.population, config.seed);
    match (config.method, config.genetic, config.cma_es) {
        (OptimizerKind::Genetic, Some(genetic), _) => {
            Ok(Box::new(GeneticAlgorithm::new(space, genetic, seed, population, included)))
        }
        (OptimizerKind::CmaEs, _, Some(CmaEsConfig { sigma })) => {
            let begin = included.first().map(Vec::as_slice);
            Ok(Box::new(CmaEs::new(space, sigma, seed, population, begin)))
        }
        _ => Err("the table of the method is missing".into()),
    }
}

#[derive(Clone, Debug)]
pub struct TuneReport {
    /// Whether Ctrl-C came before the end.
    pub interrupted: bool,
    generations: u32,
    wanted: u32,
    /// Games for the fitness in this run, and their time.
    games: u64,
    time: Duration,
    /// Of the last generation and of the final.
    tables: Vec<String>,
    out: PathBuf,
}

impl fmt::Display for TuneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { generations, wanted, games, .. } = self;
        let (seconds, out) = (self.time.as_secs_f64(), self.out.display());
        for table in &self.tables {
            writeln!(f, "{table}")?;
        }
        if self.interrupted {
            writeln!(f, "interrupted: {generations} of {wanted} generations are in {out}; --resume goes on")?;
        }
        if *games > 0 {
            writeln!(f, "{games} games in {seconds:.1} s, {:.0} games/s", *games as f64 / seconds)?;
        }
        writeln!(f, "{generations} generations in {out}")
    }
}

/// Tunes until the last generation, or until Ctrl-C.
///
/// # Errors
/// If the configuration or a file cannot be used.
pub fn run(run: &TuneOptions) -> Result<TuneReport, TuneError> {
    let interrupts = Interrupts::of_terminal().map_err(TuneError::System)?;
    tune(run, &interrupts)
}

fn tune(run: &TuneOptions, interrupts: &Interrupts) -> Result<TuneReport, TuneError> {
    let config = Config::load(&run.config)?;
    let wrong = |problem| TuneError::Config(run.config.clone(), problem);
    let mut optimizer = optimizer(&config).map_err(wrong)?;
    let fitness = FitnessGames::new(&config, run.jobs, interrupts)?;
    fs::create_dir_all(&run.out).map_err(|error| TuneError::File(run.out.clone(), error))?;
    let path = run.out.join("history.jsonl");
    let outputs = RunOutputs::claim(run, &config, &path)?;
    let (mut history, Played { mut done, mut last }) =
        restore(&path, &config, run.resume, optimizer.as_mut())?;
    let begun = Instant::now();
    let mut progress =
        CommandProgress::new("generations", config.generations as usize, done.len()).with_lines();
    let mut games = 0;
    while done.len() < config.generations as usize {
        let asked = optimizer.ask(done.len() as u32 + 1);
        let Some(generation) = play(&config, &fitness, done.len() as u32 + 1, &asked) else { break };
        history.append(&generation)?;
        report::show(&mut progress, &generation);
        games += generation.games(config.fitness.by);
        tell(optimizer.as_mut(), asked, &generation);
        done.push(generation.summary.clone());
        last = Some(generation);
    }
    let time = begun.elapsed();
    drop(progress);
    let mut tables: Vec<_> = last.iter().map(report::generation_text).collect();
    outputs.write_summaries(&done)?;
    outputs.write_chart(&config, &done)?;
    let is_whole = done.len() == config.generations as usize;
    if let Some(last) = last.filter(|_| is_whole)
        && let Some(finalists) = report::finals(&config, &fitness, &last, optimizer.mean_values())
    {
        outputs.write_best(&config, &run.config, &finalists)?;
        tables.push(report::final_table(&finalists));
    }
    Ok(TuneReport {
        interrupted: interrupts.is_raised(),
        generations: done.len() as u32,
        wanted: config.generations,
        games,
        time,
        tables,
        out: run.out.clone(),
    })
}

/// The generations of a history.
#[derive(Default)]
struct Played {
    done: Vec<GenerationSummary>,
    last: Option<JudgedGeneration>,
}

/// Tells the optimizer the history, and cuts off what follows its last whole generation.
fn restore(
    path: &Path,
    config: &Config,
    resume: bool,
    optimizer: &mut dyn Optimizer,
) -> Result<(History, Played), TuneError> {
    let (mut history, mut past) = History::open(path, config, resume)?;
    let mut played = Played::default();
    while played.done.len() < config.generations as usize {
        let asked = optimizer.ask(played.done.len() as u32 + 1);
        let Some(generation) = past.next(path, &asked)? else {
            history.truncate(&past)?;
            break;
        };
        tell(optimizer, asked, &generation);
        played.done.push(generation.summary.clone());
        played.last = Some(generation);
    }
    Ok((history, played))
}

/// What `--resume` goes on from, as text: each generation, and the individuals of the last one. The file loses what
/// follows them, as it does when a run goes on.
///
/// # Errors
/// If the file cannot be used, or belongs to another configuration.
pub fn read_history(path: &Path, config: &Config) -> Result<String, TuneError> {
    let wrong = |problem| TuneError::Config(path.to_owned(), problem);
    let mut optimizer = optimizer(config).map_err(wrong)?;
    let (_, Played { done, last }) = restore(path, config, true, optimizer.as_mut())?;
    Ok(report::summaries_text(&done) + &last.as_ref().map(report::generation_text).unwrap_or_default())
}

fn tell(optimizer: &mut dyn Optimizer, asked: Vec<Individual>, generation: &JudgedGeneration) {
    let fitness: Vec<_> = generation.entries.iter().map(|entry| entry.fitness).collect();
    optimizer.tell(asked, &fitness);
}

/// None after Ctrl-C.
fn play(
    config: &Config,
    fitness: &FitnessGames,
    number: u32,
    asked: &[Individual],
) -> Option<JudgedGeneration> {
    let values: Vec<_> = asked.iter().map(|individual| individual.values.as_slice()).collect();
    let results = fitness.evaluate(config, number, &values)?;
    let entry = |(individual, result): (&Individual, FitnessResult)| {
        let Individual { id, parents, values } = individual.clone();
        let games = result.games.map(LoggedResults::from);
        JudgedIndividual { generation: number, id, parents, values, games, fitness: result.fitness }
    };
    let entries: Vec<_> = asked.iter().zip(results).map(entry).collect();
    let mut best = entries.first()?;
    for entry in &entries {
        if entry.fitness > best.fitness {
            best = entry;
        }
    }
    let yardstick = match config.yardstick() {
        Some((yardstick, known)) if number.is_multiple_of(yardstick.every) => {
            let sides = [best.values.as_slice(), known.as_slice()];
            Some(fitness.duel(RandomStream::Yardstick, number, sides, yardstick.games)?.into())
        }
        _ => None,
    };
    let mean = entries.iter().map(|entry| entry.fitness).sum::<f64>() / entries.len() as f64;
    let summary =
        GenerationSummary { generation: number, best: best.id, fitness: best.fitness, mean, yardstick };
    Some(JudgedGeneration { entries, summary })
}
