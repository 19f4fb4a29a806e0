//! What is saved after each stage, so that an interrupted run goes on there.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::samples::TrainingSet;
use super::{StageReport, TrainError, TrainOptions, read_weights};
use crate::eval::weights::{Compression, PackedWeights, encode};
use crate::files::output;

pub struct Checkpoint {
    pub weights: PackedWeights,
    pub done: Vec<StageReport>,
    /// Identifies the run.
    mark: String,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    training: String,
    done: Vec<StageReport>,
}

fn weights_path(options: &TrainOptions) -> PathBuf {
    options.output.with_added_extension("part")
}

fn progress_path(options: &TrainOptions) -> PathBuf {
    options.output.with_added_extension("progress")
}

impl Checkpoint {
    /// Goes on with the same run if there is one. The files of another run are an error without `force`.
    pub fn open(
        options: &TrainOptions,
        samples: &TrainingSet,
        begin: PackedWeights,
    ) -> Result<Self, TrainError> {
        let settings = fit_settings(options, samples);
        let mark = format!("{} games, {} positions, {settings}", samples.games, samples.all.len());
        let saved = fs::read(progress_path(options)).ok();
        let saved: Option<Saved> = saved.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(saved) = saved.filter(|saved| saved.training == mark) {
            let weights = read_weights(&weights_path(options), options.rules)?;
            eprintln!("ollehto: going on after {} stages", saved.done.len());
            return Ok(Self { weights, done: saved.done, mark });
        }
        let mut others = [progress_path(options), weights_path(options)].into_iter();
        if let Some(other) = others.find(|path| !options.force && path.exists()) {
            return Err(TrainError::OtherTraining(other));
        }
        Ok(Self { weights: begin, done: Vec::new(), mark })
    }

    /// The weights first: the progress never names a stage that they lack.
    pub fn save(&self, options: &TrainOptions) -> Result<(), TrainError> {
        write(&weights_path(options), &encode(&self.weights, Compression::Fast))?;
        let saved = Saved { training: self.mark.clone(), done: self.done.clone() };
        let bytes = serde_json::to_vec(&saved).expect("reports are plain data");
        write(&progress_path(options), &bytes)
    }

    pub fn remove(&self, options: &TrainOptions) {
        for path in [weights_path(options), progress_path(options)] {
            if let Err(error) = fs::remove_file(&path) {
                log::warn!("{}: {error}", path.display());
            }
        }
    }
}

/// Everything that changes the weights; threads do not.
fn fit_settings(options: &TrainOptions, samples: &TrainingSet) -> String {
    let settings = options.settings;
    format!(
        "{} rules, {} recent, begun with {:?}, ridge {}, passes {}, patience {}, {}, seed {}",
        options.rules,
        options.recent,
        options.begin,
        settings.ridge,
        settings.passes,
        settings.patience,
        samples.mix_text(options.labels),
        options.seed
    )
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    output::replace(path, bytes).map_err(|error| TrainError::File(path.to_owned(), error))
}
