//! One finished game from the start position of the 8×8 board, packed into bits: its random plies, then each move by its
//! rank among the legal ones.

use arrayvec::ArrayVec;

use crate::board::{Board, Color, Size, Square};
use crate::rules::Rules;
use crate::score::Discs;

pub const MOST_MOVES: usize = 60;

/// The squares played on, in order. Passes are left out: they follow from the rules.
pub type GameMoves = ArrayVec<Square, MOST_MOVES>;

const PLIES_BITS: u32 = 6;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    rules: Rules,
    random_plies: u8,
    moves: GameMoves,
    /// For Black.
    result: Discs,
}

impl TrainingGame {
    /// None if a move is illegal or a side could still move at the end.
    #[must_use]
    pub fn new(rules: Rules, random_plies: u8, moves: GameMoves) -> Option<Self> {
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

    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Random moves at the start, which say nothing about good play.
    #[must_use]
    pub const fn random_plies(&self) -> u8 {
        self.random_plies
    }

    #[must_use]
    pub fn moves(&self) -> &[Square] {
        &self.moves
    }

    /// For Black.
    #[must_use]
    pub const fn result(&self) -> Discs {
        self.result
    }

    /// The positions after the random moves in which the side to move has a move, each with the result for that side.
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

    pub(super) fn decode(rules: Rules, bits: &mut BitReader<'_>) -> Option<Self> {
        let random_plies = bits.read(PLIES_BITS)? as u8;
        let mut moves = GameMoves::new();
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

/// The bits that tell one of `moves` moves apart: none where there is no choice.
const fn rank_bits(moves: u32) -> u32 {
    moves.next_power_of_two().trailing_zeros()
}

/// Replays a game.
struct Replay {
    board: Board,
    side: Color,
}

impl Replay {
    const fn start() -> Self {
        Self { board: Board::START, side: Color::Black }
    }

    /// The board for the next side to move, after a pass if one is due; none when the game is over.
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

    /// None, and nothing done, if the move is illegal.
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

/// Writes numbers of a few bits each, the lowest bit of a byte first.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    count: u32,
}

impl BitWriter {
    /// Adds the lowest `width` bits of a number, 32 at most.
    pub(super) fn write(&mut self, number: u32, width: u32) {
        self.pending |= u64::from(number) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// The last byte is filled up with zeroes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    pending: u64,
    count: u32,
}

impl<'a> BitReader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, pending: 0, count: 0 }
    }

    /// The next number of so many bits, 32 at most; none if there are not as many left.
    pub(super) fn read(&mut self, width: u32) -> Option<u32> {
        while self.count < width {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            self.pending |= u64::from(byte) << self.count;
            self.count += 8;
        }
        let number = self.pending & ((1 << width) - 1);
        self.pending >>= width;
        self.count -= width;
        Some(number as u32)
    }

    /// Whether only the zeroes that fill up the last byte are left.
    pub(super) const fn is_at_end(&self) -> bool {
        self.bytes.is_empty() && self.count < 8 && self.pending == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_a_round_trip() {
        let numbers = [(5, 3), (0, 0), (1, 1), (63, 6), (0, 5), (u32::MAX, 32), (1, 2)];
        let mut writer = BitWriter::default();
        numbers.iter().for_each(|&(number, width)| writer.write(number, width));
        let bytes = writer.finish();
        assert_eq!(bytes.len(), 49_usize.div_ceil(8));
        let mut reader = BitReader::new(&bytes);
        for (number, width) in numbers {
            assert_eq!(reader.read(width), Some(number));
        }
        assert!(reader.is_at_end());
        assert_eq!(reader.read(8), None);
    }
}
