//! What a match plays: its openings, its schedule, its end, and the records it writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ollehto_protocol::ggf;

use crate::support::journal::{Ending, Game};
use crate::support::mailbox::{Mailbox, Rules, Side};
use crate::support::positions::{collect, generator};
use crate::support::process::{OLLEHTO, find_program};
use crate::support::tournament::{Folder, Journal, Running, play_match, refused};

const QUICK: [&str; 2] = ["random", "greedy"];

/// The positions that pairs begin with, in the order of the schedule.
fn firsts(journal: &Journal) -> Vec<String> {
    journal.pairs().map(|(game, _)| game.first().text()).collect()
}

#[test]
fn random_openings_follow_from_the_seed() {
    let play = |seed: u32| {
        let folder = Folder::new("random-openings");
        let options = format!("--openings random:6 --pairs 20 --seed {seed} --jobs 2");
        let (_, journal) = play_match(&folder, &QUICK, &options);
        journal.verify(40, Rules::Reversed);
        for game in journal.games.values() {
            assert_eq!(game.first().empties(), 64 - 4 - 6, "six plies: {game:?}");
        }
        journal
    };
    let (one, same, other) = (play(7), play(7), play(8));
    assert_eq!(one.essences(), same.essences(), "the seed decides all");
    assert_ne!(firsts(&one), firsts(&other));
    let different: BTreeSet<String> = firsts(&one).into_iter().collect();
    assert!(different.len() > 15, "only {} different openings of 20", different.len());
}

#[test]
fn shards_play_the_games_of_the_whole_match() {
    let folder = Folder::new("match-shards");
    let options = "--openings random:6 --pairs 5 --format round-robin";
    let players = ["random", "greedy", "ollehto,depth=2"];
    let (_, whole) = play_match(&folder, &players, options);
    let mut joined = BTreeMap::new();
    for shard in 1..=4 {
        let folder = Folder::new("match-shard");
        let (_, part) = play_match(&folder, &players, &format!("{options} --shard {shard}/4"));
        assert!(part.games.keys().all(|number| (number / 2) % 4 == shard - 1), "{:?}", part.games.keys());
        joined.extend(part.games.iter().map(|(&number, game)| (number, game.essence())));
    }
    assert_eq!(joined.into_values().collect::<Vec<_>>(), whole.essences());
    let refusal = refused(&folder, &QUICK, "--shard 1/2 --sprt 0,20");
    assert!(refusal.contains("--sprt"), "{refusal}");
}

#[test]
fn the_balanced_openings_serve_both_rule_sets() {
    for rules in Rules::BOTH {
        let folder = Folder::new("balanced");
        let options = format!("--openings balanced --pairs 12 --rules {}", rules.word());
        let (_, journal) = play_match(&folder, &QUICK, &options);
        journal.verify(24, rules);
        let different: BTreeSet<String> = firsts(&journal).into_iter().collect();
        assert_eq!(different.len(), 12);
        assert!(journal.games.values().all(|game| game.first().empties() == 64 - 4 - 8));
    }
}

#[test]
fn a_file_holds_move_lists_and_positions() {
    let folder = Folder::new("opening-file");
    let position =
        collect(&mut generator(3), 8, 1, |board| board.empties() == 30 && !board.is_over()).remove(0);
    let list = format!("# openings of the test\nf5d6c3\n\nF5 F6\n{}\n", position.text());
    let file = folder.write("openings.txt", &list);
    let (_, journal) = play_match(&folder, &QUICK, &format!("--openings {file} --pairs 7"));
    journal.verify(14, Rules::Reversed);
    let after = |moves: &[&str]| {
        let mut board = Mailbox::start(8);
        for name in moves {
            board.play(board.read(name).expect("a square")).expect("a legal move");
        }
        board.text()
    };
    let expected = BTreeSet::from([after(&["f5", "d6", "c3"]), after(&["f5", "f6"]), position.text()]);
    let first_three: BTreeSet<String> = firsts(&journal)[..3].iter().cloned().collect();
    assert_eq!(first_three, expected, "each once before any comes again");
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for first in firsts(&journal) {
        *counts.entry(first).or_default() += 1;
    }
    assert!(counts.values().all(|count| [2, 3].contains(count)), "{counts:?}");
}

