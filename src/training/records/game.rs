//! One finished game from the start position of the 8×8 board, packed into bits: its random plies, then each move by its
//! rank among the legal ones, with the value of the search that found it.

use arrayvec::ArrayVec;

use super::bits::{BitReader, BitWriter};
use super::settings::{MOST_DETOURS, MOST_MOVES, SelfplaySettings};
use crate::board::{Board, Color, Size, Square};
use crate::rules::Rules;
use crate::score::{Discs, Score};

/// The squares played on, in order. Passes are left out: they follow from the rules.
pub type GameMoves = ArrayVec<Square, MOST_MOVES>;

/// The value of the search before each move; none where none was made or none is kept.
pub type GameValues = ArrayVec<Option<SearchValue>, MOST_MOVES>;

/// The plies at which a move other than the best was played, in order.
pub type Detours = ArrayVec<u8, MOST_DETOURS>;

const PLIES_BITS: u32 = 6;

/// Stands for a detour that was not made.
const NO_PLY: u8 = 63;

const VALUE_BITS: u32 = 8;

/// The value of a position for the side to move in half discs, within ±127.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchValue(i8);

impl SearchValue {
    /// What is stored where there is no value.
    pub const NONE: i8 = i8::MIN;

    /// Rounded and clamped.
    #[must_use]
    pub fn new(score: Score) -> Self {
        let halves = (score.discs() * 2.0).round();
        Self(halves.clamp(-127.0, 127.0) as i8)
    }

    #[must_use]
    pub const fn half_discs(self) -> i8 {
        self.0
    }

    #[must_use]
    pub fn discs(self) -> f32 {
        f32::from(self.0) / 2.0
    }

    #[must_use]
    pub fn to_code(value: Option<Self>) -> i8 {
        value.map_or(Self::NONE, Self::half_discs)
    }

    #[must_use]
    pub fn from_code(code: i8) -> Option<Self> {
        (code != Self::NONE).then_some(Self(code))
    }
}

/// A position with a move, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingPosition {
    pub board: Board,
    /// The result of the game.
    pub result: Discs,
    /// Whether no random move follows and both sides play for the rules of the game, so that the result says something
    /// about the position.
    pub has_fair_result: bool,
    /// The value of the search here, if one was recorded.
    pub value: Option<SearchValue>,
    /// The move played.
    pub square: Square,
    /// Whether it is another than the best that the search found.
    pub is_detour: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    rules: Rules,
    random_plies: u8,
    moves: GameMoves,
    values: GameValues,
    detours: Detours,
    /// The first ply with a fair result.
    fair_from: u8,
    /// For Black.
    result: Discs,
}

impl TrainingGame {
    /// None if a move is illegal, a side could still move at the end, or there are values or detours where the settings
    /// have none.
    #[must_use]
    pub fn new(
        settings: &SelfplaySettings,
        random_plies: u8,
        moves: GameMoves,
        values: GameValues,
        detours: Detours,
    ) -> Option<Self> {
        if usize::from(random_plies) > moves.len() || values.len() != moves.len() {
            return None;
        }
        let mut replay = Replay::start();
        for (ply, (&square, value)) in (0..).zip(moves.iter().zip(&values)) {
            let legal = replay.next_turn()?.moves(Size::Eight.squares()).len();
            let keeps_value = ply >= random_plies && settings.keeps_value(ply, legal);
            if value.is_some() && !keeps_value {
                return None;
            }
            replay.place(square)?;
        }
        let is_whole = replay.next_turn().is_none() && are_detours(settings, random_plies, &moves, &detours);
        let fair_from = fair_from(settings, random_plies, &detours);
        let result = replay.result(settings.rules);
        is_whole.then_some(Self {
            rules: settings.rules,
            random_plies,
            moves,
            values,
            detours,
            fair_from,
            result,
        })
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

    #[must_use]
    pub fn values(&self) -> &[Option<SearchValue>] {
        &self.values
    }

    #[must_use]
    pub fn detours(&self) -> &[u8] {
        &self.detours
    }

    /// For Black.
    #[must_use]
    pub const fn result(&self) -> Discs {
        self.result
    }

    /// Positions whose result is fair.
    #[must_use]
    pub fn fair_positions(&self) -> usize {
        self.moves.len().saturating_sub(self.fair_from.into())
    }

    /// The positions after the random moves in which the side to move has a move.
    pub fn positions(&self) -> impl Iterator<Item = TrainingPosition> + use<'_> {
        let mut replay = Replay::start();
        let turns = (0..).zip(self.moves.iter().zip(&self.values));
        let positions = turns.map_while(move |(ply, (&square, &value))| {
            let board = replay.next_turn()?;
            let result = if replay.side == Color::Black { self.result } else { -self.result };
            replay.place(square)?;
            let is_detour = self.detours.contains(&ply);
            let has_fair_result = ply >= self.fair_from;
            Some(TrainingPosition { board, result, has_fair_result, value, square, is_detour })
        });
        positions.skip(self.random_plies.into())
    }

