use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::*;
use crate::board::{Color, Move, Position, Size, Square, Symmetry};
use crate::rules::Rules;
use crate::score::Score;

const SETTINGS: BookSettings = BookSettings {
    rules: Rules::Standard,
    plies: 2,
    depth: 3,
    deep_depth: 9,
    margin: 40,
    evaluation: 0xfeed_f00d,
};

/// Adds a position and all that follow it within some plies, with negamax values.
fn fill(book: &mut Book, position: Position, plies: u8) -> Score {
    if plies == 0 {
        return Score::from_units((position.board().canonical().0.hash() % 101) as i32 - 50);
    }
    let mut scored = |square| {
        let next = position.play(Move::Place(square)).expect("legal");
        ScoredMove { square, value: -fill(book, next, plies - 1) }
    };
    let moves: Vec<_> = position.moves().into_iter().map(&mut scored).collect();
    let best = moves.iter().map(|scored| scored.value).max().unwrap_or_default();
    book.insert(&position, moves);
    best
}

fn small() -> Book {
    let mut book = Book::new(SETTINGS);
    fill(&mut book, Position::start(Size::Eight), 3);
    book
}

fn turned(position: &Position, symmetry: Symmetry) -> Position {
    let map = |color| symmetry.map(position.discs(color));
    Position::new(map(Color::Black), map(Color::White), position.side(), position.size()).expect("disjoint")
}

fn play(squares: &[Square]) -> Position {
    let start = Position::start(Size::Eight);
    squares.iter().fold(start, |position, &square| position.play(Move::Place(square)).expect("legal"))
}

#[test]
fn a_position_is_found_however_it_is_turned() {
    let book = small();
    let position = play(&[Square::F5, Square::D6]);
    let known = book.probe(&position).expect("in the book");
    for symmetry in Symmetry::ALL {
        let image = turned(&position, symmetry);
        let of_image = book.probe(&image).expect("in the book");
        assert!(
            of_image.iter().all(|known| image.moves().contains(known.square)),
            "legal where it is played"
        );
        assert!(of_image.is_sorted_by_key(|known| -known.value), "best first");
        for &ScoredMove { square, value } in &known {
            // The same moves with the same values: two may be one move only if the position is its own image.
            assert!(
                of_image.contains(&ScoredMove { square: symmetry.map_square(square), value }),
                "{square}"
            );
        }
    }
}

#[test]
fn only_the_opening_of_the_large_board_is_known() {
    let book = small();
    assert_eq!(book.probe(&Position::start(Size::Six)), None);
    let deeper = play(&[Square::F5, Square::D6, Square::C3]);
    assert_eq!(book.probe(&deeper), None);
    assert_eq!(book.line(&deeper), []);
    assert_eq!(book.line(&Position::start(Size::Eight)).len(), 3);
}

#[test]
fn a_book_survives_being_written() {
    let book = small();
    assert_eq!(book.len(), 1 + 1 + 3);
    let bytes = book.to_bytes();
    assert_eq!(Book::from_bytes(&bytes), Ok(book));
    let empty = Book::new(BookSettings { rules: Rules::Reversed, ..SETTINGS });
    assert_eq!(Book::from_bytes(&empty.to_bytes()), Ok(empty));
}

#[test]
fn any_damage_is_noticed() {
    let bytes = small().to_bytes();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert!(Book::from_bytes(&damaged).is_err(), "bit {bit} of byte {at}");
        }
        assert!(Book::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
    }
    assert_eq!(Book::from_bytes(b"my diary"), Err(FormatError::NoBook));
    assert_eq!(Book::from_bytes(b""), Err(FormatError::NoBook));
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(Book::from_bytes(&longer), Err(FormatError::Damaged));
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(Book::from_bytes(&newer), Err(FormatError::Version(2)));
}

#[test]
fn contradictions_under_a_right_sum_are_noticed() {
    let bytes = small().to_bytes();
    let whole = bytes.len() - 4;
    // Rules that are none, a start worth more than all discs, another number of positions, another size.
    for at in [9, 20, 21, 25] {
        let mut wrong = bytes[..whole].to_vec();
        wrong[at] ^= 0x70;
        wrong.extend(crc32fast::hash(&wrong).to_le_bytes());
        assert_eq!(Book::from_bytes(&wrong), Err(FormatError::Inconsistent), "byte {at}");
    }
}

/// The four moves of the start lead to one position.
#[test]
fn moves_that_disagree_about_a_position_are_noticed() {
    let mut book = small();
    let start = Position::start(Size::Eight).board().canonical().0;
    let moves = book.positions.get_mut(&start).expect("in the book");
    moves[1].value = Score::from_units(i32::from(moves[1].value.units()) - 1);
    assert_eq!(Book::from_bytes(&book.to_bytes()), Err(FormatError::Inconsistent));
}

/// All moves lead on and lose nothing, so a body of ones is a walk through the game: sixteen megabytes of it take sixteen
/// kilobytes, and hundreds of megabytes of positions.
#[test]
fn a_body_that_is_packed_too_well_is_refused() {
    let ones = |length: usize| {
        let mut bytes = small().to_bytes()[..21].to_vec();
        bytes.extend(u32::MAX.to_le_bytes());
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend(miniz_oxide::deflate::compress_to_vec(&vec![1; length], 9));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    };
    let bomb = ones((1 << 24) - 1);
    assert!(bomb.len() < 20_000);
    assert_eq!(Book::from_bytes(&bomb), Err(FormatError::Inconsistent));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let problem = Book::load(Path::new("no/such.book")).expect_err("there is none").to_string();
    assert!(problem.starts_with("book no/such.book: "), "{problem}");
}

#[test]
fn the_shipped_books_are_whole_small_and_know_the_start() {
    for (rules, bytes) in [
        (Rules::Reversed, &include_bytes!("shipped/reversed.book")[..]),
        (Rules::Standard, &include_bytes!("shipped/standard.book")[..]),
    ] {
        assert!(bytes.len() < 200_000, "{rules}: {} bytes", bytes.len());
        let book = Book::shipped(rules).expect("it can be read");
        assert_eq!(book.settings().rules, rules);
        assert_eq!(Book::from_bytes(&book.to_bytes()).as_ref(), Ok(book), "everything in it can be reached");
        let line = book.line(&Position::start(Size::Eight));
        assert_eq!(line.len(), usize::from(book.settings().plies));
    }
}

#[test]
fn a_book_player_plays_legal_moves_of_its_book_for_its_rules() {
    let book = Arc::new(small());
    let mut player = BookPlayer::new(BookSource::File { path: PathBuf::new(), book: book.clone() }, 25, 3);
    for symmetry in Symmetry::ALL {
        let position = turned(&play(&[Square::F5, Square::D6]), symmetry);
        let chosen = player.choose(&position, Rules::Standard).expect("in the book");
        let known = book.probe(&position).expect("in the book");
        assert!(known.contains(&ScoredMove { square: chosen.line[0], value: chosen.value }));
        assert!(known[0].value.units() - chosen.value.units() <= 8);
    }
    assert_eq!(player.choose(&Position::start(Size::Four), Rules::Standard), None);
    player.source = BookSource::Off;
    assert_eq!(player.choose(&Position::start(Size::Eight), Rules::Standard), None);
}
