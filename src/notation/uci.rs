//! UCI's variants, moves and positions.

use ollehto_protocol::coord::{Coord, Vertex};
use ollehto_protocol::uci::{Fen, Pocket, parse_move, print_drop, print_pass};

use crate::board::{Color, Move, Position, Size, Square};
use crate::rules::Rules;

use super::{NoDiscs, action, position, position_text, side, vertex, with_passes};

/// A game that UCI has a name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    pub name: &'static str,
    pub rules: Rules,
    pub size: Size,
}

const fn variant(name: &'static str, rules: Rules, size: Size) -> Variant {
    Variant { name, rules, size }
}

impl Variant {
    /// Those of Fairy-Stockfish and PlayStrategy, which puts `ps-` before its names, and their reversed sisters.
    pub const ALL: [Self; 6] = [
        variant("antiflipello", Rules::Reversed, Size::Eight),
        variant("flipello", Rules::Standard, Size::Eight),
        variant("ps-antiflipello", Rules::Reversed, Size::Eight),
        variant("ps-flipello", Rules::Standard, Size::Eight),
        variant("antiflipello6", Rules::Reversed, Size::Six),
        variant("flipello6", Rules::Standard, Size::Six),
    ];

    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name.eq_ignore_ascii_case(name))
    }

    /// All names of a game, the usual one first; none for 4×4.
    pub fn of(rules: Rules, size: Size) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |variant| (variant.rules, variant.size) == (rules, size))
    }
}

/// What may be done here, in the order of Fairy-Stockfish: a pass too where neither side can move, until both have passed.
/// A player without discs cannot pass. `passes` were made just before.
#[must_use]
pub fn legal_moves(position: &Position, passes: u32) -> Vec<Move> {
    let mut squares: Vec<Square> = position.moves().into_iter().collect();
    squares.sort_by_key(|square| (std::cmp::Reverse(square.row()), square.column()));
    if !squares.is_empty() {
        return squares.into_iter().map(Move::Place).collect();
    }
    let is_over = passes >= 2 || position.empties().is_empty() || position.board().own().is_empty();
    if is_over { Vec::new() } else { vec![Move::Pass] }
}

/// A move of the side to move. A pass is named after its lowest disc.
#[must_use]
pub fn move_name(at: &Position, played: Move) -> String {
    match played {
        Move::Place(square) => coord(square, at.size()).map(|coord| print_drop(coord, at.size().side())),
        Move::Pass => pass_names(at).next(),
    }
    .unwrap_or_else(|| "0000".into())
}

/// A pass by the name of each disc of the side to move, the lowest first.
pub fn pass_names(at: &Position) -> impl Iterator<Item = String> {
    let size = at.size();
    let mut discs: Vec<Square> = at.board().own().into_iter().collect();
    discs.sort_by_key(|disc| (std::cmp::Reverse(disc.row()), disc.column()));
    discs
        .into_iter()
        .filter_map(move |disc| coord(disc, size))
        .map(move |coord| print_pass(coord, size.side()))
}

fn coord(square: Square, size: Size) -> Option<Coord> {
    match vertex(Move::Place(square), size) {
        Vertex::Place(coord) => Some(coord),
        Vertex::Pass => None,
    }
}

/// A line from a position, with forced passes that it leaves out.
#[must_use]
pub fn line_names(at: Position, moves: &[Move]) -> Vec<String> {
    with_passes(at, moves).into_iter().map(|(at, played)| move_name(&at, played)).collect()
}

/// None if the text is no move on a board of this size.
#[must_use]
pub fn read_move(text: &str, size: Size) -> Option<Move> {
    action(parse_move(text, size.side())?, size)
}

/// What a FEN tells besides the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters {
    pocket: Pocket,
    passes: u32,
    move_number: u32,
}

impl Counters {
    /// At the start of a game.
    #[must_use]
    pub fn start(size: Size) -> Self {
        Self { pocket: Pocket::full(size.side()), passes: 0, move_number: 1 }
    }

