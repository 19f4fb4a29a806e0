//! `ollehto selfplay` as a process: that its games depend on their numbers alone, and that none is lost or damaged
//! without a word.

use std::collections::{BTreeMap, HashSet};
use std::fs;

use rustix::process::Signal;

use crate::support::mailbox::{Mailbox, Move, Rules, Side};
use crate::support::tournament::{Finished, Folder, Running};

/// Three blocks, the last of them not full, of games that take no time.
const SMALL: &str = "--games 150 --depth 1 --exact 6 --random 20..50 --seed 7";

const GAMES: usize = 150;

fn start(folder: &Folder, file: &str, options: &str) -> Running {
    let output = folder.text(file);
    let mut arguments = vec!["selfplay", "--output", &output];
    arguments.extend(options.split_ascii_whitespace());
    Running::start(&arguments)
}

#[track_caller]
fn play(folder: &Folder, file: &str, options: &str) -> Finished {
    let finished = start(folder, file, options).wait();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(finished.stdout, "", "the games go to the file");
    finished
}

/// Plays what must be refused; what is said of it.
#[track_caller]
fn refused(folder: &Folder, file: &str, options: &str) -> String {
    let before = fs::read(folder.file(file)).expect("the file is there");
    let finished = start(folder, file, options).wait();
    assert_eq!(finished.code, Some(1), "{finished:#?}");
    assert_eq!(fs::read(folder.file(file)).expect("still"), before, "the file is left alone");
    finished.stderr
}

fn records(arguments: &[&str]) -> Finished {
    Running::start(&[&["records"], arguments].concat()).wait()
}

