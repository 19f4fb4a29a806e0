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
use super::game::{Participant, play};
use super::gtp_player::GtpPlayer;
use super::journal::{Diagnostics, ForfeitReason, GameEnding, GameRecord};
use super::nboard_player::NBoardPlayer;
use super::player::{ChosenMove, InProcessPlayer, MatchPlayer, MoveRequest, PlayerError};
use super::process::{EngineProcess, ProcessGroups};
use super::run::MatchConfig;
use super::schedule::ScheduledGame;
use super::spec::{EngineSpec, PlayerKind, PlayerSpec};

/// What the workers share.
struct WorkerContext {
    config: MatchConfig,
    openings: Vec<Game>,
    schedule_queue: Receiver<ScheduledGame>,
    results: Sender<GameRecord>,
    children: ProcessGroups,
    over: Arc<AtomicBool>,
}

/// All workers of a match, seen from outside.
pub(super) struct WorkerPool {
    results: Receiver<GameRecord>,
    children: ProcessGroups,
    /// No more games are wanted.
    over: Arc<AtomicBool>,
}

impl WorkerPool {
    /// Sets the workers to work on these games.
    pub(super) fn start(
        config: MatchConfig,
        openings: Vec<Game>,
        games: &[ScheduledGame],
    ) -> io::Result<Self> {
        let (queue, schedule_queue) = unbounded();
        for &scheduled in games {
            queue.send(scheduled).map_err(io::Error::other)?;
        }
        let (sender, results) = unbounded();
        let pool = Self { results, children: ProcessGroups::default(), over: Arc::default() };
        let (workers, children, over) = (config.jobs.max(1), pool.children.clone(), Arc::clone(&pool.over));
        let context =
            Arc::new(WorkerContext { config, openings, schedule_queue, results: sender, children, over });
        for table in 0..workers {
            let context = Arc::clone(&context);
            thread::Builder::new()
                .name("table".into())
                .spawn(move || MatchWorker::new(&context, table).work())?;
        }
        Ok(pool)
    }

    /// Where finished games arrive. It closes when the last worker is done.
    pub(super) const fn results(&self) -> &Receiver<GameRecord> {
        &self.results
    }

    /// Ends the work. If all games are played the programs are being dismissed, which is waited for; else the games
    /// under way are given up, and their programs end with them.
    pub(super) fn shutdown(self, all_played: bool) {
        if all_played {
            self.results.iter().for_each(drop);
        }
        self.over.store(true, Relaxed);
        self.children.kill_all();
    }
}

/// One of the games that are played at a time: a set of players of its own.
struct MatchWorker<'a> {
    context: &'a WorkerContext,
    /// Its place among all workers.
    table: usize,
    /// Made when first needed, and again after a fault.
    players: Vec<Option<Box<dyn MatchPlayer>>>,
    solver: Searcher,
}

/// Mebibytes for adjudication.
const SOLVER_HASH: usize = 16;

impl<'a> MatchWorker<'a> {
    fn new(context: &'a WorkerContext, table: usize) -> Self {
        let players = context.config.players.iter().map(|_| None).collect();
        Self { context, table, players, solver: Searcher::new(1, SOLVER_HASH) }
    }

    /// Plays until no game is left or none is wanted.
    fn work(mut self) {
        while let Ok(scheduled) = self.context.schedule_queue.recv() {
            let record = self.game(scheduled);
            // A game that was given up, or that ended while its programs were killed, does not count.
            if self.context.over.load(Relaxed) || self.context.results.send(record).is_err() {
                return;
            }
        }
        self.players.into_iter().flatten().for_each(MatchPlayer::quit);
    }

    fn game(&mut self, scheduled: ScheduledGame) -> GameRecord {
        let WorkerContext { config, openings, .. } = self.context;
        let places = [scheduled.black, scheduled.white];
        for place in places {
            if self.players[place].is_none() {
                let player = self.make(&config.players[place]);
                self.players[place] = Some(player.unwrap_or_else(|failed| Box::new(failed)));
            }
        }
        let mut players = places.map(|place| self.players[place].take());
        let [Some(black), Some(white)] = &mut players else { unreachable!("both were just made") };
        let mut chance = Random::keyed(config.seed, scheduled.number.into());
        let mut participant = |place: usize, player| {
            let spec: &PlayerSpec = &config.players[place];
            let hang = spec.hang(config.conditions.hang);
            Participant { name: &spec.name, control: spec.control, hang, player, seed: chance.draw() }
        };
        let participants = [participant(places[0], black.as_mut()), participant(places[1], white.as_mut())];
        let record = play(
            scheduled.number,
            &openings[scheduled.opening],
            participants,
            &config.conditions,
            &mut self.solver,
        );
        let failed = match &record.ending {
            GameEnding::Forfeit { by, .. } => Some(usize::from(by == "white")),
            GameEnding::Played | GameEnding::Adjudicated => None,
        };
        // Who has failed starts afresh.
        for (at, player) in players.into_iter().enumerate() {
            self.players[places[at]] = player.filter(|_| failed != Some(at));
        }
        record
    }

