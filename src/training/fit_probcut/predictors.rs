//! What the models predict from what, and the bands of empty squares that have a model each.

use std::ops::RangeInclusive;

use super::fit::{ErrorModel, PredictionError, Predictors};
use crate::score::Score;

pub(super) use crate::search::{
    BANDS, DEPTHS, END_BANDS, END_CHECKS, EndgameErrors, ErrorModels, FIRST_END_BAND, MidgameErrors,
    PREDICTIONS, check_depths,
};

/// Numbers of empty squares in a band.
pub const BAND_WIDTH: u32 = 4;

/// The least of the first band: with fewer a search sees the end of the game.
pub const FEWEST_EMPTIES: u32 = 9;

#[must_use]
pub const fn band_empties(band: usize) -> RangeInclusive<u32> {
    let first = FEWEST_EMPTIES + BAND_WIDTH * band as u32;
    first..=first + BAND_WIDTH - 1
}

#[must_use]
pub fn band_name(band: usize) -> String {
    let empties = band_empties(band);
    format!("{}-{}", empties.start(), empties.end())
}

/// The disc counts of all bands.
#[must_use]
pub const fn band_discs() -> RangeInclusive<u32> {
    64 - *band_empties(BANDS - 1).end()..=64 - FEWEST_EMPTIES
}

/// None if there are too few empty squares.
#[must_use]
pub fn band_of(empties: u32) -> Option<usize> {
    let band = (empties.checked_sub(FEWEST_EMPTIES)? / BAND_WIDTH) as usize;
    (band < BANDS).then_some(band)
}

/// A shallow search predicts a deep one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DepthPair {
    /// 0 is the static evaluation.
    pub shallow: u8,
    pub deep: u8,
}

pub type DepthErrorModel = ErrorModel<4, 4>;

/// Only used to extrapolate; depths that were searched have a [`ConstantModel`] each.
impl Predictors<4, 4> for DepthPair {
    fn mean_terms(self) -> [f64; 4] {
        [1.0, self.shallow.into(), self.deep.into(), parity(self.deep, self.shallow)]
    }

    fn log_sigma_terms(self) -> [f64; 4] {
        [1.0, self.shallow.into(), self.deep.into(), parity(self.deep, self.shallow).abs()]
    }
}

/// The static evaluation predicts a deep search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StaticTo {
    pub deep: u8,
}

pub type StaticErrorModel = ErrorModel<2, 2>;

/// Sigma is a power of the depth: it grows more and more slowly.
impl Predictors<2, 2> for StaticTo {
    fn mean_terms(self) -> [f64; 2] {
        [1.0, parity(self.deep, 0)]
    }

    fn log_sigma_terms(self) -> [f64; 2] {
        [1.0, f64::from(self.deep).ln()]
    }
}

/// All errors have one mean and one sigma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Constant;

pub type ConstantModel = ErrorModel<1, 1>;

impl Predictors<1, 1> for Constant {
    fn mean_terms(self) -> [f64; 1] {
        [1.0]
    }

    fn log_sigma_terms(self) -> [f64; 1] {
        [1.0]
    }
}

/// A shallow search predicts the result of the game. A band is too narrow for the empty squares to matter by more than
/// their parity.
///
/// Ordered so that the depths of one parity are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToEnd {
    /// Of the empty squares: 0 or 1.
    pub parity: u8,
    /// 0 is the static evaluation.
    pub shallow: u8,
}

/// 1 from an even depth to an odd one, -1 from odd to even, 0 otherwise. The two err to opposite sides; a term without a
/// sign would average that away.
fn parity(deep: u8, shallow: u8) -> f64 {
    f64::from(deep & 1) - f64::from(shallow & 1)
}

/// Whether `deep` might be predicted from `shallow`.
///
/// Beyond about half the depth a prediction costs more than its narrow margin saves, below about a quarter it is too
/// vague. The static evaluation costs nothing. The search uses few of these pairs; all of them serve to extrapolate.
#[must_use]
pub fn is_of_use(DepthPair { shallow, deep }: DepthPair) -> bool {
    let is_between = shallow + 2 <= deep && shallow + 1 >= deep / 4 && shallow <= deep / 2 + 1;
    deep > 0 && (shallow == 0 || is_between)
}

/// The depths of the searches that predict one of depth `deep`; 0 is the static evaluation.
#[must_use]
pub const fn predictions(deep: u8) -> [u8; PREDICTIONS] {
    let [quarter, half] = check_depths(deep);
    [0, quarter, half]
}

/// The errors between depths of one position; values are in units.
pub fn depth_errors(values: &[Option<i16>]) -> impl Iterator<Item = PredictionError<DepthPair>> {
    known(values).flat_map(move |(deep, to)| {
        let below = known(values).map(move |(shallow, from)| (DepthPair { shallow, deep }, from));
        below
            .filter(|&(predictors, _)| is_of_use(predictors))
            .map(move |(predictors, from)| PredictionError { predictors, discs: difference(from, to) })
    })
}

