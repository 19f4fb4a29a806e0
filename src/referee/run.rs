//! A match from its first game to its last: workers play, the journal keeps, Ctrl-C loses nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, select_biased, unbounded};
use indicatif::{ProgressBar, ProgressStyle};
use ollehto_protocol::Protocol;

use crate::board::Size;
use crate::engine::Thinker;
use crate::frontend::Settings;
use crate::game::Game;
use crate::opponents;
use crate::random::Random;
use crate::rules::Rules;
use crate::search::Searcher;

use super::game::{Conditions, Seat, play};
use super::gtp_player::GtpPlayer;
use super::journal::{Ending, GameRecord, Header, Journal, JournalError, PlayerEntry, VERSION};
use super::nboard_player::NBoardPlayer;
use super::openings::{OpeningError, Source};
use super::player::{Fault, InProcess, Player};
use super::process::{Children, EngineProcess};
use super::record;
use super::schedule::{Fixture, Format, schedule};
use super::spec::{External, Kind, PlayerSpec};
use super::statistics::report::standings_report;
use super::statistics::{Standings, Verdict, progress};

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
    pub ggf: Option<PathBuf>,
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
    /// A program cannot be started.
    Start(String, io::Error),
    /// The system refuses something else.
    System(io::Error),
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
            Self::Start(name, error) => write!(f, "player {name} cannot be started: {error}"),
            Self::System(error) => error.fmt(f),
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

/// What the workers share.
struct Plan {
    setup: Match,
    openings: Vec<Game>,
    fixtures: Receiver<Fixture>,
    results: Sender<GameRecord>,
    children: Children,
    /// No more games are wanted.
    over: AtomicBool,
}

/// Holds a match and writes its table.
///
/// # Errors
/// If it cannot be set up or its journal not be written.
pub fn run(setup: Match, output: &mut impl Write) -> Result<Finish, MatchError> {
    check(&setup)?;
    let openings = setup.openings.openings(setup.rules, setup.size, setup.seed, setup.pairs);
    let openings = openings.map_err(MatchError::Openings)?;
    let header = header(&setup, &openings);
    let (mut journal, games) = if setup.resume {
        Journal::resume(&setup.journal, &header).map_err(MatchError::Journal)?
    } else {
        (Journal::create(&setup.journal, &header).map_err(MatchError::Journal)?, BTreeMap::new())
    };
    let mut archive = Archive::open(&setup, &header, &games)?;
    let mut standings = Standings::of(&header, games.values());

    let all = schedule(setup.players.len(), setup.format, setup.pairs);
    let bar = progress_bar(all.len(), games.len());
    let (queue, fixtures) = unbounded();
    for &fixture in all.iter().filter(|fixture| !games.contains_key(&fixture.number)) {
        queue.send(fixture).expect("the receiver is here");
    }
    drop(queue);
    let interrupts = interrupts()?;
    let (sender, results) = unbounded();
    let workers = setup.jobs.max(1);
    let children = Children::default();
    let plan = Arc::new(Plan {
        setup,
        openings,
        fixtures,
        results: sender,
        children: children.clone(),
        over: AtomicBool::new(false),
    });
    for _ in 0..workers {
        let plan = Arc::clone(&plan);
        thread::Builder::new()
            .name("table".into())
            .spawn(move || Worker::new(&plan).work())
            .map_err(MatchError::System)?;
    }
    // Only the workers hold the sending end from now on: it closes when the last of them is done.
    let plan = {
        let weak = Arc::downgrade(&plan);
        drop(plan);
        weak
    };

    let mut finish = Finish::Complete;
    loop {
        if standings.test().is_some_and(|test| test.verdict() != Verdict::Continue) {
            break;
        }
        let game = select_biased! {
            recv(interrupts) -> _ => {
                finish = Finish::Interrupted;
                break;
            }
            recv(results) -> game => match game {
                Ok(game) => game,
                Err(_) => break,
            },
        };
        journal.append(&game).map_err(MatchError::Journal)?;
        archive.append(&game)?;
        standings.add(&game);
        bar.inc(1);
        bar.set_message(progress(&standings));
    }
    if let Some(plan) = plan.upgrade() {
        plan.over.store(true, Relaxed);
    }
    // Games under way are given up: their programs end with them.
    children.kill_all();
    bar.finish_and_clear();
    let failed = |error| MatchError::File("standard output".into(), error);
    write!(output, "{}", standings_report(&header, &standings)).map_err(failed)?;
    Ok(finish)
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
    // A program that is not there should be noticed before the match rather than lose all its games.
    let children = Children::default();
    for player in players {
        if let Kind::External(external) = &player.kind {
            let started = errors_file(&setup.logs, &player.name)
                .and_then(|errors| EngineProcess::start(external, errors, &children));
            let program = format!("{} ({})", player.name, external.command[0]);
            drop(started.map_err(|error| MatchError::Start(program, error))?);
        }
    }
    Ok(())
}

