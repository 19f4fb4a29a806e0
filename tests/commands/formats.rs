//! Files that earlier programs wrote: they are read, and work that stopped goes on.
//!
//! The files in `tests/data/formats` were written by revision 4c7e2e1 (`journal-2.jsonl`, for the tests of matches, by
//! 6c6bcd5; `values.olg` by the first that recorded values) and are never written anew: a change that cannot read them breaks files that people have.

use std::fs;
use std::path::Path;

use crate::support::tournament::Folder;

/// A folder with copies of old files under new names.
fn copies(name: &str, files: &[(&str, &str)]) -> Folder {
    let (folder, old) = (Folder::new(name), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats"));
    for (from, to) in files {
        fs::copy(old.join(from), folder.file(to)).unwrap_or_else(|error| panic!("{from}: {error}"));
    }
    folder
}

#[test]
fn the_first_records_are_read_but_not_added_to() {
    let folder = copies("first-records", &[("games.olg", "games.olg")]);
    let before = fs::read(folder.file("games.olg")).expect("it is there");
    let moves = folder.run("records IN/games.olg --moves 1000").well().stdout;
    assert_eq!(moves.lines().count(), 64);
    let table = folder.run("records IN/games.olg").well().stdout;
    let row: Vec<&str> = table.lines().nth(1).expect("a row").split_ascii_whitespace().collect();
    assert_eq!(row[1..9], ["reversed", "reversed", "no", "64", "2856", "0", "2856", "0"], "{table}");
    let options = "--depth 1 --exact 4 --random 10..20 --seed 7 --weights hand-made";
    let finished = folder.run(&format!("selfplay --output IN/games.olg --games 128 {options}"));
    assert_eq!(finished.code, Some(1), "{finished:#?}");
    assert!(finished.stderr.contains("new games need another file"), "{}", finished.stderr);
    assert_eq!(fs::read(folder.file("games.olg")).expect("still"), before);
}

#[test]
fn old_records_with_values_are_read_and_added_to() {
    let folder = copies("old-records", &[("values.olg", "games.olg")]);
    let table = folder.run("records IN/games.olg").well().stdout;
    let row: Vec<&str> = table.lines().nth(1).expect("a row").split_ascii_whitespace().collect();
    assert_eq!(row[1..9], ["reversed", "reversed", "no", "64", "2856", "2565", "1125", "125"], "{table}");
    let before = folder.run("records IN/games.olg --moves 1000").well().stdout;
    assert_eq!(before.lines().count(), 64);
    let options = "--depth 1 --exact 4 --random 10..20 --detours 2 --seed 7 --weights hand-made";
    let said = folder.run(&format!("selfplay --output IN/games.olg --games 128 {options}")).well().stderr;
    assert!(said.contains("64 of 128 games are there already"), "{said}");
    let after = folder.run("records IN/games.olg --moves 1000").well().stdout;
    assert!(after.starts_with(&before) && after.lines().count() == 128, "{after}");
}

#[test]
fn old_weights_are_read() {
    let folder = copies("old-weights", &[("small.weights", "small.weights")]);
    let shown = folder.run("weights show IN/small.weights").well().stdout;
    assert!(shown.contains("kept from version 0.1.0, for a test") && shown.contains("+2.25"), "{shown}");
    folder.run("weights convert IN/small.weights IN/table.csv").well();
    let table = fs::read_to_string(folder.file("table.csv")).expect("the table is written");
    for row in ["7,tempo,,-0.5", "52-60,diagonal-4,----,0.015625"] {
        assert!(table.lines().any(|line| line == row), "no {row} in {table}");
    }
}

#[test]
fn an_old_book_is_read_and_its_values_are_used() {
    let folder = copies("old-book", &[("tiny.book", "old.book"), ("book-values.txt", "new.values")]);
    let shown = folder.run("book show IN/old.book f5").well().stdout;
    assert!(shown.starts_with("5 positions by standard rules, of 3 plies at depth 2 and 4"), "{shown}");
    assert!(["d6", "f4", "f6"].iter().all(|name| shown.contains(&format!("\n{name}"))), "{shown}");
    // Values belong to weights; those that come with the program may be others by now.
    let weights = folder.run("weights show --rules standard").well().stdout;
    let fingerprint =
        weights.lines().find_map(|line| line.strip_prefix("fingerprint in books and records: "));
    let values = fs::read_to_string(folder.file("new.values")).expect("the values are there");
    folder.write("new.values", &values.replace("81761c48", fingerprint.expect("a fingerprint")));
    let build = "book build --rules standard --plies 3 --depth 2 --deep 4 --near 1 --output IN/new.book";
    let said = folder.run(build).well().stdout;
    assert!(said.starts_with("14 positions at depth 2, 0 of them searched now\n"), "{said}");
}

#[test]
fn an_old_tuning_goes_on() {
    let folder = copies("old-tuning", &[("tune.toml", "tune.toml")]);
    fs::create_dir(folder.file("out")).expect("a folder can be made");
    let old = include_str!("../data/formats/tune-history.jsonl");
    folder.write("out/history.jsonl", old);
    let config = fs::read_to_string(folder.file("tune.toml")).expect("the configuration is there");
    folder.write("tune.toml", &config.replace("generations = 2", "generations = 3"));
    folder.run("tune IN/tune.toml --out IN/out --resume --jobs 1").well();
    let history = fs::read_to_string(folder.file("out/history.jsonl")).expect("the history is there");
    assert!(history.starts_with(old), "{history}");
    assert!(history[old.len()..].contains("\"generation\":3"), "{history}");
}

#[test]
fn an_old_training_goes_on() {
    let files = [
        ("games.olg", "games.olg"),
        ("train.part", "out.weights.part"),
        ("train.progress", "out.weights.progress"),
    ];
    let folder = copies("old-training", &files);
    let said = folder.run("train IN/games.olg --passes 2 --output IN/out.weights").well().stderr;
    assert!(said.contains("going on after 1 stages"), "{said}");
    folder.run("weights show IN/out.weights").well();
}
