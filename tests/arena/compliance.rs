//! `ollehto compliance`: our own engine passes everything, and what others do wrong is named.

use rustix::process::Signal;

use crate::support::process::{OLLEHTO, find_program};
use crate::support::tournament::{Finished, Folder, Running};

/// What a busy machine may add to every time limit, where no step waits for it to pass.
const AMPLE: &str = "--margin 300";

/// The same where steps wait in vain, for engines that do not offer them or never answer.
const ENOUGH: &str = "--margin 5";

/// Begins to examine an engine.
fn begin(command: &str, options: &str, margin: &str) -> Running {
    let mut arguments = vec!["compliance", command];
    arguments.extend([options, margin].iter().flat_map(|text| text.split_ascii_whitespace()));
    Running::start(&arguments)
}

/// Examines an engine to the end.
fn examine(command: &str, options: &str, margin: &str) -> Finished {
    begin(command, options, margin).wait()
}

/// The verdict on a step and what is said about it.
#[track_caller]
fn verdict<'a>(finished: &'a Finished, step: &str) -> (&'a str, &'a str) {
    let row = finished.stdout.lines().find_map(|line| line.get(5..)?.strip_prefix(step)?.strip_prefix("  "));
    let Some(row) = row else { panic!("there is no step '{step}' in {finished:#?}") };
    let row = row.trim_start();
    let (word, detail) = row.split_once(' ').unwrap_or((row, ""));
    (word, detail.trim_start())
}

/// Demands a verdict and a part of what is said about it.
#[track_caller]
fn expect(finished: &Finished, step: &str, word: &str, part: &str) {
    let (found, detail) = verdict(finished, step);
    assert!(found == word && detail.contains(part), "{step}: {found} {detail}, not {word} …{part}…");
}

fn last_line(finished: &Finished) -> &str {
    finished.stdout.lines().last().unwrap_or_default()
}

#[test]
fn ours_passes_over_gtp() {
    let finished = examine(OLLEHTO, "", AMPLE);
    assert_eq!(finished.code, Some(0), "{}", finished.stdout);
    assert!(last_line(&finished).ends_with(" passed, 0 failed, 0 skipped"), "{}", finished.stdout);
    assert_eq!(verdict(&finished, "list of commands").0, "pass");
}

#[test]
fn ours_passes_over_nboard() {
    // The examiner waits for silences, twice in the same time.
    let examinations = ["reversed", "standard"]
        .map(|rules| begin(OLLEHTO, &format!("--proto nboard --rules {rules}"), AMPLE));
    for mut examination in examinations {
        let finished = examination.wait();
        assert_eq!(finished.code, Some(0), "{}", finished.stdout);
        assert!(last_line(&finished).ends_with(" passed, 0 failed, 0 skipped"), "{}", finished.stdout);
    }
}

#[test]
fn ours_passes_over_uci() {
    let examinations =
        ["reversed", "standard"].map(|rules| begin(OLLEHTO, &format!("--proto uci --rules {rules}"), AMPLE));
    for mut examination in examinations {
        let finished = examination.wait();
        assert_eq!(finished.code, Some(0), "{}", finished.stdout);
        assert!(last_line(&finished).ends_with(" passed, 0 failed, 0 skipped"), "{}", finished.stdout);
    }
}

#[test]
fn an_engine_of_another_protocol_fails_the_first_step() {
    // It takes `uci` for a command that it does not have.
    let finished = examine(&format!("{OLLEHTO} --protocol gtp"), "--proto uci", "--margin 1");
    assert_eq!(finished.code, Some(1), "{}", finished.stdout);
    expect(&finished, "uci", "FAIL", "no uciok within");
    expect(&finished, "quit", "skip", "the engine does not answer");
}

#[test]
fn what_is_not_offered_is_skipped() {
    let folder = Folder::new("compliance-plain");
    let finished = examine(&folder.mock(""), "--rules standard", AMPLE);
    assert_eq!(finished.code, Some(0), "{}", finished.stdout);
    expect(&finished, "undo", "skip", "undo is not listed");
    expect(&finished, "interrupt", "skip", "gogui-interrupt is not listed");
    expect(&finished, "rules: board", "skip", "gogui-rules_game_id is not listed");
    expect(&finished, "whole game with its own clock", "pass", "moves");
    folder.expect_no_orphans();
}

