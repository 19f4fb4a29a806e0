//! The log of judged families.
//!
//! Each line has the number of a family among those with as many empty squares, the parent, its moves with their values
//! and a checksum of everything before it. Lines may be in any order.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use thiserror::Error;

use super::parents::{self, UnjudgedFamily};
use super::{Family, JudgedMove};
use crate::bench::evaluation_fingerprint;
use crate::board::{Move, Position, Square};
use crate::eval::Evaluation;
use crate::files::append_log::{
    AppendLog, AppendLogError, HeaderProblem, LogFormat, LogText, OlderFormat, first_line,
};
use crate::files::checksum::with_checksum;
use crate::lab::each;
use crate::notation;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Budget, SearchMode, Searcher, Task};
use crate::selectivity::Selectivity;
use crate::terminal::progress::CommandProgress;
use crate::training::{parallel, positions};

const FORMAT: LogFormat = LogFormat {
    name: "judged moves",
    title: "ollehto judge 2",
    older: OlderFormat { title: "ollehto judge 1", has_checksums: true },
};

/// MiB of table for the values; it is cleared before every family.
const HASH: usize = 64;

/// What the values depend on. Bands and numbers of families are not part of it: more can be added later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgeSettings {
    pub rules: Rules,
    /// The most empty squares after a move with which it is solved.
    pub exact: u8,
    /// Of the searches of all others, from the position after the move.
    pub depth: u8,
    /// Of their last iteration.
    pub confidence: Selectivity,
    /// The most moves of a family.
    pub siblings: u8,
    pub seed: u64,
    /// Fingerprint.
    pub evaluation: u32,
}

impl fmt::Display for JudgeSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, exact, depth, confidence, siblings, seed, evaluation } = self;
        write!(f, "{rules} rules, exact {exact}, depth {depth}, confidence {}, ", confidence.percent())?;
        write!(f, "siblings {siblings}, seed {seed}, evaluation {evaluation:08x}")
    }
}

impl JudgeSettings {
    /// As they are displayed.
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(", ").collect();
        let &[rules, exact, depth, confidence, siblings, seed, evaluation] = words.as_slice() else {
            return None;
        };
        Some(Self {
            rules: rules.strip_suffix(" rules")?.parse().ok()?,
            exact: exact.strip_prefix("exact ")?.parse().ok()?,
            depth: depth.strip_prefix("depth ")?.parse().ok()?,
            confidence: Selectivity::from_percent(confidence.strip_prefix("confidence ")?.parse().ok()?)?,
            siblings: siblings.strip_prefix("siblings ")?.parse().ok()?,
            seed: seed.strip_prefix("seed ")?.parse().ok()?,
            evaluation: u32::from_str_radix(evaluation.strip_prefix("evaluation ")?, 16).ok()?,
        })
    }
}

#[derive(Clone, Debug)]
pub struct JudgeSetOptions {
    pub rules: Rules,
    /// Empty squares of the parents.
    pub bands: Vec<u8>,
    /// For each band.
    pub families: u32,
    pub siblings: u8,
    pub exact: u8,
    pub depth: u8,
    pub confidence: Selectivity,
    pub seed: u64,
    pub jobs: usize,
    pub out: PathBuf,
}

impl JudgeSetOptions {
    fn settings(&self) -> JudgeSettings {
        let &Self { rules, exact, depth, confidence, siblings, seed, .. } = self;
        let evaluation = evaluation_fingerprint(&Evaluation::Shipped, &[rules]);
        JudgeSettings { rules, exact, depth, confidence, siblings, seed, evaluation }
    }
}

#[derive(Debug, Error)]
pub enum JudgeFileError {
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] io::Error),
    #[error(
        "{}: this does not begin with '{}': give a file that `ollehto lab judge make` has written",
        .0.display(), FORMAT.title
    )]
    OtherKind(PathBuf),
    /// Lines are counted from 1.
    #[error(
        "{}, line {}: {}; the `ollehto lab judge make` that made the file leaves the line out and makes it again",
        .0.display(), .1, .2
    )]
    Line(PathBuf, usize, String),
    #[error("{}: there are no positions in it yet; let `ollehto lab judge make` go on", .0.display())]
    Empty(PathBuf),
    #[error("{0}")]
    Log(#[from] AppendLogError),
}

/// Empty squares of the parent and number among those with as many.
pub type FamilyKey = (u8, u32);

/// Judges the families that are not in the log yet, band by band in turn. Returns how many these were.
///
/// # Errors
/// If the file cannot be used, or was made with other settings.
pub fn make(options: &JudgeSetOptions) -> Result<usize, JudgeFileError> {
    let settings = options.settings();
    let mut known = HashMap::new();
    let mut log = AppendLog::open(&options.out, &FORMAT, &settings.to_string(), |line| {
        let (key, family) = parse_line(line)?;
        known.insert(key, family);
        Ok(())
    })?;
    let drawn = each("bands", &options.bands, options.jobs, |&empties| {
        parents::draw(settings.rules, empties, options.families, settings.siblings.into(), settings.seed)
    });
    // Bands take turns: an incomplete set has all of them, and the time to go can be estimated.
    let mut all: Vec<UnjudgedFamily> = drawn.into_iter().flatten().collect();
    all.sort_by_key(|family| family.number);
    let new: Vec<_> = all.iter().filter(|family| !known.contains_key(&key(family))).collect();
    let mut progress = CommandProgress::new("families", all.len(), all.len() - new.len()).with_lines();
    let (begun, mut done) = (Instant::now(), 0);
    let searcher = || Searcher::new(1, HASH).batch();
    let judge = |searcher: &mut Searcher, family: &&UnjudgedFamily| Some(judge(searcher, family, &settings));
    parallel::for_each(&new, options.jobs, searcher, judge, |at, family| {
        done += 1;
        let left = begun.elapsed().mul_f64((new.len() - done) as f64 / done as f64);
        progress.advance_to(1, format_args!("{} to go", minutes(left)));
        log.append(&line(new[at].number, &family))
    })?;
    Ok(new.len())
}

