//! The start menu: rules, colour, strength, board and clock.

use std::time::Duration;

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use crate::board::Size;
use crate::clock::TimeControl;
use crate::rules::Rules;

use super::theme::Theme;
use crate::play::settings::{GameSettings, People, goal};
use crate::play::strength::Strength;

/// Minutes for the game and seconds for each move.
const CLOCKS: [(u64, u64); 5] = [(1, 0), (3, 2), (5, 3), (10, 5), (30, 0)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Rules,
    People,
    Strength,
    Size,
    Clock,
    Start,
    Load,
    Continue,
}

#[derive(Clone, Debug)]
pub struct Menu {
    settings: GameSettings,
    /// Whether an unfinished game can go on.
    has_unfinished: bool,
    row: Row,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chosen {
    Start(GameSettings),
    Load,
    Continue,
    Cancel,
}

impl Menu {
    /// Enter starts a game with these settings.
    #[must_use]
    pub const fn new(settings: GameSettings, has_unfinished: bool) -> Self {
        Self { settings, has_unfinished, row: Row::Start }
    }

    fn rows(&self) -> &'static [Row] {
        const ALL: [Row; 8] = [
            Row::Rules,
            Row::People,
            Row::Strength,
            Row::Size,
            Row::Clock,
            Row::Start,
            Row::Load,
            Row::Continue,
        ];
        if self.has_unfinished { &ALL } else { &ALL[..7] }
    }

    /// Takes a key. Returns what was chosen, if that is complete.
    pub fn key(&mut self, key: KeyEvent) -> Option<Chosen> {
        match key.code {
            KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => {
                self.row = neighbour(self.rows(), self.row, -1)
            }
            KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => {
                self.row = neighbour(self.rows(), self.row, 1)
            }
            KeyCode::Left => self.change(-1),
            KeyCode::Right | KeyCode::Char(' ') => self.change(1),
            KeyCode::Enter if self.row == Row::Continue => return Some(Chosen::Continue),
            KeyCode::Enter if self.row == Row::Load => return Some(Chosen::Load),
            KeyCode::Enter => return Some(Chosen::Start(self.settings)),
            KeyCode::Char('l') => return Some(Chosen::Load),
            KeyCode::Char('c') if self.has_unfinished => return Some(Chosen::Continue),
            KeyCode::Esc | KeyCode::Char('q') => return Some(Chosen::Cancel),
            _ => {}
        }
        None
    }

    fn change(&mut self, step: isize) {
        let settings = &mut self.settings;
        match self.row {
            Row::Rules => settings.rules = neighbour(&Rules::ALL, settings.rules, step),
            Row::People => settings.people = neighbour(&People::ALL, settings.people, step),
            Row::Strength => {
                let choices = Strength::choices().map(|(_, strength)| strength);
                settings.strength = neighbour(&choices, settings.strength, step);
            }
            Row::Size => settings.size = neighbour(&Size::ALL, settings.size, step),
            Row::Clock => settings.clock = neighbour(&clocks(), settings.clock, step),
            Row::Start | Row::Load | Row::Continue => {}
        }
    }

    fn text(&self, row: Row) -> (&'static str, String) {
        let settings = &self.settings;
        match row {
            Row::Rules => ("Rules", format!("{}: {}", settings.rules, goal(settings.rules))),
            Row::People => ("You play", settings.people.to_string()),
            Row::Strength => ("Engine", strength_name(settings.strength)),
            Row::Size => ("Board", settings.size.to_string()),
            Row::Clock => ("Clock", clock_name(settings.clock)),
            Row::Start => ("Start the game", String::new()),
            Row::Load => ("Load a game", String::new()),
            Row::Continue => ("Continue the unfinished game", String::new()),
        }
    }

    pub fn draw(&self, frame: &mut Frame<'_>, theme: Theme) {
        let rows = self.rows();
        let area = centered(frame.area(), 58, rows.len() as u16 + 6);
        let mut lines = vec![Line::default()];
        for &row in rows {
            let (name, value) = self.text(row);
            if row == Row::Start {
                lines.push(Line::default());
            }
            let is_selected = row == self.row;
            let arrows = if is_selected && !value.is_empty() { ["◂ ", " ▸"] } else { ["  ", "  "] };
            let text = if value.is_empty() {
                format!("  {name}  ")
            } else {
                format!("  {name:<9}{}{value}{}", arrows[0], arrows[1])
            };
            let style = if is_selected { theme.selected() } else { ratatui::style::Style::new() };
            lines.push(Line::from(Span::styled(text, style)));
        }
        lines.push(Line::default());
        lines.push(Line::styled("  Enter starts · arrows choose and change · q leaves", theme.dim()));
        let block = Block::bordered().title(Line::styled(" Ollehto ", theme.title()));
        frame.render_widget(Clear, area);
        frame.render_widget(Paragraph::new(lines).block(block), area);
    }
}

fn strength_name(strength: Strength) -> String {
    match Strength::choices().into_iter().find(|(_, choice)| *choice == strength) {
        Some((name, choice)) => format!("{name}, {choice}"),
        None => strength.to_string(),
    }
}

fn clocks() -> Vec<TimeControl> {
    let control = |(minutes, seconds): (u64, u64)| TimeControl::Game {
        main: Duration::from_secs(60 * minutes),
        increment: Duration::from_secs(seconds),
    };
    std::iter::once(TimeControl::Unlimited).chain(CLOCKS.map(control)).collect()
}

fn clock_name(clock: TimeControl) -> String {
    match clock {
        TimeControl::Game { main, increment } => {
            let minutes = main.as_secs_f64() / 60.0;
            match increment.as_secs_f64() {
                0.0 => format!("{minutes} min for the game"),
                seconds => format!("{minutes} min + {seconds} s a move"),
            }
        }
        _ => clock.to_string(),
    }
}

/// The next item in a circle; the first if the present one is not among them.
fn neighbour<T: Copy + PartialEq>(items: &[T], present: T, step: isize) -> T {
    let at = items.iter().position(|item| *item == present);
    let next = at.map_or(0, |at| (at as isize + step).rem_euclid(items.len() as isize) as usize);
    items.get(next).copied().unwrap_or(present)
}

/// An area of this size in the middle, as far as there is room.
pub(super) fn centered(area: Rect, width: u16, height: u16) -> Rect {
    area.centered(Constraint::Length(width.min(area.width)), Constraint::Length(height.min(area.height)))
}
