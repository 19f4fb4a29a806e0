//! The lines of a checkpoint, and what they mean.

use std::time::Duration;

use ollehto_protocol::notation::{parse_moves, parse_position, print_moves};
use serde::{Deserialize, Serialize};

use crate::board::{Color, Move, Position, Size, Square};
use crate::notation;
use crate::rules::Rules;
use crate::score::{Discs, Score};
use crate::search::{CompletedIteration, ProvenBounds};
use crate::selectivity::Selectivity;

use super::bound::{Bound, BoundError};
use super::{Solution, WldResult};

/// A line of the file below its header.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Record {
    Solved(SolvedRecord),
    Solving {
        position: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        bound: Option<String>,
        nodes: u64,
        seconds: f64,
        cpu: Option<f64>,
        iteration: Option<IterationRecord>,
    },
    /// Position with X to move, lower bound, upper bound, best move or an empty text.
    Bound(String, i8, i8, String),
    Crc32(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolvedRecord {
    position: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<String>,
    score: i8,
    moves: String,
    nodes: u64,
    seconds: f64,
    cpu: Option<f64>,
    exact: bool,
    outcome: Option<WldResult>,
}

/// The last completed iteration.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IterationRecord {
    pub(super) depth: u8,
    /// Confidence of selective cuts in percent.
    pub(super) selectivity: u8,
    /// In 1/32 disc.
    pub(super) score: i16,
    pub(super) best: String,
}

/// Whether the last line has the checksum of those before it.
pub(super) fn check_sum(text: &str) -> Result<(), &'static str> {
    let start =
        text.strip_suffix('\n').and_then(|text| text.rfind('\n')).ok_or("the last line is incomplete")? + 1;
    let (before, last) = text.split_at(start);
    match serde_json::from_str(last) {
        Ok(Record::Crc32(sum)) if sum == format!("{:08x}", crc32fast::hash(before.as_bytes())) => Ok(()),
        Ok(Record::Crc32(_)) => Err("the checksum is wrong"),
        _ => Err("there is no checksum"),
    }
}

impl From<&Solution> for SolvedRecord {
    fn from(solution: &Solution) -> Self {
        let size = solution.position.size();
        let moves: Vec<_> = solution.moves.iter().map(|&action| notation::vertex(action, size)).collect();
        Self {
            position: notation::position_text(&solution.position).to_string(),
            bound: solution.bound.map(|bound| bound.to_string()),
            proven: solution.proven.map(|bound| bound.to_string()),
            score: solution.score.0,
            moves: print_moves(&moves),
            nodes: solution.nodes,
            seconds: solution.time.as_secs_f64(),
            cpu: solution.processor.map(|time| time.as_secs_f64()),
            exact: solution.exact,
            outcome: solution.outcome,
        }
    }
}

impl SolvedRecord {
    pub(super) fn solution(self, rules: Rules, size: Size) -> Result<Solution, String> {
        let vertices =
            if self.moves.is_empty() { Ok(Vec::new()) } else { parse_moves(self.moves.as_bytes()) };
        let vertices = vertices.map_err(|error| error.to_string())?;
        let moves: Option<_> = vertices.into_iter().map(|vertex| notation::action(vertex, size)).collect();
        Ok(Solution {
            position: position_of(&self.position, size)?,
            rules,
            score: Discs(self.score),
            moves: moves.ok_or("a move outside the board")?,
            nodes: self.nodes,
            time: duration(self.seconds)?,
            processor: self.cpu.map(duration).transpose()?,
            exact: self.exact,
            bound: parse_bound(self.bound)?,
            proven: parse_bound(self.proven)?,
            outcome: self.outcome,
            known: None,
        })
    }
}

impl IterationRecord {
    pub(super) fn iteration(self, root: Position) -> Result<CompletedIteration, String> {
        let Self { depth, selectivity, score, best } = self;
        let selectivity = Selectivity::from_percent(selectivity).ok_or("an unknown selectivity")?;
        let best = legal_square(&best, &root)?;
        Ok(CompletedIteration { depth, selectivity, score: Score::from_units(score.into()), best })
    }
}

pub(super) fn square_name(square: Square, size: Size) -> String {
    notation::vertex(Move::Place(square), size).to_string()
}

fn legal_square(name: &str, position: &Position) -> Result<Square, String> {
    let vertices = parse_moves(name.as_bytes()).map_err(|error| error.to_string())?;
    match vertices.as_slice() {
        &[vertex] => match notation::action(vertex, position.size()) {
            Some(Move::Place(square)) if position.moves().contains(square) => Ok(square),
            _ => Err(format!("the best move {name} is illegal")),
        },
        _ => Err(format!("{name} is not one move")),
    }
}

pub(super) fn parse_bound(text: Option<String>) -> Result<Option<Bound>, String> {
    text.map(|text| text.parse().map_err(|error: BoundError| error.to_string())).transpose()
}

pub(super) fn duration(seconds: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

pub(super) fn position_of(text: &str, size: Size) -> Result<Position, String> {
    let parsed = parse_position(text.as_bytes()).map_err(|error| error.to_string())?;
    let position = notation::position(&parsed).map_err(|error| error.to_string())?;
    if position.size() == size {
        Ok(position)
    } else {
        Err(format!("the board is {}, not {size}", position.size()))
    }
}

pub(super) fn bound_record(bounds: &ProvenBounds, size: Size) -> Record {
    let &ProvenBounds { board, lower, upper, best } = bounds;
    let position =
        Position::new(board.own(), board.other(), Color::Black, size).expect("a board of this size");
    let best = best.map(|square| square_name(square, size));
    Record::Bound(notation::position_text(&position).to_string(), lower.0, upper.0, best.unwrap_or_default())
}

pub(super) fn bounds_of(
    position: &str,
    [lower, upper]: [i8; 2],
    best: &str,
    size: Size,
) -> Result<ProvenBounds, String> {
    let position = position_of(position, size)?;
    let most = size.area() as i8;
    if lower > upper || lower < -most || upper > most {
        return Err(format!("no result is from {lower} to {upper}"));
    }
    let best = match best {
        "" => None,
        best => Some(legal_square(best, &position)?),
    };
    Ok(ProvenBounds { board: position.board(), lower: Discs(lower), upper: Discs(upper), best })
}
