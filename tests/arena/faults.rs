//! Engines that misbehave in a match: each loses as it should, the match goes on, and nothing stays behind.

use std::fs;

use rustix::process::Signal;

use crate::support::journal::Ending;
use crate::support::mailbox::Rules;
use crate::support::tournament::{Folder, Journal, Running, play_match, refused, start};

const OPTIONS: &str = "--openings random:4 --seed 3 --pairs 1 --jobs 2";

/// So much time that only a hang can use it up, however busy the machine is.
const AMPLE: &str = "time=300,hang=300";

/// So little that a hang is noticed at once. The opponent of a player that has so little still has ample time.
const SHORT: &str = "time=0.1,hang=0.3";

/// No margin for whoever is late.
const STRICT_OPTIONS: &str = "--openings random:4 --seed 3 --pairs 1 --jobs 2 --margin 0.2";

/// More memory than this (in KiB) means that the referee keeps what an engine floods it with.
const MEMORY: u64 = 400 * 1024;

/// A match of a mock with a fault against `opponent`: every game is lost by the mock, for one of the `reasons`.
#[track_caller]
fn loses(mock: &str, opponent: Option<&str>, [limits, options]: [&str; 2], reasons: &[&str]) -> Journal {
    let folder = Folder::new("faults");
    let faulty = folder.player("faulty", mock, limits);
    let sound = folder.player("sound", opponent.unwrap_or_default(), AMPLE);
    let other = if opponent.is_some() { sound.as_str() } else { "random,name=sound,time=300" };
    let mut running = start(&folder, &[&faulty, other], options);
    let finished = running.wait();
    assert_eq!(finished.code, Some(0), "{mock}: {finished:#?}");
    for name in ["faulty", "sound"] {
        assert!(finished.stdout.contains(name), "{mock}: no {name} in the table\n{}", finished.stdout);
    }
    assert!(running.memory < MEMORY, "{mock}: the referee grew to {} KiB", running.memory);
    let journal = Journal::read(&folder.file("journal"));
    journal.verify(2, Rules::Reversed);
    for game in journal.games.values() {
        let (loser, reason) = game.forfeit().unwrap_or_else(|| panic!("{mock}: no forfeit in {game:?}"));
        assert_eq!(loser, "faulty", "{mock}: {game:?}");
        assert!(reasons.contains(&reason), "{mock}: {reasons:?} expected in {game:?}");
    }
    folder.expect_no_orphans();
    journal
}

/// The same over both protocols, and against a player of the referee's own as well as another process.
#[track_caller]
fn loses_anyhow(fault: &str, limits: [&str; 2], reasons: &[&str]) {
    loses(&format!("--fault {fault}"), None, limits, reasons);
    loses(&format!("--fault {fault}"), Some("--nboard"), limits, reasons);
    loses(&format!("--nboard --fault {fault}"), None, limits, reasons);
    loses(&format!("--nboard --fault {fault}"), Some("--seed 5"), limits, reasons);
}

/// A match of a mock that behaves well enough: no game is lost by a fault.
#[track_caller]
fn survives(mock: &str, extra: &str, pairs: u32) -> Journal {
    let folder = Folder::new("quirks");
    let quirky = folder.player("quirky", mock, &format!("{AMPLE}{extra}"));
    let options = OPTIONS.replace("--pairs 1", &format!("--pairs {pairs}"));
    let (_, journal) = play_match(&folder, &[&quirky, "random"], &options);
    journal.verify(2 * pairs, Rules::Reversed);
    assert_eq!(journal.forfeits(), [""; 0], "{mock}");
    folder.expect_no_orphans();
    journal
}

const AMPLY: [&str; 2] = [AMPLE, OPTIONS];
const SHORTLY: [&str; 2] = [SHORT, STRICT_OPTIONS];

#[test]
fn a_dead_engine_has_crashed() {
    for fault in ["dies", "killed", "dies-late"] {
        loses_anyhow(&format!("{fault} --at 3"), AMPLY, &["crash"]);
    }
    for protocol in ["", "--nboard "] {
        loses(&format!("{protocol}--fault closes-stdout --at 3"), None, AMPLY, &["crash"]);
    }
}

#[test]
fn memory_has_a_limit() {
    let limits = format!("{AMPLE},memory=200");
    for protocol in ["", "--nboard "] {
        let journal =
            loses(&format!("{protocol}--fault hoards --at 3"), None, [&limits, OPTIONS], &["crash"]);
        for game in journal.games.values() {
            let Ending::Forfeit { stderr, .. } = &game.ending else { panic!("no forfeit: {game:?}") };
            assert!(stderr.as_deref().is_some_and(|text| text.contains("MemoryError")), "{stderr:?}");
        }
    }
    survives("--fault hoards --at 3", ",memory=1000", 1);
}

