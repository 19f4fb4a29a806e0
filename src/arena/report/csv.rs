//! The games of a match as comma-separated values, quoted by RFC 4180.

use std::borrow::Cow;

use super::matches::{ReplayedGame, ReplayedMatch};
use crate::arena::journal::GameEnding;
use crate::board::Color;

const COLUMNS: [&str; 12] = [
    "number",
    "pair",
    "black",
    "white",
    "opening",
    "moves",
    "score",
    "ending",
    "detail",
    "black_seconds",
    "white_seconds",
    "slowest",
];

/// A row of column names, then one row for each game.
pub(super) fn table(replayed: &ReplayedMatch) -> String {
    let names = COLUMNS.map(String::from);
    std::iter::once(names).chain(replayed.games.iter().map(row)).map(|row| line(&row)).collect()
}

fn row(game: &ReplayedGame) -> [String; COLUMNS.len()] {
    let record = &game.record;
    let moves: Vec<_> = record.moves.iter().map(|made| made.text.as_str()).collect();
    let (ending, detail) = match &record.ending {
        GameEnding::Played => ("played", String::new()),
        GameEnding::Adjudicated => ("adjudicated", String::new()),
        GameEnding::Forfeit { by, reason, detail, diagnostics } => {
            ("forfeit", format!("{by}: {reason}: {}", diagnostics.with_exit(detail)))
        }
    };
    let seconds = |color| {
        // Beginning at plus zero: an empty sum of floats is minus zero.
        let sum = game.thinks().filter(|&(by, ..)| by == color).fold(0.0, |sum, (.., seconds)| sum + seconds);
        format!("{sum:.4}")
    };
    let slowest = game.thinks().map(|(.., seconds)| seconds).fold(0.0, f64::max);
    [
        record.number.to_string(),
        game.pair().to_string(),
        record.black.clone(),
        record.white.clone(),
        record.opening.clone(),
        moves.join(" "),
        record.score.to_string(),
        ending.into(),
        detail,
        seconds(Color::Black),
        seconds(Color::White),
        format!("{slowest:.4}"),
    ]
}

/// Fields as a line, each quoted if it has to be.
pub(crate) fn line(fields: &[String]) -> String {
    let fields: Vec<_> = fields.iter().map(|field| quoted(field)).collect();
    fields.join(",") + "\r\n"
}

fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\"")).into()
    } else {
        field.into()
    }
}
