//! The log of solved trees.
//!
//! Each line has the number of a root, its position, the values of its tree and a checksum of everything before it. The
//! values are in preorder, children in board order, separated by commas. Lines may be in any order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

use super::{LossSet, SolvedTree, children};
use crate::board::{Board, Color, Position, Size};
use crate::files::append_log::{AppendLog, AppendLogError, HeaderProblem, LogFormat, LogText, OlderFormat};
use crate::notation;
use crate::rules::Rules;
use crate::search::{Budget, Searcher, Task};
use crate::terminal::progress::CommandProgress;
use crate::training::{parallel, positions};

const FORMAT: LogFormat = LogFormat {
    name: "true values",
    title: "ollehto loss 2",
    older: OlderFormat { title: "ollehto loss 1", has_checksums: true },
};

/// MiB of table for solving.
const HASH: usize = 16;

#[derive(Clone, Debug)]
pub struct LossSetOptions {
    pub rules: Rules,
    /// Roots.
    pub positions: usize,
    /// Empty squares of the roots.
    pub empties: u8,
    /// Depth of the trees.
    pub depth: u8,
    pub seed: u64,
    pub jobs: usize,
    pub out: PathBuf,
}

impl LossSetOptions {
    fn settings(&self) -> String {
        let Self { rules, empties, depth, seed, .. } = self;
        format!("{rules} rules, {empties} empties, depth {depth}, seed {seed}")
    }
}

#[derive(Debug, Error)]
pub enum LossFileError {
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] io::Error),
    #[error(
        "{}: this does not begin with '{}': give a file that `ollehto lab loss make` has written",
        .0.display(), FORMAT.title
    )]
    OtherKind(PathBuf),
    /// Lines are counted from 1.
    #[error(
        "{}, line {}: {}; the `ollehto lab loss make` that made the file leaves the line out and makes it again",
        .0.display(), .1, .2
    )]
    Line(PathBuf, usize, String),
    #[error("{}: there are no positions in it yet; let `ollehto lab loss make` finish it", .0.display())]
    Empty(PathBuf),
    #[error("{0}")]
    Log(#[from] AppendLogError),
}

/// Solves the trees that are not in the log yet. Returns how many these were.
///
/// # Errors
/// If the file cannot be used, or was made with other settings.
pub fn make(options: &LossSetOptions) -> Result<usize, LossFileError> {
    let &LossSetOptions { rules, empties, depth, seed, .. } = options;
    let mut known = BTreeMap::new();
    let mut log = AppendLog::open(&options.out, &FORMAT, &options.settings(), |line| {
        let (number, root) = parse_line(line, rules, empties, depth)?;
        known.insert(number, root);
        Ok(())
    })?;
    let discs = u32::from(Size::Eight.area() - empties);
    let positions = positions::sample(rules, discs, options.positions, seed);
    let boards = positions.iter().map(Position::board);
    let new: Vec<(usize, Board)> =
        boards.enumerate().filter(|(number, _)| !known.contains_key(number)).collect();
    let mut progress = CommandProgress::new("trees", new.len(), 0);
    let solver = || Searcher::new(1, HASH);
    let solve =
        |searcher: &mut Searcher, &(_, board): &(usize, Board)| Some(solve(board, rules, depth, searcher));
    parallel::for_each(&new, options.jobs, solver, solve, |at, tree| {
        progress.advance(1);
        log.append(&line(new[at].0, &tree))
    })?;
    Ok(new.len())
}

/// Solves the leaves of a tree; the other values follow.
fn solve(board: Board, rules: Rules, depth: u8, searcher: &mut Searcher) -> SolvedTree {
    let mut values = Vec::new();
    grow(board, rules, depth, searcher, &mut values);
    SolvedTree { board, values }
}

fn grow(board: Board, rules: Rules, depth: u8, searcher: &mut Searcher, values: &mut Vec<i8>) -> i8 {
    let at = values.len();
    values.push(0);
    let next = children(board);
    values[at] = if next.is_empty() {
        rules.result(board, Size::Eight).0
    } else if depth == 0 {
        true_value(board, rules, searcher)
    } else {
        let below = next.into_iter().map(|child| -grow(child, rules, depth - 1, searcher, values));
        below.fold(i8::MIN, i8::max)
    };
    values[at]
}

