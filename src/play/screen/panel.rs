//! What stands beside the board: players, clocks, value, moves and messages.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::board::{Color, Move};
use crate::play::adviser::{Advice, Purpose};
use crate::play::controller::Controller;
use crate::play::state::{ResultInWords, Turn};
use crate::play::words;
use crate::score::Score;
use crate::time_source::Timestamp;

use super::theme::Theme;

/// The least width that the texts need.
pub const WIDTH: u16 = 36;

/// A message with whether it is a problem.
pub type Message = (String, bool);

/// The value at which the bar is all of one colour, in discs.
const FULL_BAR: f64 = 20.0;

pub struct Panel<'a> {
    pub controller: &'a Controller,
    pub messages: &'a [Message],
    pub now: Timestamp,
    pub theme: Theme,
}

impl Panel<'_> {
    pub fn draw(&self, area: Rect, frame: &mut Frame<'_>) {
        let mut lines = self.players(area.width);
        lines.push(Line::default());
        let is_over = self.controller.state().turn() == Turn::Over;
        if !is_over {
            lines.push(Line::raw(capitalised(&words::standing(self.controller.state()))));
        }
        lines.push(Line::styled(self.turn(), self.theme.strong()));
        lines.push(Line::default());
        if !is_over {
            lines.extend(self.value(area.width));
        }
        let messages = self.messages.len() as u16 + 1;
        let room = area.height.saturating_sub(lines.len() as u16 + messages + 2);
        lines.extend(self.moves(area.width, room.into()));
        lines.push(Line::default());
        lines.extend(self.messages.iter().map(|(text, is_problem)| {
            let style = if *is_problem { self.theme.problem() } else { Style::new() };
            Line::styled(text.clone(), style)
        }));
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
    }

    fn players(&self, width: u16) -> Vec<Line<'static>> {
        [Color::Black, Color::White].map(|color| self.player(color, width)).into()
    }

    /// The colour, the name, the discs and the clock of a player.
    fn player(&self, color: Color, width: u16) -> Line<'static> {
        let state = self.controller.state();
        let to_move = state.position().side();
        let marker = if state.turn() != Turn::Over && color == to_move { "▸" } else { " " };
        let disc = match (self.theme.is_colored(), color) {
            (true, _) => "██",
            (false, Color::Black) => "X ",
            (false, Color::White) => "O ",
        };
        let discs = state.position().discs(color).len();
        let clock = state.clocks().left(color, to_move, self.now).map(words::clock).unwrap_or_default();
        let style = if color == Color::Black {
            // A black disc on a black terminal shows by its frame.
            self.theme.bar(Color::Black)
        } else {
            self.theme.bar(Color::White)
        };
        let name_width = usize::from(width).saturating_sub(16);
        let name: String = state.settings().name(color).chars().take(name_width).collect();
        Line::from(vec![
            Span::raw(format!("{marker} ")),
            Span::styled(disc, style),
            Span::raw(format!(" {name:<name_width$}{discs:>3} {clock:>6}")),
        ])
    }

    fn turn(&self) -> String {
        let state = self.controller.state();
        let side = state.position().side();
        match state.turn() {
            Turn::Over => format!("{}.", ResultInWords(state)),
            Turn::Engine(_) if state.is_paused() => format!("{side} waits: m lets the engine move"),
            _ if self.controller.opponent().is_thinking() => format!("{side}: the engine thinks …"),
            Turn::Engine(_) => format!("{side} to move"),
            Turn::Person(_) => format!("{side} to move: your turn"),
        }
    }

    fn value(&self, width: u16) -> Vec<Line<'static>> {
        let state = self.controller.state();
        let adviser = self.controller.adviser();
        let advice = adviser.advice(state.position());
        let mut lines = Vec::new();
        if self.controller.shows_values() {
            // While the engine thinks the last value stays.
            lines.push(bar(adviser.last_advice().and_then(value_of), width, self.theme));
        }
        let thinks = matches!(adviser.purpose(), Some(Purpose::Hint | Purpose::Value));
        match advice.filter(|advice| advice.is_hint || self.controller.shows_values()) {
            Some(advice) => {
                lines.push(Line::raw(capitalised(&words::value(advice).unwrap_or_default())));
                if let Some(best) = advice.found.lines.first().filter(|_| advice.is_hint) {
                    let line = words::line(best, advice.position.size(), 8);
                    lines.push(Line::raw(format!("Best: {line}")));
                }
            }
            None if thinks => lines.push(Line::styled("Thinking …", self.theme.dim())),
            None => {}
        }
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines
    }

    /// The last moves, two to a number, which is that of the first of them.
    fn moves(&self, width: u16, room: usize) -> Vec<Line<'static>> {
        let state = self.controller.state();
        let size = state.settings().size;
        let names: Vec<String> = state
            .game()
            .moves()
            .into_iter()
            .map(|(_, action)| if action == Move::Pass { "--".into() } else { words::name(action, size) })
            .collect();
        let across = (usize::from(width) / 12).max(1);
        let mut number = 1;
        let mut cell = |pair: &[String]| {
            let cell = format!("{:<12}", format!("{number:>2}. {}", pair.join(" ")));
            // Passes have no number.
            number += pair.iter().filter(|name| *name != "--").count();
            cell
        };
        let cells: Vec<String> = names.chunks(2).map(&mut cell).collect();
        let rows: Vec<_> =
            cells.chunks(across).map(|row| Line::styled(row.concat(), self.theme.dim())).collect();
        let hidden = rows.len().saturating_sub(room);
        rows.into_iter().skip(hidden).collect()
    }
}

/// For Black.
fn value_of(advice: &Advice) -> Option<Score> {
    let line = advice.found.lines.first()?;
    Some(words::value_for(Color::Black, advice.position.side(), line.score))
}

/// Black's part on the left, White's on the right.
fn bar(value: Option<Score>, width: u16, theme: Theme) -> Line<'static> {
    let width = usize::from(width);
    let share = value.map_or(0.5, |value| (0.5 + value.discs() / FULL_BAR / 2.0).clamp(0.0, 1.0));
    let black = (share * width as f64).round() as usize;
    let part = |color, count| {
        let symbol = match (theme.is_colored(), color) {
            (true, _) => "█",
            (false, Color::Black) => "X",
            (false, Color::White) => "O",
        };
        Span::styled(symbol.repeat(count), theme.bar(color))
    };
    Line::from(vec![part(Color::Black, black), part(Color::White, width - black)])
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
