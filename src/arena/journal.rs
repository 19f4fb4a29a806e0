//! The journal of a match: a header and then one JSON line for every finished game, written as it ends.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::append_log::{AppendError, AppendFile};

/// The version of the format that this program writes and reads.
pub const VERSION: u32 = 1;

/// What a match is, written once at the top. A match is resumed only under the same header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub version: u32,
    /// `reversed` or `standard`.
    pub rules: String,
    /// Squares on a side of the board.
    pub size: u8,
    /// The players, in the order they were named.
    pub players: Vec<PlayerEntry>,
    /// `round-robin` or `gauntlet`; two players make a round robin of one pairing.
    pub format: String,
    /// Pairs of games for each pairing.
    pub pairs: u32,
    /// Where the openings come from.
    pub openings: String,
    /// What drew random openings or shuffled a list.
    pub seed: u64,
    /// Exact solving decides from so many empty squares on.
    pub adjudicate: Option<u8>,
    /// The two hypotheses of a sequential test, in Elo.
    pub sprt: Option<[f64; 2]>,
    /// How far over its time a player may go before it loses, in seconds.
    pub margin: f64,
}

impl Header {
    /// The first setting other than the number of pairs that another match has otherwise: what it is here, and there.
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
    /// What the player is. What the user assumes of it does not change its games, and older journals know nothing of it.
    fn spec_without_assumption(&self) -> String {
        self.spec.replace(",assume=reversed", "")
    }
}

/// A player as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerEntry {
    /// The name in tables; no two players share one.
    pub name: String,
    /// The text of `--player`.
    pub spec: String,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The place of the game in the schedule, from 0. Games `2n` and `2n + 1` are a pair: the same opening and the same
    /// players with colours swapped.
    pub number: u32,
    /// The name of the player with the black discs.
    pub black: String,
    /// The name of the player with the white discs.
    pub white: String,
    /// The position before the opening moves: N² squares and the side to move.
    pub start: String,
    /// The opening as a move list, played by the referee.
    pub opening: String,
    /// The moves of the players, passes included.
    pub moves: Vec<MoveRecord>,
    /// The result for Black in discs by the rules of the match; a forfeit loses by all squares of the board.
    pub score: i8,
    /// How it ended.
    pub ending: Ending,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// `d3`, or `pass`.
    #[serde(rename = "move")]
    pub text: String,
    /// How long it took, by the referee's clock. A pass made by the referee took none.
    pub seconds: f64,
    /// What the player said it was worth to itself, in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<f64>,
    /// How deep the player said it had looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u8>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Ending {
    /// Neither side could move.
    Played,
    /// Decided by exact solving.
    Adjudicated,
    /// A player lost for a fault of its own.
    Forfeit {
        /// Who: `black` or `white`.
        by: String,
        /// What it did.
        reason: Forfeit,
        /// The particulars.
        detail: String,
        /// What else is known of it.
        #[serde(flatten)]
        evidence: Evidence,
    },
}

/// What is known of a player that has lost by a fault; older journals have none of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// How long it took over the move that it did not make, by the referee's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How its process ended, if it did by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// The last lines that it wrote to standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

impl Evidence {
    /// The particulars of a fault with the end of the process.
    #[must_use]
    pub fn with_exit(&self, detail: &str) -> String {
        match &self.exit {
            Some(exit) if detail.is_empty() => exit.clone(),
            Some(exit) => format!("{detail} ({exit})"),
            None => detail.to_owned(),
        }
    }
}

/// What a player can lose a game by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Forfeit {
    /// A move against the rules.
    IllegalMove,
    /// Its process ended, or could not be started.
    Crash,
    /// No answer at all, long after its time.
    Hang,
    /// An answer after its time.
    Time,
    /// An answer that is none.
    Malformed,
    /// It gave up.
    Resigned,
}

impl fmt::Display for Forfeit {
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

/// One line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line<H, G> {
    Header(H),
    Game(G),
    /// From here on the match has so many pairs for each pairing.
    Pairs(u32),
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// The file cannot be read or written.
    File(PathBuf, io::Error),
    /// A line is not what it should be.
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// The journal belongs to another match.
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// The match of the journal has more pairs than asked for.
    FewerPairs {
        /// The file.
        path: PathBuf,
        /// The pairs of the journal.
        found: u32,
        /// Those asked for.
        wanted: u32,
    },
    /// Another referee is writing it.
    InUse(PathBuf),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "journal {}: {error}", path.display()),
            Self::Line { path, line, problem } => {
                write!(f, "journal {}, line {line}: {problem}", path.display())
            }
            Self::InUse(path) => write!(f, "journal {}: another match is writing it", path.display()),
            Self::OtherMatch { path, difference } => write!(
                f,
                "journal {} belongs to a match with other settings ({difference}): give the same options, or another \
                 file by --journal",
                path.display()
            ),
            Self::FewerPairs { path, found, wanted } => write!(
                f,
                "journal {} belongs to a match with other settings (pairs: {found}, now {wanted}): a match can be \
                 extended but not shortened, so give --pairs {found} or more",
                path.display()
            ),
        }
    }
}

