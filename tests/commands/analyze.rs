//! `ollehto analyze`: what goes in, what comes out, and whether it is true.

mod interrupts;
mod outputs;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::mailbox::{Mailbox, Move, Rules};
use crate::support::positions::{collect, generator, pick};
use crate::support::tournament::Folder;
use serde_json::Value;

/// What came of a run.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    lines: Vec<String>,
    errors: String,
}

/// Not a `Process`, whose lines are those of a protocol: tables have other signs than ASCII.
fn analyze(arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ollehto"))
        .args(["analyze", "--threads", "1"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // It may end before it has read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("plain text");
    let lines = text(output.stdout).lines().map(str::to_owned).collect();
    Run { code: output.status.code(), lines, errors: text(output.stderr) }
}

fn parsed(lines: &[String]) -> Vec<Value> {
    lines.iter().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// The records of a run that goes well.
#[track_caller]
fn records(arguments: &[&str], input: &str) -> Vec<Value> {
    let run = analyze(&[&["--json"], arguments].concat(), input);
    assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{arguments:?}: {run:#?}");
    parsed(&run.lines)
}

/// Those of a kind.
fn of_type<'a>(records: &'a [Value], kind: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["type"] == kind).collect()
}

/// The moves by their plies.
fn moves(records: &[Value]) -> BTreeMap<u64, &Value> {
    of_type(records, "move").into_iter().map(|each| (each["ply"].as_u64().expect("a number"), each)).collect()
}

fn discs(value: &Value) -> i64 {
    let value = value.as_f64().expect("a value");
    assert_eq!(value.fract(), 0.0, "an exact value is whole");
    value as i64
}

/// The result of perfect play by plain exhaustion.
fn value(board: &Mailbox, rules: Rules) -> i64 {
    let values = board.moves().into_iter().map(|turn| -value(&board.after(turn), rules));
    values.max().unwrap_or_else(|| board.final_score(board.to_move(), rules).into())
}

fn late(seed: u64, size: usize, empties: usize) -> Mailbox {
    let found =
        collect(&mut generator(seed), size, 1, |board| !board.is_over() && board.empties() == empties);
    found.into_iter().next().expect("one was collected")
}

/// A record of a game from a board.
fn ggf(start: &Mailbox, rules: Rules, turns: &[Move], names: [&str; 2]) -> String {
    let anti = if rules == Rules::Reversed { "a" } else { "" };
    let size = start.size();
    let mut board = start.clone();
    let mut text = format!(
        "(;GM[Othello]PB[{}]PW[{}]TY[{size}{anti}]BO[{size} {}]",
        names[0],
        names[1],
        start.text().replace('X', "*")
    );
    for &turn in turns {
        text += &format!("{}[{}//1.50]", board.to_move().letter().to_ascii_uppercase(), board.name(turn));
        board.play(turn).expect("legal");
    }
    text + ";)"
}

/// The rest of a game, with perfect moves but at these plies: there the worst one.
fn flawed_game(start: &Mailbox, rules: Rules, flaws: &[usize]) -> Vec<Move> {
    let mut board = start.clone();
    let mut turns = Vec::new();
    while !board.is_over() {
        let worth = |&turn: &Move| -value(&board.after(turn), rules);
        let (best, worst) =
            (board.moves().into_iter().max_by_key(worth), board.moves().into_iter().min_by_key(worth));
        let turn = if flaws.contains(&turns.len()) { worst } else { best }.expect("a move");
        turns.push(turn);
        board.play(turn).expect("legal");
    }
    turns
}

/// A game to the end with the first legal moves.
fn first_moves(start: &Mailbox) -> Vec<Move> {
    let mut board = start.clone();
    let mut turns = Vec::new();
    while !board.is_over() {
        let turn = board.moves()[0];
        turns.push(turn);
        board.play(turn).expect("legal");
    }
    turns
}

#[test]
fn the_bad_moves_of_an_endgame_are_found_with_their_exact_losses() {
    for (seed, rules) in [(3, Rules::Reversed), (5, Rules::Standard), (8, Rules::Reversed)] {
        let start = late(seed, 8, 9);
        let turns = flawed_game(&start, rules, &[0, 1, 4]);
        let found = records(&["--depth", "60"], &ggf(&start, rules, &turns, ["", ""]));
        let found = moves(&found);
        assert_eq!(found.len(), turns.len());
        let mut board = start;
        for (number, turn) in (1..).zip(turns) {
            let best = value(&board, rules);
            let played = -value(&board.after(turn), rules);
            let record = found[&number];
            assert_eq!(record["exact"], true, "{record}");
            assert_eq!((discs(&record["value"]), discs(&record["best_value"])), (played, best), "{record}");
            assert_eq!(discs(&record["loss"]), best - played);
            let turned = (best.signum() != played.signum()).then_some(());
            assert_eq!(record["turning_point"].is_array(), turned.is_some(), "{record}");
            assert_eq!(record["judgement"] == "good", best == played, "{record}");
            board.play(turn).expect("legal");
        }
    }
}

/// Games of the engine at level 8 against itself, but for the worst moves that it saw at three plies.
const FLAWED_GAMES: [(&str, &str, [u64; 3]); 2] = [
    (
        "reversed",
        "d3c3c4e3d2c5f3c2d6f2f5e1e2g3b2f4b3f1g4b1h2a2b4c1g2a5b5g5g1h5\
         h4e7c6c7e6g6f6h6d7d8a1a3g7h7e8g8c8f8b8f7b7b6d1a7a6h3a4a8h8h1",
        [15, 28, 43],
    ),
    (
        "standard",
        "d3c5e6f5f6e3c3f3c4b4c6c2a4d6e7b7c7b3d2b6a3c1a5b5e1f7f4d1f2e2\
         b8d8g5g3f1g4g7g6e8g1c8a2a1h8b2a8g8f8d7a7a6b1h1--h2h3g2--h4h5h6h7",
        [16, 31, 42],
    ),
];

#[test]
fn the_three_bad_moves_of_a_game_are_found_and_no_others() {
    for (rules, game, flaws) in FLAWED_GAMES {
        let found = records(&["--level", "8", "--rules", rules, game], "");
        let bad: Vec<_> = moves(&found).into_iter().filter(|(_, each)| each["judgement"] != "good").collect();
        assert_eq!(bad.iter().map(|&(number, _)| number).collect::<Vec<_>>(), flaws, "{rules}: {bad:#?}");
        assert!(bad.iter().all(|(_, each)| each["judgement"] == "blunder"), "{rules}: {bad:#?}");
    }
}

#[test]
fn exact_values_are_those_of_solve() {
    let folder = Folder::new("analyze-solve");
    for (seed, rules) in [(11, Rules::Reversed), (12, Rules::Standard)] {
        let mut board = late(seed, 8, 15);
        let start = board.clone();
        let mut random = generator(seed);
        let mut turns = Vec::new();
        while !board.is_over() {
            let turn = *pick(&mut random, &board.moves());
            turns.push(turn);
            board.play(turn).expect("legal");
        }
        let found = records(&["--depth", "60"], &ggf(&start, rules, &turns, ["", ""]));
        let found = moves(&found);
        let positions: String =
            found.values().map(|each| format!("{}\n", each["position"].as_str().expect("text"))).collect();
        folder.write("positions.txt", &positions);
        let command = format!("solve --json --rules {} IN/positions.txt", rules.word());
        let solved = folder.run(&command).well();
        let scores: Vec<i64> = parsed(&solved.stdout.lines().map(str::to_owned).collect::<Vec<_>>())
            .iter()
            .map(|record| record["score"].as_i64().expect("a score"))
            .collect();
        assert_eq!(found.values().map(|each| discs(&each["best_value"])).collect::<Vec<_>>(), scores);
        // The value of a move is that of the position after it, seen from the other side.
        let values: Vec<_> = found.values().map(|each| discs(&each["value"])).collect();
        for (value, after) in values.iter().zip(&scores[1..]) {
            assert_eq!(*value, -after);
        }
        let end = board.final_score(start.to_move(), rules);
        let mover = found.values().last().expect("moves")["color"] == found[&1]["color"];
        assert_eq!(*values.last().expect("moves"), if mover { end.into() } else { -i64::from(end) });
    }
}

#[test]
fn every_form_of_a_game_gives_the_same_review() {
    let forms = ["f5d6c3d3c4", "F5 D6 C3 D3 C4", "1. f5 d6 2. c3 d3 3. c4", "1. f5 d6\n2. c3 d3\n3. c4\n"];
    let reviews = forms.map(|form| records(&["--depth", "4"], form));
    let lasting = |records: &[Value]| -> Vec<Value> {
        records.iter().filter(|each| each["type"] != "game").cloned().collect()
    };
    for review in &reviews {
        assert_eq!(lasting(review), lasting(&reviews[0]));
    }
    let argument = analyze(&["--json", "--depth", "4", "f5d6c3d3c4"], "");
    assert_eq!(lasting(&parsed(&argument.lines)), lasting(&reviews[0]));
}

#[test]
fn lines_of_json_come_backwards_and_end_with_the_game() {
    let found = records(&["--depth", "3", "--multi", "2"], "f5d6c3\n-----OX--XO----- X\n");
    let kinds: Vec<_> = found.iter().map(|each| each["type"].as_str().expect("a type")).collect();
    assert_eq!(kinds, ["position", "move", "move", "move", "game", "position", "game"]);
    let numbers: Vec<_> = of_type(&found, "move").iter().map(|each| each["move"].clone()).collect();
    assert_eq!(numbers, [3, 2, 1]);
    let fields =
        |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        fields(&found[1]),
        "best best_value color depth exact forced game judgement lines loss move played played_line ply position \
         selectivity stage turning_point type value"
    );
    assert_eq!(
        fields(&found[0]),
        "after best color depth exact game lines over ply position selectivity type value"
    );
    assert_eq!(
        fields(&found[4]),
        "black complete fault game line moves result rules size source start summary turning_points type white"
    );
    assert_eq!(
        fields(&found[4]["summary"]["black"]),
        "accuracy blunders end inaccuracies mean_loss middle mistakes moves opening worst"
    );
    assert_eq!((&found[4]["complete"], &found[4]["result"]), (&true.into(), &Value::Null));
    for record in of_type(&found, "move") {
        assert!(record["lines"].as_array().is_some_and(|lines| lines.len() == 2), "{record}");
        assert!(record["loss"].as_f64() >= Some(0.0) && record["lines"][0]["value"] == record["best_value"]);
    }
}

#[test]
fn a_table_tells_the_result_and_both_players() {
    let start = late(4, 6, 7);
    let record = ggf(&start, Rules::Reversed, &flawed_game(&start, Rules::Reversed, &[1]), ["ant", "bee"]);
    let run = analyze(&["--depth", "30"], &record);
    assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{run:#?}");
    let text = run.lines.join("\n");
    for part in [
        "Game 1: ant – bee, 6×6, reversed rules (standard input, line 1)",
        "#  move ",
        " exact ",
        "result: ",
        "turning points: ",
        "Black (ant)",
        "White (bee)",
        "mean loss",
    ] {
        assert!(text.contains(part), "{part:?} is missing:\n{text}");
    }
}

#[test]
fn a_stream_deepens_until_the_position_is_solved() {
    let run = analyze(&["--stream", "--json", "-"], "-----OX--XO----- X");
    assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{run:#?}");
    let found = parsed(&run.lines);
    let depths: Vec<_> = found.iter().map(|each| each["depth"].as_u64().expect("a depth")).collect();
    assert!(depths.len() > 1 && depths.is_sorted(), "{depths:?}");
    let last = found.last().expect("iterations");
    assert_eq!((&last["exact"], &last["lines"][0]["value"]), (&true.into(), &4.0.into()));
    let limited = analyze(&["--stream", "--depth", "3", "f5d6"], "");
    assert_eq!((limited.code, limited.lines.len()), (Some(0), 5), "{limited:#?}");
    let several = analyze(&["--stream"], "f5d6\nf5f6\n");
    assert!(several.code == Some(1) && several.errors.contains("--stream takes one game or position, not 2"));
}

#[test]
fn a_game_with_a_fault_is_analysed_up_to_it_and_the_place_is_named() {
    let torn = ggf(&Mailbox::start(8), Rules::Reversed, &[], ["", ""]).replace(";)", "B[F5]W[D6]B[C");
    for (input, moves, place) in [
        (
            "f5d6\n\nf5 d6 a1 c3\n",
            2,
            "standard input, line 3, column 7: move 3, Black a1, is illegal: Black can play ",
        ),
        ("f5d6z9", 2, "standard input, line 1, column 5: expected a square (a1 to h8) or pass, found 'z9'"),
        (&torn, 2, "the record is torn: its end mark ;) is missing; analysed up to here"),
    ] {
        let run = analyze(&["--json", "--depth", "1"], input);
        assert_eq!(run.code, Some(1), "{input}: {run:#?}");
        assert!(run.errors.contains(place), "{input}: {}", run.errors);
        let found = parsed(&run.lines);
        let last = of_type(&found, "game").last().copied().cloned().expect("a game");
        assert_eq!(last["moves"].as_str().map(str::len), Some(2 * moves), "{last}");
        assert!(last["fault"]["line"].is_u64(), "{last}");
    }
}

#[test]
fn passes_have_no_number() {
    let found = records(&["--depth", "1"], "(;TY[4a]BO[4 *O-------------- O]W[PA]B[C1];)");
    let numbers =
        moves(&found).into_iter().map(|(ply, each)| (ply, each["move"].as_u64())).collect::<Vec<_>>();
    assert_eq!(numbers, [(1, None), (2, Some(1))], "{found:#?}");
    assert_eq!(
        (&of_type(&found, "position")[0]["after"], &of_type(&found, "position")[0]["ply"]),
        (&1.into(), &3.into())
    );
}

#[test]
fn the_rules_of_a_record_without_a_can_be_chosen() {
    let record = ggf(&Mailbox::start(4), Rules::Standard, &[], ["", ""]).replace(";)", "B[B1];)");
    for (arguments, rules) in [(&[][..], "standard"), (&["--rules", "reversed"], "reversed")] {
        let found = records(&[&["--depth", "1"], arguments].concat(), &record);
        assert_eq!(of_type(&found, "game")[0]["rules"], rules);
    }
    let reversed = record.replace("TY[4]", "TY[4a]");
    let found = records(&["--depth", "1", "--rules", "standard"], &reversed);
    assert_eq!(of_type(&found, "game")[0]["rules"], "reversed");
}

#[test]
fn links_of_the_page_are_games() {
    for link in ["#1s4=b1", "https://a.b/ollehto.html#1s4=b1"] {
        let found = records(&["--depth", "1", link], "");
        let game = of_type(&found, "game")[0];
        assert_eq!((&game["moves"], &game["rules"]), (&"b1".into(), &"standard".into()), "{link}");
    }
}

#[test]
fn values_of_other_weights_are_not_mixed_in() {
    let folder = Folder::new("analyze-weights");
    let analyze = "analyze b1 --depth 1 --resume IN/saved";
    folder.run(analyze).well();
    let refused = folder.run(&format!("{analyze} --weights hand-made")).refusal();
    assert!(refused.contains("made with other settings (multi 1, depth 1, evaluation "), "{refused}");
    // As it was written before there were fingerprints.
    let text = fs::read_to_string(folder.file("saved")).expect("a log");
    let (_, below) = text.split_once('\n').expect("lines");
    let header = "ollehto analysis 2: multi 1, depth 1";
    let sum = crc32fast::hash(header.as_bytes());
    folder.write("saved", &format!("{header} {sum:08x}\n{below}"));
    let said = folder.run(analyze).well().stderr;
    assert!(
        said.contains("does not tell the weights of its values") && said.contains("continuing with 2"),
        "{said}"
    );
}

#[test]
fn what_is_no_game_gets_a_message_that_helps() {
    let folder = Folder::new("analyze-nothing");
    folder.write("empty.ggf", "");
    let empty = folder.run("analyze IN/empty.ggf");
    assert_eq!(empty.code, Some(1));
    assert!(
        empty.stderr.contains("empty.ggf: there is no game in it; give moves such as f5d6c3"),
        "{empty:#?}"
    );
    let missing = folder.run("analyze IN/missing.ggf");
    assert!(missing.code == Some(1) && missing.stderr.contains("cannot open"), "{missing:#?}");
    for input in ["hello", "(;GM[Go];)", "(;", "XO- X", "\u{1}\u{2}"] {
        let run = analyze(&[], input);
        assert_eq!((run.code, run.lines.len()), (Some(1), 0), "{input}: {run:#?}");
        assert!(run.errors.starts_with("ollehto: standard input, line 1"), "{input}: {run:#?}");
    }
    let paste = analyze(&[], &"All work and no play. ".repeat(500_000));
    assert!(paste.code == Some(1) && paste.errors.len() < 500, "{}", paste.errors.len());
    let lines = analyze(&[], &"rubbish\n".repeat(100_000));
    assert!(lines.errors.ends_with("ollehto: and 99990 more such faults\n"), "{}", lines.errors);
    assert_eq!(lines.errors.lines().count(), 11);
}
