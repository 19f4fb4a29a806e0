//! Finding better values for the parameters of an evaluation, by breeding or by an adapting distribution.
//!
//! Every generation is judged by games at a fixed depth, and every individual is kept in a `history`. Chance depends on
//! the seed and the place where it is drawn alone, and what a method asks for on what it was told alone. So a run that
//! was broken off goes on by telling the method all that the history has, and ends as if nothing had happened.

mod chance;
mod cma_es;
pub mod config;
mod contest;
mod genetic;
mod genome;
mod history;
mod matrix;
mod method;
mod outcome;
mod show;

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chance::Purpose;
use config::Config;
use contest::{Judged, Ring};
use genome::Individual;
use history::{Entry, Games, Generation, History, Summary};
use method::{Method, method};
use outcome::Leavings;
use show::Show;

use super::loss::LossFileError;
use crate::files::output::OutputError;
use crate::rules::Rules;
use crate::terminal::interrupts::Interrupts;

/// What to do, and where it goes.
#[derive(Clone, Debug)]
pub struct Run {
    /// The file that says what to do.
    pub config: PathBuf,
    /// The folder that files go to.
    pub out: PathBuf,
    /// Whether to go on with a run that is there.
    pub resume: bool,
    /// Whether to replace what others have left in the folder. A history is never replaced.
    pub force: bool,
    /// Games played at a time.
    pub jobs: usize,
}

/// Why nothing is tuned.
#[derive(Debug)]
pub enum TuneError {
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// The configuration makes no sense.
    Config(PathBuf, String),
    /// The file that the loss is taken on cannot be used.
    Loss(LossFileError),
    /// It is for other rules.
    OtherRules(PathBuf, Rules),
    /// There is a history already.
    Exists(PathBuf),
    /// The history was made with other settings.
    OtherRun(PathBuf, String),
    /// A line of the history, counted from 1, is not what it should be.
    Line(PathBuf, usize, String),
    /// Another process is writing the history.
    InUse(PathBuf),
    /// A file cannot go where it should.
    Output(OutputError),
    /// The operating system refuses something.
    System(io::Error),
}

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Config(path, problem) => write!(f, "{}: {problem}", path.display()),
            Self::Loss(error) => write!(f, "fitness.file: {error}"),
            Self::OtherRules(path, rules) => {
                write!(
                    f,
                    "fitness.file: {} is for {rules} rules: give another, or these rules",
                    path.display()
                )
            }
            Self::Exists(path) => write!(
                f,
                "{} is there already: go on with it by --resume, or give another folder by --out",
                path.display()
            ),
            Self::OtherRun(path, difference) => write!(
                f,
                "{} belongs to another run ({difference}): give the same configuration, or another folder by --out",
                path.display()
            ),
            Self::Line(path, line, problem) => write!(
                f,
                "{}, line {line}: {problem}; the file was changed, or another version has made it",
                path.display()
            ),
            Self::InUse(path) => write!(f, "{}: another process is writing it", path.display()),
            Self::Output(error) => error.fmt(f),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TuneError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File(_, error) | Self::System(error) => Some(error),
            Self::Loss(error) => Some(error),
            Self::Output(error) => Some(error),
            _ => None,
        }
    }
}

/// What has come of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// Whether the user has ended it before it was done.
    pub interrupted: bool,
    generations: u32,
    wanted: u32,
    /// Games that were played for the fitness of individuals this time, and how long that took.
    games: u64,
    time: Duration,
    /// The table of the last generation, and that of the final.
    tables: Vec<String>,
    out: PathBuf,
}

