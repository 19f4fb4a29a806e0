//! Whole games with made-up searches: the clock is used and never overstepped.

use std::ops::Range;

use super::*;
use crate::board::Square;
use crate::clock::{PlayerClock, TimeControl};
use crate::random::Random;
use crate::search::Limits;
use crate::search::cost::{SOLVE_AHEAD, min_empties_for};
use crate::selectivity::Selectivity;
use crate::time_source::Timestamp;

/// Of a move, in milliseconds.
const OVERHEAD: Range<f64> = 0.5..3.0;

/// A player's time over some games, without solved and forced moves.
#[derive(Default)]
struct Account {
    used: f64,
    planned: f64,
}

/// A machine and an opponent.
struct Machine {
    random: Random,
    rules: Rules,
    /// Nodes per second.
    speed: f64,
}

struct End {
    at: Duration,
    solved: bool,
}

impl Machine {
    /// From 0 to 1.
    fn fraction(&mut self) -> f64 {
        self.random.draw() as f64 / u64::MAX as f64
    }

    fn within(&mut self, Range { start, end }: Range<f64>) -> f64 {
        start + self.fraction() * (end - start)
    }

    /// Log-normal around 1.
    fn scatter(&mut self, by: f64) -> f64 {
        // Twelve uniform numbers add up to a nearly normal one.
        let normal = (0..12).map(|_| self.fraction()).sum::<f64>() - 6.0;
        (normal * by).exp()
    }

    /// A search under the time manager, as the root does it.
    fn search(&mut self, empties: u8, deadlines: Deadlines) -> End {
        let mut time_manager = TimeManager::new(self.rules, empties, 1);
        let growth = self.within(1.4..2.4);
        let speed = Speed { per_thread: self.speed, threads: 1 };
        let solve = cost::solve_time(self.rules, empties, speed).mul_f64(self.scatter(0.8));
        let first = cost::first_endgame_time(self.rules, empties, speed).mul_f64(self.scatter(1.0));
        let selective = empties >= min_empties_for(Selectivity::P73);
        let (mut now, mut nodes, mut size, mut depth, mut solving) = (Duration::ZERO, 0.0, 30.0, 0, false);
        let (mut best, mut score) = (Square::D3, 0);
        loop {
            let was_solving = solving;
            solving |= depth + 1 >= empties
                || depth + SOLVE_AHEAD > empties && time_manager.can_solve(now, nodes as u64, deadlines);
            let Some(until) = time_manager.next_deadline(solving, now, deadlines) else {
                return End { at: now, solved: false };
            };
            let exact = solving && (was_solving || !selective);
            let took = if solving {
                if exact { solve } else { first }
            } else {
                // Even depths are harder than odd ones.
                size *= growth * self.scatter(0.3) * if depth % 2 == 0 { 1.2 } else { 0.9 };
                cost::seconds(size / self.speed)
            };
            if now + took >= until {
                return End { at: until, solved: false };
            }
            (now, nodes, depth) = (now + took, nodes + took.as_secs_f64() * self.speed, depth + 1);
            if exact {
                return End { at: now, solved: true };
            }
            if self.fraction() < 0.2 {
                best = if best == Square::D3 { Square::C4 } else { Square::D3 };
            }
            score += self.within(-40.0..40.0) as i16;
            let (best_move_share, score) = (self.within(0.2..0.8), Score::default().plus(score));
            time_manager.record(IterationStats {
                nodes: nodes as u64,
                best: Move::Place(best),
                score,
                best_move_share,
                solving,
            });
        }
    }

    /// Panics if the clock is overstepped.
    fn play(&mut self, control: TimeControl, account: &mut Account) {
        let mut clock = PlayerClock::new(control);
        let mut solved = false;
        for empties in (0..=60_u8).rev().step_by(2) {
            let time = if let TimeControl::PerMove(time) = control { Some(time) } else { None };
            let limits = Limits { time, clock: clock.search_clock(), ..Limits::default() };
            let start = Timestamp::now();
            let budget = limits.budget(start, empties, self.rules, Duration::ZERO);
            let offset = |at: Option<Timestamp>| at.expect("timed") - start;
            let deadlines =
                Deadlines { since: Duration::ZERO, soft: offset(budget.soft), hard: offset(budget.hard) };
            // A solved line is in the table, if the opponent follows it.
            let known = solved && self.fraction() < 0.7;
            let forced = self.fraction() < 0.05;
            let thought = if known || forced {
                Duration::from_micros(200)
            } else {
                let end = self.search(empties, deadlines);
                solved = end.solved;
                if !solved {
                    account.used += end.at.as_secs_f64();
                    account.planned += deadlines.soft.as_secs_f64();
                }
                end.at
            };
            let spent = thought + cost::seconds(self.within(OVERHEAD) / 1000.0);
            let limit = clock.limit().expect("timed");
            assert!(spent <= limit, "{control}, {empties} empties: {spent:?} of {limit:?}");
            clock.charge(spent);
        }
    }
}

/// The share of the planned time that is used, over many games and machines of all speeds.
fn share_used(control: TimeControl) -> f64 {
    let mut account = Account::default();
    for seed in 0..40 {
        let rules = if seed % 2 == 0 { Rules::Reversed } else { Rules::Standard };
        let speed = [2e5, 1e6, 2e6, 3e7][seed as usize / 2 % 4];
        Machine { random: Random::new(seed), rules, speed }.play(control, &mut account);
    }
    account.used / account.planned
}

#[track_caller]
fn assert_well_used(control: TimeControl) {
    let share = share_used(control);
    println!("{control}: {share:.3}");
    assert!((0.9..1.3).contains(&share), "{control}: {share:.3} of the planned time was used");
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

#[test]
fn a_game_clock_is_used_and_kept() {
    for main in [1.0, 5.0, 30.0, 120.0, 600.0] {
        for increment in [0.0, 0.1, 2.0] {
            assert_well_used(TimeControl::Game { main: seconds(main), increment: seconds(increment) });
        }
    }
}

#[test]
fn periods_are_used_and_kept() {
    for (main, period, moves) in
        [(0.0, 1.0, 1), (0.0, 5.0, 5), (10.0, 1.0, 1), (60.0, 30.0, 10), (1.0, 20.0, 25)]
    {
        assert_well_used(TimeControl::ByoYomi { main: seconds(main), period: seconds(period), moves });
    }
}

#[test]
fn a_time_for_each_move_is_used_and_kept() {
    for time in [0.05, 0.1, 1.0, 5.0] {
        let share = share_used(TimeControl::PerMove(seconds(time)));
        println!("{time} s: {share:.3}");
        assert!(share > 0.99, "{time} s: {share:.3}");
    }
}
