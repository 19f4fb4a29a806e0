//! `ollehto tune` as a process: that a seed fixes the history, that a break changes nothing, and what it says of
//! configurations that make no sense.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::journal::without_checksum;
use crate::support::tournament::{Finished, Folder, Running};

/// Breeding in small: four individuals, three generations.
const BREEDING: &str = r#"
system = "ga-minimax"
seed = 5
generations = 3
population = 4
keep = ["moves-late"]
include = ["untuned"]

[fitness]
by = "round-robin"
games = 4
depth = 1
opening = 10
exact = 6

[genetic]
elite = 2
parents = 2
crossover = "uniform"
mutation = 0.05

[yardstick]
against = "untuned"
games = 4
every = 2

[final]
candidates = 3
games = 4
"#;

/// Real numbers, which mutate by other rules, against chance.
const AGAINST_CHANCE: &str = r#"
system = "maximax"
generations = 3
population = 4

[fixed]
early-stability = 0
late-stability = 0

[fitness]
by = "monte-carlo"
games = 6
depth = 1
exact = 6

[genetic]
elite = 1
parents = 3
crossover = "one-point"
mutation = 0.3
sigma = 0.2

[final]
candidates = 2
games = 2
"#;

/// The points, of twelve games, of the four individuals and then of the best one of each generation.
const EXPECTED_POINTS: [f64; 15] =
    [10.0, 4.5, 6.0, 3.5, 10.0, 9.5, 4.5, 2.0, 8.0, 9.5, 6.0, 7.5, 4.5, 6.0, 7.5];

/// The checksum of the whole history as version 1 has it: without those of its lines.
const EXPECTED_HISTORY: u32 = 0xc77c_39ae;

const CMA_ES: &str = r#"
system = "maximax"
method = "cma-es"
generations = 3
population = 5
include = ["published"]

[fitness]
by = "round-robin"
games = 2
depth = 2
exact = 4

[cma-es]
sigma = 0.2

[yardstick]
against = "published"
games = 2
every = 1

[final]
candidates = 2
games = 2
"#;

/// Everything a run leaves.
const FILES: [&str; 4] = ["history.jsonl", "generations.csv", "fitness.svg", "best.toml"];

fn tune(arguments: &[&str]) -> Finished {
    Running::start(&[&["tune"], arguments].concat()).wait()
}

#[track_caller]
fn done(arguments: &[&str]) -> String {
    tune(arguments).well().stdout
}

#[track_caller]
fn refused(arguments: &[&str]) -> String {
    tune(arguments).refusal()
}

fn files(folder: &Folder, out: &str) -> Vec<String> {
    let read = |file: &str| fs::read_to_string(folder.file(out).join(file)).expect("a file of the run");
    FILES.map(read).into()
}

#[test]
fn a_seed_fixes_the_history() {
    let folder = Folder::new("tune-seed");
    let config = folder.write("small.toml", BREEDING);
    let out = folder.text("out");
    let report = done(&[&config, "--out", &out, "--jobs", "2"]);
    assert!(report.contains("3 generations in ") && report.contains("72 games in "), "{report}");
    let [history, table, drawing, best] = files(&folder, "out").try_into().expect("four files");
    let lines: Vec<Value> = history.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 1 + 3 * (4 + 1));
    assert_eq!(lines[0]["parameters"].as_array().map(Vec::len), Some(45));
    assert_eq!(lines[1]["id"], "1.0");
    let first: Vec<_> = lines[1]["values"].as_array().expect("values").iter().take(3).collect();
    assert_eq!(first, [-2.0, -12.0, -48.0]);
    let points = lines[1..].iter().map(|line| 12.0 * line["fitness"].as_f64().expect("a number"));
    assert_eq!(points.collect::<Vec<_>>(), EXPECTED_POINTS);
    let plain: String = history.lines().map(|line| without_checksum(line) + "\n").collect();
    assert_eq!(crc32fast::hash(plain.replacen("-tune\":2", "-tune\":1", 1).as_bytes()), EXPECTED_HISTORY);
    assert_eq!(table.lines().count(), 4);
    assert!(drawing.starts_with("<svg ") && drawing.contains("best against untuned"));
    assert!(best.contains("system = \"ga-minimax\"") && best.contains("moves-late-a1 = 34\n"), "{best}");

    // What was found can play.
    let (journal, weights) = (folder.text("match.jsonl"), folder.text("out/best.toml"));
    let player = format!("ga-minimax,depth=1,name=bred,weights={weights}");
    let arguments =
        ["match", "--player", &player, "--player", "ga-minimax,depth=1,weights=untuned,name=start"];
    let played = Running::start(&[&arguments[..], &["--pairs", "1", "--journal", &journal]].concat()).wait();
    assert_eq!(played.code, Some(0), "{played:#?}");
}

