//! The journal of a match: a header, then a JSON line for every finished game, written as the game ends.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::files::append_file::{AppendError, AppendFile};
use crate::files::append_log::mend;
use crate::files::checksum::{self, with_json_checksum, without_json_checksum};
use crate::files::damage::{Damage, Place};

/// The version of the format that this program writes; it reads version 1, too.
pub const VERSION: u32 = 2;

/// The version whose lines have no checksums.
const UNCHECKED: u32 = 1;

/// What messages call the file.
const NAME: &str = "journal";

/// The settings of a match, in the first line. A match can only be resumed with the same settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalHeader {
    pub version: u32,
    /// `reversed` or `standard`.
    pub rules: String,
    /// Squares on a side of the board.
    pub size: u8,
    pub players: Vec<PlayerEntry>,
    /// A [`MatchFormat`](super::schedule::MatchFormat); `round-robin` for two players.
    pub format: String,
    /// Pairs of games for each pairing.
    pub pairs: u32,
    pub openings: String,
    pub seed: u64,
    /// The number of empty squares from which exact solving decides.
    pub adjudicate: Option<u8>,
    /// The two hypotheses of a sequential test, in Elo.
    pub sprt: Option<[f64; 2]>,
    /// How far a player may overstep its time, in seconds.
    pub margin: f64,
}

impl JournalHeader {
    /// The first setting that differs, the number of pairs apart, with both values.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        fn differ(name: &str, here: impl ToString, there: impl ToString) -> Option<String> {
            let (here, there) = (here.to_string(), there.to_string());
            (here != there).then(|| format!("{name}: {here}, now {there}"))
        }
        let none = || "none".to_owned();
        let adjudicate = |header: &Self| header.adjudicate.map_or_else(none, |empties| empties.to_string());
        let sprt = |header: &Self| header.sprt.map_or_else(none, |[low, high]| format!("{low},{high}"));
        let players = |(number, (here, there)): (usize, (&PlayerEntry, &PlayerEntry))| {
            let spec = |entry: &PlayerEntry| format!("'{}'", entry.spec_without_assumption());
            differ(&format!("player {}", number + 1), spec(here), spec(there))
                .or_else(|| differ(&format!("name of player {}", number + 1), &here.name, &there.name))
                .or_else(|| {
                    let (here, there) = here.weights.as_ref().zip(there.weights.as_ref())?;
                    differ(&format!("checksum of the weights of player {}", number + 1), here, there)
                })
        };
        differ("rules", &self.rules, &other.rules)
            .or_else(|| differ("size", self.size, other.size))
            .or_else(|| differ("number of players", self.players.len(), other.players.len()))
            .or_else(|| self.players.iter().zip(&other.players).enumerate().find_map(players))
            .or_else(|| differ("format", &self.format, &other.format))
            .or_else(|| differ("openings", &self.openings, &other.openings))
            .or_else(|| differ("seed", self.seed, other.seed))
            .or_else(|| differ("adjudicate", adjudicate(self), adjudicate(other)))
            .or_else(|| differ("sprt", sprt(self), sprt(other)))
            .or_else(|| differ("margin", self.margin, other.margin))
    }
}

