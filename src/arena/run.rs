//! A match from its first game to its last: workers play, the journal keeps, Ctrl-C loses nothing.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use crossbeam_channel::{Receiver, select_biased, unbounded};

use crate::board::Size;
use crate::files::output::{ClaimedOutput, Destination, OutputError, Outputs, is_same_file};
use crate::game::Game;
use crate::random::Random;
use crate::rules::Rules;
use crate::terminal::progress::CommandProgress;

use super::error_log;
use super::game::Conditions;
use super::introduction::{Introduction, introduce};
use super::journal::{GameRecord, Header, Journal, JournalError, PlayerEntry, VERSION};
use super::openings::{OpeningError, Source};
use super::record;
use super::schedule::{Format, schedule};
use super::spec::{Kind, PlayerSpec};
use super::statistics::report::standings_report;
use super::statistics::{self, SequentialTest, Standings};
use super::worker::Crew;

/// All that makes a match.
#[derive(Clone, Debug)]
pub struct Match {
    /// Who plays.
    pub players: Vec<PlayerSpec>,
    /// Who wins.
    pub rules: Rules,
    /// The size of the board.
    pub size: Size,
    /// Who plays whom.
    pub format: Format,
    /// Pairs of games for each pairing.
    pub pairs: u32,
    /// Where openings come from.
    pub openings: Source,
    /// What chance is drawn from.
    pub seed: u64,
    /// Games at a time.
    pub jobs: usize,
    /// What holds for every game.
    pub conditions: Conditions,
    /// The two hypotheses of a sequential test, in Elo.
    pub sprt: Option<[f64; 2]>,
    /// Where finished games are kept.
    pub journal: PathBuf,
    /// Whether to go on with a journal.
    pub resume: bool,
    /// Where games are written as GGF.
    pub ggf: Option<Destination>,
    /// Whether to replace that file if it is there already.
    pub force: bool,
    /// Where the standard error of other programs goes.
    pub logs: PathBuf,
}

/// Why a match cannot be held.
#[derive(Debug)]
pub enum MatchError {
    /// Two players share a name.
    SameName(String),
    /// There are too few players.
    TooFew,
    /// A sequential test needs two players.
    SprtOfMany,
    /// There are no openings.
    Openings(OpeningError),
    /// The journal cannot be used.
    Journal(JournalError),
    /// A file cannot be written.
    File(PathBuf, io::Error),
    /// The games cannot go where they should.
    Output(OutputError),
    /// A program cannot be started.
    Start(String, io::Error),
    /// A player may not know by which rules it is to play.
    Rules {
        /// Its name.
        name: String,
        /// Why.
        problem: String,
    },
    /// The system refuses something else.
    System(io::Error),
    /// Whoever plays the games has died of an internal error.
    Unfinished,
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameName(name) => {
                write!(f, "two players are called '{name}': give one another name with name=…")
            }
            Self::TooFew => f.write_str("a match needs two players at least: --player A --player B"),
            Self::SprtOfMany => f.write_str("--sprt is for two players"),
            Self::Openings(error) => error.fmt(f),
            Self::Journal(error @ JournalError::File(_, cause))
                if cause.kind() == io::ErrorKind::AlreadyExists =>
            {
                write!(f, "{error}: go on with it by --resume, or name another by --journal")
            }
            Self::Journal(error) => error.fmt(f),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Output(error) => error.fmt(f),
            Self::Start(name, error) => write!(f, "player {name} cannot be started: {error}"),
            Self::Rules { name, problem } => write!(
                f,
                "player {name} {problem}: it may play for the most discs, where this match is for the fewest. Add \
                 assume=reversed to the player if it plays for the fewest all the same, by its own options or init=, or \
                 hold the match with --rules standard"
            ),
            Self::System(error) => error.fmt(f),
            Self::Unfinished => f.write_str(
                "the match broke off by an internal error, please report it; --resume goes on from the last game",
            ),
        }
    }
}

impl std::error::Error for MatchError {}

/// How a match came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All games were played, or the sequential test has decided.
    Complete,
    /// The user has ended it.
    Interrupted,
}

