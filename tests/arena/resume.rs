//! A match that is killed, interrupted or torn goes on where it was: no game is lost, none counts twice.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;
use rustix::process::Signal;

use crate::support::journal::Ending;
use crate::support::mailbox::Rules;
use crate::support::positions::generator;
use crate::support::tournament::{Finished, Folder, Journal, Running, play_match, refused, start};

/// Lines of a file, as far as it is there.
fn lines(path: &Path) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// Plays matches that are killed again and again, at moments drawn from the seed, and in the end left to complete;
/// `play` plays one with so many kills, judges it, and tells how many there were. One match is enough, unless a busy
/// machine lets it complete before the test gets to kill it often enough.
fn play_with_kills(seed: u64, kills: u32, mut play: impl FnMut(&mut StdRng, u32) -> u32) {
    let mut rng = generator(seed);
    let mut left = kills;
    for _ in 0..kills {
        left -= play(&mut rng, left);
        if left == 0 {
            return;
        }
    }
    panic!("seed {seed}: {left} of {kills} kills came too late in {kills} matches");
}

/// Plays a match that is killed so many times and then left to complete, unless it completes before: how it ended, and
/// how often it was killed. Between two kills it gets `progress` games further at most, as far as the test can see it in
/// time.
fn kill_and_resume(
    folder: &Folder,
    players: &[&str],
    options: &str,
    progress: usize,
    rng: &mut StdRng,
    kills: u32,
) -> (Finished, u32) {
    let journal = folder.file("journal");
    for killed in 0..kills {
        let resume = if journal.exists() { "--resume" } else { "" };
        let mut running = start(folder, players, &format!("{options} {resume}"));
        let wanted = lines(&journal) + rng.random_range(0..=progress);
        let longer = Duration::from_micros(rng.random_range(0..8000));
        if running.until(|| lines(&journal) >= wanted) && !running.ends_within(longer) {
            running.signal(Signal::KILL);
        }
        let finished = running.wait();
        if finished.code.is_some() {
            return (finished, killed);
        }
    }
    (start(folder, players, &format!("{options} --resume")).wait(), kills)
}

#[test]
fn kills_lose_no_game_and_double_none() {
    // A player that takes its time, a millisecond or two a game, so that there is still a match to kill.
    let players = ["random", "maximax,depth=4,name=steady"];
    let options = "--size 8 --openings random:6 --pairs 150 --seed 11 --jobs 2";
    let whole = Folder::new("whole");
    let (finished, expected) = play_match(&whole, &players, options);
    expected.verify(300, Rules::Reversed);
    play_with_kills(21, 20, |rng, kills| {
        let killed = Folder::new("killed");
        let ggf = killed.text("games.ggf");
        let options = format!("{options} --ggf {ggf}");
        let (last, kills) = kill_and_resume(&killed, &players, &options, 12, rng, kills);
        assert_eq!(last.code, Some(0), "{last:?}");
        let journal = Journal::read(&killed.file("journal"));
        journal.verify(300, Rules::Reversed);
        assert_eq!(journal.essences(), expected.essences(), "the same games, move by move");
        assert_eq!(journal.header["seed"], expected.header["seed"]);
        assert_same_score(&finished.stdout, &last.stdout);
        let records = fs::read(&ggf).expect("the games are written as GGF too");
        let records = ollehto_protocol::ggf::parse_games(&records).expect("GGF can be read");
        assert_eq!(records.len(), 300, "each game stands in the GGF file once");
        kills
    });
}

/// The tables agree in everything but times.
#[track_caller]
fn assert_same_score(whole: &str, resumed: &str) {
    let timeless = |text: &str| -> Vec<String> {
        let (scores, times) = text.split_once("player  moves").unwrap_or((text, ""));
        let is_of_player = |line: &&str| line.contains("random") || line.contains("steady");
        let begin =
            |line: &str, words| line.split_ascii_whitespace().take(words).collect::<Vec<_>>().join(" ");
        // The name and what follows it, up to where the times begin: only the number of moves comes before those.
        let scores = scores.lines().filter(is_of_player).map(|line| begin(line, 4));
        scores.chain(times.lines().filter(is_of_player).map(|line| begin(line, 2))).collect()
    };
    assert!(!timeless(whole).is_empty(), "no table in\n{whole}");
    assert_eq!(timeless(whole), timeless(resumed), "\n{whole}\n{resumed}");
}

