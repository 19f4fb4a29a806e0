//! Opening books through the program: making one, looking into it, playing from it.

use std::collections::BTreeSet;
use std::fs;

use rustix::process::Signal;

use crate::support::gtp::Gtp;
use crate::support::tournament::{Finished, Folder, Running};

/// A book that is made in no time.
const TINY: &str = "--rules standard --plies 3 --depth 2 --deep 4 --near 1";

fn start(folder: &Folder, options: &str) -> Running {
    let output = folder.text("tiny.book");
    let mut arguments = vec!["book", "build", "--output", &output, "--force"];
    arguments.extend(options.split_ascii_whitespace());
    Running::start(&arguments)
}

#[track_caller]
fn build(folder: &Folder, options: &str) -> (Finished, Vec<u8>) {
    let finished = start(folder, options).wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    (finished, fs::read(folder.file("tiny.book")).expect("the book is written"))
}

/// Runs a command to its end.
fn run(arguments: &[&str]) -> Finished {
    Running::start(arguments).wait()
}

/// The lines of a file of values, whatever their order.
fn values(folder: &Folder) -> BTreeSet<String> {
    let text = fs::read_to_string(folder.file("tiny.values")).expect("the values are kept");
    text.lines().skip(1).map(str::to_owned).collect()
}

/// The moves that the engine plays against itself from the start.
fn moves(arguments: &[&str]) -> Vec<String> {
    let mut gtp = Gtp::ollehto(arguments);
    let moves = (0..3).flat_map(|_| [gtp.ok("genmove b"), gtp.ok("genmove w")]).collect();
    gtp.quit();
    moves
}

#[test]
fn a_book_is_the_same_whatever_the_jobs_and_however_often_it_is_interrupted() {
    let folder = Folder::new("book");
    let (finished, whole) = build(&folder, &format!("{TINY} --jobs 1"));
    assert!(
        finished.stdout.starts_with("14 positions at depth 2, 14 of them searched now\n"),
        "{finished:#?}"
    );
    let all = values(&folder);
    let text = fs::read_to_string(folder.file("tiny.values")).expect("the values are kept");
    // As if it had been killed while it wrote its tenth line.
    let kept: Vec<&str> = text.lines().take(9).collect();
    fs::write(folder.file("tiny.values"), format!("{}\n2 ---", kept.join("\n"))).expect("it can be cut");
    let (finished, again) = build(&folder, &format!("{TINY} --jobs 2"));
    assert!(
        finished.stdout.starts_with("14 positions at depth 2, 6 of them searched now\n"),
        "{finished:#?}"
    );
    assert_eq!((again, values(&folder)), (whole, all));
}

