//! Those who play the games of a match, one at a time each.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use ollehto_protocol::Protocol;

use crate::arena::opponents;
use crate::board::{Color, Move};
use crate::engine::Search;
use crate::frontend::Settings;
use crate::game::Game;
use crate::random::Random;
use crate::search::Searcher;

use super::error_log::ErrorLog;
use super::game::{Seat, play};
use super::gtp_player::GtpPlayer;
use super::journal::{Ending, Evidence, Forfeit, GameRecord};
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
        for table in 0..workers {
            let plan = Arc::clone(&plan);
            thread::Builder::new().name("table".into()).spawn(move || Worker::new(&plan, table).work())?;
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
    /// Its place among all workers.
    table: usize,
    /// Made when first needed, and again after a fault.
    roster: Vec<Option<Box<dyn Player>>>,
    solver: Searcher,
}

/// Mebibytes for adjudication.
const SOLVER_HASH: usize = 16;

impl<'a> Worker<'a> {
    fn new(plan: &'a Plan, table: usize) -> Self {
        let roster = plan.setup.players.iter().map(|_| None).collect();
        Self { plan, table, roster, solver: Searcher::new(1, SOLVER_HASH) }
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
                self.roster[place] = Some(player.unwrap_or_else(|absent| Box::new(absent)));
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

    fn make(&self, spec: &PlayerSpec) -> Result<Box<dyn Player>, Absent> {
        let defaults = Settings::default();
        let (threads, hash) = (spec.threads.unwrap_or(defaults.threads), spec.hash.unwrap_or(defaults.hash));
        let in_process = |make: Box<dyn Fn(u64) -> Box<dyn Search> + Send>| -> Box<dyn Player> {
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
                in_process(Box::new(move |_| system.searcher(&values)))
            }
            Kind::External(external) => {
                let Plan { setup, children, .. } = self.plan;
                let process = start(setup, spec, external, self.table, children).map_err(|error| Absent {
                    fault: Fault::Crash(format!("cannot be started: {error}")),
                    evidence: Evidence::default(),
                })?;
                acquaint(setup, spec, external, process)?
            }
        })
    }
}

/// Makes acquaintance with a program that was just started.
pub(super) fn acquaint(
    setup: &Match,
    spec: &PlayerSpec,
    external: &External,
    process: EngineProcess,
) -> Result<Box<dyn Player>, Absent> {
    let patience = spec.hang(setup.conditions.hang).max(LEAST_PATIENCE);
    match external.protocol {
        Protocol::Gtp => {
            let mut player = GtpPlayer::new(process, spec, external, patience);
            greeted(player.greet(), player)
        }
        Protocol::NBoard => {
            let mut player = NBoardPlayer::new(process, spec, external, patience);
            greeted(player.greet(), player)
        }
    }
}

fn greeted(greeting: Result<(), Fault>, player: impl Player + 'static) -> Result<Box<dyn Player>, Absent> {
    match greeting {
        Ok(()) => Ok(Box::new(player)),
        Err(fault) => {
            let (reason, _) = fault.clone().forfeit();
            Err(Absent { fault, evidence: player.evidence(reason) })
        }
    }
}

/// Starts a program, its standard error going to the folder of the logs.
pub(super) fn start(
    setup: &Match,
    spec: &PlayerSpec,
    external: &External,
    table: usize,
    children: &Children,
) -> io::Result<EngineProcess> {
    let (errors, file) = ErrorLog::open(&setup.logs, &spec.name, table)?;
    Ok(EngineProcess::start(external, file, children)?.with_errors(errors))
}

/// Commands other than those for a move are given so long at least: a program may have much to load.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

/// A player that could not be brought to the board, and loses for it.
pub(super) struct Absent {
    pub(super) fault: Fault,
    evidence: Evidence,
}

impl Player for Absent {
    fn evidence(&self, _: Forfeit) -> Evidence {
        self.evidence.clone()
    }

    fn begin(&mut self, _: &Game, _: Color, _: u64) -> Result<(), Fault> {
        Err(self.fault.clone())
    }

    fn choose(&mut self, _: &Turn) -> Result<Choice, Fault> {
        Err(self.fault.clone())
    }

    fn hear(&mut self, _: Color, _: Move) -> Result<(), Fault> {
        Err(self.fault.clone())
    }

    fn dismiss(self: Box<Self>) {}
}
