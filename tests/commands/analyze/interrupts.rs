//! Ctrl-C, a kill, and going on.

use serde_json::Value;

use super::{Run, first_moves, ggf, late, parsed, records};
use crate::support::mailbox::Rules;
use crate::support::process::Process;
use crate::support::tournament::Folder;
use rustix::process::Signal;

fn finish(mut process: Process) -> Run {
    let mut lines = Vec::new();
    while let Some(line) = process.receive() {
        lines.push(line);
    }
    Run { code: process.wait().code(), lines, errors: process.stderr() }
}

#[test]
fn an_interrupted_analysis_goes_on_with_the_same_command() {
    let folder = Folder::new("analyze-resume");
    let games: Vec<_> = [21, 22]
        .map(|seed| {
            let start = late(seed, 8, 12);
            let turns = first_moves(&start);
            ggf(&start, Rules::Reversed, &turns, ["", ""])
        })
        .into();
    let file = folder.write("games.ggf", &games.join("\n"));
    let whole = records(&["--depth", "60", &file], "");
    let state = folder.file("state").display().to_string();
    let arguments = ["analyze", "--threads", "1", "--json", "--depth", "60", "--resume", &state, &file];
    let mut process = Process::ollehto(&arguments);
    for _ in 0..4 {
        process.receive().expect("a position");
    }
    process.signal(Signal::KILL);
    while process.receive().is_some() {}
    process.wait();
    let resumed = finish(Process::ollehto(&arguments));
    assert_eq!(resumed.code, Some(0), "{resumed:#?}");
    assert!(resumed.errors.starts_with("continuing with "), "{}", resumed.errors);
    let values = |records: &[Value]| -> Vec<Value> {
        let fields = ["type", "game", "move", "position", "played", "value", "best_value", "loss", "exact"];
        records.iter().map(|record| fields.iter().map(|field| record[field].clone()).collect()).collect()
    };
    assert_eq!(values(&parsed(&resumed.lines)), values(&whole));
    // Everything is known: the third run searches nothing, and says the same as the second.
    let again = finish(Process::ollehto(&arguments));
    assert_eq!(again.lines, resumed.lines);
    let other = finish(Process::ollehto(&["analyze", "--depth", "5", "--resume", &state, &file]));
    assert!(other.code == Some(1) && other.errors.contains("other settings"), "{other:#?}");
}

#[test]
fn an_interrupt_prints_what_there_is() {
    let mut process = Process::ollehto(&["analyze", "--json", "--depth", "60", "-"]);
    let start = late(31, 8, 10);
    // The endgame is solved at once, the start of a game never.
    process.send("f5d6c3d3c4");
    process.send(&start.text());
    process.close_input();
    process.wait_until_busy();
    process.signal(Signal::INT);
    let run = finish(process);
    assert_eq!(run.code, Some(130), "{run:#?}");
    let found = parsed(&run.lines);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((&found[0]["type"], &found[0]["complete"]), (&"game".into(), &false.into()));
}
