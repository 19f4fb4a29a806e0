//! The positions of recorded games with their results, and the examples of a stage.

use std::path::PathBuf;

use crate::board::Board;
use crate::eval::PatternState;
use crate::eval::pattern::{self, INSTANCE_COUNT, SHAPES, TABLE_CENTRES, TABLE_STARTS};
use crate::eval::weights::{MOBILITY_WEIGHTS, PackedWeights, UNITS_PER_SCORE, mobility, stage};
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;
use crate::training::records::{Block, BlockReader, RecordFileError, SelfplaySettings};

use super::fit::{Example, Examples, PLACES, in_parts};

/// One position of a game, for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct LabelledPosition {
    pub board: Board,
    /// The result of the game.
    pub result: i8,
    /// How many positions of the same game follow.
    pub left: u8,
    /// Changes when the side to move does.
    side: bool,
    /// Whether the game is solved from here, so that the result is the true value.
    pub exact: bool,
    /// Whether the game is held out for validation.
    pub validation: bool,
}

impl LabelledPosition {
    #[must_use]
    pub fn empties(&self) -> usize {
        64 - self.board.discs().len() as usize
    }
}

#[derive(Debug, Default)]
pub struct TrainingSet {
    /// Game after game, in the order of play.
    pub all: Vec<LabelledPosition>,
    pub games: u64,
}

/// How labels are made where the game was not solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelMix {
    /// The weight of the value of a later position beside the result of the game.
    pub mix: f32,
    /// How many positions later.
    pub ahead: u8,
}

/// One game in so many is held out for validation.
pub const HELD_OUT: usize = 20;

impl TrainingSet {
    /// Reads all games by these rules, oldest file first.
    ///
    /// Results of weak play mislead about positions before the solve. Only solved positions are taken from files before
    /// the `recent` last ones, and from games with noise or played for the other rules.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(paths: &[PathBuf], recent: usize, rules: Rules, seed: u64) -> Result<Self, RecordFileError> {
        let mut samples = Self::default();
        for (left, path) in (0..paths.len()).rev().zip(paths) {
            for block in BlockReader::open(path)? {
                let block = block?;
                let SelfplaySettings { rules: of, play_for, noise_before_solve, .. } = block.settings;
                if of == rules {
                    samples.add(&block, left >= recent || noise_before_solve || play_for != rules, seed);
                }
            }
        }
        Ok(samples)
    }

    fn add(&mut self, block: &Block, only_exact: bool, seed: u64) {
        for (number, game) in (block.first..).zip(&block.games) {
            // Drawn by the number of the game, not by its place: threads write blocks in any order.
            let validation = Random::keyed(seed ^ block.settings.seed, number).below(HELD_OUT) == 0;
            self.games += 1;
            let first = self.all.len();
            let mut side = false;
            for (board, result) in game.positions() {
                if let Some(before) = self.all[first..].last() {
                    // The mover's discs are still there.
                    side = before.side ^ (before.board.own() - board.other()).is_empty();
                }
                let mut sample =
                    LabelledPosition { board, result: result.0, left: 0, side, exact: false, validation };
                sample.exact = sample.empties() <= usize::from(block.settings.exact);
                if sample.exact || !only_exact {
                    self.all.push(sample);
                }
            }
            let game = &mut self.all[first..];
            (0..game.len() as u8).rev().zip(game).for_each(|(left, sample)| sample.left = left);
        }
    }

    /// In discs: the result of the game, mixed with the value of a later position if there are weights for it and the
    /// result is not a solved value.
    fn label(
        &self,
        at: usize,
        layout: &WeightLayout,
        labels: LabelMix,
        later: Option<&PackedWeights>,
    ) -> f32 {
        let sample = &self.all[at];
        let result = f32::from(sample.result);
        match later {
            Some(weights) if !sample.exact && labels.mix > 0.0 && sample.left >= labels.ahead => {
                let later = &self.all[at + usize::from(labels.ahead)];
                let value = layout.value(later, weights).discs() as f32;
                let value = if later.side == sample.side { value } else { -value };
                result + labels.mix * (value - result)
            }
            _ => result,
        }
    }

    /// The examples of a stage; those of neighbouring plies are added for training.
    #[must_use]
    pub fn examples(
        &self,
        of: usize,
        layout: &WeightLayout,
        labels: LabelMix,
        later: Option<&PackedWeights>,
        threads: usize,
    ) -> Examples {
        let belongs = |sample: &LabelledPosition| stage(sample.empties()) == of;
        let is_near = |sample: &LabelledPosition| {
            let empties = sample.empties();
            belongs(sample) || stage(empties + 1) == of || stage(empties.saturating_sub(1)) == of
        };
        let parts = in_parts(self.all.len(), threads, |part| {
            let (mut training, mut validation) = (Vec::new(), Vec::new());
            for at in part {
                let sample = &self.all[at];
                if sample.validation && belongs(sample) {
                    validation
                        .push(Example { places: layout.places(sample), label: f32::from(sample.result) });
                } else if !sample.validation && is_near(sample) {
                    let label = self.label(at, layout, labels, later);
                    training.push(Example { places: layout.places(sample), label });
                }
            }
            (training, validation)
        });
        let (training, validation): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        Examples {
            bases: layout.bases,
            weights: layout.weights,
            training: training.concat(),
            validation: validation.concat(),
        }
    }
}

