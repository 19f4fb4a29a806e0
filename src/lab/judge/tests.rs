//! Judging sets on small bands, against values and figures worked out another way.

use std::collections::HashSet;
use std::path::PathBuf;
use std::{env, fs, process};

use super::file::line;
use super::overlap::OverlapFinder;
use super::report::Agreement;
use super::*;
use crate::board::Symmetry;
use crate::eval::{Evaluation, Evaluator, PatternState};
use crate::files::checksum::with_checksum;
use crate::lab::strong_games;
use crate::rules::Rules;
use crate::selectivity::Selectivity;

fn file(name: &str) -> PathBuf {
    let path = env::temp_dir().join(format!("ollehto-judge-{name}-{}", process::id()));
    // A file of an earlier process with the same number is of no use.
    let _ = fs::remove_file(&path);
    path
}

fn options(name: &str, rules: Rules) -> JudgeSetOptions {
    JudgeSetOptions {
        rules,
        bands: vec![8, 30],
        families: 4,
        siblings: 4,
        exact: 7,
        depth: 3,
        confidence: Selectivity::Off,
        seed: 2,
        jobs: 2,
        out: file(name),
    }
}

fn make_set(name: &str, rules: Rules) -> JudgeSet {
    let options = options(name, rules);
    assert_eq!(make(&options).expect("it can be made"), 8);
    let set = JudgeSet::load(&options.out).expect("it can be read");
    fs::remove_file(&options.out).expect("it was ours");
    set
}

/// Minimax to so many discs, in units for the side to move.
fn minimax(board: Board, depth: u8, rules: Rules, evaluator: &Evaluator) -> Score {
    let area = Size::Eight.squares();
    if board.is_over(area) {
        return rules.result(board, Size::Eight).into();
    }
    if depth == 0 {
        return evaluator.evaluate(&PatternState::new(board));
    }
    let moves = board.moves(area);
    if moves.is_empty() {
        return -minimax(board.passed(), depth, rules, evaluator);
    }
    let after = |square| -minimax(board.after(square, board.flips(square)), depth - 1, rules, evaluator);
    moves.into_iter().map(after).max().expect("there are moves")
}

#[test]
fn values_are_those_of_plain_searches() {
    for rules in Rules::ALL {
        let evaluator = Evaluation::Shipped.evaluator(rules, Size::Eight);
        let set = make_set(&format!("plain-{rules}"), rules);
        assert_eq!(set.families().count(), 8);
        for family in set.families() {
            let depth = if family.empties() == 8 { 7 } else { 3 };
            for (child, value) in family.positions() {
                assert_eq!(value, minimax(child.board(), depth, rules, &evaluator), "{rules}: {family:?}");
            }
        }
    }
}

#[test]
fn parents_follow_from_the_seed() {
    for rules in Rules::ALL {
        let drawn = parents::draw(rules, 20, 12, 5, 7);
        assert_eq!(drawn[..5], parents::draw(rules, 20, 5, 5, 7)[..], "fewer are the first ones");
        assert_ne!(drawn, parents::draw(rules, 20, 12, 5, 8));
        let boards: HashSet<Board> = drawn.iter().map(|family| family.parent.board().canonical().0).collect();
        assert_eq!(boards.len(), drawn.len(), "no two are symmetric");
        for family in &drawn {
            assert_eq!(family.parent.empties().len(), 20);
            let legal = family.parent.moves();
            assert!(family.moves.len() >= 2 && family.moves.len() == (legal.len() as usize).min(5));
            assert!(family.moves.is_sorted() && family.moves.iter().all(|&square| legal.contains(square)));
        }
    }
}

#[test]
fn all_there_are_is_the_most_one_gets() {
    assert_eq!(parents::draw(Rules::Reversed, 57, 100, 2, 1).len(), 14);
}

