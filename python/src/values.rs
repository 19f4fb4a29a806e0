//! Arguments and results: rules, colours, moves, limits, weights.

use std::time::Duration;

use ollehto::board::{Color, Move, Size};
use ollehto::clock::Clock;
use ollehto::eval::Evaluation;
use ollehto::notation;
use ollehto::rules::Rules;
use ollehto::search::{Iteration, Limits};
use ollehto_protocol::notation::parse_moves;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

pub const BLACK: i8 = -1;
pub const WHITE: i8 = 1;

/// A move as users write it: `"d3"` or `"pass"`, a number row by row from a1, or a row and a column.
#[derive(FromPyObject)]
pub enum MoveArgument {
    Name(String),
    Index(i64),
    Place(i64, i64),
}

pub fn wrong(argument: &str, problem: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{argument}: {problem}"))
}

pub fn rules(word: &str) -> PyResult<Rules> {
    word.parse().map_err(|error| wrong("rules", format!("{error}, not {word:?}")))
}

pub fn size(side: i64) -> PyResult<Size> {
    let known = u32::try_from(side).ok().and_then(Size::from_side);
    known.ok_or_else(|| wrong("size", format!("a board has 4, 6 or 8 squares on a side, not {side}")))
}

pub fn color(number: i64) -> PyResult<Color> {
    match number {
        -1 => Ok(Color::Black),
        1 => Ok(Color::White),
        _ => Err(wrong("color", format!("-1 is Black and 1 is White, not {number}"))),
    }
}

pub const fn color_number(color: Color) -> i8 {
    match color {
        Color::Black => BLACK,
        Color::White => WHITE,
    }
}

pub fn name(action: Move, size: Size) -> String {
    notation::names(&[action], size).concat()
}

/// Row by row from 0 for a1; the number of squares stands for a pass.
pub fn index(action: Move, size: Size) -> u8 {
    match action {
        Move::Place(square) => {
            let (column, row) = size.place(square);
            row * size.side() + column
        }
        Move::Pass => size.area(),
    }
}

impl MoveArgument {
    pub fn action(&self, size: Size) -> PyResult<Move> {
        let place = |row: i64, column: i64| {
            let square = size.square(u8::try_from(column).ok()?, u8::try_from(row).ok()?);
            square.map(Move::Place)
        };
        let side = i64::from(size.side());
        match self {
            Self::Name(name) => named(name, size),
            &Self::Index(index) if index == side * side => Ok(Move::Pass),
            &Self::Index(index) => place(index.div_euclid(side), index.rem_euclid(side)).ok_or_else(|| {
                wrong(
                    "move",
                    format!("{index} is outside of a {size} board: 0 is a1, {} a pass", side * side),
                )
            }),
            &Self::Place(row, column) => place(row, column).ok_or_else(|| {
                wrong("move", format!("row {row}, column {column} is outside of a {size} board"))
            }),
        }
    }
}

fn named(name: &str, size: Size) -> PyResult<Move> {
    match moves(name, size)?.as_slice() {
        &[action] => Ok(action),
        others => Err(wrong("move", format!("{name:?} has {} moves, not one", others.len()))),
    }
}

/// A list of moves such as `f5d6c3`.
pub fn moves(text: &str, size: Size) -> PyResult<Vec<Move>> {
    let vertices = parse_moves(text.as_bytes()).map_err(|error| wrong("move", error))?;
    let outside = || wrong("move", format!("{text:?} has a square outside of a {size} board"));
    vertices.into_iter().map(|vertex| notation::action(vertex, size).ok_or_else(outside)).collect()
}

/// The shipped weights, those of a file, or the hand-made evaluation.
pub fn evaluation(weights: Option<&str>) -> PyResult<Evaluation> {
    weights.map_or(Ok(Evaluation::Shipped), |name| {
        Evaluation::load(name).map_err(|error| PyOSError::new_err(format!("weights: {error}")))
    })
}

/// The limits of a search; seconds are fractions.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct LimitsArgument {
    depth: Option<i64>,
    nodes: Option<i64>,
    level: Option<i64>,
    time: Option<f64>,
    clock: Option<f64>,
    increment: f64,
}

impl LimitsArgument {
    pub fn limits(&self) -> PyResult<Limits> {
        let plies = |argument, given: Option<i64>| {
            let number = |given| match u8::try_from(given) {
                Ok(plies @ 1..=60) => Ok(plies),
                _ => Err(wrong(argument, format!("from 1 to 60 plies, not {given}"))),
            };
            given.map(number).transpose()
        };
        let nodes = self.nodes.map(|nodes| match u64::try_from(nodes) {
            Ok(nodes @ 1..) => Ok(nodes),
            _ => Err(wrong("nodes", format!("at least 1, not {nodes}"))),
        });
        let clock = self.clock.map(|left| {
            let (left, increment) = (seconds("clock", left)?, seconds("increment", self.increment)?);
            Ok::<_, PyErr>(Clock { left, increment, moves: None })
        });
        Ok(Limits {
            depth: plies("depth", self.depth)?,
            nodes: nodes.transpose()?,
            level: plies("level", self.level)?,
            elo: None,
            time: self.time.map(|time| seconds("time", time)).transpose()?,
            clock: clock.transpose()?,
        })
    }
}

fn seconds(argument: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| wrong(argument, format!("a number of seconds from 0 on, not {seconds}")))
}

/// Depth, confidence in percent, whether it is exact, nodes, seconds, and the lines.
pub type IterationTuple = (u8, u8, bool, u64, f64, Vec<(f64, Vec<String>)>);

pub fn iteration_tuple(iteration: &Iteration, size: Size, seconds: f64) -> IterationTuple {
    let lines = iteration.lines.iter().map(|line| (line.score.discs(), notation::names(&line.moves, size)));
    let Iteration { depth, selectivity, exact, nodes, .. } = *iteration;
    (depth, selectivity.percent(), exact, nodes, seconds, lines.collect())
}
