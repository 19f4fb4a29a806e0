//! The positions of recorded games, with what became of them.

use std::path::PathBuf;

use crate::board::Board;
use crate::eval::PatternState;
use crate::eval::pattern::{self, INSTANCE_COUNT, SHAPES, TABLE_CENTRES, TABLE_STARTS};
use crate::eval::weights::{MOBILITY_WEIGHTS, PackedWeights, UNITS_PER_SCORE, mobility, stage};
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;
use crate::training::records::{Block, Reader, RecordError, Settings};

use super::fit::{Case, Cases, PLACES, in_parts};

/// One position of a game.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Seen by the side to move.
    pub board: Board,
    /// The result of the game for it.
    pub result: i8,
    /// How many samples of the same game follow.
    pub left: u8,
    /// Changes when the side to move does.
    side: bool,
    /// Whether play was perfect from here on, so that the result is the true value.
    pub exact: bool,
    /// Whether the game is held out.
    pub held: bool,
}

impl Sample {
    /// How many squares are empty.
    #[must_use]
    pub fn empties(&self) -> usize {
        64 - self.board.discs().len() as usize
    }
}

/// The samples of many games, in the order of play.
#[derive(Debug, Default)]
pub struct Samples {
    /// Those of a game stand together.
    pub all: Vec<Sample>,
    /// How many games they come from.
    pub games: u64,
}

/// How labels are made where play was not perfect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labels {
    /// How much the value of a later position counts beside the result of the game.
    pub mix: f32,
    /// How many positions later.
    pub ahead: u8,
}

/// One game in so many is held out.
pub const HELD_OUT: usize = 20;

impl Samples {
    /// Reads all games by some rules from files of records, oldest first. Which games are held out is drawn from a seed.
    ///
    /// Results of weak play mislead about all positions but those from which play was perfect: nothing else is taken from
    /// files before the `recent` last ones, and from games that went astray or were played for the other goal.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(paths: &[PathBuf], recent: usize, rules: Rules, seed: u64) -> Result<Self, RecordError> {
        let mut samples = Self::default();
        for (left, path) in (0..paths.len()).rev().zip(paths) {
            for block in Reader::open(path)? {
                let block = block?;
                let Settings { rules: of, goal, stray, .. } = block.settings;
                if of == rules {
                    samples.add(&block, left >= recent || stray || goal != rules, seed);
                }
            }
        }
        Ok(samples)
    }

    fn add(&mut self, block: &Block, only_exact: bool, seed: u64) {
        for (number, game) in (block.first..).zip(&block.games) {
            // Drawn by what the game is, not by where it stands: threads write blocks in any order.
            let held = Random::keyed(seed ^ block.settings.seed, number).below(HELD_OUT) == 0;
            self.games += 1;
            let first = self.all.len();
            let mut side = false;
            for (board, result) in game.positions() {
                if let Some(before) = self.all[first..].last() {
                    // The discs of whoever moved are still there.
                    side = before.side ^ (before.board.own() - board.other()).is_empty();
                }
                let mut sample = Sample { board, result: result.0, left: 0, side, exact: false, held };
                sample.exact = sample.empties() <= usize::from(block.settings.exact);
                if sample.exact || !only_exact {
                    self.all.push(sample);
                }
            }
            let game = &mut self.all[first..];
            (0..game.len() as u8).rev().zip(game).for_each(|(left, sample)| sample.left = left);
        }
    }

    /// What a position is worth, in discs: the result of the game, mixed with the value of a later position of it if
    /// there are weights for that and the result is not the true value already.
    fn label(&self, at: usize, ties: &Ties, labels: Labels, later: Option<&PackedWeights>) -> f32 {
        let sample = &self.all[at];
        let result = f32::from(sample.result);
        match later {
            Some(weights) if !sample.exact && labels.mix > 0.0 && sample.left >= labels.ahead => {
                let later = &self.all[at + usize::from(labels.ahead)];
                let value = ties.value(later, weights).discs() as f32;
                let value = if later.side == sample.side { value } else { -value };
                result + labels.mix * (value - result)
            }
            _ => result,
        }
    }

    /// The cases of a stage: its own positions, and those of neighbouring plies to learn from.
    #[must_use]
    pub fn cases(
        &self,
        of: usize,
        ties: &Ties,
        labels: Labels,
        later: Option<&PackedWeights>,
        threads: usize,
    ) -> Cases {
        let belongs = |sample: &Sample| stage(sample.empties()) == of;
        let is_near = |sample: &Sample| {
            let empties = sample.empties();
            belongs(sample) || stage(empties + 1) == of || stage(empties.saturating_sub(1)) == of
        };
        let parts = in_parts(self.all.len(), threads, |part| {
            let (mut learnt, mut held) = (Vec::new(), Vec::new());
            for at in part {
                let sample = &self.all[at];
                if sample.held && belongs(sample) {
                    held.push(Case { places: ties.places(sample), label: f32::from(sample.result) });
                } else if !sample.held && is_near(sample) {
                    let label = self.label(at, ties, labels, later);
                    learnt.push(Case { places: ties.places(sample), label });
                }
            }
            (learnt, held)
        });
        let (learnt, held): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        Cases { bases: ties.bases, weights: ties.weights, learnt: learnt.concat(), held: held.concat() }
    }
}

/// Where the weights of a stage are among those of a fit: as they are stored, and after them those of the plies.
#[derive(Debug)]
pub struct Ties {
    ties: &'static [u32],
    bases: [u32; PLACES],
    /// How many there are in all.
    pub weights: usize,
}

impl Ties {
    /// Finds the mirror images.
    #[must_use]
    pub fn find() -> Self {
        let ties = pattern::canonical_indices();
        let different = pattern::unique_weights();
        let stage = PackedWeights::stage_length();
        let mut bases = [0; PLACES];
        bases[INSTANCE_COUNT..]
            .copy_from_slice(&[different, different + MOBILITY_WEIGHTS, stage].map(|base| base as u32));
        for (base, instance) in bases.iter_mut().zip(&pattern::INSTANCES) {
            *base = ties[TABLE_STARTS[instance.shape]];
        }
        debug_assert!(SHAPES.iter().all(|shape| pattern::pow3(shape.len()) <= usize::from(u16::MAX)));
        Self { ties, bases, weights: stage + 64 }
    }

    /// How many of the weights are stored with the stage; the others are the plies'.
    #[must_use]
    pub const fn of_stage(&self) -> usize {
        self.weights - 64
    }

    /// The value of a position by weights as they are learned: the engine's are rounded.
    fn value(&self, sample: &Sample, packed: &PackedWeights) -> Score {
        let (places, of_stage) = (self.places(sample), &packed.stages[stage(sample.empties())]);
        let tempo = packed.tempo[sample.empties()];
        let weights = places[..PLACES - 1].iter().zip(self.bases);
        let weights = weights.map(|(&place, base)| of_stage[base as usize + usize::from(place)]);
        Score::from_units(weights.chain([tempo]).map(i32::from).sum::<i32>() / UNITS_PER_SCORE)
    }

    fn places(&self, sample: &Sample) -> [u16; PLACES] {
        let view = PatternState::new(sample.board);
        let numbers = &view.indices().0;
        let [own, other] = mobility(&view);
        let mut places = [0; PLACES];
        places[INSTANCE_COUNT..].copy_from_slice(&[own, other, sample.empties()].map(|place| place as u16));
        for instance in 0..INSTANCE_COUNT {
            let number = (TABLE_CENTRES[instance] + i32::from(numbers[instance])) as usize;
            places[instance] = (self.ties[number] - self.bases[instance]) as u16;
        }
        places
    }
}
