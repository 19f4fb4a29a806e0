//! `ollehto weights` as a process: what it shows, that nothing is lost in between, and that drawings are whole.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::tournament::{Finished, Folder, Running};

/// A few weights, with a mirror image among them, written in the order of the program.
const TABLE: &str = "\
empties,shape,pattern,discs
,rules,standard,
,origin,\"by hand, for a \"\"test\"\"\",
7,tempo,,-0.5
50,tempo,,511.984375
0-1,corner,X--------,3
0-1,edge,-X------O-,-1.015625
20-21,edge,-XXXXXXXX-,2.25
20-21,edge,OX------X-,-0.984375
20-21,other-moves,39,-1.5
52-60,diagonal-4,----,0.015625
";

fn weights(arguments: &[&str]) -> Finished {
    Running::start(&[&["weights"], arguments].concat()).wait()
}

#[track_caller]
fn well(arguments: &[&str]) -> String {
    let finished = weights(arguments);
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    finished.stdout
}

/// What is said to something that does not work.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let finished = weights(arguments);
    assert!(finished.code.is_some_and(|code| code != 0), "{arguments:?}: {finished:#?}");
    assert_eq!(finished.stdout, "");
    finished.stderr
}

/// A file of weights made from the table.
fn made(folder: &Folder) -> String {
    let (table, file) = (folder.write("made.csv", TABLE), folder.text("made.weights"));
    assert_eq!(well(&["convert", &table, &file]), "");
    file
}

#[test]
fn nothing_is_lost_between_a_file_and_a_table() {
    let folder = Folder::new("weights-convert");
    let file = made(&folder);
    let (back, again) = (folder.text("back.csv"), folder.text("again.weights"));
    well(&["convert", &file, &back]);
    // The pattern of the third but last line is the mirror image of one that comes before it.
    let read = fs::read_to_string(&back).expect("the table is written");
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let changed: Vec<_> = sorted(&read).into_iter().filter(|line| !TABLE.contains(line.as_str())).collect();
    assert!(changed.iter().all(|line| line.contains(",edge,") || line.contains(",corner,")), "{changed:?}");
    assert_eq!(read.lines().count(), TABLE.lines().count());
    well(&["convert", &back, &again]);
    let bytes = |path: &str| fs::read(path).expect("the file is there");
    assert_eq!(bytes(&file), bytes(&again));
    assert!(!Path::new(&folder.text("again.weights.new")).exists());
}

#[test]
fn what_weights_are_like_is_shown() {
    let folder = Folder::new("weights-show");
    let file = made(&folder);
    let shown = well(&["show", &file]);
    for part in ["standard rules", "version 4", "by hand, for a \"test\"", "edge-block", "52-60", "+2.25"] {
        assert!(shown.contains(part), "{part} is missing in {shown}");
    }
    let facts: Value = serde_json::from_str(&well(&["show", &file, "--json"])).expect("JSON");
    assert_eq!(facts["rules"], "standard");
    assert_eq!(facts["tempo"][7], -0.5);
    let edge = &facts["stages"][10]["shapes"][2];
    assert_eq!((&edge["shape"], &edge["nonzero"]), (&"edge".into(), &2.into()));
    assert_eq!((&edge["largest"], &facts["stages"][10]["first"]), (&2.25.into(), &20.into()));
    let size = fs::metadata(&file).expect("the file is there").len();
    assert_eq!(facts["bytes"]["file"], size);
    assert_eq!(facts["bytes"]["raw"], 128 + 27 * (226_314 + 160));
}

#[test]
fn faults_are_named() {
    let folder = Folder::new("weights-faults");
    let file = made(&folder);
    let mut bytes = fs::read(&file).expect("the file is there");
    let last = bytes.len() - 3;
    bytes[last] ^= 4;
    let damaged = folder.text("damaged.weights");
    fs::write(&damaged, &bytes).expect("a file can be written");
    let (table, drawing) = (folder.text("out.csv"), folder.text("out.svg"));
    for arguments in
        [&["show", &damaged][..], &["convert", &damaged, &table], &["draw", &damaged, "--output", &drawing]]
    {
        let said = refused(arguments);
        assert!(said.contains("damaged.weights: the file is damaged"), "{said}");
    }
    let text = folder.write("other.weights", "something else");
    assert!(refused(&["show", &text]).contains("not a file of weights"));
    let wrong = folder.write("wrong.csv", &TABLE.replace("2.25", "2.26"));
    let said = refused(&["convert", &wrong, &folder.text("wrong.weights")]);
    assert!(said.contains("wrong.csv: line 8: weight \"2.26\""), "{said}");
    assert!(refused(&["convert", &file, &folder.text("out.txt")]).contains(".csv"));
    assert!(refused(&["convert", &file, &file]).contains("a file of its own"));
    assert!(refused(&["show", &folder.text("none.weights")]).contains("none.weights"));
    assert!(refused(&["show", &file, "--rules", "standard"]).contains("cannot be used with"));
    for missing in ["out.csv", "out.svg", "wrong.weights", "out.txt"] {
        assert!(!folder.file(missing).exists(), "{missing} was written");
    }
}

