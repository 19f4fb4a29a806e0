//! A game in progress: the position, how it came about, and how it ends.

use std::fmt;

use crate::board::{Color, Move, Position, Size};
use crate::rules::Rules;
use crate::score::Discs;

/// One step back in a game.
#[derive(Clone, Copy, Debug)]
struct Played {
    before: Position,
    color: Color,
    action: Move,
    /// The opponent had to pass first and nobody said so.
    implied_pass: bool,
}

/// A game from its first position on.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    position: Position,
    history: Vec<Played>,
}

/// Why a move could not be played. The game is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// It is the other side's turn, and it can move.
    NotYourTurn(Color),
    /// The rules do not allow the move.
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
    /// A game from the start position.
    #[must_use]
    pub fn new(rules: Rules, size: Size) -> Self {
        Self::from_position(rules, Position::start(size))
    }

    /// A game that begins with any position.
    #[must_use]
    pub fn from_position(rules: Rules, position: Position) -> Self {
        Self { rules, position, history: Vec::new() }
    }

    /// The rules in force.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Goes on under other rules.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// The position on the board.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The position it began with.
    #[must_use]
    pub fn first_position(&self) -> Position {
        self.history.first().map_or(self.position, |played| played.before)
    }

    /// The moves from the beginning, passes included, with who made them.
    #[must_use]
    pub fn moves(&self) -> Vec<(Color, Move)> {
        let mut moves = Vec::with_capacity(self.history.len());
        for played in &self.history {
            if played.implied_pass {
                moves.push((played.color.opponent(), Move::Pass));
            }
            moves.push((played.color, played.action));
        }
        moves
    }

    /// All positions from the first to the present one, a pass making one too.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = Vec::with_capacity(self.history.len() + 1);
        for played in &self.history {
            positions.push(played.before);
            if played.implied_pass {
                positions.push(played.before.with_side(played.color));
            }
        }
        positions.push(self.position);
        positions
    }

    /// The position in which a colour is to move: the present one, or the one after a forced pass of its opponent.
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

    /// Plays a move for a colour; a forced pass of its opponent is implied. When the game is over either side may pass.
    ///
    /// # Errors
    /// If the move is not legal; the game is unchanged then.
    pub fn play(&mut self, color: Color, action: Move) -> Result<(), PlayError> {
        let turn = self.turn_of(color)?;
        let implied_pass = color != self.position.side() && !self.position.is_over();
        let after = turn.play(action).ok_or(PlayError::Illegal(action))?;
        self.history.push(Played { before: self.position, color, action, implied_pass });
        self.position = after;
        Ok(())
    }

    /// Plays a move for whoever can make it: in lists, forced passes may be left out.
    ///
    /// # Errors
    /// If the move is not legal; the game is unchanged then.
    pub fn follow(&mut self, action: Move) -> Result<(), PlayError> {
        let side = self.position.side();
        let left_out = action != Move::Pass && self.position.must_pass();
        self.play(if left_out { side.opponent() } else { side }, action)
    }

    /// Takes back so many moves, each with the pass that it implied. False, and nothing done, if there are fewer.
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
