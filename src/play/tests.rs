//! The game without a front end: turns, undo, clocks, and whole games by the engine.

use std::time::Duration;

use crossbeam_channel::never;
use ollehto_protocol::coord::Coord;
use proptest::prelude::*;

use super::adviser::Adviser;
use super::command::Command;
use super::controller::{Controller, Parts};
use super::keeper::Keeper;
use super::notice::{Notice, Problem};
use super::opponent::Opponent;
use super::settings::{GameSettings, People};
use super::state::{Outcome, ResultInWords, State, Turn};
use super::strength::Strength;
use crate::board::{Color, Move, Size, Square};
use crate::clock::TimeControl;
use crate::rules::Rules;
use crate::terminal::interrupts::Interrupts;
use crate::time_source::Timestamp;

const SECOND: Duration = Duration::from_secs(1);

fn settings(size: Size, people: People) -> GameSettings {
    GameSettings { size, people, strength: Strength::level(1), ..GameSettings::default() }
}

/// A controller whose engines answer at once and which keeps nothing.
pub(super) fn controller(settings: GameSettings) -> Controller {
    let parts = Parts {
        opponent: Opponent::start(1, 1, Duration::ZERO).expect("a thread"),
        adviser: Adviser::start(1, SECOND).expect("a thread"),
        keeper: Keeper::nowhere(),
        interrupts: Interrupts::default(),
        shows_values: false,
    };
    Controller::new(State::new(settings, Timestamp::now()), parts)
}

/// Waits until it is a person's turn, or the game is over, and no engine works.
pub(super) fn settle(controller: &mut Controller) {
    loop {
        controller.advance(Timestamp::now());
        let busy = controller.engine_moves()
            || controller.opponent().is_thinking()
            || controller.adviser().is_busy();
        if !busy {
            return;
        }
        controller.wait(&never::<()>(), SECOND).expect("the engines live");
    }
}

pub(super) fn coord(name: &str) -> Coord {
    match super::command::parse(name) {
        Ok(Some(Command::Play(coord))) => coord,
        other => panic!("{name} is no square: {other:?}"),
    }
}

fn problems(controller: &mut Controller) -> Vec<Problem> {
    let problem = |notice| match notice {
        Notice::Problem(problem) => Some(problem),
        _ => None,
    };
    controller.take_notices().into_iter().filter_map(problem).collect()
}

#[test]
fn undo_goes_back_to_a_choice_of_the_person_and_redo_returns() {
    let mut controller = controller(settings(Size::Eight, People::Black));
    let now = Timestamp::now();
    controller.execute(Command::Play(coord("f5")), now);
    settle(&mut controller);
    let after = controller.state().game().moves();
    assert_eq!(after.len(), 2);
    controller.execute(Command::Undo, now);
    assert!(controller.state().game().moves().is_empty());
    assert_eq!(controller.state().turn(), Turn::Person(Color::Black));
    controller.execute(Command::Redo, now);
    assert_eq!(controller.state().game().moves(), after);
    controller.take_notices();
    controller.execute(Command::Redo, now);
    assert!(matches!(problems(&mut controller)[..], [Problem::NothingToRedo]));
}

#[test]
fn undo_while_the_engine_thinks_takes_back_only_the_move_of_the_person() {
    let mut controller = controller(settings(Size::Eight, People::Black));
    let now = Timestamp::now();
    controller.execute(Command::Play(coord("d3")), now);
    assert_eq!(controller.state().turn(), Turn::Engine(Color::White));
    controller.execute(Command::Undo, now);
    settle(&mut controller);
    assert!(controller.state().game().moves().is_empty(), "the answer to a move taken back is not played");
}

#[test]
fn without_people_the_engine_waits_after_undo() {
    let mut controller = controller(settings(Size::Four, People::None));
    settle(&mut controller);
    assert_eq!(controller.state().outcome(), Some(Outcome::Played));
    controller.execute(Command::Undo, Timestamp::now());
    settle(&mut controller);
    assert!(controller.state().is_paused() && controller.state().outcome().is_none());
    controller.execute(Command::Go, Timestamp::now());
    settle(&mut controller);
    assert_eq!(controller.state().outcome(), Some(Outcome::Played));
}

#[test]
fn the_engine_moves_for_a_person_who_asks_for_it() {
    let mut controller = controller(settings(Size::Four, People::White));
    settle(&mut controller);
    while controller.state().turn() != Turn::Over {
        assert_eq!(controller.state().turn(), Turn::Person(Color::White));
        controller.execute(Command::Go, Timestamp::now());
        settle(&mut controller);
    }
    assert!(
        ResultInWords(controller.state()).to_string().contains("wins by"),
        "4×4 is never drawn by best play"
    );
}

