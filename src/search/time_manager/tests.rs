//! Decisions on made-up iterations: nothing waits, and no clock is read.

use super::*;
use crate::board::Square;

const SECOND: Duration = Duration::from_secs(1);

/// A game clock that plans ten seconds for the move.
const GAME: Deadlines =
    Deadlines { since: Duration::ZERO, soft: Duration::from_secs(10), hard: Duration::from_secs(25) };

/// Ten seconds for each move.
const FIXED: Deadlines = Deadlines { soft: GAME.soft, hard: GAME.soft, ..GAME };

/// Two seconds for each move.
const SHORT: Deadlines = Deadlines { soft: Duration::from_secs(2), hard: Duration::from_secs(2), ..GAME };

const SPEED: u64 = 1_000_000;

fn discs(discs: i16) -> Score {
    Score::default().plus(discs * Score::UNITS)
}

/// A midgame iteration that ended after so many seconds.
fn round(seconds: f64, best: Square, score: i16, best_move_share: f64) -> IterationStats {
    let nodes = (seconds * SPEED as f64) as u64;
    IterationStats { nodes, best: Move::Place(best), score: discs(score), best_move_share, solving: false }
}

/// A search whose iterations each doubled the time, up to so many seconds, with a constant best move and score.
fn calm(seconds: f64, best_move_share: f64) -> TimeManager {
    let mut time_manager = TimeManager::new(Rules::Reversed, 40, 1);
    for halvings in (0..8).rev() {
        time_manager.record(round(seconds / f64::from(1 << halvings), Square::D3, 2, best_move_share));
    }
    time_manager
}

/// An iteration that may take all the time.
const GO: Option<Duration> = Some(GAME.hard);

/// The end of a midgame iteration that begins now.
fn end(time_manager: &TimeManager, seconds: f64, deadlines: Deadlines) -> Option<Duration> {
    time_manager.next_deadline(false, Duration::from_secs_f64(seconds), deadlines)
}

#[test]
fn a_time_for_the_move_is_used_to_its_end() {
    for seconds in [0.1, 5.0, 9.9] {
        assert_eq!(end(&calm(seconds, 1.0), seconds, FIXED), Some(FIXED.hard), "{seconds}");
    }
    assert_eq!(end(&calm(5.0, 0.2), 10.0, FIXED), None);
}

#[test]
fn an_easy_move_is_played_early() {
    assert_eq!(end(&calm(5.0, 0.95), 5.0, GAME), None);
    assert_eq!(end(&calm(5.0, 0.5), 5.0, GAME), GO);
}

#[test]
fn a_typical_move_takes_the_planned_time() {
    assert_eq!(end(&calm(4.0, 0.5), 4.0, GAME), GO);
    assert_eq!(end(&calm(9.0, 0.5), 9.0, GAME), None);
}

#[test]
fn a_changed_best_move_takes_more_time() {
    let mut time_manager = calm(4.5, 0.5);
    time_manager.record(round(9.0, Square::C4, 2, 0.4));
    assert_eq!(end(&time_manager, 9.0, GAME), GO);
    assert_eq!(end(&calm(9.0, 0.4), 9.0, GAME), None);
}

#[test]
fn a_dropping_score_takes_more_time() {
    let mut time_manager = calm(4.5, 0.5);
    time_manager.record(round(9.0, Square::D3, -4, 0.4));
    assert_eq!(end(&time_manager, 9.0, GAME), GO);
    let mut time_manager = calm(4.5, 0.5);
    time_manager.record(round(9.0, Square::D3, 8, 0.4));
    assert_eq!(end(&time_manager, 9.0, GAME), None, "a rising one does not");
}

#[test]
fn an_iteration_that_cannot_be_completed_ends_at_the_target() {
    let mut time_manager = TimeManager::new(Rules::Reversed, 40, 1);
    for seconds in [0.03, 0.2, 1.0, 5.2] {
        time_manager.record(round(seconds, Square::D3, 2, 0.2));
    }
    let target = end(&time_manager, 5.2, GAME).expect("it is begun");
    assert!(target > 9 * SECOND && target < GAME.hard, "it would take 21 seconds");
    assert_eq!(end(&time_manager, 7.0, GAME), None, "there is not much time left for it");
}

