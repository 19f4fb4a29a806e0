//! Thinking on the opponent's time must not show on the wire.

use rand::RngExt;

use crate::support::gtp::Gtp;
use crate::support::mailbox::{Mailbox, Rules};
use crate::support::nboard::{NBoard, Record};
use crate::support::positions::{self, collect, generator, random_turn};
use crate::support::referee::{GtpPlayer, Passes, Player, RandomPlayer, play};

const PONDERING: &[&str] = &["--ponder", "--time", "0.01"];

fn ours(arguments: &[&str], first: &Mailbox, rules: Rules) -> GtpPlayer {
    GtpPlayer::ours(Gtp::ollehto(arguments), first, rules, Passes::Explicit)
}

#[test]
fn pondering_plays_whole_games() {
    for rules in Rules::BOTH {
        let first = Mailbox::start(8);
        // While one thinks the other ponders, with hits as often as they agree.
        let mut black = ours(&[PONDERING, &["--threads", "1"]].concat(), &first, rules);
        let mut white = ours(&[PONDERING, &["--threads", "2"]].concat(), &first, rules);
        play(first, &mut [&mut black, &mut white], [0, 1]);
        black.quit();
        white.quit();
    }
}

#[test]
fn misses_do_no_harm() {
    for (seed, rules) in Rules::BOTH.into_iter().enumerate() {
        let first = Mailbox::start(6);
        let mut engine = ours(PONDERING, &first, rules);
        play(first, &mut [&mut engine, &mut RandomPlayer(generator(seed as u64))], [0, 1]);
        engine.quit();
    }
}

#[test]
fn a_sure_hit_is_answered() {
    for board in collect(&mut generator(31), 8, 10, positions::reply_is_forced) {
        let mut engine = ours(PONDERING, &board, Rules::Reversed);
        let own = engine.choose(&board);
        let board = board.after(own);
        // Only one reply exists, so it is the one pondered on.
        let reply = board.moves()[0];
        engine.told(&board, reply);
        let board = board.after(reply);
        if !board.is_over() {
            engine.choose(&board);
        }
        engine.quit();
    }
}

/// Whatever changes the state ends the pondering; the state is that of an engine that never did.
#[test]
fn every_change_of_state_is_honoured() {
    let changes = [
        "undo",
        "gg-undo 2",
        "clear_board",
        "boardsize 6",
        "boardsize 4",
        "rules standard",
        "setboard XO-------------------------------------------------------------- X",
        "clear_cache",
        "ponder off",
        "ponder on",
        "threads 2",
        "hash 8",
        "level 2",
        "stop",
        "# interrupt",
    ];
    for change in changes {
        let mut states = Vec::new();
        for pondering in ["--ponder", "--time=1"] {
            let mut gtp = Gtp::ollehto(&["--no-book", "--depth", "2", pondering]);
            gtp.done("play b f5");
            gtp.ok("genmove w");
            if change.starts_with('#') {
                gtp.send(change)
            } else {
                gtp.done(change)
            }
            let state = ["showboard", "gogui-rules_side_to_move", "gogui-rules_legal_moves", "final_score"]
                .map(|question| gtp.ask(question));
            let side = gtp.ok("gogui-rules_side_to_move");
            let turn = gtp.ask(&format!("reg_genmove {side}"));
            assert!(turn.is_ok(), "after {change:?}: {turn:?}");
            states.push(state);
            gtp.quit();
        }
        assert_eq!(states[0], states[1], "after {change:?}");
    }
}

#[test]
fn undo_and_play_again_and_again() {
    let mut rng = generator(32);
    let mut gtp = Gtp::ollehto(&["--ponder", "--depth", "4"]);
    let mut history = vec![Mailbox::start(8)];
    for _ in 0..200 {
        let board = history.last().expect("the start stays").clone();
        if board.is_over() {
            gtp.done("clear_board");
            history.truncate(1);
            continue;
        }
        let colour = board.to_move().letter();
        match rng.random_range(0..4) {
            0 if history.len() > 1 => {
                gtp.done("undo");
                history.pop();
            }
            1 => {
                let turn = random_turn(&mut rng, &board);
                gtp.done(&format!("play {colour} {}", board.name(turn)));
                history.push(board.after(turn));
            }
            _ => {
                let name = gtp.ok(&format!("genmove {colour}"));
                let turn = board.read(&name).filter(|turn| board.moves().contains(turn));
                let Some(turn) = turn else { gtp.process.fail(&format!("{name} is illegal in {board:?}")) };
                history.push(board.after(turn));
            }
        }
    }
    gtp.quit();
}

#[test]
fn pondering_ends_with_the_input() {
    let mut gtp = Gtp::ollehto(PONDERING);
    gtp.ok("genmove b");
    gtp.process.finish();
    let mut nboard = NBoard::ollehto(PONDERING);
    nboard.send("go");
    nboard.answer();
    nboard.process.finish();
}

#[test]
fn nboard_ponders_in_silence() {
    let mut rng = generator(33);
    let mut nboard = NBoard::ollehto(PONDERING);
    let mut record = Record::new(&Mailbox::start(8), Rules::Reversed, "5:00");
    while !record.board.is_over() {
        nboard.send(&format!("set game {}", record.ggf()));
        nboard.quiet_ping();
        nboard.send("go");
        let (name, eval, _) = nboard.answer();
        let turn = record.board.read(&name);
        let added = turn.ok_or("no move".to_owned()).and_then(|turn| record.add(turn, eval, 0.05));
        added.unwrap_or_else(|problem| nboard.process.fail(&problem));
        if !record.board.is_over() {
            let reply = random_turn(&mut rng, &record.board);
            record.add(reply, None, 0.01).expect("random turns are legal");
        }
    }
    nboard.quit();
}
