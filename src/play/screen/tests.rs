//! The screen, drawn into memory.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::app::App;
use super::draw::draw;
use super::theme::Theme;
use crate::board::{Color, Move, Size};
use crate::play::PlayEnd;
use crate::play::command::Command;
use crate::play::settings::{GameSettings, People};
use crate::play::state::Turn;
use crate::play::strength::Strength;
use crate::play::tests::{controller, coord, settle};
use crate::time_source::Timestamp;

fn app(size: Size, people: People) -> App {
    let settings = GameSettings { size, people, strength: Strength::level(1), ..GameSettings::default() };
    App::new(controller(settings), Theme::MONOCHROME, false)
}

fn press(app: &mut App, code: KeyCode) {
    let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
    app.event(&event, Timestamp::now());
}

fn write(app: &mut App, text: &str) {
    text.chars().for_each(|letter| press(app, KeyCode::Char(letter)));
}

/// Waits for the engines.
fn finish(app: &mut App) {
    settle(app.controller());
    app.advance(Timestamp::now());
}

/// The lines of the screen, without blanks at their ends.
fn screen(app: &mut App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("memory");
    terminal.draw(|frame| draw(app, frame, Timestamp::now())).expect("memory");
    let buffer = terminal.backend().buffer();
    let line = |y| {
        let cells: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        cells.trim_end().to_owned() + "\n"
    };
    (0..height).map(line).collect()
}

#[track_caller]
fn assert_screen(found: &str, golden: &str) {
    assert!(found == golden, "the screen is:\n{found}\ninstead of:\n{golden}");
}

fn moves(app: &mut App) -> usize {
    app.controller().state().game().moves().len()
}

#[test]
fn the_start_position() {
    let mut app = app(Size::Eight, People::Black);
    assert_screen(&screen(&mut app, 80, 24), include_str!("golden/start.txt"));
}

#[test]
fn a_hint_shows_the_values_of_all_moves() {
    let mut app = app(Size::Four, People::Both);
    write(&mut app, "t");
    finish(&mut app);
    assert_screen(&screen(&mut app, 80, 24), include_str!("golden/hint.txt"));
    press(&mut app, KeyCode::Esc);
    assert!(!screen(&mut app, 80, 24).contains("+4.0"), "Esc hides it");
}

#[test]
fn the_review_of_a_finished_game() {
    let mut app = app(Size::Four, People::Both);
    while app.controller().state().turn() != Turn::Over {
        let moves: Vec<_> = app.controller().state().position().moves().into_iter().collect();
        let name = app.controller().name(Move::Place(moves[1 % moves.len()]));
        write(&mut app, &name);
        finish(&mut app);
    }
    assert!(screen(&mut app, 80, 24).contains(" wins by "));
    press(&mut app, KeyCode::Enter);
    finish(&mut app);
    press(&mut app, KeyCode::Home);
    write(&mut app, "n");
    assert_screen(&screen(&mut app, 100, 30), include_str!("golden/review.txt"));
    write(&mut app, "q");
    assert!(screen(&mut app, 80, 24).contains("Enter review"), "back to the game");
}

#[test]
fn typed_squares_are_played_with_their_digit() {
    let mut app = app(Size::Eight, People::Both);
    write(&mut app, "f");
    assert!(screen(&mut app, 80, 24).contains("f_   type the row, 1 to 8"));
    write(&mut app, "5");
    assert_eq!(moves(&mut app), 1);
    write(&mut app, "D");
    press(&mut app, KeyCode::Backspace);
    assert_eq!(moves(&mut app), 1, "Backspace drops the letter, not the move");
    write(&mut app, "cd6");
    assert_eq!(moves(&mut app), 2, "another letter replaces the first");
}

#[test]
fn h_begins_a_square_and_hh_is_a_hint() {
    let mut app = app(Size::Eight, People::Both);
    write(&mut app, "h4");
    app.advance(Timestamp::now());
    assert!(screen(&mut app, 80, 24).contains("h4 is illegal"));
    assert!(!app.controller().adviser().is_busy());
    write(&mut app, "hh");
    assert!(app.controller().adviser().is_busy());
    let mut small = self::app(Size::Four, People::Both);
    write(&mut small, "h");
    assert!(small.controller().adviser().is_busy(), "no column of this board");
}

