//! Starting engines: the first commands, and whether they play by the rules of the match.

use std::io;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, select_biased, unbounded};

use crate::board::{Color, Move};
use crate::game::Game;
use crate::rules::Rules;
use crate::terminal::interrupts::Completion;
use crate::threads::spawn_helper;

use super::config::{MatchConfig, MatchError};
use super::gtp_player::GtpPlayer;
use super::journal::{Diagnostics, ForfeitReason};
use super::nboard_player::NBoardPlayer;
use super::player::{ChosenMove, MatchPlayer, MoveRequest, PlayerError, RulesCheck};
use super::process::{EngineProcess, RunningEngines};
use super::spec::{EngineSpec, PlayerKind, PlayerProtocol, PlayerSpec};
use super::stderr::open_log;
use super::uci_player::UciPlayer;

/// The least time for commands other than those for a move: an engine may have much to load.
const MIN_COMMAND_TIMEOUT: Duration = Duration::from_secs(1);

/// Starts every engine once before the first game. In a reversed match each has to confirm the rules, unless the user
/// vouches for it: most Reversi engines play for the most discs, and only the result of the match would show it. Other
/// failures are only logged here; they forfeit games.
pub(super) fn check_engines(
    config: &MatchConfig,
    interrupts: &Receiver<()>,
) -> Result<Completion, MatchError> {
    let processes = RunningEngines::default();
    let (sender, answers) = unbounded();
    thread::scope(|scope| {
        for player in &config.players {
            let PlayerKind::External(engine) = &player.kind else { continue };
            let process = start(config, player, engine, 0, &processes).map_err(|error| {
                MatchError::Start(format!("{} ({})", player.name, engine.command[0]), error)
            })?;
            if config.rules == Rules::Reversed && !engine.assumes_reversed {
                let sender = sender.clone();
                let check = move || {
                    let answer = check_rules(config, player, engine, process);
                    // Nobody receives it after an interrupt.
                    let _ = sender.send((player.name.clone(), answer));
                };
                spawn_helper(scope, check).map_err(MatchError::System)?;
            }
        }
        drop(sender);
        loop {
            let answer = select_biased! {
                recv(interrupts) -> _ => {
                    processes.kill_all();
                    return Ok(Completion::Interrupted);
                }
                recv(answers) -> answer => answer,
            };
            match answer {
                Ok((_, Ok(RulesCheck::Confirmed))) => {}
                Ok((name, Ok(RulesCheck::Unconfirmed(problem)))) => {
                    processes.kill_all();
                    return Err(MatchError::Rules { name, problem });
                }
                Ok((name, Err(error))) => log::warn!("{name} fails before its first game: {error:?}"),
                Err(_) => return Ok(Completion::Complete),
            }
        }
    })
}

fn check_rules(
    config: &MatchConfig,
    player: &PlayerSpec,
    engine: &EngineSpec,
    process: EngineProcess,
) -> Result<RulesCheck, PlayerError> {
    let mut player = connect(config, player, engine, process).map_err(|failed| failed.error)?;
    player.negotiate_rules(config.rules, config.size)
}

/// Starts an engine with its standard error in the folder of the logs.
pub(super) fn start(
    config: &MatchConfig,
    spec: &PlayerSpec,
    engine: &EngineSpec,
    worker: usize,
    processes: &RunningEngines,
) -> io::Result<EngineProcess> {
    let log = open_log(&config.logs, &spec.name, worker)?;
    EngineProcess::start(engine, Some(log), processes)
}

/// Sends the first commands to an engine that was just started.
pub(super) fn connect(
    config: &MatchConfig,
    spec: &PlayerSpec,
    engine: &EngineSpec,
    process: EngineProcess,
) -> Result<Box<dyn MatchPlayer>, FailedPlayer> {
    let timeout = spec.hang(config.conditions.hang).max(MIN_COMMAND_TIMEOUT);
    match engine.protocol {
        PlayerProtocol::Gtp => {
            let mut player = GtpPlayer::new(process, spec, engine, timeout);
            connected(player.handshake(), player)
        }
        PlayerProtocol::NBoard => {
            let mut player = NBoardPlayer::new(process, spec, engine, timeout);
            connected(player.handshake(), player)
        }
        PlayerProtocol::Uci => {
            let mut player = UciPlayer::new(process, spec, engine, timeout);
            connected(player.handshake(), player)
        }
    }
}

fn connected(
    handshake: Result<(), PlayerError>,
    player: impl MatchPlayer + 'static,
) -> Result<Box<dyn MatchPlayer>, FailedPlayer> {
    match handshake {
        Ok(()) => Ok(Box::new(player)),
        Err(error) => {
            let (reason, _) = error.clone().forfeit();
            Err(FailedPlayer { error, diagnostics: player.diagnostics(reason) })
        }
    }
}

/// An engine that could not be started or connected; it forfeits its next game.
pub(super) struct FailedPlayer {
    error: PlayerError,
    diagnostics: Diagnostics,
}

impl FailedPlayer {
    pub(super) fn not_started(error: io::Error) -> Self {
        let error = PlayerError::Crash(format!("cannot be started: {error}"));
        Self { error, diagnostics: Diagnostics::default() }
    }
}

impl MatchPlayer for FailedPlayer {
    fn diagnostics(&self, _: ForfeitReason) -> Diagnostics {
        self.diagnostics.clone()
    }

    fn start_game(&mut self, _: &Game, _: Color, _: u64) -> Result<(), PlayerError> {
        Err(self.error.clone())
    }

    fn choose_move(&mut self, _: &MoveRequest) -> Result<ChosenMove, PlayerError> {
        Err(self.error.clone())
    }

    fn notify_move(&mut self, _: Color, _: Move) -> Result<(), PlayerError> {
        Err(self.error.clone())
    }

    fn quit(self: Box<Self>) {}
}
