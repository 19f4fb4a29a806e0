//! The site's notation: chess ranks, so that its rank 8 is our row 1, and moves as drops.
//!
//! The site's first player is "white" in its positions and Black in ours.

use ollehto::board::{Bitboard, Color, Move, Position, Size, Square};

/// A move as the site writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteMove {
    Place(Square),
    /// A null move of one of the player's own discs.
    Pass,
}

/// As in `e3`, by the site's ranks.
fn key(square: Square) -> String {
    format!("{}{}", char::from(b'a' + square.column()), 8 - square.row())
}

fn square(key: &str) -> Option<Square> {
    let &[file, rank] = key.as_bytes() else { return None };
    let column = file.to_ascii_lowercase().checked_sub(b'a')?;
    let row = 7_u8.checked_sub(rank.checked_sub(b'1')?)?;
    Square::at(column, row)
}

/// Reads a drop (`P@e3`, or `e3` alone) or a pass (`c3c3`, or one of the other ways that programs write it).
#[must_use]
pub fn parse_move(text: &str) -> Option<SiteMove> {
    if ["@@@@", "0000", "--", "pass"].contains(&text) {
        return Some(SiteMove::Pass);
    }
    if let Some(key) = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@")) {
        return square(key).map(SiteMove::Place);
    }
    if let Some(place) = square(text) {
        return Some(SiteMove::Place(place));
    }
    let (from, to) = text.split_at_checked(2)?;
    (square(from)? == square(to)?).then_some(SiteMove::Pass)
}

/// A move to send. The site writes a pass with the player's disc on the lowest square; should it refuse that, the next
/// attempts name the others.
#[must_use]
pub fn print_move(action: Move, position: &Position, attempt: usize) -> String {
    match action {
        Move::Place(square) => format!("P@{}", key(square)),
        Move::Pass => {
            let mut discs: Vec<Square> = position.board().own().into_iter().collect();
            discs.sort_by_key(|square| (7 - square.row(), square.column()));
            let disc = discs.get(attempt % discs.len().max(1)).copied().unwrap_or(Square::A1);
            key(disc).repeat(2)
        }
    }
}

/// The position of a FEN: `P` is the first player's disc; pockets and counters mean nothing here.
#[must_use]
pub fn parse_fen(fen: &str) -> Option<Position> {
    let mut words = fen.split_whitespace();
    let board = words.next()?.split('[').next()?;
    let side = match words.next() {
        Some("w") => Color::Black,
        Some("b") => Color::White,
        _ => return None,
    };
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    let mut rows = 0;
    for (row, text) in (0_u8..).zip(board.split('/')) {
        let mut column = 0_u8;
        for char in text.chars() {
            match char {
                'P' => black |= Square::at(column, row)?.into(),
                'p' => white |= Square::at(column, row)?.into(),
                '1'..='8' => column += char as u8 - b'1',
                _ => return None,
            }
            column += 1;
            if column > 8 {
                return None;
            }
        }
        if column != 8 {
            return None;
        }
        rows += 1;
    }
    (rows == 8).then(|| Position::new(black, white, side, Size::Eight)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of both variants, its pockets shortened.
    const START: &str = "8/8/8/3pP3/3Pp3/8/8/8[PPPpp] w - - 0 1";

    #[test]
    fn the_sites_start_is_ours() {
        let start = Position::start(Size::Eight);
        assert_eq!(parse_fen(START), Some(start));
        let mut moves: Vec<_> =
            start.moves().into_iter().map(|square| print_move(Move::Place(square), &start, 0)).collect();
        moves.sort();
        // The site's first moves, as its engine lists them.
        assert_eq!(moves, ["P@c5", "P@d6", "P@e3", "P@f4"]);
    }

    #[test]
    fn every_square_reads_back() {
        let start = Position::start(Size::Eight);
        for square in Square::ALL {
            let text = print_move(Move::Place(square), &start, 0);
            assert_eq!(parse_move(&text), Some(SiteMove::Place(square)));
            assert_eq!(parse_move(&text[2..]), Some(SiteMove::Place(square)));
        }
    }

    #[test]
    fn a_pass_names_the_lowest_own_disc_and_then_the_others() {
        let start = Position::start(Size::Eight);
        let pass = |attempt| print_move(Move::Pass, &start, attempt);
        assert_eq!([pass(0), pass(1), pass(2)], ["d4d4", "e5e5", "d4d4"]);
        for text in ["d4d4", "@@@@", "0000", "pass"] {
            assert_eq!(parse_move(text), Some(SiteMove::Pass));
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        for text in ["", "P@", "P@i1", "P@a9", "P@a0", "d4d5", "d4d4q", "N@e3", "héhé", "P@e33"] {
            assert_eq!(parse_move(text), None, "{text:?}");
        }
        for fen in ["", "8/8 w", "9/8/8/8/8/8/8/8 w", "8/8/8/3pQ3/3Pp3/8/8/8 w", "8/8/8/8/8/8/8/8/8 w"] {
            assert_eq!(parse_fen(fen), None, "{fen:?}");
        }
    }
}
