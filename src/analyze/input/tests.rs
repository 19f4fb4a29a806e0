//! Texts as people paste them.

use super::*;

fn read(text: &str) -> Contents {
    GameSource::Stdin.parse(text, Rules::Reversed, Size::Eight)
}

fn moves(game: &GameInput) -> String {
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
    let standard = RECORD.replace("TY[8a]", "TY[8]");
    let contents = read(&format!("{RECORD}{standard}"));
    let rules: Vec<_> = contents.games.iter().map(|game| game.game.rules()).collect();
    assert_eq!(rules, [Rules::Reversed, Rules::Standard]);
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
        assert!(fault.starts_with(&format!("standard input, {place}")), "{text}: {fault}");
    }
}

#[test]
fn reading_goes_on_behind_a_fault() {
    let contents = read(&format!("{}\n{RECORD}\nrubbish\nf5d6\n", &RECORD[..RECORD.len() - 4]));
    assert_eq!(contents.games.iter().map(moves).collect::<Vec<_>>(), ["f5d6", "f5d6c3", "f5d6"]);
    assert_eq!(contents.faults.len(), 1);
    assert!(
        contents.faults[0].to_string().starts_with("standard input, line 3, column 1: expected a square")
    );
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
fn arguments_are_files_or_games() {
    assert_eq!(GameSource::of_argument("-"), GameSource::Stdin);
    assert_eq!(GameSource::of_argument("f5d6c3"), GameSource::Text("f5d6c3".into()));
    assert!(matches!(GameSource::of_argument(RECORD), GameSource::Text(_)));
    assert!(matches!(GameSource::of_argument("-----OX--XO----- X"), GameSource::Text(_)));
    assert!(matches!(GameSource::of_argument("Cargo.toml"), GameSource::File(_)));
    assert!(matches!(GameSource::of_argument("games.ggf"), GameSource::File(_)));
}
