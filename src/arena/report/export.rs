//! The games for other programs: comma-separated values, and JSON for the script of the page, some 800 bytes a game.

use std::collections::HashMap;

use ollehto_protocol::notation::print_moves;
use serde::Serialize;

use super::replay::{Ply, ReplayedGame, ReplayedMatch};
use crate::arena::journal::{GameEnding, MoveRecord};
use crate::board::Color;
use crate::notation;
use crate::page::json_for_script;
use crate::terminal::table::csv_line;

const CSV_COLUMNS: [&str; 12] = [
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

/// One line for each game, after the column names.
pub(super) fn csv(replayed: &ReplayedMatch) -> String {
    let names = CSV_COLUMNS.map(String::from);
    std::iter::once(names).chain(replayed.games.iter().map(csv_row)).map(|row| csv_line(&row)).collect()
}

fn csv_row(game: &ReplayedGame) -> [String; CSV_COLUMNS.len()] {
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
        // From plus zero: an empty sum of floats is minus zero.
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

#[derive(Serialize)]
struct PageData<'a> {
    size: u8,
    reversed: bool,
    players: Vec<&'a str>,
    /// Distinct start positions, mostly one.
    starts: Vec<String>,
    games: Vec<GameData<'a>>,
}

#[derive(Serialize)]
struct GameData<'a> {
    number: u32,
    /// Indices of Black and White in the list of players.
    players: [usize; 2],
    start: usize,
    /// Number of opening moves.
    opening: usize,
    /// Two characters for each move, `pa` for a pass.
    moves: String,
    /// Tenths of a millisecond for each move after the opening.
    times: Vec<u64>,
    /// Hundredths of a disc for each move after the opening, from its player's view; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    evals: Option<Vec<Option<i32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depths: Option<Vec<Option<u8>>>,
    /// The illegal move that ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a str>,
    /// The result for Black in discs.
    score: i8,
    ending: String,
    /// Who forfeited the game, and the details.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<(&'a str, String)>,
    /// Black and white discs at the end; the page checks its own replay against them.
    discs: [u32; 2],
}

/// Safe within a script element.
pub(super) fn json(replayed: &ReplayedMatch) -> String {
    let mut starts = Vec::new();
    let mut places = HashMap::new();
    let mut games = Vec::with_capacity(replayed.games.len());
    for game in &replayed.games {
        let start = *places.entry(game.start).or_insert_with(|| {
            starts.push(notation::position_text(&game.start).to_string());
            starts.len() - 1
        });
        games.push(game_data(game, start));
    }
    let data = PageData {
        size: replayed.size.side(),
        reversed: replayed.rules.sign() < 0,
        players: replayed.header.players.iter().map(|player| player.name.as_str()).collect(),
        starts,
        games,
    };
    let json = serde_json::to_string(&data).expect("no map has keys other than text");
    json_for_script(&json)
}

fn game_data(game: &ReplayedGame, start: usize) -> GameData<'_> {
    let made = &game.plies[game.opening..];
    let vertices: Vec<_> = game.plies.iter().map(|ply| ply.vertex).collect();
    let (ending, fault) = match &game.record.ending {
        GameEnding::Played => ("played".into(), None),
        GameEnding::Adjudicated => ("adjudicated".into(), None),
        GameEnding::Forfeit { by, reason, detail, diagnostics } => {
            (reason.to_string(), Some((by.as_str(), diagnostics.with_exit(detail))))
        }
    };
    GameData {
        number: game.record.number,
        players: game.players,
        start,
        opening: game.opening,
        moves: print_moves(&vertices),
        times: made.iter().map(|ply| ply.record.as_ref().map_or(0, tenths_of_milliseconds)).collect(),
        evals: reported(made, |record| record.eval.map(|eval| (eval * 100.0).round() as i32)),
        depths: reported(made, |record| record.depth),
        refused: game.refused.as_ref().map(|record| record.text.as_str()),
        score: game.record.score,
        ending,
        fault,
        discs: [Color::Black, Color::White].map(|color| game.last.discs(color).len()),
    }
}

fn tenths_of_milliseconds(record: &MoveRecord) -> u64 {
    (record.seconds * 1e4).round() as u64
}

/// What players reported with their moves; none if they never did.
fn reported<T>(plies: &[Ply], of: impl Fn(&MoveRecord) -> Option<T>) -> Option<Vec<Option<T>>> {
    let all: Vec<_> = plies.iter().map(|ply| ply.record.as_ref().and_then(&of)).collect();
    all.iter().any(Option::is_some).then_some(all)
}
