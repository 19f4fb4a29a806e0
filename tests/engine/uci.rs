//! UCI: storms of searches, and games against the plain rules.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use rand::RngExt;
use rand::rngs::StdRng;

use crate::support::exhaustive::{Discs, Grid};
use crate::support::mailbox::{Mailbox, Move, Rules, Side};
use crate::support::positions::{collect, generator, is_midgame, pick, random_turn};
use crate::support::uci::{self, Line, Uci};

/// Searches in each storm.
const SEARCHES: usize = 2000;

/// Lets a random time pass: mostly none or a few microseconds, sometimes a millisecond or two.
fn linger(rng: &mut StdRng) {
    let Some(exponent) = rng.random_range(0..=12_u32).checked_sub(1) else { return };
    let moment = Instant::now() + Duration::from_micros(rng.random_range(0..1 << exponent));
    while Instant::now() < moment {
        thread::yield_now();
    }
}

/// A client that changes its mind all the time. No search ends by itself, so a lost stop shows as a hang.
struct Storm {
    uci: Uci,
    rng: StdRng,
    boards: Vec<Mailbox>,
    /// Of searches without an answer; the first one runs.
    owed: VecDeque<Mailbox>,
    ready_owed: usize,
    searches: usize,
}

impl Storm {
    fn new(threads: &str, seed: u64) -> Self {
        let uci = Uci::ollehto(&["--hash", "16", "--threads", threads, "--no-book"]);
        let mut rng = generator(seed);
        let boards = collect(&mut rng, 8, 400, is_midgame);
        Self { uci, rng, boards, owed: VecDeque::new(), ready_owed: 0, searches: 0 }
    }

    /// Sends a position and a search of it, without waiting.
    fn send_search(&mut self) {
        let mut board = pick(&mut self.rng, &self.boards).clone();
        let mut position = format!("position fen {}", uci::fen(&board));
        let turn = random_turn(&mut self.rng, &board);
        if self.rng.random_bool(0.5) && !board.after(turn).is_over() {
            position += &format!(" moves {}", uci::name(&board, turn));
            board = board.after(turn);
        }
        self.uci.send(&position);
        let limits = ["infinite", "ponder wtime 100000000 btime 100000000", "movetime 100000000"];
        let limit = *pick(&mut self.rng, &limits);
        self.uci.send(&format!("go {limit}"));
        self.owed.push_back(board);
        self.searches += 1;
        linger(&mut self.rng);
        if limit.starts_with("ponder") && self.rng.random_bool(0.5) {
            self.uci.send("ponderhit");
        }
    }

    fn judge(&mut self, line: Line) {
        match line {
            Line::Ready if self.ready_owed > 0 => self.ready_owed -= 1,
            Line::Ready => self.uci.process.fail("a readyok too many"),
            Line::Best { best, ponder } => {
                let Some(board) = self.owed.pop_front() else { self.uci.process.fail("a bestmove too many") };
                let names: Vec<String> = [Some(best), ponder].into_iter().flatten().collect();
                self.judge_moves(&board, &names);
            }
            Line::Info { moves, .. } => match self.owed.front().cloned() {
                Some(board) => self.judge_moves(&board, &moves),
                None => self.uci.process.fail("info without a search"),
            },
            Line::Other(_) => {}
        }
    }

    /// A line of an older search gives itself away by a move that is illegal here.
    fn judge_moves(&self, board: &Mailbox, names: &[String]) {
        let mut board = board.clone();
        for name in names {
            match uci::read(&board, name) {
                Some(turn) => board = board.after(turn),
                None => self.uci.process.fail(&format!("{name} of {names:?} is illegal in {}", board.text())),
            }
        }
    }

    fn rage(mut self) {
        while self.searches < SEARCHES {
            for _ in 0..self.rng.random_range(1..=3) {
                self.send_search();
            }
            if self.rng.random_bool(0.3) {
                self.uci.send("isready");
                self.ready_owed += 1;
            }
            linger(&mut self.rng);
            self.uci.send("stop");
            while let Some(line) = self.uci.line_now() {
                self.judge(line);
            }
            if self.rng.random_bool(0.5) {
                self.take_all_answers();
            }
        }
        self.take_all_answers();
        self.uci.send("stop");
        self.uci.send("isready");
        self.ready_owed += 1;
        self.take_all_answers();
        self.uci.quit();
    }

    fn take_all_answers(&mut self) {
        while !self.owed.is_empty() || self.ready_owed > 0 {
            let line = self.uci.line();
            self.judge(line);
        }
    }
}

