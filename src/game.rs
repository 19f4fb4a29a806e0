//! A game: the position, its history, and the result.

use std::fmt;

use crate::board::{Color, Move, Position, Size};
use crate::rules::Rules;
use crate::score::Discs;

#[derive(Clone, Copy, Debug)]
struct HistoryEntry {
    before: Position,
    color: Color,
    action: Move,
    /// The opponent passed first, without an entry.
    implied_pass: bool,
}

#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    position: Position,
    history: Vec<HistoryEntry>,
}

/// The game is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    NotYourTurn(Color),
    Illegal(Move),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotYourTurn(color) => write!(f, "it is {}'s turn, not {color}'s", color.opponent()),
            Self::Illegal(action) => write!(f, "{action} is illegal"),
        }
    }
}

impl std::error::Error for PlayError {}

impl Game {
    #[must_use]
    pub fn new(rules: Rules, size: Size) -> Self {
        Self::from_position(rules, Position::start(size))
    }

    #[must_use]
    pub fn from_position(rules: Rules, position: Position) -> Self {
        Self { rules, position, history: Vec::new() }
    }

    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    #[must_use]
    pub fn first_position(&self) -> Position {
        self.history.first().map_or(self.position, |entry| entry.before)
    }

    /// Passes included.
    #[must_use]
    pub fn moves(&self) -> Vec<(Color, Move)> {
        let mut moves = Vec::with_capacity(self.history.len());
        for entry in &self.history {
            if entry.implied_pass {
                moves.push((entry.color.opponent(), Move::Pass));
            }
            moves.push((entry.color, entry.action));
        }
        moves
    }

    /// From the first to the present one; a pass gives one too.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = Vec::with_capacity(self.history.len() + 1);
        for entry in &self.history {
            positions.push(entry.before);
            if entry.implied_pass {
                positions.push(entry.before.with_side(entry.color));
            }
        }
        positions.push(self.position);
        positions
    }

    /// The position with this colour to move: the present one, or the one after a forced pass of its opponent.
    ///
    /// # Errors
    /// If the opponent is to move and has a move.
    pub fn turn_of(&self, color: Color) -> Result<Position, PlayError> {
        if color == self.position.side() || self.position.moves().is_empty() {
            Ok(self.position.with_side(color))
        } else {
            Err(PlayError::NotYourTurn(color))
        }
    }

    /// A forced pass of the opponent is implied. When the game is over either side may pass.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn play(&mut self, color: Color, action: Move) -> Result<(), PlayError> {
        let turn = self.turn_of(color)?;
        let implied_pass = color != self.position.side() && !self.position.is_over();
        let after = turn.play(action).ok_or(PlayError::Illegal(action))?;
        self.history.push(HistoryEntry { before: self.position, color, action, implied_pass });
        self.position = after;
        Ok(())
    }

    /// Plays a move for the side that can make it: move lists may leave out forced passes.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn follow(&mut self, action: Move) -> Result<(), PlayError> {
        let side = self.position.side();
        let implied_pass = action != Move::Pass && self.position.must_pass();
        self.play(if implied_pass { side.opponent() } else { side }, action)
    }

    /// Takes back so many moves, each with its implied pass. Returns false and does nothing if there are fewer.
    #[must_use]
    pub fn undo(&mut self, count: usize) -> bool {
        let Some(left) = self.history.len().checked_sub(count) else { return false };
        if let Some(first) = self.history.drain(left..).next() {
            self.position = first.before;
        }
        true
    }

    /// The result of the discs on the board for a colour, as if the game were over.
    #[must_use]
    pub fn result(&self, color: Color) -> Discs {
        self.rules.result(self.position.with_side(color).board(), self.position.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Bitboard, Square};

    /// Black a1, White b1: White has no move, Black takes c1 and wipes White out.
    fn white_must_pass() -> Game {
        let position =
            Position::new(Square::A1.into(), Square::B1.into(), Color::White, Size::Eight).expect("disjoint");
        Game::from_position(Rules::Reversed, position)
    }

    #[test]
    fn a_forced_pass_may_be_implied_or_written() {
        let mut implied = white_must_pass();
        implied.play(Color::Black, Move::Place(Square::C1)).expect("legal after the implied pass");
        let mut followed = white_must_pass();
        followed.follow(Move::Place(Square::C1)).expect("legal after the implied pass");
        assert_eq!(implied.moves(), followed.moves());
        let mut written = white_must_pass();
        written.play(Color::White, Move::Pass).expect("forced");
        written.play(Color::Black, Move::Place(Square::C1)).expect("legal");
        assert_eq!(implied.position(), written.position());
        assert_eq!(implied.moves(), written.moves());
        assert_eq!(implied.moves().len(), 2);
        assert_eq!(implied.positions(), written.positions());
        assert!(implied.undo(1));
        assert_eq!(implied.position(), white_must_pass().position());
        assert!(written.undo(1));
        assert_eq!(written.position().side(), Color::Black);
    }

    #[test]
    fn a_wiped_out_side_has_won_the_reversed_game() {
        let mut game = white_must_pass();
        game.play(Color::Black, Move::Place(Square::C1)).expect("legal");
        assert!(game.position().is_over());
        assert_eq!(game.result(Color::White), Discs(64));
        assert_eq!(game.position().discs(Color::White), Bitboard::EMPTY);
    }

    #[test]
    fn at_the_end_both_sides_may_pass() {
        let mut game = white_must_pass();
        game.play(Color::Black, Move::Place(Square::C1)).expect("legal");
        game.play(Color::Black, Move::Pass).expect("over");
        game.play(Color::White, Move::Pass).expect("over");
        assert!(game.undo(3) && !game.undo(1));
    }

    #[test]
    fn a_refused_move_changes_nothing() {
        let mut game = Game::new(Rules::Reversed, Size::Eight);
        let before = *game.position();
        assert_eq!(
            game.play(Color::White, Move::Place(Square::D3)),
            Err(PlayError::NotYourTurn(Color::White))
        );
        assert_eq!(game.play(Color::Black, Move::Pass), Err(PlayError::Illegal(Move::Pass)));
        assert_eq!(
            game.play(Color::Black, Move::Place(Square::A1)),
            Err(PlayError::Illegal(Move::Place(Square::A1)))
        );
        assert_eq!(*game.position(), before);
        assert!(game.moves().is_empty());
    }
}
