//! The game in whatever somebody pastes, or in the address of the page.

use ollehto::game_reader::{self, Fault, LastGame, ReadGame, ReadOptions, link, read_last_game};
use ollehto::rules::Rules;
use ollehto_protocol::error::TextError;
use serde::Serialize;

use crate::game::{GameText, RulesWord, game_text, size};

/// What is wrong with a text. The page puts it into words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Problem {
    Empty,
    /// Moves are counted from 1, without passes.
    Illegal {
        number: usize,
        #[serde(rename = "move")]
        played: String,
    },
    Unreadable {
        /// From 1; left out for the first one.
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        /// Counted from 1.
        column: usize,
        found: String,
    },
    /// A position with a wrong number of squares.
    Squares {
        found: usize,
    },
    NoDiscs,
    /// A record that ends in the middle.
    Truncated,
    /// Only the last of several games was read.
    Several {
        games: usize,
    },
    /// A link that this page does not write.
    Link,
}

impl From<&Fault> for Problem {
    fn from(fault: &Fault) -> Self {
        match &fault.problem {
            game_reader::Problem::Unreadable(
                TextError::Expected { found, .. } | TextError::BadValue { found, .. },
            ) => Self::Unreadable {
                line: (fault.line > 1).then_some(fault.line),
                column: fault.column.unwrap_or(1),
                found: found.clone(),
            },
            game_reader::Problem::Unreadable(TextError::Squares { found, .. }) => {
                Self::Squares { found: *found }
            }
            game_reader::Problem::NoMoves => Self::Empty,
            game_reader::Problem::NoDiscs => Self::NoDiscs,
            game_reader::Problem::Illegal { number, vertex, .. } => {
                Self::Illegal { number: *number, played: vertex.to_string().to_lowercase() }
            }
            game_reader::Problem::Torn => Self::Truncated,
            game_reader::Problem::Link => Self::Link,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Reading {
    /// What can be played. None if nothing can.
    game: Option<GameText>,
    problem: Option<Problem>,
}

/// The last game of a text. Rules and board hold where it does not tell its own.
pub fn read(text: &str, rules: RulesWord, side: u8) -> Reading {
    let options =
        ReadOptions { rules: rules.into(), unmarked: Rules::Standard, size: size(side), other_sizes: true };
    let LastGame { game, games, fault } = read_last_game(text, &options);
    let several = (games > 1).then_some(Problem::Several { games });
    let problem = fault.as_ref().map(Problem::from).or(several);
    match game {
        Some(read) => Reading { game: Some(game_text(&read.game)), problem },
        None => Reading { game: None, problem: problem.or(Some(Problem::Empty)) },
    }
}

/// As much as can be played of a link that somebody may have edited. Nothing but a fault is a failure.
pub fn read_link(text: &str) -> Reading {
    let read: ReadGame = link::read(text);
    let problem = read.fault.as_deref().map(Problem::from);
    let game = (problem.is_none() || !read.is_empty()).then(|| game_text(&read.game));
    Reading { game, problem }
}