#[test]
fn uci_storm_with_one_thread() {
    Storm::new("1", 21).rage();
}

#[test]
fn uci_storm_with_two_threads() {
    Storm::new("2", 22).rage();
}

/// Whole games by moves alone: each answer is legal, passes have their names, and every answer has a score.
#[test]
fn games_are_played_to_their_end() {
    for (rules, variant, size) in [
        (Rules::Reversed, "antiflipello", 8),
        (Rules::Standard, "ps-flipello", 8),
        (Rules::Reversed, "antiflipello6", 6),
        (Rules::Standard, "flipello6", 6),
    ] {
        let mut uci = Uci::ollehto(&["--hash", "1"]);
        uci.send(&format!("setoption name UCI_Variant value {variant}"));
        let mut rng = generator(size as u64);
        let mut board = Mailbox::start(size);
        let mut moves = String::new();
        while !board.is_over() {
            uci.send(&format!("position startpos moves{moves}"));
            let (best, before) = uci.go("nodes 500");
            let scored = before.iter().rev().find_map(|line| match line {
                Line::Info { rank: 1, score, .. } => Some(score.clone()),
                _ => None,
            });
            let Some(score) = scored else { uci.process.fail("no score before bestmove") };
            let Some(own) = uci::read(&board, &best) else { uci.process.fail(&format!("{best} is illegal")) };
            judge_mate(&uci, &board, rules, &score);
            // Half of the moves are its own.
            let turn = if rng.random_bool(0.5) { own } else { random_turn(&mut rng, &board) };
            moves += &format!(" {}", uci::name(&board, turn));
            board = board.after(turn);
        }
        uci.send(&format!("position startpos moves{moves}"));
        let (best, before) = uci.go("depth 5");
        // Where squares are left, the convention has both players pass.
        let is_pass = best.len() == 4 && best[..2] == best[2..];
        assert!(best == "(none)" || (board.empties() > 0 && is_pass), "{best}");
        assert!(before.iter().any(|line| matches!(line, Line::Info { .. })), "{before:?}");
        uci.quit();
    }
}

/// A game called won or lost is, by exhaustive search.
fn judge_mate(uci: &Uci, board: &Mailbox, rules: Rules, score: &str) {
    let Some(moves) = score.strip_prefix("mate ").and_then(|moves| moves.parse::<i32>().ok()) else { return };
    if board.empties() > 8 {
        return;
    }
    let cells = board.cells_text('X');
    let of = |symbol| {
        cells.char_indices().filter(|&(_, cell)| cell == symbol).fold(0, |set, (at, _)| set | 1 << at)
    };
    let (own, other) = match board.to_move() {
        Side::Black => (of('X'), of('O')),
        Side::White => (of('O'), of('X')),
    };
    let value = Grid::new(board.size()).value(Discs { own, other }, rules);
    if value.signum() != moves.signum() || value == 0 {
        uci.process.fail(&format!("mate {moves}, but the result is {value} in {}", board.text()));
    }
}

#[test]
fn the_board_is_shown_as_fairy_stockfish_does() {
    let mut uci = Uci::ollehto(&[]);
    let mut rng = generator(5);
    let mut board = Mailbox::start(8);
    let mut moves = String::new();
    let mut placed = [0, 0];
    let mut number = 1;
    let mut passes = 0;
    while !board.is_over() {
        let turn = random_turn(&mut rng, &board);
        moves += &format!(" {}", uci::name(&board, turn));
        passes = if turn == Move::Pass { passes + 1 } else { 0 };
        placed[usize::from(board.to_move() == Side::White)] += usize::from(turn != Move::Pass);
        number += usize::from(board.to_move() == Side::White);
        board = board.after(turn);
        let pocket = "P".repeat(60 - placed[0]) + &"p".repeat(60 - placed[1]);
        let wanted = uci::fen(&board).replace("[]", &format!("[{pocket}]"));
        let wanted = wanted.replace("- - 0 1", &format!("- - {passes} {number}"));
        uci.send(&format!("position startpos moves{moves}"));
        uci.send("d");
        let mut shown = String::new();
        while !shown.starts_with("Fen: ") {
            shown = uci.process.receive().expect("a line");
        }
        assert_eq!(shown.strip_prefix("Fen: "), Some(wanted.as_str()));
        while !uci.process.receive().expect("a line").starts_with("Moves:") {}
    }
    uci.quit();
}
