//! Games of the engine against itself.

use super::work;
use crate::eval::Evaluation;
use crate::rules::Rules;
use crate::training::records::{Game, Settings};
use crate::training::selfplay::player::SelfPlayer;

/// From how many empty squares on play is perfect.
pub(super) const EXACT: u8 = 12;

/// So many games of the engine against itself, searching so deep, each begun with some random moves; they follow from
/// the seed and their number.
pub(super) fn play(
    rules: Rules,
    games: u64,
    depth: u8,
    random: (u8, u8),
    seed: u64,
    jobs: usize,
) -> Vec<Game> {
    let settings =
        Settings { rules, goal: rules, stray: false, depth, exact: EXACT, random, seed, evaluation: 0 };
    let numbers: Vec<u64> = (0..games).collect();
    let player = || SelfPlayer::new(settings, Evaluation::default());
    let played = work::each("games", &numbers, jobs, player, |player, &number| player.play(number, || false));
    played.into_iter().flatten().collect()
}
