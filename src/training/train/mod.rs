//! Learning the weights of the evaluation from recorded games.
//!
//! Stages are fitted one after the other from the end of the game backwards, so that the labels of earlier positions may
//! lean on what later ones have turned out to be worth. Each is an ordinary ridge regression ([`fit`]) of the result on
//! the patterns of the board. After each stage the weights are saved: a training that was ended goes on where it was.

mod checkpoint;
pub mod fit;
mod report;
pub mod samples;

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::eval::weights::{
    Compression, PackedWeights, STAGES, UNITS_PER_SCORE, Weights, WeightsError, decode, encode,
};
use crate::files::output::{OutputError, Outputs};
use crate::rules::Rules;
use crate::score::Score;
use crate::training::records::RecordError;

use checkpoint::Checkpoint;
use fit::Settings;
use samples::{Labels, Samples, Ties};

pub use report::{Report, StageReport};

/// What to learn, and from what.
#[derive(Clone, Debug)]
pub struct Training {
    /// For these rules.
    pub rules: Rules,
    /// The recorded games.
    pub records: Vec<PathBuf>,
    /// Of all but so many of the last files only positions with true values are used.
    pub recent: usize,
    /// Weights to begin with.
    pub begin: Option<PathBuf>,
    /// How stages are fitted.
    pub settings: Settings,
    /// How labels are made.
    pub labels: Labels,
    /// What draws the games that are held out.
    pub seed: u64,
    /// Where the weights go.
    pub output: PathBuf,
    /// Whether files that are there already are replaced.
    pub force: bool,
}

/// Why nothing was learnt.
#[derive(Debug)]
pub enum TrainError {
    /// The records cannot be read.
    Records(RecordError),
    /// There are no games by these rules in them.
    NoGames(Rules),
    /// A file cannot be read or written.
    File(PathBuf, io::Error),
    /// The weights cannot go where they should.
    Output(OutputError),
    /// What another training has saved lies where this one would save.
    OtherTraining(PathBuf),
    /// A file of weights cannot be used.
    Weights(PathBuf, WeightsError),
    /// The weights to begin with are for other rules.
    OtherRules(PathBuf, Rules),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Records(error) => write!(f, "{error}"),
            Self::NoGames(rules) => {
                write!(
                    f,
                    "there are no games by {rules} rules in these records: name others, or other --rules"
                )
            }
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Output(error) => error.fmt(f),
            Self::OtherTraining(path) => write!(
                f,
                "{} was not saved by this training: end the other one with its own options, name another --output, or \
                 replace it with --force",
                path.display()
            ),
            Self::Weights(path, error) => write!(f, "{}: {error}", path.display()),
            Self::OtherRules(path, rules) => {
                write!(f, "{}: these weights are for {rules} rules: begin with others", path.display())
            }
        }
    }
}

impl Error for TrainError {}

/// What is left unexplained of the very last positions, in square discs.
const FIRST_NOISE: f32 = 5.0;

/// How many units of weights make a disc.
const UNITS: f32 = (Score::UNITS as i32 * UNITS_PER_SCORE) as f32;

/// Learns weights and saves them.
///
/// # Errors
/// If there is nothing to learn from, or a file is at fault.
pub fn run(training: &Training) -> Result<Report, TrainError> {
    let started = Instant::now();
    let mut outputs =
        Outputs::new(training.force).with_inputs(training.records.iter().chain(&training.begin));
    let output = outputs.claim(training.output.as_path()).map_err(TrainError::Output)?;
    let samples = Samples::read(&training.records, training.recent, training.rules, training.seed)
        .map_err(TrainError::Records)?;
    if samples.all.is_empty() {
        return Err(TrainError::NoGames(training.rules));
    }
    log::info!("{} games, {} positions read", samples.games, samples.all.len());
    let begin = match &training.begin {
        None => PackedWeights::zeroes(training.rules),
        Some(path) => read_weights(path, training.rules)?,
    };
    let mut checkpoint = Checkpoint::open(training, &samples, begin)?;
    let ties = Ties::find();
    let bar = ProgressBar::new(STAGES as u64).with_style(
        ProgressStyle::with_template("{bar:30} stage {pos}/{len} {msg} {elapsed}, {eta} left")
            .expect("the template is well formed"),
    );
    bar.set_position(checkpoint.done.len() as u64);
    while checkpoint.done.len() < STAGES {
        // A stage is as noisy as the one after it, nearly. One with nothing held out says nothing of its noise.
        let measured = checkpoint.done.iter().rev().find(|row| row.error > 0.0);
        let noise = measured.map_or(FIRST_NOISE, |row| row.error.powi(2) as f32);
        let settings = Settings { noise, ..training.settings };
        let stage = checkpoint.done.len();
        let row = fit_stage(training, settings, &samples, &ties, &mut checkpoint.weights, stage, &bar);
        bar.println(row.to_string());
        checkpoint.done.push(row);
        checkpoint.save(training)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut packed = checkpoint.weights.clone();
    packed.origin = format!(
        "{} games, {} positions; ridge {}, mix {} ahead {}",
        samples.games,
        samples.all.len(),
        training.settings.ridge,
        training.labels.mix,
        training.labels.ahead
    );
    output.write(encode(&packed, Compression::Best)).map_err(TrainError::Output)?;
    checkpoint.remove(training);
    let seconds = started.elapsed().as_secs_f64();
    Ok(Report::new(&samples, &Weights::new(packed), checkpoint.done, training.settings.threads, seconds))
}

fn fit_stage(
    training: &Training,
    settings: Settings,
    samples: &Samples,
    ties: &Ties,
    packed: &mut PackedWeights,
    stage: usize,
    bar: &ProgressBar,
) -> StageReport {
    let started = Instant::now();
    let later = (stage > 0).then_some(&*packed);
    let cases = samples.cases(stage, ties, training.labels, later, training.settings.threads);
    let own = || (0..64).filter(|&empties| crate::eval::weights::stage(empties) == stage);
    // Where there is nothing to begin with the next stage is near.
    let has_begun = packed.stages[stage].iter().any(|&weight| weight != 0);
    let source = if has_begun { stage } else { stage.saturating_sub(1) };
    let mut begin = vec![0.0; ties.weights];
    if !cases.learnt.is_empty() {
        for (begin, &weight) in begin.iter_mut().zip(&packed.stages[source]) {
            *begin = f32::from(weight) / UNITS;
        }
        for empties in own() {
            begin[ties.of_stage() + empties] = f32::from(packed.tempo[empties]) / UNITS;
        }
        let fit = cases.fit(begin, Settings { anchored: has_begun, ..settings }, &mut |pass, error| {
            bar.set_message(format!("pass {pass}, error {:.3}", error.sqrt()));
        });
        let rounded = |weight: f32| (weight * UNITS).round() as i16;
        packed.stages[stage] = fit.weights[..ties.of_stage()].iter().copied().map(rounded).collect();
        for empties in own() {
            packed.tempo[empties] = rounded(fit.weights[ties.of_stage() + empties]);
        }
        return StageReport::new(stage, &cases, &fit, started.elapsed().as_secs_f64());
    }
    packed.stages[stage] = packed.stages[source].clone();
    StageReport::empty(stage)
}

fn read_weights(path: &Path, rules: Rules) -> Result<PackedWeights, TrainError> {
    let bytes = std::fs::read(path).map_err(|error| TrainError::File(path.to_owned(), error))?;
    let packed = decode(&bytes).map_err(|error| TrainError::Weights(path.to_owned(), error))?;
    if packed.rules != rules {
        return Err(TrainError::OtherRules(path.to_owned(), packed.rules));
    }
    Ok(packed)
}
