use std::path::Path;

use proptest::prelude::*;

use super::block::{BlockError, HEADER_LENGTH};
use super::file::RecordFile;
use super::game::{Detours, GameMoves, GameValues};
use super::{
    Block, BlockReader, FormatVersion, RecordFileError, SearchValue, SelfplaySettings, TrainingGame,
    TrainingPosition,
};
use crate::board::{Color, Move, Position, Size, Square};
use crate::files::trial::LogTrial;
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Score;

/// A game of random moves, values and detours, with the positions that lead to a move.
fn random_game(
    settings: &SelfplaySettings,
    version: FormatVersion,
    random: &mut Random,
) -> (TrainingGame, Vec<Position>) {
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
    let mut values: GameValues = moves.iter().map(|_| None).collect();
    let mut detours = Detours::new();
    if version == FormatVersion::Values {
        for (ply, (value, position)) in (0..).zip(values.iter_mut().zip(&positions)).skip(plies.into()) {
            if settings.keeps_value(ply, position.moves().len()) {
                *value = SearchValue::from_code(random.draw() as i8);
                if detours.len() < settings.detours.into() && random.below(8) == 0 {
                    detours.push(ply);
                }
            }
        }
    }
    (TrainingGame::new(settings, plies, moves, values, detours).expect("a whole game"), positions)
}

fn settings(rules: Rules, version: FormatVersion, seed: u64) -> SelfplaySettings {
    SelfplaySettings {
        rules,
        play_for: if seed.is_multiple_of(8) { Rules::Reversed } else { rules },
        noise_before_solve: seed % 2 == 1,
        detours: if version == FormatVersion::Values { (seed / 2 % 4) as u8 } else { 0 },
        depth: 4,
        exact: 12,
        random: (8, 50),
        seed,
        evaluation: 0x1234_5678,
    }
}

fn block(rules: Rules, version: FormatVersion, seed: u64, games: usize) -> Block {
    let (mut random, settings) = (Random::new(seed), settings(rules, version, seed));
    let games = (0..games).map(|_| random_game(&settings, version, &mut random).0).collect();
    Block { version, settings, first: seed / 2, games }
}

fn read(bytes: &[u8]) -> Vec<Result<Block, RecordFileError>> {
    BlockReader::new(Path::new("here"), bytes).collect()
}

#[test]
fn positions_are_those_after_the_random_moves_with_the_result_for_their_side() {
    let mut random = Random::new(3);
    for rules in Rules::ALL {
        for seed in 0..50 {
            let settings = settings(rules, FormatVersion::Values, seed);
            let (game, positions) = random_game(&settings, FormatVersion::Values, &mut random);
            let plies = usize::from(game.random_plies());
            let found: Vec<TrainingPosition> = game.positions().collect();
            assert_eq!(found.len(), positions.len() - plies);
            let last_detour = game.detours().last().map(|&ply| usize::from(ply));
            let is_disturbed = settings.noise_before_solve || settings.play_for != rules;
            for (ply, (found, position)) in (plies..).zip(found.into_iter().zip(&positions[plies..])) {
                assert_eq!(found.board, position.board());
                let for_black = if position.side() == Color::Black { found.result } else { -found.result };
                assert_eq!(for_black, game.result());
                assert_eq!((found.square, found.value), (game.moves()[ply], game.values()[ply]));
                assert_eq!(found.is_detour, game.detours().contains(&(ply as u8)));
                let is_solved = position.empties().len() <= u32::from(settings.exact);
                let is_fair = last_detour.is_none_or(|last| ply > last) && (is_solved || !is_disturbed);
                assert_eq!(found.has_fair_result, is_fair);
            }
        }
    }
}

#[test]
fn moves_that_are_no_game_are_refused() {
    let settings = SelfplaySettings { detours: 2, ..settings(Rules::Reversed, FormatVersion::Values, 2) };
    let (game, positions) = random_game(&settings, FormatVersion::Values, &mut Random::new(1));
    let moves: GameMoves = game.moves().iter().copied().collect();
    let new = |plies, moves: &GameMoves, values: &[(usize, i8)], detours: &[u8]| {
        let mut all: GameValues = moves.iter().map(|_| None).collect();
        values.iter().for_each(|&(ply, value)| all[ply] = SearchValue::from_code(value));
        TrainingGame::new(&settings, plies, moves.clone(), all, detours.iter().copied().collect())
    };
    assert_eq!(new(61, &moves, &[], &[]), None);
    let mut unfinished = moves.clone();
    unfinished.pop();
    assert_eq!(new(0, &unfinished, &[], &[]), None);
    let mut illegal = moves.clone();
    illegal[3] = Square::D4;
    assert_eq!(new(0, &illegal, &[], &[]), None);
    // With twelve empty squares left the game is solved.
    assert!(positions[47].moves().len() > 1 && positions[48].moves().len() > 1, "there is a choice");
    assert!(new(40, &moves, &[(47, 5)], &[40, 47]).is_some());
    assert_eq!(new(40, &moves, &[(48, 5)], &[]), None);
    assert_eq!(new(40, &moves, &[(39, 5)], &[]), None);
    for detours in [&[39_u8] as &[u8], &[48], &[44, 44], &[46, 44], &[41, 43, 45]] {
        assert_eq!(new(40, &moves, &[], detours), None, "{detours:?}");
    }
}