#[test]
fn a_file_grows_and_is_checked() {
    let options = options("grows", Rules::Reversed);
    let fewer = JudgeSetOptions { families: 2, jobs: 1, ..options.clone() };
    assert_eq!(make(&fewer).expect("it can be made"), 4);
    let text = fs::read_to_string(&options.out).expect("it is there");
    let numbers: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(numbers, ["0", "0", "1", "1"], "bands take turns");
    // A kill tears the last line.
    fs::write(&options.out, &text[..text.len() - 5]).expect("it can be written");
    assert_eq!(JudgeSet::load(&options.out).expect("it can be read").families().count(), 3);
    assert_eq!(make(&options).expect("it can be added to"), 5);
    let whole = JudgeSet::load(&options.out).expect("it can be read");
    assert_eq!(whole, make_set("at-once", Rules::Reversed), "an interruption changes nothing");
    assert_eq!(make(&options).expect("it is complete"), 0);

    let other = JudgeSetOptions { depth: 2, ..options.clone() };
    let other = make(&other).expect_err("another depth").to_string();
    assert!(other.contains("other settings (reversed rules, exact 7, depth 3, confidence 100"), "{other}");
    let text = fs::read_to_string(&options.out).expect("it is there");
    fs::write(&options.out, text.replacen(':', ":1", 2)).expect("it can be written");
    assert!(matches!(JudgeSet::load(&options.out), Err(JudgeFileError::OtherKind(_))));
    let (first, rest) = text.split_once('\n').expect("lines");
    fs::write(&options.out, format!("{first}\n{}", rest.replacen(':', ":1", 1))).expect("written");
    let error = JudgeSet::load(&options.out).expect_err("a wrong value").to_string();
    assert!(error.contains("line 2: the checksum is wrong"), "{error}");
    fs::remove_file(&options.out).expect("it was ours");
}

#[test]
fn agreement_is_that_of_the_definition() {
    let set = make_set("agreement", Rules::Standard);
    let family = set.families().find(|family| family.moves.len() == 4).expect("many moves").clone();
    // What the opponent has after each move: the second is the best.
    let discs = [3, -4, -3, 10];
    let values = discs.map(|discs| Score::from_units(-discs * i32::from(Score::UNITS)));
    let moves =
        family.moves.iter().zip(values).map(|(judged, value)| JudgedMove { value, ..*judged }).collect();
    let family = Family { moves, ..family };
    let mut agreement = Agreement::default();
    // The third looks best. The second and the third are in the wrong order, the first and the second equal.
    agreement.add(&family, &[4.0, 4.0, -5.0, 8.0]);
    let cells: Vec<String> = agreement.cells().map(|cell| cell.to_string()).collect();
    // Errors +1, +8, −2, −2; 4.5 of 6 pairs in order, 4.5 of the 5 with two discs and more.
    let deviation = format!("{:.2}", (125.0_f64 / 3.0).sqrt());
    assert_eq!(cells, ["4", &deviation, "4.27", "3.25", "1.25", "0.750", "0.900", "0.000", "1.00"]);
    agreement.add(&family, &discs.map(f64::from));
    let cells: Vec<String> = agreement.cells().map(|cell| cell.to_string()).collect();
    assert!(cells[7].starts_with("0.500") && cells[8].starts_with("0.50"), "{cells:?}");
}

#[test]
fn values_of_other_programs_are_judged() {
    let set = make_set("values", Rules::Reversed);
    let path = file("values.txt");
    let text = positions_text(&set);
    fs::write(&path, &text).expect("it can be written");
    let values = vec![path.clone()];
    let experiment =
        JudgeExperiment { evaluations: Vec::new(), values, depths: vec![0], full_width: false, jobs: 1 };
    let sheet = crate::lab::sheet::json(&[report(&set, &experiment).expect("all are there")]);
    let rows = sheet["tables"][0]["rows"].as_array().expect("rows").clone();
    assert_eq!(rows.iter().map(|row| row["empties"].clone()).collect::<Vec<_>>(), ["8", "30", "all"]);
    for row in &rows {
        assert_eq!([&row["error"]["value"], &row["loss"]["value"]], [0.0, 0.0]);
        assert_eq!([&row["order 1"]["value"], &row["best"]["value"]], [1.0, 1.0]);
    }
    let (first, rest) = text.split_once('\n').expect("lines");
    fs::write(&path, rest).expect("it can be written");
    let error = report(&set, &experiment).expect_err("one is missing").to_string();
    let position = first.rsplit_once(' ').expect("a value").0;
    assert!(error.contains(&format!("there is no value of {position}")), "{error}");
    fs::write(&path, format!("{first}\n{position} much\n")).expect("it can be written");
    let error = report(&set, &experiment).expect_err("no number").to_string();
    assert!(error.contains("line 2: 'much' is no value"), "{error}");
    fs::remove_file(&path).expect("it was ours");
}

