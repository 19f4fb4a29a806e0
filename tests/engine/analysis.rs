//! What an analyst shows: complete sets of hints, whole games looked back at, the same every time.

use crate::support::gtp::Gtp;
use crate::support::mailbox::{Mailbox, Rules, Side};
use crate::support::nboard::{Line, NBoard, Record};
use crate::support::positions::{collect, generator, is_midgame, random_turn};

/// A hint: its first move, its value, its depth as written.
type Hint = (String, f64, String);

/// Asks for hints up to a depth and gives all of them as they came.
fn hints(nboard: &mut NBoard, board: &Mailbox, rules: Rules, depth: usize, lines: usize) -> Vec<Hint> {
    nboard.send(&format!("set game {}", Record::new(board, rules, "0//0").ggf()));
    nboard.send(&format!("set depth {depth}"));
    nboard.quiet_ping();
    nboard.send(&format!("hint {lines}"));
    let mut hints = Vec::new();
    loop {
        match nboard.line() {
            Line::Search { moves, eval, depth } => hints.push((moves[0].clone(), eval, depth)),
            Line::Nodes(..) | Line::Name(_) => {}
            // Said at the beginning and, without a text, at the end.
            Line::Status(text) if !text.is_empty() => {}
            Line::Status(_) => return hints,
            line => nboard.process.fail(&format!("{line:?} does not belong to hint")),
        }
    }
}

#[test]
fn each_depth_brings_a_complete_set_of_hints() {
    let mut nboard = NBoard::ollehto(&["--hash", "8"]);
    let (depth, mut rng) = (4, generator(61));
    for (index, board) in collect(&mut rng, 8, 40, is_midgame).iter().enumerate() {
        let legal: Vec<String> = board.moves().into_iter().map(|turn| board.name(turn)).collect();
        let wanted = [1, 2, 4, 64][index % 4].min(legal.len());
        let hints = hints(&mut nboard, board, Rules::BOTH[index % 2], depth, [1, 2, 4, 64][index % 4]);
        let sets: Vec<&[Hint]> = hints.chunk_by(|a, b| a.2 == b.2).collect();
        if sets.len() != depth {
            nboard.process.fail(&format!("{} sets of hints up to depth {depth}: {hints:?}", sets.len()));
        }
        for set in sets {
            let mut moves: Vec<&String> = set.iter().map(|(turn, ..)| turn).collect();
            moves.sort();
            moves.dedup();
            let complete = set.len() == wanted && moves.len() == wanted;
            let known = moves.iter().all(|turn| legal.contains(turn));
            if !complete || !known || !set.is_sorted_by(|a, b| a.1 >= b.1) {
                nboard.process.fail(&format!("not the best {wanted} of {legal:?}, best first: {set:?}"));
            }
        }
    }
    nboard.quit();
}

#[test]
fn hints_near_the_end_are_exact() {
    let mut nboard = NBoard::ollehto(&[]);
    let last_turns = |board: &Mailbox| {
        let moves = board.moves();
        !moves.is_empty() && !board.must_pass() && moves.into_iter().all(|turn| board.after(turn).is_over())
    };
    for (index, board) in collect(&mut generator(62), 8, 20, last_turns).iter().enumerate() {
        let rules = Rules::BOTH[index % 2];
        let hints = hints(&mut nboard, board, rules, 60, 64);
        for turn in board.moves() {
            let score = f64::from(board.after(turn).final_score(board.to_move(), rules));
            let exact = (board.name(turn), score, "100%".to_owned());
            if !hints.contains(&exact) {
                nboard.process.fail(&format!("{rules:?}: {exact:?} is not among {hints:?}"));
            }
        }
    }
    nboard.quit();
}

#[test]
fn a_game_is_looked_back_at_from_its_end() {
    let mut rng = generator(63);
    for rules in Rules::BOTH {
        let mut nboard = NBoard::ollehto(&["--depth", "1"]);
        let mut record = Record::new(&Mailbox::start(8), rules, "5:00");
        let mut turns = 0;
        while !record.board.is_over() {
            let turn = random_turn(&mut rng, &record.board);
            record.add(turn, None, 0.1).expect("random turns are legal");
            turns += 1;
        }
        nboard.send(&format!("set game {}", record.ggf()));
        nboard.quiet_ping();
        nboard.send("analyze");
        let mut made = Vec::new();
        while made.len() <= turns {
            match nboard.line() {
                Line::Analysis(number, value) => {
                    let result = f64::from(record.board.final_score(Side::Black, rules));
                    if number == turns && value != result {
                        nboard.process.fail(&format!("{rules:?}: the result is {result} for Black"));
                    }
                    made.push(number);
                }
                Line::Status(_) | Line::Nodes(..) => {}
                line => nboard.process.fail(&format!("{line:?} does not belong to analyze")),
            }
        }
        let expected: Vec<usize> = (0..=turns).rev().collect();
        assert_eq!(made, expected, "{rules:?}");
        nboard.quit();
    }
}

/// All that a script gets to see, on one thread at a fixed depth.
fn game_with_values(rules: Rules) -> Vec<String> {
    let mut gtp = Gtp::ollehto(&["--no-book", "--depth", "5", "--rules", rules.word()]);
    let mut seen = Vec::new();
    for turn in 0..20 {
        seen.push(gtp.ok("ollehto-values"));
        seen.push(gtp.ok(["genmove b", "genmove w"][turn % 2]));
    }
    gtp.quit();
    seen
}

#[test]
fn a_fixed_depth_on_one_thread_gives_the_same_game() {
    for rules in Rules::BOTH {
        assert_eq!(game_with_values(rules), game_with_values(rules), "{rules:?}");
    }
}

/// The nodes that `go` needed.
fn nodes_of_go(nboard: &mut NBoard) -> u64 {
    nboard.ping();
    nboard.send("go");
    let mut nodes = 0;
    loop {
        match nboard.line() {
            Line::Nodes(count, _) => nodes = count,
            Line::Answer { .. } => return nodes,
            Line::Status(_) | Line::Search { .. } => {}
            line => nboard.process.fail(&format!("{line:?} does not belong to go")),
        }
    }
}

#[test]
fn what_was_searched_is_remembered_until_told_to_forget() {
    let mut nboard = NBoard::ollehto(&["--no-book", "--depth", "9"]);
    let first = nodes_of_go(&mut nboard);
    let second = nodes_of_go(&mut nboard);
    nboard.send("clear");
    let third = nodes_of_go(&mut nboard);
    assert!(second < first, "{second} nodes after {first}: nothing was remembered");
    assert_eq!(third, first, "something was not forgotten");
    nboard.quit();
}