impl std::error::Error for JournalError {}

/// What a journal holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    /// What the match is.
    pub header: Header,
    /// The games finished, by their number.
    pub games: BTreeMap<u32, GameRecord>,
}

/// Reads a journal. A last line that was torn by a kill is left out.
///
/// # Errors
/// If the file cannot be read, or a line other than the last is broken.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let file = File::open(path).map_err(|error| JournalError::File(path.to_owned(), error))?;
    read_whole_lines(path, &file).map(|whole| whole.contents)
}

/// The whole lines of a journal.
struct Whole {
    contents: Contents,
    /// The pairs that the match was begun with; the header has those that it has now.
    begun_with: u32,
    /// Where the last of the lines ends.
    end: u64,
}

fn read_whole_lines(path: &Path, file: &File) -> Result<Whole, JournalError> {
    let failed = |error| JournalError::File(path.to_owned(), error);
    let bad = |line, problem: String| JournalError::Line { path: path.to_owned(), line, problem };
    let mut file = BufReader::new(file);
    let (mut header, mut games, mut pairs, mut end) = (None, BTreeMap::new(), None, 0);
    let mut text = Vec::new();
    for number in 1.. {
        text.clear();
        file.read_until(b'\n', &mut text).map_err(failed)?;
        if text.last() != Some(&b'\n') {
            break;
        }
        match serde_json::from_slice(&text).map_err(|error| bad(number, error.to_string()))? {
            Line::Header(found) if number == 1 => header = Some(found),
            Line::Game::<Header, GameRecord>(game) if number > 1 => drop(games.insert(game.number, game)),
            Line::Pairs(more) if number > 1 => pairs = Some(more),
            _ => return Err(bad(number, "the header comes first, and once".into())),
        }
        end += text.len() as u64;
    }
    let mut header: Header = header.ok_or_else(|| bad(1, "there is no header".into()))?;
    if header.version != VERSION {
        return Err(bad(1, format!("version {}; this program reads version {VERSION}", header.version)));
    }
    let begun_with = header.pairs;
    header.pairs = pairs.unwrap_or(begun_with);
    Ok(Whole { contents: Contents { header, games }, begun_with, end })
}

/// A journal open for more games. Nobody else can open it so meanwhile.
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
    /// Begins a journal.
    ///
    /// # Errors
    /// If there is such a file already, or it cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Self, JournalError> {
        let mut file = AppendFile::create_new(path)?;
        file.append(&line_text(&Line::Header::<_, &GameRecord>(header)))?;
        Ok(Self(file))
    }

    /// Goes on with a journal and tells what it holds. A torn last line is cut off; a journal that was not even begun
    /// is begun now. A match of fewer pairs is extended to `pairs`; `header` is what the match would begin with if it
    /// had so many.
    ///
    /// # Errors
    /// If it is in use, broken, or belongs to another match or a longer one; it is left alone then.
    pub fn resume(
        path: &Path,
        pairs: u32,
        header: impl Fn(u32) -> Header,
    ) -> Result<(Self, BTreeMap<u32, GameRecord>), JournalError> {
        let mut file = AppendFile::open(path)?;
        if file.begin(&line_text(&Line::Header::<_, &GameRecord>(header(pairs))))? {
            return Ok((Self(file), BTreeMap::new()));
        }
        let Whole { contents, begun_with, end } = read_whole_lines(path, file.rewind()?)?;
        let found = contents.header.pairs;
        if let Some(difference) = contents.header.difference(&header(begun_with)) {
            return Err(JournalError::OtherMatch { path: path.to_owned(), difference });
        }
        if found > pairs {
            return Err(JournalError::FewerPairs { path: path.to_owned(), found, wanted: pairs });
        }
        file.truncate(end)?;
        if found < pairs {
            file.append(&line_text(&Line::Pairs::<&Header, &GameRecord>(pairs)))?;
        }
        Ok((Self(file), contents.games))
    }

    /// Keeps a finished game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        Ok(self.0.append(&line_text(&Line::Game::<&Header, _>(game)))?)
    }
}

fn line_text(line: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec(line).expect("plain data");
    text.push(b'\n');
    text
}