    /// # Errors
    /// If the board is empty.
    pub fn read(fen: &Fen) -> Result<(Position, Self), NoDiscs> {
        let &Fen { pocket, passes, move_number, .. } = fen;
        Ok((position(&fen.position)?, Self { pocket, passes, move_number }))
    }

    /// After a move of this colour.
    #[must_use]
    pub fn after(self, mover: Color, played: Move) -> Self {
        let (pocket, passes) = match played {
            Move::Place(_) => (self.pocket.without_one(side(mover)), 0),
            Move::Pass => (self.pocket, self.passes.saturating_add(1)),
        };
        let turn = u32::from(mover == Color::White);
        Self { pocket, passes, move_number: self.move_number.saturating_add(turn) }
    }

    #[must_use]
    pub fn fen(self, at: &Position) -> Fen {
        let Self { pocket, passes, move_number } = self;
        Fen { position: position_text(at), pocket, passes, move_number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;

    fn names(position: &Position, passes: u32) -> Vec<String> {
        legal_moves(position, passes).into_iter().map(|action| move_name(position, action)).collect()
    }

    #[test]
    fn the_first_moves_are_those_of_fairy_stockfish() {
        assert_eq!(names(&Position::start(Size::Eight), 0), ["P@e3", "P@f4", "P@c5", "P@d6"]);
        assert_eq!(names(&Position::start(Size::Six), 0), ["P@d2", "P@e3", "P@b4", "P@c5"]);
        for size in [Size::Six, Size::Eight] {
            let start = Position::start(size);
            for action in legal_moves(&start, 0) {
                assert_eq!(read_move(&move_name(&start, action), size), Some(action));
            }
        }
    }

    #[test]
    fn a_pass_is_named_after_the_lowest_disc() {
        let own: Bitboard = [Square::C2, Square::B8, Square::D8].into_iter().collect();
        let position = Position::new(own, Bitboard::EMPTY, Color::Black, Size::Eight).expect("disjoint");
        assert_eq!(names(&position, 1), ["b1b1"]);
        assert_eq!(names(&position, 2), [""; 0], "both have passed");
        assert_eq!(names(&position.with_side(Color::White), 0), [""; 0], "without a disc there is no pass");
    }

    #[test]
    fn a_line_names_the_passes_it_leaves_out() {
        let position =
            Position::new(Square::A1.into(), Square::B1.into(), Color::White, Size::Eight).expect("disjoint");
        let written = line_names(position, &[Move::Pass, Move::Place(Square::C1)]);
        assert_eq!(written, ["b8b8", "P@c8"]);
        assert_eq!(line_names(position, &[Move::Place(Square::C1)]), written);
    }

    #[test]
    fn counters_follow_the_moves() {
        let start = Counters::start(Size::Eight);
        let placed = start.after(Color::Black, Move::Place(Square::D3));
        assert_eq!((placed.pocket.black, placed.pocket.white, placed.move_number), (59, 60, 1));
        let passed = placed.after(Color::White, Move::Pass);
        assert_eq!((passed.passes, passed.move_number, passed.pocket), (1, 2, placed.pocket));
        assert_eq!(passed.after(Color::Black, Move::Place(Square::C4)).passes, 0);
        let fen = placed.fen(&Position::start(Size::Eight));
        assert_eq!(Counters::read(&fen), Ok((Position::start(Size::Eight), placed)));
    }

    #[test]
    fn every_variant_is_found_by_its_name() {
        for variant in Variant::ALL {
            assert_eq!(Variant::by_name(&variant.name.to_ascii_uppercase()), Some(variant));
            assert!(Variant::of(variant.rules, variant.size).any(|other| other == variant));
        }
        assert_eq!(Variant::of(Rules::Reversed, Size::Eight).next().map(|v| v.name), Some("antiflipello"));
        assert_eq!(Variant::of(Rules::Reversed, Size::Four).count(), 0);
    }
}
