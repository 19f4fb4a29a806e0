//! Lays out the screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Size as Extent};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::board::{Bitboard, Color, Move, Size};
use crate::play::settings::goal;
use crate::play::state::Turn;
use crate::rules::Rules;
use crate::time_source::Timestamp;

use super::app::{App, BoardPlace, LoadDialog, Mode};
use super::board::{BoardView, CellSize, Label};
use super::dialog::{draw_help, draw_question};
use super::panel::{self, Panel};
use super::review_view::short;
use super::theme::Theme;

/// Lines above and below the board.
const OTHER_LINES: u16 = 3;

/// The least terminal for a board of this size.
const fn least(size: Size) -> Extent {
    let board = CellSize::Small.board(size);
    Extent { width: board.width + 1 + panel::WIDTH, height: board.height + OTHER_LINES + 2 }
}

pub fn draw(app: &mut App, frame: &mut Frame<'_>, now: Timestamp) {
    let area = frame.area();
    let size = app.controller.state().settings().size;
    let least = least(size);
    if area.width < least.width || area.height < least.height {
        app.board = None;
        let text = format!(
            "This terminal has {}×{} characters; the game needs {}×{}. Enlarge it, choose a smaller font, or leave with q.",
            area.width, area.height, least.width, least.height
        );
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        return;
    }
    let [title, middle, keys] =
        Layout::vertical([Constraint::Length(2), Constraint::Fill(1), Constraint::Length(1)]).areas(area);
    let room = Extent { width: middle.width - 1 - panel::WIDTH, height: middle.height };
    let cell = CellSize::fitting(size, room).unwrap_or(CellSize::Small);
    draw_title(app, title, frame);
    match &app.mode {
        Mode::Review(view) => {
            if let Some(review) = app.controller.adviser().review() {
                view.draw(review, app.theme, cell, middle, frame);
            }
            draw_keys(
                &[("←→", "step"), ("n p", "next, previous bad move"), ("q", "back")],
                app.theme,
                keys,
                frame,
            );
        }
        _ => draw_game(app, cell, [middle, keys], now, frame),
    }
    draw_dialog(app, frame);
}

fn draw_title(app: &App, area: Rect, frame: &mut Frame<'_>) {
    let settings = app.controller.state().settings();
    let name = match settings.rules {
        Rules::Reversed => "Reversed Reversi",
        Rules::Standard => "Othello",
    };
    let line = Line::from(vec![
        Span::styled(format!(" Ollehto · {name}"), app.theme.title()),
        Span::raw(format!(" · {} · {}", settings.size, goal(settings.rules))),
    ]);
    frame.render_widget(Paragraph::new(line), area);
}

fn draw_game(app: &mut App, cell: CellSize, [area, keys]: [Rect; 2], now: Timestamp, frame: &mut Frame<'_>) {
    let state = app.controller.state();
    let board = cell.board(state.settings().size);
    let [left, _, right] =
        Layout::horizontal([Constraint::Length(board.width), Constraint::Length(1), Constraint::Fill(1)])
            .areas(area);
    let left = Rect { height: board.height, ..left };
    let is_persons = matches!(state.turn(), Turn::Person(_)) || state.is_paused();
    let labels = labels(app);
    let view = BoardView {
        position: state.position(),
        last: state.last_move(),
        moves: if is_persons { state.position().moves() } else { Bitboard::EMPTY },
        cursor: app.cursor_square().filter(|_| app.shows_cursor),
        labels: &labels,
        cell,
        theme: app.theme,
    };
    frame.render_widget(view, left);
    let panel = Panel { controller: &app.controller, messages: &app.messages, now, theme: app.theme };
    panel.draw(right, frame);
    match app.typed {
        Some(column) => {
            let row = app.controller.state().settings().size.side();
            let hint = if column == 'h' { " (h again: hint)" } else { "" };
            let text = format!(" {column}_   type the row, 1 to {row}{hint}; Esc drops it");
            frame.render_widget(Paragraph::new(Line::styled(text, app.theme.strong())), keys);
        }
        None => draw_keys(game_keys(app.controller.state().turn()), app.theme, keys, frame),
    }
    app.board = Some(BoardPlace { area: left, cell });
}

const fn game_keys(turn: Turn) -> &'static [(&'static str, &'static str)] {
    match turn {
        Turn::Over => &[
            ("Enter", "review"),
            ("n", "new game"),
            ("u", "undo"),
            ("s", "save"),
            ("?", "help"),
            ("q", "quit"),
        ],
        _ => &[
            ("f5", "plays"),
            ("u", "undo"),
            ("t", "hint"),
            ("v", "value"),
            ("n", "new"),
            ("s", "save"),
            ("x", "resign"),
            ("?", "help"),
            ("q", "quit"),
        ],
    }
}

fn draw_keys(keys: &[(&'static str, &'static str)], theme: Theme, area: Rect, frame: &mut Frame<'_>) {
    let spans = keys.iter().flat_map(|&(key, meaning)| {
        [Span::styled(format!(" {key} "), theme.strong()), Span::styled(format!("{meaning} "), theme.dim())]
    });
    frame.render_widget(Paragraph::new(Line::from_iter(spans)), area);
}

/// The values of a hint on their squares.
fn labels(app: &App) -> Vec<Label> {
    let state = app.controller.state();
    let advice = app.controller.adviser().advice(state.position());
    let Some(advice) = advice.filter(|advice| advice.is_hint && app.shows_hint()) else { return Vec::new() };
    let best = advice.found.lines.first().map(|line| line.score);
    let label = |line: &crate::search::Line| match line.moves.first() {
        Some(&Move::Place(square)) => {
            Some(Label { square, text: short(line.score), is_best: Some(line.score) == best })
        }
        _ => None,
    };
    advice.found.lines.iter().filter_map(label).collect()
}

fn draw_dialog(app: &App, frame: &mut Frame<'_>) {
    let theme = app.theme;
    match &app.mode {
        Mode::Game | Mode::Review(_) => {}
        Mode::Menu(menu, _) => menu.draw(frame, theme),
        Mode::Help => draw_help(frame, theme),
        Mode::Resign => {
            let side = app.own_color().unwrap_or(app.controller.state().position().side());
            draw_question("Resign", &resign_question(side), None, frame, theme);
        }
        Mode::QuitWithoutSaving => {
            let text =
                "This game is not on disk. y leaves and loses it, s saves it, any other key goes back.";
            draw_question("Quit", text, None, frame, theme);
        }
        Mode::Save(name) => draw_question("Save as", "Enter saves, Esc goes back.", Some(name), frame, theme),
        Mode::Replace(path) => {
            let text = format!("{} exists. y replaces it, any other key goes back.", path.display());
            draw_question("Save", &text, None, frame, theme);
        }
        Mode::Load(LoadDialog { name, problem, .. }) => {
            let text = problem.as_deref().unwrap_or("The name of a file with a game");
            draw_question("Load", &format!("{text}. Enter loads, Esc goes back."), Some(name), frame, theme);
        }
    }
}

fn resign_question(side: Color) -> String {
    format!("Does {side} give up? y resigns, any other key goes on.")
}