/// Holds a match and writes its table.
///
/// # Errors
/// If it cannot be set up or its journal not be written.
pub fn run(setup: Match, output: &mut impl Write) -> Result<Finish, MatchError> {
    check(&setup)?;
    let openings = setup.openings.openings(setup.rules, setup.size, setup.seed, setup.pairs);
    let openings = openings.map_err(MatchError::Openings)?;
    let header_of = |pairs| header(&setup, &openings, pairs);
    let header = header_of(setup.pairs);
    let mut archive = Archive::claim(&setup, &header)?;
    let interrupts = interrupts()?;
    if introduce(&setup, &interrupts)? == Introduction::Interrupted {
        return Ok(Finish::Interrupted);
    }
    let (journal, games) = if setup.resume {
        Journal::resume(&setup.journal, setup.pairs, header_of).map_err(MatchError::Journal)?
    } else {
        (Journal::create(&setup.journal, &header).map_err(MatchError::Journal)?, BTreeMap::new())
    };
    let all = schedule(setup.players.len(), setup.format, setup.pairs);
    let missing: Vec<_> =
        all.iter().filter(|fixture| !games.contains_key(&fixture.number)).copied().collect();
    archive.begin(games.values(), setup.force)?;
    let mut books = Books {
        journal,
        archive,
        standings: Standings::of(&header, games.values()),
        progress: CommandProgress::new("games", all.len(), games.len()).with_lines(),
    };
    let crew = Crew::start(setup, openings, &missing).map_err(MatchError::System)?;
    let finish = books.keep(missing.len(), crew.results(), &interrupts);
    crew.send_home(books.standings.games() as usize == all.len());
    drop(books.progress);
    if !books.archive.is_stdout() {
        let failed = |error| MatchError::File("standard output".into(), error);
        write!(output, "{}", standings_report(&header, &books.standings)).map_err(failed)?;
    }
    books.archive.write()?;
    finish
}

/// All that is kept of a match while it goes on.
struct Books<'a> {
    journal: Journal,
    archive: Archive<'a>,
    standings: Standings,
    progress: CommandProgress,
}

impl Books<'_> {
    /// Enters the games that are still missing as they are finished, until there are no more or no more are wanted.
    fn keep(
        &mut self,
        missing: usize,
        results: &Receiver<GameRecord>,
        interrupts: &Receiver<()>,
    ) -> Result<Finish, MatchError> {
        for _ in 0..missing {
            if self.standings.test().is_some_and(SequentialTest::is_decided) {
                break;
            }
            let game = select_biased! {
                recv(interrupts) -> _ => return Ok(Finish::Interrupted),
                recv(results) -> game => game.map_err(|_| MatchError::Unfinished)?,
            };
            self.journal.append(&game).map_err(MatchError::Journal)?;
            self.archive.add(&game);
            self.standings.add(&game);
            self.progress.advance_to(1, statistics::progress(&self.standings));
        }
        Ok(Finish::Complete)
    }
}

fn check(setup: &Match) -> Result<(), MatchError> {
    let players = &setup.players;
    if players.len() < 2 {
        return Err(MatchError::TooFew);
    }
    if setup.sprt.is_some() && players.len() > 2 {
        return Err(MatchError::SprtOfMany);
    }
    for (number, player) in players.iter().enumerate() {
        if players[..number].iter().any(|other| other.name == player.name) {
            return Err(MatchError::SameName(player.name.clone()));
        }
    }
    fs::create_dir_all(&setup.logs).map_err(|error| MatchError::File(setup.logs.clone(), error))?;
    let mut logs = error_logs(setup);
    match logs.find(|log| is_same_file(log, &setup.journal)) {
        None => Ok(()),
        Some(log) => Err(MatchError::Output(OutputError::Twice(log))),
    }
}

/// The files of the standard error of all programs.
fn error_logs(setup: &Match) -> impl Iterator<Item = PathBuf> {
    let programs = setup.players.iter().filter(|player| matches!(player.kind, Kind::External(_)));
    programs.flat_map(|player| (0..setup.jobs).map(|table| error_log::path(&setup.logs, &player.name, table)))
}