#[test]
fn arrows_and_clicks_play() {
    let mut app = app(Size::Eight, People::Both);
    // The cursor appears at e5; two steps lead to f5 and back.
    for code in [KeyCode::Right, KeyCode::Right, KeyCode::Enter] {
        press(&mut app, code);
    }
    assert_eq!(moves(&mut app), 1);
    let drawn = screen(&mut app, 80, 24);
    assert!(drawn.contains("[XX]"), "{drawn}");
    // d6 on the medium board: column 3 of 4 characters after 3, row 5 of 2 lines after 3.
    let click = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: 3 + 3 * 4 + 1,
        row: 3 + 5 * 2 + 1,
        modifiers: KeyModifiers::NONE,
    };
    app.event(&Event::Mouse(click), Timestamp::now());
    assert_eq!(moves(&mut app), 2);
}

#[test]
fn small_terminals_are_told_what_is_needed() {
    let mut app = app(Size::Eight, People::Both);
    assert!(screen(&mut app, 40, 10).starts_with("This terminal has 40×10 characters; the"));
    for (width, height) in [(59, 15), (80, 24), (120, 40), (300, 100)] {
        let drawn = screen(&mut app, width, height);
        assert!(drawn.contains("Black to move"), "{width}×{height}:\n{drawn}");
    }
    for (width, height) in [(1, 1), (3, 30), (200, 2)] {
        screen(&mut app, width, height);
    }
}

#[test]
fn a_resignation_is_asked_for() {
    let mut app = app(Size::Eight, People::Black);
    write(&mut app, "x");
    assert!(screen(&mut app, 80, 24).contains("Does Black give up?"));
    write(&mut app, "n");
    assert_eq!(app.controller().state().turn(), Turn::Person(Color::Black));
    write(&mut app, "xy");
    assert_eq!(app.controller().state().turn(), Turn::Over);
    assert!(screen(&mut app, 80, 24).contains("Black resigns: White wins"));
}

#[test]
fn a_game_that_is_not_kept_is_not_lost_by_a_key() {
    let mut app = app(Size::Eight, People::Both);
    write(&mut app, "f5q");
    assert!(screen(&mut app, 80, 24).contains("This game is not on disk"));
    assert_eq!(app.end(), None);
    write(&mut app, "zqy");
    assert_eq!(app.end(), Some(PlayEnd::Left));
}

#[test]
fn the_menu_starts_a_game_with_enter_and_changes_it_with_arrows() {
    let settings = GameSettings { strength: Strength::level(1), ..GameSettings::default() };
    let mut app = App::new(controller(settings), Theme::COLORED, true);
    assert!(screen(&mut app, 80, 24).contains("Start the game"));
    // Up from the start: clock, board, strength, colour.
    for code in
        [KeyCode::Up, KeyCode::Up, KeyCode::Right, KeyCode::Up, KeyCode::Up, KeyCode::Right, KeyCode::Enter]
    {
        press(&mut app, code);
    }
    let state = app.controller().state();
    assert_eq!((state.settings().size, state.settings().people), (Size::Four, People::White));
    finish(&mut app);
    assert_eq!(moves(&mut app), 1, "the engine begins");
}

#[test]
fn undo_and_values_have_keys() {
    let mut app = app(Size::Four, People::Both);
    app.controller().execute(Command::Play(coord("b1")), Timestamp::now());
    write(&mut app, "v");
    finish(&mut app);
    let drawn = screen(&mut app, 80, 24);
    assert!(drawn.contains("Black wins by 4.00 discs (exact)") && drawn.contains("XXXXX"), "{drawn}");
    write(&mut app, "u");
    assert_eq!(moves(&mut app), 0);
    write(&mut app, "r");
    assert_eq!(moves(&mut app), 1);
}

#[test]
fn the_menu_loads_a_game() {
    let mut app = App::new(controller(GameSettings::default()), Theme::COLORED, true);
    write(&mut app, "l");
    assert!(screen(&mut app, 80, 24).contains("The name of a file with a game."));
    press(&mut app, KeyCode::Enter);
    assert!(screen(&mut app, 80, 24).contains("Start the game"), "an empty name goes back");
    write(&mut app, "l/no such file");
    press(&mut app, KeyCode::Enter);
    let drawn = screen(&mut app, 80, 24);
    assert!(drawn.contains("cannot read /no such file") && drawn.contains("> /no such file_"), "{drawn}");
    press(&mut app, KeyCode::Esc);
    assert!(screen(&mut app, 80, 24).contains("Start the game"));
}
