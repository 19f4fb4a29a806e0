//! `ollehto lab`: every experiment on a small size, to the last digit shown, and the command around them.
//!
//! The tables follow from seeds, search and evaluation alone. A change of these changes them: look at what is found, and
//! if it is as it should be, put it in place of the file in `tests/data/lab`.

use std::fs;
use std::time::Duration;

use ollehto::rules::Rules;
use ollehto::tools::lab::Sheet;
use ollehto::tools::lab::breadth::{self, Breadth};
use ollehto::tools::lab::colour::{self, Colours};
use ollehto::tools::lab::depth::{self, Depths};
use ollehto::tools::lab::features::{self, Features};
use ollehto::tools::lab::games::Limit;
use ollehto::tools::lab::loss::{self, LossSet, Making};
use ollehto::tools::lab::measures::{self, Measures};
use ollehto::tools::lab::tree::{self, Tree};
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
    let making = Making {
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
    let sheets = breadth::run(&Breadth { games: 60, strong: 4, depth: 1, seed: 1, jobs: 2 });
    same(&sheets, include_str!("../data/lab/breadth.txt"));
}

#[test]
fn trees() {
    let tree = Tree {
        rules: Rules::Reversed,
        evaluation: "maximax".into(),
        discs: vec![4, 25, 58],
        depths: vec![2, 4],
        positions: 3,
        seed: 1,
        jobs: 2,
    };
    same(&tree::run(&tree).expect("an opponent"), include_str!("../data/lab/tree.txt"));
    let unknown = tree::run(&Tree { evaluation: "nobody".into(), ..tree }).expect_err("no such evaluation");
    assert!(unknown.contains("nobody"), "{unknown}");
}

#[test]
fn features() {
    let sheets = features::run(&Features { pairs: 3, depth: 1, plies: 6, seed: 1, jobs: 2 });
    same(&sheets, include_str!("../data/lab/features.txt"));
}

#[test]
fn measures() {
    let folder = Folder::new("measures");
    let measures = Measures {
        rules: Rules::Reversed,
        players: names(&["random", "greedy", "minimax3", "three-stage", "ollehto"]),
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
    let depths = Depths {
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
    let unknown =
        depth::run(&Depths { players: names(&["nobody"]), ..depths.clone() }).expect_err("no such player");
    assert!(unknown.to_string().contains("there is no player 'nobody': give ollehto, random"), "{unknown}");
    // By the clock only what does not depend on it can be said.
    let timed = Depths { limit: Limit::Time(Duration::from_millis(5)), pairs: 1, positions: 1, ..depths };
    assert_eq!(depth::run(&timed).expect("players").len(), 2);
}

#[test]
fn colours() {
    let sheets = colour::run(&Colours { games: 6, depth: 1, plies: 6, seed: 1, jobs: 2 });
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
fn what_does_not_work_is_told() {
    let folder = Folder::new("lab");
    let other = folder.write("other", "something else\n");
    for (arguments, problem) in [
        (&["loss", "report", &other][..], "this does not begin with 'ollehto loss 1'"),
        (&["loss", "report", "/nowhere"], "cannot read /nowhere"),
        (&["depth", "--player", "nobody"], "there is no player 'nobody'"),
        (&["tree", "--evaluation", "nobody"], "give one of shipped, hand-made"),
        (&["breadth", "--games", "2", "--strong", "2", "--svg", "/nowhere/x"], "cannot write /nowhere/x"),
    ] {
        let finished = lab(arguments);
        assert_eq!(finished.code, Some(1), "{arguments:?}");
        assert!(finished.stderr.contains(problem), "{arguments:?}: {}", finished.stderr);
    }
}
