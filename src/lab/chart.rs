//! Drawings of tables: curves over a number, or rows of points, both with their intervals.

use crate::arena::statistics::Estimate;
use crate::svg::{
    Legend, LinearScale, Panel, centred_text, circle, extent, horizontal_grid, line, polygon, polyline, text,
    text_width, vertical_grid,
};

/// The room of a drawing.
pub(super) const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 62.0;

/// The size of small letters, as the style sheet has it.
const SMALL: f64 = 10.0;

/// How many curves have a colour of their own.
const COLOURS: usize = 6;

/// A point of a curve with the ends of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// How much.
    pub y: f64,
    /// At least and at most; the same as `y` where there is no interval.
    pub ends: [f64; 2],
}

/// How values are spread over the height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    /// Evenly, from zero on if they are not below.
    #[default]
    Even,
    /// Each tenfold takes as much room: for values above zero.
    Tenfold,
}

/// Some curves.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What the curves run over.
    pub x: String,
    /// How values are spread.
    pub axis: Axis,
    /// The curves by name.
    pub curves: Vec<(String, Vec<Point>)>,
}

impl Chart {
    fn height(&self, value: f64) -> f64 {
        match self.axis {
            Axis::Even => value,
            Axis::Tenfold => value.max(f64::MIN_POSITIVE).log10(),
        }
    }

    /// The title and the drawing.
    pub(super) fn panel(&self) -> (String, Panel) {
        let (content, below) = self.content();
        (self.title.clone(), Panel { content, height: HEIGHT + below })
    }

    /// The drawing, and what its legend takes of the height beyond its first row.
    fn content(&self) -> (String, f64) {
        let points = || self.curves.iter().flat_map(|(_, points)| points);
        let range = |values: &mut dyn Iterator<Item = f64>| {
            extent([f64::INFINITY, f64::NEG_INFINITY], values.filter(|value| value.is_finite()))
        };
        let xs = range(&mut points().map(|point| point.x));
        let mut ys = range(&mut points().flat_map(|point| point.ends).map(|value| self.height(value)));
        if self.axis == Axis::Even {
            ys[0] = ys[0].min(0.0);
        }
        if !(xs[0] < xs[1] && ys[0] < ys[1]) {
            return (text("note", LEFT, TOP, &format!("{}: nothing to draw", self.title)), 0.0);
        }
        let (floor, ceiling) = (HEIGHT - BOTTOM, TOP);
        let x = LinearScale { domain: xs, range: [LEFT, WIDTH - RIGHT] };
        let y = LinearScale { domain: ys, range: [floor, ceiling] };
        let mut content = text("heading", LEFT, 24.0, &self.title);
        let label = |tick| short(if self.axis == Axis::Tenfold { 10_f64.powf(tick) } else { tick });
        content += &horizontal_grid(&y, &y.ticks(6.0), 0.0, [LEFT, WIDTH - RIGHT], label);
        for tick in x.ticks(10.0) {
            content += &centred_text("small", x.at(tick), floor + 16.0, WIDTH, SMALL, &short(tick));
        }
        content += &text("note end", WIDTH - RIGHT, floor + 34.0, &self.x);
        let mut entries = Vec::new();
        for (number, (name, points)) in self.curves.iter().enumerate() {
            let class = format!("c{}", number % COLOURS);
            content += &self.curve(&class, points, &x, &y);
            entries.push((class, name.as_str()));
        }
        let legend =
            Legend { room: [LEFT, WIDTH - RIGHT], top: floor + 51.0, class: "small", font_size: SMALL };
        let (drawn, below) = legend.draw(&entries);
        (content + &drawn, below)
    }

    fn curve(&self, class: &str, points: &[Point], x: &LinearScale, y: &LinearScale) -> String {
        let place = |at: f64, value: f64| [x.at(at), y.at(self.height(value))];
        let within = |end: f64, point: &Point| if end.is_finite() { end } else { point.y };
        let upper = points.iter().map(|point| place(point.x, within(point.ends[1], point)));
        let lower = points.iter().rev().map(|point| place(point.x, within(point.ends[0], point)));
        let middle = points.iter().map(|point| place(point.x, point.y));
        polygon(&format!("band {class}"), upper.chain(lower)) + &polyline(&format!("line {class}"), middle)
    }
}

fn short(number: f64) -> String {
    match number {
        n if n.abs() >= 1e6 => format!("{:.0e}", n),
        n if n.fract().abs() < 1e-9 || n.abs() >= 100.0 => format!("{n:.0}"),
        n if n.abs() >= 1.0 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}

/// The values of a column of a table by the names of its rows.
pub(super) fn rows(title: &str, column: &str, rows: &[(String, Estimate<f64>)]) -> (String, Panel) {
    const ROW: f64 = 20.0;
    const TOP: f64 = 56.0;
    let longest = rows.iter().map(|(name, _)| text_width(name, SMALL)).fold(0.0, f64::max);
    let left = LEFT + longest;
    let bottom = TOP + ROW * rows.len() as f64;
    let finite = |end: f64, value: f64| if end.is_finite() { end } else { value };
    let ends = |of: &Estimate<f64>| [finite(of.low, of.value), finite(of.high, of.value)];
    let [low, high] = extent([0.0, 0.0], rows.iter().flat_map(|(_, estimate)| ends(estimate)));
    let domain = [low, if high > low { high } else { low + 1.0 }];
    let x = LinearScale { domain, range: [left, WIDTH - RIGHT] };
    let mut content = text("heading", LEFT, 24.0, column) + &text("small", LEFT, 40.0, title);
    let ticks = x.ticks(8.0);
    content += &vertical_grid(&x, &ticks, [TOP - 6.0, bottom]);
    for tick in ticks {
        content += &centred_text("small", x.at(tick), bottom + 14.0, WIDTH, SMALL, &short(tick));
    }
    for (number, (name, estimate)) in rows.iter().enumerate() {
        let y = TOP + ROW * (number as f64 + 0.5);
        let [low, high] = ends(estimate);
        content += &text("small end", left - 8.0, y + 3.0, name);
        content += &line("line c0", [x.at(low), x.at(high)], [y; 2]);
        content += &circle("band c0", x.at(estimate.value), y, 4.0, "");
        content += &line("line c0", [x.at(estimate.value); 2], [y - 4.0, y + 4.0]);
    }
    (format!("{title}: {column}"), Panel { content, height: bottom + 28.0 })
}
