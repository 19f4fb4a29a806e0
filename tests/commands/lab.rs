//! `ollehto lab`: every experiment on a small size, to the last digit shown, and the command around them.
//!
//! The tables follow from seeds, search and evaluation alone. A change of these changes them: look at what is found, and
//! if it is as it should be, put it in place of the file in `tests/data/lab`.

use std::fs;
use std::time::Duration;

use ollehto::lab::Sheet;
use ollehto::lab::breadth::{self, BreadthExperiment};
use ollehto::lab::colour::{self, ColourExperiment};
use ollehto::lab::depth::{self, DepthExperiment};
use ollehto::lab::features::{self, FeatureExperiment};
use ollehto::lab::games::Limit;
use ollehto::lab::generations;
use ollehto::lab::loss::{self, LossSet, LossSetOptions};
use ollehto::lab::measures::{self, MeasureExperiment};
use ollehto::lab::sheet;
use ollehto::lab::speed::{self, SpeedExperiment};
use ollehto::lab::tree::{self, TreeExperiment};
use ollehto::lab::win_rate::{self, WinRateExperiment};
use ollehto::rules::Rules;
use serde_json::Value;

use crate::support::tournament::{Finished, Folder, Running};

#[track_caller]
fn same(sheets: &[Sheet], expected: &str) {
    let found: Vec<_> = sheets.iter().map(ToString::to_string).collect();
    assert_eq!(found.join("\n"), expected);
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn small_set(folder: &Folder) -> LossSet {
    let out = folder.file("small.loss");
    let making = LossSetOptions {
        rules: Rules::Reversed,
        positions: 4,
        empties: 9,
        depth: 1,
        seed: 1,
        jobs: 2,
        out: out.clone(),
    };
    loss::make(&making).expect("it can be made");
    LossSet::load(&out).expect("it can be read")
}

#[test]
fn breadth() {
    let sheets = breadth::run(&BreadthExperiment { games: 60, strong: 4, depth: 1, seed: 1, jobs: 2 });
    same(&sheets, include_str!("../data/lab/breadth.txt"));
}

#[test]
fn trees() {
    let tree = TreeExperiment {
        rules: Rules::Reversed,
        evaluation: "maximax".into(),
        discs: vec![4, 25, 58],
        depths: vec![2, 4],
        positions: 3,
        seed: 1,
        jobs: 2,
    };
    same(&tree::run(&tree).expect("an opponent"), include_str!("../data/lab/tree.txt"));
    let unknown =
        tree::run(&TreeExperiment { evaluation: "nobody".into(), ..tree }).expect_err("no such evaluation");
    assert!(unknown.to_string().contains("nobody"), "{unknown}");
}

#[test]
fn features() {
    let sheets = features::run(&FeatureExperiment { pairs: 3, depth: 1, plies: 6, seed: 1, jobs: 2 });
    same(&sheets, include_str!("../data/lab/features.txt"));
}

#[test]
fn measures() {
    let folder = Folder::new("measures");
    let measures = MeasureExperiment {
        rules: Rules::Reversed,
        players: names(&["random", "greedy", "greedy-invincible", "minimax3", "three-stage", "ollehto"]),
        pairs: 1,
        limit: Limit::Nodes(200),
        match_pairs: 1,
        match_limit: Limit::Nodes(400),
        random_pairs: 2,
        nodes: 500,
        positions: 2,
        seed: 1,
        jobs: 2,
    };
    let sheets = measures::run(&measures, &small_set(&folder)).expect("players");
    same(&sheets, include_str!("../data/lab/measures.txt"));
}

#[test]
fn depths() {
    let depths = DepthExperiment {
        rules: Rules::Reversed,
        players: names(&["ollehto", "staged"]),
        discs: vec![30, 52],
        positions: 2,
        limit: Limit::Nodes(2000),
        pairs: 2,
        evaluations: names(&["staged", "hand-made"]),
        deepest: 2,
        seed: 1,
        jobs: 2,
    };
    same(&depth::run(&depths).expect("players"), include_str!("../data/lab/depth.txt"));
    let unknown = depth::run(&DepthExperiment { players: names(&["nobody"]), ..depths.clone() })
        .expect_err("no such player");
    assert!(unknown.to_string().contains("there is no player 'nobody': give ollehto, random"), "{unknown}");
    // By the clock only what does not depend on it can be said.
    let timed = DepthExperiment {
        players: names(&["maximax", "ga-minimax", "ollehto"]),
        limit: Limit::Time(Duration::from_millis(5)),
        pairs: 1,
        positions: 1,
        ..depths
    };
    let tables = sheet::json(&depth::run(&timed).expect("players"));
    let unused = &tables["tables"][1];
    assert_eq!(unused["title"], "Share of the time left unused, reversed rules, 0.005 s a move");
    let said = [0, 1, 2].map(|row| unused["rows"][row]["report"].as_f64());
    assert_eq!(said, [Some(0.2), Some(0.2), None], "maximax, ga-minimax, ollehto");
    for row in unused["rows"].as_array().expect("rows") {
        for column in ["30 discs", "52 discs", "all"] {
            let share = row[column]["value"].as_f64().expect("a share");
            assert!((0.0..=1.0).contains(&share), "{row}");
        }
    }
}

#[test]
fn win_rates_of_weights() {
    let weights = vec!["untuned".to_owned()];
    let win_rate = WinRateExperiment { pairs: 20, weights, seed: 1, jobs: 2 };
    let sheet = win_rate::run(&win_rate).expect("weights");
    same(&[sheet], include_str!("../data/lab/win-rate.txt"));
    let nobody = win_rate::run(&WinRateExperiment { weights: names(&["nobody.toml"]), ..win_rate });
    assert!(nobody.expect_err("no such file").to_string().starts_with("nobody.toml: "));
}

#[test]
fn speeds() {
    let sheets =
        speed::run(&SpeedExperiment { depth: 3, positions: 6, games: 1, seed: 1, jobs: 2 }).expect("it runs");
    let tables = sheet::json(&sheets);
    // Times are left out, since they depend on the machine: the report's figures and our nodes.
    let column = |table: usize, column: &str| {
        let rows = tables["tables"][table]["rows"].as_array().expect("rows").iter();
        let cell = |row: &Value| row[column].as_f64().or_else(|| row[column]["value"].as_f64());
        rows.map(|row| cell(row).map(|number| (number * 100.0).round() / 100.0)).collect::<Vec<_>>()
    };
    let report = [9.75, 5.45, 9.75, 2.03, 1.92].map(Some);
    assert_eq!(column(0, "report s"), [&report[..], &[None, None]].concat());
    let times = [1.0, 1.79, 1.0, 4.81, 5.08].map(Some);
    assert_eq!(column(0, "report times"), [&times[..], &[None, None]].concat());
    let nodes = column(0, "nodes");
    assert!(
        nodes[1] < nodes[0] && nodes[4] < nodes[0] && nodes[5] < nodes[0],
        "ordering saves nodes: {nodes:?}"
    );
    assert_eq!((nodes[2], nodes[3]), (None, None), "no counterpart");
    assert_eq!(column(1, "depth"), [2.0, 3.0, 4.0, 5.0].map(Some));
    assert_eq!(column(1, "report"), [2.0, 5.0, 11.0, 19.0].map(Some));
    let nodes = column(1, "nodes a move");
    assert!(nodes.is_sorted_by(|one, other| one < other), "{nodes:?}");
    let largest = column(1, "nodes for as many");
    assert!(largest.iter().all(|nodes| nodes.is_some_and(|nodes| nodes > 0.0)), "{largest:?}");
}

#[test]
fn generations_beside_ranks() {
    let folder = Folder::new("generations");
    let head = "generation,best,fitness,mean,yardstick\n";
    let yardstick = |number: u32| match number.is_multiple_of(20) {
        true => format!("0.7{:02}", number / 20),
        false => String::new(),
    };
    let lines = (1..=240).map(|number| format!("{number},{number}.1,0.6,0.5,{}\n", yardstick(number)));
    let run = folder.write("run.csv", &(head.to_owned() + &lines.collect::<String>()));
    let sheet = generations::run(run.as_ref()).expect("it is one");
    same(&[sheet], include_str!("../data/lab/generations.txt"));
}

#[test]
fn colours() {
    let sheets = colour::run(&ColourExperiment { games: 6, depth: 1, plies: 6, seed: 1, jobs: 2 });
    same(&sheets, include_str!("../data/lab/colour.txt"));
}

#[test]
fn losses() {
    let folder = Folder::new("losses");
    let evaluations = names(&["shipped", "hand-made", "greedy", "staged", "maximax", "mobility"]);
    let sheet = loss::report(&small_set(&folder), &evaluations, 2, 2).expect("evaluations");
    let worth = loss::worth(&small_set(&folder), 1);
    same(&[sheet, worth], include_str!("../data/lab/loss.txt"));
}

fn lab(arguments: &[&str]) -> Finished {
    Running::start(&[&["lab"], arguments].concat()).wait()
}

#[test]
fn tables_go_where_they_are_asked_for() {
    let folder = Folder::new("lab");
    let [json, csv, svg] = ["l.json", "l.csv", "l.svg"].map(|name| folder.text(name));
    let small = ["breadth", "--games", "4", "--strong", "2", "--depth", "1", "--jobs", "1"];
    let shown = lab(&[&small[..], &["--json", &json, "--csv", &csv, "--svg", &svg]].concat());
    assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""));
    assert!(shown.stdout.starts_with("Legal moves by discs on the board\n"), "{}", shown.stdout);
    let written = fs::read_to_string(&json).expect("it was written");
    let value: Value = serde_json::from_str(&written).expect("JSON");
    assert_eq!(value["tables"][0]["rows"][0]["random"]["value"], 4.0);
    assert!(
        fs::read_to_string(&csv)
            .expect("it was written")
            .starts_with("table,discs,report,random,random low,")
    );
    assert!(fs::read_to_string(&svg).expect("it was written").starts_with("<svg "));
    let bare = lab(&[&small[..], &["--json", "-"]].concat());
    assert_eq!(bare.stdout, written, "nothing but JSON");
}