/// The order of the weights in a fit: those of a stage as they are stored, then those of the plies.
#[derive(Debug)]
pub struct WeightLayout {
    canonical: &'static [u32],
    bases: [u32; PLACES],
    /// Number of weights.
    pub weights: usize,
}

impl WeightLayout {
    #[must_use]
    pub fn of_patterns() -> Self {
        let canonical = pattern::canonical_indices();
        let unique = pattern::unique_weights();
        let stage = PackedWeights::stage_length();
        let mut bases = [0; PLACES];
        bases[INSTANCE_COUNT..]
            .copy_from_slice(&[unique, unique + MOBILITY_WEIGHTS, stage].map(|base| base as u32));
        for (base, instance) in bases.iter_mut().zip(&pattern::INSTANCES) {
            *base = canonical[TABLE_STARTS[instance.shape]];
        }
        debug_assert!(SHAPES.iter().all(|shape| pattern::pow3(shape.len()) <= usize::from(u16::MAX)));
        Self { canonical, bases, weights: stage + 64 }
    }

    /// How many of the weights are stored with the stage; the others are those of the plies.
    #[must_use]
    pub const fn of_stage(&self) -> usize {
        self.weights - 64
    }

    /// By the weights as they are fitted; the engine rounds them.
    fn value(&self, sample: &LabelledPosition, packed: &PackedWeights) -> Score {
        let (places, of_stage) = (self.places(sample), &packed.stages[stage(sample.empties())]);
        let tempo = packed.tempo[sample.empties()];
        let weights = places[..PLACES - 1].iter().zip(self.bases);
        let weights = weights.map(|(&place, base)| of_stage[base as usize + usize::from(place)]);
        Score::from_units(weights.chain([tempo]).map(i32::from).sum::<i32>() / UNITS_PER_SCORE)
    }

    fn places(&self, sample: &LabelledPosition) -> [u16; PLACES] {
        let state = PatternState::new(sample.board);
        let numbers = &state.indices().0;
        let [own, other] = mobility(&state);
        let mut places = [0; PLACES];
        places[INSTANCE_COUNT..].copy_from_slice(&[own, other, sample.empties()].map(|place| place as u16));
        for instance in 0..INSTANCE_COUNT {
            let number = (TABLE_CENTRES[instance] + i32::from(numbers[instance])) as usize;
            places[instance] = (self.canonical[number] - self.bases[instance]) as u16;
        }
        places
    }
}
