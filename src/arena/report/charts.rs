//! Charts of the page: ratings, score over the pairs, disc margins. Colours and fonts are those of its style sheet, for
//! light and dark.

use std::collections::BTreeMap;

use super::markup::percent;
use super::replay::{ReplayedGame, ReplayedMatch};
use crate::arena::journal::GameEnding;
use crate::arena::statistics::elo::{Prior, SmoothedPentanomial};
use crate::arena::statistics::numeric::Z95;
use crate::arena::statistics::{Elo, Estimate, GameResult, PairScore, Pentanomial};
use crate::svg::{
    Escaped, LinearScale, centred_text, circle, extent, horizontal_grid, line, polygon, polyline, signed,
    text, text_width, vertical_grid,
};

/// The size of a chart, in its own units.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub width: f64,
    pub height: f64,
}

/// As wide as the page.
pub(super) const WIDE: Frame = Frame { width: 480.0, height: 190.0 };

/// One of several side by side.
pub(super) const SMALL: Frame = Frame { width: 280.0, height: 130.0 };

/// The largest font of labels, on a phone.
const FONT: f64 = 13.0;

fn svg(frame: Frame, label: &str, content: &str) -> String {
    let Frame { width, height } = frame;
    let class = if width > SMALL.width { "wide" } else { "small" };
    let label = Escaped(label);
    format!(
        "<svg class=\"chart {class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">{content}</svg>"
    )
}

fn short_name(name: &str) -> String {
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
    let names = rows.iter().map(|(name, _)| text_width(&short_name(name), 12.0));
    let left = names.fold(0.0, f64::max) + 16.0;
    let frame = Frame { width: WIDE.width, height: ROW * rows.len() as f64 + BELOW + 4.0 };
    let bottom = frame.height - BELOW;
    let [low, high] = extent([0.0, 0.0], rows.iter().flat_map(|(_, elo)| [elo.low.0, elo.high.0]));
    let room = ((high - low) * 0.04).max(1.0);
    // Half of the last label lies to the right of its grid line.
    let right = frame.width - (text_width(&signed(high + room, 0), FONT) / 2.0).max(10.0);
    let x = LinearScale { domain: [low - room, high + room], range: [left, right] };
    let ticks = x.ticks(6.0);
    let mut content = vertical_grid(&x, &ticks, [2.0, bottom]);
    for tick in ticks {
        content += &text("middle", x.at(tick), bottom + 15.0, &signed(tick, 0));
    }
    for (row, (name, elo)) in (0..).zip(rows) {
        let y = ROW * (f64::from(row) + 0.5) + 2.0;
        let [value, low, high] = [elo.value, elo.low, elo.high].map(|elo| signed(elo.0, 0));
        content += &format!("<g><title>{}</title>", Escaped(format!("{name}: {value} ({low} to {high})")));
        content += &text("label end", left - 10.0, y + 4.0, &short_name(name));
        content += &line("bar", [x.at(elo.low.0), x.at(elo.high.0)], [y; 2]);
        for end in [elo.low.0, elo.high.0] {
            content += &line("bar", [x.at(end); 2], [y - 4.0, y + 4.0]);
        }
        content += &circle("point", x.at(elo.value.0), y, 4.0, "");
        content += "</g>";
    }
    svg(frame, "Elo with 95 % intervals", &content)
}

/// A player's score after so many pairs.
pub(super) struct ScorePoint {
    pub pairs: usize,
    pub score: Estimate<f64>,
}

/// The score of a player over its pairs, in the order of the schedule, with the interval that the Elo is made of.
pub(super) fn scores(replayed: &ReplayedMatch, player: usize) -> Vec<ScorePoint> {
    /// More than a chart can show.
    const POINTS: usize = 200;
    let pairs = pair_scores(replayed, player);
    // Steps are counted from the end, so that the last point is the result.
    let step = pairs.len().div_ceil(POINTS).max(1);
    let mut so_far = Pentanomial::default();
    let mut scores = Vec::new();
    for (count, score) in (1..).zip(&pairs) {
        so_far.count(*score);
        if (pairs.len() - count).is_multiple_of(step) {
            let score = SmoothedPentanomial::new(&so_far, Prior::ONE_PAIR).interval(Z95);
            scores.push(ScorePoint { pairs: count, score });
        }
    }
    scores
}

fn pair_scores(replayed: &ReplayedMatch, player: usize) -> Vec<PairScore> {
    let mut pairs: BTreeMap<u32, Vec<GameResult>> = BTreeMap::new();
    for (game, margin) in games_of(replayed, player) {
        pairs.entry(game.pair()).or_default().push(GameResult::of_margin(margin));
    }
    let complete = pairs.into_values().filter_map(|results| match results[..] {
        [one, other] => Some(PairScore::of(one, other)),
        _ => None,
    });
    complete.collect()
}

/// The games of a player with its margin in discs.
fn games_of(replayed: &ReplayedMatch, player: usize) -> impl Iterator<Item = (&ReplayedGame, i32)> {
    replayed.games.iter().filter_map(move |game| {
        let score = i32::from(game.record.score);
        match game.players {
            [black, _] if black == player => Some((game, score)),
            [_, white] if white == player => Some((game, -score)),
            _ => None,
        }
    })
}

