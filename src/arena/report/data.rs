//! The games as the script of the page reads them: JSON with short names, some 800 bytes for a game of 60 moves.

use std::collections::HashMap;

use ollehto_protocol::notation::print_moves;
use serde::Serialize;

use super::markup::json_for_script;
use super::matches::{Ply, ReplayedGame, ReplayedMatch};
use crate::arena::journal::{GameEnding, MoveRecord};
use crate::board::Color;
use crate::notation;

#[derive(Serialize)]
struct PageData<'a> {
    size: u8,
    reversed: bool,
    players: Vec<&'a str>,
    /// The positions that games begin with; most matches have one.
    starts: Vec<String>,
    games: Vec<GameData<'a>>,
}

#[derive(Serialize)]
struct GameData<'a> {
    number: u32,
    /// Black and White as places in the list of players.
    players: [usize; 2],
    start: usize,
    /// How many of the moves are the opening.
    opening: usize,
    /// Two characters for each move, `pa` for a pass; none is left out.
    moves: String,
    /// Tenths of a millisecond for each move after the opening.
    times: Vec<u64>,
    /// Hundredths of a disc for each move after the opening, seen by its player; left out if no player said any.
    #[serde(skip_serializing_if = "Option::is_none")]
    evals: Option<Vec<Option<i32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depths: Option<Vec<Option<u8>>>,
    /// A move that the rules do not allow, and that ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'a str>,
    /// The result for Black in discs.
    score: i8,
    ending: String,
    /// Who forfeited the game, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<(&'a str, String)>,
    /// The black and the white discs at the end, for lists and for the page to check itself.
    discs: [u32; 2],
}

/// The data of the page, safe within a script element.
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
        evals: said(made, |record| record.eval.map(|eval| (eval * 100.0).round() as i32)),
        depths: said(made, |record| record.depth),
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

/// Something that the players may have said about their moves; none if they never did.
fn said<T>(plies: &[Ply], of: impl Fn(&MoveRecord) -> Option<T>) -> Option<Vec<Option<T>>> {
    let all: Vec<_> = plies.iter().map(|ply| ply.record.as_ref().and_then(&of)).collect();
    all.iter().any(Option::is_some).then_some(all)
}