/// Positions reach other programs too, over both protocols.
#[test]
fn positions_reach_other_programs() {
    let folder = Folder::new("positions");
    let mut rng = generator(17);
    let mut boards = collect(&mut rng, 8, 2, Mailbox::must_pass);
    boards.extend(collect(&mut rng, 8, 2, |board| board.empties() == 20 && board.to_move() == Side::White));
    let list: String = boards.iter().map(|board| format!("{}\n", board.text())).collect();
    let file = folder.write("openings.txt", &list);
    let players = [folder.player("gtp", "", "time=300"), folder.player("nboard", "--nboard", "time=300")];
    let options = format!("--openings {file} --pairs 4 --jobs 2");
    let (_, journal) = play_match(&folder, &[&players[0], &players[1]], &options);
    journal.verify(8, Rules::Reversed);
    assert_eq!(journal.forfeits(), [""; 0]);
}

#[test]
fn a_bad_opening_is_named_with_its_line() {
    let over = format!("{} X", "-".repeat(64));
    for (list, line) in [
        ("f5d6\n# fine\n\nf5f5\n", "line 4"),
        ("f5\nhello\n", "line 2"),
        ("f5\na1\n", "line 2"),
        ("---------------------------OX------XO----------------------- X\n", "line 1"),
        ("----OX--XO---- X\n", "line 1"),
        (&over, "line 1"),
        ("# nothing\n", "openings.txt"),
    ] {
        let folder = Folder::new("bad-openings");
        let file = folder.write("openings.txt", list);
        let problem = refused(&folder, &QUICK, &format!("--openings {file}"));
        assert!(problem.contains(line) && problem.contains("openings.txt"), "{list:?}: {problem}");
        assert!(!folder.file("journal").exists(), "{list:?}: a match that cannot begin leaves no journal");
    }
    let folder = Folder::new("no-openings");
    let problem = refused(&folder, &QUICK, "--openings no-such-file");
    assert!(problem.contains("no-such-file"), "{problem}");
}

#[test]
fn bad_players_are_explained() {
    let cases: [(&[&str], &str); 7] = [
        (&["random"], "two"),
        (&["random", "random"], "name"),
        (&["random", "nobody"], "nobody"),
        (&["random", "greedy,time=x"], "time"),
        (&["random", "greedy,speed=3"], "speed"),
        (&["random", "name=lost"], "cmd"),
        (&["random", "cmd=x,proto=usi"], "proto"),
    ];
    for (players, culprit) in cases {
        let folder = Folder::new("bad-players");
        let problem = refused(&folder, players, "");
        assert!(problem.contains(culprit), "{players:?}: {problem}");
    }
}

/// How often each has Black against each.
fn meetings(journal: &Journal) -> BTreeMap<(String, String), u32> {
    let mut counts = BTreeMap::new();
    for game in journal.games.values() {
        *counts.entry((game.black.clone(), game.white.clone())).or_default() += 1;
    }
    counts
}

#[test]
fn everyone_meets_everyone_or_the_first_meets_all() {
    let names = ["a", "b", "c", "d"];
    let players = ["random,name=a", "greedy,name=b", "random,name=c", "greedy,name=d"];
    for (format, met) in [("round-robin", 12), ("gauntlet", 6), ("ladder", 12)] {
        let folder = Folder::new("formats");
        let options = format!("--size 4 --openings random:2 --format {format} --pairs 3 --jobs 2");
        let (finished, journal) = play_match(&folder, &players, &options);
        journal.verify(met * 3, Rules::Reversed);
        let meetings = meetings(&journal);
        assert_eq!(meetings.len(), met as usize, "{format}: {meetings:?}");
        assert!(meetings.values().all(|count| *count == 3), "{format}: {meetings:?}");
        let is_first = |(black, white): &(String, String)| black == "a" || white == "a";
        assert!(format != "gauntlet" || meetings.keys().all(is_first), "{format}: {meetings:?}");
        assert!(names.iter().all(|name| finished.stdout.contains(name)), "{}", finished.stdout);
    }
}

