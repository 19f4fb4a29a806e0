//! The positions of recorded games with their results, and the examples of a stage.

use std::path::PathBuf;

use crate::board::Board;
use crate::eval::PatternState;
use crate::eval::pattern::{self, INSTANCE_COUNT, SHAPES, TABLE_CENTRES, TABLE_STARTS};
use crate::eval::weights::{MOBILITY_WEIGHTS, PackedWeights, UNITS_PER_SCORE, mobility, stage};
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;
use crate::training::records::{
    Block, BlockReader, RecordFileError, SearchValue, SelfplaySettings, TrainingPosition,
};

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
    /// Whether the result says something about the position: see [`TrainingPosition`].
    pub has_fair_result: bool,
    /// The recorded value of a search.
    pub value: Option<SearchValue>,
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
    /// Positions with a recorded value.
    pub values: u64,
}

/// How labels are made where the game was not solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelMix {
    /// The weight of the recorded value of a search beside the result of the game.
    pub value_mix: f32,
    /// The weight of the value of a later position, where no search was recorded.
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
            for position in game.positions() {
                let TrainingPosition { board, result, has_fair_result, value, .. } = position;
                if let Some(before) = self.all[first..].last() {
                    // The mover's discs are still there.
                    side = before.side ^ (before.board.own() - board.other()).is_empty();
                }
                let exact = 64 - board.discs().len() <= block.settings.exact.into();
                if exact || !only_exact {
                    let result = result.0;
                    self.values += u64::from(value.is_some());
                    self.all.push(LabelledPosition {
                        board,
                        result,
                        left: 0,
                        side,
                        exact,
                        has_fair_result,
                        value,
                        validation,
                    });
                }
            }
            let game = &mut self.all[first..];
            (0..game.len() as u8).rev().zip(game).for_each(|(left, sample)| sample.left = left);
        }
    }

    /// The mix for reports. It names the recorded values only if there are any.
    #[must_use]
    pub fn mix_text(&self, labels: LabelMix) -> String {
        let LabelMix { value_mix, mix, ahead } = labels;
        let values = if self.values > 0 { format!("values {value_mix}, ") } else { String::new() };
        format!("{values}mix {mix} ahead {ahead}")
    }

    /// In discs: the result of the game unless it is a solved value, mixed with the recorded value of a search, or with
    /// the value of a later position if there are weights for it. A recorded value stands alone where the result is not
    /// fair; without either there is no label.
    fn label(
        &self,
        at: usize,
        layout: &WeightLayout,
        labels: LabelMix,
        later: Option<&PackedWeights>,
    ) -> Option<f32> {
        let sample = &self.all[at];
        let result = f32::from(sample.result);
        if let Some(value) = sample.value {
            let mix = if sample.has_fair_result { labels.value_mix } else { 1.0 };
            return Some(result + mix * (value.discs() - result));
        }
        sample.has_fair_result.then(|| match later {
            Some(weights) if !sample.exact && labels.mix > 0.0 && sample.left >= labels.ahead => {
                let later = &self.all[at + usize::from(labels.ahead)];
                let value = layout.value(later, weights).discs() as f32;
                let value = if later.side == sample.side { value } else { -value };
                result + labels.mix * (value - result)
            }
            _ => result,
        })
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
                if sample.validation && belongs(sample) && sample.has_fair_result {
                    validation
                        .push(Example { places: layout.places(sample), label: f32::from(sample.result) });
                } else if !sample.validation && is_near(sample) {
                    let label = self.label(at, layout, labels, later);
                    training.extend(label.map(|label| Example { places: layout.places(sample), label }));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::training::records::FormatVersion;
    use crate::training::selfplay::player::SelfPlayer;

    /// Games with detours.
    fn games() -> TrainingSet {
        let settings = SelfplaySettings {
            rules: Rules::Reversed,
            play_for: Rules::Reversed,
            noise_before_solve: false,
            detours: 2,
            depth: 1,
            exact: 8,
            random: (4, 20),
            seed: 5,
            evaluation: 0,
        };
        let mut player = SelfPlayer::new(settings, Evaluation::HandMade);
        let games = (0..150).filter_map(|number| player.play(number, || false)).collect();
        let mut samples = TrainingSet::default();
        samples.add(&Block { version: FormatVersion::Values, settings, first: 0, games }, false, 1);
        samples
    }

    #[test]
    fn labels_are_values_where_the_result_is_not_fair() {
        let samples = games();
        let layout = WeightLayout::of_patterns();
        let labels = LabelMix { value_mix: 0.25, mix: 0.5, ahead: 6 };
        let mut kinds = [0; 4];
        for (at, sample) in samples.all.iter().enumerate() {
            let result = f32::from(sample.result);
            let (kind, wanted) = match (sample.has_fair_result, sample.value.map(SearchValue::discs)) {
                (true, None) => (0, Some(result)),
                (true, Some(value)) => (1, Some(0.75 * result + 0.25 * value)),
                (false, None) => (2, None),
                (false, Some(value)) => (3, Some(value)),
            };
            kinds[kind] += 1;
            assert_eq!(samples.label(at, &layout, labels, None), wanted);
            assert!(!sample.exact || kind == 0, "a solved position has its result alone");
        }
        assert!(kinds.iter().all(|&count| count > 0), "{kinds:?}");
        assert_eq!(samples.mix_text(labels), "values 0.25, mix 0.5 ahead 6");
        assert_eq!(TrainingSet::default().mix_text(labels), "mix 0.5 ahead 6");
        // Only fair results judge the weights.
        let validation: usize =
            (0..27).map(|stage| samples.examples(stage, &layout, labels, None, 1).validation.len()).sum();
        let fair = samples.all.iter().filter(|sample| sample.validation && sample.has_fair_result);
        assert_eq!(validation, fair.count());
    }
}
