//! Reviews as tables for people.

use std::collections::VecDeque;
use std::io::{self, Write};

use crate::board::{Color, Position};
use crate::notation;
use crate::review::{Judgement, PlayerSummary, Review, ReviewedMove, Stage};
use crate::score::Score;
use crate::search::{Iteration, Line};
use crate::selectivity::Selectivity;
use crate::terminal::progress::CommandProgress;
use crate::terminal::table::{Align, TextTable};

use super::{ReviewedGame, json};

/// Moves shown of a line.
const LINE_MOVES: usize = 8;

/// Rows of the table that is shown while it fills.
const LIVE_ROWS: usize = 16;

const TITLES: [&str; 9] = ["#", "move", "value", "best", "value", "loss", "", "depth", "best line"];

fn new_table() -> TextTable {
    let is_text = |title| ["move", "best", "", "best line"].contains(&title);
    let align = |title| if is_text(title) { Align::Left } else { Align::Right };
    TextTable::new(TITLES.map(|title| (title.to_owned(), align(title))).into())
}

/// A value as it is known: whole discs if it is exact.
fn value(score: Score, exact: bool) -> String {
    if exact { format!("{:+.0}", score.discs()) } else { score.to_string() }
}

/// How a value was found.
pub(super) fn depth(depth: u8, selectivity: Selectivity, exact: bool) -> String {
    if exact { "exact".into() } else { format!("{depth}@{}%", selectivity.percent()) }
}

/// The first moves of a line.
fn line(line: &Line, position: &Position) -> String {
    let names = notation::names(&line.moves, position.size());
    let more = if names.len() > LINE_MOVES { " …" } else { "" };
    names[..names.len().min(LINE_MOVES)].join(" ") + more
}

fn first_move(line: &Line, position: &Position) -> String {
    notation::names(&line.moves, position.size()).into_iter().next().unwrap_or_default()
}