#[track_caller]
fn assert_is_svg(path: &Path) {
    let check = "import sys, xml.etree.ElementTree as tree; print(tree.parse(sys.argv[1]).getroot().tag)";
    let output = Command::new("python3").args(["-c", check]).arg(path).output().expect("python3 starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.trim(), "{http://www.w3.org/2000/svg}svg", "{}: {output:?}", path.display());
}

#[test]
fn drawings_are_whole() {
    let folder = Folder::new("weights-draw");
    let file = made(&folder);
    let one = folder.file("one.svg");
    let said = well(&["draw", &file, "--output", &folder.text("one.svg"), "--empties", "20,50"]);
    assert_eq!(said.trim(), folder.text("one.svg"));
    assert_is_svg(&one);
    let drawn = fs::read_to_string(&one).expect("the drawing is written");
    for part in ["20 squares empty", "Square values", "+2.25", "player to move", "prefers-color-scheme"] {
        assert!(drawn.contains(part), "{part} is missing");
    }
    // By records, each drawing in a file of its own.
    let games = folder.text("games.olg");
    let play = "selfplay --rules standard --games 64 --depth 1 --exact 4 --threads 1 --output";
    let arguments: Vec<_> = play.split(' ').chain([games.as_str()]).collect();
    assert_eq!(Running::start(&arguments).wait().code, Some(0));
    let drawings = folder.text("drawings");
    let said = well(&["draw", &file, "--records", &games, "--output", &drawings]);
    assert_eq!(said.lines().count(), 4);
    said.lines().for_each(|path| assert_is_svg(Path::new(path)));
    // Games by other rules tell nothing.
    let other = folder.write("other.csv", &TABLE.replace("standard", "reversed"));
    let reversed = folder.text("other.weights");
    well(&["convert", &other, &reversed]);
    let said = refused(&["draw", &reversed, "--records", &games, "--output", &drawings, "--force"]);
    assert!(said.contains("no positions by reversed rules"), "{said}");
}

/// The file is for standard rules.
#[test]
fn weights_for_other_games_are_refused() {
    let folder = Folder::new("weights-unused");
    let (file, games) = (made(&folder), folder.text("games.olg"));
    let player = format!("ollehto,depth=1,name=one,weights={file}");
    let a_match = ["match", "--player", &player, "--player", "random", "--journal", &folder.text("journal")];
    for (arguments, said) in [
        (&["solve", "--start", "--weights", &file] as &[&str], "standard rules and would not be used"),
        (&["selfplay", "--games", "1", "--weights", &file, "--output", &games], "or --rules standard"),
        (&a_match, "player one: these weights are for standard rules"),
        (
            &["solve", "--start", "--rules", "standard", "--size", "4", "--weights", &file],
            "would not be used on 4×4",
        ),
    ] {
        let finished = Running::start(arguments).wait();
        assert_ne!(finished.code, Some(0), "{arguments:?}");
        assert!(finished.stderr.contains(said), "{arguments:?}: {}", finished.stderr);
    }
}

#[test]
fn a_match_goes_on_with_the_same_weights_only() {
    let folder = Folder::new("weights-changed");
    let (file, journal) = (made(&folder), folder.text("journal"));
    let player = format!("ollehto,depth=1,name=one,weights={file}");
    let play = |options: &[&str]| {
        let players = ["match", "--rules", "standard", "--player", &player, "--player", "random"];
        Running::start(&[&players, &["--journal", &journal] as &[&str], options].concat()).wait()
    };
    assert_eq!(play(&["--pairs", "1"]).code, Some(0));
    assert_eq!(play(&["--pairs", "2", "--resume"]).code, Some(0), "the same file");
    let table = folder.write("other.csv", &TABLE.replace("2.25", "2.5"));
    well(&["convert", &table, &file, "--force"]);
    let refused = play(&["--pairs", "3", "--resume"]);
    assert_ne!(refused.code, Some(0));
    assert!(refused.stderr.contains("checksum of the weights of player 1"), "{}", refused.stderr);
}
