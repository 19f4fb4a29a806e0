//! A game by the plain rules, as clients may play it: forced passes may be left out, and after the end either side may
//! pass.

use super::super::mailbox::{Mailbox, Move, Rules, Side};

pub(super) struct ModelGame {
    pub(super) board: Mailbox,
    pub(super) rules: Rules,
    history: Vec<Mailbox>,
}

impl ModelGame {
    pub(super) fn new(board: Mailbox, rules: Rules) -> Self {
        Self { board, rules, history: Vec::new() }
    }

    /// The same rules, another position.
    pub(super) fn restart(&mut self, board: Mailbox) {
        *self = Self::new(board, self.rules);
    }

    /// The board with this side to move, if it may be its turn.
    pub(super) fn turn_of(&self, side: Side) -> Option<Mailbox> {
        let to_move = self.board.to_move();
        let may = side == to_move || self.board.placements(to_move).is_empty();
        may.then(|| with_side(&self.board, side))
    }

    /// False, and nothing changes, if the move is illegal.
    pub(super) fn play(&mut self, side: Side, turn: Move) -> bool {
        let Some(mut board) = self.turn_of(side) else { return false };
        match turn {
            Move::Pass if board.placements(side).is_empty() => board = with_side(&board, side.other()),
            Move::Pass => return false,
            Move::Place(_) => {
                if board.play(turn).is_err() {
                    return false;
                }
            }
        }
        self.history.push(std::mem::replace(&mut self.board, board));
        true
    }

    /// For the side that can make it.
    pub(super) fn follow(&mut self, turn: Move) -> bool {
        let side = self.board.to_move();
        let skips = turn != Move::Pass && self.board.must_pass();
        self.play(if skips { side.other() } else { side }, turn)
    }

    pub(super) fn undo(&mut self, count: usize) -> bool {
        let Some(left) = self.history.len().checked_sub(count) else { return false };
        if let Some(board) = self.history.drain(left..).next() {
            self.board = board;
        }
        true
    }
}

pub(super) fn with_side(board: &Mailbox, side: Side) -> Mailbox {
    let letter = if side == Side::Black { 'X' } else { 'O' };
    Mailbox::parse(&format!("{} {letter}", board.cells_text('X'))).expect("the same cells")
}