#[test]
fn a_break_anywhere_changes_nothing() {
    let folder = Folder::new("tune-break");
    for (name, text) in [("breeding", BREEDING), ("chance", AGAINST_CHANCE), ("cma-es", CMA_ES)] {
        let config = folder.write(&format!("{name}.toml"), text);
        let (whole, broken) = (folder.text(name), folder.text(&format!("{name}-broken")));
        done(&[&config, "--out", &whole, "--jobs", "1"]);
        let expected = files(&folder, name);
        let history = expected[0].as_bytes();
        let header = expected[0].find('\n').expect("a header") + 1;
        // Within the header, behind it, within a line, between lines, before the last byte, behind it.
        let line = header + expected[0][header..].find('\n').expect("a line") + 1;
        for at in [0, 7, header, header + 9, line, history.len() / 2, history.len() - 1, history.len()] {
            let _ = fs::remove_dir_all(&broken);
            fs::create_dir(&broken).expect("a folder");
            fs::write(folder.file(&format!("{name}-broken/history.jsonl")), &history[..at]).expect("written");
            done(&[&config, "--out", &broken, "--jobs", "3", "--resume"]);
            assert!(files(&folder, &format!("{name}-broken")) == expected, "{name} cut at {at}");
        }
        // Fewer generations first.
        let _ = fs::remove_dir_all(&broken);
        let config =
            folder.write(&format!("{name}.toml"), &text.replace("generations = 3", "generations = 1"));
        done(&[&config, "--out", &broken]);
        let config = folder.write(&format!("{name}.toml"), text);
        done(&[&config, "--out", &broken, "--resume"]);
        assert!(files(&folder, &format!("{name}-broken")) == expected, "{name} with another generation");
    }
}

#[test]
fn killed_and_interrupted_runs_go_on() {
    let folder = Folder::new("tune-kill");
    let config = folder.write("long.toml", &BREEDING.replace("generations = 3", "generations = 60"));
    done(&[&config, "--out", &folder.text("whole")]);
    let expected = files(&folder, "whole");
    for (name, signal) in [("killed", Signal::KILL), ("interrupted", Signal::INT)] {
        let out = folder.text(name);
        let mut running = Running::start(&["tune", &config, "--out", &out, "--jobs", "1"]);
        let history = folder.file(&format!("{name}/history.jsonl"));
        // It may be done before the signal comes; then there is nothing to go on with, and all the same to compare.
        running.until(|| fs::metadata(&history).is_ok_and(|file| file.len() > 8000));
        running.signal(signal);
        let finished = running.wait();
        if signal == Signal::INT && finished.code == Some(130) {
            assert!(finished.stdout.contains("--resume goes on"), "{finished:#?}");
        }
        done(&[&config, "--out", &out, "--resume"]);
        assert!(files(&folder, name) == expected, "{name}");
    }
}

