//! Curves over a number, with their intervals, as an SVG drawing of its own.

use crate::report::drawing::{Scale, line, text};
use crate::report::markup::Text;

/// The room of a drawing.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 62.0;

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

    /// The content of the drawing, which begins so far down.
    fn content(&self, top: f64) -> String {
        let points = || self.curves.iter().flat_map(|(_, points)| points);
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values
                .filter(|value| value.is_finite())
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                    [low.min(value), high.max(value)]
                })
        };
        let xs = range(&mut points().map(|point| point.x));
        let mut ys = range(&mut points().flat_map(|point| point.ends).map(|value| self.height(value)));
        if self.axis == Axis::Even {
            ys[0] = ys[0].min(0.0);
        }
        if !(xs[0] < xs[1] && ys[0] < ys[1]) {
            return text("note", LEFT, top + TOP, &format!("{}: nothing to draw", self.title));
        }
        let (floor, ceiling) = (top + HEIGHT - BOTTOM, top + TOP);
        let x = Scale { values: xs, places: [LEFT, WIDTH - RIGHT] };
        let y = Scale { values: ys, places: [floor, ceiling] };
        let mut content = text("heading", LEFT, top + 24.0, &self.title);
        for tick in y.ticks(6.0) {
            let class = if tick == 0.0 { "axis" } else { "gridline" };
            let shown = if self.axis == Axis::Tenfold { 10_f64.powf(tick) } else { tick };
            content += &line(class, [LEFT, WIDTH - RIGHT], [y.at(tick); 2]);
            content += &text("small end", LEFT - 6.0, y.at(tick) + 3.0, &short(shown));
        }
        for tick in x.ticks(10.0) {
            content += &text("small middle", x.at(tick), floor + 16.0, &short(tick));
        }
        content += &text("note end", WIDTH - RIGHT, floor + 34.0, &self.x);
        let mut at = LEFT;
        for (number, (name, points)) in self.curves.iter().enumerate() {
            let class = format!("c{}", number % COLOURS);
            content += &self.curve(&class, points, &x, &y);
            content += &line(&format!("line {class}"), [at, at + 18.0], [floor + 48.0; 2]);
            content += &text("small", at + 22.0, floor + 51.0, name);
            at += 34.0 + 5.6 * name.chars().count() as f64;
        }
        content
    }

    fn curve(&self, class: &str, points: &[Point], x: &Scale, y: &Scale) -> String {
        let place = |at: f64, value: f64| format!("{:.1},{:.1}", x.at(at), y.at(self.height(value)));
        let within = |end: f64, point: &Point| if end.is_finite() { end } else { point.y };
        let upper = points.iter().map(|point| place(point.x, within(point.ends[1], point)));
        let lower = points.iter().rev().map(|point| place(point.x, within(point.ends[0], point)));
        let band: Vec<_> = upper.chain(lower).collect();
        let middle: Vec<_> = points.iter().map(|point| place(point.x, point.y)).collect();
        format!(
            "<polygon class=\"band {class}\" points=\"{}\"/><polyline class=\"line {class}\" points=\"{}\"/>",
            band.join(" "),
            middle.join(" ")
        )
    }
}

/// A number as short as it may be.
fn short(number: f64) -> String {
    match number {
        n if n.abs() >= 1e6 => format!("{:.0e}", n),
        n if n.fract().abs() < 1e-9 || n.abs() >= 100.0 => format!("{n:.0}"),
        n if n.abs() >= 1.0 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}

/// Drawings, one below the other.
#[must_use]
pub fn svg<'a>(charts: impl IntoIterator<Item = &'a Chart>) -> String {
    let mut content = String::new();
    let mut height = 0.0;
    let mut titles = Vec::new();
    for chart in charts {
        content += &chart.content(height);
        height += HEIGHT;
        titles.push(chart.title.as_str());
    }
    let label = titles.join("; ");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{}\"><title>{}</title><style>{}</style>\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{height}\"/>{content}</svg>\n",
        Text(&label),
        Text(&label),
        include_str!("style.css")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_whole_whatever_they_show() {
        let point = |x, y: f64| Point { x, y, ends: [y - 1.0, f64::INFINITY] };
        let some = Chart {
            title: "a < b".into(),
            x: "discs".into(),
            axis: Axis::Tenfold,
            curves: vec![("one & two".into(), vec![point(1.0, 10.0), point(2.0, 1000.0)])],
        };
        let drawn = svg([&some, &Chart::default()]);
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        assert!(drawn.contains("a &lt; b") && drawn.contains("one &amp; two"));
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
    }
}
