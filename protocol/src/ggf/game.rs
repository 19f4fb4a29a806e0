//! Games as values, and how they print.

use std::fmt;

use super::clock::Clock;
use super::kind::MatchType;
use super::turn::Turn;
use crate::coord::Side;
use crate::notation::PositionText;
use crate::number::foreign_decimal;

/// One game. Displays as a record on one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Where it was played.
    pub place: Option<String>,
    /// When it was played, in whatever form the record has.
    pub date: Option<String>,
    /// Who played Black.
    pub black: Player,
    /// Who played White.
    pub white: Player,
    /// How it ended, if it has.
    pub result: Option<Outcome>,
    /// The clocks of Black and White, where the record tells of them.
    pub clocks: [Option<Clock>; 2],
    /// The kind of match; its size is that of the board.
    pub kind: MatchType,
    /// The position at the start.
    pub board: PositionText,
    /// The moves in order.
    pub moves: Vec<Turn>,
    /// What Black owes White by the bids, in discs.
    pub komi: Option<f64>,
}

impl Game {
    /// A game without moves from this position, by unnamed players without clocks.
    pub fn new(board: PositionText) -> Game {
        Game {
            place: None,
            date: None,
            black: Player::default(),
            white: Player::default(),
            result: None,
            clocks: [None; 2],
            kind: MatchType::new(board.size()),
            board,
            moves: Vec::new(),
            komi: None,
        }
    }

    /// This side's clock; a record that tells of none has none.
    pub fn clock(&self, side: Side) -> Clock {
        let [black, white] = self.clocks;
        let told = match side {
            Side::Black => black,
            Side::White => white,
        };
        told.unwrap_or(Clock::UNLIMITED)
    }
}

/// A player as a record names them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Player {
    /// The name, often empty.
    pub name: String,
    /// The rating before the game.
    pub rating: Option<f64>,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// What Black won by, in discs; negative if White won.
    pub score: f64,
    /// How the game came to its end.
    pub ending: Ending,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Ending {
    /// It was played out.
    Normal,
    /// A player resigned.
    Resigned,
    /// A player ran out of time.
    Timeout,
    /// It was put off.
    Adjourned,
}

impl Outcome {
    /// Reads `-10`, `+4.000:r` and the like; anything else is no result yet.
    pub(crate) fn read(text: &str) -> Option<Outcome> {
        let (score, mark) = text.split_once(':').unwrap_or((text, ""));
        let ending = match mark.trim() {
            "r" => Ending::Resigned,
            "t" => Ending::Timeout,
            "l" => Ending::Adjourned,
            _ => Ending::Normal,
        };
        foreign_decimal(score).map(|score| Outcome { score, ending })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.score.is_finite() {
            return f.write_str("?");
        }
        // Adding zero turns a negative zero into the positive one.
        write!(f, "{:+}", self.score + 0.0)?;
        f.write_str(match self.ending {
            Ending::Normal => "",
            Ending::Resigned => ":r",
            Ending::Timeout => ":t",
            Ending::Adjourned => ":l",
        })
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(;GM[Othello]")?;
        write_text("PC", self.place.as_deref(), f)?;
        write_text("DT", self.date.as_deref(), f)?;
        write_text("PB", Some(&self.black.name), f)?;
        write_text("PW", Some(&self.white.name), f)?;
        write_number("RB", self.black.rating, f)?;
        write_number("RW", self.white.rating, f)?;
        match self.result {
            Some(result) => write!(f, "RE[{result}]")?,
            None => f.write_str("RE[?]")?,
        }
        match self.clocks {
            [Some(black), Some(white)] if black == white => write!(f, "TI[{black}]")?,
            clocks => {
                for (tag, clock) in ["TB", "TW"].into_iter().zip(clocks) {
                    if let Some(clock) = clock {
                        write!(f, "{tag}[{clock}]")?;
                    }
                }
            }
        }
        write!(f, "TY[{}]", self.kind)?;
        write_number("KM", self.komi, f)?;
        write!(f, "BO[{} ", self.board.size())?;
        self.board.write('*', f)?;
        f.write_str("]")?;
        for turn in &self.moves {
            let tag = if turn.side == Side::Black { 'B' } else { 'W' };
            write!(f, "{tag}[{}]", turn.text)?;
        }
        f.write_str(";)")
    }
}

/// Brackets would end the field and semicolons mark the ends of a record: neither may come from a name.
fn write_text(tag: &str, text: Option<&str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(text) = text else { return Ok(()) };
    let harmless = |c| if matches!(c, '[' | ']' | ';') { '_' } else { c };
    let text: String = text.chars().filter(|c| !c.is_control()).map(harmless).collect();
    write!(f, "{tag}[{}]", text.trim())
}

fn write_number(tag: &str, number: Option<f64>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match number.filter(|number| number.is_finite()) {
        Some(number) => write!(f, "{tag}[{number}]"),
        None => Ok(()),
    }
}
