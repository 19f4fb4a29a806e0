//! What a file of weights holds.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::{MOVES, WeightsCommandError, WeightsSource, discs, stage_name};
use crate::bench::evaluation_fingerprint;
use crate::eval::Evaluation;
use crate::eval::pattern::{self, NAMES, WEIGHTS};
use crate::eval::weights::{MOBILITIES, Packed, VERSION, Weights, span};
use crate::rules::Rules;
use crate::terminal::table::Table;

/// How much room weights take, in bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sizes {
    /// In memory, where mirror images have weights of their own.
    pub raw: usize,
    /// Without what mirror images share.
    pub packed: usize,
    /// In a file.
    pub file: usize,
}

/// The weights of one shape, or of the numbers of moves of one side, in one stage.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ShapeSummary {
    /// The name of the shape, or whose moves.
    pub shape: &'static str,
    /// How many different weights it has.
    pub different: usize,
    /// How many of them are not zero.
    pub nonzero: usize,
    /// The mean size of those, in discs.
    pub mean: f64,
    /// The largest, in discs, with its sign.
    pub largest: f64,
}

/// The weights of one stage.
#[derive(Clone, Debug, Serialize)]
pub struct StageSummary {
    /// The least number of empty squares.
    pub first: usize,
    /// The greatest one.
    pub last: usize,
    /// Shape by shape, then the moves of both sides.
    pub shapes: Vec<ShapeSummary>,
}

/// What weights are like.
#[derive(Clone, Debug, Serialize)]
pub struct WeightsSummary {
    /// The version of the format.
    pub version: u8,
    /// The rule set they are for.
    #[serde(serialize_with = "as_text")]
    pub rules: Rules,
    /// Where they come from.
    pub origin: String,
    /// What books and records of games call them.
    pub mark: String,
    /// How much room they take.
    pub bytes: Sizes,
    /// How long it took to make them ready for use.
    pub decode_seconds: f64,
    /// What being to move is worth, in discs, by the number of empty squares.
    pub tempo: Vec<f64>,
    /// From the end of the game backwards.
    pub stages: Vec<StageSummary>,
}

fn as_text<S: serde::Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Looks into weights.
///
/// # Errors
/// If there are none.
pub fn facts(source: &WeightsSource) -> Result<WeightsSummary, WeightsCommandError> {
    let bytes = source.bytes()?;
    let started = Instant::now();
    let packed = source.decoded(&bytes)?;
    let weights = Weights::new(packed.clone());
    weights.prepare(60);
    let decode_seconds = started.elapsed().as_secs_f64();
    let mark = evaluation_fingerprint(&Evaluation::Loaded(Arc::new(weights)), &[packed.rules]);
    Ok(of(&packed, bytes.len(), decode_seconds, mark))
}

fn of(packed: &Packed, file: usize, decode_seconds: f64, mark: u32) -> WeightsSummary {
    let different = pattern::different();
    let moves = [0, 1].map(|side| different + side * MOBILITIES..different + (side + 1) * MOBILITIES);
    let parts: Vec<_> = pattern::different_of().iter().cloned().chain(moves).collect();
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
    WeightsSummary {
        version: VERSION,
        rules: packed.rules,
        origin: packed.origin.clone(),
        mark: format!("{mark:08x}"),
        bytes: Sizes {
            raw: stages(WEIGHTS + words(2 * MOBILITIES)),
            packed: stages(words(Packed::stage_length())),
            file,
        },
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
    ShapeSummary {
        shape: name,
        different: weights.len(),
        nonzero,
        mean: sum / nonzero.max(1) as f64,
        largest,
    }
}

impl fmt::Display for WeightsSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, rules, origin, mark, bytes, decode_seconds, .. } = self;
        writeln!(f, "weights for {rules} rules, version {version} of the format")?;
        writeln!(f, "origin: {origin}")?;
        writeln!(f, "mark in books and records: {mark}")?;
        writeln!(
            f,
            "bytes: {} ready for use, {} without mirror images, {} in the file",
            bytes.raw, bytes.packed, bytes.file
        )?;
        writeln!(f, "made ready in {:.1} ms", decode_seconds * 1e3)?;
        self.table(f, "weights that are not zero", |shape| shape.nonzero.to_string())?;
        self.table(f, "their mean size in discs", |shape| format!("{:.3}", shape.mean))?;
        self.table(f, "the largest in discs", |shape| format!("{:+.2}", shape.largest))
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
        let mut table = Table::with_titles(1, &titles);
        for (stage, facts) in self.stages.iter().enumerate() {
            table.row([stage_name(stage)].into_iter().chain(facts.shapes.iter().map(&cell)).collect());
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
        let mut packed = Packed::zeroes(Rules::Standard);
        let edge = pattern::different_of()[2].clone();
        packed.stages[3][edge.start] = 64;
        packed.stages[3][edge.end - 1] = -192;
        let facts = of(&packed, 1000, 0.5, 7);
        assert_eq!(facts.stages.len(), STAGES);
        assert_eq!((facts.stages[3].first, facts.stages[3].last), (6, 7));
        let found = facts.stages[3].shapes[2];
        assert_eq!((found.shape, found.nonzero, found.mean, found.largest), ("edge", 2, 2.0, -3.0));
        let others = facts.stages.iter().flat_map(|stage| &stage.shapes).filter(|shape| shape.nonzero == 0);
        assert_eq!(others.count(), STAGES * names().count() - 1);
        assert_eq!(facts.bytes.raw, 128 + 27 * (226_314 + 160));
        assert!(facts.to_string().contains("edge-block"));
    }
}