#[test]
fn values_are_half_discs() {
    for (units, halves) in [(0, 0), (7, 0), (8, 1), (-8, -1), (33, 2), (2048, 127), (-2048, -127)] {
        assert_eq!(SearchValue::new(Score::from_units(units)).half_discs(), halves);
    }
}

#[test]
fn a_game_takes_few_bytes() {
    for (version, most) in [(FormatVersion::Moves, 30), (FormatVersion::Values, 60)] {
        let bytes = block(Rules::Reversed, version, 1, 64).encode().expect("games");
        assert!(bytes.len() < 64 * most, "{}", bytes.len());
        assert!(Block { games: Vec::new(), ..block(Rules::Reversed, version, 1, 1) }.encode().is_none());
    }
}

#[test]
fn the_end_of_a_file_is_told_from_damage() {
    let one = block(Rules::Reversed, FormatVersion::Moves, 1, 2).encode().expect("games");
    let two = block(Rules::Standard, FormatVersion::Values, 2, 3).encode().expect("games");
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

/// The games of a file; then those of other blocks are added.
fn resume(path: &Path, blocks: &[Block]) -> Result<Vec<String>, RecordFileError> {
    let mut found = Vec::new();
    let (mut file, contents) =
        RecordFile::open(path, &blocks[0].settings, |game| found.push(format!("{game:?}")))?;
    assert_eq!(contents.games(), found.len() as u64);
    for block in blocks.iter().filter(|block| !found.contains(&format!("{:?}", block.games[0]))) {
        file.append(block)?;
    }
    Ok(found)
}

#[test]
fn files_survive_damage() {
    let whole = block(Rules::Reversed, FormatVersion::Values, 3, 3);
    let blocks: Vec<Block> = (0..)
        .zip(&whole.games)
        .map(|(first, game)| Block { first, games: vec![game.clone()], ..whole.clone() })
        .collect();
    let records: Vec<String> = whole.games.iter().map(|game| format!("{game:?}")).collect();
    let trial = LogTrial {
        name: "games",
        records: &records,
        write: &|path, count| match count {
            0 => std::fs::write(path, "").map_err(|error| error.to_string()),
            _ => resume(path, &blocks[..count]).map(drop).map_err(|error| error.to_string()),
        },
        resume: &|path| resume(path, &blocks).map_err(|error| error.to_string()),
        is_chain: false,
        is_large: false,
    };
    trial.run();
}

proptest! {
    #[test]
    fn blocks_come_back_as_they_went_in(seed in any::<u64>(), counts in prop::collection::vec(1_usize..5, 1..4), reversed: bool, old: bool) {
        let rules = if reversed { Rules::Reversed } else { Rules::Standard };
        let version = if old { FormatVersion::Moves } else { FormatVersion::Values };
        let blocks: Vec<Block> =
            (0..).zip(counts).map(|(n, count)| block(rules, version, seed ^ n, count)).collect();
        let bytes: Vec<u8> = blocks.iter().flat_map(|block| block.encode().expect("games")).collect();
        let found: Result<Vec<_>, _> = read(&bytes).into_iter().collect();
        prop_assert_eq!(found.expect("whole blocks"), blocks);
    }

    #[test]
    fn changed_bytes_are_noticed(seed in any::<u64>(), at in any::<prop::sample::Index>(), by in 1_u8..) {
        let whole = block(Rules::Reversed, FormatVersion::Values, seed, 3);
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
        old: bool,
    ) {
        // A header that agrees with its payload, whatever that is.
        let version = if old { FormatVersion::Moves } else { FormatVersion::Values };
        let mut bytes = block(Rules::Reversed, version, seed, 1).encode().expect("games");
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