#[test]
fn the_evaluation_is_judged_by_itself() {
    // Values by a search of depth 3 at full width: that search is never wrong, the evaluation is.
    let set = make_set("itself", Rules::Standard);
    let experiment = JudgeExperiment {
        evaluations: vec!["shipped".to_owned()],
        values: Vec::new(),
        depths: vec![0, 3],
        full_width: true,
        jobs: 2,
    };
    let sheet = crate::lab::sheet::json(&[report(&set, &experiment).expect("it is there")]);
    let rows = sheet["tables"][0]["rows"].as_array().expect("rows").clone();
    let error = |depth: &str| {
        let row = rows.iter().find(|row| row["depth"] == depth && row["empties"] == "30").expect("a row");
        row["error"]["value"].as_f64().expect("a number")
    };
    assert_eq!(error("3"), 0.0);
    assert!(error("0") > 0.5);
}

/// A set of one family, as a file has it.
fn planted(parent: Position, moves: &[Square], rules: Rules) -> JudgeSet {
    let path = file("planted");
    let moves = moves.iter().map(|&square| JudgedMove { square, value: Score::default() }).collect();
    let settings = format!(
        "ollehto judge 1: {rules} rules, exact 7, depth 3, confidence 100, siblings 4, seed 2, evaluation 00000000"
    );
    let line = with_checksum(&line(0, &Family { parent, moves }));
    fs::write(&path, format!("{settings}\n{line}\n")).expect("written");
    let set = JudgeSet::load(&path).expect("it can be read");
    fs::remove_file(&path).expect("it was ours");
    set
}

#[test]
fn a_planted_position_is_found_in_any_orientation() {
    let games = strong_games(Rules::Reversed, 4, 1, (8, 8), 1, 1);
    let find = |set: &JudgeSet| {
        let mut finder = OverlapFinder::new(set);
        games.iter().for_each(|game| finder.add(game));
        finder.overlap()
    };
    let mut position = Position::start(Size::Eight);
    for &square in &games[2].moves()[..20] {
        if position.must_pass() {
            position = position.with_side(position.side().opponent());
        }
        position = position.play(Move::Place(square)).expect("a legal move");
    }
    let played = games[2].moves()[20];
    assert!(position.moves().contains(played), "no pass here");
    let others: Vec<Square> = position.moves().into_iter().filter(|&square| square != played).collect();
    let [black, white] = [crate::board::Color::Black, crate::board::Color::White].map(|c| position.discs(c));
    for symmetry in Symmetry::ALL {
        let map = |set| symmetry.map(set);
        let image = Position::new(map(black), map(white), position.side(), Size::Eight).expect("a position");
        let mut moves: Vec<Square> = others[..2].iter().map(|&square| symmetry.map_square(square)).collect();
        moves.sort_unstable();
        let set = planted(image, &moves, Rules::Reversed);
        let overlap = find(&set);
        assert_eq!(overlap.games, 4);
        assert_eq!(overlap.shared[&(40, 0)], [image], "the parent");
        let error = overlap.check(&set).expect_err("shared").to_string();
        assert!(error.contains("1 of 3 positions"), "{error}");
        assert_eq!(set.text_without(|key| overlap.shared.contains_key(&key)).lines().count(), 1);
        // One move off the game only the position after the move is shared.
        moves.push(symmetry.map_square(played));
        moves.sort_unstable();
        assert_eq!(find(&planted(image, &moves, Rules::Reversed)).shared[&(40, 0)].len(), 2);
    }
    let child = position.play(Move::Place(others[0])).expect("a legal move");
    let moves: Vec<Square> = child.moves().into_iter().take(2).collect();
    let clean = planted(child, &moves, Rules::Reversed);
    assert!(find(&clean).check(&clean).is_ok(), "one move off the game");
    let other_rules = planted(position, &others[..2], Rules::Standard);
    let error = find(&other_rules).check(&other_rules).expect_err("no games").to_string();
    assert_eq!(error, "there is no game by standard rules in these files");
}
