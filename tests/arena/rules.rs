//! Programs that cannot be told by which rules they are to play.

use std::fs;

use rustix::process::Signal;

use crate::support::mailbox::Rules;
use crate::support::process::{OLLEHTO, find_program};
use crate::support::tournament::{Folder, play_match, refused, start};

const LIMITS: &str = "time=20";

const OPTIONS: &str = "--size 6 --openings random:4 --seed 3 --pairs 1 --jobs 2 --margin 10 --hang 10";

/// Engines that play for the most discs as far as anybody can see, and what is said of each.
const DOUBTFUL: [(&str, &str); 4] = [
    ("--quirk plain", "has no command 'rules'"),
    ("--quirk other-rules", "answers 'rules reversed' with an error (rules are chinese or japanese)"),
    ("--nboard", "does not answer 'hint 1'"),
    ("--nboard --quirk ignores-anti", "as if the most discs won"),
];

#[test]
fn whoever_may_play_another_game_is_not_let_in() {
    // One of them is waited for in vain: the others are asked meanwhile.
    let matches = DOUBTFUL.map(|(mock, problem)| {
        let folder = Folder::new("doubtful");
        let player = folder.untold_player("stranger", mock, LIMITS);
        let running = start(&folder, &["random", &player], OPTIONS);
        (mock, problem, folder, running)
    });
    for (mock, problem, folder, mut running) in matches {
        let said = running.wait().refusal();
        for part in ["stranger", problem, "assume=reversed", "--rules standard"] {
            assert!(said.contains(part), "{mock}: no {part} in {said}");
        }
        assert!(!folder.file("journal").exists(), "{mock}: a match that cannot begin leaves no journal");
        folder.expect_no_orphans();
    }
}

#[test]
fn whoever_is_vouched_for_plays() {
    for (mock, _) in DOUBTFUL {
        let folder = Folder::new("vouched");
        let player = format!("{},assume=reversed", folder.untold_player("stranger", mock, LIMITS));
        let (_, journal) = play_match(&folder, &["random", &player], OPTIONS);
        journal.verify(2, Rules::Reversed);
        assert_eq!(journal.forfeits(), [""; 0], "{mock}");
    }
}

#[test]
fn in_a_standard_match_nothing_is_asked() {
    for (mock, _) in DOUBTFUL {
        let folder = Folder::new("standard");
        let log = folder.text("log");
        let player = folder.untold_player("stranger", &format!("{mock} --log {log}"), LIMITS);
        let options = format!("{OPTIONS} --rules standard");
        let (_, journal) = play_match(&folder, &["random", &player], &options);
        journal.verify(2, Rules::Standard);
        assert_eq!(journal.forfeits(), [""; 0], "{mock}");
        let log = fs::read_to_string(log).expect("the mock has written its log");
        assert!(!log.contains("> hint"), "{mock}: {log}");
    }
}

#[test]
fn whoever_shows_that_it_knows_plays() {
    let ours = [
        format!("cmd=\"{OLLEHTO} --depth 2\",name=ours,{LIMITS}"),
        format!("cmd=\"{OLLEHTO} --depth 2\",proto=nboard,name=ours,{LIMITS}"),
    ];
    for size in [4, 6, 8] {
        let options = OPTIONS.replace("--size 6", &format!("--size {size}"));
        let folder = Folder::new("knowing");
        let mocks =
            ["", "--nboard --quirk knows-anti"].map(|mock| folder.untold_player("ours", mock, LIMITS));
        for (number, player) in ours.iter().chain(&mocks).enumerate() {
            let folder = Folder::new("knowing");
            let (_, journal) = play_match(&folder, &["random", player], &options);
            journal.verify(2, Rules::Reversed);
            assert_eq!(journal.forfeits(), [""; 0], "{number} on {size}×{size}");
        }
    }
}

/// A journal from before anything could be assumed goes on with the assumption.
#[test]
fn an_assumption_is_no_other_setting() {
    let folder = Folder::new("assumption");
    let player = folder.untold_player("stranger", "", LIMITS);
    play_match(&folder, &["random", &player], OPTIONS);
    let vouched = format!("{player},assume=reversed");
    play_match(&folder, &["random", &vouched], &format!("{OPTIONS} --resume"));
}

#[test]
fn an_interrupt_before_the_first_game_leaves_nothing() {
    let folder = Folder::new("early-interrupt");
    let silent = folder.untold_player("silent", "--fault silent", LIMITS);
    let mut running = start(&folder, &["random", &silent], &OPTIONS.replace("--hang 10", "--hang 600"));
    assert!(running.until(|| folder.has_engine()), "the program is started");
    running.signal(Signal::INT);
    assert_eq!(running.wait().code, Some(130));
    assert!(!folder.file("journal").exists());
    folder.expect_no_orphans();
}

#[test]
fn grhino_is_not_let_into_a_reversed_match() {
    let Some(rhino) = find_program("gtp-rhino", "grhino") else { return };
    let folder = Folder::new("rhino-reversed");
    let rhino = format!("cmd=\"{rhino}\",name=rhino,init=\"set_game Othello\",tc=10");
    let said = refused(&folder, &["random", &rhino], "--pairs 1");
    assert!(said.contains("rhino") && said.contains("assume=reversed"), "{said}");
}
