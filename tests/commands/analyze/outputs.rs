//! Annotated games, the page, and the examples of the document.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{analyze, first_moves, flawed_game, ggf, late, moves, parsed};
use crate::support::mailbox::Rules;
use crate::support::process::find_program;
use crate::support::tournament::Folder;

#[test]
fn annotated_games_read_back() {
    let folder = Folder::new("analyze-ggf");
    let start = late(6, 8, 8);
    let turns = flawed_game(&start, Rules::Reversed, &[0]);
    folder.write("game.ggf", &ggf(&start, Rules::Reversed, &turns, ["ant", "bee"]));
    let run = folder.run("analyze --depth 30 --json IN/game.ggf --ggf IN/annotated.ggf").well();
    let first = parsed(&run.stdout.lines().map(str::to_owned).collect::<Vec<_>>());
    let annotated = fs::read_to_string(folder.file("annotated.ggf")).expect("it is written");
    let by_number = moves(&first);
    for (number, turn) in (1..).zip(&turns) {
        let value = by_number[&number]["value"].as_f64().expect("a value");
        assert!(annotated.contains(&format!("/{value:.2}/1.50]")), "{turn:?}: {annotated}");
    }
    assert!(annotated.contains("PB[ant]PW[bee]") && annotated.contains("is better by "), "{annotated}");
    let again = folder.run("analyze --depth 30 --json IN/annotated.ggf").well();
    let second = parsed(&again.stdout.lines().map(str::to_owned).collect::<Vec<_>>());
    let lasting =
        |records: &[Value]| records.iter().filter(|each| each["type"] != "game").cloned().collect::<Vec<_>>();
    assert_eq!(lasting(&first), lasting(&second));
    let refused = folder.run("analyze --depth 1 IN/game.ggf --ggf IN/annotated.ggf");
    assert!(refused.code == Some(1) && refused.stderr.contains("exists already"), "{refused:#?}");
    let input = folder.run("analyze --depth 1 IN/game.ggf --force --ggf IN/game.ggf");
    assert!(input.code == Some(1) && input.stderr.contains("is an input"), "{input:#?}");
}

/// The page after its script has run.
fn dump(browser: &str, page: &Path, folder: &Folder, address: &str) -> String {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.file("browser").display()))
        .arg(format!("file://{}#{address}", page.display()))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .expect("the browser runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_page_runs_in_a_browser_and_escapes_what_others_wrote() {
    let folder = Folder::new("analyze-page");
    let start = late(9, 8, 8);
    let turns = flawed_game(&start, Rules::Reversed, &[2]);
    let names = ["</script><img src=x onerror=alert(1)>", "bee & \"ant\""];
    let small = late(2, 6, 6);
    let games = [
        ggf(&start, Rules::Reversed, &turns, names),
        ggf(&small, Rules::Standard, &first_moves(&small), ["", ""]),
        "f5d6a1".to_owned(),
        "-----OX--XO----- X".to_owned(),
    ];
    folder.write("games.txt", &games.join("\n"));
    let run = folder.run("analyze --level 4 --multi 2 IN/games.txt --html IN/page.html");
    assert_eq!(run.code, Some(1), "the third game has a fault: {run:#?}");
    let page = fs::read_to_string(folder.file("page.html")).expect("it is written");
    assert!(
        !page.contains("<img") && !page.contains("http:") && !page.contains("https:"),
        "nothing from outside"
    );
    let Some(browser) = find_program("chromium", "chromium") else { return };
    let page = folder.file("page.html");
    let checked = dump(&browser, &page, &folder, "selfcheck");
    assert!(!checked.contains("data-error") && checked.contains("data-ready=\"4\""), "{checked}");
    assert!(checked.contains("selfcheck ok; 4 games, "), "{checked}");
    let shown = dump(&browser, &page, &folder, "game=1&move=3");
    assert!(shown.contains("Move 3 of ") && shown.contains("&lt;img") && !shown.contains("<img"), "{shown}");
    assert!(shown.contains("class=\"verdict ") && !shown.contains("data-error"), "{shown}");
    let faulty = dump(&browser, &page, &folder, "game=3");
    assert!(faulty.contains("Analysed up to a fault: "), "{faulty}");
}

/// The commands of the document's examples, each with the output shown.
fn examples(document: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let mut examples: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        if let Some(arguments) = line.strip_prefix("$ ollehto analyze ") {
            examples.push((arguments.split_whitespace().map(str::to_owned).collect(), Vec::new()));
            inside = true;
        } else if line.starts_with("```") {
            inside = false;
        } else if inside {
            examples.last_mut().expect("one has begun").1.push(line.to_owned());
        }
    }
    examples
}

/// What of a line is the same for every search that plays perfectly: not which of several best moves it finds.
fn lasting(line: &str) -> Vec<String> {
    let cells: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
    match cells.iter().position(|cell| cell == "exact") {
        // Number, colour, move, value, then the best move.
        Some(end) => [&cells[..4], &cells[5..end]].concat(),
        None => cells,
    }
}

#[test]
fn the_document_shows_what_is_printed() {
    let document = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/analysis.md"));
    let examples = examples(&document.expect("the document"));
    assert!(!examples.is_empty());
    for (arguments, shown) in examples {
        let run = analyze(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "");
        assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{run:#?}");
        let [found, shown] = [run.lines, shown].map(|lines| {
            let lines = lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty());
            lines.map(lasting).collect::<Vec<_>>()
        });
        assert_eq!(found, shown, "{arguments:?}");
    }
}
