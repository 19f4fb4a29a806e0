//! Positions, values and reviews in words and plain characters.

use std::fmt::Write;
use std::time::Duration;

use crate::board::{Bitboard, Color, Move, Size};
use crate::notation;
use crate::review::{Judgement, PlayerSummary, Review, ReviewedMove};
use crate::score::Score;
use crate::search::{Iteration, Line};
use crate::terminal::table::{Align, TextTable};

use super::adviser::Advice;
use super::settings::goal;
use super::state::State;

/// As people write it: `f5`.
#[must_use]
pub fn name(action: Move, size: Size) -> String {
    notation::vertex(action, size).to_string().to_lowercase()
}

/// Who would win if the game ended now: `White leads by 3: the fewest discs win`.
#[must_use]
pub fn standing(state: &State) -> String {
    let count = |color| state.position().discs(color).len();
    let ahead = count(Color::Black).abs_diff(count(Color::White));
    match state.leader() {
        None => "nobody leads".into(),
        Some(leader) => format!("{leader} leads by {ahead}, {}", goal(state.settings().rules)),
    }
}

/// As in `4:59`; the last seconds with tenths.
#[must_use]
pub fn clock(left: Duration) -> String {
    const LAST: Duration = Duration::from_secs(10);
    if left < LAST {
        return format!("0:{:04.1}", (left.as_secs_f64() * 10.0).floor() / 10.0);
    }
    let seconds = left.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// The value for a colour.
#[must_use]
pub fn value_for(color: Color, to_move: Color, score: Score) -> Score {
    if color == to_move { score } else { -score }
}

/// How sure values are: `exact`, or the depth of the search.
#[must_use]
pub fn certainty(found: &Iteration) -> String {
    if found.exact { "exact".into() } else { format!("depth {}", found.depth) }
}

/// As in `Black is better by 2.31 discs (depth 14)`.
#[must_use]
pub fn value(advice: &Advice) -> Option<String> {
    let line = advice.found.lines.first()?;
    let certainty = certainty(&advice.found);
    let side = advice.position.side();
    let (better, by) = match line.score.units() {
        0 => return Some(format!("even ({certainty})")),
        1.. => (side, line.score),
        _ => (side.opponent(), -line.score),
    };
    let verb = if advice.found.exact { "wins" } else { "is better" };
    Some(format!("{better} {verb} by {:.2} discs ({certainty})", by.discs()))
}

/// A line of play, no longer than so many moves.
#[must_use]
pub fn line(line: &Line, size: Size, longest: usize) -> String {
    let names: Vec<_> = line.moves.iter().take(longest).map(|&action| name(action, size)).collect();
    names.join(" ")
}

/// A diagram with row 1 at the top: `X` Black, `O` White, `+` a legal move, brackets around the last disc.
#[must_use]
pub fn diagram(state: &State) -> String {
    let (position, last) = (state.position(), state.last_move());
    let size = position.size();
    let letters: Vec<String> = (0..size.side()).map(|column| char::from(b'a' + column).to_string()).collect();
    let letters = format!("   {}\n", letters.join("  "));
    let moves = if state.outcome().is_none() { position.moves() } else { Bitboard::EMPTY };
    let cell = |column, row| match size.square(column, row) {
        Some(square) if last.is_some_and(|last| last.square == square) => {
            format!("[{}]", if position.discs(Color::Black).contains(square) { 'X' } else { 'O' })
        }
        Some(square) if position.discs(Color::Black).contains(square) => " X ".into(),
        Some(square) if position.discs(Color::White).contains(square) => " O ".into(),
        Some(square) if moves.contains(square) => " + ".into(),
        _ => " . ".to_owned(),
    };
    let mut text = letters.clone();
    for row in 0..size.side() {
        let cells: String = (0..size.side()).map(|column| cell(column, row)).collect();
        let _ = writeln!(text, "{0} {cells} {0}", row + 1);
    }
    text + &letters
}

/// All moves of a hint with their values for the side to move, best first.
#[must_use]
pub fn hint(advice: &Advice) -> String {
    let size = advice.position.size();
    let columns = [("move", Align::Left), ("value", Align::Right), ("line", Align::Left)];
    let mut table = TextTable::new(columns.map(|(title, align)| (title.to_owned(), align)).into());
    for found in &advice.found.lines {
        let Some(&action) = found.moves.first() else { continue };
        table.row(vec![name(action, size), found.score.to_string(), line(found, size, 8)]);
    }
    format!("Values for {}, {}:\n{table}", advice.position.side(), certainty(&advice.found))
}

/// The number of bad moves of each player that reviews list.
pub const WORST_MOVES: usize = 3;

/// The moves of a player that lost most, the worst first.
#[must_use]
pub fn worst_moves(review: &Review, color: Color) -> Vec<(usize, &ReviewedMove)> {
    let mut moves: Vec<_> = review
        .reviewed()
        .filter(|(_, reviewed)| reviewed.mover() == color && reviewed.judgement() > Judgement::Good)
        .collect();
    moves.sort_by(|one, other| other.1.loss().cmp(&one.1.loss()).then(one.0.cmp(&other.0)));
    moves.truncate(WORST_MOVES);
    moves
}

/// As in `accuracy 87 %, 1 mistake, 2 blunders`.
#[must_use]
pub fn summary(review: &Review, color: Color) -> String {
    let summary = PlayerSummary::of(review, color).whole_game;
    let Some(accuracy) = summary.accuracy() else { return "no choices".into() };
    let mut text = format!("accuracy {accuracy:.0} %");
    for (judgement, many) in [
        (Judgement::Inaccuracy, "inaccuracies"),
        (Judgement::Mistake, "mistakes"),
        (Judgement::Blunder, "blunders"),
    ] {
        match summary.count(judgement) {
            0 => {}
            1 => text += &format!(", 1 {}", judgement.word()),
            count => text += &format!(", {count} {many}"),
        }
    }
    text
}

/// The same with marks, in 36 characters: `Black accuracy 87 %  ?! 0  ? 1  ?? 2`.
#[must_use]
pub fn short_summary(review: &Review, color: Color) -> String {
    let summary = PlayerSummary::of(review, color).whole_game;
    let Some(accuracy) = summary.accuracy() else { return format!("{color} no choices") };
    let marks = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder]
        .map(|judgement| format!("{} {}", judgement.mark(), summary.count(judgement)));
    format!("{color} accuracy {accuracy:.0} %  {}", marks.join("  "))
}

