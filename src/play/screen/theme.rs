//! Colours of the screen: from the 256 that almost every terminal has, or none.

use std::env;

use ratatui::style::{Color as Tint, Modifier, Style};

use crate::board::Color;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    colored: bool,
}

impl Theme {
    #[cfg(test)]
    pub const COLORED: Self = Self { colored: true };
    #[cfg(test)]
    pub const MONOCHROME: Self = Self { colored: false };

    /// Without colours if `NO_COLOR` is set to anything.
    #[must_use]
    pub fn of_environment() -> Self {
        Self { colored: env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()) }
    }

    #[must_use]
    pub const fn is_colored(self) -> bool {
        self.colored
    }

    fn tint(self, style: Style, foreground: u8) -> Style {
        if self.colored { style.fg(Tint::Indexed(foreground)) } else { style }
    }

    /// A square of the board; neighbours differ a little.
    #[must_use]
    pub fn cell(self, is_even: bool, has_cursor: bool) -> Style {
        match (self.colored, has_cursor) {
            (true, true) => Style::new().bg(Tint::Indexed(136)),
            (true, false) => Style::new().bg(Tint::Indexed(if is_even { 28 } else { 22 })),
            (false, true) => Style::new().add_modifier(Modifier::REVERSED),
            (false, false) => Style::new(),
        }
    }

    #[must_use]
    pub fn disc(self, color: Color, was_flipped: bool) -> Style {
        let tint = match (color, was_flipped) {
            (Color::Black, false) => 16,
            (Color::Black, true) => 238,
            (Color::White, false) => 255,
            (Color::White, true) => 223,
        };
        self.tint(Style::new(), tint)
    }

    /// The mark on the last disc, which has this colour.
    #[must_use]
    pub fn mark(self, color: Color) -> Style {
        let disc = if color == Color::Black { 16 } else { 255 };
        if self.colored { Style::new().fg(Tint::Indexed(196)).bg(Tint::Indexed(disc)) } else { Style::new() }
    }

    #[must_use]
    pub fn legal(self) -> Style {
        self.tint(Style::new(), 114)
    }

    /// A value on a square.
    #[must_use]
    pub fn value(self, is_best: bool) -> Style {
        if is_best {
            self.tint(Style::new(), 226).add_modifier(Modifier::BOLD)
        } else {
            self.tint(Style::new(), 253)
        }
    }

    #[must_use]
    pub fn title(self) -> Style {
        self.tint(Style::new(), 114).add_modifier(Modifier::BOLD)
    }

    #[must_use]
    pub fn dim(self) -> Style {
        if self.colored { Style::new().fg(Tint::Indexed(245)) } else { Style::new() }
    }

    #[must_use]
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    #[must_use]
    pub fn problem(self) -> Style {
        self.tint(Style::new(), 209)
    }

    #[must_use]
    pub fn selected(self) -> Style {
        if self.colored {
            Style::new().fg(Tint::Indexed(16)).bg(Tint::Indexed(114))
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }

    /// Black's and White's part of the value bar.
    #[must_use]
    pub fn bar(self, color: Color) -> Style {
        match (self.colored, color) {
            (true, Color::Black) => Style::new().fg(Tint::Indexed(238)).bg(Tint::Indexed(238)),
            (true, Color::White) => Style::new().fg(Tint::Indexed(255)).bg(Tint::Indexed(255)),
            (false, _) => Style::new(),
        }
    }

    #[must_use]
    pub fn curve(self) -> Style {
        self.tint(Style::new(), 114)
    }
}
