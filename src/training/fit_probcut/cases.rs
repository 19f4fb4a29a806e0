//! What is predicted from what, and the terms that the models of it are made of.

use super::fit::{Case, Miss, Model};
use crate::score::Score;

/// A shallow search that stands for a deep one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depths {
    /// The depth of the prediction; 0 is the evaluation.
    pub shallow: u8,
    /// The depth of what it should have predicted.
    pub deep: u8,
}

/// What to expect where a search stands for a deeper one.
pub type DepthModel = Model<4, 3>;

/// The mean is made of 1, both depths and the parity; the logarithm of the spread of 1 and both depths.
impl Case<4, 3> for Depths {
    fn mean_terms(self) -> [f64; 4] {
        [1.0, self.shallow.into(), self.deep.into(), parity(self.deep, self.shallow)]
    }

    fn spread_terms(self) -> [f64; 3] {
        [1.0, self.shallow.into(), self.deep.into()]
    }
}

/// A shallow search that stands for the result of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ToEnd {
    /// The depth of the prediction; 0 is the evaluation.
    pub shallow: u8,
    /// How many squares were empty: the depth of a search to the end.
    pub empties: u8,
}

/// What to expect where a search stands for the result of the game.
pub type EndModel = Model<3, 2>;

/// The mean is made of 1, the depth and the parity; the logarithm of the spread of 1 and the depth. A band is too
/// narrow for the empty squares to matter by more than their parity.
impl Case<3, 2> for ToEnd {
    fn mean_terms(self) -> [f64; 3] {
        [1.0, self.shallow.into(), parity(self.empties, self.shallow)]
    }

    fn spread_terms(self) -> [f64; 2] {
        [1.0, self.shallow.into()]
    }
}

/// 1 from an even depth to an odd one, -1 from an odd one to an even one, and 0 otherwise: the two ways between even and
/// odd miss to opposite sides, which a term without a sign would average away.
fn parity(deep: u8, shallow: u8) -> f64 {
    f64::from(deep & 1) - f64::from(shallow & 1)
}

/// Shallower searches are never replaced by a prediction.
pub const LEAST_DEEP: u8 = 3;

/// Whether a search would let one depth speak for the other.
///
/// Only such pairs are fitted to, as a model with few terms that has to do for all of them does worse for those that
/// matter. A prediction that is hardly shallower saves nothing, one beyond about half the depth costs more than its
/// narrow margin brings, and one of less than about a quarter is too vague. The evaluation is the exception: it costs
/// nothing, and tells whether a shallow search is worth trying at all.
#[must_use]
pub fn is_used(Depths { shallow, deep }: Depths) -> bool {
    let is_of_use = shallow + 2 <= deep && shallow + 1 >= deep / 4 && shallow <= deep / 2 + 1;
    deep >= LEAST_DEEP && (shallow == 0 || is_of_use)
}

/// The misses between depths of one position, from its values by depth in units.
pub fn depth_misses(values: &[Option<i16>]) -> impl Iterator<Item = Miss<Depths>> {
    known(values).flat_map(move |(deep, to)| {
        let below = known(values).map(move |(shallow, from)| (Depths { shallow, deep }, from));
        below
            .filter(|&(case, _)| is_used(case))
            .map(move |(case, from)| Miss { case, discs: discs(from, to) })
    })
}

/// Deeper searches are too dear to stand for the end of the game.
pub const DEEPEST_TO_END: u8 = 8;

/// The misses of one position's result, from its values by depth and the result, both in units.
pub fn end_misses(
    empties: u8,
    values: &[Option<i16>],
    exact: Option<i16>,
) -> impl Iterator<Item = Miss<ToEnd>> {
    let predictions = exact.into_iter().flat_map(move |to| known(values).map(move |from| (from, to)));
    predictions
        .filter(move |&((shallow, _), _)| shallow <= DEEPEST_TO_END && shallow < empties)
        .map(move |((shallow, from), to)| Miss { case: ToEnd { shallow, empties }, discs: discs(from, to) })
}

/// The depths that have a value.
fn known(values: &[Option<i16>]) -> impl Iterator<Item = (u8, i16)> {
    (0..).zip(values).filter_map(|(depth, value)| Some((depth, (*value)?)))
}

fn discs(from: i16, to: i16) -> f64 {
    f64::from(i32::from(to) - i32::from(from)) / f64::from(Score::UNITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_a_search_would_use_make_misses() {
        let values = [Some(0), Some(32), None, Some(-16), Some(64)];
        let found: Vec<_> =
            depth_misses(&values).map(|miss| (miss.case.shallow, miss.case.deep, miss.discs)).collect();
        assert_eq!(found, [(0, 3, -0.5), (1, 3, -1.5), (0, 4, 2.0), (1, 4, 1.0)]);
    }

    #[test]
    fn predictions_are_neither_too_vague_nor_too_dear() {
        for (deep, expected) in [
            (2, vec![]),
            (3, vec![0, 1]),
            (4, vec![0, 1, 2]),
            (5, vec![0, 1, 2, 3]),
            (8, vec![0, 1, 2, 3, 4, 5]),
            (11, vec![0, 1, 2, 3, 4, 5, 6]),
            (12, vec![0, 2, 3, 4, 5, 6, 7]),
            (16, vec![0, 3, 4, 5, 6, 7, 8, 9]),
        ] {
            let used: Vec<_> = (0..deep).filter(|&shallow| is_used(Depths { shallow, deep })).collect();
            assert_eq!(used, expected, "for {deep}");
        }
    }

    #[test]
    fn shallow_searches_predict_the_end() {
        let mut values = vec![None; 12];
        for (depth, value) in [(0, 0), (1, 32), (8, 64), (9, 96), (11, 0)] {
            values[depth] = Some(value);
        }
        let found = |empties| -> Vec<_> {
            end_misses(empties, &values, Some(-64))
                .map(|miss| (miss.case.shallow, miss.case.empties, miss.discs))
                .collect()
        };
        assert_eq!(found(12), [(0, 12, -2.0), (1, 12, -3.0), (8, 12, -4.0)]);
        assert_eq!(found(8), [(0, 8, -2.0), (1, 8, -3.0)], "no search of the end itself");
        assert_eq!(end_misses(12, &values, None).count(), 0, "not solved");
    }

    #[test]
    fn parity_has_a_sign() {
        let depths = |shallow, deep| Depths { shallow, deep }.mean_terms()[3];
        assert_eq!([depths(2, 6), depths(3, 7), depths(2, 7), depths(3, 6)], [0.0, 0.0, 1.0, -1.0]);
        let to_end = |shallow, empties| ToEnd { shallow, empties }.mean_terms()[2];
        assert_eq!([to_end(2, 16), to_end(3, 17), to_end(2, 17), to_end(3, 16)], [0.0, 0.0, 1.0, -1.0]);
    }
}
