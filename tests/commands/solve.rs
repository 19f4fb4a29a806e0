//! `ollehto solve`: what goes in, what comes out, and with which exit code.

use std::fs;

use crate::support::mailbox::{Mailbox, Rules};
use crate::support::positions::{collect, generator};
use crate::support::process::Process;
use crate::support::tournament::Folder;
use rustix::process::Signal;
use serde_json::Value;

/// The 4×4 start, worth -10 by standard rules.
const SMALL: &str = "-----OX--XO----- X";

/// Nobody has ever solved it.
const HOPELESS: &str = "---------------------------OX------XO--------------------------- X";

/// What came of a run.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    lines: Vec<String>,
    errors: String,
}

/// Feeds a text to the solver and waits for its end.
fn solve(arguments: &str, input: &str) -> Run {
    let mut words = vec!["solve"];
    words.extend(arguments.split_ascii_whitespace());
    let mut process = Process::ollehto(&words);
    process.send_bytes(input.as_bytes());
    process.close_input();
    finish(process)
}

/// Reads the rest of a run.
fn finish(mut process: Process) -> Run {
    let mut lines = Vec::new();
    while let Some(line) = process.receive() {
        lines.push(line);
    }
    Run { code: process.wait().code(), lines, errors: process.stderr() }
}

/// The records of a run that goes well.
#[track_caller]
fn records(arguments: &str, input: &str) -> Vec<Value> {
    let run = solve(&format!("--json {arguments}"), input);
    assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{arguments}: {run:#?}");
    run.lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect()
}

fn text(boards: &[Mailbox]) -> String {
    boards.iter().map(|board| board.text() + "\n").collect()
}

fn scores(records: &[Value]) -> Vec<i64> {
    records.iter().map(|record| record["score"].as_i64().expect("a whole score")).collect()
}

/// The result of perfect play by plain exhaustion.
fn value(board: &Mailbox, rules: Rules) -> i64 {
    let values = board.moves().into_iter().map(|turn| -value(&board.after(turn), rules));
    values.max().unwrap_or_else(|| board.final_score(board.to_move(), rules).into())
}

/// Late positions of a size, more than a few, none of them over.
fn late(seed: u64, size: usize, count: usize, empties: usize) -> Vec<Mailbox> {
    collect(&mut generator(seed), size, count, |board| !board.is_over() && board.empties() == empties)
}

#[test]
fn reversed_rules_and_the_large_board_are_the_default() {
    let boards = late(61, 8, 3, 5);
    let found = scores(&records("", &text(&boards)));
    assert_eq!(found, boards.iter().map(|board| value(board, Rules::Reversed)).collect::<Vec<_>>());
}

#[test]
fn scores_and_lines_are_those_of_perfect_play() {
    for rules in Rules::BOTH {
        for size in [4, 6, 8] {
            let boards = late(62, size, 12, 6);
            let records = records(&format!("--size {size} --rules {}", rules.word()), &text(&boards));
            assert_eq!(records.len(), boards.len());
            for (board, record) in boards.iter().zip(&records) {
                assert_eq!(record["score"], value(board, rules), "{record}");
                assert_eq!((&record["rules"], &record["exact"]), (&rules.word().into(), &true.into()));
                let line = record["pv"].as_array().expect("a list of moves");
                assert_eq!(line.first(), Some(&record["best"]), "{record}");
                let mut end = board.clone();
                for name in line.iter().map(|name| name.as_str().expect("a name")) {
                    assert_eq!(name, name.to_lowercase());
                    end.play(end.read(name).expect("a move")).unwrap_or_else(|e| panic!("{e} in {record}"));
                }
                if end.is_over() {
                    let result = end.final_score(board.to_move(), rules);
                    assert_eq!(record["score"], result, "{record}");
                }
            }
        }
    }
}

#[test]
fn records_keep_the_order_of_lines_and_fields() {
    let boards = late(63, 6, 5, 4);
    let run = solve("--size 6 --json", &text(&boards));
    assert_eq!(run.lines.len(), boards.len());
    for (board, line) in boards.iter().zip(&run.lines) {
        assert!(line.starts_with(&format!("{{\"position\":\"{}\",", board.text())), "{line}");
        let fields = ["position", "rules", "score", "best", "pv", "nodes", "seconds", "exact"];
        let places: Vec<Option<usize>> =
            fields.iter().map(|field| line.find(&format!("\"{field}\":"))).collect();
        assert!(places.is_sorted() && places.iter().all(Option::is_some), "{line}");
        let record: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(record.as_object().map(|object| object.len()), Some(fields.len()), "{line}");
        assert!(record["nodes"].is_u64() && record["seconds"].is_f64(), "{line}");
    }
}

#[test]
fn files_and_both_kinds_of_input_are_the_same() {
    let folder = Folder::new("solve");
    let lines = format!("# a comment\n\n{SMALL}\r\n  % another\n-----ox--*0-----x;A1:+3;");
    let file = folder.write("positions.txt", &lines);
    let wanted = records("--size 4", &lines);
    assert_eq!(wanted.len(), 2);
    assert_eq!(wanted[1]["position"], SMALL);
    for (arguments, input) in [("--size 4 -", lines.as_str()), (&*format!("--size 4 {file}"), "")] {
        let found = records(arguments, input);
        assert_eq!(scores(&found), scores(&wanted), "{arguments}");
        assert_eq!(found[0]["nodes"], wanted[0]["nodes"], "{arguments}");
    }
}

#[test]
fn known_values_are_compared_by_standard_rules() {
    let lines = format!("{SMALL}; b1:-10; a2:-12;\n{SMALL}; A2:-8;\n{SMALL}\n");
    let run = solve("--size 4 --rules standard --json", &lines);
    assert_eq!(run.code, Some(1), "{run:#?}");
    let records: Vec<Value> =
        run.lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&records[0]["expected"], &records[0]["right"]), (&(-10).into(), &true.into()));
    assert_eq!((&records[1]["expected"], &records[1]["right"]), (&(-8).into(), &false.into()));
    assert!(records[2].get("expected").is_none() && records[2].get("right").is_none());
    let table = solve("--size 4 --rules standard", &lines);
    assert_eq!(table.code, Some(1));
    assert!(table.lines[1].contains("-10 right") && table.lines[2].contains("-8 WRONG"), "{table:#?}");
    assert!(
        table.lines[4].starts_with("3 positions: ")
            && table.lines[4].ends_with("; 1 of 2 known values right")
    );
    // They are not values of the reversed game, and those of a win are no scores.
    for arguments in ["--size 4", "--size 4 --rules standard --wld"] {
        let run = solve(arguments, &lines);
        assert_eq!((run.code, run.lines.len()), (Some(0), 5), "{run:#?}");
        assert!(!run.lines.concat().contains("known"), "{run:#?}");
    }
    let all_right = solve("--size 4 --rules standard", &format!("{SMALL}; c1:-10;"));
    assert_eq!(all_right.code, Some(0), "{all_right:#?}");
}