#[test]
fn a_sequential_test_stops_by_itself() {
    for (players, options) in
        [(["ollehto,depth=4", "random"], "0,20"), (["random", "ollehto,depth=4"], "-20,0")]
    {
        let folder = Folder::new("sprt");
        let options = format!("--sprt {options} --pairs 2000 --jobs 2");
        let (finished, journal) = play_match(&folder, &players, &options);
        let count = journal.games.len();
        assert!((4..2000).contains(&count), "{count} games\n{}", finished.stdout);
        for game in journal.games.values() {
            game.verify(Rules::Reversed);
        }
        assert!(finished.stdout.to_lowercase().contains("sprt"), "{}", finished.stdout);
        assert!(
            finished.stdout.starts_with(&format!("{count} of at most 4000 games")),
            "{}",
            finished.stdout
        );
        let page = Running::start(&["report", &folder.text("journal"), "--html", "-"]).wait();
        assert_eq!(page.code, Some(0), "{}", page.stderr);
        for part in ["Decided by the sequential test after", "of at most 4000 games", " accepted: "] {
            assert!(page.stdout.contains(part), "no {part} on the page");
        }
        assert!(!page.stdout.contains(" finished,"), "nothing is left to be finished");
        // Nothing is left to do, and nothing more is done.
        let (_, again) = play_match(&folder, &players, &format!("{options} --resume"));
        assert_eq!(again.games.len(), count);
    }
}

/// Solving a position and playing it out perfectly are the same.
#[test]
fn adjudication_is_perfect_play() {
    for rules in Rules::BOTH {
        let folder = Folder::new("adjudication");
        let mut rng = generator(23);
        let mut boards = collect(&mut rng, 8, 4, |board| board.empties() == 11 && board.moves().len() > 1);
        boards.extend(collect(&mut rng, 8, 2, |board| board.empties() == 9 && board.must_pass()));
        let list: String = boards.iter().map(|board| format!("{}\n", board.text())).collect();
        let file = folder.write("openings.txt", &list);
        let players = ["ollehto,depth=60,name=one", "ollehto,depth=60,name=two"];
        let options = format!("--openings {file} --pairs 6 --jobs 2 --rules {}", rules.word());
        let (_, played) = play_match(&folder, &players, &options);
        played.verify(12, rules);
        let solved = Folder::new("adjudicated");
        let (_, adjudicated) = play_match(&solved, &players, &format!("{options} --adjudicate 11"));
        adjudicated.verify(12, rules);
        for (game, solved) in played.games.values().zip(adjudicated.games.values()) {
            assert_eq!(game.pairing(), solved.pairing());
            assert_eq!(game.score, solved.score, "{game:?}\n{solved:?}");
            assert_eq!((&solved.ending, solved.moves.len()), (&Ending::Adjudicated, 0), "{solved:?}");
        }
    }
}

#[test]
fn adjudication_waits_for_its_moment() {
    let folder = Folder::new("late-adjudication");
    let (_, journal) = play_match(&folder, &QUICK, "--openings random:6 --pairs 10 --adjudicate 8");
    journal.verify(20, Rules::Reversed);
    for game in journal.games.values().filter(|game| game.ending == Ending::Adjudicated) {
        assert_eq!(game.verify(Rules::Reversed).empties(), 8, "{game:?}");
    }
    assert!(journal.games.values().any(|game| game.ending == Ending::Adjudicated));
}