#[test]
fn kills_with_external_engines_leave_no_orphans() {
    let whole = Folder::new("whole-external");
    let players = |folder: &Folder| {
        [folder.player("one", "--seed 1", "time=300"), folder.player("two", "--nboard --seed 2", "time=300")]
    };
    let options = "--size 4 --openings random:3 --pairs 25 --seed 5 --jobs 2";
    let [one, two] = players(&whole);
    let (_, expected) = play_match(&whole, &[&one, &two], options);
    expected.verify(50, Rules::Reversed);
    assert_eq!(expected.forfeits(), [""; 0]);
    play_with_kills(22, 8, |rng, kills| {
        let killed = Folder::new("killed-external");
        let [one, two] = players(&killed);
        let (last, kills) = kill_and_resume(&killed, &[&one, &two], options, 3, rng, kills);
        assert_eq!(last.code, Some(0), "{last:?}");
        let journal = Journal::read(&killed.file("journal"));
        journal.verify(50, Rules::Reversed);
        assert_eq!(journal.essences(), expected.essences(), "the same games, move by move");
        killed.expect_no_orphans();
        kills
    });
}

const SHORT_MATCH: &str = "--size 4 --openings random:2 --pairs 4 --seed 9 --jobs 1";
const PLAYERS: [&str; 2] = ["random", "greedy"];

#[test]
fn a_torn_last_line_is_played_again() {
    let whole = Folder::new("torn-whole");
    let (_, expected) = play_match(&whole, &PLAYERS, SHORT_MATCH);
    let text = fs::read(whole.file("journal")).expect("the journal is there");
    let last =
        text[..text.len() - 1].iter().rposition(|byte| *byte == b'\n').expect("more than one line") + 1;
    let mut rng = generator(31);
    let mut cuts = vec![last, last + 1, text.len() - 2, text.len() - 1, text.len()];
    cuts.extend((0..5).map(|_| rng.random_range(last..text.len())));
    for cut in cuts {
        let folder = Folder::new("torn");
        fs::write(folder.file("journal"), &text[..cut]).expect("the journal can be cut");
        let (_, journal) = play_match(&folder, &PLAYERS, &format!("{SHORT_MATCH} --resume"));
        journal.verify(8, Rules::Reversed);
        assert_eq!(journal.essences(), expected.essences(), "cut at {cut} of {}", text.len());
    }
}

/// Resumes a match whose journal got no further than this, or is not there at all.
fn resume_from(journal: Option<&[u8]>) {
    let folder = Folder::new("headless");
    if let Some(text) = journal {
        fs::write(folder.file("journal"), text).expect("the journal can be written");
    }
    let (_, resumed) = play_match(&folder, &PLAYERS, &format!("{SHORT_MATCH} --resume"));
    resumed.verify(8, Rules::Reversed);
    let whole = Folder::new("headless-whole");
    let (_, expected) = play_match(&whole, &PLAYERS, SHORT_MATCH);
    assert_eq!(resumed.essences(), expected.essences(), "from {journal:?}");
}

/// A kill may come even before the first line is whole.
#[test]
fn a_match_killed_in_its_first_line_can_be_resumed() {
    let whole = Folder::new("header");
    play_match(&whole, &PLAYERS, SHORT_MATCH);
    let text = fs::read(whole.file("journal")).expect("the journal is there");
    let header = text.iter().position(|byte| *byte == b'\n').expect("there is a line");
    for cut in [0, 1, header / 2, header] {
        resume_from(Some(&text[..cut]));
    }
}

/// Or before there is a file.
#[test]
fn a_match_killed_before_its_first_line_can_be_resumed() {
    resume_from(None);
}

#[test]
fn a_complete_match_can_be_resumed_and_stays_as_it_is() {
    let folder = Folder::new("complete");
    let (first, _) = play_match(&folder, &PLAYERS, SHORT_MATCH);
    let before = fs::read(folder.file("journal")).expect("the journal is there");
    let (second, _) = play_match(&folder, &PLAYERS, &format!("{SHORT_MATCH} --resume"));
    assert_eq!(fs::read(folder.file("journal")).expect("it still is"), before);
    assert_same_score(&first.stdout, &second.stdout);
}

