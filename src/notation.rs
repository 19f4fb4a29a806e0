//! Conversions between the protocols' types and the engine's.

pub mod uci;

use std::fmt;

use ollehto_protocol::coord::{Coord, Side, Vertex};
use ollehto_protocol::ggf::{GgfEnding, GgfGame, GgfMove, GgfResult, MoveText};
use ollehto_protocol::notation::{CellText, PositionText};
use ollehto_protocol::setting::RulesName;

use crate::board::{Bitboard, Color, Move, Position, Size, Square};
use crate::game::Game;
use crate::rules::Rules;

#[must_use]
pub const fn color(side: Side) -> Color {
    match side {
        Side::Black => Color::Black,
        Side::White => Color::White,
    }
}

#[must_use]
pub const fn side(color: Color) -> Side {
    match color {
        Color::Black => Side::Black,
        Color::White => Side::White,
    }
}

#[must_use]
pub const fn rules(name: RulesName) -> Rules {
    match name {
        RulesName::Reversed => Rules::Reversed,
        RulesName::Standard => Rules::Standard,
    }
}

#[must_use]
pub const fn rules_name(rules: Rules) -> RulesName {
    match rules {
        Rules::Reversed => RulesName::Reversed,
        Rules::Standard => RulesName::Standard,
    }
}

/// None if it lies outside a board of this size.
#[must_use]
pub fn square(coord: Coord, size: Size) -> Option<Square> {
    size.square(coord.column(), coord.row())
}

/// A line from a position, with the forced passes that it leaves out: each move with the position before it.
#[must_use]
pub fn with_passes(mut at: Position, moves: &[Move]) -> Vec<(Position, Move)> {
    let mut line = Vec::with_capacity(moves.len());
    for &played in moves {
        if played != Move::Pass && at.must_pass() {
            line.push((at, Move::Pass));
            at = at.with_side(at.side().opponent());
        }
        line.push((at, played));
        match at.play(played) {
            Some(next) => at = next,
            None => break,
        }
    }
    line
}

/// None if the square lies outside a board of this size.
#[must_use]
pub fn action(vertex: Vertex, size: Size) -> Option<Move> {
    match vertex {
        Vertex::Place(coord) => square(coord, size).map(Move::Place),
        Vertex::Pass => Some(Move::Pass),
    }
}

/// The inverse of [`action`].
#[must_use]
pub fn vertex(action: Move, size: Size) -> Vertex {
    match action {
        Move::Place(square) => {
            let (column, row) = size.place(square);
            Vertex::Place(Coord::new(column, row).expect("columns and rows of a board are below 8"))
        }
        Move::Pass => Vertex::Pass,
    }
}

/// The names of moves in lower case, as Othello players write them.
#[must_use]
pub fn names(moves: &[Move], size: Size) -> Vec<String> {
    moves.iter().map(|&action| vertex(action, size).to_string().to_ascii_lowercase()).collect()
}

/// The board is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoDiscs;

impl fmt::Display for NoDiscs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("impossible position: there is no disc on the board")
    }
}

impl std::error::Error for NoDiscs {}

/// # Errors
/// If the board is empty.
pub fn position(text: &PositionText) -> Result<Position, NoDiscs> {
    let size = Size::from_side(text.size().into()).expect("position texts have the sizes of our boards");
    let of = |side: Side| -> Bitboard {
        (0..)
            .zip(text.cells())
            .filter(|&(_, &cell)| cell == CellText::Disc(side))
            .filter_map(|(at, _)| size.square(at % text.size(), at / text.size()))
            .collect()
    };
    let position = Position::new(of(Side::Black), of(Side::White), color(text.to_move()), size)
        .expect("a cell holds one disc at most and lies on the board");
    if position.board().discs().is_empty() { Err(NoDiscs) } else { Ok(position) }
}

#[must_use]
pub fn position_text(position: &Position) -> PositionText {
    let size = position.size();
    let cell = |square| {
        let holds = |color| position.discs(color).contains(square);
        [Color::Black, Color::White]
            .into_iter()
            .find(|&color| holds(color))
            .map_or(CellText::Empty, |c| CellText::Disc(side(c)))
    };
    let cells = size.squares().into_iter().map(cell).collect();
    PositionText::new(cells, side(position.side())).expect("our boards have the sizes of position texts")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GgfGameError {
    NoDiscs(NoDiscs),
    IllegalMove {
        /// From 1.
        number: usize,
        side: Side,
        vertex: Vertex,
    },
}

impl fmt::Display for GgfGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDiscs(error) => error.fmt(f),
            Self::IllegalMove { number, side, vertex } => {
                write!(f, "move {number}, {side} {vertex}, is illegal")
            }
        }
    }
}

impl std::error::Error for GgfGameError {}

/// # Errors
/// If the board is empty or a move illegal.
pub fn game(record: &GgfGame, rules: Rules) -> Result<Game, GgfGameError> {
    let start = position(&record.board).map_err(GgfGameError::NoDiscs)?;
    let mut game = Game::from_position(rules, start);
    for (number, turn) in (1..).zip(&record.moves) {
        let played = action(turn.text.vertex, start.size()).map(|action| game.play(color(turn.side), action));
        if !matches!(played, Some(Ok(()))) {
            return Err(GgfGameError::IllegalMove { number, side: turn.side, vertex: turn.text.vertex });
        }
    }
    Ok(game)
}

#[must_use]
pub fn record(game: &Game) -> GgfGame {
    let size = game.position().size();
    let turn = |(mover, action)| {
        let text = MoveText { vertex: vertex(action, size), eval: None, seconds: None };
        GgfMove { side: side(mover), text }
    };
    let mut record = GgfGame::new(position_text(&game.first_position()));
    record.kind.anti = game.rules() == Rules::Reversed;
    record.moves = game.moves().into_iter().map(turn).collect();
    record.result = game.position().is_over().then(|| {
        let score = f64::from(game.result(Color::Black).0);
        GgfResult { score, ending: GgfEnding::Normal }
    });
    record
}

#[cfg(test)]
mod tests {
    use ollehto_protocol::ggf::parse_game;

    use super::*;

    #[test]
    fn positions_survive_being_written() {
        for size in Size::ALL {
            let start = Position::start(size);
            for position in start.moves().into_iter().filter_map(|s| start.play(Move::Place(s))) {
                assert_eq!(super::position(&position_text(&position)), Ok(position));
            }
        }
    }

    #[test]
    fn a_game_survives_being_written() {
        for rules in Rules::ALL {
            let mut game = Game::new(rules, Size::Four);
            while let Some(square) = game.position().moves().first() {
                game.follow(Move::Place(square)).expect("legal");
                if game.position().must_pass() {
                    game.follow(Move::Pass).expect("forced");
                }
            }
            let text = record(&game).to_string();
            let read = parse_game(text.as_bytes()).expect("our own writing");
            assert_eq!(read.kind.anti, rules == Rules::Reversed);
            let again = super::game(&read, rules).expect("legal moves");
            assert_eq!((again.moves(), again.position()), (game.moves(), game.position()));
            let score = f64::from(game.result(Color::Black).0);
            assert_eq!(read.result.map(|result| result.score), Some(score));
        }
    }

    #[test]
    fn a_small_board_has_its_own_names() {
        let corner = Vertex::Place(Coord::new(0, 0).expect("on the board"));
        assert_eq!(action(corner, Size::Six), Some(Move::Place(Square::B2)));
        assert_eq!(vertex(Move::Place(Square::B2), Size::Six), corner);
        assert_eq!(action(Vertex::Place(Coord::new(6, 0).expect("on 8×8")), Size::Six), None);
    }
}