const CURVE_HEIGHT: i16 = 4;

/// A curve of values for Black in plain characters, a column for each position, with the middle line at zero.
#[must_use]
pub fn curve(review: &Review) -> String {
    let values = review.curve(Color::Black);
    let largest = values.iter().flatten().map(|score| score.units().abs()).max().unwrap_or(0);
    // Whole discs, and never so fine that noise fills the picture.
    let step = (f64::from(largest) / f64::from(Score::UNITS) / f64::from(CURVE_HEIGHT)).ceil().max(1.0);
    let height = |score: &Score| (score.discs() / step).round() as i16;
    let mut text = String::new();
    for row in (-CURVE_HEIGHT..=CURVE_HEIGHT).rev() {
        let cell = |score: &Option<Score>| match score.as_ref().map(height) {
            Some(at) if at == row => '*',
            _ if row == 0 => '-',
            Some(at) if (row > 0 && at > row) || (row < 0 && at < row) => ':',
            _ => ' ',
        };
        let label = match row {
            CURVE_HEIGHT => format!("{:+}", step * f64::from(CURVE_HEIGHT)),
            0 => "0".into(),
            row if row == -CURVE_HEIGHT => format!("{:+}", step * f64::from(-CURVE_HEIGHT)),
            _ => String::new(),
        };
        let cells: String = values.iter().map(cell).collect();
        let _ = writeln!(text, "{label:>4} {}", cells.trim_end());
    }
    text
}

/// A whole review in plain characters.
#[must_use]
pub fn review(review: &Review) -> String {
    let mut text = format!("Value for Black after each move, in discs:\n{}\n", curve(review));
    for color in [Color::Black, Color::White] {
        let _ = writeln!(text, "{color}: {}", summary(review, color));
    }
    let mut table =
        TextTable::with_titles(2, &["move", "played", "value", "best", "value", "loss", "judgement"]);
    let mut worst: Vec<_> =
        [Color::Black, Color::White].into_iter().flat_map(|color| worst_moves(review, color)).collect();
    worst.sort_by_key(|(at, _)| *at);
    if worst.is_empty() {
        text += "No move lost two discs or more.\n";
        return text;
    }
    for (at, reviewed) in worst {
        table.row(review_row(review.move_number(at), reviewed));
    }
    let _ = write!(text, "\nThe worst moves:\n{table}");
    text
}

fn review_row(number: usize, reviewed: &ReviewedMove) -> Vec<String> {
    let size = reviewed.position.size();
    let best = reviewed.best_line();
    let first = best.moves.first().map(|&action| name(action, size)).unwrap_or_default();
    let certainty = if reviewed.exact { ", proven" } else { "" };
    vec![
        format!("{number} {}", reviewed.mover()),
        name(reviewed.action(), size),
        reviewed.played.score.to_string(),
        first,
        best.score.to_string(),
        reviewed.loss().to_string(),
        format!("{}{certainty}", reviewed.judgement().word()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_show_tenths_at_the_end() {
        let shown = |ms| clock(Duration::from_millis(ms));
        assert_eq!(shown(300_000), "5:00");
        assert_eq!(shown(299_999), "4:59");
        assert_eq!(shown(10_000), "0:10");
        assert_eq!(shown(9_990), "0:09.9");
        assert_eq!(shown(0), "0:00.0");
        assert_eq!(shown(3_723_000), "1:02:03");
    }
}
