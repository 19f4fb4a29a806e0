//! Text of strangers in whatever the program writes: names, comments and details that would be markup, a formula or an
//! order to the terminal.

use std::fs;

use serde_json::{Value, json};

use crate::support::tournament::Folder;

const MARKUP: &str = "</script><script>alert(1)</script>\" onload=\"x' ]]>";
const FORMULA: &str = "=cmd|'/C calc'!A0";
const TERMINAL: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}\u{9b}31m";

/// A journal of version 1, which anybody can write by hand.
fn journal(names: [&str; 2]) -> String {
    let players = names.map(|name| json!({ "name": name, "spec": format!("cmd=\"{name}\"") }));
    let header = json!({ "header": {
        "version": 1, "rules": "reversed", "size": 4, "players": players, "format": "round-robin", "pairs": 1,
        "openings": MARKUP, "seed": 1, "adjudicate": null, "sprt": null, "margin": 0.2,
    }});
    let game = |number: u32, [black, white]: [&str; 2]| {
        json!({ "game": {
            "number": number, "black": black, "white": white, "start": "-----OX--XO----- X", "opening": "",
            "moves": [], "score": 16,
            "ending": {
                "kind": "forfeit", "by": "white", "reason": "crash",
                "detail": names[0], "exit": names[0], "stderr": names[0],
            },
        }})
    };
    let [one, other] = names;
    [header, game(0, [one, other]), game(1, [other, one])].map(|line| format!("{line}\n")).concat()
}

/// No character of it acts on a terminal.
#[track_caller]
fn assert_plain(text: &str) {
    let is_active =
        |c: char| (c.is_control() && !"\n\r\t".contains(c)) || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(is_active), "{text:?}");
}

/// Data within a script element cannot close it, and text cannot open one: the page has as many as its template.
#[track_caller]
fn assert_markup_is_text(page: &str) {
    assert_eq!(page.matches("<script").count(), page.matches("</script").count(), "{page}");
    assert!(!page.contains("<script>alert") && !page.contains("</script><script>"), "{page}");
    assert!(!page.contains("\" onload=\""), "{page}");
}

#[test]
fn reports_of_a_match_show_names_as_they_are() {
    let folder = Folder::new("foreign-match");
    for name in [MARKUP, FORMULA, TERMINAL] {
        folder.write("journal", &journal([name, "-1+1"]));
        let report = folder.run("report IN/journal --html IN/page.html --csv IN/games.csv --force").well();
        assert_plain(&report.stdout);
        assert_plain(&report.stderr);
        let page = fs::read_to_string(folder.file("page.html")).expect("a page");
        assert_markup_is_text(&page);
        assert_plain(&page);
        let table = fs::read_to_string(folder.file("games.csv")).expect("a table");
        let fields = table.split([',', '\n']).map(|field| field.trim_matches(['"', '\r']));
        let formulas = fields.filter(|field| field.starts_with(['=', '+', '-', '@']));
        assert!(formulas.into_iter().all(|field| field.parse::<f64>().is_ok()), "{table}");
    }
}

#[test]
fn analyses_show_names_and_comments_as_they_are() {
    let folder = Folder::new("foreign-game");
    for name in [MARKUP, FORMULA, TERMINAL] {
        // A bracket would end the field.
        let name = name.replace(']', "");
        let game = format!(
            "(;GM[Othello]PC[{name}]PB[{name}]PW[{name}]CO[{name}]TY[4a]BO[4 -----O*--*O----- *]B[A2]W[A3];)\n"
        );
        folder.write("game.ggf", &game);
        let said =
            folder.run("analyze IN/game.ggf --depth 1 --html IN/page.html --ggf IN/out.ggf --force").well();
        assert_plain(&said.stdout);
        assert_plain(&said.stderr);
        let page = fs::read_to_string(folder.file("page.html")).expect("a page");
        assert_markup_is_text(&page);
        assert_plain(&page);
        let written = fs::read_to_string(folder.file("out.ggf")).expect("a game");
        assert!(!written.contains(|c: char| c.is_control() && c != '\n'), "{written:?}");
        let lines = folder.run("analyze IN/game.ggf --depth 1 --json").well().stdout;
        assert_plain(&lines);
        lines.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).expect("JSON")));
    }
}

#[test]
fn faults_show_words_as_they_are() {
    let folder = Folder::new("foreign-fault");
    let bad = TERMINAL.replace(']', "");
    let board = "BO[4 -----O*--*O----- *]";
    for text in [
        format!("{bad}\n"),
        format!("b1 {bad}\n"),
        format!("(;{board}B[B1]W[{bad}];)\n"),
        format!("(;{board}B[B1]W[A1];) {bad}\n"),
        format!("#1r4=b1{bad}\n"),
    ] {
        folder.write("game.txt", &text);
        let said = folder.run("analyze IN/game.txt --depth 1");
        assert!(said.code == Some(1) && said.stderr.contains("line 1"), "{said:?}");
        assert_plain(&said.stdout);
        assert_plain(&said.stderr);
        let said = folder.run("play IN/game.txt --plain");
        assert!(said.stdout.contains("line 1") || said.stderr.contains("line 1"), "{said:?}");
        assert_plain(&said.stdout);
        assert_plain(&said.stderr);
    }
}

/// What a stranger's file makes us say.
#[test]
fn complaints_are_plain() {
    let folder = Folder::new("foreign-complaint");
    folder.write("journal", &journal([TERMINAL, "b"]));
    let refused = "match --player random --player greedy --size 4 --pairs 1 --resume --journal IN/journal";
    let said = folder.run(refused).refusal();
    assert!(said.contains("other settings"), "{said}");
    assert_plain(&said);
    folder.write("values", &format!("ollehto values 1: {TERMINAL}\n"));
    assert_plain(&folder.run("openings --plies 2 --depth 1 --values IN/values").refusal());
}

/// The commands in a stranger's journal are never run: those of the command line must be the same.
#[test]
fn a_journal_starts_no_program() {
    let folder = Folder::new("foreign-command");
    let mark = folder.text("mark");
    let text = journal(["a", "b"]).replace("cmd=\\\"a\\\"", &format!("cmd=\\\"touch {mark}\\\""));
    assert!(text.contains("touch"), "{text}");
    folder.write("journal", &text);
    folder.run("report IN/journal --html IN/page.html").well();
    folder
        .run("match --player random --player greedy --size 4 --pairs 1 --resume --journal IN/journal")
        .refusal();
    assert!(!folder.file("mark").exists());
}