/// A player's score over the pairs, with its 95 % band.
pub(super) fn score(scores: &[ScorePoint], frame: Frame, name: &str) -> String {
    let (left, right, top, bottom) = (46.0, frame.width - 8.0, 6.0, frame.height - 20.0);
    let last = scores.last().map_or(1, |score| score.pairs).max(2);
    let x = LinearScale { domain: [1.0, last as f64], range: [left, right] };
    let y = LinearScale { domain: [0.0, 1.0], range: [bottom, top] };
    let label = |tick| format!("{:.0} %", tick * 100.0);
    let mut content = horizontal_grid(&y, &[0.0, 0.25, 0.5, 0.75, 1.0], 0.5, [left, right], label);
    for tick in x.ticks(4.0).into_iter().filter(|tick| tick.fract() == 0.0) {
        content += &centred_text("", x.at(tick), bottom + 15.0, frame.width, FONT, &format!("{tick:.0}"));
    }
    let place = |pairs: usize, value: f64| [x.at(pairs as f64), y.at(value)];
    let upper = scores.iter().map(|s| place(s.pairs, s.score.high));
    let lower = scores.iter().rev().map(|s| place(s.pairs, s.score.low));
    content += &polygon("band", upper.chain(lower));
    content += &polyline("line", scores.iter().map(|s| place(s.pairs, s.score.value)));
    if let Some(ScorePoint { pairs, score }) = scores.last() {
        let [cx, cy] = place(*pairs, score.value);
        content += &circle("point", cx, cy, 3.0, "");
    }
    let end = scores.last().map_or("no pair yet".into(), |score| percent(score.score.value));
    svg(frame, &format!("Score of {name} over its pairs, finally {end}"), &content)
}

/// How often a player won or lost by so many discs.
pub(super) struct MarginHistogram {
    /// Discs per bar.
    pub width: i32,
    /// Games of each bar: 0 for draws alone, 1 for wins by up to `width` discs, −1 for losses, and so on.
    pub bars: BTreeMap<i32, u32>,
    /// Left out: they say nothing about discs.
    pub forfeits: u32,
}

pub(super) fn margin_histogram(replayed: &ReplayedMatch, player: usize) -> MarginHistogram {
    // Margins are even where the board is filled: bars of four discs on 8×8, of two on smaller boards.
    let width = if replayed.size.side() == 8 { 4 } else { 2 };
    let mut histogram = MarginHistogram { width, bars: BTreeMap::new(), forfeits: 0 };
    for (game, margin) in games_of(replayed, player) {
        if matches!(game.record.ending, GameEnding::Forfeit { .. }) {
            histogram.forfeits += 1;
        } else {
            *histogram.bars.entry(bar(margin, width)).or_default() += 1;
        }
    }
    histogram
}

/// The bar of a margin, counted outwards from the draws.
fn bar(margin: i32, width: i32) -> i32 {
    (margin.abs() + width - 1) / width * margin.signum()
}

pub(super) fn margins(histogram: &MarginHistogram, area: u8, frame: Frame, name: &str) -> String {
    let MarginHistogram { width, bars, .. } = histogram;
    let (left, right, top, bottom) = (30.0, frame.width - 6.0, 6.0, frame.height - 20.0);
    let outermost = bar(area.into(), *width);
    let edge = f64::from(outermost) + 0.5;
    let x = LinearScale { domain: [-edge, edge], range: [left, right] };
    let most = bars.values().copied().max().unwrap_or(0).max(1);
    let y = LinearScale { domain: [0.0, f64::from(most)], range: [bottom, top] };
    let ticks: Vec<_> = y.ticks(4.0).into_iter().filter(|tick| tick.fract() == 0.0).collect();
    let mut content = horizontal_grid(&y, &ticks, f64::NAN, [left, right], |tick| format!("{tick:.0}"));
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
        let label = signed(f64::from(tick * width), 0);
        content += &centred_text("", x.at(tick.into()), bottom + 15.0, frame.width, FONT, &label);
    }
    svg(frame, &format!("Margins of {name} in discs"), &content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_have_a_bar_of_their_own() {
        let bars: Vec<_> =
            [-64, -5, -4, -1, 0, 1, 2, 4, 5, 64].into_iter().map(|margin| bar(margin, 4)).collect();
        assert_eq!(bars, [-16, -2, -1, -1, 0, 1, 1, 1, 2, 16]);
    }

    #[test]
    fn rating_labels_stay_inside_the_chart() {
        for high in [10.0, 400.0, 999.0, 1000.0, 12_000.0] {
            let elo = Estimate { value: 0.0, low: -high, high }.map(Elo);
            let chart = ratings(&[("a", elo)]);
            let labels = chart.split("<text class=\"middle\" x=\"").skip(1);
            for label in labels {
                let (x, rest) = label.split_once('"').expect("a place");
                let content = rest.split(['>', '<']).nth(1).expect("a text");
                let half = text_width(content, FONT) / 2.0;
                let x: f64 = x.parse().expect("a number");
                assert!(x - half >= 0.0 && x + half <= WIDE.width, "{content} at {x}");
            }
        }
    }
}
