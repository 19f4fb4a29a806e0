//! `ollehto train` as a process: that it learns, that a break changes nothing, and what it says of bad files.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::tournament::{Folder, Running};

/// Few games, which take no time; enough to tell good positions from bad.
fn records(folder: &Folder) -> String {
    let options = "--games 400 --depth 1 --exact 8 --random 20..50 --seed 3 --weights hand-made";
    folder.run(&format!("selfplay --output IN/games.olg {options}")).well();
    folder.text("games.olg")
}

fn train(arguments: &[&str]) -> Running {
    Running::start(&[&["train"], arguments].concat())
}

#[track_caller]
fn refused(arguments: &[&str]) -> String {
    train(arguments).wait().refusal()
}

#[test]
fn it_learns_from_games_and_a_break_changes_nothing() {
    let folder = Folder::new("train");
    let games = records(&folder);
    let (whole, broken) = (folder.text("whole.weights"), folder.text("broken.weights"));
    let finished = train(&[&games, "--output", &whole, "--passes", "4", "--threads", "2", "--json"]).wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let report: Value = serde_json::from_str(&finished.stdout).expect("JSON");
    assert_eq!(report["games"], 400);
    let ply = report["plies"].as_array().expect("plies").iter().find(|ply| ply["empties"] == 6);
    let ply = ply.expect("positions with six empty squares");
    assert_eq!(ply["exact"], true);
    let number = |name: &str| ply[name].as_f64().expect("a number");
    assert!(number("error") < 0.8 * number("spread"), "{ply}");

    // Broken off as soon as a stage is saved, by a kill that nobody can catch, and with another number of threads.
    let mut running = train(&[&games, "--output", &broken, "--passes", "4", "--threads", "1"]);
    let progress = folder.file("broken.weights.progress");
    running.until(|| progress.exists());
    running.signal(Signal::KILL);
    running.wait();
    assert_eq!(train(&[&games, "--output", &broken, "--passes", "4", "--threads", "2"]).wait().code, Some(0));
    assert!(!progress.exists());
    assert!(fs::read(&whole).expect("weights") == fs::read(&broken).expect("weights"), "the same weights");
}

#[test]
fn bad_files_are_named() {
    let folder = Folder::new("train-bad");
    let (games, output) = (records(&folder), folder.text("out.weights"));
    let missing = folder.text("missing.olg");
    assert!(refused(&[&missing, "--output", &output]).contains("missing.olg"));
    assert!(
        refused(&[&games, "--rules", "standard", "--output", &output]).contains("no games by standard rules")
    );
    let damaged = folder.write("begin.weights", "OLWT and nothing else");
    let message = refused(&[&games, "--begin", &damaged, "--output", &output]);
    assert!(message.contains("begin.weights") && message.contains("version"), "{message}");
    assert!(!folder.file("out.weights").exists());
}
