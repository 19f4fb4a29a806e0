//! One finished game from the start position of the 8×8 board.

use arrayvec::ArrayVec;

use crate::board::{Board, Color, Size, Square};
use crate::rules::Rules;
use crate::score::Discs;

use super::bits::{BitReader, BitWriter};

/// The most discs that a game can place.
pub const MOST_MOVES: usize = 60;

/// The squares of a game in the order they were played on. Passes are left out: they follow from the rules.
pub type Squares = ArrayVec<Square, MOST_MOVES>;

/// Bits for the number of moves drawn at random.
const PLIES_BITS: u32 = 6;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    rules: Rules,
    random_plies: u8,
    moves: Squares,
    /// For Black.
    result: Discs,
}

impl Game {
    /// The game of these moves, the first of which were drawn at random. None if they are not a whole game: some move is
    /// illegal, or either side could still move at the end.
    #[must_use]
    pub fn new(rules: Rules, random_plies: u8, moves: Squares) -> Option<Self> {
        if usize::from(random_plies) > moves.len() {
            return None;
        }
        let mut replay = Replay::start();
        for &square in &moves {
            replay.next_turn()?;
            replay.place(square)?;
        }
        let over = replay.next_turn().is_none();
        over.then(|| Self { rules, random_plies, moves, result: replay.result(rules) })
    }

    /// Who wins.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// How many of its moves were drawn at random, and so say nothing about good play.
    #[must_use]
    pub const fn random_plies(&self) -> u8 {
        self.random_plies
    }

    /// The squares played on, passes left out.
    #[must_use]
    pub fn moves(&self) -> &[Square] {
        &self.moves
    }

    /// The result for Black.
    #[must_use]
    pub const fn result(&self) -> Discs {
        self.result
    }

    /// The positions after the random moves in which the side to move has a move, seen by that side, each with the
    /// result of the game for it.
    pub fn positions(&self) -> impl Iterator<Item = (Board, Discs)> + use<'_> {
        let mut replay = Replay::start();
        let with_turn = self.moves.iter().map_while(move |&square| {
            let board = replay.next_turn()?;
            let result = if replay.side == Color::Black { self.result } else { -self.result };
            replay.place(square)?;
            Some((board, result))
        });
        with_turn.skip(self.random_plies.into())
    }

    pub(super) fn encode(&self, bits: &mut BitWriter) {
        bits.write(self.random_plies.into(), PLIES_BITS);
        let mut replay = Replay::start();
        for &square in &self.moves {
            let Some(board) = replay.next_turn() else { return };
            let moves = board.moves(Size::Eight.squares());
            let rank = moves.into_iter().take_while(|&other| other != square).count();
            bits.write(rank as u32, rank_bits(moves.len()));
            replay.place(square);
        }
    }

    /// Reads a game; none if the bits are not one.
    pub(super) fn decode(rules: Rules, bits: &mut BitReader<'_>) -> Option<Self> {
        let random_plies = bits.read(PLIES_BITS)? as u8;
        let mut moves = Squares::new();
        let mut replay = Replay::start();
        while let Some(board) = replay.next_turn() {
            let legal = board.moves(Size::Eight.squares());
            let rank = bits.read(rank_bits(legal.len()))?;
            let square = legal.into_iter().nth(rank as usize)?;
            replay.place(square)?;
            moves.push(square);
        }
        let result = replay.result(rules);
        (usize::from(random_plies) <= moves.len()).then_some(Self { rules, random_plies, moves, result })
    }
}

/// The bits that tell one of so many moves: none where there is no choice.
const fn rank_bits(moves: u32) -> u32 {
    moves.next_power_of_two().trailing_zeros()
}

/// A game played over again.
struct Replay {
    board: Board,
    side: Color,
}

impl Replay {
    const fn start() -> Self {
        Self { board: Board::START, side: Color::Black }
    }

    /// The board seen by whoever moves next, after a pass where one is due; none when the game is over.
    fn next_turn(&mut self) -> Option<Board> {
        let area = Size::Eight.squares();
        if self.board.moves(area).is_empty() {
            if self.board.passed().moves(area).is_empty() {
                return None;
            }
            self.turn_to(self.board.passed());
        }
        Some(self.board)
    }

    /// Plays on a square; none, and nothing done, if that is illegal.
    fn place(&mut self, square: Square) -> Option<()> {
        let next = self.board.play(square)?;
        self.turn_to(next);
        Some(())
    }

    const fn turn_to(&mut self, board: Board) {
        self.board = board;
        self.side = self.side.opponent();
    }

    /// The result for Black, as if the game were over.
    fn result(&self, rules: Rules) -> Discs {
        let result = rules.result(self.board, Size::Eight);
        if self.side == Color::Black { result } else { -result }
    }
}
