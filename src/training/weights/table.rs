//! Weights as a table of comma-separated values, quoted by RFC 4180.
//!
//! ```text
//! empties,shape,pattern,discs
//! ,rules,reversed,
//! ,origin,"20000 games, 617316 positions",
//! 12,tempo,,0.25
//! 12-13,edge,-XXXXXXXX-,1.015625
//! 12-13,own-moves,7,0.5
//! 12-13,hidden-bias,,12 -7 …
//! 12-13,hidden-output,,-310 44 …
//! ,hidden-edge,-XXXXXXXX-,3 0 -12 …
//! ```
//!
//! A row with a single number of empty squares is the value of being to move. The others have a stage, a shape, its
//! squares (X the side to move, O the opponent, - empty) or a number of moves, and the weight. Zero weights are left
//! out, as are all but one of symmetric patterns. A weight is a multiple of 1/64 disc, written in full. The hidden layer
//! has a bias and an output for each stage and a row for each pattern or number of moves: whole numbers, with blanks
//! between.

use std::borrow::Cow;
use std::collections::HashMap;

use thiserror::Error;

use super::{MOVES, UNITS, discs, stage_name};
use crate::eval::pattern::{self, NAMES, SHAPES, TABLE_STARTS, pow3};
use crate::eval::rows::{ROW_LIMIT, WIDTH, has_rows};
use crate::eval::weights::{
    BIAS_LIMIT, MAX_ORIGIN_BYTES, MOBILITY_WEIGHTS, OUTPUT_LIMIT, PackedNetwork, PackedWeights, STAGES,
};
use crate::rules::Rules;
use crate::terminal::table::{csv_text, from_csv_text};

const COLUMNS: [&str; 4] = ["empties", "shape", "pattern", "discs"];

/// Why a text is no table of weights; lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct TableError {
    pub line: usize,
    pub problem: TableProblem,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableProblem {
    #[error("a table of weights begins with the line {}", COLUMNS.join(","))]
    Heading,
    #[error("{} fields, but a line has {}", .0, COLUMNS.len())]
    Fields(usize),
    #[error("a quotation mark is missing or out of place: write two within a text")]
    Quotes,
    #[error("rules \"{0}\": write reversed or standard")]
    Rules(String),
    #[error("the origin is too long: {MAX_ORIGIN_BYTES} bytes at most")]
    LongOrigin,
    #[error("the rules are missing: add a line \",rules,reversed,\" or standard")]
    NoRules,
    #[error("shape \"{}\": there are tempo, {}, {}", .0, MOVES.join(", "), NAMES.join(", "))]
    Shape(String),
    #[error(
        "empties \"{}\": a stage such as {} or {}, or for tempo a number below 64",
        .0, stage_name(0), stage_name(STAGES - 1)
    )]
    Empties(String),
    #[error("pattern \"{0}\": one of X, O and - for each square of the shape")]
    Pattern(String),
    #[error("moves \"{0}\": a number below {MOBILITY_WEIGHTS}")]
    Moves(String),
    #[error("shape \"{0}\" has no rows in the hidden layer")]
    NoRows(String),
    #[error(
        "\"{0}\": {WIDTH} whole numbers with blanks between, those of a row from -{ROW_LIMIT} to {ROW_LIMIT}"
    )]
    Numbers(String),
    #[error("weight \"{0}\": a multiple of 1/{UNITS} disc between -512 and 511.984375")]
    Weight(String),
    /// An earlier line has another weight for the same pattern or a symmetric one.
    #[error("this contradicts line {0}: keep one of them")]
    Again(usize),
}

/// Digits: a disc of the opponent, an empty square, a disc of the side to move.
const SIGNS: [char; 3] = ['O', '-', 'X'];

/// The digits of a pattern, one for each square of its shape.
pub(super) fn digits(shape: usize, number: usize) -> impl Iterator<Item = usize> {
    (0..SHAPES[shape].len()).map(move |digit| number / pow3(digit) % 3)
}

fn pattern_text(shape: usize, number: usize) -> String {
    digits(shape, number).map(|digit| SIGNS[digit]).collect()
}

