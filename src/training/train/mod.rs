//! `ollehto train`: fits the weights of the evaluation to recorded games.
//!
//! Stages are fitted from the end of the game backwards, so that the labels of earlier positions can use the weights of
//! later ones. Each is a ridge regression ([`fit`]) of the result on the patterns of the board. A checkpoint follows
//! each stage.

mod checkpoint;
pub mod fit;
mod report;
pub mod samples;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use thiserror::Error;

use crate::eval::weights::{
    Compression, PackedWeights, STAGES, UNITS_PER_SCORE, Weights, WeightsError, decode, encode,
};
use crate::files::output::{OutputError, Outputs};
use crate::rules::Rules;
use crate::score::Score;
use crate::terminal::progress::CommandProgress;
use crate::training::records::RecordFileError;

pub use checkpoint::read_progress_text;

use checkpoint::Checkpoint;
use fit::RidgeSettings;
use samples::{LabelMix, TrainingSet, WeightLayout};

pub use report::{StageReport, TrainReport};

#[derive(Clone, Debug)]
pub struct TrainOptions {
    pub rules: Rules,
    /// Recorded games, the oldest first.
    pub records: Vec<PathBuf>,
    /// Only solved positions are used of all but so many of the last files.
    pub recent: usize,
    /// Weights to start from.
    pub begin: Option<PathBuf>,
    pub settings: RidgeSettings,
    pub labels: LabelMix,
    /// Draws the validation games.
    pub seed: u64,
    pub output: PathBuf,
    /// Replace existing files.
    pub force: bool,
}

#[derive(Debug, Error)]
pub enum TrainError {
    #[error("{0}")]
    Records(#[from] RecordFileError),
    #[error("there are no games by {0} rules in these records: name others, or other --rules")]
    NoGames(Rules),
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    #[error("{0}")]
    Output(#[from] OutputError),
    /// The checkpoint of another run is in the way.
    #[error(
        "{} was not saved by this training: end the other one with its own options, name another --output, or replace it \
         with --force",
        .0.display()
    )]
    OtherTraining(PathBuf),
    #[error(
        "{}: {}; this is no progress of a training, or a damaged one: name another --output, or replace it with --force",
        .0.display(), .1
    )]
    DamagedProgress(PathBuf, String),
    #[error("{}: {}", .0.display(), .1)]
    Weights(PathBuf, #[source] WeightsError),
    #[error("{}: these weights are for {} rules: begin with others", .0.display(), .1)]
    OtherRules(PathBuf, Rules),
    #[error(
        "{}: these weights have a hidden layer, which this command cannot fit: begin with others, or use \
         training/student.py",
        .0.display()
    )]
    HiddenLayer(PathBuf),
}

/// The mean squared error to expect of the last positions, in square discs.
const FIRST_NOISE: f32 = 5.0;

/// Units of a weight in a disc.
const UNITS: f32 = (Score::UNITS as i32 * UNITS_PER_SCORE) as f32;

/// # Errors
/// If there are no games, or a file cannot be used.
pub fn run(options: &TrainOptions) -> Result<TrainReport, TrainError> {
    let started = Instant::now();
    let mut outputs = Outputs::new(options.force).with_inputs(options.records.iter().chain(&options.begin));
    let output = outputs.claim(options.output.as_path())?;
    let samples = TrainingSet::read(&options.records, options.recent, options.rules, options.seed)?;
    if samples.all.is_empty() {
        return Err(TrainError::NoGames(options.rules));
    }
    log::info!("{} games, {} positions read", samples.games, samples.all.len());
    let begin = match &options.begin {
        None => PackedWeights::zeroes(options.rules),
        Some(path) => read_weights(path, options.rules)?,
    };
    let mut checkpoint = Checkpoint::open(options, &samples, begin)?;
    let layout = WeightLayout::of_patterns();
    let mut progress = CommandProgress::new("stages", STAGES, checkpoint.done.len());
    while checkpoint.done.len() < STAGES {
        // A stage is nearly as noisy as the one after it. Without validation positions its noise is unknown.
        let measured = checkpoint.done.iter().rev().find(|row| row.error > 0.0);
        let noise = measured.map_or(FIRST_NOISE, |row| row.error.powi(2) as f32);
        let settings = RidgeSettings { noise, ..options.settings };
        let stage = checkpoint.done.len();
        let row = fit_stage(options, settings, &samples, &layout, &mut checkpoint.weights, stage, &progress);
        progress.println(&row);
        checkpoint.done.push(row);
        checkpoint.save(options)?;
        progress.advance(1);
    }
    drop(progress);
    let mut packed = checkpoint.weights.clone();
    packed.origin = format!(
        "{} games, {} positions; ridge {}, {}",
        samples.games,
        samples.all.len(),
        options.settings.ridge,
        samples.mix_text(options.labels)
    );
    output.write(encode(&packed, Compression::Best))?;
    checkpoint.remove(options);
    let seconds = started.elapsed().as_secs_f64();
    Ok(TrainReport::new(&samples, &Weights::new(packed), checkpoint.done, options.settings.threads, seconds))
}

fn fit_stage(
    options: &TrainOptions,
    settings: RidgeSettings,
    samples: &TrainingSet,
    layout: &WeightLayout,
    packed: &mut PackedWeights,
    stage: usize,
    progress: &CommandProgress,
) -> StageReport {
    let started = Instant::now();
    let later = (stage > 0).then_some(&*packed);
    let examples = samples.examples(stage, layout, options.labels, later, options.settings.threads);
    let own = || (0..64).filter(|&empties| crate::eval::weights::stage(empties) == stage);
    // Without weights to start from, those of the next stage are near.
    let has_begun = packed.stages[stage].iter().any(|&weight| weight != 0);
    let source = if has_begun { stage } else { stage.saturating_sub(1) };
    let mut begin = vec![0.0; layout.weights];
    if !examples.training.is_empty() {
        for (begin, &weight) in begin.iter_mut().zip(&packed.stages[source]) {
            *begin = f32::from(weight) / UNITS;
        }
        for empties in own() {
            begin[layout.of_stage() + empties] = f32::from(packed.tempo[empties]) / UNITS;
        }
        let fit =
            examples.fit(begin, RidgeSettings { anchored: has_begun, ..settings }, &mut |pass, error| {
                progress.set_status(format_args!("pass {pass}, error {:.3}", error.sqrt()));
            });
        let rounded = |weight: f32| (weight * UNITS).round() as i16;
        packed.stages[stage] = fit.weights[..layout.of_stage()].iter().copied().map(rounded).collect();
        for empties in own() {
            packed.tempo[empties] = rounded(fit.weights[layout.of_stage() + empties]);
        }
        return StageReport::new(stage, &examples, &fit, started.elapsed().as_secs_f64());
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
    if packed.network.is_some() {
        return Err(TrainError::HiddenLayer(path.to_owned()));
    }
    Ok(packed)
}
