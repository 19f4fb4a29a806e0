//! Positions of our own games, drawn by a seed.
//!
//! A game starts with random plies and continues with a shallow search and occasional random moves, so that positions are
//! as uneven as those in a search. A seed gives the same positions as long as search and evaluation are the same.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use ollehto_protocol::notation::parse_position;

use crate::board::{Board, Move, Position, Size};
use crate::notation;
use crate::random::Random;
use crate::rules::Rules;
use crate::search::{Budget, Control, Searcher, Task};

/// Random plies at the start.
const RANDOM_PLIES: RangeInclusive<usize> = 8..=20;

/// Search depth of the moves after them.
const DEPTH: u8 = 4;

/// One in so many of those is random.
const RANDOM_MOVE: usize = 20;

/// MiB of table.
const HASH: usize = 1;

/// Games without a new position after which there are none left, as in the first plies.
const PATIENCE: u32 = 200;

/// Positions with `discs` discs and a legal move, no two of them symmetric.
///
/// There may be fewer than `count`, as near the start of the game. A larger `count` gives the same ones first.
#[must_use]
pub fn sample(rules: Rules, discs: u32, count: usize, seed: u64) -> Vec<Position> {
    sample_each(rules, discs..=discs, count, seed).pop().unwrap_or_default()
}

/// [`sample`] for each disc count, from the same games.
#[must_use]
pub fn sample_each(rules: Rules, discs: RangeInclusive<u32>, count: usize, seed: u64) -> Vec<Vec<Position>> {
    let mut collections: Vec<_> = discs.map(|discs| Collection::new(discs, count)).collect();
    let mut searcher = Searcher::new(1, HASH);
    for number in 0.. {
        let open: Vec<_> = collections.iter_mut().filter(|collection| !collection.is_complete()).collect();
        let Some(most) = open.iter().map(|collection| collection.discs).max() else { break };
        let game = play(rules, most, Random::keyed(seed, number), &mut searcher);
        open.into_iter().for_each(|collection| collection.offer(&game));
    }
    collections.into_iter().map(|collection| collection.positions).collect()
}

struct Collection {
    discs: u32,
    wanted: usize,
    positions: Vec<Position>,
    /// Canonical boards.
    seen: HashSet<Board>,
    /// Games since the last new position.
    barren: u32,
}

impl Collection {
    fn new(discs: u32, wanted: usize) -> Self {
        Self { discs, wanted, positions: Vec::new(), seen: HashSet::new(), barren: 0 }
    }

    fn is_complete(&self) -> bool {
        self.positions.len() >= self.wanted || self.barren >= PATIENCE
    }

    fn offer(&mut self, game: &[Position]) {
        let fitting = game.iter().find(|position| position.board().discs().len() == self.discs);
        match fitting.filter(|position| self.seen.insert(position.board().canonical().0)) {
            Some(&position) => {
                self.positions.push(position);
                self.barren = 0;
            }
            None => self.barren += 1,
        }
    }
}

/// The positions of a game with a legal move, up to `discs` discs.
fn play(rules: Rules, discs: u32, mut random: Random, searcher: &mut Searcher) -> Vec<Position> {
    let random_plies = RANDOM_PLIES.start() + random.below(RANDOM_PLIES.count());
    let mut position = Position::start(Size::Eight);
    let mut game = Vec::new();
    loop {
        if position.must_pass() {
            position = position.with_side(position.side().opponent());
        }
        let moves: Vec<_> = position.moves().into_iter().map(Move::Place).collect();
        if moves.is_empty() {
            return game;
        }
        game.push(position);
        if position.board().discs().len() >= discs {
            return game;
        }
        let is_random = game.len() <= random_plies || random.below(RANDOM_MOVE) == 0;
        let drawn = if is_random { random.pick(&moves).copied() } else { None };
        let action = drawn.unwrap_or_else(|| best_move(position, rules, searcher));
        let Some(next) = position.play(action) else { return game };
        position = next;
    }
}

fn best_move(position: Position, rules: Rules, searcher: &mut Searcher) -> Move {
    // A move must not depend on earlier searches.
    searcher.clear();
    let control = Control::new(&Budget { depth: Some(DEPTH), ..Budget::UNLIMITED });
    searcher.run(&Task::new(position, rules), &control, &mut |_| {}).best()
}

/// A position of the 8×8 board in a log: two words, the squares and the side to move.
///
/// # Errors
/// In words, if it is none.
pub fn parse(squares: &str, side: &str) -> Result<Position, String> {
    let text = parse_position(format!("{squares} {side}").as_bytes()).map_err(|error| error.to_string())?;
    let position = notation::position(&text).map_err(|error| error.to_string())?;
    if position.size() == Size::Eight { Ok(position) } else { Err(format!("a board of {}", position.size())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_follow_from_the_seed() {
        for rules in Rules::ALL {
            let drawn = sample(rules, 30, 10, 5);
            assert_eq!(drawn, sample(rules, 30, 10, 5));
            assert_ne!(drawn, sample(rules, 30, 10, 6));
            assert_eq!(drawn[..4], sample(rules, 30, 4, 5), "fewer are the first ones");
        }
        assert_ne!(sample(Rules::Reversed, 40, 5, 5), sample(Rules::Standard, 40, 5, 5));
    }

    #[test]
    fn positions_are_as_asked_for_and_differ() {
        for (discs, positions) in (20..).zip(sample_each(Rules::Reversed, 20..=50, 6, 1)) {
            assert_eq!(positions.len(), 6);
            assert!(positions.iter().all(|position| position.board().discs().len() == discs));
            assert!(positions.iter().all(|position| !position.moves().is_empty()));
            let boards: HashSet<_> =
                positions.iter().map(|position| position.board().canonical().0).collect();
            assert_eq!(boards.len(), positions.len());
        }
    }

    #[test]
    fn a_range_brings_what_its_numbers_bring_alone() {
        let together = sample_each(Rules::Standard, 10..=45, 3, 8);
        for (discs, positions) in (10..).zip(together).step_by(7) {
            assert_eq!(positions, sample(Rules::Standard, discs, 3, 8), "{discs} discs");
        }
    }

    #[test]
    fn all_there_are_is_the_most_one_gets() {
        let counts = [1, 1, 3, 14, 60].into_iter().zip(4..);
        for (count, discs) in counts {
            assert_eq!(sample(Rules::Reversed, discs, 100, 1).len(), count, "{discs} discs");
        }
    }
}
