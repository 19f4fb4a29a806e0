//! The threads that play the games of a match, each one game at a time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::arena::opponents;
use crate::engine::Search;
use crate::frontend::Settings;
use crate::game::Game;
use crate::random::Random;
use crate::search::Searcher;
use crate::threads;

use super::config::MatchConfig;
use super::game::{Participant, play};
use super::handshake::{FailedPlayer, connect, start};
use super::journal::{GameEnding, GameRecord};
use super::player::{InProcessPlayer, MatchPlayer};
use super::process::RunningEngines;
use super::schedule::ScheduledGame;
use super::spec::{PlayerKind, PlayerSpec};

/// What the workers share.
struct WorkerContext {
    config: MatchConfig,
    openings: Vec<Game>,
    queue: Receiver<ScheduledGame>,
    results: Sender<GameRecord>,
    processes: RunningEngines,
    stopped: Arc<AtomicBool>,
}

pub(super) struct WorkerPool {
    results: Receiver<GameRecord>,
    processes: RunningEngines,
    stopped: Arc<AtomicBool>,
}

impl WorkerPool {
    pub(super) fn start(
        config: MatchConfig,
        openings: Vec<Game>,
        games: &[ScheduledGame],
    ) -> io::Result<Self> {
        let (sender, queue) = unbounded();
        for &game in games {
            sender.send(game).map_err(io::Error::other)?;
        }
        let (results_sender, results) = unbounded();
        let pool = Self { results, processes: RunningEngines::default(), stopped: Arc::default() };
        let (workers, processes, stopped) =
            (config.jobs.max(1), pool.processes.clone(), Arc::clone(&pool.stopped));
        let context =
            Arc::new(WorkerContext { config, openings, queue, results: results_sender, processes, stopped });
        for index in 0..workers {
            let context = Arc::clone(&context);
            threads::spawn("worker", move || MatchWorker::new(&context, index).work())?;
        }
        Ok(pool)
    }

    /// Finished games; closed when the last worker is done.
    pub(super) const fn results(&self) -> &Receiver<GameRecord> {
        &self.results
    }

    /// Waits until all engines have quit if all games are played; otherwise abandons running games and kills engines.
    pub(super) fn shutdown(self, all_played: bool) {
        if all_played {
            self.results.iter().for_each(drop);
        }
        self.stopped.store(true, Relaxed);
        self.processes.kill_all();
    }
}

/// A worker has players of its own.
struct MatchWorker<'a> {
    context: &'a WorkerContext,
    index: usize,
    /// Made when first needed, and again after a forfeit.
    players: Vec<Option<Box<dyn MatchPlayer>>>,
    solver: Searcher,
}

/// Mebibytes for adjudication.
const SOLVER_HASH: usize = 16;

impl<'a> MatchWorker<'a> {
    fn new(context: &'a WorkerContext, index: usize) -> Self {
        let players = context.config.players.iter().map(|_| None).collect();
        Self { context, index, players, solver: Searcher::new(1, SOLVER_HASH) }
    }

    fn work(mut self) {
        while let Ok(game) = self.context.queue.recv() {
            let record = self.play(game);
            // After the stop engines are killed, and games end by that.
            if self.context.stopped.load(Relaxed) || self.context.results.send(record).is_err() {
                return;
            }
        }
        self.players.into_iter().flatten().for_each(MatchPlayer::quit);
    }

    fn play(&mut self, game: ScheduledGame) -> GameRecord {
        let WorkerContext { config, openings, .. } = self.context;
        let places = [game.black, game.white];
        for place in places {
            if self.players[place].is_none() {
                let player = self.make(&config.players[place]);
                self.players[place] = Some(player.unwrap_or_else(|failed| Box::new(failed)));
            }
        }
        let mut players = places.map(|place| self.players[place].take());
        let [Some(black), Some(white)] = &mut players else { unreachable!("both were just made") };
        let mut random = Random::keyed(config.seed, game.number.into());
        let mut participant = |place: usize, player| {
            let spec: &PlayerSpec = &config.players[place];
            let hang = spec.hang(config.conditions.hang);
            Participant { name: &spec.name, control: spec.control, hang, player, seed: random.draw() }
        };
        let participants = [participant(places[0], black.as_mut()), participant(places[1], white.as_mut())];
        let opening = &openings[game.opening];
        let record = play(game.number, opening, participants, &config.conditions, &mut self.solver);
        let failed = match &record.ending {
            GameEnding::Forfeit { by, .. } => Some(usize::from(by == "white")),
            GameEnding::Played | GameEnding::Adjudicated => None,
        };
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
                    opponents::by_name(&name, seed).expect("the spec's name was checked")
                }))
            }
            PlayerKind::Tuned(system, values) => {
                let (system, values) = (*system, values.clone());
                in_process(Box::new(move |_| system.searcher(&values)))
            }
            PlayerKind::External(engine) => {
                let WorkerContext { config, processes, .. } = self.context;
                let process =
                    start(config, spec, engine, self.index, processes).map_err(FailedPlayer::not_started)?;
                connect(config, spec, engine, process)?
            }
        })
    }
}
