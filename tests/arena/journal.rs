//! The journal when more than one process wants it.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::thread;

use ollehto::arena::journal::{
    self, GameEnding, GameRecord, Journal, JournalError, JournalHeader, PlayerEntry, VERSION,
};

use crate::support::tournament::Folder;

fn header() -> JournalHeader {
    let player = |name: &str| PlayerEntry { name: name.into(), spec: name.into(), weights: None };
    JournalHeader {
        version: VERSION,
        rules: "reversed".into(),
        size: 8,
        players: ["random", "greedy"].map(player).into(),
        format: "round-robin".into(),
        pairs: 500,
        openings: "random:4".into(),
        seed: 1,
        adjudicate: None,
        sprt: None,
        margin: 0.2,
    }
}

fn game(number: u32) -> GameRecord {
    GameRecord {
        number,
        black: "random".into(),
        white: "greedy".into(),
        start: String::new(),
        opening: String::new(),
        moves: Vec::new(),
        score: 0,
        ending: GameEnding::Played,
    }
}

/// A journal that another referee has open, as far as it has written it.
fn held(path: &Path, text: &str) -> File {
    let mut file = File::create_new(path).expect("a new file");
    file.lock().expect("nobody else has it");
    file.write_all(text.as_bytes()).expect("it can be written");
    file
}

/// Whoever cannot lock a journal must not have touched it, and has nothing to say about what it holds.
#[test]
fn a_journal_in_use_is_neither_changed_nor_judged() {
    let folder = Folder::new("in-use");
    let whole = folder.file("whole");
    drop(Journal::create(&whole, &header()).expect("a new journal"));
    let line = fs::read_to_string(&whole).expect("it is there");
    let mut other = header();
    other.seed += 1;
    let half_a_game = format!("{line}{{\"game\":{{\"number\":0,");
    for (name, text) in
        [("nothing", ""), ("header", &line[..20]), ("game", &half_a_game), ("broken", "?\n?\n")]
    {
        let path = folder.file(name);
        let writer = held(&path, text);
        for header in [header(), other.clone()] {
            let refused = Journal::resume(&path, header.pairs, |_| header.clone());
            assert!(matches!(refused, Err(JournalError::InUse(_))), "{name}: {refused:?}");
            assert_eq!(fs::read_to_string(&path).expect("it is there"), text, "{name}");
        }
        drop(writer);
    }
}

/// Several writers take turns, each of them as soon as it can: nobody's games are cut off.
#[test]
fn writers_that_take_turns_lose_no_game() {
    const WRITERS: u32 = 4;
    const GAMES: u32 = 100;
    let folder = Folder::new("turns");
    let path = folder.file("journal");
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let path = &path;
            scope.spawn(move || {
                for number in (0..GAMES).map(|game| game * WRITERS + writer) {
                    let mut journal = loop {
                        match Journal::resume(path, header().pairs, |_| header()) {
                            Ok((journal, _)) => break journal,
                            Err(JournalError::InUse(_)) => thread::yield_now(),
                            Err(error) => panic!("{error}"),
                        }
                    };
                    journal.append(&game(number)).expect("it can be written");
                }
            });
        }
    });
    let games = journal::read(&path).expect("a whole journal").games;
    assert_eq!(games.into_keys().collect::<Vec<_>>(), (0..WRITERS * GAMES).collect::<Vec<_>>());
}