#[test]
fn finished_games_and_forced_passes() {
    for rules in Rules::BOTH {
        let arguments = format!("--size 6 --rules {}", rules.word());
        let over = collect(&mut generator(64), 6, 5, Mailbox::is_over);
        for (board, record) in over.iter().zip(records(&arguments, &text(&over))) {
            assert_eq!(record["score"], board.final_score(board.to_move(), rules), "{record}");
            assert_eq!((&record["best"], &record["pv"]), (&Value::Null, &Value::Array(Vec::new())));
            assert_eq!((&record["exact"], &record["nodes"]), (&true.into(), &0.into()));
        }
        let passes =
            collect(&mut generator(65), 6, 5, |board| board.must_pass() && (1..8).contains(&board.empties()));
        for (board, record) in passes.iter().zip(records(&arguments, &text(&passes))) {
            assert_eq!(record["score"], value(board, rules), "{record}");
            assert_eq!((&record["best"], &record["pv"][0]), (&"pass".into(), &"pass".into()));
        }
    }
}

#[test]
fn outcomes_have_the_sign_of_the_score() {
    for rules in Rules::BOTH {
        let boards = collect(&mut generator(66), 4, 60, |board| !board.is_over());
        let arguments = format!("--size 4 --rules {}", rules.word());
        let exact = scores(&records(&arguments, &text(&boards)));
        let outcomes = records(&format!("{arguments} --wld"), &text(&boards));
        for (score, record) in exact.iter().zip(&outcomes) {
            let word = ["loss", "draw", "win"][usize::try_from(score.signum() + 1).expect("0, 1 or 2")];
            assert_eq!(record["outcome"], word, "{record}");
            let bound = record["score"].as_i64().expect("a whole score");
            assert_eq!(bound.signum(), score.signum(), "{record}");
            assert!(bound.abs() <= score.abs(), "{bound} is no bound of {score}: {record}");
            assert!(record["exact"] == false || bound == *score, "{record}");
        }
        let table = solve(&format!("{arguments} --wld"), &text(&boards));
        let words = |row: &String| row.split_whitespace().nth(2).map(str::to_owned);
        let shown: Vec<Value> = table.lines[1..=60].iter().filter_map(words).map(Value::String).collect();
        assert_eq!(shown, outcomes.iter().map(|record| record["outcome"].clone()).collect::<Vec<_>>());
    }
}