/// How the process ended and what it said last is in the journal, in the table and on the page, and the time it took
/// over its last move counts.
#[test]
fn the_end_of_an_engine_is_told() {
    let folder = Folder::new("end");
    let (page, csv) = (folder.text("page.html"), folder.text("games.csv"));
    let dying = folder.player("dying", "--fault dies --at 3 --quirk last-words", AMPLE);
    let killed = folder.player("killed", "--nboard --fault killed --at 3", AMPLE);
    let slow = folder.player("slow", "--fault late --delay 0.7 --at 1", "time=0.1,hang=300");
    let options = "--openings random:4 --seed 3 --pairs 1 --jobs 2 --margin 0.2 --format gauntlet";
    let players = ["random,name=random,time=20", &dying, &killed, &slow];
    let (finished, journal) = play_match(&folder, &players, options);
    for game in journal.games.values() {
        let Ending::Forfeit { exit, stderr, .. } = &game.ending else { panic!("no forfeit: {game:?}") };
        let (exit, stderr) = (exit.as_deref(), stderr.as_deref());
        match game.forfeit() {
            Some(("dying", "crash")) => {
                assert_eq!(exit, Some("exit code 3"));
                assert_eq!(stderr, Some("mock: no memory <left>\nmock: giving up"));
            }
            Some(("killed", "crash")) => {
                assert!(exit.is_some_and(|exit| exit.contains("SIGKILL")), "{exit:?}")
            }
            Some(("slow", "time")) => assert_eq!((exit, stderr), (None, None)),
            other => panic!("{other:?}"),
        }
    }
    let table = |name: &str, before: &str| {
        let row = finished.stdout.lines().skip_while(|line| !line.starts_with(before));
        let row = row.into_iter().find(|line| line.starts_with(name)).expect("a row");
        row.to_owned()
    };
    for part in ["crash", "exit code 3", "mock: giving up"] {
        let row = table("dying", "forfeits of");
        assert!(row.contains(part), "no {part} in {row}");
    }
    // Two moves and the one that failed, or that one alone, in each of two games.
    for (name, moves) in [("dying", "6"), ("killed", "6"), ("slow", "2")] {
        let words: Vec<String> =
            table(name, "player  moves").split_ascii_whitespace().map(str::to_owned).collect();
        assert_eq!(words[1], moves, "{name}: {words:?}");
    }
    let slowest = table("slow", "player  moves");
    let written = ["report", &folder.text("journal"), "--html", &page, "--csv", &csv];
    assert_eq!(Running::start(&written).wait().code, Some(0));
    let page = fs::read_to_string(page).expect("the page");
    for part in ["exit code 3", "<pre>mock: no memory &lt;left&gt;\nmock: giving up</pre>", "SIGKILL"] {
        assert!(page.contains(part), "no {part} on the page");
    }
    let rows = fs::read_to_string(csv).expect("the table");
    assert!(rows.contains("has closed its output (exit code 3)"), "{rows}");
    let longest = |line: &str| line.rsplit(',').next().and_then(|seconds| seconds.parse::<f64>().ok());
    let late = rows.lines().filter(|line| line.contains("time over")).filter_map(longest);
    assert_eq!(late.filter(|&seconds| seconds >= 0.7).count(), 2, "{slowest}\n{rows}");
}

/// The helper holds the pipes open, so the end of the engine does not show at its output.
#[test]
fn an_engine_that_leaves_a_helper_behind_is_cleared_away() {
    for protocol in ["", "--nboard "] {
        loses(&format!("{protocol}--fault forks"), None, SHORTLY, &["crash", "hang"]);
    }
}

#[test]
fn an_engine_that_stops_listening_has_crashed() {
    for protocol in ["", "--nboard "] {
        loses(&format!("{protocol}--fault closes-stdin --at 2"), None, AMPLY, &["crash"]);
    }
}

#[test]
fn an_engine_that_dies_at_once_has_crashed() {
    loses_anyhow("dies-at-start", AMPLY, &["crash"]);
}

#[test]
fn a_silent_engine_hangs() {
    loses_anyhow("hangs --quirk stubborn", SHORTLY, &["hang"]);
    for protocol in ["", "--nboard "] {
        loses(&format!("{protocol}--fault torn"), None, SHORTLY, &["hang"]);
    }
}

#[test]
fn an_engine_that_never_says_a_word_hangs() {
    for protocol in ["", "--nboard "] {
        loses(&format!("{protocol}--fault silent"), None, SHORTLY, &["hang"]);
    }
}

#[test]
fn illegal_moves_lose() {
    for fault in ["illegal", "pass"] {
        loses_anyhow(&format!("{fault} --at 4"), AMPLY, &["illegal-move"]);
    }
}

