//! The value of every square on a board for each number of empty squares.

use super::super::UNITS;
use super::{MARGIN, WeightsDrawing, column, empties_text, heading};
use crate::board::Square;
use crate::eval::pattern::{INSTANCES, SHAPES, SQUARE_DELTAS, TABLE_STARTS, pow3};
use crate::svg::{Panel, signed, text};

/// The side of a square.
const CELL: f64 = 25.0;

/// Room for the row numbers.
const LEFT: f64 = 16.0;

const TOP: f64 = 114.0;

pub(super) fn panel(drawing: &WeightsDrawing) -> Panel {
    let boards: Vec<_> = drawing
        .empties
        .iter()
        .map(|&empties| disc_values(&drawing.weights(empties), drawing.occurrences(empties).as_deref()))
        .collect();
    let largest = boards.iter().flatten().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let how = match drawing.counts {
        Some(_) => "Patterns are weighted by how often they occur in recorded games.",
        None => "All trained patterns have the same weight, common or rare.",
    };
    let mut content = heading(
        "Square values",
        &[
            "In discs: a disc of the player to move on the square instead of one of the opponent, all else equal.",
            how,
        ],
    );
    for (number, (&empties, values)) in drawing.empties.iter().zip(&boards).enumerate() {
        let left = column(number);
        content += &text("label", left + LEFT, TOP - 24.0, &empties_text(empties));
        content += &board(left + LEFT, values, largest);
    }
    let bottom = TOP + 8.0 * CELL;
    content += &legend(bottom + 26.0, largest);
    Panel { content, height: bottom + 78.0 }
}

fn board(left: f64, values: &[f64; 64], largest: f64) -> String {
    let middle = |n: u8| (f64::from(n) + 0.5) * CELL;
    let names = (0..8_u8).map(|n| {
        let (letter, digit) = (char::from(b'a' + n).to_string(), (n + 1).to_string());
        text("small middle", left + middle(n), TOP - 6.0, &letter)
            + &text("small middle", left - 8.0, TOP + middle(n) + 3.0, &digit)
    });
    let cells = Square::ALL.into_iter().zip(values).map(|(square, &value)| {
        let (x, y) = (left + f64::from(square.column()) * CELL, TOP + f64::from(square.row()) * CELL);
        cell(x, y, CELL, value, largest)
            + &text("value middle", x + CELL / 2.0, y + CELL / 2.0 + 3.0, &number(value))
    });
    names.chain(cells).collect()
}

/// A value, short enough for a square.
fn number(value: f64) -> String {
    signed(value, if value.abs() < 9.95 { 1 } else { 0 })
}

fn cell(x: f64, y: f64, width: f64, value: f64, largest: f64) -> String {
    let class = if value < 0.0 { "bad" } else { "good" };
    // Below 1, so that the numbers stay readable; by the root, so that corners do not hide all differences elsewhere.
    let opacity = if largest > 0.0 { 0.62 * (value.abs() / largest).min(1.0).sqrt() } else { 0.0 };
    format!(
        "<rect class=\"cell\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{CELL}\"/>\
         <rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{CELL}\" \
         fill-opacity=\"{opacity:.3}\"/>"
    )
}

fn legend(top: f64, largest: f64) -> String {
    const STEPS: i32 = 6;
    const WIDTH: f64 = 32.0;
    let left = MARGIN + LEFT;
    let steps = (-STEPS..=STEPS).map(|step| {
        let value = f64::from(step) / f64::from(STEPS) * largest;
        let x = left + f64::from(step + STEPS) * WIDTH;
        let label = if step % 2 == 0 { number(value) } else { String::new() };
        cell(x, top, WIDTH, value, largest)
            + &text("value middle", x + WIDTH / 2.0, top + CELL / 2.0 + 3.0, &label)
    });
    let right = left + f64::from(2 * STEPS + 1) * WIDTH;
    steps.collect::<String>()
        + &text("note", right + 12.0, top + 16.0, "discs: orange is bad to own, blue is good")
}

/// For every square, in discs: how the evaluation changes when a disc of the opponent there becomes one of the player to
/// move. The pattern instances on the square are added up, as the evaluation does.
///
/// An instance contributes the mean over the pairs of patterns that differ in the square only: over pairs of trained
/// weights without `counts`; with them a pair of patterns seen `m` and `n` times has weight `mn / (m + n)`.
fn disc_values(weights: &[i16], counts: Option<&[u32]>) -> [f64; 64] {
    let of_digits: Vec<Vec<f64>> = (0..SHAPES.len())
        .map(|shape| (0..SHAPES[shape].len()).map(|digit| mean(shape, digit, weights, counts)).collect())
        .collect();
    SQUARE_DELTAS.each_ref().map(|powers| {
        let instances = INSTANCES.iter().zip(&powers.0).filter(|&(_, &power)| power != 0);
        instances.map(|(instance, power)| of_digits[instance.shape][power.ilog(3) as usize]).sum()
    })
}

/// The mean difference between own and opponent's disc at one digit of a shape.
fn mean(shape: usize, digit: usize, weights: &[i16], counts: Option<&[u32]>) -> f64 {
    let step = 2 * pow3(digit);
    let (mut sum, mut total) = (0.0, 0.0);
    for number in (0..pow3(SHAPES[shape].len())).filter(|number| (number / pow3(digit)).is_multiple_of(3)) {
        let (other, own) = (TABLE_STARTS[shape] + number, TABLE_STARTS[shape] + number + step);
        let weight = match counts {
            Some(counts) => {
                let [one, two] = [other, own].map(|place| f64::from(counts[place]));
                if one + two > 0.0 { one * two / (one + two) } else { 0.0 }
            }
            None => f64::from(u8::from(weights[other] != 0 && weights[own] != 0)),
        };
        sum += weight * (f64::from(weights[own]) - f64::from(weights[other])) / UNITS;
        total += weight;
    }
    if total > 0.0 { sum / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use crate::eval::pattern::WEIGHT_COUNT;

    /// Weights of a disc for each disc on the first square of one shape.
    fn first_square_of(shape: usize) -> Vec<i16> {
        let mut weights = vec![0; WEIGHT_COUNT];
        for number in 0..pow3(SHAPES[shape].len()) {
            weights[TABLE_STARTS[shape] + number] = [-64, 1, 64][number % 3];
        }
        weights
    }

    #[test]
    fn values_are_differences_of_weights() {
        // The first square of the longest diagonal is a corner.
        let values = disc_values(&first_square_of(7), None);
        assert_eq!(values[Square::A1.index()], 2.0);
        let counts = vec![1; WEIGHT_COUNT];
        let weighed = disc_values(&first_square_of(7), Some(&counts));
        assert!(values.iter().zip(weighed).all(|(one, other)| (one - other).abs() < 1e-9));
    }

    #[test]
    fn symmetric_squares_have_the_same_value() {
        let ties = crate::eval::pattern::canonical_indices();
        let weights: Vec<i16> = ties.iter().map(|&tie| (tie % 301) as i16 - 150).collect();
        let values = disc_values(&weights, None);
        for square in Square::ALL {
            for symmetry in Symmetry::ALL {
                let image = symmetry.map(square.into()).into_iter().next().expect("one square");
                assert!((values[square.index()] - values[image.index()]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn untrained_squares_are_worth_nothing() {
        assert_eq!(disc_values(&vec![0; WEIGHT_COUNT], None), [0.0; 64]);
        assert_eq!(disc_values(&first_square_of(7), Some(&vec![0; WEIGHT_COUNT])), [0.0; 64]);
    }
}
