//! Weights as a table of comma-separated values, quoted by RFC 4180.
//!
//! ```text
//! empties,shape,pattern,discs
//! ,rules,reversed,
//! ,origin,"20000 games, 617316 positions",
//! 12,tempo,,0.25
//! 12-13,edge,-XXXXXXXX-,1.015625
//! 12-13,own-moves,7,0.5
//! ```
//!
//! A row with one number of empty squares tells what being to move is worth; the others have a stage, a shape, its
//! squares (X the player to move, O the opponent, - empty), or a number of moves of either side, and the weight. Weights of zero are left out, and of mirror
//! images only one is named. Discs are written in full: a weight is a whole number of 1/64 discs.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error;
use std::fmt;

use super::{MOVES, UNITS, discs, patterns, stage_name};
use crate::eval::pattern::{self, NAMES, OFFSETS, SHAPES, numbers};
use crate::eval::weights::{LONGEST_ORIGIN, MOBILITIES, Packed, STAGES};
use crate::rules::Rules;

const COLUMNS: [&str; 4] = ["empties", "shape", "pattern", "discs"];

/// Why a text is no table of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: TableProblem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableProblem {
    /// The first line does not name the columns.
    Heading,
    /// It does not have four fields.
    Fields(usize),
    /// A quotation mark is missing or out of place.
    Quotes,
    /// The rules are none that there are.
    Rules(String),
    /// The origin is too long.
    LongOrigin,
    /// Nobody has said for which rules the weights are.
    NoRules,
    /// There is no such shape.
    Shape(String),
    /// There is no such stage or number of empty squares.
    Empties(String),
    /// The pattern is none of its shape.
    Pattern(String),
    /// There is no such number of moves.
    Moves(String),
    /// The weight is no number of discs that a file can hold.
    Weight(String),
    /// An earlier line has said otherwise, of the same or of its mirror image.
    Again(usize),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            TableProblem::Heading => {
                write!(f, "a table of weights begins with the line {}", COLUMNS.join(","))
            }
            TableProblem::Fields(count) => write!(f, "{count} fields, but a line has {}", COLUMNS.len()),
            TableProblem::Quotes => {
                f.write_str("a quotation mark is missing or out of place: write two within a text")
            }
            TableProblem::Rules(text) => write!(f, "rules \"{text}\": write reversed or standard"),
            TableProblem::LongOrigin => write!(f, "the origin is too long: {LONGEST_ORIGIN} bytes at most"),
            TableProblem::NoRules => {
                f.write_str("the rules are missing: add a line \",rules,reversed,\" or standard")
            }
            TableProblem::Shape(text) => {
                write!(f, "shape \"{text}\": there are tempo, {}, {}", MOVES.join(", "), NAMES.join(", "))
            }
            TableProblem::Empties(text) => write!(
                f,
                "empties \"{text}\": a stage such as {} or {}, or for tempo a number below 64",
                stage_name(0),
                stage_name(STAGES - 1)
            ),
            TableProblem::Pattern(text) => {
                write!(f, "pattern \"{text}\": one of X, O and - for each square of the shape")
            }
            TableProblem::Moves(text) => write!(f, "moves \"{text}\": a number below {MOBILITIES}"),
            TableProblem::Weight(text) => {
                write!(f, "weight \"{text}\": a multiple of 1/{UNITS} disc between -512 and 511.984375")
            }
            TableProblem::Again(line) => write!(f, "this says otherwise than line {line}: keep one of them"),
        }
    }
}

impl Error for TableError {}

/// Weights as text.
pub(super) fn text(packed: &Packed) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    text += &format!(",rules,{},\n,origin,\"{}\",\n", packed.rules, packed.origin.replace('"', "\"\""));
    for (empties, &weight) in packed.tempo.iter().enumerate().filter(|&(_, &weight)| weight != 0) {
        text += &format!("{empties},tempo,,{}\n", discs(weight));
    }
    let ties = pattern::ties();
    for (stage, weights) in packed.stages.iter().enumerate() {
        let empties = stage_name(stage);
        let mut next = 0;
        for (shape, name) in NAMES.into_iter().enumerate() {
            for number in 0..numbers(SHAPES[shape].len()) {
                let tie = ties[OFFSETS[shape] + number] as usize;
                // The first of some mirror images has the next of the different weights.
                if tie == next {
                    next += 1;
                    if weights[tie] != 0 {
                        let squares = patterns::text(shape, number);
                        text += &format!("{empties},{name},{squares},{}\n", discs(weights[tie]));
                    }
                }
            }
        }
        for (number, &weight) in weights[next..].iter().enumerate().filter(|&(_, &weight)| weight != 0) {
            let (side, moves) = (MOVES[number / MOBILITIES], number % MOBILITIES);
            text += &format!("{empties},{side},{moves},{}\n", discs(weight));
        }
    }
    text
}

