//! A summary of weights.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::{MOVES, WeightsCommandError, WeightsSource, discs, stage_name};
use crate::bench::evaluation_fingerprint;
use crate::eval::Evaluation;
use crate::eval::pattern::{self, NAMES, WEIGHT_COUNT};
use crate::eval::rows::{Row, WIDTH};
use crate::eval::weights::{
    MOBILITY_WEIGHTS, PackedNetwork, PackedWeights, ROW_COUNT, VERSION, Weights, span,
};
use crate::rules::Rules;
use crate::terminal::table::TextTable;

/// Bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sizes {
    /// In memory.
    pub raw: usize,
    /// Without symmetric duplicates.
    pub packed: usize,
    /// In a file.
    pub file: usize,
}

/// The weights of one shape, or the mobility weights of one side, in one stage.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ShapeSummary {
    pub shape: &'static str,
    #[serde(rename = "different")]
    pub unique: usize,
    pub nonzero: usize,
    /// The mean absolute value of those, in discs.
    pub mean: f64,
    /// The largest absolute value, in discs, with its sign.
    pub largest: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct StageSummary {
    /// The least number of empty squares.
    pub first: usize,
    /// The greatest one.
    pub last: usize,
    /// Shapes, then the mobility of both sides.
    pub shapes: Vec<ShapeSummary>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Hidden {
    /// Numbers of a row.
    pub width: usize,
    pub rows: usize,
    /// Rows that are not all zero.
    pub nonzero: usize,
}

impl Hidden {
    fn of(network: &PackedNetwork) -> Self {
        let nonzero = network.rows.iter().filter(|row| row.iter().any(|&number| number != 0)).count();
        Self { width: WIDTH, rows: network.rows.len(), nonzero }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct WeightsSummary {
    /// Of the format.
    pub version: u8,
    #[serde(serialize_with = "as_text")]
    pub rules: Rules,
    pub origin: String,
    /// The fingerprint in books and recorded games.
    #[serde(rename = "mark")]
    pub fingerprint: String,
    pub bytes: Sizes,
    /// The hidden layer, if there is one.
    pub hidden: Option<Hidden>,
    pub decode_seconds: f64,
    /// The value of being to move, in discs, by empty squares.
    pub tempo: Vec<f64>,
    /// From the end of the game backwards.
    pub stages: Vec<StageSummary>,
}

fn as_text<S: serde::Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// # Errors
/// If the weights cannot be read.
pub fn summary(source: &WeightsSource) -> Result<WeightsSummary, WeightsCommandError> {
    let bytes = source.bytes()?;
    let started = Instant::now();
    let packed = source.decoded(&bytes)?;
    let weights = Weights::new(packed.clone());
    weights.prepare(60);
    let decode_seconds = started.elapsed().as_secs_f64();
    let fingerprint = evaluation_fingerprint(&Evaluation::Loaded(Arc::new(weights)), &[packed.rules]);
    Ok(of(&packed, bytes.len(), decode_seconds, fingerprint))
}

fn of(packed: &PackedWeights, file: usize, decode_seconds: f64, fingerprint: u32) -> WeightsSummary {
    let unique = pattern::unique_weights();
    let moves = [0, 1].map(|side| unique + side * MOBILITY_WEIGHTS..unique + (side + 1) * MOBILITY_WEIGHTS);
    let parts: Vec<_> = pattern::unique_weight_ranges().iter().cloned().chain(moves).collect();
    let stage = |(stage, weights): (usize, &Vec<i16>)| {
        let (first, last) = span(stage);
        let shapes = names().zip(&parts);
        StageSummary {
            first,
            last,
            shapes: shapes.map(|(name, part)| shape(name, &weights[part.clone()])).collect(),
        }
    };
    let tempo = size_of_val(&packed.tempo);
    let words = |weights: usize| size_of::<i16>() * weights;
    let stages = |bytes: usize| tempo + packed.stages.len() * bytes;
    // Its rows: the outputs are few.
    let hidden = |rows: usize| packed.network.as_ref().map_or(0, |_| rows * size_of::<Row>());
    WeightsSummary {
        version: VERSION,
        rules: packed.rules,
        origin: packed.origin.clone(),
        fingerprint: format!("{fingerprint:08x}"),
        bytes: Sizes {
            raw: stages(WEIGHT_COUNT + words(2 * MOBILITY_WEIGHTS)) + hidden(ROW_COUNT),
            packed: stages(words(PackedWeights::stage_length())) + hidden(PackedNetwork::row_count()),
            file,
        },
        hidden: packed.network.as_ref().map(Hidden::of),
        decode_seconds,
        tempo: packed.tempo.iter().map(|&weight| discs(weight)).collect(),
        stages: packed.stages.iter().enumerate().map(stage).collect(),
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain(MOVES)
}

fn shape(name: &'static str, weights: &[i16]) -> ShapeSummary {
    let nonzero = weights.iter().filter(|&&weight| weight != 0).count();
    let sum: f64 = weights.iter().map(|&weight| discs(weight).abs()).sum();
    let largest = weights.iter().copied().max_by_key(|weight| weight.unsigned_abs()).map_or(0.0, discs);
    ShapeSummary { shape: name, unique: weights.len(), nonzero, mean: sum / nonzero.max(1) as f64, largest }
}

impl fmt::Display for WeightsSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, rules, origin, fingerprint, bytes, hidden, decode_seconds, .. } = self;
        writeln!(f, "weights for {rules} rules, version {version} of the format")?;
        writeln!(f, "origin: {origin}")?;
        writeln!(f, "fingerprint in books and records: {fingerprint}")?;
        writeln!(
            f,
            "bytes: {} in memory, {} without symmetric duplicates, {} in the file",
            bytes.raw, bytes.packed, bytes.file
        )?;
        match hidden {
            Some(Hidden { width, rows, nonzero }) => {
                writeln!(f, "hidden layer: {width} numbers, {rows} rows, {nonzero} not zero")?;
            }
            None => writeln!(f, "hidden layer: none")?,
        }
        writeln!(f, "decoded in {:.1} ms", decode_seconds * 1e3)?;
        self.table(f, "nonzero weights", |shape| shape.nonzero.to_string())?;
        self.table(f, "mean absolute weight in discs", |shape| format!("{:.3}", shape.mean))?;
        self.table(f, "largest weight in discs", |shape| format!("{:+.2}", shape.largest))
    }
}

impl WeightsSummary {
    fn table(
        &self,
        f: &mut fmt::Formatter<'_>,
        title: &str,
        cell: impl Fn(&ShapeSummary) -> String,
    ) -> fmt::Result {
        let titles: Vec<_> = ["empty"].into_iter().chain(names()).collect();
        let mut table = TextTable::with_titles(1, &titles);
        for (stage, summary) in self.stages.iter().enumerate() {
            table.row([stage_name(stage)].into_iter().chain(summary.shapes.iter().map(&cell)).collect());
        }
        write!(f, "\n{title}\n{table}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::weights::STAGES;

    #[test]
    fn weights_are_counted_by_stage_and_shape() {
        let mut packed = PackedWeights::zeroes(Rules::Standard);
        let edge = pattern::unique_weight_ranges()[2].clone();
        packed.stages[3][edge.start] = 64;
        packed.stages[3][edge.end - 1] = -192;
        let summary = of(&packed, 1000, 0.5, 7);
        assert_eq!(summary.stages.len(), STAGES);
        assert_eq!((summary.stages[3].first, summary.stages[3].last), (6, 7));
        let found = summary.stages[3].shapes[2];
        assert_eq!((found.shape, found.nonzero, found.mean, found.largest), ("edge", 2, 2.0, -3.0));
        let others = summary.stages.iter().flat_map(|stage| &stage.shapes).filter(|shape| shape.nonzero == 0);
        assert_eq!(others.count(), STAGES * names().count() - 1);
        assert_eq!(summary.bytes.raw, 128 + 27 * (226_314 + 160));
        assert!(summary.to_string().contains("edge-block"));
    }
}
