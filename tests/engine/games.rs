//! Whole games over both protocols, judged at every turn by a referee with rules of his own.

use crate::support::gtp::Gtp;
use crate::support::mailbox::{Mailbox, Rules, Side};
use crate::support::nboard::NBoard;
use crate::support::positions::{self, collect, collect_wipe_outs, generator};
use crate::support::referee::{GtpPlayer, NBoardPlayer, Passes, Player, RandomPlayer, play};

const TIMED: &[&str] = &["--time", "0.005"];

/// The two ways to say pass.
const DIALECTS: [Passes; 2] = [Passes::Explicit, Passes::Implied];

/// The engine in both seats, on one board.
fn gtp_self_play(first: &Mailbox, rules: Rules, passes: Passes, arguments: &[&str]) -> Mailbox {
    let mut engine = GtpPlayer::ours(Gtp::ollehto(arguments), first, rules, passes);
    let last = play(first.clone(), &mut [&mut engine], [0, 0]);
    engine.quit();
    last
}

/// The engine on one side, chance on the other.
fn gtp_against_chance(first: &Mailbox, rules: Rules, passes: Passes, side: Side, seed: u64) -> Mailbox {
    let mut engine = GtpPlayer::ours(Gtp::ollehto(TIMED), first, rules, passes);
    let last = against_chance(first, &mut engine, side, seed);
    engine.quit();
    last
}

fn against_chance(first: &Mailbox, engine: &mut dyn Player, side: Side, seed: u64) -> Mailbox {
    let seats = if side == Side::Black { [0, 1] } else { [1, 0] };
    play(first.clone(), &mut [engine, &mut RandomPlayer(generator(seed))], seats)
}

/// Positions with something awkward close ahead: a pass now or next, the last disc lost.
fn awkward_positions(size: usize, seed: u64) -> Vec<Mailbox> {
    let mut rng = generator(seed);
    let mut found = collect(&mut rng, size, 2, Mailbox::must_pass);
    found.extend(collect(&mut rng, size, 2, positions::can_force_pass));
    found.extend(collect_wipe_outs(&mut rng, size, 2));
    // Two discs and the pass before the last of them falls, on every size.
    let corner = format!("XO{} O", "-".repeat(size * size - 2));
    found.push(Mailbox::parse(&corner).expect("a good position"));
    found
}

#[test]
fn gtp_plays_itself_on_every_board() {
    for size in [4, 6, 8] {
        for rules in Rules::BOTH {
            for passes in DIALECTS {
                gtp_self_play(&Mailbox::start(size), rules, passes, TIMED);
                gtp_self_play(&Mailbox::start(size), rules, passes, &["--depth", "3", "--threads", "2"]);
            }
        }
    }
}

#[test]
fn gtp_plays_against_chance_on_every_board() {
    for size in [4, 6, 8] {
        for rules in Rules::BOTH {
            for (index, passes) in DIALECTS.into_iter().enumerate() {
                let side = [Side::Black, Side::White][index];
                gtp_against_chance(&Mailbox::start(size), rules, passes, side, 100 + size as u64);
                gtp_against_chance(&Mailbox::start(size), rules, passes, side.other(), 200 + size as u64);
            }
        }
    }
}

#[test]
fn gtp_plays_through_passes_and_wipe_outs() {
    for size in [4, 6, 8] {
        for (index, first) in awkward_positions(size, 300 + size as u64).iter().enumerate() {
            let rules = Rules::BOTH[index % 2];
            for passes in DIALECTS {
                gtp_self_play(first, rules, passes, &["--depth", "3"]);
                gtp_against_chance(first, rules, passes, first.to_move(), 400);
            }
        }
    }
}

/// One move is left, and it takes the last disc of the opponent, wherever the winner likes it.
#[test]
fn gtp_ends_a_game_with_the_last_disc() {
    for size in [4, 6, 8] {
        let row = format!("X{}-", "O".repeat(size - 2));
        for side in [Side::Black, Side::White] {
            let cells = row.clone() + &"-".repeat(size * (size - 1));
            let text = if side == Side::Black {
                cells
            } else {
                cells.replace('X', "x").replace('O', "X").replace('x', "O")
            };
            let first = Mailbox::parse(&format!("{text} {}", if side == Side::Black { 'X' } else { 'O' }));
            let first = first.expect("a good position");
            for rules in Rules::BOTH {
                let last = gtp_self_play(&first, rules, Passes::Explicit, &["--depth", "3"]);
                assert_eq!(last.count(side.other()), 0, "from {first:?}");
            }
        }
    }
}

/// On its clock, which it keeps itself.
#[test]
fn gtp_plays_by_a_clock() {
    for rules in Rules::BOTH {
        let mut gtp = Gtp::ollehto(&[]);
        gtp.done("time_settings 1 0 0");
        let first = Mailbox::start(8);
        let mut engine = GtpPlayer::ours(gtp, &first, rules, Passes::Explicit);
        against_chance(&first, &mut engine, Side::White, 600);
        engine.quit();
    }
}

/// A game over NBoard against chance or, without a side, against itself.
fn nboard_game(first: &Mailbox, rules: Rules, side: Option<Side>, clock: &str, arguments: &[&str]) {
    let mut engine = NBoardPlayer::new(NBoard::ollehto(arguments), first, rules, clock);
    match side {
        None => play(first.clone(), &mut [&mut engine], [0, 0]),
        Some(side) => against_chance(first, &mut engine, side, 700),
    };
    engine.quit();
}

#[test]
fn nboard_plays_whole_games() {
    for rules in Rules::BOTH {
        for side in [None, Some(Side::Black), Some(Side::White)] {
            nboard_game(&Mailbox::start(8), rules, side, "5:00", TIMED);
        }
        nboard_game(&Mailbox::start(8), rules, None, "0//0", &["--depth", "3", "--threads", "2"]);
    }
}

#[test]
fn nboard_plays_through_passes_and_wipe_outs() {
    for (index, first) in awkward_positions(8, 800).iter().enumerate() {
        let rules = Rules::BOTH[index % 2];
        nboard_game(first, rules, None, "5:00", &["--depth", "3"]);
        nboard_game(first, rules, Some(first.to_move().other()), "15:00//2:00", &["--depth", "3"]);
    }
}

#[test]
fn nboard_plays_by_the_clock_of_the_game() {
    for rules in Rules::BOTH {
        let first = Mailbox::start(8);
        let mut engine = NBoardPlayer::new(NBoard::ollehto(&[]), &first, rules, "0:01//0:00");
        against_chance(&first, &mut engine, Side::Black, 900);
        engine.quit();
    }
}