#[test]
fn a_judging_set_is_made_checked_and_used() {
    let folder = Folder::new("judge");
    // After four plies nearly all positions are in a few hundred games.
    let make =
        "lab judge make --empties 10,56 --positions 3 --siblings 3 --exact 9 --depth 2 --out IN/all.judge";
    let made = folder.run(make).well().stdout;
    assert!(made.contains("all.judge: 6 positions, 18 moves (6 positions new)"), "{made}");
    folder.run("selfplay --games 256 --depth 1 --exact 4 --random 4..10 --output IN/games.olg").well();
    let refused = folder.run("lab judge check IN/all.judge IN/games.olg");
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains(" of 24 positions are in the games"), "{}", refused.stderr);
    assert!(
        refused.stdout.contains("\n10             3                       0         12       0\n"),
        "{}",
        refused.stdout
    );
    folder.run("lab judge check IN/all.judge IN/games.olg --out IN/clean.judge").well();
    folder.run("lab judge check IN/clean.judge IN/games.olg").well();
    let report = "lab judge report IN/clean.judge --depth 0,1 --jobs 2 --csv -";
    let csv = folder.run(report).well().stdout;
    assert_eq!(csv, folder.run(&report.replace("jobs 2", "jobs 1")).well().stdout, "threads change nothing");
    assert!(csv.contains(",shipped,0,10,9,") && csv.contains(",shipped,1,all,9,"), "{csv}");
}

