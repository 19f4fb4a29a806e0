//! The splits under every order of its threads' steps.
//!
//! Loom reports a deadlock where threads are left that wait for each other, so each model shows first of all that it
//! comes to an end: that no wake-up is lost, that helpers leave, that owners go on and that idle threads are sent home.

use std::sync::Arc;
use std::sync::atomic::AtomicU8 as Counter;

use ::loom::thread::{self, JoinHandle};

use super::*;
use crate::board::Square;
use crate::search::control::{Control, Stopped};
use crate::search::limits::Budget;
use crate::sync::check;

/// What a move of a made-up game leads to.
#[derive(Clone, Copy)]
enum After {
    Value(i16),
    /// Moves of the same player, whose best counts.
    Moves(Moves),
}
use After::{Moves as Below, Value};

/// Moves with what comes after them. No square occurs twice in a game.
type Moves = &'static [(Square, After)];

fn best_value(moves: Moves) -> i16 {
    let value = |&(_, after): &(Square, After)| match after {
        Value(value) => value,
        Below(moves) => best_value(moves),
    };
    moves.iter().map(value).max().expect("there are moves")
}

fn find(moves: Moves, square: Square) -> Option<After> {
    moves.iter().find_map(|&(other, after)| match after {
        _ if other == square => Some(after),
        Value(_) => None,
        Below(moves) => find(moves, square),
    })
}

const ALPHA: i16 = 100;
const CUT: After = Value(ALPHA + 1);

fn alpha() -> Score {
    Score::from_units(ALPHA.into())
}

/// One search.
struct World {
    splits: SplitPoints,
    control: Control,
    games: Vec<Moves>,
    /// By square, unseen by loom: how often a move was taken, and how often it was searched to the end.
    taken: [Counter; 64],
    searched: [Counter; 64],
}

impl World {
    fn new(threads: usize, games: &[Moves]) -> Arc<Self> {
        let zeros = || [const { Counter::new(0) }; 64];
        Arc::new(Self {
            splits: SplitPoints::new(threads),
            control: Control::new(&Budget::UNLIMITED),
            games: games.to_vec(),
            taken: zeros(),
            searched: zeros(),
        })
    }

    fn spawn_helper(self: &Arc<Self>, thread_id: usize) -> JoinHandle<()> {
        let hand = Hand::new(self, thread_id);
        thread::spawn(move || hand.help_until_done())
    }

    fn helpers(&self, split: usize) -> Option<usize> {
        self.splits.shared.lock().splits[split].as_ref().map(|split| split.helpers)
    }

    /// Nobody is left anywhere.
    fn assert_deserted(&self) {
        let shared = self.splits.shared.lock();
        assert!(shared.splits.iter().all(Option::is_none));
        assert!(shared.open.is_empty());
        assert!(!self.splits.has_idle_threads());
    }
}

/// A thread of the splits that works like a [`Worker`](crate::search::worker::Worker), and shares whatever it can.
struct Hand {
    world: Arc<World>,
    thread_id: usize,
    chain: Chain,
}

impl Hand {
    fn new(world: &Arc<World>, thread_id: usize) -> Self {
        Self { world: Arc::clone(world), thread_id, chain: Chain::new() }
    }

    fn poll(&self) -> Result<(), Stopped> {
        let is_over = self.world.control.is_stopped() || self.world.splits.is_cancelled(&self.chain);
        if is_over { Err(Stopped) } else { Ok(()) }
    }

    fn help_until_done(mut self) {
        while let Some((split, _, chain)) = self.world.splits.join_any() {
            self.help_at(split, chain);
        }
    }

    fn help_at(&mut self, split: usize, chain: Chain) {
        let own = std::mem::replace(&mut self.chain, chain);
        let _ = self.search_split_moves(split);
        self.chain = own;
        self.world.splits.leave(split);
    }

    fn search_split_moves(&mut self, split: usize) -> Result<(), Stopped> {
        while let Some(candidate) = self.world.splits.next_move(split) {
            let square = candidate.square;
            let before = self.world.taken[square as usize].fetch_add(1, Relaxed);
            assert_eq!(before, 0, "{square} is taken once");
            let score = self.search(square)?;
            self.world.searched[square as usize].fetch_add(1, Relaxed);
            self.world.splits.record(split, BestSoFar::by(square, score, Selectivity::Off));
        }
        Ok(())
    }

