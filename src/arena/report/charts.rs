//! Drawings for the page. Their colours and fonts are those of its style sheet, so that they follow light and dark.

use super::drawing::{Scale, line, text};
use super::figures::{MarginHistogram, ScorePoint};
use super::markup::{Escaped, percent, signed};
use crate::arena::statistics::{Elo, Estimate};

/// How large a drawing is, in its own units.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub width: f64,
    pub height: f64,
}

/// A drawing that has the width of the page.
pub(super) const WIDE: Frame = Frame { width: 480.0, height: 190.0 };

/// One of several side by side.
pub(super) const SMALL: Frame = Frame { width: 280.0, height: 130.0 };

fn svg(frame: Frame, label: &str, content: &str) -> String {
    let Frame { width, height } = frame;
    let class = if width > SMALL.width { "wide" } else { "small" };
    let label = Escaped(label);
    format!(
        "<svg class=\"chart {class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">{content}</svg>"
    )
}

/// A name that fits beside a drawing.
fn short(name: &str) -> String {
    const LONGEST: usize = 20;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    name.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// Ratings with their intervals, one row for each player.
pub(super) fn ratings(rows: &[(&str, Estimate<Elo>)]) -> String {
    const ROW: f64 = 22.0;
    const BELOW: f64 = 24.0;
    let longest = rows.iter().map(|(name, _)| short(name).chars().count()).max().unwrap_or(0);
    // Some 7.5 units for a character in the larger font of a phone, and room between names and bars.
    let left = longest as f64 * 7.5 + 16.0;
    let frame = Frame { width: WIDE.width, height: ROW * rows.len() as f64 + BELOW + 4.0 };
    let bottom = frame.height - BELOW;
    let ends = rows.iter().flat_map(|(_, elo)| [elo.low.0, elo.high.0]);
    let [low, high] = ends.fold([0.0, 0.0], |[low, high]: [f64; 2], end| [low.min(end), high.max(end)]);
    let room = ((high - low) * 0.04).max(1.0);
    let x = Scale { values: [low - room, high + room], places: [left, frame.width - 10.0] };
    let mut content = String::new();
    for tick in x.ticks(6.0) {
        let class = if tick == 0.0 { "axis" } else { "gridline" };
        content += &line(class, [x.at(tick); 2], [2.0, bottom]);
        content += &text("middle", x.at(tick), bottom + 15.0, &signed(tick, 0));
    }
    for (row, (name, elo)) in (0..).zip(rows) {
        let y = ROW * (f64::from(row) + 0.5) + 2.0;
        let tip = Escaped(format!(
            "{name}: {} ({} to {})",
            signed(elo.value.0, 0),
            signed(elo.low.0, 0),
            signed(elo.high.0, 0)
        ));
        content += &format!("<g><title>{tip}</title>");
        content += &text("label end", left - 10.0, y + 4.0, &short(name));
        content += &line("bar", [x.at(elo.low.0), x.at(elo.high.0)], [y; 2]);
        for end in [elo.low.0, elo.high.0] {
            content += &line("bar", [x.at(end); 2], [y - 4.0, y + 4.0]);
        }
        content +=
            &format!("<circle class=\"point\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\"/></g>", x.at(elo.value.0));
    }
    svg(frame, "Elo with 95 % intervals", &content)
}

/// A player's score over the pairs, with its band.
pub(super) fn score(scores: &[ScorePoint], frame: Frame, name: &str) -> String {
    let (left, right, top, bottom) = (46.0, frame.width - 8.0, 6.0, frame.height - 20.0);
    let last = scores.last().map_or(1, |score| score.pairs).max(2);
    let x = Scale { values: [1.0, last as f64], places: [left, right] };
    let y = Scale { values: [0.0, 1.0], places: [bottom, top] };
    let mut content = String::new();
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let class = if tick == 0.5 { "axis" } else { "gridline" };
        content += &line(class, [left, right], [y.at(tick); 2]);
        content += &text("end", left - 5.0, y.at(tick) + 4.0, &format!("{:.0} %", tick * 100.0));
    }
    for tick in x.ticks(4.0).into_iter().filter(|tick| tick.fract() == 0.0) {
        // The last label would stick out of the drawing if it were centred.
        let class = if x.at(tick) > right - 12.0 { "end" } else { "middle" };
        content += &text(class, x.at(tick), bottom + 15.0, &format!("{tick:.0}"));
    }
    let place = |pairs: usize, value: f64| format!("{:.1},{:.1}", x.at(pairs as f64), y.at(value));
    let upper = scores.iter().map(|s| place(s.pairs, s.score.high));
    let lower = scores.iter().rev().map(|s| place(s.pairs, s.score.low));
    let band: Vec<_> = upper.chain(lower).collect();
    let middle: Vec<_> = scores.iter().map(|s| place(s.pairs, s.score.value)).collect();
    content += &format!("<polygon class=\"band\" points=\"{}\"/>", band.join(" "));
    content += &format!("<polyline class=\"line\" points=\"{}\"/>", middle.join(" "));
    if let Some(ScorePoint { pairs, score }) = scores.last() {
        let (cx, cy) = (x.at(*pairs as f64), y.at(score.value));
        content += &format!("<circle class=\"point\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3\"/>");
    }
    let end = scores.last().map_or("no pair yet".into(), |score| percent(score.score.value));
    svg(frame, &format!("Score of {name} over its pairs, at last {end}"), &content)
}

/// How often a player won and lost by how many discs.
pub(super) fn margins(histogram: &MarginHistogram, area: u8, frame: Frame, name: &str) -> String {
    let MarginHistogram { width, bars, .. } = histogram;
    let (left, right, top, bottom) = (30.0, frame.width - 6.0, 6.0, frame.height - 20.0);
    let outermost = (i32::from(area) + width - 1) / width;
    let edge = f64::from(outermost) + 0.5;
    let x = Scale { values: [-edge, edge], places: [left, right] };
    let most = bars.values().copied().max().unwrap_or(0).max(1);
    let y = Scale { values: [0.0, f64::from(most)], places: [bottom, top] };
    let mut content = String::new();
    for tick in y.ticks(4.0).into_iter().filter(|tick| tick.fract() == 0.0) {
        content += &line("gridline", [left, right], [y.at(tick); 2]);
        content += &text("end", left - 5.0, y.at(tick) + 4.0, &format!("{tick:.0}"));
    }
    for (&bar, &count) in bars {
        let (class, what) = match bar.signum() {
            1 => ("win-fill", format!("won by {} to {} discs", (bar - 1) * width + 1, bar * width)),
            0 => ("draw-fill", "drawn".into()),
            _ => ("loss-fill", format!("lost by {} to {} discs", (-bar - 1) * width + 1, -bar * width)),
        };
        let (from, to) = (x.at(f64::from(bar) - 0.46), x.at(f64::from(bar) + 0.46));
        let height = bottom - y.at(count.into());
        content += &format!(
            "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{count} {what}</title></rect>",
            bottom - height,
            to - from
        );
    }
    content += &line("axis", [left, right], [bottom; 2]);
    let half = outermost / 2;
    for tick in [-outermost, -half, 0, half, outermost] {
        let class = if tick == outermost { "end" } else { "middle" };
        let place = if tick == outermost { right } else { x.at(tick.into()) };
        content += &text(class, place, bottom + 15.0, &signed(f64::from(tick * width), 0));
    }
    svg(frame, &format!("DiscMargins of {name} in discs"), &content)
}
