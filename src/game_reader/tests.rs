//! Texts as people paste them.

use super::*;

fn read(text: &str) -> Contents {
    read_games(text, &ReadOptions::new(None, None))
}

fn moves(game: &ReadGame) -> String {
    let actions: Vec<_> = game.game.moves().into_iter().map(|(_, action)| action).collect();
    notation::names(&actions, game.game.position().size()).concat()
}

const RECORD: &str = "(;GM[Othello]PB[ant]PW[bee]TY[8a]BO[8 ---------------------------O*------*O--------------------------- *]\
                      B[f5]W[d6]B[c3];)";

#[test]
fn every_form_is_recognised_by_itself() {
    let text = format!(
        "# games\nf5d6c3\n\n1. F5 d6 2. c3\n{RECORD}\r\n2 {RECORD}{RECORD}\n\
         ---------------------------OX------XO--------------------------- X\n-----OX--XO----- X; a2:+3;\n"
    );
    let contents = read(&text);
    assert_eq!(contents.faults, []);
    assert_eq!(contents.games.iter().map(|game| game.line).collect::<Vec<_>>(), [2, 4, 5, 6, 6, 7, 8]);
    for game in &contents.games[..5] {
        assert_eq!((moves(game).as_str(), &game.fault), ("f5d6c3", &None));
    }
    assert_eq!(contents.games[2].name(Color::White), Some("bee"));
    assert_eq!(contents.games[6].game.position().size(), Size::Four);
}

#[test]
fn the_record_tells_the_rules() {
    let text = format!("{RECORD}{}\n#1s8=f5\nf5", RECORD.replace("TY[8a]", "TY[8]"));
    let rules = |chosen| -> Vec<_> {
        let contents = read_games(&text, &ReadOptions::new(chosen, None));
        contents.games.iter().map(|game| (game.game.rules(), game.tells_rules)).collect()
    };
    let (reversed, standard) = (Rules::Reversed, Rules::Standard);
    let by = |unmarked, moves| [(reversed, true), (unmarked, false), (standard, true), (moves, false)];
    assert_eq!(rules(None), by(standard, reversed));
    assert_eq!(rules(Some(reversed)), by(reversed, reversed));
    assert_eq!(rules(Some(standard)), by(standard, standard));
}

#[test]
fn the_first_move_tells_the_board() {
    for (text, size) in [("f5", 8), ("c2", 6), ("b3", 6), ("b1", 4), ("d3", 8)] {
        assert_eq!(read(text).games[0].game.position().size().side(), size, "{text}");
    }
    let four = ReadOptions::new(None, Some(Size::Four));
    let preferred = ReadOptions { other_sizes: true, ..four };
    assert_eq!(read_games("d3", &preferred).games[0].game.position().size(), Size::Four);
    assert_eq!(read_games("f5", &preferred).games[0].game.position().size(), Size::Eight);
    let fault = read_games("f5", &four).faults[0].to_string();
    assert!(fault.ends_with("; is it a game of another --size?"), "{fault}");
}

#[test]
fn links_are_read_wherever_they_stand() {
    let text = "# a comment\n#1s8=f5d6\nhttps://a.b/ollehto.html#1r4@X______________OX=\nsee #1r8=f5zz\n";
    let contents = read(text);
    assert_eq!(contents.games.iter().map(moves).collect::<Vec<_>>(), ["f5d6", "", "f5"]);
    let fault = contents.games[2].fault.as_ref().expect("zz is no move").to_string();
    assert!(fault.starts_with("line 4, column 12: expected a square"), "{fault}");
    assert_eq!(read("https://a.b/#game").faults[0].problem, Problem::Link);
}

#[test]
fn a_wrapped_list_is_one_game() {
    let contents = read("f5d6\nc3d3c4\n\nf4\nf5d6\nc3\n");
    assert_eq!(contents.games.iter().map(moves).collect::<Vec<_>>(), ["f5d6c3d3c4f4", "f5d6c3"]);
}

#[test]
fn a_board_may_take_several_lines() {
    let contents =
        read("f5\n--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\nX\nf5");
    assert_eq!(contents.faults, []);
    let positions: Vec<_> = contents.games.iter().map(|game| game.game.first_position()).collect();
    assert_eq!(positions, [Position::start(Size::Eight); 3]);
    assert_eq!(read("----\n-OX-\n-XO-\n---- X").games.len(), 1);
}

#[test]
fn a_record_may_stand_among_words() {
    let contents = read(&format!("the game: {RECORD} and nothing else\nf5"));
    assert_eq!(contents.games.iter().map(moves).collect::<Vec<_>>(), ["f5d6c3", "f5"]);
    assert_eq!(contents.fault_count, 2);
}

#[test]
fn passes_after_the_end_mean_nothing() {
    let record = "(;BO[4 XXXXXXXXXXXXXXXO *]B[PA]W[PA];)";
    let contents = read(&format!("{record}\nXXXXXXXXXXXXXXXO X"));
    assert_eq!(contents.faults, []);
    assert!(contents.games.iter().all(|game| game.game.moves().is_empty() && game.fault.is_none()));
}

