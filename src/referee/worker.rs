//! Those who play the games of a match, one at a time each.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use ollehto_protocol::Protocol;

use crate::board::{Color, Move};
use crate::engine::Thinker;
use crate::frontend::Settings;
use crate::game::Game;
use crate::opponents;
use crate::random::Random;
use crate::search::Searcher;

use super::game::{Seat, play};
use super::gtp_player::GtpPlayer;
use super::journal::{Ending, GameRecord};
use super::nboard_player::NBoardPlayer;
use super::player::{Choice, Fault, InProcess, Player, Turn};
use super::process::{Children, EngineProcess};
use super::run::Match;
use super::schedule::Fixture;
use super::spec::{External, Kind, PlayerSpec};

/// What the workers share.
struct Plan {
    setup: Match,
    openings: Vec<Game>,
    fixtures: Receiver<Fixture>,
    results: Sender<GameRecord>,
    children: Children,
    over: Arc<AtomicBool>,
}

/// All workers of a match, seen from outside.
pub(super) struct Crew {
    results: Receiver<GameRecord>,
    children: Children,
    /// No more games are wanted.
    over: Arc<AtomicBool>,
}

impl Crew {
    /// Sets the workers to work on these games.
    pub(super) fn start(setup: Match, openings: Vec<Game>, games: &[Fixture]) -> io::Result<Self> {
        let (queue, fixtures) = unbounded();
        for &fixture in games {
            queue.send(fixture).map_err(io::Error::other)?;
        }
        let (sender, results) = unbounded();
        let crew = Self { results, children: Children::default(), over: Arc::default() };
        let (workers, children, over) = (setup.jobs.max(1), crew.children.clone(), Arc::clone(&crew.over));
        let plan = Arc::new(Plan { setup, openings, fixtures, results: sender, children, over });
        for _ in 0..workers {
            let plan = Arc::clone(&plan);
            thread::Builder::new().name("table".into()).spawn(move || Worker::new(&plan).work())?;
        }
        Ok(crew)
    }

    /// Where finished games arrive. It closes when the last worker is done.
    pub(super) const fn results(&self) -> &Receiver<GameRecord> {
        &self.results
    }

    /// Ends the work. If all games are played the programs are being dismissed, which is waited for; else the games
    /// under way are given up, and their programs end with them.
    pub(super) fn send_home(self, all_played: bool) {
        if all_played {
            self.results.iter().for_each(drop);
        }
        self.over.store(true, Relaxed);
        self.children.kill_all();
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

    /// Plays until no game is left or none is wanted.
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
            let hang = spec.hang(setup.conditions.hang);
            Seat { name: &spec.name, control: spec.control, hang, player, seed: chance.draw() }
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
            Box::new(InProcess::new(make, spec.control, spec.limits).with_book(spec.book))
        };
        Ok(match &spec.kind {
            Kind::Ollehto => {
                let weights = spec.weights.clone();
                in_process(Box::new(move |_| {
                    let searcher = Searcher::new(threads as usize, hash as usize).for_play();
                    Box::new(searcher.with_evaluation(weights.clone()))
                }))
            }
            Kind::Opponent(name) => {
                let name = name.clone();
                in_process(Box::new(move |seed| {
                    opponents::by_name(&name, seed).expect("the name was checked when the player was named")
                }))
            }
            Kind::Bred(system, values) => {
                let (system, values) = (*system, values.clone());
                in_process(Box::new(move |_| system.thinker(&values)))
            }
            Kind::External(external) => self.start(spec, external)?,
        })
    }

    fn start(&self, spec: &PlayerSpec, external: &External) -> Result<Box<dyn Player>, Fault> {
        let setup = &self.plan.setup;
        let patience = spec.hang(setup.conditions.hang).max(LEAST_PATIENCE);
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
    fn begin(&mut self, _: &Game, _: Color, _: u64) -> Result<(), Fault> {
        Err(self.0.clone())
    }

    fn choose(&mut self, _: &Turn) -> Result<Choice, Fault> {
        Err(self.0.clone())
    }

    fn hear(&mut self, _: Color, _: Move) -> Result<(), Fault> {
        Err(self.0.clone())
    }

    fn dismiss(self: Box<Self>) {}
}

/// The file that takes a program's standard error, for all its starts.
pub(super) fn errors_file(folder: &Path, name: &str) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(errors_path(folder, name))
}

/// Where that file is.
pub(super) fn errors_path(folder: &Path, name: &str) -> PathBuf {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' }).collect();
    folder.join(format!("{plain}.stderr"))
}