    fn search(&mut self, square: Square) -> Result<Score, Stopped> {
        self.poll()?;
        match self.world.games.iter().find_map(|game| find(game, square)).expect("known") {
            Value(value) => Ok(Score::from_units(value.into())),
            Below(moves) => self.split(moves),
        }
    }

    fn open(&mut self, moves: Moves) -> usize {
        let job = SplitJob { depth: 1, alpha: alpha(), selectivity: Selectivity::Off, in_probcut: false };
        let moves = moves.iter().map(|&(square, _)| square).collect();
        self.world.splits.open(self.thread_id, &mut self.chain, job, moves, BestSoFar::nothing())
    }

    fn search_with_helpers(&mut self, split: usize) {
        if self.search_split_moves(split).is_err() {
            self.world.splits.abandon(split);
        }
        self.wait_for_guests(split);
    }

    fn wait_for_guests(&mut self, split: usize) {
        while let Some((below, _, chain)) = self.world.splits.join_below(split) {
            self.help_at(below, chain);
        }
    }

    fn close(&mut self, split: usize) -> BestSoFar {
        let helpers = self.world.helpers(split);
        assert_eq!(helpers, Some(0), "nobody is there when the owner goes on");
        self.chain.pop();
        self.world.splits.close(split)
    }

    fn split(&mut self, moves: Moves) -> Result<Score, Stopped> {
        let split = self.open(moves);
        self.search_with_helpers(split);
        let BestSoFar { score: best, best: square, .. } = self.close(split);
        if best > alpha() {
            assert!(square.is_some_and(|square| moves.iter().any(|&(other, _)| other == square)));
        } else {
            self.poll()?;
            let searched =
                |&(square, _): &(Square, After)| self.world.searched[square as usize].load(Relaxed);
            assert!(moves.iter().map(searched).all(|times| times == 1), "searched to the end");
            assert_eq!(best.units(), best_value(moves));
        }
        Ok(best)
    }
}

/// Searches with so many threads while `meanwhile` happens in another, and polls at what was found.
fn search(
    threads: usize,
    preemptions: usize,
    game: Moves,
    meanwhile: Option<fn(&World)>,
    accept: fn(Result<i16, Stopped>) -> bool,
) {
    check(preemptions, move || {
        let world = World::new(threads, &[game]);
        let mut others: Vec<_> = (1..threads).map(|thread_id| world.spawn_helper(thread_id)).collect();
        others.extend(meanwhile.map(|act| {
            let world = Arc::clone(&world);
            thread::spawn(move || act(&world))
        }));
        let found = Hand::new(&world, 0).split(game);
        world.splits.shut_down();
        for other in others {
            other.join().expect("no panic");
        }
        let found = found.map(Score::units);
        assert!(accept(found), "{found:?}");
        world.assert_deserted();
    });
}

/// Nobody has anything to do: all go home.
#[test]
fn idle_threads_are_sent_home() {
    check(5, || {
        let world = World::new(3, &[]);
        let idle = [1, 2].map(|thread_id| world.spawn_helper(thread_id));
        world.splits.shut_down();
        for hand in idle {
            hand.join().expect("no panic");
        }
        world.assert_deserted();
    });
}

/// Whoever waits for work learns of it: here the owner leaves all of it to the helper.
#[test]
fn work_wakes_the_idle() {
    check(5, || {
        let world = World::new(2, &[&[(Square::A1, Value(7))]]);
        let mut helper = Hand::new(&world, 1);
        let helper = thread::spawn(move || {
            let (split, _, chain) = helper.world.splits.join_any().expect("the search is not done");
            helper.help_at(split, chain);
        });
        let mut owner = Hand::new(&world, 0);
        let split = owner.open(world.games[0]);
        helper.join().expect("no panic");
        assert!(world.splits.join_below(split).is_none());
        assert_eq!(owner.close(split), BestSoFar::by(Square::A1, Score::from_units(7), Selectivity::Off));
        world.assert_deserted();
    });
}

