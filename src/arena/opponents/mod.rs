//! Named opponents: five programs rebuilt from their reports, and the simple players they are measured against.
//!
//! The head of each file lists what its report says and what was chosen where it says nothing. All were written for
//! Reversed Reversi on 8×8 with five seconds per move. Here they use our bitboards and follow any clock. Under standard
//! rules the terms for good and bad discs change their sign; on smaller boards tables are read from the corners inwards
//! and stages begin at the same fraction of the squares.
//!
//! The reports also mention programs like AlphaZero, one of which won a course's round robin with 99.5 %, and
//! Monte-Carlo tree search, but describe neither.

mod alpha_beta;
pub mod evaluations;
mod features;
mod ga_minimax;
mod maximax;
mod minimax3;
pub mod parameters;
mod player;
pub mod quick_games;
mod simple;
mod staged;
mod three_stage;

#[cfg(test)]
mod tests;

use crate::engine::Search;

use ga_minimax::GaMinimax;
use maximax::{GreedyInvincible, Maximax};
use minimax3::Minimax3;
use player::{OpponentSearcher, Strategy};
use simple::{Greedy, RandomPlayer};
use staged::Staged;
use three_stage::ThreeStage;

struct OpponentInfo {
    name: &'static str,
    description: &'static str,
    solves_from: u8,
    make: fn(u64) -> Box<dyn Search>,
}

const OPPONENTS: [OpponentInfo; 8] = [
    OpponentInfo {
        name: "random",
        description: "any legal move, all equally likely",
        solves_from: 0,
        make: |seed| Box::new(RandomPlayer::new(seed)),
    },
    OpponentInfo {
        name: "greedy",
        description: "the move that leaves it with the fewest discs (the most under standard rules)",
        solves_from: 0,
        make: |seed| Box::new(Greedy::new(seed)),
    },
    OpponentInfo {
        name: "greedy-invincible",
        description: "the best next board by maximax's evaluation; the last 12 plies played perfectly",
        solves_from: GreedyInvincible::SOLVES_FROM,
        make: player::<GreedyInvincible>,
    },
    OpponentInfo {
        name: "minimax3",
        description: "alpha-beta to depth 3 with a negated table of the ordinary game",
        solves_from: Minimax3::SOLVES_FROM,
        make: player::<Minimax3>,
    },
    OpponentInfo {
        name: "three-stage",
        description: "alpha-beta to depth 3, then 4, then to the end, with weights by stage",
        solves_from: ThreeStage::SOLVES_FROM,
        make: player::<ThreeStage>,
    },
    OpponentInfo {
        name: "staged",
        description: "alpha-beta to depth 6-10 with square weights and mobility, frontier or stability by stage",
        solves_from: Staged::SOLVES_FROM,
        make: player::<Staged>,
    },
    OpponentInfo {
        name: "maximax",
        description: "timed iterative deepening with square costs, weighted mobility and edge stability",
        solves_from: Maximax::SOLVES_FROM,
        make: player::<Maximax>,
    },
    OpponentInfo {
        name: "ga-minimax",
        description: "iterative deepening with five tuned features in two periods (three of its four maps tuned anew)",
        solves_from: GaMinimax::SOLVES_FROM,
        make: player::<GaMinimax>,
    },
];

/// The simplest first.
pub const NAMES: [&str; OPPONENTS.len()] = {
    let mut names = [""; OPPONENTS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = OPPONENTS[at].name;
        at += 1;
    }
    names
};

/// The same seed gives the same games.
#[must_use]
pub fn by_name(name: &str, seed: u64) -> Option<Box<dyn Search>> {
    find(name).map(|opponent| (opponent.make)(seed))
}

/// One line.
#[must_use]
pub fn description(name: &str) -> Option<&'static str> {
    find(name).map(|opponent| opponent.description)
}

/// The number of empty squares from which the opponent searches to the end; 0 if it has none.
#[must_use]
pub fn solves_from(name: &str) -> Option<u8> {
    find(name).map(|opponent| opponent.solves_from)
}

/// `minimax3` to another depth than its own.
#[must_use]
pub fn minimax_to(depth: u8) -> Box<dyn Search> {
    Box::new(OpponentSearcher::with_factory(move |rules, size| Minimax3::with_depth(depth, rules, size)))
}

fn find(name: &str) -> Option<&'static OpponentInfo> {
    const ALL: &[OpponentInfo] = &OPPONENTS;
    ALL.iter().find(|opponent| opponent.name == name)
}

/// Deterministic, so without a seed.
fn player<S: Strategy + 'static>(_seed: u64) -> Box<dyn Search> {
    Box::new(OpponentSearcher::<S>::new())
}