/// The record of a game says what the journal says.
fn assert_same_game(record: &ggf::GgfGame, game: &Game, rules: Rules) {
    assert_eq!((&record.black.name, &record.white.name), (&game.black, &game.white));
    assert_eq!(record.kind.anti, rules == Rules::Reversed);
    assert_eq!(record.kind.size, 8);
    let result = record.result.unwrap_or_else(|| panic!("no result in {record:?}"));
    assert!((result.score - f64::from(game.score)).abs() < 0.01, "{record:?} {game:?}");
    let opening = record.moves.len() - game.moves.len();
    let mut board = Mailbox::parse(&record.board.to_string()).expect("the position can be read");
    for (number, turn) in record.moves.iter().enumerate() {
        let side = if board.to_move() == Side::Black { "black" } else { "white" };
        assert_eq!(turn.side.to_string(), side, "{record:?}");
        let name = turn.text.vertex.to_string();
        board.play(board.read(&name).expect("a move")).expect("a legal move");
        if let Some(noted) = number.checked_sub(opening).map(|index| &game.moves[index]) {
            assert!(name.eq_ignore_ascii_case(&noted.text), "move {number} of {record:?}");
            let seconds = turn.text.seconds.map_or(0.0, |time| time.as_secs_f64());
            assert!((seconds - noted.seconds).abs() < 0.01, "the time of move {number} of {record:?}");
            assert_eq!(turn.text.eval.is_some(), noted.eval.is_some(), "{record:?}");
            let difference = turn.text.eval.unwrap_or(0.0) - noted.eval.unwrap_or(0.0);
            assert!(difference.abs() < 0.01, "the value of move {number} of {record:?}");
        }
    }
    assert_eq!(board, game.verify(rules), "the end of {record:?}");
}

#[test]
fn games_are_written_as_ggf() {
    for rules in Rules::BOTH {
        let folder = Folder::new("ggf");
        let file = folder.text("games.ggf");
        let mock = folder.player("mock", "--nboard --think 0.02", "time=300");
        let options = format!("--openings random:5 --pairs 1 --rules {} --ggf {file} --jobs 2", rules.word());
        let (_, journal) = play_match(&folder, &["ollehto,depth=2,name=ours", &mock], &options);
        journal.verify(2, rules);
        assert_eq!(journal.forfeits(), [""; 0]);
        let evals = |name: &str| {
            let moves = journal.games.values().flat_map(|game| {
                let first = game.first().to_move();
                let offset =
                    usize::from((if first == Side::Black { &game.black } else { &game.white }) != name);
                game.moves.iter().skip(offset).step_by(2).filter(|turn| turn.text != "pass")
            });
            moves.map(|turn| turn.eval).collect::<Vec<_>>()
        };
        assert!(evals("mock").iter().all(|eval| *eval == Some(0.5)), "the mock says half a disc each time");
        assert!(evals("ours").iter().all(Option::is_some));
        let text = fs::read(&file).expect("the GGF file is there");
        let kind = if rules == Rules::Reversed { "TY[8a]" } else { "TY[8]" };
        assert_eq!(String::from_utf8_lossy(&text).matches(kind).count(), 2);
        let records = ggf::parse_games(&text).expect("GGF can be read");
        assert_eq!(records.len(), 2);
        for record in &records {
            let game = journal.games.values().find(|game| {
                game.black == record.black.name && game.moves.len() <= record.moves.len() && {
                    let last = |text: String| text.to_lowercase();
                    let tail = &record.moves[record.moves.len() - game.moves.len()..];
                    tail.iter().zip(&game.moves).all(|(a, b)| last(a.text.vertex.to_string()) == b.text)
                }
            });
            assert_same_game(
                record,
                game.unwrap_or_else(|| panic!("{record:?} is not in the journal")),
                rules,
            );
        }
    }
}

/// The engine is the same in this process and in one of its own, over any protocol.
#[test]
fn our_engine_plays_the_same_in_any_process() {
    let players = [
        "ollehto,depth=4,name=ours".to_owned(),
        format!("cmd=\"{OLLEHTO}\",depth=4,name=ours"),
        format!("cmd=\"{OLLEHTO} --depth 4\",name=ours,time=300"),
        format!("cmd=\"{OLLEHTO} --depth 4\",proto=nboard,name=ours,tc=600+0"),
        format!("cmd=\"{OLLEHTO}\",proto=uci,depth=4,name=ours"),
        format!("cmd=\"{OLLEHTO} --depth 4\",proto=uci,name=ours,tc=600+0"),
    ];
    for rules in Rules::BOTH {
        let mut games = Vec::new();
        for player in &players {
            let folder = Folder::new("same");
            let options = format!("--openings random:6 --pairs 3 --seed 4 --rules {}", rules.word());
            let (_, journal) = play_match(&folder, &[player, "greedy"], &options);
            journal.verify(6, rules);
            games.push(journal.essences());
        }
        for (player, moves) in players.iter().zip(&games).skip(1) {
            assert_eq!(moves, &games[0], "{player}");
        }
    }
}