/// Reads such a text.
///
/// # Errors
/// If anything in it is not as it should be.
pub(super) fn parse(text: &str) -> Result<Packed, TableError> {
    let mut reading = TableParser::new();
    let mut rows = CsvRows { rest: text, line: 1 };
    let mut heading = true;
    while let Some((line, row)) = rows.next_row()? {
        let at = |problem| TableError { line, problem };
        let fields: Result<[_; COLUMNS.len()], _> = row.try_into();
        let fields = fields.map_err(|row: Vec<_>| {
            at(if heading { TableProblem::Heading } else { TableProblem::Fields(row.len()) })
        })?;
        if !heading {
            reading.take(line, fields.each_ref().map(AsRef::as_ref)).map_err(at)?;
        } else if fields != COLUMNS {
            return Err(at(TableProblem::Heading));
        }
        heading = false;
    }
    let at = |problem| TableError { line: rows.line, problem };
    if heading {
        return Err(at(TableProblem::Heading));
    }
    let rules = reading.rules.ok_or(at(TableProblem::NoRules))?;
    Ok(Packed { rules, ..reading.packed })
}

/// What was read so far.
struct TableParser {
    packed: Packed,
    rules: Option<Rules>,
    ties: &'static [u32],
    stages: HashMap<String, usize>,
    /// The line that has said each weight: those of being to move, then stage after stage.
    said: Vec<u32>,
}

impl TableParser {
    fn new() -> Self {
        let ties = pattern::ties();
        let said = vec![0; 64 + STAGES * Packed::stage_length()];
        let stages = (0..STAGES).map(|stage| (stage_name(stage), stage)).collect();
        Self { packed: Packed::zeroes(Rules::default()), rules: None, ties, stages, said }
    }

    fn take(
        &mut self,
        line: usize,
        [empties, shape, squares, weight]: [&str; 4],
    ) -> Result<(), TableProblem> {
        match shape {
            "rules" => {
                let rules = Rules::ALL.into_iter();
                let named = rules.into_iter().find(|rules| rules.to_string() == squares);
                self.rules = Some(named.ok_or_else(|| TableProblem::Rules(squares.into()))?);
                Ok(())
            }
            "origin" if squares.len() > LONGEST_ORIGIN => Err(TableProblem::LongOrigin),
            "origin" => {
                squares.clone_into(&mut self.packed.origin);
                Ok(())
            }
            "tempo" => {
                let ply = empties.parse().ok().filter(|&ply: &usize| ply < 64);
                let ply = ply.ok_or_else(|| TableProblem::Empties(empties.into()))?;
                let weight = units(weight)?;
                self.say(ply, line, self.packed.tempo[ply] == weight)?;
                self.packed.tempo[ply] = weight;
                Ok(())
            }
            _ => {
                let place = self.place(shape, squares)?;
                let stage = *self.stages.get(empties).ok_or_else(|| TableProblem::Empties(empties.into()))?;
                let weight = units(weight)?;
                let (length, known) = (self.packed.stages[stage].len(), self.packed.stages[stage][place]);
                self.say(64 + stage * length + place, line, known == weight)?;
                self.packed.stages[stage][place] = weight;
                Ok(())
            }
        }
    }

    /// Where the weight of a pattern or of a number of moves is in its stage.
    fn place(&self, shape: &str, squares: &str) -> Result<usize, TableProblem> {
        if let Some(side) = MOVES.iter().position(|&name| name == shape) {
            let moves = squares.parse().ok().filter(|&moves: &usize| moves < MOBILITIES);
            let moves = moves.ok_or_else(|| TableProblem::Moves(squares.into()))?;
            return Ok(pattern::different() + side * MOBILITIES + moves);
        }
        let named = NAMES.iter().position(|&name| name == shape);
        let shape = named.ok_or_else(|| TableProblem::Shape(shape.into()))?;
        let number = patterns::number(shape, squares).ok_or_else(|| TableProblem::Pattern(squares.into()))?;
        Ok(self.ties[OFFSETS[shape] + number] as usize)
    }

    /// A weight may be said twice, but not in two ways.
    fn say(&mut self, weight: usize, line: usize, same: bool) -> Result<(), TableProblem> {
        match self.said[weight] {
            before if before > 0 && !same => Err(TableProblem::Again(before as usize)),
            _ => {
                self.said[weight] = line as u32;
                Ok(())
            }
        }
    }
}

/// A number of discs as a weight.
fn units(text: &str) -> Result<i16, TableProblem> {
    let units = text.parse().ok().map(|discs: f64| discs * UNITS);
    let range = f64::from(i16::MIN)..=f64::from(i16::MAX);
    let units = units.filter(|units| units.fract() == 0.0 && range.contains(units));
    units.map(|units| units as i16).ok_or_else(|| TableProblem::Weight(text.into()))
}

/// The fields of a row.
type Fields<'a> = Vec<Cow<'a, str>>;

/// The rows of a text; a quoted field may go over several lines.
struct CsvRows<'a> {
    rest: &'a str,
    /// The line that comes next.
    line: usize,
}