#[test]
fn a_journal_is_never_overwritten() {
    let folder = Folder::new("existing");
    play_match(&folder, &PLAYERS, SHORT_MATCH);
    let before = fs::read(folder.file("journal")).expect("the journal is there");
    let problem = refused(&folder, &PLAYERS, SHORT_MATCH);
    assert!(problem.contains("--resume") && problem.contains("journal"), "{problem}");
    assert_eq!(fs::read(folder.file("journal")).expect("it still is"), before);
    // A file that is no journal is none of our business either, even if its only line looks torn.
    for diary in ["my diary\n", "my diary"] {
        fs::write(folder.file("journal"), diary).expect("it can be written");
        refused(&folder, &PLAYERS, SHORT_MATCH);
        refused(&folder, &PLAYERS, &format!("{SHORT_MATCH} --resume"));
        assert_eq!(fs::read_to_string(folder.file("journal")).expect("it still is"), diary);
    }
}

#[test]
fn a_match_is_resumed_under_the_same_conditions_only() {
    let folder = Folder::new("other");
    play_match(&folder, &PLAYERS, SHORT_MATCH);
    let before = fs::read(folder.file("journal")).expect("the journal is there");
    // As if it had been killed, so that there would be something to play.
    let cut = before.len() - 10;
    fs::write(folder.file("journal"), &before[..cut]).expect("the journal can be cut");
    let other_options = [
        (SHORT_MATCH.replace("--seed 9", "--seed 10"), "(seed: 9, now 10)"),
        (SHORT_MATCH.replace("--size 4", "--size 6"), "(size: 4, now 6)"),
        (SHORT_MATCH.replace("--pairs 4", "--pairs 3"), "(pairs: 4, now 3): a match can be extended"),
        (SHORT_MATCH.replace("random:2", "random:3"), "(openings: random:2, now random:3)"),
        (format!("{SHORT_MATCH} --rules standard"), "(rules: reversed, now standard)"),
        (format!("{SHORT_MATCH} --adjudicate 5"), "(adjudicate: none, now 5)"),
        (format!("{SHORT_MATCH} --sprt 0,20"), "(sprt: none, now 0,20)"),
        (format!("{SHORT_MATCH} --margin 3"), "(margin: 300, now 3)"),
        (format!("{SHORT_MATCH} --format gauntlet"), "(format: round-robin, now gauntlet)"),
    ];
    let mut cases: Vec<(&[&str], String, &str)> =
        other_options.into_iter().map(|(options, difference)| (&PLAYERS[..], options, difference)).collect();
    for (players, difference) in [
        (&["greedy", "random"][..], "(player 1: 'random', now 'greedy')"),
        (&["random", "greedy,time=2"], "(player 2: 'greedy', now 'greedy,time=2')"),
        (&["random", "greedy", "minimax3"], "(number of players: 2, now 3)"),
    ] {
        cases.push((players, SHORT_MATCH.to_owned(), difference));
    }
    for (players, options, difference) in cases {
        let problem = refused(&folder, players, &format!("{options} --resume"));
        assert!(problem.contains("other settings"), "{players:?} {options}: {problem}");
        assert!(problem.contains(difference), "{players:?} {options}: {problem}");
        let after = fs::read(folder.file("journal")).expect("it still is");
        assert_eq!(after, &before[..cut], "{players:?} {options}");
    }
    // How many games are played at a time is nobody's concern.
    let (_, journal) = play_match(&folder, &PLAYERS, &SHORT_MATCH.replace("--jobs 1", "--jobs 2 --resume"));
    journal.verify(8, Rules::Reversed);
}

