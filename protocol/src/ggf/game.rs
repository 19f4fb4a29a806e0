//! Games as values, and how they print.

use std::fmt;

use super::clock::GgfClock;
use super::match_type::MatchType;
use super::move_text::GgfMove;
use crate::coord::Side;
use crate::notation::PositionText;
use crate::number::foreign_decimal;

/// Displays as a record on one line.
#[derive(Clone, Debug, PartialEq)]
pub struct GgfGame {
    pub place: Option<String>,
    /// In whatever form the record has.
    pub date: Option<String>,
    pub black: GgfPlayer,
    pub white: GgfPlayer,
    /// None while the game goes on.
    pub result: Option<GgfResult>,
    /// Of Black and White.
    pub clocks: [Option<GgfClock>; 2],
    /// The kind of match; its size is that of the board.
    pub kind: MatchType,
    pub board: PositionText,
    pub moves: Vec<GgfMove>,
    /// In discs, from Black to White.
    pub komi: Option<f64>,
    /// Of the whole game.
    pub comment: Option<String>,
}

impl GgfGame {
    /// A game without moves from this position, by unnamed players without clocks.
    pub fn new(board: PositionText) -> GgfGame {
        GgfGame {
            place: None,
            date: None,
            black: GgfPlayer::default(),
            white: GgfPlayer::default(),
            result: None,
            clocks: [None; 2],
            kind: MatchType::new(board.size()),
            board,
            moves: Vec::new(),
            komi: None,
            comment: None,
        }
    }

    /// Unlimited where the record has no clock.
    pub fn clock(&self, side: Side) -> GgfClock {
        let [black, white] = self.clocks;
        let told = match side {
            Side::Black => black,
            Side::White => white,
        };
        told.unwrap_or(GgfClock::UNLIMITED)
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GgfPlayer {
    /// Often empty.
    pub name: String,
    /// Before the game.
    pub rating: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GgfResult {
    /// In discs; negative if White won.
    pub score: f64,
    pub ending: GgfEnding,
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum GgfEnding {
    Normal,
    Resigned,
    Timeout,
    Adjourned,
}

impl GgfResult {
    /// Reads `-10`, `+4.000:r` and the like; anything else is no result yet.
    pub(crate) fn read(text: &str) -> Option<GgfResult> {
        let (score, mark) = text.split_once(':').unwrap_or((text, ""));
        let ending = match mark.trim() {
            "r" => GgfEnding::Resigned,
            "t" => GgfEnding::Timeout,
            "l" => GgfEnding::Adjourned,
            _ => GgfEnding::Normal,
        };
        foreign_decimal(score).map(|score| GgfResult { score, ending })
    }
}

impl fmt::Display for GgfResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.score.is_finite() {
            return f.write_str("?");
        }
        // Adding zero turns a negative zero into the positive one.
        write!(f, "{:+}", self.score + 0.0)?;
        f.write_str(match self.ending {
            GgfEnding::Normal => "",
            GgfEnding::Resigned => ":r",
            GgfEnding::Timeout => ":t",
            GgfEnding::Adjourned => ":l",
        })
    }
}

impl fmt::Display for GgfGame {
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
        write_text("CO", self.comment.as_deref(), f)?;
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
