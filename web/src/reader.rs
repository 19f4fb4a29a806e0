//! Reads a game from whatever somebody pastes: moves, a GGF record, a position or a link to the page.

use ollehto::board::Size;
use ollehto::notation;
use ollehto::rules::Rules;
use ollehto_protocol::error::TextError;
use ollehto_protocol::ggf::{GgfGame, parse_games};
use serde::Serialize;

use crate::game::{GameText, Played, RulesWord};
use crate::link;

/// What is wrong with a text. The page puts it into words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Problem {
    Empty,
    /// Moves are counted from 1.
    Illegal {
        number: usize,
        #[serde(rename = "move")]
        played: String,
    },
    /// Columns are counted from 1.
    Unreadable {
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
    /// Only the first of several games was read.
    Several {
        games: usize,
    },
    /// A link that this page does not write.
    Link,
}

impl Problem {
    pub fn from_text(error: &TextError) -> Self {
        match error {
            TextError::Expected { column, found, .. } | TextError::BadValue { column, found, .. } => {
                Self::Unreadable { column: *column, found: found.clone() }
            }
            TextError::Squares { found, .. } => Self::Squares { found: *found },
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Reading {
    /// What can be played. None if nothing can.
    pub game: Option<GameText>,
    pub problem: Option<Problem>,
}

impl Reading {
    pub fn of(played: Played) -> Self {
        Self { game: Some(played.text()), problem: played.problem }
    }

    pub fn failed(problem: Problem) -> Self {
        Self { game: None, problem: Some(problem) }
    }

    /// Text without anything to play is a failure.
    pub fn or_nothing(self) -> Self {
        let is_nothing = |game: &GameText| game.moves.is_empty() && game.start.is_none();
        match self {
            Self { game: Some(game), problem: Some(problem) } if is_nothing(&game) => Self::failed(problem),
            reading => reading,
        }
    }
}

pub fn read(text: &str, rules: RulesWord, size: u8) -> Reading {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if text.is_empty() {
        return Reading::failed(Problem::Empty);
    }
    if let Some(at) = text.find("(;") {
        return read_ggf(&text[at..]);
    }
    if let Some((_, fragment)) = text.rsplit_once('#') {
        return link::read(fragment);
    }
    if is_like_position(text) {
        let game = GameText { rules, size, start: Some(text.to_owned()), moves: String::new() };
        return Reading::of(Played::new(&game)).or_nothing();
    }
    read_moves(&without_numbers(text), rules, size)
}

/// On the board of this size, or on another one if the first move is legal there only.
fn read_moves(moves: &str, rules: RulesWord, size: u8) -> Reading {
    let on = |size| {
        let game = GameText { rules, size, start: None, moves: moves.to_owned() };
        Reading::of(Played::new(&game)).or_nothing()
    };
    let given = on(size);
    if given.game.is_some() {
        return given;
    }
    let mut others = Size::ALL.into_iter().rev().map(|size| on(size.side()));
    others.find(|reading| reading.game.is_some()).unwrap_or(given)
}

fn read_ggf(text: &str) -> Reading {
    let complete = |text: &str| {
        let (whole, _) = text.rsplit_once(']')?;
        parse_games(format!("{whole}];)").as_bytes()).ok()
    };
    let (games, truncated) = match parse_games(text.as_bytes()) {
        Ok(games) => (games, None),
        Err(error) => match complete(text) {
            Some(games) => (games, Some(Problem::Truncated)),
            None => return Reading::failed(Problem::from_text(&error)),
        },
    };
    let Some(first) = games.first() else { return Reading::failed(Problem::Empty) };
    let mut played = match replay(first) {
        Ok(played) => played,
        Err(problem) => return Reading::failed(problem),
    };
    let several = (games.len() > 1).then_some(Problem::Several { games: games.len() });
    played.problem = played.problem.or(truncated).or(several);
    Reading::of(played)
}

/// A record as far as it is legal.
fn replay(record: &GgfGame) -> Result<Played, Problem> {
    let rules = if record.kind.anti { Rules::Reversed } else { Rules::Standard };
    let start = notation::position(&record.board).map_err(|_| Problem::NoDiscs)?;
    let mut played = Played { game: ollehto::game::Game::from_position(rules, start), problem: None };
    let moves: Vec<_> = record.moves.iter().map(|turn| turn.text.vertex).collect();
    played.problem = played.follow(&moves);
    Ok(played)
}

/// Whether it has squares of a board only: no list of moves does.
fn is_like_position(text: &str) -> bool {
    let is_square = |c: char| "-._XxOo0*BbWw".contains(c);
    let squares = text.chars().filter(|&c| is_square(c)).count();
    squares > 8 && text.chars().all(|c| is_square(c) || c.is_whitespace())
}

/// Blanks in place of move numbers such as `12.`, so that columns stay the same.
fn without_numbers(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut kept = chars.clone();
    let mut at = 0;
    while at < chars.len() {
        let digits = chars[at..].iter().take_while(|c| c.is_ascii_digit()).count();
        let starts_word = at == 0 || !chars[at - 1].is_ascii_alphanumeric();
        let dots = chars[at + digits..].iter().take_while(|&&c| c == '.').count();
        if digits > 0 && starts_word && dots > 0 {
            kept[at..at + digits + dots].fill(' ');
        }
        at += (digits + dots).max(1);
    }
    kept.into_iter().collect()
}