    /// Values and detours only if they are wanted.
    pub(super) fn encode(&self, settings: &SelfplaySettings, with_values: bool, bits: &mut BitWriter) {
        bits.write(self.random_plies.into(), PLIES_BITS);
        if with_values {
            let plies = self.detours.iter().copied().chain(std::iter::repeat(NO_PLY));
            plies.take(settings.detours.into()).for_each(|ply| bits.write(ply.into(), PLIES_BITS));
        }
        let mut replay = Replay::start();
        for (ply, (&square, &value)) in (0..).zip(self.moves.iter().zip(&self.values)) {
            let Some(board) = replay.next_turn() else { return };
            let moves = board.moves(Size::Eight.squares());
            let rank = moves.into_iter().take_while(|&other| other != square).count();
            bits.write(rank as u32, rank_bits(moves.len()));
            if with_values && ply >= self.random_plies && settings.keeps_value(ply, moves.len()) {
                bits.write(SearchValue::to_code(value).cast_unsigned().into(), VALUE_BITS);
            }
            replay.place(square);
        }
    }

    pub(super) fn decode(
        settings: &SelfplaySettings,
        with_values: bool,
        bits: &mut BitReader<'_>,
    ) -> Option<Self> {
        let random_plies = bits.read(PLIES_BITS)? as u8;
        let detours = if with_values { read_detours(settings, bits)? } else { Detours::new() };
        let (mut moves, mut values) = (GameMoves::new(), GameValues::new());
        let mut replay = Replay::start();
        while let Some(board) = replay.next_turn() {
            let legal = board.moves(Size::Eight.squares());
            let rank = bits.read(rank_bits(legal.len()))?;
            let square = legal.into_iter().nth(rank as usize)?;
            let ply = moves.len() as u8;
            let mut value = None;
            if with_values && ply >= random_plies && settings.keeps_value(ply, legal.len()) {
                value = SearchValue::from_code((bits.read(VALUE_BITS)? as u8).cast_signed());
            }
            replay.place(square)?;
            moves.push(square);
            values.push(value);
        }
        let is_possible =
            usize::from(random_plies) <= moves.len() && are_detours(settings, random_plies, &moves, &detours);
        is_possible.then(|| Self {
            rules: settings.rules,
            random_plies,
            fair_from: fair_from(settings, random_plies, &detours),
            moves,
            values,
            detours,
            result: replay.result(settings.rules),
        })
    }
}

fn read_detours(settings: &SelfplaySettings, bits: &mut BitReader<'_>) -> Option<Detours> {
    let mut detours = Detours::new();
    let mut is_last = false;
    for _ in 0..settings.detours {
        let ply = bits.read(PLIES_BITS)? as u8;
        if ply == NO_PLY {
            is_last = true;
        } else if is_last {
            return None;
        } else {
            detours.try_push(ply).ok()?;
        }
    }
    Some(detours)
}

/// Whether these plies can be those of the detours.
fn are_detours(settings: &SelfplaySettings, random_plies: u8, moves: &GameMoves, detours: &Detours) -> bool {
    let end = settings.solve_ply().min(moves.len() as u8);
    detours.len() <= settings.detours.into()
        && detours.iter().all(|ply| (random_plies..end).contains(ply))
        && detours.is_sorted_by(|before, after| before < after)
}

fn fair_from(settings: &SelfplaySettings, random_plies: u8, detours: &Detours) -> u8 {
    let after_detours = detours.last().map_or(0, |&ply| ply + 1);
    random_plies.max(after_detours).max(settings.undisturbed_from())
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