/// None if the text is no pattern of the shape.
fn pattern_number(shape: usize, text: &str) -> Option<usize> {
    if text.len() != SHAPES[shape].len() {
        return None;
    }
    let place = |sign| SIGNS.iter().position(|&other| other == sign);
    text.chars().zip(0..).map(|(sign, digit)| Some(place(sign)? * pow3(digit))).sum()
}

/// The row of the pattern or number of moves whose weights are at some place of each stage; none if its shape has none.
fn row_of_place(place: usize) -> Option<usize> {
    let ranges = pattern::unique_weight_ranges();
    let without = ranges.iter().enumerate().filter(|&(shape, _)| !has_rows(shape)).map(|(_, range)| range);
    let mut before = 0;
    for range in without {
        if range.contains(&place) {
            return None;
        }
        before += if range.end <= place { range.len() } else { 0 };
    }
    Some(place - before)
}

/// Before the names of what belongs to the hidden layer.
const HIDDEN: &str = "hidden-";

/// The names of what a stage has of the hidden layer.
const BIAS: &str = "bias";
const OUTPUT: &str = "output";

fn numbers_text<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn network_text(network: &PackedNetwork) -> String {
    let mut text = String::new();
    for (stage, output) in network.outputs.iter().enumerate() {
        let empties = stage_name(stage);
        text += &format!("{empties},{HIDDEN}{BIAS},,{}\n", numbers_text(&output.bias));
        text += &format!("{empties},{HIDDEN}{OUTPUT},,{}\n", numbers_text(&output.weights));
    }
    for (place, name, squares) in places() {
        let row = row_of_place(place).map(|row| &network.rows[row]);
        if let Some(row) = row.filter(|row| row.iter().any(|&number| number != 0)) {
            text += &format!(",{HIDDEN}{name},{squares},{}\n", numbers_text(row));
        }
    }
    text
}

/// The unique weights of a stage in order: place, shape or side, and pattern or number of moves.
fn places() -> impl Iterator<Item = (usize, &'static str, String)> {
    let canonical = pattern::canonical_indices();
    let patterns = NAMES.into_iter().enumerate().flat_map(|(shape, name)| {
        let numbers = (0..pow3(SHAPES[shape].len())).map(move |number| (shape, name, number));
        numbers.map(|(shape, name, number)| {
            (canonical[TABLE_STARTS[shape] + number] as usize, name, pattern_text(shape, number))
        })
    });
    // The first of symmetric patterns has the next unique weight.
    let firsts = patterns.scan(0, |next, (place, name, squares)| {
        let is_first = place == *next;
        *next += usize::from(is_first);
        Some(is_first.then_some((place, name, squares)))
    });
    let moves = MOVES.into_iter().enumerate().flat_map(|(side, name)| {
        let first = pattern::unique_weights() + side * MOBILITY_WEIGHTS;
        (0..MOBILITY_WEIGHTS).map(move |moves| (first + moves, name, moves.to_string()))
    });
    firsts.flatten().chain(moves)
}

pub(super) fn text(packed: &PackedWeights) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    text += &format!(
        ",rules,{},\n,origin,\"{}\",\n",
        packed.rules,
        csv_text(&packed.origin).replace('"', "\"\"")
    );
    for (empties, &weight) in packed.tempo.iter().enumerate().filter(|&(_, &weight)| weight != 0) {
        text += &format!("{empties},tempo,,{}\n", discs(weight));
    }
    for (stage, weights) in packed.stages.iter().enumerate() {
        let empties = stage_name(stage);
        for (place, name, squares) in places().filter(|&(place, ..)| weights[place] != 0) {
            text += &format!("{empties},{name},{squares},{}\n", discs(weights[place]));
        }
    }
    text + &packed.network.as_ref().map(network_text).unwrap_or_default()
}

pub(super) fn parse(text: &str) -> Result<PackedWeights, TableError> {
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
    Ok(PackedWeights { rules, ..reading.packed })
}

