//! One name for each class of symmetric openings.
//!
//! A class is named after the shape that Othello players know it by, where there is one, and the moves that follow. The
//! moves begin with f5, whatever way the board is turned.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::fmt;

use crate::board::{Board, Size, Square};

use super::book::Book;

/// A shape with a traditional name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    Diagonal,
    Perpendicular,
    Parallel,
    Cow,
    Buffalo,
    Tiger,
    Rabbit,
    Mouse,
}

impl Family {
    /// With the moves that lead to each, a longer line after the one that it begins with.
    const LINES: [(Self, &[Square]); 8] = {
        use Square::*;
        [
            (Self::Diagonal, &[F5, F6]),
            (Self::Perpendicular, &[F5, D6]),
            (Self::Parallel, &[F5, F4]),
            (Self::Cow, &[F5, F6, E6, F4, E3]),
            (Self::Buffalo, &[F5, F6, E6, F4, C3]),
            (Self::Tiger, &[F5, D6, C3, D3, C4]),
            (Self::Rabbit, &[F5, D6, C5, F4, E3]),
            (Self::Mouse, &[F5, F4, E3, F6, D3]),
        ]
    };

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Diagonal => "Diagonal",
            Self::Perpendicular => "Perpendicular",
            Self::Parallel => "Parallel",
            Self::Cow => "Cow",
            Self::Buffalo => "Buffalo",
            Self::Tiger => "Tiger",
            Self::Rabbit => "Rabbit",
            Self::Mouse => "Mouse",
        }
    }
}

/// Displays as `Tiger f4 c5`: the family, and the moves that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningName {
    /// None for the start and the first move.
    pub family: Option<Family>,
    /// All moves from the start, the first one f5. Of all orders of moves to the class the shortest, and of these the
    /// first in board order.
    pub moves: Vec<Square>,
    /// How many of them the family stands for.
    pub family_moves: usize,
}

impl OpeningName {
    const START: Self = Self { family: None, moves: Vec::new(), family_moves: 0 };

    /// The name of the class of `board`, one move on.
    fn then(&self, square: Square, board: Board) -> Self {
        let moves: Vec<Square> = self.moves.iter().copied().chain([square]).collect();
        let reaches = |(_, line): &&(Family, &[Square])| {
            line.len() == moves.len() && play_out(line).is_some_and(|shape| shape.canonical().0 == board)
        };
        match Family::LINES.iter().find(reaches) {
            Some(&(family, line)) => Self { family: Some(family), family_moves: line.len(), moves },
            None => Self { moves, ..*self },
        }
    }
}

/// None if a move is illegal.
fn play_out(moves: &[Square]) -> Option<Board> {
    moves.iter().try_fold(Board::START, |board, &square| board.play(square))
}

impl fmt::Display for OpeningName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = self.moves[self.family_moves..].iter().map(|square| square.to_string().to_lowercase());
        let words: Vec<String> =
            self.family.map(|family| family.word().to_owned()).into_iter().chain(rest).collect();
        f.write_str(if words.is_empty() { "Start" } else { "" })?;
        f.write_str(&words.join(" "))
    }
}

/// The names of all positions of a book and of those one move beyond it.
#[derive(Clone, Debug)]
pub struct OpeningNames(HashMap<Board, OpeningName>);

impl OpeningNames {
    #[must_use]
    pub fn new(book: &Book) -> Self {
        let mut names = HashMap::from([(Board::START.canonical().0, OpeningName::START)]);
        // Breadth first, so that the shortest order of moves names a class.
        let mut queue = VecDeque::from([(Board::START, OpeningName::START)]);
        while let Some((board, name)) = queue.pop_front() {
            if !book.positions.contains_key(&board.canonical().0) {
                continue;
            }
            let named = |&square: &Square| board != Board::START || square == Square::F5;
            for square in board.moves(Size::Eight.squares()).into_iter().filter(named) {
                let Some(next) = board.play(square) else { continue };
                let class = next.canonical().0;
                if let Entry::Vacant(vacant) = names.entry(class) {
                    let name = vacant.insert(name.then(square, class));
                    queue.push_back((next, name.clone()));
                }
            }
        }
        Self(names)
    }

    /// None for positions that the book neither has nor leads to.
    #[must_use]
    pub fn get(&self, board: Board) -> Option<&OpeningName> {
        self.0.get(&board.canonical().0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::Symmetry;
    use crate::rules::Rules;

    fn names() -> OpeningNames {
        OpeningNames::new(Book::shipped(Rules::Reversed).expect("our own book"))
    }

    fn after(moves: &[Square]) -> Board {
        play_out(moves).expect("legal")
    }

    #[test]
    fn every_class_has_one_name_and_every_name_one_class() {
        let names = names();
        let different: HashSet<String> = names.0.values().map(ToString::to_string).collect();
        assert_eq!(different.len(), names.0.len());
        for (board, name) in &names.0 {
            assert_eq!(after(&name.moves).canonical().0, *board, "{name}");
            for symmetry in Symmetry::ALL {
                assert_eq!(names.get(symmetry.map_board(*board)), Some(name));
            }
        }
    }

    #[test]
    fn families_go_by_their_shape() {
        use Square::*;
        let names = names();
        let name = |moves: &[Square]| names.get(after(moves)).map(ToString::to_string);
        assert_eq!(name(&[]).as_deref(), Some("Start"));
        assert_eq!(name(&[D3]).as_deref(), Some("f5"));
        assert_eq!(name(&[C4, C3]).as_deref(), Some("Diagonal"));
        assert_eq!(name(&[D3, C5]).as_deref(), Some("Perpendicular"));
        assert_eq!(name(&[E6, D6]).as_deref(), Some("Parallel"));
        for (family, line) in Family::LINES {
            if let Some(found) = name(line) {
                assert_eq!(found, family.word());
            }
        }
        assert_eq!(name(&[F5, D6, C3, D3, C4]).as_deref(), Some("Tiger"));
        assert_eq!(name(&[F5, D6, C4, D3, C3]).as_deref(), Some("Tiger"), "by another order of moves");
    }
}
