//! Exhaustive search without any cleverness, against what the engine says is exact.

use std::collections::HashMap;

use crate::support::gtp::Gtp;
use crate::support::mailbox::{Mailbox, Move, Rules};
use crate::support::positions::{collect, generator};
use crate::support::process::Process;

/// Every value ever computed, for one rule set.
struct Oracle {
    rules: Rules,
    known: HashMap<Mailbox, i32>,
}

impl Oracle {
    fn new(rules: Rules) -> Self {
        Self { rules, known: HashMap::new() }
    }

    /// The result of perfect play, for the side to move.
    fn value(&mut self, board: &Mailbox) -> i32 {
        if let Some(value) = self.known.get(board) {
            return *value;
        }
        let best = board.moves().into_iter().map(|turn| self.value_of(board, turn)).max();
        let value = best.unwrap_or_else(|| board.final_score(board.to_move(), self.rules));
        self.known.insert(board.clone(), value);
        value
    }

    /// What a turn is worth for the side that makes it.
    fn value_of(&mut self, board: &Mailbox, turn: Move) -> i32 {
        -self.value(&board.after(turn))
    }
}

/// Asks the engine about a position that it can solve, and the oracle whether that is right.
fn compare(gtp: &mut Gtp, oracle: &mut Oracle, board: &Mailbox) {
    gtp.done(&format!("setboard {}", board.text()));
    let choice = gtp.ok(&format!("reg_genmove {}", board.to_move().letter()));
    let Some(turn) = board.read(&choice).filter(|turn| board.moves().contains(turn)) else {
        gtp.process.fail(&format!("{choice} is illegal"));
    };
    let (best, chosen) = (oracle.value(board), oracle.value_of(board, turn));
    if chosen != best {
        gtp.process.fail(&format!("{:?}: {choice} is worth {chosen}, the best move {best}", oracle.rules));
    }
    let reply = gtp.ok("ollehto-values");
    let mut shown: Vec<(usize, f64)> = Vec::new();
    for pair in reply.split_whitespace().collect::<Vec<_>>().chunks(2) {
        match pair {
            [name, value] => match (board.read(name), value.parse()) {
                (Some(Move::Place(cell)), Ok(value)) => shown.push((cell, value)),
                _ => gtp.process.fail(&format!("{pair:?} is no move with its value")),
            },
            _ => gtp.process.fail("a move without its value"),
        }
    }
    // A pass is no square that a value could be drawn on.
    let cells = board.placements(board.to_move());
    let mut expected: Vec<(usize, f64)> =
        cells.into_iter().map(|cell| (cell, f64::from(oracle.value_of(board, Move::Place(cell))))).collect();
    shown.sort_by_key(|(cell, _)| *cell);
    expected.sort_by_key(|(cell, _)| *cell);
    if shown != expected {
        gtp.process.fail(&format!("{:?}: the oracle says {expected:?}, the engine {shown:?}", oracle.rules));
    }
}

fn compare_all(size: usize, rules: Rules, boards: &[Mailbox]) {
    let size = size.to_string();
    let mut gtp = Gtp::ollehto(&["--size", &size, "--rules", rules.word(), "--depth", "60"]);
    let mut oracle = Oracle::new(rules);
    for board in boards {
        compare(&mut gtp, &mut oracle, board);
    }
    gtp.quit();
}

#[test]
fn small_boards_agree() {
    let mut boards = collect(&mut generator(41), 4, 80, |board| !board.is_over());
    boards.push(Mailbox::start(4));
    for rules in Rules::BOTH {
        compare_all(4, rules, &boards);
    }
}

#[test]
fn late_positions_agree() {
    for size in [6, 8] {
        let boards = collect(&mut generator(42), size, 60, |board| {
            !board.is_over() && (1..=8).contains(&board.empties())
        });
        for rules in Rules::BOTH {
            compare_all(size, rules, &boards);
        }
    }
}

/// What `ollehto perft` counts at this depth: its last line names the depth, then the number.
fn engine_perft(depth: usize, size: usize) -> u64 {
    let (depth, size) = (depth.to_string(), size.to_string());
    let mut process = Process::ollehto(&["perft", &depth, "--size", &size]);
    let mut last = String::new();
    while let Some(line) = process.receive() {
        if !line.trim().is_empty() {
            last = line;
        }
    }
    if !process.wait().success() {
        process.fail("perft failed");
    }
    let mut numbers = last.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    match (numbers.next(), numbers.next().map(str::parse)) {
        (Some(named), Some(Ok(count))) if named == depth => count,
        _ => process.fail(&format!("no depth and number in {last:?}")),
    }
}

#[test]
fn perft_of_the_full_board() {
    let counts = [4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288];
    for (index, count) in counts.into_iter().enumerate() {
        assert_eq!(engine_perft(index + 1, 8), count, "depth {}", index + 1);
    }
}

#[test]
fn perft_of_the_small_boards() {
    // Sixteen turns are more than any game on the smallest board has.
    for (size, depths) in [(4, &[1, 2, 3, 4, 5, 6, 16][..]), (6, &[1, 2, 3, 4, 5, 6])] {
        for &depth in depths {
            assert_eq!(
                engine_perft(depth, size),
                Mailbox::start(size).perft(depth),
                "size {size}, depth {depth}"
            );
        }
    }
}
