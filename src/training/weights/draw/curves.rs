//! Values by the number of moves, and of being to move.

use super::super::discs;
use super::{COLUMN, MARGIN, WeightsDrawing, column, empties_text, heading, legend};
use crate::eval::pattern;
use crate::eval::weights::{MOBILITY_WEIGHTS, stage};
use crate::svg::{LinearScale, Panel, circle, extent, horizontal_grid, polyline, signed, text, text_width};

/// More moves are too rare to be drawn.
const MAX_MOVES: usize = 20;

/// The weights of the numbers of moves, for each number of empty squares.
pub(super) fn mobility(drawing: &WeightsDrawing) -> Panel {
    const TOP: f64 = 94.0;
    const HEIGHT: f64 = 130.0;
    let mut content = heading(
        "Number of moves",
        &[
            "In discs, added for the moves of the player to move and of the opponent; rare numbers stay near 0.",
        ],
    );
    let curves: Vec<_> = drawing.empties.iter().map(|&empties| mobility_curves(drawing, empties)).collect();
    let domain = extent([-0.5, 0.5], curves.iter().flatten().flatten().copied());
    let y = LinearScale { domain, range: [TOP + HEIGHT, TOP] };
    for (number, (&empties, curves)) in drawing.empties.iter().zip(&curves).enumerate() {
        let (left, right) = (column(number) + 30.0, column(number) + COLUMN - 28.0);
        let x = LinearScale { domain: [0.0, MAX_MOVES as f64], range: [left, right] };
        content += &text("label", column(number), TOP - 22.0, &empties_text(empties));
        content += &horizontal_grid(&y, &y.ticks(4.0), 0.0, [left, right], |tick| signed(tick, 0));
        for moves in (0..=MAX_MOVES).step_by(5) {
            content += &text("small middle", x.at(moves as f64), TOP + HEIGHT + 16.0, &moves.to_string());
        }
        for (class, curve) in ["line even", "line odd"].into_iter().zip(curves) {
            content += &polyline(
                class,
                (0..).zip(curve).map(|(moves, &value)| [x.at(f64::from(moves)), y.at(value)]),
            );
        }
    }
    let top = TOP + HEIGHT + 40.0;
    let entries = [("even".into(), "moves of the player to move"), ("odd".into(), "moves of the opponent")];
    let (drawn, below) = legend([MARGIN, drawing.width() - MARGIN], top).draw(&entries);
    Panel { content: content + &drawn, height: top + below + 18.0 }
}

/// The weights of the numbers of moves of the player to move and of the opponent.
fn mobility_curves(drawing: &WeightsDrawing, empties: u8) -> [Vec<f64>; 2] {
    let weights = &drawing.packed.stages[stage(empties.into())];
    let first = pattern::unique_weights();
    let of_side = |side: usize| weights[first + side * MOBILITY_WEIGHTS..].iter().take(MAX_MOVES + 1);
    [0, 1].map(|side| of_side(side).map(|&weight| discs(weight)).collect())
}

/// The value of being to move, by the number of empty squares.
pub(super) fn tempo(drawing: &WeightsDrawing) -> Panel {
    const TOP: f64 = 66.0;
    const BOTTOM: f64 = TOP + 170.0;
    const X: &str = "squares empty";
    let mut content = heading(
        "Being to move",
        &["In discs, added for the player to move in any position; the game goes from left to right."],
    );
    let values: Vec<_> = (1..=60_u8).map(|n| (n, discs(drawing.packed.tempo[usize::from(n)]))).collect();
    let (left, right) = (MARGIN + 36.0, drawing.width() - MARGIN);
    let x = LinearScale { domain: [60.0, 1.0], range: [left, right] };
    let domain = extent([-0.5, 0.5], values.iter().map(|&(_, value)| value));
    let y = LinearScale { domain, range: [BOTTOM, TOP] };
    content += &horizontal_grid(&y, &y.ticks(5.0), 0.0, [left, right], |tick| signed(tick, 1));
    for empties in (5..=60).step_by(5) {
        content += &text("small middle", x.at(f64::from(empties)), BOTTOM + 16.0, &empties.to_string());
    }
    content += &text("note end", right, BOTTOM + 36.0, X);
    let mut entries = Vec::new();
    // One line through all would zigzag: parity tells who moves last.
    for (rest, class, words) in [(0, "even", "even number of squares empty"), (1, "odd", "odd number")] {
        let values = || values.iter().filter(|&&(empties, _)| empties % 2 == rest);
        content +=
            &polyline(&format!("line {class}"), values().map(|&(n, value)| [x.at(n.into()), y.at(value)]));
        for &(empties, value) in values() {
            let tip = format!("{empties} empty: {} discs", signed(value, 2));
            content += &circle(&format!("point {class}"), x.at(empties.into()), y.at(value), 2.5, &tip);
        }
        entries.push((class.into(), words));
    }
    let (drawn, below) = legend([left, right - text_width(X, 12.0)], BOTTOM + 36.0).draw(&entries);
    Panel { content: content + &drawn, height: BOTTOM + below + 52.0 }
}
