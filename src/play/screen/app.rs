//! The screen as a state machine: an event goes in, a frame comes out.

use std::path::{Path, PathBuf};

use ollehto_protocol::coord::{Coord, Vertex};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

use crate::board::{Color, Move, Square};
use crate::notation;
use crate::play::PlayEnd;
use crate::play::command::{Command, file_name};
use crate::play::controller::Controller;
use crate::play::notice::{Notice, Problem};
use crate::play::record::Choices;
use crate::play::state::Turn;
use crate::time_source::Timestamp;

use super::board::{BoardView, CellSize};
use super::menu::{Chosen, Menu};
use super::panel::Message;
use super::review_view::{Leave, ReviewView};
use super::theme::Theme;

/// How many messages are shown.
const MESSAGES: usize = 4;

#[derive(Debug)]
pub enum Mode {
    Game,
    /// Whether there is a game to go back to.
    Menu(Menu, bool),
    Help,
    Resign,
    QuitWithoutSaving,
    Save(String),
    /// The file exists.
    Replace(PathBuf),
    Load(LoadDialog),
    Review(ReviewView),
}

/// The name of a file is typed.
#[derive(Debug, Default)]
pub struct LoadDialog {
    pub name: String,
    /// Why the last one could not be loaded.
    pub problem: Option<String>,
    /// What it was opened from, with whether there is a game to go back to.
    menu: Option<(Menu, bool)>,
}

/// What is drawn where, for the mouse.
#[derive(Clone, Copy, Debug)]
pub struct BoardPlace {
    pub area: Rect,
    pub cell: CellSize,
}

pub struct App {
    pub(super) controller: Controller,
    pub(super) theme: Theme,
    pub(super) mode: Mode,
    /// Column and row.
    cursor: (u8, u8),
    /// The arrows were used: the cursor is shown.
    pub(super) shows_cursor: bool,
    /// The column of a square whose row is not typed yet.
    pub(super) typed: Option<char>,
    pub(super) messages: Vec<Message>,
    pub(super) board: Option<BoardPlace>,
    /// Hints are hidden again.
    hides_hint: bool,
    end: Option<PlayEnd>,
}

impl App {
    #[must_use]
    pub fn new(controller: Controller, theme: Theme, shows_menu: bool) -> Self {
        let settings = *controller.state().settings();
        let mode = if shows_menu {
            Mode::Menu(Menu::new(settings, controller.keeper().has_unfinished()), false)
        } else {
            Mode::Game
        };
        let middle = settings.size.side() / 2;
        Self {
            controller,
            theme,
            mode,
            cursor: (middle, middle),
            shows_cursor: false,
            typed: None,
            messages: Vec::new(),
            board: None,
            hides_hint: false,
            end: None,
        }
    }

    #[must_use]
    pub const fn end(&self) -> Option<PlayEnd> {
        self.end
    }

    pub const fn controller(&mut self) -> &mut Controller {
        &mut self.controller
    }

    #[must_use]
    pub fn into_controller(self) -> Controller {
        self.controller
    }

    #[must_use]
    pub fn cursor_square(&self) -> Option<Square> {
        self.controller.state().settings().size.square(self.cursor.0, self.cursor.1)
    }

    #[must_use]
    pub const fn shows_hint(&self) -> bool {
        !self.hides_hint
    }

    /// Whether the game goes on: not while its settings are still chosen.
    #[must_use]
    pub const fn is_playing(&self) -> bool {
        !matches!(self.mode, Mode::Menu(_, false) | Mode::Load(LoadDialog { menu: Some((_, false)), .. }))
    }

    pub fn interrupt(&mut self) {
        self.end = Some(PlayEnd::Interrupted);
    }

    /// Lets the engines go on and shows what they tell.
    pub fn advance(&mut self, now: Timestamp) {
        if self.is_playing() {
            self.controller.advance(now);
        }
        for notice in self.controller.take_notices() {
            self.show(&notice);
        }
    }

    fn show(&mut self, notice: &Notice) {
        let text = match notice {
            Notice::Advised | Notice::ReviewComplete | Notice::Over(_) => return,
            Notice::NewGame | Notice::Loaded(_) | Notice::Continued => {
                let side = self.controller.state().settings().size.side();
                self.cursor = (side / 2, side / 2);
                self.messages.clear();
                notice.to_string()
            }
            Notice::Problem(Problem::Illegal { name, .. }) => format!("{name} is illegal: it flips nothing"),
            Notice::Problem(Problem::NoFileName) => return,
            _ => notice.to_string(),
        };
        if !matches!(notice, Notice::Played { by_engine: false, .. }) {
            self.messages.push((text, matches!(notice, Notice::Problem(_) | Notice::UpToFault(_))));
        }
        let old = self.messages.len().saturating_sub(MESSAGES);
        self.messages.drain(..old);
    }

