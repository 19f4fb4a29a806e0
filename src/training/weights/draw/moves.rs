//! What the numbers of moves of both sides are worth, for each number of empty squares.

use super::super::discs;
use super::{COLUMN, MARGIN, Part, Subject, column, empties_text, heading, legend};
use crate::arena::report::drawing::{Scale, line, text};
use crate::arena::report::markup::signed;
use crate::eval::pattern;
use crate::eval::weights::{MOBILITY_WEIGHTS, stage};

const TOP: f64 = 94.0;
const HEIGHT: f64 = 130.0;

/// More moves are too rare to be drawn.
const MOST: usize = 20;

pub(super) fn part(subject: &Subject) -> Part {
    let mut content = heading(
        "The number of moves",
        &[
            "What is added for so many moves of the player to move and of the opponent, in discs; rare numbers stay near 0.",
        ],
    );
    let curves: Vec<_> = subject.empties.iter().map(|&empties| curves(subject, empties)).collect();
    let values = curves.iter().flatten().flatten();
    let [low, high] =
        values.fold([-0.5, 0.5], |[low, high]: [f64; 2], &value| [low.min(value), high.max(value)]);
    let y = Scale { values: [low, high], places: [TOP + HEIGHT, TOP] };
    for (number, (&empties, curves)) in subject.empties.iter().zip(&curves).enumerate() {
        let (left, right) = (column(number) + 30.0, column(number) + COLUMN - 28.0);
        let x = Scale { values: [0.0, MOST as f64], places: [left, right] };
        content += &text("label", column(number), TOP - 22.0, &empties_text(empties));
        for tick in y.ticks(4.0) {
            let class = if tick == 0.0 { "axis" } else { "gridline" };
            content += &line(class, [left, right], [y.at(tick); 2]);
            content += &text("small end", left - 6.0, y.at(tick) + 3.0, &signed(tick, 0));
        }
        for moves in (0..=MOST).step_by(5) {
            content += &text("small middle", x.at(moves as f64), TOP + HEIGHT + 16.0, &moves.to_string());
        }
        for (class, curve) in ["even", "odd"].into_iter().zip(curves) {
            let place =
                |(moves, &value): (usize, &f64)| format!("{:.1},{:.1}", x.at(moves as f64), y.at(value));
            let points: Vec<_> = curve.iter().enumerate().map(place).collect();
            content += &format!("<polyline class=\"line {class}\" points=\"{}\"/>", points.join(" "));
        }
    }
    let top = TOP + HEIGHT + 40.0;
    let entries = [("even".into(), "moves of the player to move"), ("odd".into(), "moves of the opponent")];
    let (drawn, below) = legend([MARGIN, subject.width() - MARGIN], top).draw(&entries);
    Part { content: content + &drawn, height: top + below + 18.0 }
}

/// The weights of the numbers of moves of the player to move and of the opponent.
fn curves(subject: &Subject, empties: u8) -> [Vec<f64>; 2] {
    let weights = &subject.packed.stages[stage(empties.into())];
    let first = pattern::unique_weights();
    let of_side = |side: usize| weights[first + side * MOBILITY_WEIGHTS..].iter().take(MOST + 1);
    [0, 1].map(|side| of_side(side).map(|&weight| discs(weight)).collect())
}