/// The side to move does not matter to a value.
fn position(board: Board) -> Position {
    Position::new(board.own(), board.other(), Color::Black, Size::Eight).expect("a board has disjoint discs")
}

pub(super) fn true_value(board: Board, rules: Rules, searcher: &mut Searcher) -> i8 {
    let task = Task::new(position(board), rules);
    searcher.score(&task, &Budget::UNLIMITED).whole_discs_below() as i8
}

fn line(number: usize, root: &SolvedTree) -> String {
    let values: Vec<_> = root.values.iter().map(ToString::to_string).collect();
    format!("{number} {} {}", notation::position_text(&position(root.board)), values.join(","))
}

fn parse_line(line: &str, rules: Rules, empties: u8, depth: u8) -> Result<(usize, SolvedTree), String> {
    let words: Vec<&str> = line.split(' ').collect();
    let &[number, squares, side, values] = words.as_slice() else {
        return Err(format!("{} words where a number, a position and values belong", words.len()));
    };
    let number = number.parse().map_err(|_| format!("'{number}' is no number"))?;
    let position = positions::parse(squares, side)?;
    if position.empties().len() != u32::from(empties) {
        return Err(format!("the position has not {empties} empty squares"));
    }
    let values: Result<Vec<i8>, _> = values.split(',').map(str::parse).collect();
    let root = SolvedTree { board: position.board(), values: values.map_err(|error| error.to_string())? };
    let mut rest = root.values.iter();
    check(root.board, rules, depth, &mut rest).ok_or("the values are not those of a tree")?;
    if rest.len() > 0 {
        return Err("there are more values than the tree has positions".into());
    }
    Ok((number, root))
}

/// The value of a node if there is a value for each node below, and each is that of its best move.
fn check<'a>(board: Board, rules: Rules, depth: u8, values: &mut impl Iterator<Item = &'a i8>) -> Option<i8> {
    let value = *values.next()?;
    let next = children(board);
    let expected = if next.is_empty() {
        rules.result(board, Size::Eight).0
    } else if depth == 0 {
        value
    } else {
        let mut best = i8::MIN;
        for child in next {
            best = best.max(check(child, rules, depth - 1, values)?.checked_neg()?);
        }
        best
    };
    (value == expected && value.unsigned_abs() <= 64).then_some(value)
}

impl LossSet {
    /// Reads a log, which may still grow: an incomplete last line is left out.
    ///
    /// # Errors
    /// If it cannot be read, is another kind of file, or has a line that is not what was written.
    pub fn load(path: &Path) -> Result<Self, LossFileError> {
        let bytes = fs::read(path).map_err(|error| LossFileError::Read(path.to_owned(), error))?;
        let other_kind = || LossFileError::OtherKind(path.to_owned());
        let log = LogText::new(&bytes, &FORMAT).map_err(|problem| match problem {
            HeaderProblem::OtherKind => other_kind(),
            HeaderProblem::Damaged(problem) => LossFileError::Line(path.to_owned(), 1, problem),
        })?;
        let (rules, empties, depth) = parse_settings(log.settings).ok_or_else(other_kind)?;
        let mut roots = BTreeMap::new();
        for (number, _, line) in log.lines() {
            let (place, root) = line
                .and_then(|line| parse_line(line, rules, empties, depth))
                .map_err(|problem| LossFileError::Line(path.to_owned(), number, problem))?;
            roots.insert(place, root);
        }
        if roots.is_empty() {
            return Err(LossFileError::Empty(path.to_owned()));
        }
        Ok(Self { rules, empties, depth, roots: roots.into_values().collect() })
    }
}

/// Rules, empty squares and depth, as [`LossSetOptions::settings`] writes them.
fn parse_settings(text: &str) -> Option<(Rules, u8, u8)> {
    let words: Vec<&str> = text.split(", ").collect();
    let &[rules, empties, depth, _] = words.as_slice() else { return None };
    let rules = rules.strip_suffix(" rules")?.parse().ok()?;
    let empties = empties.strip_suffix(" empties")?.parse().ok()?;
    Some((rules, empties, depth.strip_prefix("depth ")?.parse().ok()?))
}
