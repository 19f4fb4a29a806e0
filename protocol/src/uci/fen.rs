//! Positions as Fairy-Stockfish writes them.

use std::fmt;

use crate::coord::Side;
use crate::error::TextError;
use crate::notation::{CellText, PositionText};
use crate::text::{self, GrammarError, Parsed, word};

const A_BOARD: &str = "ranks of P, p and numbers, as in 8/8/8/3pP3/3Pp3/8/8/8[] w - - 0 1";
const A_SIDE: &str = "the side to move (w or b)";

/// Discs that the players have not placed yet. Nothing but the text depends on them.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Pocket {
    /// Of Othello's Black, who moves first and is White here.
    pub black: u16,
    pub white: u16,
}

impl Pocket {
    /// At the start of a game: a disc for every empty square, for each player.
    pub fn full(size: u8) -> Pocket {
        let discs = match size {
            // As in Fairy-Stockfish's own configuration of this board.
            6 => 22,
            _ => u16::from(size) * u16::from(size) - 4,
        };
        Pocket { black: discs, white: discs }
    }

    /// After a disc was placed.
    #[must_use]
    pub fn without_one(self, side: Side) -> Pocket {
        match side {
            Side::Black => Pocket { black: self.black.saturating_sub(1), ..self },
            Side::White => Pocket { white: self.white.saturating_sub(1), ..self },
        }
    }
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fen {
    pub position: PositionText,
    pub pocket: Pocket,
    /// Passes since the last disc was placed.
    pub passes: u32,
    /// From 1; counts pairs of moves.
    pub move_number: u32,
}

/// Reads a position. Fields after the side to move may be missing.
pub fn parse_fen(text: &[u8]) -> Result<Fen, TextError> {
    let text = text::clean(text);
    text::read_all(&text, &text, fen)
}

pub(super) fn fen(input: &str) -> Parsed<'_, Fen> {
    let (rest, board) = word(input)?;
    let wrong = || GrammarError::expected(input, A_BOARD);
    let (cells, pocket) = read_board(board).ok_or_else(wrong)?;
    let (numbers, side) = word(rest)?;
    let to_move = match side {
        "w" | "W" => Side::Black,
        "b" | "B" => Side::White,
        _ => return Err(GrammarError::expected(rest, A_SIDE)),
    };
    let position = PositionText::new(cells, to_move).map_err(|_| wrong())?;
    // Castling and en passant are empty fields, which some programs leave out.
    let mut numbers = numbers.split(' ').filter_map(|field| field.parse().ok());
    let passes = numbers.next().unwrap_or(0);
    let move_number = numbers.next().unwrap_or(1).max(1);
    Ok(("", Fen { position, pocket, passes, move_number }))
}

/// The cells, and the pocket: in brackets, or as one rank too many.
fn read_board(text: &str) -> Option<(Vec<CellText>, Pocket)> {
    let (ranks, pocket) = match text.split_once('[') {
        Some((ranks, pocket)) => (ranks, pocket.strip_suffix(']')?),
        None => (text, ""),
    };
    let mut ranks: Vec<&str> = ranks.split('/').collect();
    let pocket = match ranks.len() {
        9 => ranks.pop()?,
        _ => pocket,
    };
    Some((read_ranks(&ranks, Side::Black)?, read_pocket(pocket)?))
}

/// The cells of a board in the order of its ranks; `capital` is the colour of `P`.
pub(crate) fn read_ranks(ranks: &[&str], capital: Side) -> Option<Vec<CellText>> {
    let size = ranks.len();
    // Before room is made for the squares of as many ranks as there are slashes.
    if ![4, 6, 8].contains(&size) {
        return None;
    }
    let mut cells = Vec::with_capacity(size * size);
    for (number, rank) in (1..).zip(ranks) {
        for symbol in rank.chars() {
            match symbol {
                'P' => cells.push(CellText::Disc(capital)),
                'p' => cells.push(CellText::Disc(capital.opponent())),
                digit => {
                    let empty = digit.to_digit(10).filter(|&count| (1..=8).contains(&count))?;
                    cells.extend((0..empty).map(|_| CellText::Empty));
                }
            }
        }
        if cells.len() != number * size {
            return None;
        }
    }
    Some(cells)
}