#[test]
fn two_threads_miss_nothing() {
    const GAME: Moves = &[(Square::A1, Value(5)), (Square::B1, Value(7)), (Square::C1, Value(6))];
    search(2, 3, GAME, None, |found| found == Ok(7));
}

#[test]
fn three_threads_miss_nothing() {
    const GAME: Moves = &[(Square::A1, Value(5)), (Square::B1, Value(7))];
    search(3, 2, GAME, None, |found| found == Ok(7));
}

#[test]
fn a_cut_ends_the_work() {
    const GAME: Moves = &[(Square::A1, Value(5)), (Square::B1, CUT), (Square::C1, Value(6))];
    search(2, 3, GAME, None, |found| found == Ok(ALPHA + 1));
}

/// An owner that waits works below its own position.
const NESTED: Moves =
    &[(Square::A1, Below(&[(Square::A2, Value(5)), (Square::B2, Value(7))])), (Square::B1, Value(6))];

#[test]
fn two_threads_help_each_other_below() {
    search(2, 4, NESTED, None, |found| found == Ok(7));
}

#[test]
fn three_threads_help_each_other_below() {
    search(3, 2, NESTED, None, |found| found == Ok(7));
}

#[test]
fn a_cut_above_ends_the_work_below() {
    const GAME: Moves =
        &[(Square::A1, Below(&[(Square::A2, Value(5)), (Square::B2, Value(7))])), (Square::B1, CUT)];
    search(2, 3, GAME, None, |found| found == Ok(ALPHA + 1));
}

#[test]
fn three_threads_leave_when_it_is_cut_above() {
    const GAME: Moves =
        &[(Square::A1, Below(&[(Square::A2, Value(5)), (Square::B2, Value(7))])), (Square::B1, CUT)];
    search(3, 2, GAME, None, |found| found == Ok(ALPHA + 1));
}

/// A stopped search either was complete or does not count.
#[test]
fn a_stop_sends_everybody_home() {
    search(2, 2, NESTED, Some(|world| world.control.stop()), |found| found.is_err() || found == Ok(7));
}

/// Two positions one after the other in the same place, the first given up at once if so wanted: what held of it does not
/// hold of the second, and whoever came for it does not work on the second.
fn search_twice(preemptions: usize, first: Moves, gives_up: bool) {
    const SECOND: Moves = &[(Square::A2, Value(5)), (Square::B2, Value(7))];
    check(preemptions, move || {
        let world = World::new(2, &[first, SECOND]);
        let helper = world.spawn_helper(1);
        let mut owner = Hand::new(&world, 0);
        let split = owner.open(first);
        if gives_up {
            // Told to while at a move, so that it polls at no other.
            world.splits.abandon(split);
            owner.wait_for_guests(split);
        } else {
            owner.search_with_helpers(split);
        }
        owner.close(split);
        assert_eq!(owner.split(SECOND).map(Score::units), Ok(7));
        world.splits.shut_down();
        helper.join().expect("no panic");
        world.assert_deserted();
    });
}

#[test]
fn a_place_is_used_again_after_a_cut() {
    search_twice(3, &[(Square::A1, CUT), (Square::B1, Value(1))], false);
}

#[test]
fn a_place_is_used_again_after_it_was_given_up() {
    search_twice(4, &[(Square::A1, Value(1))], true);
}

/// The owner panics, and finishes on the way out without waiting for anybody: not even then does a helper go on from a
/// position of its own while somebody is there.
#[test]
fn guests_leave_a_deserted_position() {
    const GAME: Moves = &[(Square::A1, Below(&[(Square::A2, Value(5)), (Square::B2, Value(7))]))];
    check(3, || {
        let world = World::new(3, &[GAME]);
        let helpers = [1, 2].map(|thread_id| world.spawn_helper(thread_id));
        let split = Hand::new(&world, 0).open(GAME);
        world.splits.shut_down();
        for helper in helpers {
            helper.join().expect("no panic");
        }
        assert_eq!(world.helpers(split), Some(0));
    });
}
