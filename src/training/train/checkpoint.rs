//! What is saved after each stage, so that an interrupted run goes on there.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::samples::TrainingSet;
use super::{StageReport, TrainError, TrainOptions, read_weights};
use crate::eval::weights::{Compression, PackedWeights, encode};
use crate::files::checksum::{with_json_checksum, without_json_checksum};
use crate::files::output;

pub struct Checkpoint {
    pub weights: PackedWeights,
    pub done: Vec<StageReport>,
    /// Identifies the run.
    mark: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    training: String,
    done: Vec<StageReport>,
}

/// None without a file. The first ones had no checksum.
fn read_progress(path: &Path) -> Result<Option<Saved>, TrainError> {
    match fs::read(path) {
        Ok(bytes) => parse_progress(path, bytes).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TrainError::File(path.to_owned(), error)),
    }
}

/// The progress that `bytes` are, as it would be saved; the path is for messages.
///
/// # Errors
/// If it was damaged.
pub fn read_progress_text(path: &Path, bytes: Vec<u8>) -> Result<String, TrainError> {
    parse_progress(path, bytes).map(|saved| saved.text())
}

fn parse_progress(path: &Path, bytes: Vec<u8>) -> Result<Saved, TrainError> {
    let damaged = |problem: String| TrainError::DamagedProgress(path.to_owned(), problem);
    let text = String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
    let text = without_json_checksum(&text).map_err(damaged)?.unwrap_or(text);
    serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))
}

impl Saved {
    fn text(&self) -> String {
        with_json_checksum(&serde_json::to_string(self).expect("reports are plain data"))
    }
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
        let saved = read_progress(&progress_path(options));
        let saved = if options.force { saved.unwrap_or(None) } else { saved? };
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
        write(&progress_path(options), saved.text().as_bytes())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::trial::WholeTrial;

    #[test]
    fn progress_survives_damage() {
        let saved = |second| Saved { training: format!("3 games, seed {second}"), done: Vec::new() };
        let trial = WholeTrial {
            name: "progress",
            save: &|path, second| {
                write(path, saved(second).text().as_bytes()).map_err(|error| error.to_string())
            },
            load: &|path| match read_progress(path) {
                Ok(found) => Ok(found.expect("it is there").text()),
                Err(error) => Err(error.to_string()),
            },
            has_checksum: true,
        };
        trial.run();
    }
}