/// More pairs can be asked for later, again and again, and the games are those of a match that was longer at once.
#[test]
fn a_match_can_be_extended() {
    let openings = Folder::new("extended-openings").write("openings.txt", "c1\n");
    assert!(openings.ends_with("openings.txt"));
    let lists = Folder::new("extended-lists");
    let file = lists.write("openings.txt", "b1\na2\nc4\nd3\nb1a1\n");
    for openings in ["random:2".to_owned(), file] {
        let options = |pairs: u32| {
            SHORT_MATCH.replace("random:2", &openings).replace("--pairs 4", &format!("--pairs {pairs}"))
        };
        let whole = Folder::new("extended-whole");
        let (_, expected) = play_match(&whole, &PLAYERS, &options(7));
        let folder = Folder::new("extended");
        play_match(&folder, &PLAYERS, &options(2));
        for pairs in [3, 3, 7] {
            let (finished, journal) = play_match(&folder, &PLAYERS, &format!("{} --resume", options(pairs)));
            journal.verify(2 * pairs, Rules::Reversed);
            assert_eq!(journal.header["pairs"], pairs);
            let title = format!("{0} of {0} games", 2 * pairs);
            assert!(finished.stdout.starts_with(&title), "{}", finished.stdout);
        }
        let journal = Journal::read(&folder.file("journal"));
        assert_eq!(journal.essences(), expected.essences(), "{openings}");
        let problem = refused(&folder, &PLAYERS, &format!("{} --resume", options(6)));
        assert!(problem.contains("pairs: 7, now 6"), "{problem}");
        let shown = Running::start(&["report", &folder.text("journal")]).wait();
        assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""), "{shown:#?}");
        assert!(shown.stdout.starts_with("14 of 14 games"), "{}", shown.stdout);
    }
}

/// What a program without extensions, causes and assumptions has written.
#[test]
fn an_old_journal_is_read_and_resumed() {
    let folder = Folder::new("old-journal");
    fs::write(folder.file("journal"), include_str!("../data/formats/journal-1.jsonl")).expect("written");
    let shown = Running::start(&["report", &folder.text("journal")]).wait();
    assert_eq!(shown.code, Some(0), "{shown:#?}");
    assert!(
        shown.stdout.contains("5 of 6 games") && shown.stdout.contains("has closed its output"),
        "{}",
        shown.stdout
    );
    let options = format!("{SHORT_MATCH} --margin 0.2 --resume");
    let (_, journal) = play_match(&folder, &PLAYERS, &options.replace("--pairs 4", "--pairs 3"));
    journal.verify(6, Rules::Reversed);
    let (_, journal) = play_match(&folder, &PLAYERS, &options);
    journal.verify(8, Rules::Reversed);
    assert_eq!(journal.games[&1].forfeit(), Some(("greedy", "crash")));
}

/// What was written before the sources were grouped anew: extended once, with assumptions, adjudications and the ends of
/// processes.
#[test]
fn an_extended_journal_is_read_and_resumed() {
    let folder = Folder::new("extended-journal");
    folder.write("journal", include_str!("../data/formats/journal-2.jsonl"));
    let shown = Running::start(&["report", &folder.text("journal")]).wait();
    assert_eq!(shown.code, Some(0), "{shown:#?}");
    assert!(shown.stdout.starts_with("12 of 12 games") && shown.stdout.contains("exit code 1"), "{shown:#?}");
    let players = ["random", "greedy", "cmd=\"false\",name=broken,assume=reversed"];
    let options = "--size 4 --openings random:2 --seed 9 --jobs 1 --adjudicate 3 --pairs 3 --resume";
    let (_, journal) = play_match(&folder, &players, options);
    journal.verify(18, Rules::Reversed);
    for game in journal.games.values().filter(|game| game.black == "broken" || game.white == "broken") {
        assert_eq!(game.forfeit(), Some(("broken", "crash")), "{game:?}");
    }
    assert!(journal.games.values().any(|game| game.ending == Ending::Adjudicated));
}