/// The games of a file by number, as lines.
#[track_caller]
fn games(folder: &Folder, file: &str) -> BTreeMap<u64, String> {
    let finished = records(&[&folder.text(file), "--moves", "1000000"]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let mut games = BTreeMap::new();
    for line in finished.stdout.lines() {
        let (number, game) = line.split_once(' ').expect("a number and a game");
        let former = games.insert(number.parse().expect("a number"), game.to_owned());
        assert_eq!(former, None, "game {number} is there twice");
    }
    games
}

/// The end of a game of these moves, forced passes left out.
#[track_caller]
fn play_through(moves: &str) -> Mailbox {
    let mut board = Mailbox::start(8);
    for name in moves.as_bytes().chunks(2) {
        if board.must_pass() {
            board.play(Move::Pass).expect("there is no other move");
        }
        let turn = board.read(str::from_utf8(name).expect("plain text")).expect("a square");
        board.play(turn).expect("legal");
    }
    board
}

/// Goes on with a file that was cut; what it says of that.
fn play_rest(folder: &Folder, whole: &[u8], kept: usize, wanted: &BTreeMap<u64, String>) -> String {
    fs::write(folder.file("cut"), &whole[..kept]).expect("a file can be written");
    let finished = play(folder, "cut", SMALL);
    assert_eq!(games(folder, "cut"), *wanted, "cut after {kept} bytes");
    finished.stderr
}

#[test]
fn games_depend_on_neither_threads_nor_shards() {
    let folder = Folder::new("selfplay");
    let said = play(&folder, "one", &format!("{SMALL} --threads 1"));
    assert!(said.stderr.contains("150 games in "), "{}", said.stderr);
    let wanted = games(&folder, "one");
    assert_eq!(wanted.keys().copied().collect::<Vec<_>>(), (0..GAMES as u64).collect::<Vec<_>>());
    assert_eq!(wanted.values().collect::<HashSet<_>>().len(), GAMES, "no two games are the same");
    play(&folder, "two", &format!("{SMALL} --threads 2"));
    assert_eq!(games(&folder, "two"), wanted);
    let mut merged = Vec::new();
    for (shard, file) in [("1/2", "first"), ("2/2", "second")] {
        play(&folder, file, &format!("{SMALL} --shard {shard}"));
        assert!(games(&folder, file).len() < GAMES, "a shard is a part");
        merged.extend(fs::read(folder.file(file)).expect("the shard is there"));
    }
    fs::write(folder.file("merged"), merged).expect("a file can be written");
    assert_eq!(games(&folder, "merged"), wanted);
    // Nothing is left to do, whoever has done it.
    let said = play(&folder, "merged", SMALL);
    assert!(said.stderr.contains("150 of 150 games are there already"), "{}", said.stderr);
    assert!(!said.stderr.contains("games/s"), "{}", said.stderr);
    assert_eq!(games(&folder, "merged"), wanted);
}

#[test]
fn games_end_as_the_rules_say() {
    let folder = Folder::new("selfplay-rules");
    for (name, rules) in [("reversed", Rules::Reversed), ("standard", Rules::Standard)] {
        play(&folder, name, &format!("--games 20 --depth 2 --exact 6 --random 4..30 --rules {name}"));
        for game in games(&folder, name).values() {
            let (result, moves) = game.split_once(' ').expect("a result and moves");
            let result: i32 = result.parse().expect("a result");
            let board = play_through(&moves.replace('|', ""));
            assert!(board.is_over(), "{game}");
            assert_eq!(board.final_score(Side::Black, rules), result, "{game}");
        }
    }
}

#[test]
fn a_torn_file_is_mended() {
    let folder = Folder::new("selfplay-torn");
    play(&folder, "whole", SMALL);
    let (whole, wanted) = (fs::read(folder.file("whole")).expect("games"), games(&folder, "whole"));
    for kept in [0, 1, 30, 44, 45, whole.len() / 2, whole.len() - 1] {
        let said = play_rest(&folder, &whole, kept, &wanted);
        assert_eq!(said.contains("was torn"), kept > 0, "{said}");
    }
    play_rest(&folder, &whole, whole.len(), &wanted);
}

#[test]
fn more_games_are_added_to_those_there_are() {
    let folder = Folder::new("selfplay-more");
    play(&folder, "more", &SMALL.replace("150", "70"));
    let few = games(&folder, "more");
    play(&folder, "more", SMALL);
    let more = games(&folder, "more");
    assert_eq!((few.len(), more.len()), (70, GAMES));
    assert!(few.iter().all(|(number, game)| more[number] == *game));
    play(&folder, "whole", SMALL);
    assert_eq!(more, games(&folder, "whole"));
}

#[test]
fn an_interrupt_keeps_all_whole_blocks() {
    let folder = Folder::new("selfplay-interrupt");
    let options = "--games 100000 --depth 2 --exact 8 --threads 2";
    let length = || fs::metadata(folder.file("games")).map_or(0, |data| data.len());
    let mut running = start(&folder, "games", options);
    assert!(running.until(|| length() > 0), "it plays");
    running.signal(Signal::INT);
    let finished = running.wait();
    assert_eq!(finished.code, Some(130), "{finished:#?}");
    assert!(finished.stderr.contains("the same command goes on"), "{}", finished.stderr);
    let before = games(&folder, "games");
    assert!(before.len() >= 64 && before.len().is_multiple_of(64), "{} games", before.len());
    // The file is whole: what was played is not played again.
    let fewer = options.replace("100000", "64");
    let finished = play(&folder, "games", &fewer);
    assert!(!finished.stderr.contains("was torn"), "{}", finished.stderr);
    assert!(games(&folder, "games").len() >= before.len());
}

#[test]
fn games_of_other_settings_are_refused() {
    let folder = Folder::new("selfplay-other");
    play(&folder, "games", SMALL);
    for (option, other) in [
        ("--depth 1", "--depth 2"),
        ("--exact 6", "--exact 7"),
        ("--random 20..50", "--random 20..40"),
        ("--seed 7", "--seed 8"),
        ("--seed 7", "--seed 7 --rules standard"),
        ("--seed 7", "--seed 7 --play-for standard"),
        ("--seed 7", "--seed 7 --noise-before-solve"),
        ("--seed 7", "--seed 7 --detours 1"),
    ] {
        let said = refused(&folder, "games", &SMALL.replace(option, other));
        assert!(
            said.contains("other settings (reversed rules, playing for reversed, depth 1, exact from 6"),
            "{said}"
        );
        assert!(said.contains("give the same options, or another file"), "{said}");
    }
}

#[test]
fn damage_is_told_with_its_place_and_mended() {
    let folder = Folder::new("selfplay-damage");
    play(&folder, "games", SMALL);
    let whole = fs::read(folder.file("games")).expect("games");
    let second = (1..whole.len()).find(|&at| whole[at..].starts_with(b"OLRG")).expect("a second block");
    let (path, wanted) = (folder.text("games"), games(&folder, "games"));
    for (at, words) in [(second + 20, "header"), (second + 60, "do not agree"), (second, "no block")] {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        fs::write(folder.file("games"), &damaged).expect("a file can be written");
        let said = records(&[&path]).stderr;
        assert!(said.contains(&format!("byte {second}: ")) && said.contains(words), "{said}");
        assert!(said.contains(&path) && said.contains("plays it again"), "{said}");
        // The others are kept, this one is played again.
        let said = play(&folder, "games", SMALL).stderr;
        assert!(said.contains(&format!("bytes {second} to ")) && said.contains(words), "{said}");
        assert!(said.contains(&format!("{path}.damaged")), "{said}");
        assert_eq!(games(&folder, "games"), wanted);
        assert_eq!(fs::read(folder.file("games.damaged")).expect("it is kept"), damaged);
        fs::remove_file(folder.file("games.damaged")).expect("it was ours");
    }
    fs::write(folder.file("games"), "A text of mine\n").expect("a file can be written");
    let said = refused(&folder, "games", SMALL);
    assert!(said.contains("is it the right file?"), "{said}");
}

#[test]
fn a_table_tells_what_files_hold() {
    let folder = Folder::new("selfplay-table");
    play(&folder, "a", SMALL);
    play(&folder, "d", &SMALL.replace("--seed 7", "--seed 7 --detours 2"));
    // The old names of both options.
    play(&folder, "b", &SMALL.replace("--seed 7", "--seed 8 --rules standard --stray"));
    play(&folder, "c", &SMALL.replace("--seed 7", "--seed 8 --rules standard --goal reversed"));
    let finished = records(&[&folder.text("a"), &folder.text("b"), &folder.text("c")]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let rows: Vec<Vec<&str>> =
        finished.stdout.lines().map(|line| line.split_ascii_whitespace().collect()).collect();
    assert_eq!(rows.len(), 5, "{}", finished.stdout);
    assert_eq!(rows[1][1..5], ["reversed", "reversed", "no", "150"]);
    assert_eq!(rows[2][1..5], ["standard", "standard", "yes", "150"]);
    assert_eq!(rows[3][1..5], ["standard", "reversed", "no", "150"]);
    assert_eq!(rows[4][..2], ["all", "450"]);
    let table = records(&[&folder.text("d")]).stdout;
    let row: Vec<&str> = table.lines().nth(1).expect("a row").split_ascii_whitespace().collect();
    let [positions, values, fair, detours] = [5, 6, 7, 8].map(|at| row[at].parse::<u32>().expect("a number"));
    assert!(values < positions && fair < positions && (100..=300).contains(&detours), "{table}");
    assert_eq!(records(&[&folder.text("a"), "--moves", "3"]).stdout.lines().count(), 3);
    assert_eq!(records(&[&folder.text("nowhere")]).code, Some(1));
}

#[test]
fn positions_are_exported() {
    let folder = Folder::new("selfplay-export");
    // An export keeps the order of the file; one thread writes blocks in the order of their numbers.
    play(&folder, "a", &SMALL.replace("--seed 7", "--seed 7 --detours 2 --threads 1"));
    play(&folder, "b", &SMALL.replace("--seed 7", "--seed 7 --rules standard"));
    let [a, b, output] = ["a", "b", "positions"].map(|name| folder.text(name));
    let finished = records(&["export", &a, "--output", &output]);
    assert_eq!((finished.code, finished.stdout.as_str()), (Some(0), ""), "{finished:#?}");
    let bytes = fs::read(&output).expect("it is written");
    let exported: Vec<&[u8]> = bytes.chunks_exact(20).collect();
    assert!(
        finished.stderr.starts_with(&format!("150 games, {} positions, ", exported.len())),
        "{}",
        finished.stderr
    );
    let mut at = exported.iter();
    for game in games(&folder, "a").values() {
        let (result, moves) = game.split_once(' ').expect("a result and moves");
        let result: i8 = result.parse().expect("a result");
        let (random, played) = moves.split_once('|').expect("a bar");
        let mut detours = 0;
        for ply in 0..played.len() / 2 {
            let record = at.next().expect("a record for every position");
            let before = format!("{random}{}", &played[..2 * ply]);
            let mut board = play_through(&before);
            if board.must_pass() {
                board.play(Move::Pass).expect("there is no other move");
            }
            let [own, other] =
                [0, 8].map(|at| u64::from_le_bytes(record[at..at + 8].try_into().expect("8 bytes")));
            assert_eq!(own & other, 0);
            let empties = 60 - before.len() / 2;
            assert_eq!((64 - (own | other).count_ones(), record[18] & 63), (empties as u32, empties as u8));
            assert_eq!(record[18] >> 7 == 1, empties <= 6, "solved");
            let is_black = board.to_move() == Side::Black;
            assert_eq!(record[16].cast_signed(), if is_black { result } else { -result });
            let name = &played[2 * ply..2 * ply + 2];
            let square = (name.as_bytes()[0] - b'a') + 8 * (name.as_bytes()[1] - b'1');
            assert_eq!(record[19] & 63, square);
            assert_eq!(record[19] >> 7 == 1, ply == 0, "first");
            // No value from the solve on, and a fair result.
            assert!(empties > 6 || (record[17] == 0x80 && record[18] & 64 != 0));
            detours += record[19] >> 6 & 1;
        }
        assert!(detours <= 2);
    }
    assert!(at.next().is_none());
    let finished = records(&["export", &a, &b, "--output", &output, "--force"]);
    assert_eq!(finished.code, Some(1), "{finished:#?}");
    assert!(
        finished.stderr.contains("games by standard rules after others by reversed rules"),
        "{}",
        finished.stderr
    );
    assert_eq!(fs::read(&output).expect("still there"), bytes);
}
