//! Positions to test from: reached by seeded random play, picked by what is special about them.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::mailbox::{Mailbox, Move, Side};

/// The generator of a test; its seed belongs into every failure message.
pub fn generator(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// A random element.
pub fn pick<'a, T>(rng: &mut StdRng, from: &'a [T]) -> &'a T {
    &from[rng.random_range(0..from.len())]
}

/// Every position of one game, the first and the last included.
fn game(size: usize, mut choose: impl FnMut(&Mailbox, &[Move]) -> Move) -> Vec<Mailbox> {
    let mut positions = vec![Mailbox::start(size)];
    loop {
        let board = positions.last().expect("the start is in the list");
        let moves = board.moves();
        if moves.is_empty() {
            return positions;
        }
        let next = board.after(choose(board, &moves));
        positions.push(next);
    }
}

/// A game of two who play anything.
fn random_game(rng: &mut StdRng, size: usize) -> Vec<Mailbox> {
    game(size, |_, moves| *pick(rng, moves))
}

/// A game in which Black mostly takes all he can: the kind that ends with the last white disc.
fn greedy_game(rng: &mut StdRng, size: usize) -> Vec<Mailbox> {
    game(size, |board, moves| {
        let left = |turn: &Move| board.after(*turn).count(Side::White);
        if board.to_move() == Side::White || rng.random_bool(0.3) {
            return *pick(rng, moves);
        }
        moves.iter().copied().min_by_key(left).expect("the game is not over")
    })
}

/// `count` positions out of random games that satisfy `wanted`.
pub fn collect(
    rng: &mut StdRng,
    size: usize,
    count: usize,
    wanted: impl Fn(&Mailbox) -> bool,
) -> Vec<Mailbox> {
    collect_from(|| random_game(rng, size), count, wanted)
}

/// `count` positions in which the next turn can take the last disc of the opponent.
pub fn collect_wipe_outs(rng: &mut StdRng, size: usize, count: usize) -> Vec<Mailbox> {
    collect_from(|| greedy_game(rng, size), count, can_wipe_out)
}

/// One suitable position of each game that has any.
fn collect_from(
    mut game: impl FnMut() -> Vec<Mailbox>,
    count: usize,
    wanted: impl Fn(&Mailbox) -> bool,
) -> Vec<Mailbox> {
    /// So rare a property would be a mistake in the test.
    const GAMES: usize = 100_000;
    let mut found = Vec::new();
    for _ in 0..GAMES {
        if found.len() == count {
            return found;
        }
        let mut suitable: Vec<Mailbox> = game().into_iter().filter(|board| wanted(board)).collect();
        if !suitable.is_empty() {
            // From the middle: the first ones of all games look alike.
            found.push(suitable.swap_remove(suitable.len() / 2));
        }
    }
    panic!("only {} of {count} such positions in {GAMES} games", found.len());
}

/// Whether the side to move can take the opponent's last disc.
fn can_wipe_out(board: &Mailbox) -> bool {
    let opponent = board.to_move().other();
    board.moves().into_iter().any(|turn| board.after(turn).count(opponent) == 0)
}

/// Whether some turn makes the opponent pass.
pub fn can_force_pass(board: &Mailbox) -> bool {
    board.moves().into_iter().any(|turn| board.after(turn).must_pass())
}

/// Whether there is a choice now, and after each choice exactly one reply.
pub fn reply_is_forced(board: &Mailbox) -> bool {
    let moves = board.moves();
    moves.len() > 1 && moves.into_iter().all(|turn| board.after(turn).moves().len() == 1)
}

/// Whether searching this position takes more than a moment.
pub fn is_midgame(board: &Mailbox) -> bool {
    board.moves().len() > 1 && board.empties() >= board.size() * board.size() / 2
}

/// A random legal turn.
pub fn random_turn(rng: &mut StdRng, board: &Mailbox) -> Move {
    *pick(rng, &board.moves())
}