#[test]
fn the_loss_can_decide() {
    let folder = Folder::new("tune-loss");
    let set = folder.text("set.loss");
    let arguments = "lab loss make --positions 4 --empties 8 --depth 1 --seed 2 --out";
    let arguments: Vec<_> = arguments.split(' ').chain([set.as_str()]).collect();
    let made = Running::start(&arguments).wait();
    assert_eq!(made.code, Some(0), "{made:#?}");
    let by_loss = format!("by = \"loss\"\nfile = {set:?}");
    let config = folder.write("loss.toml", &BREEDING.replace("by = \"round-robin\"", &by_loss));
    done(&[&config, "--out", &folder.text("out")]);
    let history = &files(&folder, "out")[0];
    let lines = history.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let best: Vec<_> =
        lines.filter(|line| line["best"].is_string()).map(|line| line["fitness"].clone()).collect();
    // The best live on, and their loss is always the same: it never gets worse.
    let best: Vec<_> = best.iter().map(|fitness| fitness.as_f64().expect("a number")).collect();
    assert!(best.len() == 3 && best.is_sorted() && best[2] < 0.0, "{best:?}");
    let other = folder.write(
        "standard.toml",
        &fs::read_to_string(&config).expect("there").replace("seed = 5", "rules = \"standard\""),
    );
    let message = refused(&[&other, "--out", &folder.text("other")]);
    assert!(message.contains("set.loss is for reversed rules"), "{message}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new("tune-bad");
    let out = folder.text("out");
    let wrong = |from: &str, to: &str| {
        let config = folder.write("bad.toml", &BREEDING.replacen(from, to, 1));
        refused(&[&config, "--out", &out])
    };
    let unknown = wrong("depth = 1", "deep = 1");
    assert!(unknown.contains("bad.toml") && unknown.contains("line 12"), "{unknown}");
    assert!(unknown.contains("unknown field `deep`") && unknown.contains("`depth`"), "{unknown}");
    assert!(wrong("games = 4", "games = 5").contains("fitness.games = 5: an even number"));
    assert!(wrong("\"untuned\"]", "\"published\"]").contains("include: ga-minimax has no published values"));
    assert!(wrong("\"uniform\"", "\"both\"").contains("expected `uniform` or `one-point`"));
    assert!(refused(&[&folder.text("missing.toml")]).contains("missing.toml"));
    assert!(!folder.file("out").exists(), "nothing is begun");

    let config = folder.write("good.toml", BREEDING);
    done(&[&config, "--out", &out]);
    assert!(refused(&[&config, "--out", &out]).contains("--resume"));
    let other = folder.write("other.toml", &BREEDING.replace("seed = 5", "seed = 6"));
    let message = refused(&[&other, "--out", &out, "--resume"]);
    assert!(message.contains("seed was 5, now it is 6"), "{message}");
    // A line that was changed is left out, with all that follow from it; they are played again.
    let path = folder.file("out/history.jsonl");
    let history = fs::read_to_string(&path).expect("a history");
    let changed = history.replacen("\"values\":[-2.0", "\"values\":[-3.0", 1);
    fs::write(&path, &changed).expect("written");
    let message = tune(&[&config, "--out", &out, "--resume"]).well().stderr;
    assert!(message.contains("history.jsonl, line 2: the checksum is wrong; left out"), "{message}");
    assert_eq!(fs::read_to_string(&path).expect("a history"), history);
    assert_eq!(fs::read_to_string(folder.file("out/history.jsonl.damaged")).expect("kept"), changed);
    // One that its checksum confirms must follow from those before.
    let mut lines: Vec<String> = changed.lines().map(str::to_owned).collect();
    let fields = lines[1].rsplit_once(",\"crc32\"").expect("a checksum").0;
    lines[1] = format!("{fields},\"crc32\":\"{:08x}\"}}", crc32fast::hash(format!("{fields}}}").as_bytes()));
    fs::write(&path, lines.join("\n") + "\n").expect("written");
    let message = refused(&[&config, "--out", &out, "--resume"]);
    assert!(message.contains("history.jsonl, line 2: "), "{message}");

    let weights = folder.text("out/best.toml");
    let player = |spec: &str| {
        let finished = Running::start(&["match", "--player", spec, "--player", "greedy"]).wait();
        finished.stderr
    };
    assert!(player(&format!("maximax,weights={weights}")).contains("values of ga-minimax, not of maximax"));
    assert!(player("ga-minimax,weights=published").contains("not all values of ga-minimax were published"));
    assert!(player("greedy,weights=untuned").contains("greedy has no weights"));
}
