//! What is chosen before a game: rules, board, who plays, how strong, with what clock.

use std::fmt;
use std::time::Duration;

use crate::board::{Color, Size};
use crate::clock::TimeControl;
use crate::rules::Rules;

use super::strength::Strength;

/// The sides that people play; the engine plays the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum People {
    /// You begin
    #[default]
    Black,
    /// The engine begins
    White,
    /// Two people at one terminal
    Both,
    /// Watch the engine play itself
    None,
}

impl People {
    pub const ALL: [Self; 4] = [Self::Black, Self::White, Self::Both, Self::None];

    #[must_use]
    pub const fn plays(self, color: Color) -> bool {
        match self {
            Self::Black => matches!(color, Color::Black),
            Self::White => matches!(color, Color::White),
            Self::Both => true,
            Self::None => false,
        }
    }
}

impl fmt::Display for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "Black, who begins",
            Self::White => "White",
            Self::Both => "both sides (two people)",
            Self::None => "nothing: watch the engine",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSettings {
    pub rules: Rules,
    pub size: Size,
    pub people: People,
    pub strength: Strength,
    /// Of each side.
    pub clock: TimeControl,
}

impl Default for GameSettings {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            size: Size::default(),
            people: People::default(),
            strength: Strength::default(),
            clock: TimeControl::Unlimited,
        }
    }
}

impl GameSettings {
    /// What a player is called on the screen and in records.
    #[must_use]
    pub fn name(&self, color: Color) -> String {
        if self.people.plays(color) { "You".into() } else { format!("Ollehto, {}", self.strength) }
    }
}

/// The goal in words: many people know the other rules better.
#[must_use]
pub const fn goal(rules: Rules) -> &'static str {
    match rules {
        Rules::Reversed => "the fewest discs win",
        Rules::Standard => "the most discs win",
    }
}

/// Reads `MINUTES` or `MINUTES+SECONDS`, as in `5`, `5+3` or `0.5+1`.
///
/// # Errors
/// If it is neither, or allows no time at all.
pub fn parse_clock(text: &str) -> Result<TimeControl, String> {
    const LONGEST_MINUTES: f64 = 10_000.0;
    let wrong = || {
        format!(
            "minutes for the game, perhaps with seconds added by each move, are needed, such as 5 or 5+3, not '{text}'"
        )
    };
    let number = |part: &str, factor: f64| {
        let number: f64 = part.trim().parse().ok()?;
        (0.0..=LONGEST_MINUTES)
            .contains(&number)
            .then(|| Duration::try_from_secs_f64(number * factor).ok())?
    };
    let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
    let main = number(minutes, 60.0).filter(|main| !main.is_zero()).ok_or_else(wrong)?;
    let increment = number(seconds, 1.0).ok_or_else(wrong)?;
    Ok(TimeControl::Game { main, increment })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_minutes_and_seconds() {
        let game = |main, increment| {
            Ok(TimeControl::Game {
                main: Duration::from_secs(main),
                increment: Duration::from_secs(increment),
            })
        };
        assert_eq!(parse_clock("5"), game(300, 0));
        assert_eq!(parse_clock("5+3"), game(300, 3));
        assert_eq!(parse_clock(" 0.5 + 1 "), game(30, 1));
        for wrong in ["", "+", "5+", "x", "0", "0+3", "-1", "nan", "1e9", "5+-1", "5+3+1"] {
            let error = parse_clock(wrong).expect_err(wrong);
            assert!(error.contains("such as 5 or 5+3"), "{error}");
        }
    }

    #[test]
    fn people_play_their_sides() {
        let sides = |people: People| [Color::Black, Color::White].map(|color| people.plays(color));
        assert_eq!(People::ALL.map(sides), [[true, false], [false, true], [true, true], [false, false]]);
    }
}