#[test]
fn the_table_has_a_row_for_each_position_and_a_total() {
    let boards = late(67, 8, 3, 6);
    let run = solve("", &text(&boards));
    assert_eq!((run.code, run.errors.as_str(), run.lines.len()), (Some(0), "", 5), "{run:#?}");
    let titles: Vec<&str> = run.lines[0].split_whitespace().collect();
    assert_eq!(titles, ["#", "empties", "score", "best", "nodes", "seconds", "Mn/s", "line"]);
    for (number, (board, row)) in (1..).zip(boards.iter().zip(&run.lines[1..])) {
        let cells: Vec<&str> = row.split_whitespace().collect();
        let score = value(board, Rules::Reversed);
        assert_eq!(cells[..3], [number.to_string(), "6".into(), format!("{score:+}")], "{row}");
        assert_eq!(cells[3], cells[7], "the line begins with the best move: {row}");
    }
    assert!(run.lines[4].starts_with("3 positions: ") && run.lines[4].contains(" s CPU), "), "{run:#?}");
}

#[test]
fn what_cannot_be_read_is_named_after_what_can() {
    let folder = Folder::new("solve-wrong");
    let cases = [
        ("-----OX--XO---- X", "expected 16, 36 or 64 squares", "write the 16 squares"),
        ("-----OX--XO-----", "expected the side to move (X or O) at column 17", "X or O to move"),
        ("-----OX--XY----- X", "found 'Y-----'", "as X, O and -"),
        ("---------------- X", "no disc on the board", "write black discs as X"),
        ("-----OX--XO----- X; i1:+3;", "expected a square (a1 to h8)", "'; a2:+38;'"),
        ("-----OX--XO----- X; a1:+99;", "expected a value (-64 to +64)", "'; a2:+38;'"),
        (HOPELESS, "the board is 8×8, not 4×4", "--size 8"),
        ("\u{0}\u{ff}\u{7}", "expected", "write the 16 squares"),
    ];
    for (line, found, mend) in cases {
        let file = folder.write("wrong.txt", &format!("{SMALL}\n\n{line}\n{SMALL}\n"));
        for arguments in ["--json", ""] {
            let run = solve(&format!("--size 4 {arguments} {file}"), "");
            assert_eq!(run.code, Some(1), "{run:#?}");
            assert!(run.errors.contains(&format!("{file}, line 3: ")), "{run:#?}");
            assert!(run.errors.contains(found) && run.errors.contains(mend), "{run:#?}");
            assert_eq!(run.lines.len(), if arguments.is_empty() { 3 } else { 1 }, "{run:#?}");
        }
    }
    let long = solve("--size 4", &"X".repeat(100_000));
    assert!(long.errors.contains("standard input, line 1: found a line of 100000 bytes"), "{long:#?}");
    let missing = solve("no/such/file", "");
    assert!(missing.errors.contains("cannot open no/such/file: "), "{missing:#?}");
    assert_eq!((missing.code, missing.lines.len()), (Some(1), 0));
}

#[test]
fn nothing_to_solve_is_no_failure() {
    assert_eq!(records("", "# nothing here\n"), [Value::Null; 0]);
    let run = solve("", "");
    assert_eq!((run.code, run.lines.as_slice()), (Some(0), &["no positions".to_owned()][..]));
}

/// The board turned and mirrored in all ways there are.
fn images(board: &Mailbox) -> Vec<Mailbox> {
    let size = board.size();
    let text = board.text();
    let (cells, side) = text.split_once(' ').expect("cells, a blank, the side");
    let cells = cells.as_bytes();
    let image = |bits: usize| {
        let mirrored = |n: usize, bit: usize| if bits & bit == 0 { n } else { size - 1 - n };
        let cell = |at: usize| {
            let (row, column) = (mirrored(at / size, 1), mirrored(at % size, 2));
            char::from(cells[if bits & 4 == 0 { row * size + column } else { column * size + row }])
        };
        let turned: String = (0..size * size).map(cell).collect();
        Mailbox::parse(&format!("{turned} {side}")).expect("a board")
    };
    (0..8).map(image).collect()
}