#[test]
fn answers_that_are_none_lose() {
    for fault in ["outside", "words", "empty", "garbage"] {
        for protocol in ["", "--nboard "] {
            loses(&format!("{protocol}--fault {fault} --at 2"), None, AMPLY, &["malformed"]);
        }
    }
    loses("--fault gives-up --at 2", None, AMPLY, &["malformed"]);
    loses("--fault refuses --at 2", None, AMPLY, &["malformed"]);
}

#[test]
fn resigning_loses() {
    loses("--fault resign --at 5", None, AMPLY, &["resigned"]);
}

#[test]
fn a_flood_is_neither_kept_nor_endured() {
    for fault in ["flood", "flood-lines", "babble"] {
        for protocol in ["", "--nboard "] {
            loses(&format!("{protocol}--fault {fault}"), None, SHORTLY, &["hang", "malformed"]);
        }
    }
}

#[test]
fn a_late_answer_loses_on_time() {
    let patient = "time=0.1,hang=300";
    for protocol in ["", "--nboard "] {
        let mock = format!("{protocol}--fault late --delay 0.7 --at 1");
        let journal = loses(&mock, None, [patient, STRICT_OPTIONS], &["time"]);
        let late = journal.games.values().filter_map(|game| game.moves.last());
        assert!(late.count() <= 2, "{journal:?}");
    }
}

/// It plays well, but neither `quit` nor the end of its input nor a polite signal moves it.
#[test]
fn an_engine_that_never_quits_is_ended() {
    for protocol in ["", "--nboard "] {
        survives(&format!("{protocol}--quirk stubborn"), "", 1);
    }
}

/// What the engine started goes with it: many an engine is a script around a program.
#[test]
fn a_script_around_an_engine_leaves_nothing_behind() {
    for fault in ["--fault hangs", "--fault flood", "--quirk stubborn"] {
        let folder = Folder::new("wrapped");
        let script = folder.write("engine.sh", &format!("{}\nexit 0\n", folder.mock(fault)));
        let wrapped = format!("cmd=\"sh {script}\",name=wrapped,{SHORT}");
        let (_, journal) = play_match(&folder, &[&wrapped, "random,time=300"], STRICT_OPTIONS);
        journal.verify(2, Rules::Reversed);
        let blamed = journal.games.values().filter_map(|game| game.forfeit());
        assert!(blamed.into_iter().all(|(loser, _)| loser == "wrapped"), "{:#?}", journal.forfeits());
        folder.expect_no_orphans();
    }
}

/// Children that leave the engine's process group go with it all the same.
#[cfg(target_os = "linux")]
#[test]
fn daemons_of_an_engine_go_with_it() {
    survives("--quirk daemons", "", 1);
    survives("--nboard --quirk daemons --quirk stubborn", "", 1);
    loses("--quirk daemons --fault dies", None, SHORTLY, &["crash", "hang"]);
}

/// A match that is killed has no time to kill its engines, and these do not mind the end of their input.
#[cfg(target_os = "linux")]
#[test]
fn engines_do_not_outlive_a_match_that_is_killed() {
    // Not HUP: under nohup it is ignored, by the match as well.
    for signal in [Signal::KILL, Signal::TERM] {
        let folder = Folder::new("killed");
        let log = folder.file("log");
        let mock =
            format!("--quirk stubborn --quirk daemons --fault hangs --at 2 --log {}", folder.text("log"));
        let stubborn = folder.player("stubborn", &mock, AMPLE);
        let mut running = start(&folder, &[&stubborn, "random"], OPTIONS);
        let plays = || fs::read_to_string(&log).is_ok_and(|log| log.contains("genmove"));
        assert!(running.until(plays), "the match ends by itself");
        running.signal(signal);
        assert_eq!(running.wait().code, None, "{signal:?}");
        folder.expect_no_orphans();
    }
}

#[test]
fn faults_on_both_sides_are_told_apart() {
    let folder = Folder::new("both");
    let dies = folder.player("dies", "--fault dies --at 2", AMPLE);
    let cheats = folder.player("cheats", "--nboard --fault illegal --at 6", AMPLE);
    let sound = folder.player("sound", "", AMPLE);
    let (finished, journal) = play_match(&folder, &[&dies, &cheats, &sound], OPTIONS);
    journal.verify(6, Rules::Reversed);
    for game in journal.games.values() {
        let names = [game.black.as_str(), game.white.as_str()];
        let expected = if names.contains(&"dies") { ("dies", "crash") } else { ("cheats", "illegal-move") };
        assert_eq!(game.forfeit(), Some(expected), "{game:?}");
    }
    assert!(finished.stdout.contains("crash"), "forfeits by reason belong into\n{}", finished.stdout);
    folder.expect_no_orphans();
}