fn initial(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// The row of a move, and one for each alternative. A pass has no number.
fn rows(review: &Review, at: usize, reviewed: &ReviewedMove) -> Vec<Vec<String>> {
    let ReviewedMove { position, played, exact, .. } = reviewed;
    let best = reviewed.best_line();
    let loss = if reviewed.loss().is_none() { String::new() } else { reviewed.loss().to_string() };
    let mut rows = vec![vec![
        json::number(review, at).map_or_else(String::new, |number| number.to_string()),
        format!("{} {}", initial(reviewed.mover()), first_move(played, position)),
        value(played.score, *exact),
        first_move(best, position),
        value(best.score, *exact),
        loss,
        reviewed.judgement().mark().into(),
        depth(reviewed.depth, reviewed.selectivity, *exact),
        line(best, position),
    ]];
    rows.extend(reviewed.best.iter().skip(1).map(|other| alternative(other, position, *exact)));
    rows
}

fn alternative(other: &Line, position: &Position, exact: bool) -> Vec<String> {
    let mut cells = vec![String::new(); TITLES.len()];
    cells[3] = first_move(other, position);
    cells[4] = value(other.score, exact);
    cells[8] = line(other, position);
    cells
}

/// Writes what is known of a game.
pub(super) fn write(game: &ReviewedGame, output: &mut impl Write) -> io::Result<()> {
    let review = &game.review;
    writeln!(output, "{}", title(game))?;
    if review.reviewed().next().is_some() {
        let mut table = new_table();
        review
            .reviewed()
            .flat_map(|(at, reviewed)| rows(review, at, reviewed))
            .for_each(|row| table.row(row));
        write!(output, "{table}")?;
    }
    write_last(review, output)?;
    let left = review.positions_left();
    if left > 0 {
        writeln!(output, "not analysed yet: {left} of {} positions", review.positions().len())?;
    }
    if !review.actions().is_empty() {
        write_turning_points(review, output)?;
        write!(output, "{}", summary(game))?;
    }
    writeln!(output)?;
    output.flush()
}

pub(super) fn title(game: &ReviewedGame) -> String {
    let ReviewedGame { number, input, review } = game;
    let what = if review.actions().is_empty() { "Position" } else { "Game" };
    let [black, white] = [Color::Black, Color::White].map(|color| input.read.name(color));
    let players = match (black, white) {
        (None, None) => String::new(),
        (black, white) => format!("{} – {}, ", black.unwrap_or("Black"), white.unwrap_or("White")),
    };
    let fault = if input.read.fault.is_some() { ", up to its fault" } else { "" };
    let (size, rules) = (input.read.game.position().size(), input.read.game.rules());
    format!(
        "{what} {number}: {players}{size}, {rules} rules ({}, line {}{fault})",
        input.source, input.read.line
    )
}

/// The result of a finished game, or the value of the last position.
fn write_last(review: &Review, output: &mut impl Write) -> io::Result<()> {
    let at = review.actions().len();
    let (position, Some(last)) = (&review.positions()[at], review.last()) else { return Ok(()) };
    if position.is_over() {
        let [black, white] = [Color::Black, Color::White].map(|color| position.discs(color).len());
        return writeln!(output, "result: {}, {black} black and {white} white discs", result(review));
    }
    writeln!(output, "{} to move, {}:", position.side(), depth(last.depth, last.selectivity, last.exact))?;
    for each in &last.lines {
        let name = first_move(each, position);
        writeln!(output, "  {name:<4}  {:>6}  {}", value(each.score, last.exact), line(each, position))?;
    }
    Ok(())
}

/// Who won a finished game, and by how much.
pub(super) fn result(review: &Review) -> String {
    let last = &review.positions()[review.actions().len()];
    let discs = review.rules().result(last.with_side(Color::Black).board(), last.size()).0;
    match discs {
        0 => "draw".into(),
        1.. => format!("Black wins by {discs}"),
        ..0 => format!("White wins by {}", -i16::from(discs)),
    }
}

fn write_turning_points(review: &Review, output: &mut impl Write) -> io::Result<()> {
    let points: Vec<_> = review
        .turning_points()
        .filter_map(|(at, reviewed)| {
            let (before, after) = reviewed.turning_point()?;
            let name = first_move(&reviewed.played, &reviewed.position);
            let number = review.move_number(at);
            Some(format!("{number}. {} {name} ({} to {})", reviewed.mover(), before.word(), after.word()))
        })
        .collect();
    let list = if points.is_empty() { "none".into() } else { points.join(", ") };
    writeln!(output, "turning points: {list}")
}

/// How well both have played.
fn summary(game: &ReviewedGame) -> TextTable {
    let titles =
        ["player", "moves", "mean loss", "accuracy", "?!", "?", "??", "?? opening", "middle", "end", "worst"];
    let mut table = TextTable::with_titles(1, &titles);
    for color in [Color::Black, Color::White] {
        let summary = PlayerSummary::of(&game.review, color);
        let whole = &summary.whole_game;
        let name = match game.input.read.name(color) {
            Some(name) => format!("{color} ({name})"),
            None => color.to_string(),
        };
        let worst = summary.worst.and_then(|at| Some((at, game.review.moves()[at].as_ref()?)));
        let worst = worst.map(|(at, reviewed)| {
            let name = first_move(&reviewed.played, &reviewed.position);
            format!("{}. {name} −{}", game.review.move_number(at), reviewed.loss())
        });
        let mut cells = vec![
            name,
            whole.moves.to_string(),
            whole.mean_loss().map_or_else(String::new, |loss| format!("{loss:.2}")),
            whole.accuracy().map_or_else(String::new, |accuracy| format!("{accuracy:.1} %")),
        ];
        let bad = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];
        cells.extend(bad.map(|judgement| whole.count(judgement).to_string()));
        cells.extend(Stage::ALL.map(|stage| summary.stage(stage).count(Judgement::Blunder).to_string()));
        cells.push(worst.unwrap_or_default());
        table.row(cells);
    }
    table
}

/// The table of the present game, which grows upwards while the analysis goes backwards. Only on a terminal.
pub(super) struct LiveTable {
    progress: CommandProgress,
    /// Of a game: its first rows that are known.
    rows: VecDeque<Vec<String>>,
    game: usize,
    status: String,
}

impl LiveTable {
    pub(super) fn new(positions: usize) -> Self {
        let progress = CommandProgress::new("positions", positions, 0);
        Self { progress, rows: VecDeque::new(), game: 0, status: String::new() }
    }

    pub(super) fn begin(&mut self, game: &ReviewedGame, at: usize) {
        if self.game != game.number {
            self.rows.clear();
            self.game = game.number;
        }
        let place = if at < game.review.actions().len() {
            format!("move {}", game.review.move_number(at))
        } else {
            "end".into()
        };
        self.status = format!("game {}, {place}", game.number);
        self.progress.set_status(&self.status);
    }

    pub(super) fn show(&self, iteration: &Iteration) {
        if let Some(best) = iteration.lines.first() {
            let found = depth(iteration.depth, iteration.selectivity, iteration.exact);
            self.progress.set_status(format_args!("{}, {found}: {}", self.status, best.score));
        }
    }

    pub(super) fn end(&mut self, game: &ReviewedGame, at: usize) {
        if let Some(reviewed) = game.review.moves().get(at).and_then(Option::as_ref) {
            rows(&game.review, at, reviewed).into_iter().rev().for_each(|row| self.rows.push_front(row));
            self.rows.truncate(LIVE_ROWS);
            let mut table = new_table();
            self.rows.iter().cloned().for_each(|row| table.row(row));
            self.progress.set_lines_above(table.to_string());
        }
        self.progress.advance(1);
    }

    /// Clears the table while others write to the terminal.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.progress.set_lines_above(String::new());
        self.progress.suspend(write)
    }
}