/// A line of a list of missing positions without its value, or of a file of values.
fn search_of(line: &str) -> String {
    line.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

#[test]
fn missing_positions_are_those_that_it_searches_next() {
    let folder = Folder::new("book-missing");
    build(&folder, TINY);
    let text = fs::read_to_string(folder.file("tiny.values")).expect("the values are kept");
    let searched: Vec<&str> = text.lines().skip(1).collect();
    let missing = || {
        let finished = start(&folder, &format!("{TINY} --missing")).wait();
        assert_eq!(finished.code, Some(0), "{finished:#?}");
        finished.stdout.lines().map(str::to_owned).collect::<BTreeSet<String>>()
    };
    assert!(missing().is_empty(), "nothing is left to search");
    let (shallow, deep): (Vec<&str>, Vec<&str>) = searched.iter().partition(|line| line.starts_with("2 "));
    fs::remove_file(folder.file("tiny.values")).expect("it was just read");
    assert_eq!(missing(), shallow.iter().copied().map(search_of).collect());
    let header = text.lines().next().expect("a header");
    fs::write(folder.file("tiny.values"), format!("{header}\n{}\n", shallow.join("\n"))).expect("written");
    let next = missing();
    assert!(!next.is_empty() && next.is_subset(&deep.iter().copied().map(search_of).collect()), "{next:?}");
}

#[test]
fn an_interrupt_loses_nothing() {
    let folder = Folder::new("book-interrupt");
    let options = "--rules reversed --plies 4 --depth 8 --deep 9 --jobs 1";
    let count =
        || fs::read_to_string(folder.file("tiny.values")).map_or(0, |text| text.matches('\n').count());
    let mut running = start(&folder, options);
    assert!(running.until(|| count() > 5), "it searches");
    // On a stalled machine the interrupt may come too late to interrupt anything: the rest holds all the same.
    running.signal(Signal::INT);
    running.wait();
    let before = values(&folder);
    build(&folder, options);
    assert!(values(&folder).is_superset(&before.into_iter().filter(|line| line.len() > 68).collect()));
    let text = fs::read_to_string(folder.file("tiny.values")).expect("the values are kept");
    assert_eq!(text.lines().count(), 1 + values(&folder).len(), "no position twice");
}

#[test]
fn values_of_other_rules_are_refused() {
    let folder = Folder::new("book-other");
    build(&folder, TINY);
    let finished = start(&folder, &TINY.replace("standard", "reversed")).wait();
    assert_eq!(finished.code, Some(1));
    assert!(finished.stderr.contains("other settings (standard rules"), "{finished:#?}");
}

#[test]
fn a_book_is_shown() {
    let folder = Folder::new("book-show");
    build(&folder, TINY);
    let path = folder.text("tiny.book");
    let shown = run(&["book", "show", &path, "f5"]);
    assert_eq!(shown.code, Some(0), "{shown:#?}");
    let lines: Vec<&str> = shown.stdout.lines().collect();
    assert!(lines[0].starts_with("5 positions by standard rules, of 3 plies at depth 2 and 4"), "{shown:#?}");
    assert!(lines[0].ends_with(", which come with this program"), "{shown:#?}");
    let mark = lines[0].split(' ').find(|word| word.len() == 9 && word.ends_with(',')).map(|word| &word[..8]);
    let weights = run(&["weights", "show", "--rules", "standard"]);
    let named =
        weights.stdout.lines().find_map(|line| line.strip_prefix("fingerprint in books and records: "));
    assert!(mark.is_some() && mark == named, "{} {}", shown.stdout, weights.stdout);
    assert_eq!(lines[1], "White to move");
    let squares: BTreeSet<&str> = lines[2..].iter().map(|line| &line[..2]).collect();
    assert_eq!(squares, ["d6", "f4", "f6"].into());
    let named: BTreeSet<&str> = lines[2..].iter().filter_map(|line| line.split(' ').next_back()).collect();
    assert_eq!(named, ["Diagonal", "Parallel", "Perpendicular"].into());
    let unknown = run(&["book", "show", &path, "f5d6", "c3"]);
    assert!(unknown.stdout.ends_with("the book does not know this position\n"), "{unknown:#?}");
    let shipped = run(&["book", "show", "--rules", "standard"]);
    assert!(shipped.stdout.contains("by standard rules") && shipped.stdout.contains("Black to move"));
    assert!(shipped.stdout.contains(" by the weights "), "{shipped:#?}");
    for (arguments, problem) in [
        (&["book", "show", "f5", "f5"], "move 2, F5, is illegal"),
        (&["book", "show", "f5", "green"], "green: "),
        (&["book", "show", "no/such.book", "f5"], "book no/such.book: "),
    ] {
        let refused = run(arguments);
        assert_eq!(refused.code, Some(1));
        assert!(refused.stderr.contains(problem), "{refused:#?}");
    }
}

#[test]
fn a_damaged_book_is_refused_before_anything_is_played() {
    let folder = Folder::new("book-damaged");
    let (_, mut bytes) = build(&folder, TINY);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let path = folder.text("damaged.book");
    fs::write(&path, bytes).expect("it can be written");
    let refused = run(&["--book", &path]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("damaged.book: the book is damaged"), "{refused:#?}");
    let mut gtp = Gtp::ollehto(&["--depth", "1", "--book", &folder.text("tiny.book")]);
    assert!(gtp.refused(&format!("book {path}")).ends_with("the book is damaged"));
    assert_eq!(gtp.ok("book"), folder.text("tiny.book"), "the other one stays");
    gtp.ok("genmove b");
    gtp.quit();
}

#[test]
fn games_differ_unless_a_seed_is_given() {
    let limits = ["--depth", "1", "--variety", "2"];
    let seeded = |seed: &str| moves(&[&limits[..], &["--seed", seed]].concat());
    assert_eq!(seeded("5"), seeded("5"));
    let different: BTreeSet<Vec<String>> = (0..20).map(|seed| seeded(&seed.to_string())).collect();
    assert!(different.len() > 10, "{different:?}");
}

#[test]
fn balanced_openings_come_from_the_values_of_a_book() {
    let folder = Folder::new("book-openings");
    build(&folder, &format!("{TINY} --balance 64"));
    let path = folder.text("tiny.values");
    let hunt = ["openings", "--rules", "standard", "--plies", "3", "--depth", "4", "--within", "64"];
    let known = run(&[&hunt[..], &["--values", &path, "--known"]].concat());
    assert_eq!(known.code, Some(0), "{known:#?}");
    assert!(known.stdout.contains("# 14 of 14 looked at, of 14"), "{known:#?}");
    assert_eq!(run(&hunt).stdout, known.stdout, "searching brings the same");
    let none = run(&[&hunt[..6], &["5", "--values", &path, "--known"]].concat());
    assert!(none.stdout.contains("# 0 of 0 looked at, of 14"), "{none:#?}");
}