/// A fault in one game is no fault in the next: the engine is started afresh.
#[test]
fn the_match_goes_on_with_a_fresh_engine() {
    let folder = Folder::new("fresh");
    let log = folder.text("log");
    // Fine for a whole game (never more than 32 moves of one side), then the second game in the same process fails.
    let tired = folder.player("tired", &format!("--fault dies --at 40 --log {log}"), AMPLE);
    let options = OPTIONS.replace("--pairs 1 --jobs 2", "--pairs 3 --jobs 1");
    let (_, journal) = play_match(&folder, &[&tired, "random"], &options);
    journal.verify(6, Rules::Reversed);
    let lost: Vec<u32> =
        journal.games.values().filter(|game| game.forfeit().is_some()).map(|game| game.number).collect();
    let log = fs::read_to_string(log).expect("the mock has written its log");
    let mut processes: Vec<&str> = log.lines().filter_map(|line| line.split(' ').next()).collect();
    processes.dedup();
    assert!(lost.len() <= 3, "{:#?}", journal.forfeits());
    assert!(
        lost.windows(2).all(|two| two[1] > two[0] + 1),
        "a fresh engine survives its first game: {lost:?}"
    );
    assert!(
        !lost.is_empty() && processes.len() >= lost.len(),
        "a process for each fault: {processes:?}, {lost:?}"
    );
}

#[test]
fn quirks_of_real_engines_are_no_faults() {
    let gtp =
        ["no-blank", "crlf", "banner", "lower-moves", "no-score", "no-pass", "repeats", "plain", "id-apart"];
    for quirk in gtp {
        survives(&format!("--quirk {quirk}"), "", 1);
    }
    survives("--quirk lower", ",colours=lower", 1);
    survives("--quirk lower", ",colours=words", 1);
    // All that is known of two engines at once.
    survives("--quirk lower --quirk id-apart --quirk no-score --quirk repeats", ",colours=lower", 2);
    survives("--quirk no-blank --quirk no-pass --quirk plain", "", 2);
    for quirk in ["edax", "chatter", "banner", "crlf", "lower-moves"] {
        survives(&format!("--nboard --quirk {quirk}"), "", 1);
    }
}

/// Somebody passes in these games, and an engine that knows no passes follows all the same.
#[test]
fn passes_need_not_be_understood() {
    let journal = survives("--quirk no-pass", "", 6);
    let passes = journal.games.values().flat_map(|game| &game.moves).filter(|turn| turn.text == "pass");
    assert!(passes.count() > 0, "no passes at all: the test needs another seed");
}

#[test]
fn an_id_that_was_not_asked_for_is_no_riddle() {
    // Whatever the referee makes of it, it blames nobody else and finishes.
    let folder = Folder::new("ids");
    let mock = folder.player("odd", "--fault wrong-id --at 3", AMPLE);
    let (_, journal) = play_match(&folder, &[&mock, "random"], OPTIONS);
    journal.verify(2, Rules::Reversed);
    let blamed = journal.games.values().filter_map(|game| game.forfeit());
    assert!(blamed.into_iter().all(|forfeit| forfeit == ("odd", "malformed")), "{:#?}", journal.forfeits());
}

#[test]
fn what_engines_complain_about_is_kept() {
    let folder = Folder::new("noise");
    let logs = folder.text("logs");
    let noisy = folder.player("noisy", "--quirk stderr", AMPLE);
    let (_, journal) = play_match(&folder, &[&noisy, "random"], &format!("{OPTIONS} --logs {logs}"));
    journal.verify(2, Rules::Reversed);
    assert_eq!(journal.forfeits(), [""; 0]);
    let files = fs::read_dir(&logs).expect("the folder of the logs is made").flatten();
    let texts: Vec<String> = files.filter_map(|file| fs::read_to_string(file.path()).ok()).collect();
    assert!(texts.iter().any(|text| text.contains("noise on standard error")), "{} logs", texts.len());
    folder.expect_no_orphans();
}

#[test]
fn without_programs_there_is_no_folder_of_complaints() {
    let folder = Folder::new("quiet");
    let logs = folder.file("logs");
    let options = format!("{OPTIONS} --logs {}", folder.text("logs"));
    play_match(&folder, &["random", "greedy"], &options);
    assert!(!logs.exists());
}

#[test]
fn a_program_that_is_not_there_is_an_error_before_the_match() {
    let folder = Folder::new("missing");
    let nothing = format!("cmd=\"{}\",name=nothing,{AMPLE}", folder.text("no-such-program"));
    let problem = refused(&folder, &[&nothing, "random"], OPTIONS);
    assert!(problem.contains("nothing"), "{problem}");
    assert!(!folder.file("journal").exists(), "a match that cannot begin leaves no journal");
}
