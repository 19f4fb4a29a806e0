//! What a training run reports, as tables and as JSON.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fit::{Examples, RidgeFit, in_parts};
use super::samples::TrainingSet;
use crate::eval::PatternState;
use crate::eval::weights::{STAGE_WIDTH, STAGES, Weights};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageReport {
    pub stage: usize,
    /// Training positions, those of neighbouring plies included.
    #[serde(rename = "learnt")]
    pub training: usize,
    #[serde(rename = "held")]
    pub validation: usize,
    /// Standard deviation of the validation results, in discs.
    #[serde(rename = "spread")]
    pub sigma: f64,
    /// Root mean squared error, in discs.
    pub error: f64,
    /// Passes that led to the weights.
    pub passes: u32,
    pub seconds: f64,
}

impl StageReport {
    #[must_use]
    pub fn new(stage: usize, examples: &Examples, fit: &RidgeFit, seconds: f64) -> Self {
        let labels = examples.validation.iter().map(|example| f64::from(example.label));
        let sigma = variance(labels).sqrt();
        let (training, validation) = (examples.training.len(), examples.validation.len());
        Self { stage, training, validation, sigma, error: fit.error.sqrt(), passes: fit.passes, seconds }
    }

    #[must_use]
    pub const fn empty(stage: usize) -> Self {
        Self { stage, training: 0, validation: 0, sigma: 0.0, error: 0.0, passes: 0, seconds: 0.0 }
    }
}

impl fmt::Display for StageReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, training, validation, sigma, error, passes, seconds } = self;
        let first = stage * STAGE_WIDTH;
        let last = if *stage == STAGES - 1 { 60 } else { first + STAGE_WIDTH - 1 };
        write!(f, "{first:3}-{last:<3} {training:>10} {validation:>10} {sigma:>8.2} {error:>8.3} ")?;
        write!(f, "{:>8.2} % {passes:>6} {seconds:>8.1}", 100.0 * (error / sigma.max(1e-9)).powi(2))
    }
}

/// The error of the finished weights with so many empty squares.
#[derive(Clone, Debug, Serialize)]
pub struct PlyReport {
    pub empties: usize,
    #[serde(rename = "held")]
    pub validation: usize,
    /// Standard deviation of the results, in discs.
    #[serde(rename = "spread")]
    pub sigma: f64,
    /// Root mean squared error, in discs.
    pub error: f64,
    /// Whether all results are solved values.
    pub exact: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct TrainReport {
    pub games: u64,
    pub positions: usize,
    pub stages: Vec<StageReport>,
    /// By empty squares.
    pub plies: Vec<PlyReport>,
    pub seconds: f64,
}

impl TrainReport {
    /// Evaluates the validation positions as the engine does.
    #[must_use]
    pub fn new(
        samples: &TrainingSet,
        weights: &Weights,
        stages: Vec<StageReport>,
        threads: usize,
        seconds: f64,
    ) -> Self {
        let parts = in_parts(samples.all.len(), threads, |part| {
            let mut plies: Vec<Vec<(f64, f64, bool)>> = vec![Vec::new(); 61];
            for sample in
                samples.all[part].iter().filter(|sample| sample.validation && sample.has_fair_result)
            {
                let value = weights.evaluate(&PatternState::new(sample.board)).discs();
                plies[sample.empties().min(60)].push((f64::from(sample.result), value, sample.exact));
            }
            plies
        });
        let ply = |empties: usize| {
            let validation: Vec<_> = parts.iter().flat_map(|plies| &plies[empties]).collect();
            let square = |&&(result, value, _): &&(f64, f64, bool)| (result - value).powi(2);
            let error = (validation.iter().map(square).sum::<f64>() / validation.len() as f64).sqrt();
            PlyReport {
                empties,
                validation: validation.len(),
                sigma: variance(validation.iter().map(|position| position.0)).sqrt(),
                error,
                exact: validation.iter().all(|position| position.2),
            }
        };
        let plies = (0..=60).map(ply).filter(|ply| ply.validation > 0).collect();
        Self { games: samples.games, positions: samples.all.len(), stages, plies, seconds }
    }
}

/// Of the lines of stages.
pub const HEADING: &str = "empty     training validation    sigma    error unexplained passes  seconds";

impl fmt::Display for TrainReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADING}")?;
        for stage in &self.stages {
            writeln!(f, "{stage}")?;
        }
        writeln!(f, "\nempty validation    sigma    error unexplained")?;
        for ply in &self.plies {
            let PlyReport { empties, validation, sigma, error, exact } = ply;
            let share = 100.0 * (error / sigma.max(1e-9)).powi(2);
            let exact = if *exact { "  solved" } else { "" };
            writeln!(f, "{empties:5} {validation:>10} {sigma:>8.2} {error:>8.3} {share:>8.2} %{exact}")?;
        }
        writeln!(f, "\n{} games, {} positions, {:.0} s", self.games, self.positions, self.seconds)
    }
}

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    values.map(|value| (value - mean).powi(2)).sum::<f64>() / count
}
