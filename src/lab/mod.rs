//! The laboratory: the experiments of the founding reports, repeated under the right rules with many more samples.
//!
//! Every experiment gives [`Sheet`]s: tables with our figures, sample sizes and 95 % intervals, next to the figures of
//! the reports. The same seed gives the same figures, except where a clock is involved. Results are in
//! `docs/laboratory.md`.

pub mod breadth;
pub mod chart;
pub mod colour;
pub mod cuts;
pub mod depth;
pub mod evaluations;
pub mod features;
pub mod games;
pub mod generations;
pub mod judge;
pub mod loss;
pub mod measures;
pub mod published;
pub mod search;
pub mod sheet;
pub mod speed;
pub mod statistics;
pub mod tree;
pub mod tune;
pub mod win_rate;

use thiserror::Error;

pub use sheet::Sheet;

use crate::arena::opponents;
use crate::arena::opponents::parameters::ParameterError;
use crate::eval::Evaluation;
use crate::rules::Rules;
use crate::terminal::progress::CommandProgress;
use crate::training::parallel;
use crate::training::records::{SelfplaySettings, TrainingGame};
use crate::training::selfplay::player::SelfPlayer;

use evaluations::UnknownEvaluation;
use games::{ENGINE, LabPlayer};

/// Random plies at the start of games between different players.
const OPENING_PLIES: u32 = 6;

/// Empty squares from which the random mover of the Monte-Carlo measure plays perfectly.
const PERFECT: u8 = 12;

/// Empty squares from which strong play is perfect.
const STRONG_EXACT: u8 = 12;

/// Random moves at the start of games of strong play whose positions are counted.
const STRONG_RANDOM: (u8, u8) = (0, 12);

#[derive(Debug, Error)]
pub enum LabError {
    #[error("there is no player '{}': give {ENGINE}, {}", .0, opponents::NAMES.join(", "))]
    UnknownPlayer(String),
    #[error("{0}")]
    Evaluation(#[from] UnknownEvaluation),
    /// Weights of a named opponent cannot be read.
    #[error("{0}")]
    Weights(#[from] ParameterError),
}

fn lab_players(names: &[String]) -> Result<Vec<LabPlayer>, LabError> {
    let player = |name: &String| LabPlayer::named(name).ok_or_else(|| LabError::UnknownPlayer(name.clone()));
    names.iter().map(player).collect()
}

/// The names of all players, the weakest first.
pub fn players() -> impl Iterator<Item = &'static str> {
    opponents::NAMES.into_iter().chain([ENGINE])
}

/// The results in the order of the items, with a progress bar.
fn each<T: Sync, R: Send>(unit: &str, items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    each_with(unit, items, jobs, || (), |(), item| work(item))
}

/// The same with a state for each thread, on which results must not depend.
fn each_with<T: Sync, S, R: Send>(
    unit: &str,
    items: &[T],
    jobs: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let mut progress = CommandProgress::new(unit, items.len(), 0);
    let work = |state: &mut S, item: &T| Some(work(state, item));
    parallel::try_map(items, jobs, state, work, || progress.advance(1)).unwrap_or_default()
}

/// Self-play games of the engine; each depends on the seed and its number.
fn strong_games(
    rules: Rules,
    games: u64,
    depth: u8,
    random: (u8, u8),
    seed: u64,
    jobs: usize,
) -> Vec<TrainingGame> {
    let settings = SelfplaySettings {
        rules,
        play_for: rules,
        noise_before_solve: false,
        detours: 0,
        depth,
        exact: STRONG_EXACT,
        random,
        seed,
        evaluation: 0,
    };
    let numbers: Vec<u64> = (0..games).collect();
    let player = || SelfPlayer::new(settings, Evaluation::default());
    let played = each_with("games", &numbers, jobs, player, |player, &number| player.play(number, || false));
    played.into_iter().flatten().collect()
}