#[test]
fn what_does_not_work_is_told() {
    let folder = Folder::new("lab");
    let other = folder.write("other", "something else\n");
    for (arguments, problem) in [
        (&["loss", "report", &other][..], "this does not begin with 'ollehto loss 2'"),
        (&["loss", "report", "/nowhere"], "cannot read /nowhere"),
        (&["judge", "report", &other], "this does not begin with 'ollehto judge 2'"),
        (&["judge", "check", "/nowhere", &other], "cannot read /nowhere"),
        (&["judge", "make", "--out", &other], "this is another kind of file"),
        (&["generations", &other], "does not begin with 'generation,best,fitness,mean,yardstick'"),
        (&["generations", "/nowhere"], "cannot read /nowhere"),
        (&["win-rate", "--weights", "/nowhere"], "/nowhere: "),
        (&["depth", "--player", "nobody"], "there is no player 'nobody'"),
        (&["tree", "--evaluation", "nobody"], "give one of shipped, hand-made"),
        (&["breadth", "--games", "2", "--strong", "2", "--svg", "/nowhere/x"], "cannot write /nowhere/x"),
    ] {
        let finished = lab(arguments);
        assert_eq!(finished.code, Some(1), "{arguments:?}");
        assert!(finished.stderr.contains(problem), "{arguments:?}: {}", finished.stderr);
    }
}