impl fmt::Display for Report {
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

/// Tunes until the last generation, or until the user ends it.
///
/// # Errors
/// If the configuration or a file is at fault.
pub fn run(run: &Run) -> Result<Report, TuneError> {
    let interrupts = Interrupts::of_terminal().map_err(TuneError::System)?;
    tune(run, &interrupts)
}

fn tune(run: &Run, interrupts: &Interrupts) -> Result<Report, TuneError> {
    let config = Config::load(&run.config)?;
    let wrong = |problem| TuneError::Config(run.config.clone(), problem);
    let mut method = method(&config).map_err(wrong)?;
    let ring = Ring::new(&config, run.jobs, interrupts)?;
    fs::create_dir_all(&run.out).map_err(|error| TuneError::File(run.out.clone(), error))?;
    let path = run.out.join("history.jsonl");
    let outputs = Leavings::claim(run, &config, &path)?;
    let (mut history, mut past) = History::open(&path, &config, run.resume)?;
    let mut done: Vec<Summary> = Vec::new();
    let mut last: Option<Generation> = None;
    while done.len() < config.generations as usize {
        let asked = method.ask(done.len() as u32 + 1);
        let Some(generation) = past.next(&path, &asked)? else {
            history.cut(past.whole())?;
            break;
        };
        tell(method.as_mut(), asked, &generation);
        done.push(generation.summary.clone());
        last = Some(generation);
    }
    let begun = Instant::now();
    let mut show = Show::new(config.generations, done.len() as u32);
    let mut games = 0;
    while done.len() < config.generations as usize {
        let asked = method.ask(done.len() as u32 + 1);
        let Some(generation) = play(&config, &ring, done.len() as u32 + 1, &asked) else { break };
        history.append(&generation)?;
        show.add(&generation);
        games += generation.games(config.fitness.by);
        tell(method.as_mut(), asked, &generation);
        done.push(generation.summary.clone());
        last = Some(generation);
    }
    let time = begun.elapsed();
    drop(show);
    let mut tables: Vec<_> =
        last.iter().map(|last| format!("{}\n{}", show::line(last), show::table(&last.entries))).collect();
    outputs.write_summaries(&done)?;
    outputs.write_chart(&config, &done)?;
    let is_whole = done.len() == config.generations as usize;
    if let Some(last) = last.filter(|_| is_whole)
        && let Some(finalists) = outcome::finals(&config, &ring, &last, method.distilled())
    {
        outputs.write_best(&config, &run.config, &finalists)?;
        tables.push(outcome::table(&finalists));
    }
    Ok(Report {
        interrupted: interrupts.is_raised(),
        generations: done.len() as u32,
        wanted: config.generations,
        games,
        time,
        tables,
        out: run.out.clone(),
    })
}

fn tell(method: &mut dyn Method, asked: Vec<Individual>, generation: &Generation) {
    let fitness: Vec<_> = generation.entries.iter().map(|entry| entry.fitness).collect();
    method.tell(asked, &fitness);
}

/// Judges the individuals of a generation; none if the user has ended it.
fn play(config: &Config, ring: &Ring, number: u32, asked: &[Individual]) -> Option<Generation> {
    let values: Vec<_> = asked.iter().map(|individual| individual.values.as_slice()).collect();
    let judged = ring.judge(config, number, &values)?;
    let entry = |(individual, judged): (&Individual, Judged)| {
        let Individual { id, parents, values } = individual.clone();
        let games = judged.games.map(Games::from);
        Entry { generation: number, id, parents, values, games, fitness: judged.fitness }
    };
    let entries: Vec<_> = asked.iter().zip(judged).map(entry).collect();
    let mut best = entries.first()?;
    for entry in &entries {
        if entry.fitness > best.fitness {
            best = entry;
        }
    }
    let yardstick = match config.yardstick() {
        Some((yardstick, known)) if number.is_multiple_of(yardstick.every) => {
            let sides = [best.values.as_slice(), known.as_slice()];
            Some(ring.duel(Purpose::Yardstick, number, sides, yardstick.games)?.into())
        }
        _ => None,
    };
    let mean = entries.iter().map(|entry| entry.fitness).sum::<f64>() / entries.len() as f64;
    let summary = Summary { generation: number, best: best.id, fitness: best.fitness, mean, yardstick };
    Some(Generation { entries, summary })
}