    fn make(&self, spec: &PlayerSpec) -> Result<Box<dyn MatchPlayer>, FailedPlayer> {
        let defaults = Settings::default();
        let (threads, hash) = (spec.threads.unwrap_or(defaults.threads), spec.hash.unwrap_or(defaults.hash));
        let in_process = |make: Box<dyn Fn(u64) -> Box<dyn Search> + Send>| -> Box<dyn MatchPlayer> {
            Box::new(InProcessPlayer::new(make, spec.control, spec.limits).with_book(spec.book))
        };
        Ok(match &spec.kind {
            PlayerKind::Ollehto => {
                let weights = spec.weights.clone();
                in_process(Box::new(move |_| {
                    let searcher = Searcher::new(threads as usize, hash as usize).for_play();
                    Box::new(searcher.with_evaluation(weights.clone()))
                }))
            }
            PlayerKind::Opponent(name) => {
                let name = name.clone();
                in_process(Box::new(move |seed| {
                    opponents::by_name(&name, seed).expect("the name was checked when the player was named")
                }))
            }
            PlayerKind::Tuned(system, values) => {
                let (system, values) = (*system, values.clone());
                in_process(Box::new(move |_| system.searcher(&values)))
            }
            PlayerKind::External(external) => {
                let WorkerContext { config, children, .. } = self.context;
                let process =
                    start(config, spec, external, self.table, children).map_err(|error| FailedPlayer {
                        fault: PlayerError::Crash(format!("cannot be started: {error}")),
                        diagnostics: Diagnostics::default(),
                    })?;
                connect(config, spec, external, process)?
            }
        })
    }
}

/// Makes acquaintance with a program that was just started.
pub(super) fn connect(
    config: &MatchConfig,
    spec: &PlayerSpec,
    external: &EngineSpec,
    process: EngineProcess,
) -> Result<Box<dyn MatchPlayer>, FailedPlayer> {
    let timeout = spec.hang(config.conditions.hang).max(MIN_COMMAND_TIMEOUT);
    match external.protocol {
        Protocol::Gtp => {
            let mut player = GtpPlayer::new(process, spec, external, timeout);
            greeted(player.handshake(), player)
        }
        Protocol::NBoard => {
            let mut player = NBoardPlayer::new(process, spec, external, timeout);
            greeted(player.handshake(), player)
        }
    }
}

fn greeted(
    greeting: Result<(), PlayerError>,
    player: impl MatchPlayer + 'static,
) -> Result<Box<dyn MatchPlayer>, FailedPlayer> {
    match greeting {
        Ok(()) => Ok(Box::new(player)),
        Err(fault) => {
            let (reason, _) = fault.clone().forfeit();
            Err(FailedPlayer { fault, diagnostics: player.diagnostics(reason) })
        }
    }
}

/// Starts a program, its standard error going to the folder of the logs.
pub(super) fn start(
    config: &MatchConfig,
    spec: &PlayerSpec,
    external: &EngineSpec,
    table: usize,
    children: &ProcessGroups,
) -> io::Result<EngineProcess> {
    let (errors, file) = ErrorLog::open(&config.logs, &spec.name, table)?;
    Ok(EngineProcess::start(external, file, children)?.with_errors(errors))
}

/// Commands other than those for a move are given so long at least: a program may have much to load.
const MIN_COMMAND_TIMEOUT: Duration = Duration::from_secs(1);

/// A player that could not be brought to the board, and loses for it.
pub(super) struct FailedPlayer {
    pub(super) fault: PlayerError,
    diagnostics: Diagnostics,
}

impl MatchPlayer for FailedPlayer {
    fn diagnostics(&self, _: ForfeitReason) -> Diagnostics {
        self.diagnostics.clone()
    }

    fn start_game(&mut self, _: &Game, _: Color, _: u64) -> Result<(), PlayerError> {
        Err(self.fault.clone())
    }

    fn choose_move(&mut self, _: &MoveRequest) -> Result<ChosenMove, PlayerError> {
        Err(self.fault.clone())
    }

    fn notify_move(&mut self, _: Color, _: Move) -> Result<(), PlayerError> {
        Err(self.fault.clone())
    }

    fn quit(self: Box<Self>) {}
}