impl<'a> CsvRows<'a> {
    fn next_row(&mut self) -> Result<Option<(usize, Fields<'a>)>, TableError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let line = self.line;
        let mut fields = Vec::with_capacity(COLUMNS.len());
        loop {
            fields.push(self.field()?);
            if let Some(rest) = self.rest.strip_prefix(',') {
                self.rest = rest;
            } else {
                self.rest = self.rest.strip_prefix('\r').unwrap_or(self.rest);
                self.rest = self.rest.strip_prefix('\n').unwrap_or(self.rest);
                self.line += 1;
                return Ok(Some((line, fields)));
            }
        }
    }

    /// A field, up to the comma or the end of the line behind it.
    fn field(&mut self) -> Result<Cow<'a, str>, TableError> {
        let error = TableError { line: self.line, problem: TableProblem::Quotes };
        let Some(quoted) = self.rest.strip_prefix('"') else {
            let end = self.rest.find([',', '\r', '\n', '"']).unwrap_or(self.rest.len());
            let (field, rest) = self.rest.split_at(end);
            self.rest = rest;
            return if rest.starts_with('"') { Err(error) } else { Ok(field.into()) };
        };
        let mut field = String::new();
        let mut rest = quoted;
        loop {
            let (part, behind) = rest.split_once('"').ok_or(error.clone())?;
            field += part;
            rest = behind;
            match rest.strip_prefix('"') {
                Some(more) => {
                    field.push('"');
                    rest = more;
                }
                None if rest.is_empty() || rest.starts_with([',', '\r', '\n']) => break,
                None => return Err(error),
            }
        }
        self.line += field.matches('\n').count();
        self.rest = rest;
        Ok(field.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn some() -> Packed {
        let mut random = Random::new(5);
        let origin = "a \"test\",\nof two lines".into();
        let mut packed = Packed { origin, ..Packed::zeroes(Rules::Standard) };
        for weight in packed.tempo.iter_mut().chain(packed.stages.iter_mut().flatten().step_by(997)) {
            *weight = random.draw() as i16;
        }
        packed.stages.iter_mut().for_each(|stage| *stage.last_mut().expect("moves") = 7);
        packed
    }

    #[test]
    fn what_was_written_is_read() {
        let packed = some();
        let written = text(&packed);
        assert_eq!(parse(&written), Ok(packed.clone()));
        // As other programs write it.
        assert_eq!(parse(&written.replace("\n", "\r\n")).map(|read| read.stages), Ok(packed.stages));
        let zeroes = Packed::zeroes(Rules::Reversed);
        assert_eq!(parse(&text(&zeroes)), Ok(zeroes));
    }

    #[test]
    fn anything_else_is_refused_with_its_line() {
        let problem = |rows: &str| {
            let error = parse(&format!("empties,shape,pattern,discs\n,rules,reversed,\n{rows}"));
            error.map(|packed| packed.rules).map_err(|error| (error.line, error.problem))
        };
        assert_eq!(problem(""), Ok(Rules::Reversed));
        assert_eq!(problem("0-1,edge,-X--------,1.5\n"), Ok(Rules::Reversed));
        assert_eq!(problem("0-1,edge,-X--------\n"), Err((3, TableProblem::Fields(3))));
        assert_eq!(problem("0-1,side,-X--------,1\n"), Err((3, TableProblem::Shape("side".into()))));
        assert_eq!(problem("1-2,edge,-X--------,1\n"), Err((3, TableProblem::Empties("1-2".into()))));
        assert_eq!(problem("64,tempo,,1\n"), Err((3, TableProblem::Empties("64".into()))));
        assert_eq!(problem("0-1,edge,-X-------,1\n"), Err((3, TableProblem::Pattern("-X-------".into()))));
        assert_eq!(problem("0-1,own-moves,40,1\n"), Err((3, TableProblem::Moves("40".into()))));
        for weight in ["", "x", "0.01", "512", "-513", "inf", "NaN"] {
            let expected = Err((3, TableProblem::Weight(weight.into())));
            assert_eq!(problem(&format!("0-1,edge,-X--------,{weight}\n")), expected);
        }
        assert_eq!(problem(",rules,othello,\n"), Err((3, TableProblem::Rules("othello".into()))));
        assert_eq!(problem(",origin,\"a,\n"), Err((3, TableProblem::Quotes)));
        assert_eq!(problem(",origin,a\"b\",\n"), Err((3, TableProblem::Quotes)));
        assert_eq!(problem(&format!(",origin,{},\n", "a".repeat(65536))), Err((3, TableProblem::LongOrigin)));
        // The edge and its mirror image: the squares beside the corners, and the corners.
        assert_eq!(problem("0-1,edge,XX--------,1\n0-1,edge,--------XX,1\n"), Ok(Rules::Reversed));
        assert_eq!(
            problem("0-1,edge,XX--------,1\n\"0-1\",edge,--------XX,2\n"),
            Err((4, TableProblem::Again(3)))
        );
        assert_eq!(parse("").map_err(|error| error.problem), Err(TableProblem::Heading));
        assert_eq!(parse("a,b\n").map_err(|error| error.problem), Err(TableProblem::Heading));
        let without = parse("empties,shape,pattern,discs\n").map_err(|error| error.problem);
        assert_eq!(without, Err(TableProblem::NoRules));
    }
}
