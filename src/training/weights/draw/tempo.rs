//! What being to move is worth, by the number of empty squares.

use super::super::discs;
use super::{MARGIN, Part, Subject, heading, legend};
use crate::arena::report::drawing::{Scale, line, text, text_width};
use crate::arena::report::markup::signed;

const TOP: f64 = 66.0;
const HEIGHT: f64 = 170.0;

/// What it runs over.
const X: &str = "squares empty";

pub(super) fn part(subject: &Subject) -> Part {
    let mut content = heading(
        "Being to move",
        &[
            "What is added for the player to move, in discs, whatever stands on the board; the game goes from left to right.",
        ],
    );
    let values: Vec<_> = (1..=60_u8).map(|n| (n, discs(subject.packed.tempo[usize::from(n)]))).collect();
    let [low, high] = values
        .iter()
        .fold([-0.5, 0.5], |[low, high]: [f64; 2], &(_, value)| [low.min(value), high.max(value)]);
    let (left, right) = (MARGIN + 36.0, subject.width() - MARGIN);
    let x = Scale { values: [60.0, 1.0], places: [left, right] };
    let y = Scale { values: [low, high], places: [TOP + HEIGHT, TOP] };
    for tick in y.ticks(5.0) {
        let class = if tick == 0.0 { "axis" } else { "gridline" };
        content += &line(class, [left, right], [y.at(tick); 2]);
        content += &text("small end", left - 6.0, y.at(tick) + 3.0, &signed(tick, 1));
    }
    for empties in (5..=60).step_by(5) {
        let place = x.at(f64::from(empties));
        content += &text("small middle", place, TOP + HEIGHT + 16.0, &empties.to_string());
    }
    content += &text("note end", right, TOP + HEIGHT + 36.0, X);
    let mut entries = Vec::new();
    // A line through neighbours would only go up and down: who moves last is told by whether the number is even.
    for (rest, class, words) in [(0, "even", "even number of squares empty"), (1, "odd", "odd number")] {
        let values = || values.iter().filter(|&&(empties, _)| empties % 2 == rest);
        let points: Vec<_> =
            values().map(|&(n, value)| format!("{:.1},{:.1}", x.at(n.into()), y.at(value))).collect();
        content += &format!("<polyline class=\"line {class}\" points=\"{}\"/>", points.join(" "));
        for &(empties, value) in values() {
            let (cx, cy) = (x.at(empties.into()), y.at(value));
            let tip = format!("{empties} empty: {} discs", signed(value, 2));
            content += &format!(
                "<circle class=\"point {class}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"2.5\"><title>{tip}</title></circle>"
            );
        }
        entries.push((class.into(), words));
    }
    let (drawn, below) = legend([left, right - text_width(X, 12.0)], TOP + HEIGHT + 36.0).draw(&entries);
    Part { content: content + &drawn, height: TOP + HEIGHT + below + 52.0 }
}