fn minutes(time: Duration) -> String {
    format!("{} min", time.as_secs().div_ceil(60))
}

fn key(family: &UnjudgedFamily) -> FamilyKey {
    (family.parent.empties().len() as u8, family.number)
}

fn judge(searcher: &mut Searcher, family: &UnjudgedFamily, settings: &JudgeSettings) -> Family {
    // A value must not depend on earlier families. Siblings share what they have in common.
    searcher.clear();
    let judge_move = |&square: &Square| {
        let child = family.parent.play(Move::Place(square))?;
        Some(JudgedMove { square, value: -deep_value(searcher, child, settings) })
    };
    Family { parent: family.parent, moves: family.moves.iter().filter_map(judge_move).collect() }
}

/// For the side to move.
pub(super) fn deep_value(searcher: &mut Searcher, position: Position, settings: &JudgeSettings) -> Score {
    let mode = SearchMode::Confident(settings.confidence);
    let solves = position.empties().len() <= settings.exact.into();
    let depth = if solves { None } else { Some(settings.depth) };
    let task = Task { mode, ..Task::new(position, settings.rules) };
    searcher.score(&task, &Budget { depth, ..Budget::UNLIMITED })
}

pub(super) fn line(number: u32, family: &Family) -> String {
    let judged = |judged: &JudgedMove| format!("{}:{}", judged.square, judged.value.units());
    let moves: Vec<_> = family.moves.iter().map(judged).collect();
    format!("{number} {} {}", notation::position_text(&family.parent), moves.join(","))
}

fn parse_line(line: &str) -> Result<(FamilyKey, Family), String> {
    let words: Vec<&str> = line.split(' ').collect();
    let &[number, squares, side, moves] = words.as_slice() else {
        return Err(format!("{} words where a number, a position and moves belong", words.len()));
    };
    let number = number.parse().map_err(|_| format!("'{number}' is no number"))?;
    let parent = positions::parse(squares, side)?;
    let moves: Result<Vec<_>, _> = moves.split(',').map(|text| parse_move(text, &parent)).collect();
    let moves = moves?;
    if moves.len() < 2 || !moves.is_sorted_by(|one, next| one.square < next.square) {
        return Err("these are not two different moves or more in board order".into());
    }
    let family = Family { parent, moves };
    Ok(((family.empties(), number), family))
}

fn parse_move(text: &str, parent: &Position) -> Result<JudgedMove, String> {
    let (name, units) = text.split_once(':').ok_or_else(|| format!("'{text}' is no move with a value"))?;
    let square = parent.moves().into_iter().find(|square| square.to_string() == name);
    let square = square.ok_or_else(|| format!("'{name}' is no legal move"))?;
    let units: i16 = units.parse().map_err(|_| format!("'{units}' is no value"))?;
    let value = Score::from_units(units.into());
    if value.units() == units { Ok(JudgedMove { square, value }) } else { Err(format!("a value of {units}")) }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeSet {
    settings: JudgeSettings,
    /// By empty squares and number.
    families: BTreeMap<FamilyKey, Family>,
}

impl JudgeSet {
    /// Reads a log, which may still grow: an incomplete last line is left out.
    ///
    /// # Errors
    /// If it cannot be read, is another kind of file, or has a line that is not what was written.
    pub fn load(path: &Path) -> Result<Self, JudgeFileError> {
        let bytes = fs::read(path).map_err(|error| JudgeFileError::Read(path.to_owned(), error))?;
        let other_kind = || JudgeFileError::OtherKind(path.to_owned());
        let log = LogText::new(&bytes, &FORMAT).map_err(|problem| match problem {
            HeaderProblem::OtherKind => other_kind(),
            HeaderProblem::Damaged(problem) => JudgeFileError::Line(path.to_owned(), 1, problem),
        })?;
        let settings = JudgeSettings::parse(log.settings).ok_or_else(other_kind)?;
        let mut families = BTreeMap::new();
        for (number, _, line) in log.lines() {
            let (key, family) = line
                .and_then(parse_line)
                .map_err(|problem| JudgeFileError::Line(path.to_owned(), number, problem))?;
            families.insert(key, family);
        }
        if families.is_empty() {
            return Err(JudgeFileError::Empty(path.to_owned()));
        }
        Ok(Self { settings, families })
    }

    #[must_use]
    pub const fn settings(&self) -> &JudgeSettings {
        &self.settings
    }

    /// With the fewest empty squares first.
    pub fn families(&self) -> impl Iterator<Item = &Family> {
        self.families.values()
    }

    pub fn keyed_families(&self) -> impl Iterator<Item = (FamilyKey, &Family)> {
        self.families.iter().map(|(&key, family)| (key, family))
    }

    /// Positions with a value: those after the moves.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.families().map(|family| family.moves.len()).sum()
    }

    /// The set without some families, as a file has it.
    #[must_use]
    pub fn text_without(&self, left_out: impl Fn(FamilyKey) -> bool) -> String {
        let kept = self.keyed_families().filter(|&(key, _)| !left_out(key));
        let lines = kept.map(|((_, number), family)| with_checksum(&line(number, family)));
        let header = first_line(&FORMAT, &self.settings.to_string());
        std::iter::once(header).chain(lines).map(|line| format!("{line}\n")).collect()
    }
}