#[test]
fn wrong_moves_change_nothing_and_say_why() {
    let mut controller = controller(settings(Size::Four, People::Black));
    let now = Timestamp::now();
    controller.execute(Command::Play(coord("h8")), now);
    controller.execute(Command::Play(coord("a1")), now);
    controller.execute(Command::Play(coord("b2")), now);
    let found = problems(&mut controller);
    assert_eq!(found[0].to_string(), "h8 lies outside this board");
    assert_eq!(found[1].to_string(), "a1 is illegal: it flips nothing. Legal: b1 a2 d3 c4");
    assert_eq!(found[2].to_string(), "b2 has a disc already");
    controller.execute(Command::Play(coord("b1")), now);
    controller.execute(Command::Play(coord("a1")), now);
    assert!(matches!(problems(&mut controller)[..], [Problem::NotYourTurn]));
    assert_eq!(controller.state().game().moves().len(), 1);
}

#[test]
fn a_resignation_ends_the_game_and_can_be_taken_back() {
    let mut controller = controller(settings(Size::Four, People::White));
    settle(&mut controller);
    let moves = controller.state().game().moves();
    controller.execute(Command::Resign, Timestamp::now());
    assert_eq!(ResultInWords(controller.state()).to_string(), "White resigns: Black wins");
    controller.execute(Command::Undo, Timestamp::now());
    assert_eq!(controller.state().turn(), Turn::Person(Color::White));
    assert_eq!(controller.state().game().moves(), moves);
}

#[test]
fn the_flag_falls_for_the_side_to_move() {
    let clock = TimeControl::Game { main: 10 * SECOND, increment: 2 * SECOND };
    let start = Timestamp::now();
    let mut state = State::new(GameSettings { clock, ..settings(Size::Eight, People::Both) }, start);
    state.play(Square::F5, None, start + 4 * SECOND).expect("legal");
    let left = |state: &State, color, at| state.clocks().left(color, state.position().side(), start + at);
    assert_eq!(left(&state, Color::Black, 9 * SECOND), Some(8 * SECOND));
    assert_eq!(left(&state, Color::White, 9 * SECOND), Some(5 * SECOND));
    assert_eq!(state.check_flag(start + 13 * SECOND), None);
    assert_eq!(state.check_flag(start + 14 * SECOND), Some(Color::White));
    assert_eq!(ResultInWords(&state).to_string(), "White has no time left: Black wins");
    assert!(state.play(Square::D6, None, start + 15 * SECOND).is_err());
    assert_eq!(left(&state, Color::White, 60 * SECOND), Some(10 * SECOND), "a clock stands after the end");
    assert_eq!(state.undo(start + 60 * SECOND), Some(1), "back to the last choice, with the time it had");
    assert_eq!(left(&state, Color::Black, 61 * SECOND), Some(9 * SECOND));
}

#[test]
fn the_result_says_why_somebody_wins() {
    let mut state = State::new(settings(Size::Four, People::Both), Timestamp::now());
    while let Some(square) = state.position().moves().first() {
        state.play(square, None, Timestamp::now()).expect("legal");
    }
    let count = |color| state.position().discs(color).len();
    let winner = if count(Color::Black) < count(Color::White) { Color::Black } else { Color::White };
    let text = ResultInWords(&state).to_string();
    assert!(text.starts_with(&format!("{winner} wins by ")), "{text}");
    assert!(text.contains("and the fewest discs win"), "{text}");
}

#[derive(Clone, Copy, Debug)]
enum Act {
    /// The legal move of this number, modulo their count.
    Play(usize),
    Undo,
    Redo,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![6 => (0..64_usize).prop_map(Act::Play), 2 => Just(Act::Undo), 1 => Just(Act::Redo)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is done, the game is a legal one without a turn in which somebody must pass, and all of it can be taken
    /// back and replayed.
    #[test]
    fn undo_and_redo_are_inverse(
        acts in prop::collection::vec(act(), 1..60),
        small in any::<bool>(),
        reversed in any::<bool>(),
    ) {
        let size = if small { Size::Four } else { Size::Six };
        let rules = if reversed { Rules::Reversed } else { Rules::Standard };
        let now = Timestamp::now();
        let mut state = State::new(GameSettings { rules, ..settings(size, People::Both) }, now);
        for act in acts {
            let moves: Vec<_> = state.position().moves().into_iter().collect();
            match act {
                Act::Play(_) if moves.is_empty() => {}
                Act::Play(n) => state.play(moves[n % moves.len()], None, now).expect("legal"),
                Act::Undo => drop(state.undo(now)),
                Act::Redo => drop(state.redo(now)),
            }
            prop_assert!(!state.position().must_pass());
            prop_assert_eq!(state.outcome().is_some(), state.position().is_over());
            prop_assert_eq!(state.notes().len(), state.game().moves().len());
        }
        while state.redo(now).is_some() {}
        let (moves, notes): (Vec<_>, Vec<_>) = (state.game().moves(), state.notes().collect());
        while state.undo(now).is_some() {}
        prop_assert!(state.game().moves().iter().all(|(_, action)| *action == Move::Pass));
        while state.redo(now).is_some() {}
        prop_assert_eq!(state.game().moves(), moves);
        prop_assert_eq!(state.notes().collect::<Vec<_>>(), notes);
    }
}
