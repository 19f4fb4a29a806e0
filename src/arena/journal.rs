//! The journal of a match: a header, then a JSON line for every finished game, written as the game ends.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::files::append_log::{AppendError, AppendFile};

/// The version of the format that this program writes and reads.
pub const VERSION: u32 = 1;

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
}

#[derive(Debug, Error)]
pub enum JournalLineError {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("the header comes first, and once")]
    Order,
    #[error("there is no header")]
    NoHeader,
    #[error("version {0}; this program reads version {VERSION}")]
    Version(u32),
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
    read_whole_lines(path, &file).map(|whole| whole.contents)
}

struct CompleteLines {
    contents: JournalContents,
    /// The pairs in the first line; the header has the extended number.
    begun_with: u32,
    /// The end of the last complete line, in bytes.
    end: u64,
}

fn read_whole_lines(path: &Path, file: &File) -> Result<CompleteLines, JournalError> {
    let failed = |error| JournalError::File(path.to_owned(), error);
    let bad = |line, problem: JournalLineError| JournalError::Line { path: path.to_owned(), line, problem };
    let mut file = BufReader::new(file);
    let (mut header, mut games, mut pairs, mut end) = (None, BTreeMap::new(), None, 0);
    let mut text = Vec::new();
    for number in 1.. {
        text.clear();
        file.read_until(b'\n', &mut text).map_err(failed)?;
        if text.last() != Some(&b'\n') {
            break;
        }
        match serde_json::from_slice(&text).map_err(|error: serde_json::Error| bad(number, error.into()))? {
            JournalLine::Header(found) if number == 1 => header = Some(found),
            JournalLine::Game::<JournalHeader, GameRecord>(game) if number > 1 => {
                drop(games.insert(game.number, game))
            }
            JournalLine::Pairs(more) if number > 1 => pairs = Some(more),
            _ => return Err(bad(number, JournalLineError::Order)),
        }
        end += text.len() as u64;
    }
    let mut header: JournalHeader = header.ok_or_else(|| bad(1, JournalLineError::NoHeader))?;
    if header.version != VERSION {
        return Err(bad(1, JournalLineError::Version(header.version)));
    }
    let begun_with = header.pairs;
    header.pairs = pairs.unwrap_or(begun_with);
    Ok(CompleteLines { contents: JournalContents { header, games }, begun_with, end })
}

/// A journal open for appending, and locked.
#[derive(Debug)]
pub struct Journal(AppendFile);

impl From<AppendError> for JournalError {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Io(path, error) => Self::File(path, error),
            AppendError::InUse(path) => Self::InUse(path),
        }
    }
}

impl Journal {
    /// # Errors
    /// If there is such a file already, or it cannot be written.
    pub fn create(path: &Path, header: &JournalHeader) -> Result<Self, JournalError> {
        let mut file = AppendFile::create_new(path)?;
        file.append(&line_text(&JournalLine::Header::<_, &GameRecord>(header)))?;
        Ok(Self(file))
    }

    /// Opens an existing journal and returns its games. Cuts off an incomplete last line, and begins a journal that has
    /// no complete header. A match of fewer pairs is extended to `pairs`; `header` gives the header for a number of pairs.
    /// # Errors
    /// If it is in use, broken, or belongs to another match or a longer one; it is left alone then.
    pub fn resume(
        path: &Path,
        pairs: u32,
        header: impl Fn(u32) -> JournalHeader,
    ) -> Result<(Self, BTreeMap<u32, GameRecord>), JournalError> {
        let mut file = AppendFile::open(path)?;
        if file.begin(&line_text(&JournalLine::Header::<_, &GameRecord>(header(pairs))))? {
            return Ok((Self(file), BTreeMap::new()));
        }
        let CompleteLines { contents, begun_with, end } = read_whole_lines(path, file.rewind()?)?;
        let found = contents.header.pairs;
        if let Some(difference) = contents.header.difference(&header(begun_with)) {
            return Err(JournalError::OtherMatch { path: path.to_owned(), difference });
        }
        if found > pairs {
            return Err(JournalError::FewerPairs { path: path.to_owned(), found, wanted: pairs });
        }
        file.truncate(end)?;
        if found < pairs {
            file.append(&line_text(&JournalLine::Pairs::<&JournalHeader, &GameRecord>(pairs)))?;
        }
        Ok((Self(file), contents.games))
    }

    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        Ok(self.0.append(&line_text(&JournalLine::Game::<&JournalHeader, _>(game)))?)
    }
}

fn line_text(line: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec(line).expect("plain data");
    text.push(b'\n');
    text
}
