//! `scripts/match-outside`: a match against another program in one line of the history.

use std::process::Command;

use crate::support::process::OLLEHTO;
use crate::support::tournament::Folder;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/match-outside");

/// Runs the script and returns what it prints: on standard output if it succeeds, else on standard error.
fn outside(folder: &Folder, players: [&str; 2], options: &str) -> Result<String, String> {
    let output = Command::new("python3")
        .arg(SCRIPT)
        .args(players)
        .args(["--referee", OLLEHTO, "--revision", "abc1234", "--journal", &folder.text("match.jsonl")])
        .args(options.split(' '))
        .output()
        .expect("python3 starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Checks that the text is one line with these parts in order.
#[track_caller]
fn assert_line(said: &str, parts: [&str; 4]) {
    assert_eq!(said.lines().count(), 1, "{said}");
    let mut rest = said;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing in order: {said}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn a_match_at_equal_depth_is_adjudicated_and_resumed() {
    let folder = Folder::new("outside-depth");
    let players = ["ollehto", "random,name=Rival"];
    let options = "--rules standard --depth 1 --adjudicate 10 --pairs";
    let said = outside(&folder, players, &format!("{options} 1")).expect("a line");
    let what = ",abc1234,\"against Rival, depth 1 each, adjudicated at 10 empties, standard, 1 pairs: ";
    assert_line(&said, [what, " %, mean ", ",Elo,", "--depth 1 --adjudicate 10 --pairs 1 --jobs 1"]);
    let refusal = outside(&folder, players, &format!("{options} 2")).expect_err("the journal is there");
    assert!(refusal.contains("--resume"), "{refusal}");
    let said = outside(&folder, players, &format!("{options} 2 --resume")).expect("a line");
    assert_line(&said, [",abc1234,", "2 pairs: ", ",Elo,", "--pairs 2"]);
}

#[test]
fn calibration_finds_a_time_for_the_match() {
    let folder = Folder::new("outside-time");
    let players = ["ollehto", "ollehto,time=0.01,name=Rival"];
    let said = outside(&folder, players, "--equal-time --pairs 1 --calibration-pairs 1").expect("a line");
    assert_line(
        &said,
        ["against Rival, equal mean time, reversed, 1 pairs: ", "mean ", "theirs ", "--equal-time"],
    );
    let journal = std::fs::read_to_string(folder.file("match.jsonl")).expect("the journal is kept");
    assert!(journal.contains("\"spec\":\"ollehto,time=0."), "{journal}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = Folder::new("outside-wrong");
    let players = ["ollehto", "random,name=Rival"];
    for (options, reason) in [
        ("--pairs 1", "one of the arguments --depth --equal-time --time is required"),
        ("--depth 1 --resume", "there is no match to resume"),
    ] {
        let refusal = outside(&folder, players, options).expect_err("no match");
        assert!(refusal.contains(reason), "{refusal}");
    }
}