struct TableParser {
    packed: PackedWeights,
    rules: Option<Rules>,
    canonical: &'static [u32],
    stages: HashMap<String, usize>,
    /// The line of each weight, 0 if none: tempo, then stage after stage.
    lines: Vec<u32>,
}

impl TableParser {
    fn new() -> Self {
        let canonical = pattern::canonical_indices();
        let lines = vec![0; 64 + STAGES * PackedWeights::stage_length()];
        let stages = (0..STAGES).map(|stage| (stage_name(stage), stage)).collect();
        Self { packed: PackedWeights::zeroes(Rules::default()), rules: None, canonical, stages, lines }
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
            "origin" if squares.len() > MAX_ORIGIN_BYTES => Err(TableProblem::LongOrigin),
            "origin" => {
                from_csv_text(squares).clone_into(&mut self.packed.origin);
                Ok(())
            }
            "tempo" => {
                let ply = empties.parse().ok().filter(|&ply: &usize| ply < 64);
                let ply = ply.ok_or_else(|| TableProblem::Empties(empties.into()))?;
                let weight = units(weight)?;
                self.note(ply, line, self.packed.tempo[ply] == weight)?;
                self.packed.tempo[ply] = weight;
                Ok(())
            }
            _ if let Some(name) = shape.strip_prefix(HIDDEN) => {
                self.take_hidden(empties, name, squares, weight)
            }
            _ => {
                let place = self.place(shape, squares)?;
                let stage = self.stage(empties)?;
                let weight = units(weight)?;
                let (length, known) = (self.packed.stages[stage].len(), self.packed.stages[stage][place]);
                self.note(64 + stage * length + place, line, known == weight)?;
                self.packed.stages[stage][place] = weight;
                Ok(())
            }
        }
    }

    /// A row of the hidden layer, or what a stage has of it. The last of several counts.
    fn take_hidden(
        &mut self,
        empties: &str,
        name: &str,
        squares: &str,
        numbers: &str,
    ) -> Result<(), TableProblem> {
        let wrong = || TableProblem::Numbers(numbers.into());
        let stage = [BIAS, OUTPUT].contains(&name).then(|| self.stage(empties)).transpose()?;
        let place = if stage.is_none() { Some(self.place(name, squares)?) } else { None };
        let network = self.packed.network.get_or_insert_with(PackedNetwork::zeroes);
        if let Some(stage) = stage {
            let output = &mut network.outputs[stage];
            let (all, limit) = match name {
                BIAS => (&mut output.bias, BIAS_LIMIT),
                _ => (&mut output.weights, OUTPUT_LIMIT),
            };
            *all = numbers_of(numbers, limit).ok_or_else(wrong)?;
        } else if let Some(row) = place.and_then(row_of_place) {
            let row = &mut network.rows[row];
            *row = numbers_of(numbers, ROW_LIMIT.into()).ok_or_else(wrong)?;
        } else {
            return Err(TableProblem::NoRows(name.into()));
        }
        Ok(())
    }

    fn stage(&self, empties: &str) -> Result<usize, TableProblem> {
        self.stages.get(empties).copied().ok_or_else(|| TableProblem::Empties(empties.into()))
    }

    /// The index in its stage of the weight of a pattern or a number of moves.
    fn place(&self, shape: &str, squares: &str) -> Result<usize, TableProblem> {
        if let Some(side) = MOVES.iter().position(|&name| name == shape) {
            let moves = squares.parse().ok().filter(|&moves: &usize| moves < MOBILITY_WEIGHTS);
            let moves = moves.ok_or_else(|| TableProblem::Moves(squares.into()))?;
            return Ok(pattern::unique_weights() + side * MOBILITY_WEIGHTS + moves);
        }
        let named = NAMES.iter().position(|&name| name == shape);
        let shape = named.ok_or_else(|| TableProblem::Shape(shape.into()))?;
        let number = pattern_number(shape, squares).ok_or_else(|| TableProblem::Pattern(squares.into()))?;
        Ok(self.canonical[TABLE_STARTS[shape] + number] as usize)
    }

    /// A weight may be repeated, but not contradicted.
    fn note(&mut self, weight: usize, line: usize, same: bool) -> Result<(), TableProblem> {
        match self.lines[weight] {
            before if before > 0 && !same => Err(TableProblem::Again(before as usize)),
            _ => {
                self.lines[weight] = line as u32;
                Ok(())
            }
        }
    }
}

