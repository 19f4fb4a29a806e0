//! Before the first game: whether all programs are there, and whether they know by which rules they are to play.

use std::thread;

use crossbeam_channel::{Receiver, select_biased, unbounded};

use crate::rules::Rules;

use super::player::{PlayerError, RulesCheck};
use super::process::{EngineProcess, ProcessGroups};
use super::run::{MatchConfig, MatchError};
use super::spec::{EngineSpec, PlayerKind, PlayerSpec};
use super::worker::{connect, start};

/// Whether the match can begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Introduction {
    /// It can.
    Done,
    /// The user has ended it meanwhile.
    Interrupted,
}

/// Starts every program once. Where the fewest discs win each of them has to show that it knows, unless the user vouches
/// for it: most Reversi programs play for the most, and a match would never show it but in its result. Whoever
/// misbehaves in another way will lose its games for it.
pub(super) fn introduce(config: &MatchConfig, interrupts: &Receiver<()>) -> Result<Introduction, MatchError> {
    let children = ProcessGroups::default();
    let (sender, answers) = unbounded();
    thread::scope(|scope| {
        for player in &config.players {
            let PlayerKind::External(external) = &player.kind else { continue };
            // A program that is not there should be noticed before the match rather than lose all its games.
            let process = start(config, player, external, 0, &children).map_err(|error| {
                MatchError::Start(format!("{} ({})", player.name, external.command[0]), error)
            })?;
            if config.rules == Rules::Reversed && !external.assumes_reversed {
                let sender = sender.clone();
                scope.spawn(move || {
                    let answer = agreement(config, player, external, process);
                    // After an interrupt nobody wants to know.
                    let _ = sender.send((player.name.clone(), answer));
                });
            }
        }
        drop(sender);
        loop {
            let answer = select_biased! {
                recv(interrupts) -> _ => {
                    children.kill_all();
                    return Ok(Introduction::Interrupted);
                }
                recv(answers) -> answer => answer,
            };
            match answer {
                Ok((_, Ok(RulesCheck::Confirmed))) => {}
                Ok((name, Ok(RulesCheck::Unconfirmed(problem)))) => {
                    children.kill_all();
                    return Err(MatchError::Rules { name, problem });
                }
                Ok((name, Err(fault))) => log::warn!("{name} misbehaves before its first game: {fault:?}"),
                Err(_) => return Ok(Introduction::Done),
            }
        }
    })
}

fn agreement(
    config: &MatchConfig,
    player: &PlayerSpec,
    external: &EngineSpec,
    process: EngineProcess,
) -> Result<RulesCheck, PlayerError> {
    let mut guest = connect(config, player, external, process).map_err(|failed| failed.fault)?;
    guest.negotiate_rules(config.rules, config.size)
}