#[test]
fn a_broken_line_in_the_middle_is_named_and_played_again() {
    let folder = Folder::new("broken");
    let (_, expected) = play_match(&folder, &PLAYERS, SHORT_MATCH);
    let text = fs::read_to_string(folder.file("journal")).expect("the journal is there");
    let broken: String = (1..)
        .zip(text.lines())
        .map(|(number, line)| if number == 3 { "{\"game\":\n".into() } else { format!("{line}\n") })
        .collect();
    fs::write(folder.file("journal"), &broken).expect("it can be written");
    let shown = Running::start(&["report", &folder.text("journal")]).wait().refusal();
    assert!(shown.contains("line 3: there is no checksum"), "{shown}");
    let (resumed, journal) = play_match(&folder, &PLAYERS, &format!("{SHORT_MATCH} --resume"));
    assert!(resumed.stderr.contains("line 3: there is no checksum; left out"), "{}", resumed.stderr);
    assert_eq!(journal.essences(), expected.essences());
    assert_eq!(fs::read_to_string(folder.file("journal.damaged")).expect("it is kept"), broken);
    // Without checksums nobody knows what is damaged: such a file stays as it is.
    let header = text.lines().next().expect("a header").replace("\"version\":2", "\"version\":1");
    let header = header.rsplit_once(",\"crc32\"").expect("a checksum").0;
    let older = format!("{header}}}\n{{\"game\":\n");
    fs::write(folder.file("journal"), &older).expect("it can be written");
    let problem = refused(&folder, &PLAYERS, &format!("{SHORT_MATCH} --resume"));
    assert!(problem.contains("line 2"), "{problem}");
    assert_eq!(fs::read_to_string(folder.file("journal")).expect("it still is"), older);
}

/// Ctrl-C: the table so far, a whole journal, nobody blamed for dying, and the rest can be played later.
#[test]
fn an_interrupt_ends_cleanly() {
    let options = "--size 6 --openings random:4 --pairs 8 --seed 5 --jobs 2";
    for (seed, to_all) in [(41, false), (42, true)] {
        let folder = Folder::new("interrupt");
        // The stubborn one does not even end with its input: nobody but the referee can end it. The other waits in the
        // middle of the match, which therefore cannot end before the interrupt comes.
        let gate = folder.write("gate", "");
        let held = format!("--nboard --seed 2 --fault held --at 60 --gate {gate}");
        let players = [
            folder.player("one", "--seed 1 --quirk stubborn", "time=300"),
            folder.player("two", &held, "time=300"),
        ];
        let players = [players[0].as_str(), players[1].as_str()];
        let journal = folder.file("journal");
        let mut running = start(&folder, &players, options);
        let mut rng = generator(seed);
        let wanted = rng.random_range(2..5);
        assert!(running.until(|| lines(&journal) > wanted), "it plays");
        // A terminal sends the signal to everyone in the foreground.
        if to_all {
            running.signal_group(Signal::INT)
        } else {
            running.signal(Signal::INT)
        }
        let finished = running.wait();
        assert_eq!(finished.code, Some(130), "{finished:#?}");
        assert!(finished.stdout.contains("one") && finished.stdout.contains("two"), "{finished:#?}");
        folder.expect_no_orphans();
        let so_far = Journal::read(&journal);
        assert!((wanted..16).contains(&so_far.games.len()), "{} games", so_far.games.len());
        assert_eq!(so_far.forfeits(), [""; 0], "nobody is to blame for an interrupt");
        so_far.games.values().for_each(|game| drop(game.verify(Rules::Reversed)));
        fs::remove_file(gate).expect("the gate can be opened");
        let (_, journal) = play_match(&folder, &players, &format!("{options} --resume"));
        journal.verify(16, Rules::Reversed);
        assert_eq!(journal.forfeits(), [""; 0]);
        folder.expect_no_orphans();
    }
}

/// Engines are started at every moment of this match, the moment of the interrupt included. It has far more games than
/// are ever played.
#[test]
fn an_interrupt_while_engines_start_leaves_no_orphans() {
    let options = "--size 4 --openings random:1 --pairs 100000 --seed 5 --jobs 8";
    let mut rng = generator(51);
    for round in 0..8 {
        let folder = Folder::new("starting");
        let fleeting = folder.player("fleeting", "--fault illegal --quirk stubborn", "time=300");
        let mut running = start(&folder, &[&fleeting, "random"], options);
        let wanted = rng.random_range(1..8);
        let longer = Duration::from_micros(rng.random_range(0..40_000));
        let journal = folder.file("journal");
        assert!(running.until(|| lines(&journal) > wanted), "round {round}: it plays");
        assert!(!running.ends_within(longer), "round {round}: it goes on");
        running.signal(Signal::INT);
        let finished = running.wait();
        assert_eq!(finished.code, Some(130), "round {round}: {finished:#?}");
        folder.expect_no_orphans();
        Journal::read(&journal).games.values().for_each(|game| {
            assert_eq!(game.forfeit(), Some(("fleeting", "illegal-move")), "round {round}: {game:?}");
        });
    }
}
