//! The edge patterns with the largest weights, for each number of empty squares.

use super::super::{discs, table};
use super::{MARGIN, WeightsDrawing, column, empties_text, heading};
use crate::board::Square;
use crate::eval::pattern::{NAMES, SHAPES, TABLE_STARTS, pow3};
use crate::svg::{Panel, circle, signed, text};

/// The edge with both X-squares.
const EDGE: usize = 2;

/// Of the best and of the worst.
const SHOWN: usize = 4;

/// The side of a square.
const CELL: f64 = 18.0;

/// An edge with the room below it.
const ROW: f64 = 2.0 * CELL + 14.0;

const TOP: f64 = 108.0;

#[derive(Clone, Copy)]
struct Edge {
    number: usize,
    weight: i16,
}

pub(super) fn panel(drawing: &WeightsDrawing) -> Panel {
    let rare = if drawing.counts.is_some() { " Only patterns of the recorded games." } else { "" };
    let mut content = heading(
        "Best and worst edges",
        &[
            "The edge with both X-squares; the weight of the pattern alone, in discs.",
            &format!("Mirror images share a weight.{rare}"),
        ],
    );
    content += &key(drawing.width());
    let block = 26.0 + SHOWN as f64 * ROW;
    for (number, &empties) in drawing.empties.iter().enumerate() {
        let left = column(number);
        content += &text("label", left, TOP - 14.0, &empties_text(empties));
        let (best, worst) = extremes(drawing, empties);
        for (name, edges, top) in [("best", best, TOP), ("worst", worst, TOP + block)] {
            content += &text("small", left, top + 4.0, name);
            if edges.is_empty() {
                content += &text("small", left, top + 24.0, "none");
            }
            for (row, edge) in (0..).zip(edges) {
                content += &edge.drawn(left, top + 12.0 + f64::from(row) * ROW);
            }
        }
    }
    Panel { content, height: TOP + 2.0 * block + 12.0 }
}

/// The best and the worst patterns of a stage, most extreme first.
fn extremes(drawing: &WeightsDrawing, empties: u8) -> (Vec<Edge>, Vec<Edge>) {
    debug_assert_eq!(NAMES[EDGE], "edge");
    let (weights, counts) = (drawing.weights(empties), drawing.occurrences(empties));
    let first = drawing.ties[TABLE_STARTS[EDGE]];
    let mut next = first;
    let mut all = Vec::new();
    for number in 0..pow3(SHAPES[EDGE].len()) {
        let place = TABLE_STARTS[EDGE] + number;
        // The first of some mirror images has the next of the different weights.
        if drawing.ties[place] == next {
            next += 1;
            if counts.as_ref().is_none_or(|counts| counts[place] > 0) {
                all.push(Edge { number, weight: weights[place] });
            }
        }
    }
    all.sort_by_key(|edge| edge.weight);
    let worst = all.iter().copied().take(SHOWN).filter(|edge| edge.weight < 0).collect();
    let best = all.into_iter().rev().take(SHOWN).filter(|edge| edge.weight > 0).collect();
    (best, worst)
}

impl Edge {
    fn drawn(self, left: f64, top: f64) -> String {
        let squares = SHAPES[EDGE].iter().zip(table::digits(EDGE, self.number));
        let content: String = squares.map(|(&square, digit)| place(left, top, square, digit)).collect();
        let class = if self.weight < 0 { "bad-text" } else { "good-text" };
        content + &text(class, left + 8.0 * CELL + 10.0, top + 14.0, &signed(discs(self.weight), 2))
    }
}

fn place(left: f64, top: f64, square: Square, digit: usize) -> String {
    let (x, y) = (left + f64::from(square.column()) * CELL, top + f64::from(square.row()) * CELL);
    format!("<rect class=\"felt\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{CELL}\" height=\"{CELL}\"/>")
        + &disc(x + CELL / 2.0, y + CELL / 2.0, digit)
}

fn disc(x: f64, y: f64, digit: usize) -> String {
    match digit {
        0 => circle("light", x, y, 7.0, ""),
        1 => String::new(),
        _ => circle("dark", x, y, 7.0, ""),
    }
}

fn key(width: f64) -> String {
    let left = width - MARGIN - 330.0;
    let one = |x: f64, digit: usize, words: &str| {
        let felt = format!("<rect class=\"felt\" x=\"{x:.1}\" y=\"10\" width=\"{CELL}\" height=\"{CELL}\"/>");
        felt + &disc(x + CELL / 2.0, 10.0 + CELL / 2.0, digit) + &text("note", x + CELL + 6.0, 24.0, words)
    };
    one(left, 2, "player to move") + &one(left + 132.0, 0, "opponent") + &one(left + 232.0, 1, "empty")
}