    pub fn event(&mut self, event: &Event, now: Timestamp) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, now),
            Event::Mouse(mouse) => self.mouse(*mouse, now),
            Event::Paste(text) => self.paste(text),
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent, now: Timestamp) {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => self.interrupt(),
                KeyCode::Char('d' | 'q') => self.quit(),
                _ => {}
            }
            return;
        }
        match std::mem::replace(&mut self.mode, Mode::Game) {
            Mode::Game => self.game_key(key, now),
            Mode::Menu(menu, has_game) => self.menu_key(menu, has_game, key, now),
            Mode::Help => {}
            Mode::Resign => {
                if matches!(key.code, KeyCode::Char('y' | 'Y')) {
                    self.execute(Command::Resign, now);
                }
            }
            Mode::QuitWithoutSaving => match key.code {
                KeyCode::Char('y' | 'Y') => self.end = Some(PlayEnd::Left),
                KeyCode::Char('s' | 'S') => self.mode = Mode::Save(String::new()),
                _ => {}
            },
            Mode::Save(text) => match edited(text, key) {
                Edited::More(text) => self.mode = Mode::Save(text),
                Edited::Complete(text) => self.save(&file_name(&text), now),
                Edited::Cancelled => {}
            },
            Mode::Replace(path) => {
                if matches!(key.code, KeyCode::Char('y' | 'Y')) {
                    self.execute(Command::Save { path: Some(path), replace: true }, now);
                }
            }
            Mode::Load(dialog) => self.load_key(dialog, key, now),
            Mode::Review(mut view) => {
                if let Some(review) = self.controller.adviser().review()
                    && view.key(key, review) == Leave::No
                {
                    self.mode = Mode::Review(view);
                }
            }
        }
    }

    fn game_key(&mut self, key: KeyEvent, now: Timestamp) {
        let typed = self.typed.take();
        match key.code {
            KeyCode::Up => self.move_cursor(0, -1),
            KeyCode::Down => self.move_cursor(0, 1),
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Enter if typed == Some('h') => self.execute(Command::Hint, now),
            KeyCode::Enter | KeyCode::Char(' ') => self.play_at_cursor(now),
            KeyCode::Esc => self.hides_hint = true,
            // It may correct what was typed.
            KeyCode::Backspace if typed.is_some() => {}
            KeyCode::Backspace => self.execute(Command::Undo, now),
            KeyCode::F(1) => self.mode = Mode::Help,
            KeyCode::Char(letter) => self.letter(typed, letter.to_ascii_lowercase(), now),
            _ => {}
        }
    }

    /// A column begins a square; its row completes it. `hh` is a hint, since `h` alone may begin h1 to h8.
    fn letter(&mut self, typed: Option<char>, letter: char, now: Timestamp) {
        let side = self.controller.state().settings().size.side();
        let is_column = ('a'..char::from(b'a' + side)).contains(&letter);
        match (typed, letter) {
            (Some(column), '1'..='8') => {
                if let Some(coord) = coord(column, letter) {
                    self.execute(Command::Play(coord), now);
                }
            }
            (Some('h'), 'h') => self.execute(Command::Hint, now),
            _ if is_column => self.typed = Some(letter),
            (_, 't' | 'h') => self.execute(Command::Hint, now),
            (_, 'u') => self.execute(Command::Undo, now),
            (_, 'r') => self.execute(Command::Redo, now),
            (_, 'v') => self.execute(Command::Values(None), now),
            (_, 'm') => self.execute(Command::Go, now),
            (_, 'w') => self.open_review(now),
            (_, 'n') => self.open_menu(),
            (_, 's') => self.mode = Mode::Save(self.file_name()),
            (_, 'l') => self.mode = Mode::Load(LoadDialog::default()),
            (_, 'x') if self.controller.state().turn() != Turn::Over => self.mode = Mode::Resign,
            (_, '?') => self.mode = Mode::Help,
            (_, 'q') => self.quit(),
            _ => self.messages.push((format!("'{letter}' is no key here: ? lists them"), true)),
        }
    }

    fn execute(&mut self, command: Command, now: Timestamp) {
        if command == Command::Hint {
            self.hides_hint = false;
        }
        self.controller.execute(command, now);
    }

    fn move_cursor(&mut self, columns: i8, rows: i8) {
        let side = self.controller.state().settings().size.side();
        let moved = |at: u8, by: i8| at.saturating_add_signed(by).min(side - 1);
        // The first arrow shows where the cursor is.
        if std::mem::replace(&mut self.shows_cursor, true) {
            self.cursor = (moved(self.cursor.0, columns), moved(self.cursor.1, rows));
        }
    }

    fn play_at_cursor(&mut self, now: Timestamp) {
        if self.controller.state().turn() == Turn::Over {
            self.open_review(now);
        } else if !std::mem::replace(&mut self.shows_cursor, true) {
            // Nobody has seen yet where it is.
        } else if let Some(coord) = Coord::new(self.cursor.0, self.cursor.1) {
            self.execute(Command::Play(coord), now);
        }
    }

    fn open_review(&mut self, now: Timestamp) {
        self.execute(Command::Review, now);
        if let Some(review) = self.controller.adviser().review() {
            self.mode = Mode::Review(ReviewView::new(review));
        }
    }

    fn open_menu(&mut self) {
        let settings = *self.controller.state().settings();
        let is_other =
            self.controller.state().outcome().is_some() || self.controller.state().game().moves().is_empty();
        let has_unfinished = is_other && self.controller.keeper().has_unfinished();
        self.mode = Mode::Menu(Menu::new(settings, has_unfinished), true);
    }

    fn menu_key(&mut self, mut menu: Menu, has_game: bool, key: KeyEvent, now: Timestamp) {
        match menu.key(key) {
            None => self.mode = Mode::Menu(menu, has_game),
            Some(Chosen::Start(settings)) => self.controller.new_game(settings, now),
            Some(Chosen::Load) => {
                self.mode = Mode::Load(LoadDialog { menu: Some((menu, has_game)), ..LoadDialog::default() });
            }
            Some(Chosen::Continue) => {
                if let Err(error) = self.controller.continue_last(&Choices::default(), now) {
                    self.controller.report(Problem::Load(error));
                    self.mode = Mode::Menu(menu, has_game);
                }
            }
            Some(Chosen::Cancel) if has_game => {}
            Some(Chosen::Cancel) => self.end = Some(PlayEnd::Left),
        }
    }

    /// A file that cannot be loaded leaves the question open.
    fn load_key(&mut self, dialog: LoadDialog, key: KeyEvent, now: Timestamp) {
        let LoadDialog { name, menu, problem } = dialog;
        match edited(name, key) {
            Edited::More(name) => self.mode = Mode::Load(LoadDialog { name, problem, menu }),
            Edited::Complete(name) if !name.trim().is_empty() => {
                if let Err(error) = self.controller.load(&file_name(&name), now) {
                    self.mode = Mode::Load(LoadDialog { name, problem: Some(error.to_string()), menu });
                }
            }
            Edited::Complete(_) | Edited::Cancelled => {
                if let Some((menu, has_game)) = menu {
                    self.mode = Mode::Menu(menu, has_game);
                }
            }
        }
    }

    fn quit(&mut self) {
        if self.controller.would_lose_game() {
            self.mode = Mode::QuitWithoutSaving;
        } else {
            self.end = Some(PlayEnd::Left);
        }
    }

    /// That of the last save, or a name to begin with.
    fn file_name(&self) -> String {
        self.controller.saved_to().map_or_else(|| "game.ggf".into(), |path| path.display().to_string())
    }

    fn save(&mut self, path: &Path, now: Timestamp) {
        if path.as_os_str().is_empty() {
            return;
        }
        if path.exists() && self.controller.saved_to() != Some(path) {
            self.mode = Mode::Replace(path.to_owned());
        } else {
            self.execute(Command::Save { path: Some(path.to_owned()), replace: false }, now);
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, now: Timestamp) {
        let MouseEventKind::Down(MouseButton::Left) = mouse.kind else { return };
        let (Mode::Game, Some(BoardPlace { area, cell })) = (&self.mode, self.board) else { return };
        let size = self.controller.state().settings().size;
        let point = ratatui::layout::Position { x: mouse.column, y: mouse.row };
        if let Some(square) = BoardView::square_at(size, cell, area, point)
            && let Vertex::Place(coord) = notation::vertex(Move::Place(square), size)
        {
            self.cursor = (coord.column(), coord.row());
            self.execute(Command::Play(coord), now);
        }
    }

    /// File names are pasted.
    fn paste(&mut self, text: &str) {
        if let Mode::Save(name) | Mode::Load(LoadDialog { name, .. }) = &mut self.mode {
            name.extend(text.chars().filter(|letter| !letter.is_control()));
        }
    }

    /// The colour that a person plays alone.
    #[must_use]
    pub fn own_color(&self) -> Option<Color> {
        let people = self.controller.state().settings().people;
        [Color::Black, Color::White]
            .into_iter()
            .find(|&color| people.plays(color) && !people.plays(color.opponent()))
    }
}

fn coord(column: char, row: char) -> Option<Coord> {
    let offset = |letter: char, first: u8| u8::try_from(letter).ok()?.checked_sub(first);
    Coord::new(offset(column, b'a')?, offset(row, b'1')?)
}

enum Edited {
    More(String),
    Complete(String),
    Cancelled,
}

/// A line of text after another key.
fn edited(mut text: String, key: KeyEvent) -> Edited {
    match key.code {
        KeyCode::Esc => return Edited::Cancelled,
        KeyCode::Enter => return Edited::Complete(text),
        KeyCode::Backspace => drop(text.pop()),
        KeyCode::Char(letter) => text.push(letter),
        _ => {}
    }
    Edited::More(text)
}
