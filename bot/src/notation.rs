//! The site's notation: that of UCI, with some tolerance.
//!
//! The site's first player is "white" in its positions and Black in ours.

use ollehto::board::{Move, Position, Size};
use ollehto::notation::uci::{Counters, move_name, pass_names, read_move};

/// Reads a drop (`P@e3`, or `e3` alone) or a pass (`c3c3`, or one of the other ways that programs write it).
#[must_use]
pub fn parse_move(text: &str) -> Option<Move> {
    match text {
        "--" | "pass" => Some(Move::Pass),
        square if square.len() == 2 => read_move(&format!("P@{square}"), Size::Eight),
        text => read_move(text, Size::Eight),
    }
}

/// A move to send. The site writes a pass with the player's disc on the lowest square; should it refuse that, the next
/// attempts name the others.
#[must_use]
pub fn print_move(action: Move, position: &Position, attempt: usize) -> String {
    let named = match action {
        Move::Place(_) => None,
        Move::Pass => {
            let discs = position.board().own().len() as usize;
            pass_names(position).nth(attempt % discs.max(1))
        }
    };
    named.unwrap_or_else(|| move_name(position, action))
}

/// The position of a FEN on 8×8; pockets and counters mean nothing here.
#[must_use]
pub fn parse_fen(fen: &str) -> Option<Position> {
    let fen = ollehto_protocol::uci::parse_fen(fen.as_bytes()).ok()?;
    let (position, _) = Counters::read(&fen).ok()?;
    (position.size() == Size::Eight).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ollehto::board::Square;

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
            assert_eq!(parse_move(&text), Some(Move::Place(square)));
            assert_eq!(parse_move(&text[2..]), Some(Move::Place(square)));
        }
    }

    #[test]
    fn a_pass_names_the_lowest_own_disc_and_then_the_others() {
        let start = Position::start(Size::Eight);
        let pass = |attempt| print_move(Move::Pass, &start, attempt);
        assert_eq!([pass(0), pass(1), pass(2)], ["d4d4", "e5e5", "d4d4"]);
        for text in ["d4d4", "@@@@", "0000", "pass"] {
            assert_eq!(parse_move(text), Some(Move::Pass));
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