impl PlayerEntry {
    /// `assume=` does not change the games, and older journals do not have it.
    fn spec_without_assumption(&self) -> String {
        self.spec.replace(",assume=reversed", "")
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerEntry {
    /// Unique in a match.
    pub name: String,
    /// The text of `--player`.
    pub spec: String,
    /// The checksum of the file of its weights or parameters; journals of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// From 0. Games `2n` and `2n + 1` are a pair: the same opening with colours swapped.
    pub number: u32,
    pub black: String,
    pub white: String,
    /// The position before the opening moves: N² squares and the side to move.
    pub start: String,
    /// A move list.
    pub opening: String,
    /// The moves of the players, passes included.
    pub moves: Vec<MoveRecord>,
    /// The result for Black in discs, by the rules of the match; a forfeit loses by all squares of the board.
    pub score: i8,
    pub ending: GameEnding,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// `d3`, or `pass`.
    #[serde(rename = "move")]
    pub text: String,
    /// By the referee's clock; 0 for a forced pass.
    pub seconds: f64,
    /// In discs, from the player's view, if it reports one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum GameEnding {
    /// Neither side could move.
    Played,
    /// By exact solving.
    Adjudicated,
    Forfeit {
        /// `black` or `white`.
        by: String,
        reason: ForfeitReason,
        detail: String,
        #[serde(flatten)]
        diagnostics: Diagnostics,
    },
}

/// What is known about a forfeit; older journals have none of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diagnostics {
    /// The time for the move that was not made, by the referee's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Exit status, if the process ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// The last lines on standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

impl Diagnostics {
    /// The details with the exit status.
    #[must_use]
    pub fn with_exit(&self, detail: &str) -> String {
        match &self.exit {
            Some(exit) if detail.is_empty() => exit.clone(),
            Some(exit) => format!("{detail} ({exit})"),
            None => detail.to_owned(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForfeitReason {
    IllegalMove,
    /// The process ended, or could not be started.
    Crash,
    /// No answer, long after its time.
    Hang,
    /// An answer after its time.
    Time,
    Malformed,
    Resigned,
}

impl fmt::Display for ForfeitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IllegalMove => "illegal move",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Time => "time over",
            Self::Malformed => "malformed answer",
            Self::Resigned => "resigned",
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JournalLine<H, G> {
    Header(H),
    Game(G),
    /// The match was extended to so many pairs for each pairing.
    Pairs(u32),
}

#[derive(Debug, Error)]
pub enum JournalError {
    #[error("journal {0}: {1}")]
    File(PathBuf, io::Error),
    /// Lines are counted from 1.
    #[error("journal {path}, line {line}: {problem}")]
    Line { path: PathBuf, line: usize, problem: JournalLineError },
    #[error(
        "journal {path} belongs to a match with other settings ({difference}): give the same options, or another file \
         with --journal"
    )]
    OtherMatch { path: PathBuf, difference: String },
    #[error(
        "journal {path} belongs to a match with other settings (pairs: {found}, now {wanted}): a match can be extended \
         but not shortened, so give --pairs {found} or more"
    )]
    FewerPairs { path: PathBuf, found: u32, wanted: u32 },
    #[error("journal {0}: another match is writing it")]
    InUse(PathBuf),
    #[error("journal {0}")]
    Unusable(#[source] AppendError),
}

#[derive(Debug, Error)]
pub enum JournalLineError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("the header comes first, and once")]
    Order,
    #[error("there is no header")]
    NoHeader,
    #[error("version {0}; this program reads versions {UNCHECKED} and {VERSION}")]
    Version(u32),
    #[error("this is no journal of a match: name a file that `ollehto match` has written")]
    NoJournal,
    #[error(
        "{0}; the header is damaged: use a copy of the file, or begin a new match with another --journal"
    )]
    DamagedHeader(String),
    /// In words.
    #[error("{0}; `ollehto match --resume` leaves the line out and plays its game again")]
    Damaged(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct JournalContents {
    pub header: JournalHeader,
    /// By game number.
    pub games: BTreeMap<u32, GameRecord>,
}

/// Reads a journal. An incomplete last line, left by a kill, is ignored.
///
/// # Errors
/// If the file cannot be read, or a line other than the last is broken.
pub fn read(path: &Path) -> Result<JournalContents, JournalError> {
    let file = File::open(path).map_err(|error| JournalError::File(path.to_owned(), error))?;
    read_from(path, file)
}

/// Reads a journal from anywhere; the path is for messages.
///
/// # Errors
/// As [`read`].
pub fn read_from(path: &Path, input: impl Read) -> Result<JournalContents, JournalError> {
    let lines = read_whole_lines(path, input)?;
    match lines.damage.into_iter().next() {
        Some(Damage { place: Place::Line(line), problem }) => {
            let problem = JournalLineError::Damaged(problem);
            Err(JournalError::Line { path: path.to_owned(), line, problem })
        }
        _ => Ok(lines.contents),
    }
}

struct CompleteLines {
    contents: JournalContents,
    /// The pairs in the first line; the header has the extended number.
    begun_with: u32,
    /// The bytes of the lines that are whole, and what is wrong with the others.
    kept: Vec<Range<u64>>,
    damage: Vec<Damage>,
    lines: usize,
    /// The bytes of an incomplete last line.
    torn: u64,
}

type AnyLine = JournalLine<JournalHeader, GameRecord>;

fn read_whole_lines(path: &Path, input: impl Read) -> Result<CompleteLines, JournalError> {
    let failed = |error| JournalError::File(path.to_owned(), error);
    let bad = |line, problem: JournalLineError| JournalError::Line { path: path.to_owned(), line, problem };
    let mut input = BufReader::new(input);
    let mut text = Vec::new();
    let mut next_line = |text: &mut Vec<u8>| {
        text.clear();
        input.read_until(b'\n', text).map_err(failed)?;
        Ok::<_, JournalError>(text.last() == Some(&b'\n'))
    };
    if !next_line(&mut text)? {
        return Err(bad(1, JournalLineError::NoHeader));
    }
    let mut header = parse_header(&text).map_err(|problem| bad(1, problem))?;
    let (has_checksums, begun_with) = (header.version != UNCHECKED, header.pairs);
    let (mut games, mut damage, mut kept, mut lines) = (BTreeMap::new(), Vec::new(), Vec::new(), 1);
    kept.push(0..text.len() as u64);
    let mut end = text.len() as u64;
    while next_line(&mut text)? {
        lines += 1;
        let range = end..end + text.len() as u64;
        end = range.end;
        match parse_line(&text, has_checksums) {
            Ok(JournalLine::Game(game)) => drop(games.insert(game.number, game)),
            Ok(JournalLine::Pairs(more)) => header.pairs = more,
            Ok(JournalLine::Header(_)) => return Err(bad(lines, JournalLineError::Order)),
            Err(JournalLineError::Damaged(problem)) => {
                damage.push(Damage { place: Place::Line(lines), problem });
                continue;
            }
            Err(problem) => return Err(bad(lines, problem)),
        }
        kept.push(range);
    }
    let (contents, torn) = (JournalContents { header, games }, text.len() as u64);
    Ok(CompleteLines { contents, begun_with, kept, damage, lines, torn })
}

fn parse_header(line: &[u8]) -> Result<JournalHeader, JournalLineError> {
    let checked = match parse_line(line, true) {
        // A line without a checksum may be of an older version.
        Err(JournalLineError::Damaged(problem)) => match parse_line(line, false) {
            Ok(JournalLine::Header(header)) if header.version != VERSION => Ok(JournalLine::Header(header)),
            Err(JournalLineError::Json(_)) if problem == checksum::MISSING => {
                Err(JournalLineError::NoJournal)
            }
            _ => Err(JournalLineError::DamagedHeader(problem)),
        },
        checked => checked,
    };
    match checked? {
        JournalLine::Header(header) if [UNCHECKED, VERSION].contains(&header.version) => Ok(header),
        JournalLine::Header(header) => Err(JournalLineError::Version(header.version)),
        JournalLine::Game(_) | JournalLine::Pairs(_) => Err(JournalLineError::Order),
    }
}

fn parse_line(line: &[u8], has_checksum: bool) -> Result<AnyLine, JournalLineError> {
    if !has_checksum {
        return Ok(serde_json::from_slice(line)?);
    }
    let text = str::from_utf8(line).map_err(|_| JournalLineError::Damaged("this is no UTF-8".into()))?;
    match without_json_checksum(text.trim_ascii_end()) {
        Ok(Some(object)) => Ok(serde_json::from_str(&object)?),
        Ok(None) => Err(JournalLineError::Damaged(checksum::MISSING.into())),
        Err(problem) => Err(JournalLineError::Damaged(problem)),
    }
}

/// A journal open for appending, and locked.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
    has_checksums: bool,
}