fn header(setup: &Match, openings: &[Game]) -> Header {
    let source = match &setup.openings {
        // A file may change before the match is resumed.
        Source::File(_) => format!("{} ({:08x})", setup.openings, fingerprint(openings)),
        source => source.to_string(),
    };
    let entry = |player: &PlayerSpec| PlayerEntry { name: player.name.clone(), spec: player.text.clone() };
    Header {
        version: VERSION,
        rules: setup.rules.to_string(),
        size: setup.size.side(),
        players: setup.players.iter().map(entry).collect(),
        format: setup.format.to_string(),
        pairs: setup.pairs,
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

/// A bar on the terminal; nothing at all where there is none.
fn progress_bar(games: usize, done: usize) -> ProgressBar {
    let bar = ProgressBar::new(games as u64).with_position(done as u64);
    let style = ProgressStyle::with_template("{pos}/{len} games [{bar:20}] {per_sec}, {eta} to go  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.reset_eta();
    bar
}

/// Where an interrupt from the terminal arrives.
fn interrupts() -> Result<Receiver<()>, MatchError> {
    let (sender, interrupts) = unbounded();
    ctrlc::set_handler(move || sender.send(()).unwrap_or_default())
        .map_err(|error| MatchError::System(io::Error::other(error)))?;
    Ok(interrupts)
}

/// The games as GGF, if wanted: written anew from the journal, then game by game.
struct Archive<'a> {
    file: Option<(PathBuf, File)>,
    header: &'a Header,
    players: Vec<PlayerSpec>,
}

impl<'a> Archive<'a> {
    fn open(
        setup: &Match,
        header: &'a Header,
        games: &BTreeMap<u32, GameRecord>,
    ) -> Result<Self, MatchError> {
        let create = |path: &PathBuf| {
            let file = File::create(path).map_err(|error| MatchError::File(path.clone(), error))?;
            Ok((path.clone(), file))
        };
        let file = setup.ggf.as_ref().map(create).transpose()?;
        let mut archive = Self { file, header, players: setup.players.clone() };
        games.values().try_for_each(|game| archive.append(game))?;
        Ok(archive)
    }

    fn append(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let Some(record) = record::ggf(self.header, &self.players, game) else { return Ok(()) };
        writeln!(file, "{record}").map_err(|error| MatchError::File(path.clone(), error))
    }
}

/// One of the games that are played at a time: a set of players of its own.
struct Worker<'a> {
    plan: &'a Plan,
    /// Made when first needed, and again after a fault.
    roster: Vec<Option<Box<dyn Player>>>,
    solver: Searcher,
}

/// Mebibytes for adjudication.
const SOLVER_HASH: usize = 16;

impl<'a> Worker<'a> {
    fn new(plan: &'a Plan) -> Self {
        let roster = plan.setup.players.iter().map(|_| None).collect();
        Self { plan, roster, solver: Searcher::new(1, SOLVER_HASH) }
    }

    fn work(mut self) {
        while let Ok(fixture) = self.plan.fixtures.recv() {
            let record = self.game(fixture);
            // A game that was given up, or that ended while its programs were killed, does not count.
            if self.plan.over.load(Relaxed) || self.plan.results.send(record).is_err() {
                return;
            }
        }
        self.roster.into_iter().flatten().for_each(Player::dismiss);
    }

    fn game(&mut self, fixture: Fixture) -> GameRecord {
        let Plan { setup, openings, .. } = self.plan;
        let places = [fixture.black, fixture.white];
        for place in places {
            if self.roster[place].is_none() {
                let player = self.make(&setup.players[place]);
                self.roster[place] = Some(player.unwrap_or_else(|fault| Box::new(Absent(fault))));
            }
        }
        let mut players = places.map(|place| self.roster[place].take());
        let [Some(black), Some(white)] = &mut players else { unreachable!("both were just made") };
        let mut chance = Random::keyed(setup.seed, fixture.number.into());
        let mut seat = |place: usize, player| {
            let spec: &PlayerSpec = &setup.players[place];
            Seat { name: &spec.name, control: spec.control, player, seed: chance.draw() }
        };
        let seats = [seat(places[0], black.as_mut()), seat(places[1], white.as_mut())];
        let record =
            play(fixture.number, &openings[fixture.opening], seats, &setup.conditions, &mut self.solver);
        let failed = match &record.ending {
            Ending::Forfeit { by, .. } => Some(usize::from(by == "white")),
            Ending::Played | Ending::Adjudicated => None,
        };
        // Who has failed starts afresh.
        for (at, player) in players.into_iter().enumerate() {
            self.roster[places[at]] = player.filter(|_| failed != Some(at));
        }
        record
    }

    fn make(&self, spec: &PlayerSpec) -> Result<Box<dyn Player>, Fault> {
        let defaults = Settings::default();
        let (threads, hash) = (spec.threads.unwrap_or(defaults.threads), spec.hash.unwrap_or(defaults.hash));
        let in_process = |make: Box<dyn Fn(u64) -> Box<dyn Thinker> + Send>| -> Box<dyn Player> {
            Box::new(InProcess::new(make, spec.control, spec.limits))
        };
        Ok(match &spec.kind {
            Kind::Ollehto => {
                in_process(Box::new(move |_| Box::new(Searcher::new(threads as usize, hash as usize))))
            }
            Kind::Opponent(name) => {
                let name = name.clone();
                in_process(Box::new(move |seed| {
                    opponents::by_name(&name, seed).expect("the name was checked when the player was named")
                }))
            }
            Kind::External(external) => self.start(spec, external)?,
        })
    }

    fn start(&self, spec: &PlayerSpec, external: &External) -> Result<Box<dyn Player>, Fault> {
        let setup = &self.plan.setup;
        let patience = setup.conditions.hang.max(LEAST_PATIENCE);
        let started = errors_file(&setup.logs, &spec.name)
            .and_then(|errors| EngineProcess::start(external, errors, &self.plan.children));
        let process = started.map_err(|error| Fault::Crash(format!("cannot be started: {error}")))?;
        Ok(match external.protocol {
            Protocol::Gtp => {
                Box::new(GtpPlayer::greet(process, spec, external.colours, &external.init, patience)?)
            }
            Protocol::NBoard => Box::new(NBoardPlayer::greet(process, spec, &external.init, patience)?),
        })
    }
}

/// Commands other than those for a move are given so long at least: a program may have much to load.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

/// A player that could not be brought to the board, and loses for it.
struct Absent(Fault);

impl Player for Absent {
    fn begin(&mut self, _: &Game, _: crate::board::Color, _: u64) -> Result<(), Fault> {
        Err(self.0.clone())
    }

    fn choose(&mut self, _: &super::player::Turn) -> Result<super::player::Choice, Fault> {
        Err(self.0.clone())
    }

    fn hear(&mut self, _: crate::board::Color, _: crate::board::Move) -> Result<(), Fault> {
        Err(self.0.clone())
    }

    fn dismiss(self: Box<Self>) {}
}

/// The file that takes a program's standard error, for all its starts.
fn errors_file(folder: &Path, name: &str) -> io::Result<File> {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' }).collect();
    OpenOptions::new().create(true).append(true).open(folder.join(format!("{plain}.stderr")))
}