/// The errors as predictions of the result; values are in units. A search that sees the end predicts nothing.
pub fn end_errors(
    empties: u8,
    values: &[Option<i16>],
    exact: Option<i16>,
) -> impl Iterator<Item = PredictionError<ToEnd>> {
    let predictions = exact.into_iter().flat_map(move |to| known(values).map(move |from| (from, to)));
    let is_check = move |shallow: u8| usize::from(shallow) < END_CHECKS && shallow < empties;
    predictions.filter(move |&((shallow, _), _)| is_check(shallow)).map(move |((shallow, from), to)| {
        PredictionError { predictors: ToEnd { parity: empties & 1, shallow }, discs: difference(from, to) }
    })
}

fn known(values: &[Option<i16>]) -> impl Iterator<Item = (u8, i16)> {
    (0..).zip(values).filter_map(|(depth, value)| Some((depth, (*value)?)))
}

fn difference(from: i16, to: i16) -> f64 {
    f64::from(i32::from(to) - i32::from(from)) / f64::from(Score::UNITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_use_make_errors() {
        let values = [Some(0), Some(32), None, Some(-16), Some(64)];
        let found: Vec<_> = depth_errors(&values)
            .map(|error| (error.predictors.shallow, error.predictors.deep, error.discs))
            .collect();
        assert_eq!(found, [(0, 1, 1.0), (0, 3, -0.5), (1, 3, -1.5), (0, 4, 2.0), (1, 4, 1.0)]);
    }

    #[test]
    fn predictions_are_neither_too_vague_nor_too_expensive() {
        for (deep, expected) in [
            (0, vec![]),
            (1, vec![0]),
            (2, vec![0]),
            (3, vec![0, 1]),
            (4, vec![0, 1, 2]),
            (5, vec![0, 1, 2, 3]),
            (8, vec![0, 1, 2, 3, 4, 5]),
            (11, vec![0, 1, 2, 3, 4, 5, 6]),
            (12, vec![0, 2, 3, 4, 5, 6, 7]),
            (16, vec![0, 3, 4, 5, 6, 7, 8, 9]),
        ] {
            let of_use: Vec<_> =
                (0..deep).filter(|&shallow| is_of_use(DepthPair { shallow, deep })).collect();
            assert_eq!(of_use, expected, "for {deep}");
        }
    }

    #[test]
    fn what_the_search_uses_is_of_use() {
        for deep in 1..=DEPTHS as u8 {
            for shallow in predictions(deep) {
                assert!(is_of_use(DepthPair { shallow, deep }), "{shallow} for {deep}");
            }
        }
    }

    #[test]
    fn shallow_searches_predict_the_end() {
        let mut values = vec![None; 15];
        for (depth, value) in [(0, 0), (1, 32), (8, 64), (11, 0), (12, 96), (13, 32), (14, 0)] {
            values[depth] = Some(value);
        }
        let found = |empties| -> Vec<_> {
            end_errors(empties, &values, Some(-64))
                .map(|error| (error.predictors.shallow, error.predictors.parity, error.discs))
                .collect()
        };
        let all =
            |parity| [(0, -2.0), (1, -3.0), (8, -4.0), (11, -2.0), (12, -5.0)].map(|(s, e)| (s, parity, e));
        assert_eq!(found(13), all(1), "all checks with 13 empty squares");
        assert_eq!(found(24), all(0), "no deeper ones with more");
        assert_eq!(found(12), all(0)[..4], "no search of the end itself");
        assert_eq!(found(8), all(0)[..2], "no search of the end itself");
        assert_eq!(end_errors(24, &values, None).count(), 0, "not solved");
    }

    #[test]
    fn parity_moves_the_mean_by_its_sign_and_widens_sigma_either_way() {
        let depths = |shallow, deep| DepthPair { shallow, deep }.mean_terms()[3];
        assert_eq!([depths(2, 6), depths(3, 7), depths(2, 7), depths(3, 6)], [0.0, 0.0, 1.0, -1.0]);
        let widths = |shallow, deep| DepthPair { shallow, deep }.log_sigma_terms()[3];
        assert_eq!([widths(2, 6), widths(3, 7), widths(2, 7), widths(3, 6)], [0.0, 0.0, 1.0, 1.0]);
        let of_static = |deep| StaticTo { deep }.mean_terms()[1];
        assert_eq!([of_static(6), of_static(7)], [0.0, 1.0]);
    }

    #[test]
    fn every_number_of_empty_squares_has_its_band() {
        assert_eq!((band_empties(0), band_empties(BANDS - 1)), (9..=12, 57..=60));
        let last = FIRST_END_BAND + END_BANDS - 1;
        assert_eq!((band_empties(FIRST_END_BAND), band_empties(last)), (13..=16, 21..=24));
        assert_eq!(band_name(last), "21-24");
        assert_eq!(band_discs(), 4..=55);
        for number in 0..=64 {
            let holding: Vec<_> = (0..BANDS).filter(|&band| band_empties(band).contains(&number)).collect();
            assert_eq!(band_of(number).into_iter().collect::<Vec<_>>(), holding, "{number}");
        }
        assert_eq!(
            (band_of(8), band_of(12), band_of(13), band_of(60), band_of(61)),
            (None, Some(0), Some(1), Some(12), None)
        );
    }
}
