//! The HTML page of an analysis.

use serde::Serialize;

use crate::board::{Color, Position};
use crate::notation;
use crate::page::{self, fill, json_for_script};
use crate::review::{Judgement, PlayerSummary, Review, ReviewedMove, Stage, StageSummary};
use crate::search::Line;
use crate::svg::Escaped;

use super::{AnalyzeOptions, ReviewedGame, json, table};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

/// The parts of the script; the last one starts it.
const SCRIPT: [&str; 4] = [
    include_str!("page/curve.js"),
    include_str!("page/summary.js"),
    include_str!("page/viewer.js"),
    include_str!("page/start.js"),
];

#[derive(Serialize)]
struct PageData {
    games: Vec<GameData>,
}

#[derive(Serialize)]
struct GameData {
    number: usize,
    title: String,
    /// Of Black and White; empty if unknown.
    names: [String; 2],
    rules: &'static str,
    size: u8,
    start: String,
    /// Two characters for each move, `pa` for a pass.
    moves: String,
    /// Black and white discs at the end; the page checks its own replay against them.
    discs: [u32; 2],
    /// In words, if the game is over.
    result: Option<String>,
    fault: Option<String>,
    /// The value of each position for Black, in discs.
    curve: Vec<Option<f64>>,
    reviews: Vec<Option<MoveData>>,
    /// The last position, if the game is not over.
    last: Option<PositionData>,
    players: [PlayerData; 2],
}

/// Values are for the side that moves, in discs.
#[derive(Serialize)]
struct MoveData {
    value: f64,
    loss: f64,
    judgement: &'static str,
    mark: &'static str,
    /// In words, if the move changed the outcome.
    turn: Option<String>,
    #[serde(flatten)]
    position: PositionData,
}

#[derive(Serialize)]
struct PositionData {
    exact: bool,
    /// How the values were found, in words.
    depth: String,
    lines: Vec<LineData>,
}

#[derive(Serialize)]
struct LineData {
    value: f64,
    /// As in [`GameData::moves`].
    moves: String,
}

#[derive(Serialize)]
struct PlayerData {
    /// The ply of the move with the greatest loss.
    worst: Option<usize>,
    /// The whole game, then by [`Stage::ALL`].
    stages: Vec<StageData>,
}

#[derive(Serialize)]
struct StageData {
    name: &'static str,
    moves: usize,
    loss: Option<f64>,
    accuracy: Option<f64>,
    /// By [`Judgement::ALL`].
    counts: [usize; Judgement::ALL.len()],
}

/// A self-contained page.
pub(super) fn page(games: &[ReviewedGame], options: &AnalyzeOptions) -> String {
    let data = PageData { games: games.iter().map(game_data).collect() };
    let data = serde_json::to_string(&data).expect("no map has keys other than text");
    let title = match games {
        [game] => players(game),
        games => format!("{} games", games.len()),
    };
    fill(
        TEMPLATE,
        &[
            ("title", &Escaped(&title).to_string()),
            ("style", &(page::STYLE.to_owned() + STYLE)),
            ("limits", &Escaped(limits(options)).to_string()),
            ("version", env!("CARGO_PKG_VERSION")),
            ("data", &json_for_script(&data)),
            ("script", &page::script(&SCRIPT)),
        ],
    )
}

fn players(game: &ReviewedGame) -> String {
    let names = [Color::Black, Color::White].map(|color| match game.input.read.name(color) {
        Some(name) => name.to_owned(),
        None => color.to_string(),
    });
    names.join(" – ")
}

/// How long each position was searched, in words.
fn limits(options: &AnalyzeOptions) -> String {
    let limits = &options.limits;
    let parts: Vec<_> = [
        limits.time.map(|time| format!("{} s", time.as_secs_f64())),
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.level.map(|level| format!("level {level}")),
    ]
    .into_iter()
    .flatten()
    .collect();
    parts.join(", ")
}

fn game_data(game: &ReviewedGame) -> GameData {
    let review = &game.review;
    let last = review.positions()[review.actions().len()];
    let is_over = last.is_over();
    let start = &review.positions()[0];
    GameData {
        number: game.number,
        title: table::title(game),
        names: [Color::Black, Color::White]
            .map(|color| game.input.read.name(color).unwrap_or_default().to_owned()),
        rules: review.rules().word(),
        size: start.size().side(),
        start: notation::position_text(start).to_string(),
        moves: json::move_text(review),
        discs: [Color::Black, Color::White].map(|color| last.discs(color).len()),
        result: is_over.then(|| table::result(review)),
        fault: game.input.read.fault.as_ref().map(|fault| format!("{}, {fault}", game.input.source)),
        curve: review.curve(Color::Black).into_iter().map(|value| value.map(|score| score.discs())).collect(),
        reviews: review.moves().iter().map(|reviewed| reviewed.as_ref().map(move_data)).collect(),
        last: review.last().filter(|_| !is_over).map(|found| PositionData {
            exact: found.exact,
            depth: table::depth(found.depth, found.selectivity, found.exact),
            lines: found.lines.iter().map(|line| line_data(line, &last)).collect(),
        }),
        players: [Color::Black, Color::White].map(|color| player_data(review, color)),
    }
}

fn move_data(reviewed: &ReviewedMove) -> MoveData {
    let turn =
        reviewed.turning_point().map(|(before, after)| format!("{} to {}", before.word(), after.word()));
    MoveData {
        value: reviewed.played.score.discs(),
        loss: reviewed.loss().discs(),
        judgement: reviewed.judgement().word(),
        mark: reviewed.judgement().mark(),
        turn,
        position: PositionData {
            exact: reviewed.exact,
            depth: table::depth(reviewed.depth, reviewed.selectivity, reviewed.exact),
            lines: reviewed.best.iter().map(|line| line_data(line, &reviewed.position)).collect(),
        },
    }
}

fn line_data(line: &Line, position: &Position) -> LineData {
    LineData { value: line.score.discs(), moves: json::moves_text(&line.moves, position.size()) }
}

fn player_data(review: &Review, color: Color) -> PlayerData {
    let summary = PlayerSummary::of(review, color);
    let mut stages = vec![stage_data("game", &summary.whole_game)];
    stages.extend(Stage::ALL.map(|stage| stage_data(stage.word(), summary.stage(stage))));
    PlayerData { worst: summary.worst.map(|at| at + 1), stages }
}

fn stage_data(name: &'static str, summary: &StageSummary) -> StageData {
    StageData {
        name,
        moves: summary.moves,
        loss: summary.mean_loss(),
        accuracy: summary.accuracy(),
        counts: Judgement::ALL.map(|judgement| summary.count(judgement)),
    }
}
