//! What is saved after each stage, so that an ended training goes on where it was.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::samples::Samples;
use super::{StageReport, TrainError, Training, read_weights};
use crate::eval::weights::{Compression, PackedWeights, encode};
use crate::files::output;

/// The weights so far, and which stages are done.
pub struct Checkpoint {
    pub weights: PackedWeights,
    pub done: Vec<StageReport>,
    /// Says what training this is.
    mark: String,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    training: String,
    done: Vec<StageReport>,
}

fn weights_path(training: &Training) -> PathBuf {
    training.output.with_added_extension("part")
}

fn progress_path(training: &Training) -> PathBuf {
    training.output.with_added_extension("progress")
}

impl Checkpoint {
    /// Goes on with the same training if there is one, or begins. What another one has saved is left alone, unless files
    /// are to be replaced.
    pub fn open(training: &Training, samples: &Samples, begin: PackedWeights) -> Result<Self, TrainError> {
        let settings = fit_settings(training);
        let mark = format!("{} games, {} positions, {settings}", samples.games, samples.all.len());
        let saved = fs::read(progress_path(training)).ok();
        let saved: Option<Saved> = saved.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(saved) = saved.filter(|saved| saved.training == mark) {
            let weights = read_weights(&weights_path(training), training.rules)?;
            eprintln!("ollehto: going on after {} stages", saved.done.len());
            return Ok(Self { weights, done: saved.done, mark });
        }
        let mut others = [progress_path(training), weights_path(training)].into_iter();
        if let Some(other) = others.find(|path| !training.force && path.exists()) {
            return Err(TrainError::OtherTraining(other));
        }
        Ok(Self { weights: begin, done: Vec::new(), mark })
    }

    /// The weights first: progress never names a stage that is not in them.
    pub fn save(&self, training: &Training) -> Result<(), TrainError> {
        write(&weights_path(training), &encode(&self.weights, Compression::Fast))?;
        let saved = Saved { training: self.mark.clone(), done: self.done.clone() };
        let bytes = serde_json::to_vec(&saved).expect("reports are plain data");
        write(&progress_path(training), &bytes)
    }

    /// The training is done.
    pub fn remove(&self, training: &Training) {
        for path in [weights_path(training), progress_path(training)] {
            if let Err(error) = fs::remove_file(&path) {
                log::warn!("{}: {error}", path.display());
            }
        }
    }
}

/// All that changes what is learnt; threads do not.
fn fit_settings(training: &Training) -> String {
    let (settings, labels) = (training.settings, training.labels);
    format!(
        "{} rules, {} recent, begun with {:?}, ridge {}, passes {}, patience {}, mix {} ahead {}, seed {}",
        training.rules,
        training.recent,
        training.begin,
        settings.ridge,
        settings.passes,
        settings.patience,
        labels.mix,
        labels.ahead,
        training.seed
    )
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    output::replace(path, bytes).map_err(|error| TrainError::File(path.to_owned(), error))
}
