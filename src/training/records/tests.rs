use std::path::Path;

use proptest::prelude::*;

use super::block::{Block, BlockError, HEADER_LENGTH, SelfplaySettings};
use super::file::{BlockReader, RecordFileError};
use super::game::{GameMoves, TrainingGame};
use crate::board::{Board, Color, Move, Position, Size, Square};
use crate::random::Random;
use crate::rules::Rules;

/// A game of random moves, with the positions that lead to a move.
fn random_game(rules: Rules, random: &mut Random) -> (TrainingGame, Vec<Position>) {
    let mut position = Position::start(Size::Eight);
    let (mut moves, mut positions) = (GameMoves::new(), Vec::new());
    while !position.is_over() {
        let legal: Vec<Square> = position.moves().into_iter().collect();
        let action = random.pick(&legal).map_or(Move::Pass, |&square| Move::Place(square));
        if let Move::Place(square) = action {
            moves.push(square);
            positions.push(position);
        }
        position = position.play(action).expect("legal");
    }
    let plies = random.below(moves.len() + 1) as u8;
    (TrainingGame::new(rules, plies, moves).expect("a whole game"), positions)
}

fn settings(rules: Rules, seed: u64) -> SelfplaySettings {
    SelfplaySettings {
        rules,
        play_for: Rules::Reversed,
        noise_before_solve: seed % 2 == 1,
        depth: 4,
        exact: 12,
        random: (8, 50),
        seed,
        evaluation: 0x1234_5678,
    }
}

fn block(rules: Rules, seed: u64, games: usize) -> Block {
    let mut random = Random::new(seed);
    let games = (0..games).map(|_| random_game(rules, &mut random).0).collect();
    Block { settings: settings(rules, seed), first: seed / 2, games }
}

fn read(bytes: &[u8]) -> Vec<Result<Block, RecordFileError>> {
    BlockReader::new(Path::new("here"), bytes).collect()
}

#[test]
fn positions_are_those_after_the_random_moves_with_the_result_for_their_side() {
    let mut random = Random::new(3);
    for rules in Rules::ALL {
        for _ in 0..50 {
            let (game, positions) = random_game(rules, &mut random);
            let plies = usize::from(game.random_plies());
            let found: Vec<(Board, _)> = game.positions().collect();
            assert_eq!(found.len(), positions.len() - plies);
            for ((board, result), position) in found.into_iter().zip(&positions[plies..]) {
                assert_eq!(board, position.board());
                let for_black = if position.side() == Color::Black { result } else { -result };
                assert_eq!(for_black, game.result());
            }
        }
    }
}

#[test]
fn moves_that_are_no_game_are_refused() {
    let (game, _) = random_game(Rules::Reversed, &mut Random::new(1));
    let moves: GameMoves = game.moves().iter().copied().collect();
    assert_eq!(TrainingGame::new(Rules::Reversed, 61, moves.clone()), None);
    let mut unfinished = moves.clone();
    unfinished.pop();
    assert_eq!(TrainingGame::new(Rules::Reversed, 0, unfinished), None);
    let mut illegal = moves;
    illegal[3] = Square::D4;
    assert_eq!(TrainingGame::new(Rules::Reversed, 0, illegal), None);
}

#[test]
fn a_game_takes_less_than_thirty_bytes() {
    let bytes = block(Rules::Reversed, 1, 64).encode().expect("games");
    assert!(bytes.len() < 64 * 30, "{}", bytes.len());
    assert!(Block { games: Vec::new(), ..block(Rules::Reversed, 1, 1) }.encode().is_none());
}

#[test]
fn the_end_of_a_file_is_told_from_damage() {
    let one = block(Rules::Reversed, 1, 2).encode().expect("games");
    let two = block(Rules::Standard, 2, 3).encode().expect("games");
    let both = [one.as_slice(), &two].concat();
    for end in one.len() + 1..both.len() {
        let found = read(&both[..end]);
        assert_eq!(found.len(), 2);
        assert!(matches!(found[1], Err(RecordFileError::Torn { offset, .. }) if offset == one.len() as u64));
    }
    let mut long = both.clone();
    long[36] = 0xff;
    assert!(matches!(read(&long)[0], Err(RecordFileError::Damaged { error: BlockError::Header, .. })));
    let mut other = both.clone();
    *other.last_mut().expect("bytes") ^= 1;
    assert!(matches!(read(&other)[1], Err(RecordFileError::Damaged { error: BlockError::Payload, .. })));
    let foreign = read(b"something else");
    assert!(matches!(foreign[0], Err(RecordFileError::OtherKind { error: BlockError::NoBlock, .. })));
    let mut newer = both;
    newer[4] = 9;
    assert!(matches!(read(&newer)[0], Err(RecordFileError::OtherKind { error: BlockError::Version(9), .. })));
}

proptest! {
    #[test]
    fn blocks_come_back_as_they_went_in(seed in any::<u64>(), counts in prop::collection::vec(1_usize..5, 1..4), reversed: bool) {
        let rules = if reversed { Rules::Reversed } else { Rules::Standard };
        let blocks: Vec<Block> = (0..).zip(counts).map(|(n, count)| block(rules, seed ^ n, count)).collect();
        let bytes: Vec<u8> = blocks.iter().flat_map(|block| block.encode().expect("games")).collect();
        let found: Result<Vec<_>, _> = read(&bytes).into_iter().collect();
        prop_assert_eq!(found.expect("whole blocks"), blocks);
    }

    #[test]
    fn changed_bytes_are_noticed(seed in any::<u64>(), at in any::<prop::sample::Index>(), by in 1_u8..) {
        let whole = block(Rules::Reversed, seed, 3);
        let mut bytes = whole.encode().expect("games");
        let at = at.index(bytes.len());
        bytes[at] ^= by;
        prop_assert!(read(&bytes).iter().any(Result::is_err));
    }

    #[test]
    fn any_payload_is_games_or_an_error(
        seed in any::<u64>(),
        payload in prop::collection::vec(any::<u8>(), 1..150),
        count in 1_u16..6,
    ) {
        // A header that agrees with its payload, whatever that is.
        let mut bytes = block(Rules::Reversed, seed, 1).encode().expect("games");
        bytes.truncate(HEADER_LENGTH);
        bytes[10..12].copy_from_slice(&count.to_le_bytes());
        bytes[32..36].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        bytes[36..40].copy_from_slice(&crc32fast::hash(&payload).to_le_bytes());
        let check = crc32fast::hash(&bytes[..40]);
        bytes[40..44].copy_from_slice(&check.to_le_bytes());
        bytes.extend(&payload);
        for block in read(&bytes).into_iter().flatten() {
            prop_assert_eq!(block.encode(), Some(bytes.clone()));
        }
    }

    #[test]
    fn any_bytes_are_blocks_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let found = read(&bytes);
        prop_assert!(bytes.is_empty() || found.iter().any(Result::is_err));
    }
}