/// Whoever reads the output from a pipe sees now and then how far it has come.
#[test]
fn progress_goes_to_a_pipe_line_by_line() {
    let folder = Folder::new("progress");
    let (finished, _) = play_match(&folder, &QUICK, "--size 4 --openings random:2 --pairs 100");
    let told: Vec<&str> = finished.stderr.lines().collect();
    assert!((10..40).contains(&told.len()), "{told:?}");
    assert!(told.iter().all(|line| line.contains("/200 games, ")), "{told:?}");
    assert!(told.last().is_some_and(|line| line.starts_with("200/200 games, ")), "{told:?}");
    assert!(finished.stdout.starts_with("200 of 200 games"), "only the tables are the output");
}

#[test]
fn a_report_alone_prints_the_tables() {
    let folder = Folder::new("tables");
    let (finished, _) = play_match(&folder, &QUICK, "--size 4 --openings random:2 --pairs 2");
    let shown = Running::start(&["report", &folder.text("journal")]).wait();
    assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""), "{shown:#?}");
    assert_eq!(shown.stdout, finished.stdout);
}

/// Two processes that speak UCI, with all kinds of limits, from positions and by both rules.
#[test]
fn uci_engines_play_each_other() {
    let folder = Folder::new("uci");
    let engine = |options: &str| format!("cmd=\"{OLLEHTO} --no-book\",proto=uci,{options}");
    let players = [
        engine("nodes=300,name=nodes"),
        engine("depth=2,elo=1500,threads=2,hash=4,name=depth"),
        engine("tc=1+0.02,name=clock"),
    ];
    let players = players.each_ref().map(String::as_str);
    for (rules, options) in [
        (Rules::Reversed, "--pairs 1 --jobs 2 --openings random:6 --margin 60 --hang 60 --seed 4"),
        (Rules::Standard, "--pairs 1 --jobs 2 --size 6 --rules standard --margin 60 --hang 60 --force"),
    ] {
        let (_, journal) = play_match(&folder, &players, options);
        journal.verify(6, rules);
        assert_eq!(journal.forfeits(), [""; 0]);
        fs::remove_file(folder.file("journal")).expect("it was written");
    }
}

#[test]
fn a_uci_engine_without_the_variant_is_not_let_in() {
    let folder = Folder::new("uci-size");
    let player = format!("cmd={OLLEHTO},proto=uci,depth=1,name=stranger");
    let said = refused(&folder, &["random", &player], "--size 4 --pairs 1");
    assert!(said.contains("stranger") && said.contains("offers no UCI_Variant"), "{said}");
}

/// PlayStrategy's Fairy-Stockfish has `ps-antiflipello`, and plays it for the most discs.
#[cfg(unix)]
#[test]
fn a_uci_engine_that_has_the_variant_by_name_only_is_not_let_in() {
    let folder = Folder::new("uci-name");
    let engine = format!("sh -c 'sed -u s/antiflipello/flipello/ | {OLLEHTO} --no-book'");
    let player = format!("cmd=\"{engine}\",proto=uci,depth=1,name=stranger");
    let said = refused(&folder, &["random", &player], "--pairs 1");
    assert!(said.contains("stranger") && said.contains("antiflipello as if the most discs won"), "{said}");
    let trusted = format!("{player},assume=reversed");
    let (_, journal) = play_match(&folder, &["random", &trusted], "--size 6 --pairs 1 --margin 60");
    journal.verify(2, Rules::Reversed);
}

#[test]
fn a_pair_against_grhino_ends_without_a_forfeit() {
    let Some(rhino) = find_program("gtp-rhino", "grhino") else { return };
    let folder = Folder::new("rhino");
    let rhino = format!("cmd=\"{rhino}\",name=rhino,init=\"set_game Othello\",tc=10");
    let options = "--rules standard --openings random:6 --pairs 1 --jobs 2";
    let (_, journal) = play_match(&folder, &["ollehto,time=0.02", &rhino], options);
    journal.verify(2, Rules::Standard);
    assert_eq!(journal.forfeits(), [""; 0]);
}
