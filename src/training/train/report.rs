//! What a training has brought, as tables.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fit::{Cases, Fit, in_parts};
use super::samples::Samples;
use crate::eval::PatternState;
use crate::eval::weights::{STAGE_WIDTH, STAGES, Weights};

/// What was learnt of one stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageReport {
    /// Which.
    pub stage: usize,
    /// Positions to learn from, those of neighbouring plies included.
    pub learnt: usize,
    /// Positions held out.
    pub held: usize,
    /// The spread of the results held out, in discs.
    pub spread: f64,
    /// What the weights leave of it.
    pub error: f64,
    /// Passes over the positions that led to the weights.
    pub passes: u32,
    /// How long it took.
    pub seconds: f64,
}

impl StageReport {
    /// Of a fit.
    #[must_use]
    pub fn new(stage: usize, cases: &Cases, fit: &Fit, seconds: f64) -> Self {
        let labels = cases.held.iter().map(|case| f64::from(case.label));
        let spread = variance(labels).sqrt();
        let (learnt, held) = (cases.learnt.len(), cases.held.len());
        Self { stage, learnt, held, spread, error: fit.error.sqrt(), passes: fit.passes, seconds }
    }

    /// Of a stage without positions.
    #[must_use]
    pub const fn empty(stage: usize) -> Self {
        Self { stage, learnt: 0, held: 0, spread: 0.0, error: 0.0, passes: 0, seconds: 0.0 }
    }
}

impl fmt::Display for StageReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, learnt, held, spread, error, passes, seconds } = self;
        let first = stage * STAGE_WIDTH;
        let last = if *stage == STAGES - 1 { 60 } else { first + STAGE_WIDTH - 1 };
        write!(f, "{first:3}-{last:<3} {learnt:>10} {held:>9} {spread:>8.2} {error:>8.3} ")?;
        write!(f, "{:>8.2} % {passes:>6} {seconds:>8.1}", 100.0 * (error / spread.max(1e-9)).powi(2))
    }
}

/// What the finished weights leave unexplained with so many squares empty.
#[derive(Clone, Debug, Serialize)]
pub struct PlyReport {
    /// How many squares are empty.
    pub empties: usize,
    /// Positions held out.
    pub held: usize,
    /// The spread of their results, in discs.
    pub spread: f64,
    /// What the weights leave of it.
    pub error: f64,
    /// Whether play was perfect from there on in all of them.
    pub exact: bool,
}

/// What a training has brought.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Games read.
    pub games: u64,
    /// Their positions.
    pub positions: usize,
    /// Stage by stage.
    pub stages: Vec<StageReport>,
    /// By the number of empty squares.
    pub plies: Vec<PlyReport>,
    /// How long it took in all.
    pub seconds: f64,
}

impl Report {
    /// Values the positions held out with the finished weights, as the engine does.
    #[must_use]
    pub fn new(
        samples: &Samples,
        weights: &Weights,
        stages: Vec<StageReport>,
        threads: usize,
        seconds: f64,
    ) -> Self {
        let parts = in_parts(samples.all.len(), threads, |part| {
            let mut plies: Vec<Vec<(f64, f64, bool)>> = vec![Vec::new(); 61];
            for sample in samples.all[part].iter().filter(|sample| sample.held) {
                let value = weights.evaluate(&PatternState::new(sample.board)).discs();
                plies[sample.empties().min(60)].push((f64::from(sample.result), value, sample.exact));
            }
            plies
        });
        let ply = |empties: usize| {
            let held: Vec<_> = parts.iter().flat_map(|plies| &plies[empties]).collect();
            let square = |&&(result, value, _): &&(f64, f64, bool)| (result - value).powi(2);
            let error = (held.iter().map(square).sum::<f64>() / held.len() as f64).sqrt();
            PlyReport {
                empties,
                held: held.len(),
                spread: variance(held.iter().map(|held| held.0)).sqrt(),
                error,
                exact: held.iter().all(|held| held.2),
            }
        };
        let plies = (0..=60).map(ply).filter(|ply| ply.held > 0).collect();
        Self { games: samples.games, positions: samples.all.len(), stages, plies, seconds }
    }
}

/// The heading of the lines that stages are shown by.
pub const HEADING: &str = "empty       learnt      held   spread    error unexplained passes  seconds";

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADING}")?;
        for stage in &self.stages {
            writeln!(f, "{stage}")?;
        }
        writeln!(f, "\nempty      held   spread    error unexplained")?;
        for ply in &self.plies {
            let PlyReport { empties, held, spread, error, exact } = ply;
            let share = 100.0 * (error / spread.max(1e-9)).powi(2);
            let exact = if *exact { "  true values" } else { "" };
            writeln!(f, "{empties:5} {held:>9} {spread:>8.2} {error:>8.3} {share:>8.2} %{exact}")?;
        }
        writeln!(f, "\n{} games, {} positions, {:.0} s", self.games, self.positions, self.seconds)
    }
}

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    values.map(|value| (value - mean).powi(2)).sum::<f64>() / count
}
