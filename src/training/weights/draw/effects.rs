//! What a disc on a square changes.

use crate::eval::pattern::{INSTANCES, SHAPES, SQUARE_DELTAS, TABLE_STARTS, pow3};

use super::super::UNITS;

/// For every square, in discs: what the weights say to a disc of the player to move there instead of one of the
/// opponent, all other squares being the same. The instances of patterns that lie on the square are added up, as the
/// evaluation does.
///
/// Each instance brings the mean over its patterns. Without `counts` that is over those pairs that were both learnt. With
/// them a pair counts for as much as a comparison of so many cases with so many is worth.
pub(super) fn effects(weights: &[i16], counts: Option<&[u32]>) -> [f64; 64] {
    let of_digits: Vec<Vec<f64>> = (0..SHAPES.len())
        .map(|shape| (0..SHAPES[shape].len()).map(|digit| mean(shape, digit, weights, counts)).collect())
        .collect();
    SQUARE_DELTAS.each_ref().map(|powers| {
        let instances = INSTANCES.iter().zip(&powers.0).filter(|&(_, &power)| power != 0);
        instances.map(|(instance, power)| of_digits[instance.shape][power.ilog(3) as usize]).sum()
    })
}

/// The mean over the patterns of a shape that differ in one digit.
fn mean(shape: usize, digit: usize, weights: &[i16], counts: Option<&[u32]>) -> f64 {
    let step = 2 * pow3(digit);
    let (mut sum, mut total) = (0.0, 0.0);
    for number in (0..pow3(SHAPES[shape].len())).filter(|number| (number / pow3(digit)).is_multiple_of(3)) {
        let (other, own) = (TABLE_STARTS[shape] + number, TABLE_STARTS[shape] + number + step);
        let trust = match counts {
            Some(counts) => {
                let [one, two] = [other, own].map(|place| f64::from(counts[place]));
                if one + two > 0.0 { one * two / (one + two) } else { 0.0 }
            }
            None => f64::from(u8::from(weights[other] != 0 && weights[own] != 0)),
        };
        sum += trust * (f64::from(weights[own]) - f64::from(weights[other])) / UNITS;
        total += trust;
    }
    if total > 0.0 { sum / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Square, Symmetry};
    use crate::eval::pattern::WEIGHT_COUNT;

    /// Weights that say of each disc on the first square of one shape that it is worth a disc.
    fn first_square_of(shape: usize) -> Vec<i16> {
        let mut weights = vec![0; WEIGHT_COUNT];
        for number in 0..pow3(SHAPES[shape].len()) {
            weights[TABLE_STARTS[shape] + number] = [-64, 1, 64][number % 3];
        }
        weights
    }

    #[test]
    fn a_disc_is_worth_what_the_weights_say() {
        // The first square of the longest diagonal is a corner.
        let effects = effects(&first_square_of(7), None);
        assert_eq!(effects[Square::A1.index()], 2.0);
        let counts = vec![1; WEIGHT_COUNT];
        let weighed = super::effects(&first_square_of(7), Some(&counts));
        assert!(effects.iter().zip(weighed).all(|(one, other)| (one - other).abs() < 1e-9));
    }

    #[test]
    fn squares_that_are_alike_are_worth_the_same() {
        let ties = crate::eval::pattern::canonical_indices();
        let weights: Vec<i16> = ties.iter().map(|&tie| (tie % 301) as i16 - 150).collect();
        let effects = effects(&weights, None);
        for square in Square::ALL {
            for symmetry in Symmetry::ALL {
                let image = symmetry.map(square.into()).into_iter().next().expect("one square");
                assert!((effects[square.index()] - effects[image.index()]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn nothing_learnt_is_nothing_said() {
        assert_eq!(effects(&vec![0; WEIGHT_COUNT], None), [0.0; 64]);
        assert_eq!(effects(&first_square_of(7), Some(&vec![0; WEIGHT_COUNT])), [0.0; 64]);
    }
}