#[test]
fn nothing_begins_after_the_end() {
    let mut time_manager = calm(25.0, 0.1);
    time_manager.record(round(26.0, Square::C4, -20, 0.1));
    assert_eq!(end(&time_manager, 26.0, GAME), None);
}

#[test]
fn the_clock_of_a_hit_runs_from_the_hit() {
    let hit = 60 * SECOND;
    let deadlines = Deadlines { since: hit, soft: hit + GAME.soft, hard: hit + GAME.hard };
    assert_eq!(calm(60.0, 0.5).target(deadlines) - hit, calm(5.0, 0.5).target(GAME));
}

#[test]
fn solving_begins_when_there_is_time_for_it() {
    let nodes = |seconds: u64| seconds * SPEED;
    let [near, far] = [18, 30].map(|empties| TimeManager::new(Rules::Reversed, empties, 1));
    assert!(near.can_solve(SECOND, nodes(1), GAME));
    assert!(!near.can_solve(25 * SECOND, nodes(25), GAME), "it is too late for that");
    assert!(!far.can_solve(SECOND, nodes(1), GAME));
    let [one, all] = [1, 20].map(|lines| TimeManager::new(Rules::Reversed, 28, lines));
    assert!(one.can_solve(SECOND, nodes(1), SHORT));
    assert!(!all.can_solve(SECOND, nodes(1), SHORT), "for all moves");
}

#[test]
fn a_faster_search_solves_sooner() {
    let first = |speed: u64| {
        let can =
            |&empties: &u8| TimeManager::new(Rules::Standard, empties, 1).can_solve(SECOND, speed, SHORT);
        (0..=60).rev().find(can).expect("an empty board at least")
    };
    assert!(first(SPEED / 8) > first(SPEED / 32) && first(SPEED / 32) > first(SPEED / 128));
}

#[test]
fn threads_bring_less_than_a_faster_processor() {
    let first = |threads: usize, nodes: u64| {
        let can = |&empties: &u8| {
            let time_manager = TimeManager::new(Rules::Standard, empties, 1).with_threads(threads);
            time_manager.can_solve(SECOND, nodes, SHORT)
        };
        (0..=60).rev().find(can).expect("an empty board at least")
    };
    let one = SPEED / 128;
    assert!(first(1, one) < first(16, 16 * one) && first(16, 16 * one) < first(1, 16 * one));
}

#[test]
fn an_exact_result_may_take_longer_than_planned() {
    let mut time_manager = calm(8.0, 0.5);
    time_manager.record(IterationStats { solving: true, ..round(10.0, Square::D3, 2, 0.5) });
    assert_eq!(time_manager.next_deadline(true, 10 * SECOND, GAME), GO);
    time_manager.record(IterationStats { solving: true, ..round(18.0, Square::D3, 2, 0.5) });
    assert_eq!(time_manager.next_deadline(true, 18 * SECOND, GAME), None, "but not longer than there is");
}

/// An iteration ends by its own deadline only: an earlier, shorter one leaves nothing behind.
#[test]
fn a_later_iteration_may_use_all_time_after_a_limited_one() {
    let mut time_manager = TimeManager::new(Rules::Reversed, 40, 1);
    for seconds in [0.03, 0.2, 1.0, 5.2] {
        time_manager.record(round(seconds, Square::D3, 2, 0.2));
    }
    assert!(end(&time_manager, 5.2, GAME).expect("it is begun") < GAME.hard, "it would take 21 seconds");
    // It was faster than predicted, and so is the next one.
    time_manager.record(round(5.5, Square::C4, -4, 0.2));
    assert_eq!(end(&time_manager, 5.5, GAME), GO);
}

/// What was pondered is not part of the time for the move.
#[test]
fn an_iteration_that_will_hardly_end_begins_in_the_first_half_of_the_time_after_pondering() {
    let time_manager = calm(100.0, 0.5);
    let [since, soft, hard] = [100, 110, 125].map(Duration::from_secs);
    let deadlines = Deadlines { since, soft, hard };
    assert!(end(&time_manager, 101.0, deadlines).expect("it is begun") < hard);
    assert_eq!(end(&time_manager, 109.0, deadlines), None);
}