#[test]
fn what_is_wrong_over_gtp_is_named() {
    let table = [
        ("--quirk banner", "no stray output", "'Mock 1.0, ready' is outside"),
        ("--quirk no-blank", "blank before the text", "lacks the blank"),
        ("--quirk id-apart", "ids are echoed", "has a blank before the id"),
        ("--quirk lower", "spellings of colours and squares", "'play B d3'"),
        ("--quirk no-pass", "forced pass, told", "PASS is refused: syntax error"),
        ("--quirk repeats", "end of the game", "not 'pass'"),
        ("--fault illegal", "genmove", "which is illegal"),
        ("--fault words", "genmove", "which is not a move"),
        ("--fault gives-up", "genmove", "is refused: I give up"),
        ("--fault dies", "genmove", "genmove black: has closed its output"),
    ];
    for (options, step, part) in table {
        let folder = Folder::new("compliance-gtp");
        let finished = examine(&folder.mock(options), "--rules standard", AMPLE);
        assert_eq!(finished.code, Some(1), "{options}: {}", finished.stdout);
        expect(&finished, step, "FAIL", part);
        // The process is started anew after every failure, so that one does not bring all others with it.
        expect(&finished, "quit", "pass", "ended");
        folder.expect_no_orphans();
    }
}

#[test]
fn the_score_is_that_of_the_rules() {
    let folder = Folder::new("compliance-score");
    let finished = examine(&folder.mock(""), "--rules reversed", AMPLE);
    expect(&finished, "whole game with its own clock", "FAIL", "by the reversed rules");
}

#[test]
fn an_engine_that_never_ends_is_ended() {
    let folder = Folder::new("compliance-stubborn");
    let finished = examine(&folder.mock("--quirk stubborn"), "--rules standard", "--margin 1");
    assert_eq!(finished.code, Some(1), "{}", finished.stdout);
    expect(&finished, "quit", "FAIL", "quit: did not answer");
    expect(&finished, "end of input", "FAIL", "still running after 3.0 s");
    folder.expect_no_orphans();
}

#[test]
fn nobody_there() {
    let folder = Folder::new("compliance-nobody");
    for (command, part) in [
        (folder.mock("--fault dies-at-start"), "protocol_version"),
        ("/no/such/engine".to_owned(), "cannot be started"),
    ] {
        let finished = examine(&command, "", AMPLE);
        assert_eq!(finished.code, Some(1), "{}", finished.stdout);
        expect(&finished, "starts and speaks GTP 2", "FAIL", part);
        expect(&finished, "quit", "skip", "the engine does not answer");
        assert!(last_line(&finished).starts_with("0 passed, 1 failed, "), "{}", finished.stdout);
    }
    let finished = examine("'unclosed", "", AMPLE);
    assert!(finished.code != Some(0) && finished.stderr.contains("not closed"), "{finished:#?}");
}

#[test]
fn what_is_wrong_over_nboard_is_named() {
    let folder = Folder::new("compliance-nboard");
    let finished = examine(&folder.mock("--nboard --quirk edax"), "--proto nboard", ENOUGH);
    assert_eq!(finished.code, Some(1), "{}", finished.stdout);
    expect(&finished, "whole game by move lines", "pass", "moves");
    expect(&finished, "hint: form", "FAIL", "no hint within");
    expect(&finished, "nothing old after a pong", "skip", "it gives no hints");
    expect(&finished, "analyze", "pass", "11 positions");
    expect(&finished, "bad game texts", "FAIL", "has closed its output after 'set game rubbish'");
    expect(&finished, "end of input", "pass", "ended");
    folder.expect_no_orphans();
}

#[test]
fn illegal_moves_over_nboard_are_named() {
    let folder = Folder::new("compliance-nboard-illegal");
    let finished =
        examine(&folder.mock("--nboard --fault illegal --quirk knows-anti"), "--proto nboard", ENOUGH);
    assert_eq!(finished.code, Some(1), "{}", finished.stdout);
    expect(&finished, "go without a game", "FAIL", "which is illegal in");
    expect(&finished, "analyze", "skip", "it does not analyze");
    folder.expect_no_orphans();
}

/// Such as PlayStrategy's Fairy-Stockfish, where fewest discs do not win.
#[cfg(unix)]
#[test]
fn a_uci_engine_of_other_rules_than_its_variants_is_named() {
    let engine = format!("sh -c 'sed -u s/antiflipello/flipello/ | {OLLEHTO} --no-book'");
    let finished = examine(&engine, "--proto uci", ENOUGH);
    expect(&finished, "variant", "pass", "antiflipello");
    expect(&finished, "rules", "FAIL", "but antiflipello is played by others");
}

#[test]
fn an_interrupt_leaves_no_orphan() {
    let folder = Folder::new("compliance-interrupt");
    let command = folder.mock("--quirk stubborn --fault silent");
    let mut running = Running::start(&["compliance", &command]);
    assert!(running.until(|| folder.has_engine()));
    running.signal(Signal::INT);
    assert_eq!(running.wait().code, Some(130));
    folder.expect_no_orphans();
}

#[test]
fn an_engine_of_others() {
    let Some(rhino) = find_program("gtp-rhino", "grhino") else { return };
    let finished = examine(&rhino, "--rules standard", ENOUGH);
    expect(&finished, "forced pass, told", "FAIL", "PASS is refused");
    expect(&finished, "forced pass, left out", "pass", "");
    expect(&finished, "rules: legal moves", "skip", "not listed");
    expect(&finished, "no stray output", "pass", "");
}