#[test]
fn the_last_game_of_a_text_is_found() {
    let last = |text: &str| read_last_game(text, &ReadOptions::new(None, None));
    let text = format!("f5d6\n{RECORD}\nf5\n");
    assert_eq!((last(&text).games, last(&text).game.as_ref().map(moves)), (3, Some("f5".into())));
    assert_eq!(last(&text).fault, None);
    let behind = last("rubbish\nf5\nmore rubbish\nand more\n").fault.expect("a fault");
    assert_eq!(behind.line, 3);
    assert_eq!(last("rubbish").fault.map(|fault| fault.line), Some(1));
    assert!(last("").fault.is_none() && last("").game.is_none());
}

#[test]
fn only_the_first_faults_are_kept() {
    let contents = read(&"a\n".repeat(1000));
    assert_eq!((contents.faults.len(), contents.fault_count), (MAX_FAULTS, 1000));
}

#[test]
fn no_more_games_are_kept_than_anybody_needs() {
    let contents = read(&"f5\n".repeat(MAX_GAMES + 1));
    assert_eq!((contents.games.len(), contents.has_more), (MAX_GAMES, true));
}

#[test]
fn numbers_join_the_lines_of_a_game() {
    let contents = read("1. f5 d6\n2. c3 d3\n3. c4\n1. f5 f6\n");
    assert_eq!(contents.games.iter().map(moves).collect::<Vec<_>>(), ["f5d6c3d3c4", "f5f6"]);
    assert_eq!(contents.faults, []);
}

#[test]
fn a_game_is_kept_up_to_its_fault() {
    for (text, kept, place) in [
        ("f5d6a1c3", "f5d6", "line 1, column 5: move 3, Black a1, is illegal: Black can play "),
        ("f5d6\nf5 d6 x9", "f5d6", "line 2, column 7: expected a square (a1 to h8) or pass, found 'x9'"),
        ("1. f5 d6\n2. h8\n3. c3 d3\n", "f5d6", "line 2, column 4: move 3, Black h8, is illegal"),
        (
            "\n(;BO[8 ---------------------------O*------*O--------------------------- *]B[f5]\nW[a1]B[c3];)",
            "f5",
            "line 3, column 1: move 2, White a1, is illegal",
        ),
        (
            "(;BO[8 ---------------------------O*------*O--------------------------- *]B[f5]\nW[z1]B[c3];)",
            "f5",
            "line 2, column 3: expected a square",
        ),
        (
            "(;BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d",
            "f5",
            "line 1, column 83: the record is torn",
        ),
    ] {
        let contents = read(text);
        let game = contents.games.last().unwrap_or_else(|| panic!("{text}: {:?}", contents.faults));
        assert_eq!(moves(game), kept, "{text}");
        let fault = game.fault.as_ref().unwrap_or_else(|| panic!("{text}: no fault")).to_string();
        assert!(fault.starts_with(place), "{text}: {fault}");
    }
}

#[test]
fn reading_goes_on_behind_a_fault() {
    let contents = read(&format!("{}\n{RECORD}\nrubbish\nf5d6\n", &RECORD[..RECORD.len() - 4]));
    assert_eq!(contents.games.iter().map(moves).collect::<Vec<_>>(), ["f5d6", "f5d6c3", "f5d6"]);
    assert_eq!(contents.faults.len(), 1);
    assert!(contents.faults[0].to_string().starts_with("line 3, column 1: expected a square"));
}

#[test]
fn what_is_no_game_is_a_fault() {
    for text in ["a1", "(;GM[Go];)", "(;PB[x];)", "(;", "XO- X", "---------------- X", "hello world", "\u{1}"]
    {
        let contents = read(text);
        assert_eq!((contents.games.len(), contents.faults.len()), (0, 1), "{text}: {contents:?}");
    }
    assert!(read("").games.is_empty() && read(" \n\n").faults.is_empty());
}

/// A paste that is far too long is read to its end at once.
#[test]
fn large_texts_are_read_in_no_time() {
    for part in ["x", "f5d6", "-", "(;PB[", "(;\n", "[", "1. "] {
        let contents = read(&part.repeat(1_000_000 / part.len()));
        assert!(contents.games.len() <= 1, "{part}");
    }
}

#[test]
fn columns_count_from_the_start_of_the_line() {
    let column = |text: &str| read(text).games.iter().find_map(|game| game.fault.as_ref()?.column);
    assert_eq!(column("f5d9"), Some(3));
    assert_eq!(column("   f5d9"), Some(6));
    assert_eq!(column("f5d6\n\n \u{e4} f5d9"), None, "no game");
    let record = RECORD.replace("W[d6]", "W[a1]");
    assert_eq!(column(&format!("result {record}")), column(&record).map(|column| column + 7));
    assert_eq!(column(&format!("f5 {RECORD}\n  {record}")), column(&record).map(|column| column + 2));
}

#[test]
fn a_pass_and_a_padded_number_begin_no_position() {
    let contents = read("01 f5\n02 d6\n03 c3");
    assert_eq!((contents.faults.len(), moves(&contents.games[0]).as_str()), (0, "f5d6c3"));
    let fault = &read("1. f5 d6\n-- c3").faults[0];
    assert_eq!((fault.line, fault.column), (2, Some(1)));
    assert!(matches!(fault.problem, Problem::Illegal { .. }), "nobody has to pass: {fault}");
}