#[test]
fn a_turned_board_has_the_same_score() {
    let boards = late(68, 8, 4, 10);
    let turned: Vec<Mailbox> = boards.iter().flat_map(images).collect();
    for rules in Rules::BOTH {
        let found = scores(&records(&format!("--rules {}", rules.word()), &text(&turned)));
        for of_one in found.chunks(8) {
            assert_eq!(of_one, [of_one[0]; 8], "{rules:?}: {found:?}");
        }
    }
}

#[test]
fn threads_do_not_change_the_score() {
    let boards = late(69, 8, 6, 10);
    for rules in Rules::BOTH {
        let of = |threads: u32| {
            let arguments = format!("--rules {} --hash 4 --threads {threads}", rules.word());
            scores(&records(&arguments, &text(&boards)))
        };
        assert_eq!(of(1), of(2), "{rules:?}");
    }
}

#[test]
fn an_interrupt_shows_what_is_known_so_far() {
    let easy = text(&late(70, 8, 1, 6));
    for arguments in [&["solve", "--json"][..], &["solve"]] {
        let mut process = Process::ollehto(arguments);
        process.send_bytes(format!("{easy}{HOPELESS}\n{easy}").as_bytes());
        let json = arguments.len() == 2;
        for _ in 0..if json { 1 } else { 2 } {
            process.receive().expect("what is solved is shown at once");
        }
        process.wait_until_busy();
        process.signal(Signal::INT);
        let run = finish(process);
        assert_eq!((run.code, run.errors.as_str()), (Some(130), ""), "{run:#?}");
        if json {
            assert_eq!(run.lines.len(), 1, "{run:#?}");
            let record: Value = serde_json::from_str(&run.lines[0]).expect("JSON");
            assert_eq!((&record["position"], &record["exact"]), (&HOPELESS.into(), &false.into()));
            assert!(record["best"].is_string(), "{record}");
        } else {
            assert_eq!(run.lines.len(), 2, "{run:#?}");
            assert!(run.lines[0].contains(" ~"), "{run:#?}");
            assert!(run.lines[1].starts_with("2 positions: "), "{run:#?}");
        }
    }
}

#[test]
fn an_interrupt_while_waiting_for_input_ends_it_too() {
    let mut process = Process::ollehto(&["solve", "--size", "4"]);
    process.send(SMALL);
    process.receive().expect("a head");
    process.receive().expect("a row");
    process.signal(Signal::INT);
    let run = finish(process);
    assert_eq!((run.code, run.lines.len()), (Some(130), 1), "{run:#?}");
    assert!(run.lines[0].starts_with("1 position: "), "{run:#?}");
}

#[test]
fn it_ends_with_its_reader() {
    let (mut process, output) = Process::ollehto_unread(&["solve"]);
    process.send(HOPELESS);
    drop(output);
    assert!(process.wait().success());
}

/// The commands of a document's examples, each with the output shown.
fn examples(document: &str) -> Vec<(String, String, Vec<String>)> {
    let mut examples: Vec<(String, String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        if let Some((position, arguments)) =
            line.strip_prefix("$ echo '").and_then(|rest| rest.split_once("' | ollehto solve"))
        {
            examples.push((position.to_owned(), arguments.to_owned(), Vec::new()));
            inside = true;
        } else if line.starts_with("```") {
            inside = false;
        } else if inside {
            examples.last_mut().expect("one has begun").2.push(line.to_owned());
        }
    }
    examples
}

/// What of an output line is the same on every machine and for every search that plays perfectly.
fn lasting(line: &str) -> Vec<String> {
    if let Ok(record) = serde_json::from_str::<Value>(line) {
        let fields = ["position", "rules", "score", "exact", "outcome", "expected", "right"];
        return fields.iter().map(|field| record[field].to_string()).collect();
    }
    let cells: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    match cells[1].as_str() {
        // The head.
        "empties" => cells,
        // The total.
        "position:" | "positions:" => cells[..2].to_vec(),
        // Number, empties and score; whether it is right.
        _ => cells[..3]
            .iter()
            .cloned()
            .chain(cells.contains(&"right".into()).then(|| "right".into()))
            .collect(),
    }
}

#[test]
fn the_document_shows_what_is_printed() {
    let document = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/solving.md"));
    let examples = examples(&document.expect("the document"));
    assert!(examples.len() >= 3, "{examples:?}");
    for (position, arguments, shown) in examples {
        let run = solve(&arguments, &position);
        assert_eq!(run.code, Some(0), "{run:#?}");
        let [found, shown] =
            [run.lines, shown].map(|lines| lines.iter().map(|line| lasting(line)).collect::<Vec<_>>());
        assert_eq!(found, shown, "{arguments}");
    }
}