impl From<AppendError> for JournalError {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Io(path, error) => Self::File(path, error),
            AppendError::InUse(path) => Self::InUse(path),
            AppendError::NoFile(_) | AppendError::Append(..) => Self::Unusable(error),
        }
    }
}

impl Journal {
    /// # Errors
    /// If there is such a file already, or it cannot be written.
    pub fn create(path: &Path, header: &JournalHeader) -> Result<Self, JournalError> {
        let mut journal = Self { file: AppendFile::create_new(path)?, has_checksums: true };
        journal.append_line(&JournalLine::Header::<_, &GameRecord>(header))?;
        Ok(journal)
    }

    /// Opens an existing journal and returns its games. Cuts off an incomplete last line, leaves out damaged ones, and
    /// begins a journal that has no complete header. A match of fewer pairs is extended to `pairs`; `header` gives the
    /// header for a number of pairs.
    ///
    /// # Errors
    /// If it is in use, broken, or belongs to another match or a longer one; it is left alone then.
    pub fn resume(
        path: &Path,
        pairs: u32,
        header: impl Fn(u32) -> JournalHeader,
    ) -> Result<(Self, BTreeMap<u32, GameRecord>), JournalError> {
        let mut file = AppendFile::open(path)?;
        if file.begin(&line_text(&JournalLine::Header::<_, &GameRecord>(header(pairs)), true))? {
            return Ok((Self { file, has_checksums: true }, BTreeMap::new()));
        }
        let CompleteLines { contents, begun_with, kept, damage, lines, torn } =
            read_whole_lines(path, file.rewind()?)?;
        let found = contents.header.pairs;
        if let Some(difference) = contents.header.difference(&header(begun_with)) {
            return Err(JournalError::OtherMatch { path: path.to_owned(), difference });
        }
        if found > pairs {
            return Err(JournalError::FewerPairs { path: path.to_owned(), found, wanted: pairs });
        }
        mend(&mut file, NAME, lines, &kept, &damage, torn)?;
        let mut journal = Self { file, has_checksums: contents.header.version != UNCHECKED };
        if found < pairs {
            journal.append_line(&JournalLine::Pairs::<&JournalHeader, &GameRecord>(pairs))?;
        }
        Ok((journal, contents.games))
    }

    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.append_line(&JournalLine::Game::<&JournalHeader, _>(game))
    }

    fn append_line(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        Ok(self.file.append(&line_text(line, self.has_checksums))?)
    }
}

fn line_text(line: &impl Serialize, has_checksum: bool) -> Vec<u8> {
    let text = serde_json::to_string(line).expect("plain data");
    let mut text = if has_checksum { with_json_checksum(&text) } else { text }.into_bytes();
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests;