fn read_pocket(text: &str) -> Option<Pocket> {
    let count = |disc| u16::try_from(text.matches(disc).count()).ok();
    let pocket = Pocket { black: count('P')?, white: count('p')? };
    let is_known = |symbol| matches!(symbol, 'P' | 'p' | '-');
    text.chars().all(is_known).then_some(pocket)
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = usize::from(self.position.size());
        let ranks: Vec<String> = self.position.cells().chunks(size).map(rank_text).collect();
        let discs = |symbol: &str, count: u16| symbol.repeat(count.into());
        let pocket = discs("P", self.pocket.black) + &discs("p", self.pocket.white);
        let side = match self.position.to_move() {
            Side::Black => 'w',
            Side::White => 'b',
        };
        write!(f, "{}[{pocket}] {side} - - {} {}", ranks.join("/"), self.passes, self.move_number)
    }
}

fn rank_text(cells: &[CellText]) -> String {
    let mut text = String::new();
    for run in cells.chunk_by(|one, next| *one == CellText::Empty && *next == CellText::Empty) {
        match run {
            [CellText::Disc(Side::Black)] => text.push('P'),
            [CellText::Disc(Side::White)] => text.push('p'),
            empty => text += &empty.len().to_string(),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "8/8/8/3pP3/3Pp3/8/8/8";

    fn read(text: &str) -> Result<Fen, String> {
        parse_fen(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_start_position_is_othellos() {
        let fen = read(&format!("{START} w 0 1")).unwrap();
        assert_eq!(
            fen.position.to_string(),
            "---------------------------OX------XO--------------------------- X"
        );
        let full = Fen { pocket: Pocket::full(8), ..fen };
        let text = format!("{START}[{}{}] w - - 0 1", "P".repeat(60), "p".repeat(60));
        assert_eq!(full.to_string(), text);
        assert_eq!(read(&text), Ok(full));
    }

    #[test]
    fn fields_may_be_missing_and_pockets_of_any_size() {
        for text in [
            format!("{START} w"),
            format!("{START}[] w - -"),
            format!("{START}[-] w - - 0 1"),
            format!("{START}/ w 0 0"),
        ] {
            assert_eq!(read(&text).unwrap().to_string(), format!("{START}[] w - - 0 1"), "{text}");
        }
        let fen = read(&format!("{START}/PPp b - - 1 17")).unwrap();
        assert_eq!((fen.pocket, fen.passes, fen.move_number), (Pocket { black: 2, white: 1 }, 1, 17));
        assert_eq!(fen.position.to_move(), Side::White);
        assert_eq!(fen.pocket.without_one(Side::White).without_one(Side::White).white, 0);
        assert_eq!(read("6/6/2pP2/2Pp2/6/6[Pp] w - - 0 1").unwrap().position.size(), 6);
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for text in [
            "",
            "8/8 w",
            "9/8/8/8/8/8/8/8 w",
            "8/8/8/3pP4/3Pp3/8/8/8 w",
            "8/8/8/3pP2/3Pp3/8/8/8 w",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
            "8/8/8/3pP3/3Pp3/8/8/8[PP w",
            "8/8/8/3pP3/3Pp3/8/8/8[Q] w",
            "10/10/10/10/4pP4/4Pp4/10/10/10/10[] w",
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with("expected ranks of P, p and numbers"), "{text}: {error}");
        }
        assert!(read(&format!("{} w", "/".repeat(60_000))).is_err());
        assert_eq!(
            read(&format!("{START} x")).unwrap_err(),
            "expected the side to move (w or b) at column 23, found 'x'"
        );
    }
}
