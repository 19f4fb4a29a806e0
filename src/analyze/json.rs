//! Reviews as lines of JSON: one for each position as it is searched, one for each game.

use std::io::{self, Write};

use ollehto_protocol::notation::print_moves;
use serde::Serialize;

use crate::board::{Color, Move, Position, Size};
use crate::game_reader::Fault;
use crate::notation;
use crate::review::{Judgement, PlayerSummary, Review, ReviewedMove, Stage, StageSummary};
use crate::score::Score;
use crate::search::{Iteration, Line};

use super::ReviewedGame;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Record {
    Move(MoveRecord),
    Position(PositionRecord),
    Game(Box<GameRecord>),
}

/// A move that was played.
#[derive(Serialize)]
struct MoveRecord {
    game: usize,
    /// From 1, passes counted.
    ply: usize,
    /// From 1, without passes; none of a pass.
    #[serde(rename = "move")]
    number: Option<usize>,
    color: &'static str,
    position: String,
    played: String,
    /// For the side that moves, in discs.
    value: f64,
    best: String,
    best_value: f64,
    loss: f64,
    judgement: &'static str,
    /// The outcome before and after, if the move changed it.
    turning_point: Option<[&'static str; 2]>,
    exact: bool,
    depth: u8,
    /// In percent.
    selectivity: u8,
    stage: &'static str,
    /// Whether there was no other move.
    forced: bool,
    played_line: Vec<String>,
    /// The best moves, best first.
    lines: Vec<LineRecord>,
}

/// The last position.
#[derive(Serialize)]
struct PositionRecord {
    game: usize,
    ply: usize,
    /// Moves before it, without passes.
    after: usize,
    color: &'static str,
    position: String,
    value: f64,
    best: Option<String>,
    exact: bool,
    depth: u8,
    selectivity: u8,
    over: bool,
    lines: Vec<LineRecord>,
}

#[derive(Serialize)]
pub(super) struct LineRecord {
    value: f64,
    line: Vec<String>,
}

#[derive(Serialize)]
struct GameRecord {
    game: usize,
    source: String,
    line: usize,
    black: Option<String>,
    white: Option<String>,
    rules: &'static str,
    size: u8,
    start: String,
    moves: String,
    /// For Black, in discs; null while the game goes on.
    result: Option<i8>,
    complete: bool,
    fault: Option<FaultRecord>,
    turning_points: Vec<usize>,
    summary: SummaryRecord,
}

#[derive(Serialize)]
struct FaultRecord {
    line: usize,
    column: Option<usize>,
    problem: String,
}

#[derive(Serialize)]
struct SummaryRecord {
    black: PlayerRecord,
    white: PlayerRecord,
}

#[derive(Serialize)]
struct PlayerRecord {
    #[serde(flatten)]
    whole_game: StageRecord,
    /// The number of the move with the greatest loss.
    worst: Option<usize>,
    opening: StageRecord,
    middle: StageRecord,
    end: StageRecord,
}

#[derive(Serialize)]
struct StageRecord {
    moves: usize,
    mean_loss: Option<f64>,
    /// In percent.
    accuracy: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

pub(super) const fn color_word(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

pub(super) fn line_records(lines: &[Line], position: &Position) -> Vec<LineRecord> {
    let record = |line: &Line| LineRecord {
        value: line.score.discs(),
        line: notation::names(&line.moves, position.size()),
    };
    lines.iter().map(record).collect()
}

/// The number of the move of an index; a pass has none.
pub(super) fn number(review: &Review, at: usize) -> Option<usize> {
    (review.actions().get(at) != Some(&Move::Pass)).then(|| review.move_number(at))
}

fn move_record(game: &ReviewedGame, at: usize, reviewed: &ReviewedMove) -> MoveRecord {
    let position = &reviewed.position;
    let names = |line: &Line| notation::names(&line.moves, position.size());
    let first = |line: &Line| names(line).into_iter().next().unwrap_or_default();
    MoveRecord {
        game: game.number,
        ply: at + 1,
        number: number(&game.review, at),
        color: color_word(reviewed.mover()),
        position: notation::position_text(position).to_string(),
        played: first(&reviewed.played),
        value: reviewed.played.score.discs(),
        best: first(reviewed.best_line()),
        best_value: reviewed.best_line().score.discs(),
        loss: reviewed.loss().discs(),
        judgement: reviewed.judgement().word(),
        turning_point: reviewed.turning_point().map(|(before, after)| [before.word(), after.word()]),
        exact: reviewed.exact,
        depth: reviewed.depth,
        selectivity: reviewed.selectivity.percent(),
        stage: reviewed.stage().word(),
        forced: !reviewed.had_choice(),
        played_line: names(&reviewed.played),
        lines: line_records(&reviewed.best, position),
    }
}

fn position_record(game: usize, review: &Review, found: &Iteration) -> PositionRecord {
    let last = review.actions().len();
    let position = &review.positions()[last];
    let value = review.value(last).map_or(Score::default(), |(line, _)| line.score);
    let lines = line_records(&found.lines, position);
    PositionRecord {
        game,
        ply: last + 1,
        after: review.move_number(last) - 1,
        color: color_word(position.side()),
        position: notation::position_text(position).to_string(),
        value: value.discs(),
        best: lines.first().and_then(|line| line.line.first().cloned()),
        exact: found.exact,
        depth: found.depth,
        selectivity: found.selectivity.percent(),
        over: position.is_over(),
        lines,
    }
}

impl From<&StageSummary> for StageRecord {
    fn from(summary: &StageSummary) -> Self {
        Self {
            moves: summary.moves,
            mean_loss: summary.mean_loss(),
            accuracy: summary.accuracy(),
            inaccuracies: summary.count(Judgement::Inaccuracy),
            mistakes: summary.count(Judgement::Mistake),
            blunders: summary.count(Judgement::Blunder),
        }
    }
}

fn player_record(review: &Review, color: Color) -> PlayerRecord {
    let summary = PlayerSummary::of(review, color);
    PlayerRecord {
        whole_game: (&summary.whole_game).into(),
        worst: summary.worst.map(|at| review.move_number(at)),
        opening: summary.stage(Stage::Opening).into(),
        middle: summary.stage(Stage::Middle).into(),
        end: summary.stage(Stage::End).into(),
    }
}

/// The result of a finished game for Black.
pub(super) fn result(review: &Review) -> Option<i8> {
    let last = review.positions()[review.actions().len()];
    let discs = review.rules().result(last.with_side(Color::Black).board(), last.size());
    last.is_over().then_some(discs.0)
}

/// The moves of a game in the shortest form.
pub(super) fn move_text(review: &Review) -> String {
    moves_text(review.actions(), review.positions()[0].size())
}

/// Two characters for each move.
pub(super) fn moves_text(moves: &[Move], size: Size) -> String {
    let vertices: Vec<_> = moves.iter().map(|&action| notation::vertex(action, size)).collect();
    print_moves(&vertices)
}

fn game_record(ReviewedGame { number, input, review }: &ReviewedGame) -> GameRecord {
    let start = &review.positions()[0];
    let fault =
        |fault: &Fault| FaultRecord { line: fault.line, column: fault.column, problem: fault.words() };
    GameRecord {
        game: *number,
        source: input.source.to_string(),
        line: input.read.line,
        black: input.read.name(Color::Black).map(Into::into),
        white: input.read.name(Color::White).map(Into::into),
        rules: review.rules().word(),
        size: start.size().side(),
        start: notation::position_text(start).to_string(),
        moves: move_text(review),
        result: result(review),
        complete: review.is_complete(),
        fault: input.read.fault.as_deref().map(fault),
        turning_points: review.turning_points().map(|(at, _)| review.move_number(at)).collect(),
        summary: SummaryRecord {
            black: player_record(review, Color::Black),
            white: player_record(review, Color::White),
        },
    }
}

pub(super) struct JsonWriter<'a, W> {
    pub(super) output: &'a mut W,
}

impl<W: Write> JsonWriter<'_, W> {
    /// Writes what is known from this position backwards.
    pub(super) fn positions(&mut self, game: &ReviewedGame, from: usize) -> io::Result<()> {
        let review = &game.review;
        if from == review.actions().len()
            && let Some(last) = review.last()
        {
            self.write(&Record::Position(position_record(game.number, review, last)))?;
        }
        for at in (0..review.actions().len().min(from + 1)).rev() {
            let Some(reviewed) = &review.moves()[at] else { break };
            self.write(&Record::Move(move_record(game, at, reviewed)))?;
        }
        self.output.flush()
    }

    pub(super) fn game(&mut self, game: &ReviewedGame) -> io::Result<()> {
        self.write(&Record::Game(Box::new(game_record(game))))?;
        self.output.flush()
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        serde_json::to_writer(&mut *self.output, record)?;
        writeln!(self.output)
    }
}