/// What a match begins its journal with if it has so many pairs.
fn header(setup: &Match, openings: &[Game], pairs: u32) -> Header {
    let source = match &setup.openings {
        // A file may change before the match is resumed. Of a longer match only the beginning is compared.
        Source::File(_) => {
            let first = &openings[..openings.len().min(pairs as usize)];
            format!("{} ({:08x})", setup.openings, fingerprint(first))
        }
        source => source.to_string(),
    };
    let entry = |player: &PlayerSpec| PlayerEntry { name: player.name.clone(), spec: player.text.clone() };
    Header {
        version: VERSION,
        rules: setup.rules.to_string(),
        size: setup.size.side(),
        players: setup.players.iter().map(entry).collect(),
        format: setup.format.to_string(),
        pairs,
        openings: source,
        seed: setup.seed,
        adjudicate: setup.conditions.adjudicate,
        sprt: setup.sprt,
        margin: setup.conditions.margin.as_secs_f64(),
    }
}

/// Differs for other openings or another order of them.
fn fingerprint(openings: &[Game]) -> u32 {
    let mixed = openings
        .iter()
        .fold(0, |mixed: u64, game| Random::keyed(mixed, game.position().board().hash()).draw());
    (mixed >> 32) as u32
}

/// Where an interrupt from the terminal arrives.
fn interrupts() -> Result<Receiver<()>, MatchError> {
    let (sender, interrupts) = unbounded();
    ctrlc::set_handler(move || sender.send(()).unwrap_or_default())
        .map_err(|error| MatchError::System(io::Error::other(error)))?;
    Ok(interrupts)
}

/// The games as GGF, if wanted: written when the match ends.
struct Archive<'a> {
    output: Option<ClaimedOutput>,
    header: &'a Header,
    players: Vec<PlayerSpec>,
    /// The texts of the games, by their number.
    records: BTreeMap<u32, String>,
}

impl<'a> Archive<'a> {
    fn claim(setup: &Match, header: &'a Header) -> Result<Self, MatchError> {
        // The file of a match that is resumed may have been written by it; see `begin`.
        let mut outputs = Outputs::new(setup.force || setup.resume).with_inputs(inputs(setup));
        let output =
            setup.ggf.as_ref().map(|to| outputs.claim(to)).transpose().map_err(MatchError::Output)?;
        Ok(Self { output, header, players: setup.players.clone(), records: BTreeMap::new() })
    }

    /// Takes the games that were played before. Without force a file that exists must hold nothing but these.
    fn begin<'b>(
        &mut self,
        games: impl Iterator<Item = &'b GameRecord>,
        force: bool,
    ) -> Result<(), MatchError> {
        games.for_each(|game| self.add(game));
        let Some(path) =
            self.output.as_ref().and_then(ClaimedOutput::path).filter(|path| !force && path.is_file())
        else {
            return Ok(());
        };
        let text = fs::read(path).map_err(|error| MatchError::File(path.to_owned(), error))?;
        let own: HashSet<_> = self.records.values().map(String::as_bytes).collect();
        let is_own = text.split_inclusive(|byte| *byte == b'\n').all(|line| own.contains(line));
        if is_own { Ok(()) } else { Err(MatchError::Output(OutputError::Exists(path.to_owned()))) }
    }

    fn add(&mut self, game: &GameRecord) {
        if self.output.is_none() {
            return;
        }
        if let Some(record) = record::ggf(self.header, &self.players, game) {
            self.records.insert(game.number, format!("{record}\n"));
        }
    }

    fn is_stdout(&self) -> bool {
        self.output.as_ref().is_some_and(ClaimedOutput::is_stdout)
    }

    fn write(&self) -> Result<(), MatchError> {
        let Some(output) = &self.output else { return Ok(()) };
        let text: String = self.records.values().map(String::as_str).collect();
        output.write(text).map_err(MatchError::Output)
    }
}

/// The files that a match reads or adds to.
fn inputs(setup: &Match) -> Vec<PathBuf> {
    let mut inputs = vec![setup.journal.clone()];
    inputs.extend(error_logs(setup));
    if let Source::File(path) = &setup.openings {
        inputs.push(path.clone());
    }
    for player in &setup.players {
        inputs.extend(player.weights_file.clone());
        if let Kind::External(external) = &player.kind {
            inputs.extend(external.command.iter().map(PathBuf::from));
        }
    }
    inputs
}
