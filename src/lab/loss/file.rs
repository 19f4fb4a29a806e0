//! The file of a set of positions with true values.
//!
//! A header names the kind of file, the version of its format and what the set depends on; then there is a line for each
//! root: its number, the position, the values of its tree and a checksum of all before it. The values are those of the
//! root and of every node below, a node before its children, children in board order, with commas between them. A line
//! is written as soon as its tree is solved, so that neither an interrupt nor a kill loses more than the trees under way,
//! and the same command goes on where it was. Lines may stand in any order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use ollehto_protocol::notation::parse_position;

use super::super::work;
use super::{LossSet, Root, children};
use crate::board::{Board, Color, Position, Size};
use crate::files::append_log::{Header, Ledger, LedgerError};
use crate::notation;
use crate::rules::Rules;
use crate::search::{Budget, Control, Searcher, Task};
use crate::training::positions;

/// What every such file begins with; the number is the version of the format.
const TITLE: &str = "ollehto loss 1";

/// Mebibytes of table for solving.
const HASH: usize = 16;

/// A set to make.
#[derive(Clone, Debug)]
pub struct Making {
    /// Who wins.
    pub rules: Rules,
    /// How many roots.
    pub positions: usize,
    /// How many squares they have empty.
    pub empties: u8,
    /// How deep the trees below them are.
    pub depth: u8,
    /// What the roots are drawn from.
    pub seed: u64,
    /// Trees solved at a time.
    pub jobs: usize,
    /// The file.
    pub out: PathBuf,
}

impl Making {
    fn settings(&self) -> String {
        let Self { rules, empties, depth, seed, .. } = self;
        format!("{rules} rules, {empties} empties, depth {depth}, seed {seed}")
    }
}

/// Why there is no set.
#[derive(Debug)]
pub enum LossFileError {
    /// The file cannot be read.
    Read(PathBuf, io::Error),
    /// It is none.
    OtherKind(PathBuf),
    /// A line, counted from 1, is not what it should be.
    Line(PathBuf, usize, String),
    /// It has no roots.
    Empty(PathBuf),
    /// It cannot be made.
    Ledger(LedgerError),
}

impl fmt::Display for LossFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            Self::OtherKind(path) => write!(
                f,
                "{}: this does not begin with '{TITLE}': give a file that `ollehto lab loss make` has written",
                path.display()
            ),
            Self::Line(path, line, problem) => {
                write!(f, "{}, line {line}: {problem}; make the file again", path.display())
            }
            Self::Empty(path) => write!(
                f,
                "{}: there are no positions in it yet; let `ollehto lab loss make` finish it",
                path.display()
            ),
            Self::Ledger(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LossFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(_, error) => Some(error),
            Self::Ledger(error) => Some(error),
            Self::OtherKind(_) | Self::Line(..) | Self::Empty(_) => None,
        }
    }
}