/// Numbers from -`limit` to `limit`.
fn numbers_of<T: TryFrom<i16>>(text: &str, limit: i16) -> Option<[T; WIDTH]> {
    let number = |word: &str| word.parse().ok().filter(|number| (-limit..=limit).contains(number));
    let numbers: Option<Vec<T>> =
        text.split_whitespace().map(|word| T::try_from(number(word)?).ok()).collect();
    numbers?.try_into().ok()
}

/// Discs as a weight.
fn units(text: &str) -> Result<i16, TableProblem> {
    let units = text.parse().ok().map(|discs: f64| discs * UNITS);
    let range = f64::from(i16::MIN)..=f64::from(i16::MAX);
    let units = units.filter(|units| units.fract() == 0.0 && range.contains(units));
    units.map(|units| units as i16).ok_or_else(|| TableProblem::Weight(text.into()))
}

type Fields<'a> = Vec<Cow<'a, str>>;

/// A quoted field may have several lines.
struct CsvRows<'a> {
    rest: &'a str,
    /// Of `rest`.
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

    fn some() -> PackedWeights {
        let mut random = Random::new(5);
        let origin = "=a \"test\",\nof two lines".into();
        let mut packed = PackedWeights { origin, ..PackedWeights::zeroes(Rules::Standard) };
        for weight in packed.tempo.iter_mut().chain(packed.stages.iter_mut().flatten().step_by(997)) {
            *weight = random.draw() as i16;
        }
        packed.stages.iter_mut().for_each(|stage| *stage.last_mut().expect("moves") = 7);
        let mut network = PackedNetwork::zeroes();
        for number in network.rows.iter_mut().flatten().step_by(1009) {
            *number = random.draw() as i8 / 3;
        }
        network.outputs[3].bias[5] = -300;
        network.outputs[26].weights[31] = OUTPUT_LIMIT;
        packed.network = Some(network);
        packed
    }

    #[test]
    fn tables_survive_a_round_trip() {
        let packed = some();
        let written = text(&packed);
        assert_eq!(parse(&written), Ok(packed.clone()));
        // As other programs write it.
        assert_eq!(parse(&written.replace("\n", "\r\n")).map(|read| read.stages), Ok(packed.stages));
        let zeroes = PackedWeights::zeroes(Rules::Reversed);
        assert_eq!(parse(&text(&zeroes)), Ok(zeroes));
    }

    #[test]
    fn errors_name_their_line() {
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
        let numbers = ["1"; WIDTH].join(" ");
        assert_eq!(problem(&format!(",hidden-edge,-X--------,{numbers}\n")), Ok(Rules::Reversed));
        let without = Err((3, TableProblem::NoRows("angle".into())));
        assert_eq!(problem(&format!(",hidden-angle,-X--------,{numbers}\n")), without);
        for wrong in [&numbers[2..], &numbers.replacen('1', "64", 1), &numbers.replacen('1', "x", 1)] {
            let expected = Err((3, TableProblem::Numbers(wrong.into())));
            assert_eq!(problem(&format!(",hidden-edge,-X--------,{wrong}\n")), expected);
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

    #[test]
    fn pattern_texts_and_numbers_are_inverse() {
        for (shape, squares) in SHAPES.iter().enumerate() {
            for n in (0..pow3(squares.len())).step_by(7) {
                assert_eq!(pattern_number(shape, &pattern_text(shape, n)), Some(n));
            }
            assert_eq!(pattern_text(shape, pow3(squares.len()) / 2), "-".repeat(squares.len()));
        }
        assert_eq!(pattern_text(11, 1 + 6), "-XOO");
        for wrong in ["", "-XO", "-XO--", "-xO-", "-XÖ"] {
            assert_eq!(pattern_number(11, wrong), None);
        }
    }
}
