//! A board for each number of empty squares, with the value of every square.

use super::effects::effects;
use super::{MARGIN, Part, Subject, column, empties_text, heading};
use crate::arena::report::drawing::text;
use crate::arena::report::markup::signed;
use crate::board::Square;

/// The side of a square.
const CELL: f64 = 25.0;

/// What lies between the edges of the column and the board: the names of rows.
const LEFT: f64 = 16.0;

const TOP: f64 = 114.0;

pub(super) fn part(subject: &Subject) -> Part {
    let boards: Vec<_> = subject
        .empties
        .iter()
        .map(|&empties| effects(&subject.weights(empties), subject.occurrences(empties).as_deref()))
        .collect();
    let most = boards.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    let how = match subject.counts {
        Some(_) => "Patterns count by how often they occur in recorded games.",
        None => "All patterns that were learnt count alike, common or rare.",
    };
    let mut content = heading(
        "The value of squares",
        &[
            "In discs: a disc of the player to move on the square instead of one of the opponent, all else the same.",
            how,
        ],
    );
    for (number, (&empties, values)) in subject.empties.iter().zip(&boards).enumerate() {
        let left = column(number);
        content += &text("label", left + LEFT, TOP - 24.0, &empties_text(empties));
        content += &board(left + LEFT, values, most);
    }
    let bottom = TOP + 8.0 * CELL;
    content += &legend(bottom + 26.0, most);
    Part { content, height: bottom + 78.0 }
}

fn board(left: f64, values: &[f64; 64], most: f64) -> String {
    let middle = |n: u8| (f64::from(n) + 0.5) * CELL;
    let names = (0..8_u8).map(|n| {
        let (letter, digit) = (char::from(b'a' + n).to_string(), (n + 1).to_string());
        text("small middle", left + middle(n), TOP - 6.0, &letter)
            + &text("small middle", left - 8.0, TOP + middle(n) + 3.0, &digit)
    });
    let cells = Square::ALL.into_iter().zip(values).map(|(square, &value)| {
        let (x, y) = (left + f64::from(square.column()) * CELL, TOP + f64::from(square.row()) * CELL);
        cell(x, y, CELL, value, most)
            + &text("value middle", x + CELL / 2.0, y + CELL / 2.0 + 3.0, &number(value))
    });
    names.chain(cells).collect()
}

/// A value, short enough for a square.
fn number(value: f64) -> String {
    signed(value, if value.abs() < 9.95 { 1 } else { 0 })
}

/// A square in the colour of its value.
fn cell(x: f64, y: f64, width: f64, value: f64, most: f64) -> String {
    let class = if value < 0.0 { "bad" } else { "good" };
    // Never all of the colour, so that the numbers stay readable in the light and in the dark; and by the root of the
    // value, so that corners do not outshine all others.
    let opacity = if most > 0.0 { 0.62 * (value.abs() / most).min(1.0).sqrt() } else { 0.0 };
    format!(
        "<rect class=\"cell\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{CELL}\"/>\
         <rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{CELL}\" \
         fill-opacity=\"{opacity:.3}\"/>"
    )
}

fn legend(top: f64, most: f64) -> String {
    const STEPS: i32 = 6;
    const WIDTH: f64 = 32.0;
    let left = MARGIN + LEFT;
    let steps = (-STEPS..=STEPS).map(|step| {
        let value = f64::from(step) / f64::from(STEPS) * most;
        let x = left + f64::from(step + STEPS) * WIDTH;
        let label = if step % 2 == 0 { number(value) } else { String::new() };
        cell(x, top, WIDTH, value, most)
            + &text("value middle", x + WIDTH / 2.0, top + CELL / 2.0 + 3.0, &label)
    });
    let right = left + f64::from(2 * STEPS + 1) * WIDTH;
    steps.collect::<String>()
        + &text("note", right + 12.0, top + 16.0, "discs: feared, orange, to liked, blue")
}
