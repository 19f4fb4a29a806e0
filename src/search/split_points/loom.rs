//! Split points under every order of their threads' steps.
//!
//! Loom reports a deadlock if threads wait for each other, so each model shows first of all that it ends: no wake-up
//! is lost, helpers leave, owners go on, idle threads end.

use std::sync::Arc;
use std::sync::atomic::AtomicU8 as Counter;

use ::loom::thread::{self, JoinHandle};

use super::*;
use crate::board::Square;
use crate::search::control::{Control, Stopped};
use crate::search::limits::Budget;
use crate::sync::check;

/// What follows a move of a made-up game.
#[derive(Clone, Copy)]
enum After {
    Value(i16),
    /// GameMoves of the same player, whose best counts.
    GameMoves(GameMoves),
}
use After::{GameMoves as Below, Value};

/// GameMoves with what comes after them. No square occurs twice in a game.
type GameMoves = &'static [(Square, After)];

fn best_value(moves: GameMoves) -> i16 {
    let value = |&(_, after): &(Square, After)| match after {
        Value(value) => value,
        Below(moves) => best_value(moves),
    };
    moves.iter().map(value).max().expect("there are moves")
}

fn find(moves: GameMoves, square: Square) -> Option<After> {
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

struct SharedState {
    splits: SplitPoints,
    control: Control,
    games: Vec<GameMoves>,
    /// By square, invisible to loom: how often a move was taken, and how often it was searched to the end.
    taken: [Counter; 64],
    searched: [Counter; 64],
}

impl SharedState {
    fn new(threads: usize, games: &[GameMoves]) -> Arc<Self> {
        let zeros = || [const { Counter::new(0) }; 64];
        Arc::new(Self {
            splits: SplitPoints::new(threads, threads),
            control: Control::new(&Budget::UNLIMITED),
            games: games.to_vec(),
            taken: zeros(),
            searched: zeros(),
        })
    }

    fn spawn_helper(self: &Arc<Self>, thread_id: usize) -> JoinHandle<()> {
        let hand = ModelThread::new(self, thread_id);
        thread::spawn(move || hand.help_until_done())
    }

    fn helpers(&self, split: usize) -> Option<usize> {
        let slot = &self.splits.slots[split];
        slot.split.lock().is_some().then(|| slot.helpers.load(Acquire))
    }

    fn assert_no_helpers(&self) {
        assert!(self.splits.slots.iter().all(|slot| slot.split.lock().is_none()));
        assert!(self.splits.open.iter().all(|open| open.0.load(Acquire) == 0));
        assert!(!self.splits.has_idle_threads());
    }
}

/// A thread that works like a [`Worker`](crate::search::worker::Worker) and splits wherever it can.
struct ModelThread {
    world: Arc<SharedState>,
    thread_id: usize,
    chain: Chain,
}

impl ModelThread {
    fn new(world: &Arc<SharedState>, thread_id: usize) -> Self {
        Self { world: Arc::clone(world), thread_id, chain: Chain::new() }
    }

    fn poll(&self) -> Result<(), Stopped> {
        let is_over = self.world.control.is_stopped() || self.world.splits.is_cancelled(&self.chain);
        if is_over { Err(Stopped) } else { Ok(()) }
    }

    fn help_until_done(mut self) {
        while let Some(Work::Split(Joined { split, chain, .. })) = self.world.splits.next_work() {
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

    fn open(&mut self, moves: GameMoves) -> usize {
        let job = SplitJob { depth: 1, alpha: alpha(), selectivity: Selectivity::Off, reduces: false };
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
        while let Some(Joined { split, chain, .. }) = self.world.splits.join_below(split) {
            self.help_at(split, chain);
        }
    }

    fn close(&mut self, split: usize) -> BestSoFar {
        let helpers = self.world.helpers(split);
        assert_eq!(helpers, Some(0), "nobody is there when the owner goes on");
        self.chain.pop();
        self.world.splits.close(split).0
    }

    fn split(&mut self, moves: GameMoves) -> Result<Score, Stopped> {
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

/// Searches with so many threads while `meanwhile` runs in another, and checks the result.
fn search(
    threads: usize,
    preemptions: usize,
    game: GameMoves,
    meanwhile: Option<fn(&SharedState)>,
    accept: fn(Result<i16, Stopped>) -> bool,
) {
    check(preemptions, move || {
        let world = SharedState::new(threads, &[game]);
        let mut others: Vec<_> = (1..threads).map(|thread_id| world.spawn_helper(thread_id)).collect();
        others.extend(meanwhile.map(|act| {
            let world = Arc::clone(&world);
            thread::spawn(move || act(&world))
        }));
        let found = ModelThread::new(&world, 0).split(game);
        world.splits.shut_down();
        for other in others {
            other.join().expect("no panic");
        }
        let found = found.map(Score::units);
        assert!(accept(found), "{found:?}");
        world.assert_no_helpers();
    });
}

#[test]
fn idle_threads_end_with_the_search() {
    check(3, || {
        let world = SharedState::new(3, &[]);
        let idle = [1, 2].map(|thread_id| world.spawn_helper(thread_id));
        world.splits.shut_down();
        for hand in idle {
            hand.join().expect("no panic");
        }
        world.assert_no_helpers();
    });
}

/// A waiting thread learns of a split: here the owner leaves all moves to the helper.
#[test]
fn an_opened_split_wakes_idle_threads() {
    check(5, || {
        let world = SharedState::new(2, &[&[(Square::A1, Value(7))]]);
        let mut helper = ModelThread::new(&world, 1);
        let helper = thread::spawn(move || {
            let Joined { split, chain, .. } = helper.world.splits.join(None).expect("the search is not done");
            helper.help_at(split, chain);
        });
        let mut owner = ModelThread::new(&world, 0);
        let split = owner.open(world.games[0]);
        helper.join().expect("no panic");
        assert!(world.splits.join_below(split).is_none());
        assert_eq!(owner.close(split), BestSoFar::by(Square::A1, Score::from_units(7), Selectivity::Off));
        world.assert_no_helpers();
    });
}

#[test]
fn two_threads_miss_nothing() {
    const GAME: GameMoves = &[(Square::A1, Value(5)), (Square::B1, Value(7)), (Square::C1, Value(6))];
    search(2, 3, GAME, None, |found| found == Ok(7));
}

#[test]
fn three_threads_miss_nothing() {
    const GAME: GameMoves = &[(Square::A1, Value(5)), (Square::B1, Value(7))];
    search(3, 2, GAME, None, |found| found == Ok(7));
}

#[test]
fn a_cutoff_cancels_the_split() {
    const GAME: GameMoves = &[(Square::A1, Value(5)), (Square::B1, CUT), (Square::C1, Value(6))];
    search(2, 3, GAME, None, |found| found == Ok(ALPHA + 1));
}

/// A waiting owner helps below its own split.
const NESTED: GameMoves =
    &[(Square::A1, Below(&[(Square::A2, Value(5)), (Square::B2, Value(7))])), (Square::B1, Value(6))];

#[test]
fn two_threads_help_each_other_below() {
    search(2, 3, NESTED, None, |found| found == Ok(7));
}

#[test]
fn three_threads_help_each_other_below() {
    search(3, 1, NESTED, None, |found| found == Ok(7));
}

#[test]
fn a_cutoff_above_cancels_splits_below() {
    const GAME: GameMoves =
        &[(Square::A1, Below(&[(Square::A2, Value(5)), (Square::B2, Value(7))])), (Square::B1, CUT)];
    search(2, 2, GAME, None, |found| found == Ok(ALPHA + 1));
}

#[test]
fn three_threads_leave_after_a_cutoff_above() {
    const GAME: GameMoves =
        &[(Square::A1, Below(&[(Square::A2, Value(5)), (Square::B2, Value(7))])), (Square::B1, CUT)];
    search(3, 1, GAME, None, |found| found == Ok(ALPHA + 1));
}

/// A stopped search either was complete or does not count.
#[test]
fn a_stop_ends_all_helpers() {
    search(2, 1, NESTED, Some(|world| world.control.stop()), |found| found.is_err() || found == Ok(7));
}

/// Two splits one after the other in the same slot, the first abandoned if `abandons`: its state does not leak into
/// the second, nor do its helpers.
fn search_twice(preemptions: usize, first: GameMoves, abandons: bool) {
    const SECOND: GameMoves = &[(Square::A2, Value(5)), (Square::B2, Value(7))];
    check(preemptions, move || {
        let world = SharedState::new(2, &[first, SECOND]);
        let helper = world.spawn_helper(1);
        let mut owner = ModelThread::new(&world, 0);
        let split = owner.open(first);
        if abandons {
            // Abandoned during a move, so that it polls at no other.
            world.splits.abandon(split);
            owner.wait_for_guests(split);
        } else {
            owner.search_with_helpers(split);
        }
        owner.close(split);
        assert_eq!(owner.split(SECOND).map(Score::units), Ok(7));
        world.splits.shut_down();
        helper.join().expect("no panic");
        world.assert_no_helpers();
    });
}

#[test]
fn a_slot_is_reused_after_a_cutoff() {
    search_twice(2, &[(Square::A1, CUT), (Square::B1, Value(1))], false);
}

#[test]
fn a_slot_is_reused_after_an_abandoned_split() {
    search_twice(2, &[(Square::A1, Value(1))], true);
}

/// The owner panics and shuts down without waiting for helpers: even then no helper goes on in a split that others
/// are in.
#[test]
fn helpers_leave_an_abandoned_split() {
    const GAME: GameMoves = &[(Square::A1, Below(&[(Square::A2, Value(5)), (Square::B2, Value(7))]))];
    check(1, || {
        let world = SharedState::new(3, &[GAME]);
        let helpers = [1, 2].map(|thread_id| world.spawn_helper(thread_id));
        let split = ModelThread::new(&world, 0).open(GAME);
        world.splits.shut_down();
        for helper in helpers {
            helper.join().expect("no panic");
        }
        assert_eq!(world.helpers(split), Some(0));
    });
}
