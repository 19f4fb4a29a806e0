//! Patterns as text: a sign for each square of the shape, in its order.

use crate::eval::pattern::{SHAPES, pow3};

/// The signs of the digits: a disc of the opponent, an empty square, a disc of the player to move.
const SIGNS: [char; 3] = ['O', '-', 'X'];

/// The digits of a number, counted from 0 for a disc of the opponent.
pub(super) fn digits(shape: usize, number: usize) -> impl Iterator<Item = usize> {
    (0..SHAPES[shape].len()).map(move |digit| number / pow3(digit) % 3)
}

/// A number of a shape, counted from 0, as text.
pub(super) fn text(shape: usize, number: usize) -> String {
    digits(shape, number).map(|digit| SIGNS[digit]).collect()
}

/// The number that a text stands for; none if it is not one of that shape.
pub(super) fn number(shape: usize, text: &str) -> Option<usize> {
    if text.len() != SHAPES[shape].len() {
        return None;
    }
    let place = |sign| SIGNS.iter().position(|&other| other == sign);
    text.chars().zip(0..).map(|(sign, digit)| Some(place(sign)? * pow3(digit))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_inverse() {
        for (shape, squares) in SHAPES.iter().enumerate() {
            for n in (0..pow3(squares.len())).step_by(7) {
                assert_eq!(number(shape, &text(shape, n)), Some(n));
            }
            assert_eq!(text(shape, pow3(squares.len()) / 2), "-".repeat(squares.len()));
        }
        assert_eq!(text(11, 1 + 6), "-XOO");
        for wrong in ["", "-XO", "-XO--", "-xO-", "-XÖ"] {
            assert_eq!(number(11, wrong), None);
        }
    }
}