impl From<LedgerError> for LossFileError {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

/// Solves the trees that are not in the file yet and adds them to it. Returns how many were solved.
///
/// # Errors
/// If the file cannot be used, or was made with other settings.
pub fn make(making: &Making) -> Result<usize, LossFileError> {
    let &Making { rules, empties, depth, seed, .. } = making;
    let mut known = BTreeMap::new();
    let header = Header { name: "true values", title: TITLE, settings: making.settings() };
    let mut ledger = Ledger::open(&making.out, &header, |line| {
        let (number, root) = parse_line(line, rules, empties, depth)?;
        known.insert(number, root);
        Ok(())
    })?;
    let discs = u32::from(Size::Eight.area() - empties);
    let positions = positions::sample(rules, discs, making.positions, seed);
    let boards = positions.iter().map(Position::board);
    let open: Vec<(usize, Board)> =
        boards.enumerate().filter(|(number, _)| !known.contains_key(number)).collect();
    let solver = || Searcher::new(1, HASH);
    let solved = |searcher: &mut Searcher, &(_, board): &(usize, Board)| solve(board, rules, depth, searcher);
    work::as_found("trees", &open, making.jobs, solver, solved, |at, root| {
        ledger.append(&line(open[at].0, &root))
    })?;
    Ok(open.len())
}

/// The true values of a tree: its last nodes are solved, and the others follow.
fn solve(board: Board, rules: Rules, depth: u8, searcher: &mut Searcher) -> Root {
    let mut values = Vec::new();
    grow(board, rules, depth, searcher, &mut values);
    Root { board, values }
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

/// A board as a position; who is to move does not matter to its value.
fn position(board: Board) -> Position {
    Position::new(board.own(), board.other(), Color::Black, Size::Eight).expect("a board has disjoint discs")
}

pub(super) fn true_value(board: Board, rules: Rules, searcher: &mut Searcher) -> i8 {
    let control = Control::new(&Budget::UNLIMITED);
    let found = searcher.run(&Task::new(position(board), rules), &control, &mut |_| {}).last;
    let result = || rules.result(board, Size::Eight).0;
    found.lines.first().map_or_else(result, |line| line.score.whole_discs_below() as i8)
}

fn line(number: usize, root: &Root) -> String {
    let values: Vec<_> = root.values.iter().map(ToString::to_string).collect();
    let text = format!("{number} {} {}", notation::position_text(&position(root.board)), values.join(","));
    let sum = crc32fast::hash(text.as_bytes());
    format!("{text} {sum:08x}")
}

fn parse_line(line: &str, rules: Rules, empties: u8, depth: u8) -> Result<(usize, Root), String> {
    let (text, sum) = line.rsplit_once(' ').ok_or("there is no checksum")?;
    if sum != format!("{:08x}", crc32fast::hash(text.as_bytes())) {
        return Err("the checksum is wrong".into());
    }
    let words: Vec<&str> = text.split(' ').collect();
    let &[number, squares, side, values] = words.as_slice() else {
        return Err(format!("{} words where a number, a position and values belong", words.len()));
    };
    let number = number.parse().map_err(|_| format!("'{number}' is no number"))?;
    let text = parse_position(format!("{squares} {side}").as_bytes()).map_err(|error| error.to_string())?;
    let position = notation::position(&text).map_err(|error| error.to_string())?;
    if position.size() != Size::Eight || position.empties().len() != u32::from(empties) {
        return Err(format!("the position has not {empties} empty squares of 8×8"));
    }
    let values: Result<Vec<i8>, _> = values.split(',').map(str::parse).collect();
    let root = Root { board: position.board(), values: values.map_err(|error| error.to_string())? };
    let mut rest = root.values.iter();
    check(root.board, rules, depth, &mut rest).ok_or("the values are not those of a tree")?;
    if rest.len() > 0 {
        return Err("there are more values than the tree has positions".into());
    }
    Ok((number, root))
}

/// The value of a node if there are as many values as nodes below, and every one is that of its best move.
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
    /// Reads a file, which may still grow: a last line that is not whole yet is left out.
    ///
    /// # Errors
    /// If it cannot be read, is another kind of file, or has a line that is not what was written.
    pub fn load(path: &Path) -> Result<Self, LossFileError> {
        let text = fs::read_to_string(path).map_err(|error| LossFileError::Read(path.to_owned(), error))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = (1..).zip(text[..whole].lines());
        let other_kind = || LossFileError::OtherKind(path.to_owned());
        let (_, first) = lines.next().ok_or_else(other_kind)?;
        let settings = first.strip_prefix(TITLE).and_then(|rest| rest.strip_prefix(": "));
        let (rules, empties, depth) = settings.and_then(parse_settings).ok_or_else(other_kind)?;
        let mut roots = BTreeMap::new();
        for (number, line) in lines {
            let (place, root) = parse_line(line, rules, empties, depth)
                .map_err(|problem| LossFileError::Line(path.to_owned(), number, problem))?;
            roots.insert(place, root);
        }
        if roots.is_empty() {
            return Err(LossFileError::Empty(path.to_owned()));
        }
        Ok(Self { rules, empties, depth, roots: roots.into_values().collect() })
    }
}

/// Rules, empty squares and depth, as [`Making::settings`] writes them.
fn parse_settings(text: &str) -> Option<(Rules, u8, u8)> {
    let words: Vec<&str> = text.split(", ").collect();
    let &[rules, empties, depth, _] = words.as_slice() else { return None };
    let rules = rules.strip_suffix(" rules")?.parse().ok()?;
    let empties = empties.strip_suffix(" empties")?.parse().ok()?;
    Some((rules, empties, depth.strip_prefix("depth ")?.parse().ok()?))
}
