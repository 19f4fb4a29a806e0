//! Thousands of searches begun and cut off at any moment: every one is answered once, in order, for
//! its own position, and none goes on.
//!
//! No search here would end by itself, so a stop that gets lost shows as a hang.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use rand::RngExt;
use rand::rngs::StdRng;

use crate::support::gtp::Gtp;
use crate::support::mailbox::{Mailbox, Move, Rules};
use crate::support::nboard::{Line, NBoard, Record};
use crate::support::positions::{collect, generator, is_midgame, pick};

/// Searches in each of the four storms.
const SEARCHES: usize = 2000;

/// Longer than any test.
const NO_LIMIT: &[&str] = &["--time", "100000", "--hash", "16"];

/// Lets a random time pass: mostly none or a few microseconds, sometimes a millisecond or two.
///
/// Asleep the thread would wake only with the next tick; awake it hits any moment of the search.
fn linger(rng: &mut StdRng) {
    let Some(exponent) = rng.random_range(0..=12_u32).checked_sub(1) else { return };
    let moment = Instant::now() + Duration::from_micros(rng.random_range(0..1 << exponent));
    while Instant::now() < moment {
        thread::yield_now();
    }
}

/// Boards far from their end, so that no two searches look alike.
fn boards(rng: &mut StdRng) -> Vec<Mailbox> {
    collect(rng, 8, 400, is_midgame)
}

/// What GTP still owes an answer for.
enum Owed {
    /// A command whose reply is empty.
    Nothing(Option<u32>),
    /// The number of a search command, and its position.
    Turn(u32, Mailbox),
}

/// One GTP client that never gives the engine rest.
struct GtpStorm {
    gtp: Gtp,
    rng: StdRng,
    boards: Vec<Mailbox>,
    owed: VecDeque<Owed>,
    next_id: u32,
    searches: usize,
}

impl GtpStorm {
    fn new(threads: &str, seed: u64) -> Self {
        let gtp = Gtp::ollehto(&[NO_LIMIT, &["--threads", threads]].concat());
        let mut rng = generator(seed);
        let boards = boards(&mut rng);
        Self { gtp, rng, boards, owed: VecDeque::new(), next_id: 0, searches: 0 }
    }

    fn id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// Sends a position and a search of it, without waiting.
    fn send_search(&mut self) {
        let board = pick(&mut self.rng, &self.boards).clone();
        self.gtp.send(&format!("setboard {}", board.text()));
        self.owed.push_back(Owed::Nothing(None));
        let command = if self.rng.random_bool(0.8) { "genmove" } else { "reg_genmove" };
        let id = self.id();
        self.gtp.send(&format!("{id} {command} {}", board.to_move().letter()));
        self.owed.push_back(Owed::Turn(id, board));
        self.searches += 1;
    }

    fn send_stop(&mut self) {
        let id = self.rng.random_bool(0.5).then(|| self.id());
        let number = id.map(|id| format!("{id} ")).unwrap_or_default();
        self.gtp.send(&format!("{number}stop"));
        self.owed.push_back(Owed::Nothing(id));
    }

    /// Takes the oldest answer still owed.
    fn take_answer(&mut self) {
        let Some(owed) = self.owed.pop_front() else { self.gtp.process.fail("the test waits for nothing") };
        let reply = self.gtp.reply();
        let good = match (&owed, &reply.text) {
            (Owed::Nothing(id), Ok(text)) => reply.id == *id && text.is_empty(),
            (Owed::Turn(id, board), Ok(text)) => {
                let turn = board.read(text).filter(|turn| board.moves().contains(turn));
                reply.id == Some(*id) && turn.is_some()
            }
            (_, Err(_)) => false,
        };
        if !good {
            let wanted = match owed {
                Owed::Nothing(id) => format!("an empty reply with id {id:?}"),
                Owed::Turn(id, board) => format!("reply {id} with a legal move of {}", board.text()),
            };
            self.gtp.process.fail(&format!("expected {wanted}, received {reply:?}"));
        }
    }

    fn take_all_answers(&mut self) {
        while !self.owed.is_empty() {
            self.take_answer();
        }
    }

    /// `stop` ends all that was read before it, and nothing that comes after.
    fn round_of_stop(&mut self) {
        if self.rng.random_bool(0.1) {
            self.send_stop();
        }
        for _ in 0..self.rng.random_range(1..=3) {
            self.send_search();
            linger(&mut self.rng);
        }
        self.send_stop();
        if self.rng.random_bool(0.5) {
            self.take_all_answers();
        }
    }

    /// `# interrupt` ends the search that runs; the one behind it needs its own.
    fn round_of_interrupts(&mut self) {
        self.take_all_answers();
        for _ in 0..self.rng.random_range(1..=2) {
            self.send_search();
        }
        while let Some(owed) = self.owed.front() {
            if matches!(owed, Owed::Turn(..)) {
                linger(&mut self.rng);
                self.gtp.send("# interrupt");
            }
            self.take_answer();
        }
        if self.rng.random_bool(0.1) {
            // Nothing runs: no effect, no reply.
            self.gtp.send("# interrupt");
        }
    }

    fn rage(mut self) {
        while self.searches < SEARCHES {
            if self.rng.random_bool(0.6) { self.round_of_stop() } else { self.round_of_interrupts() }
        }
        self.take_all_answers();
        self.gtp.quit();
    }
}

#[test]
fn gtp_storm_with_one_thread() {
    GtpStorm::new("1", 11).rage();
}

#[test]
fn gtp_storm_with_two_threads() {
    GtpStorm::new("2", 12).rage();
}

/// What a ping was followed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Nothing,
    Hint,
    Go,
}

/// A request from its pong to the next.
struct Request {
    ping: String,
    board: Mailbox,
    asked: Asked,
    answers: usize,
}

/// One NBoard client that changes its mind all the time.
struct NBoardStorm {
    nboard: NBoard,
    rng: StdRng,
    boards: Vec<Mailbox>,
    /// The request whose pong came last.
    current: Request,
    /// Those still to come.
    sent: VecDeque<Request>,
    searches: usize,
}

impl NBoardStorm {
    fn new(threads: &str, seed: u64) -> Self {
        let nboard = NBoard::ollehto(&[NO_LIMIT, &["--threads", threads]].concat());
        let mut rng = generator(seed);
        let boards = boards(&mut rng);
        let current =
            Request { ping: "0".to_owned(), board: Mailbox::start(8), asked: Asked::Nothing, answers: 0 };
        Self { nboard, rng, boards, current, sent: VecDeque::new(), searches: 0 }
    }

    /// Sends a whole request as the GUI does: the state, the ping, the question.
    fn send_request(&mut self) {
        let newest = self.sent.back().unwrap_or(&self.current).board.clone();
        let board = match self.rng.random_range(0..4) {
            // The same position once more.
            0 if !newest.is_over() => newest,
            // One move on.
            1 if newest.moves().len() > 1 => {
                let turn = *pick(&mut self.rng, &newest.moves());
                self.nboard.send(&format!("move {}//0.01", newest.name(turn)));
                newest.after(turn)
            }
            _ => self.send_game(),
        };
        if self.rng.random_bool(0.2) {
            let contempt = self.rng.random_range(-1..=1) * 100;
            self.nboard.send(&format!("set contempt {contempt}"));
        }
        if self.rng.random_bool(0.2) {
            self.nboard.send("set depth 60");
        }
        let ping = self.nboard.send_ping();
        let asked = *pick(&mut self.rng, &[Asked::Go, Asked::Go, Asked::Hint, Asked::Nothing]);
        match asked {
            Asked::Nothing => {}
            Asked::Go => self.nboard.send("go"),
            Asked::Hint => self.nboard.send(["hint 1", "hint 4", "hint 64"][self.rng.random_range(0..3)]),
        }
        self.searches += usize::from(asked != Asked::Nothing);
        self.sent.push_back(Request { ping, board, asked, answers: 0 });
    }

    fn send_game(&mut self) -> Mailbox {
        let board = pick(&mut self.rng, &self.boards).clone();
        // Now and then the other game, which makes the engine forget its table.
        let rules = if self.rng.random_bool(0.05) { Rules::Reversed } else { Rules::Standard };
        self.nboard.send(&format!("set game {}", Record::new(&board, rules, "0//0").ggf()));
        board
    }

    /// Judges a line by the request that the last pong belongs to.
    fn judge(&mut self, line: Line) {
        match line {
            Line::Pong(number) => self.begin(&number),
            Line::Answer { turn, .. } => {
                self.current.answers += 1;
                if self.current.asked != Asked::Go || self.current.answers > 1 {
                    self.blame("an answer too many");
                }
                self.judge_moves(&[turn]);
            }
            Line::Search { moves, .. } => {
                self.judge_open("search");
                self.judge_moves(&moves);
            }
            Line::Nodes(..) => self.judge_open("nodestats"),
            Line::Status(_) | Line::Name(_) => {}
            Line::Analysis(..) | Line::Learned => self.blame("a line nobody asked for"),
        }
    }

    fn begin(&mut self, pong: &str) {
        if self.current.asked == Asked::Go && self.current.answers == 0 {
            self.blame("no answer before the next pong");
        }
        match self.sent.pop_front() {
            Some(request) if request.ping == pong => self.current = request,
            _ => self.blame(&format!("pong {pong} out of turn")),
        }
    }

    fn judge_open(&self, what: &str) {
        if self.current.asked == Asked::Nothing {
            self.blame(&format!("{what} without a request"));
        }
    }

    /// A line of an older search gives itself away by a move that is illegal here.
    fn judge_moves(&self, moves: &[String]) {
        let mut board = self.current.board.clone();
        if board.is_over() && moves == ["PA"] {
            return;
        }
        for name in moves {
            let played = board.read(name).ok_or_else(String::new).and_then(|turn| board.play(turn));
            // A principal variation may leave out forced passes.
            let played = played.or_else(|problem| {
                board.play(Move::Pass).map_err(|_| problem)?;
                board.read(name).ok_or_else(String::new).and_then(|turn| board.play(turn))
            });
            if played.is_err() {
                self.blame(&format!("{name} of {moves:?} is illegal"));
            }
        }
    }

    fn blame(&self, problem: &str) -> ! {
        let Request { ping, board, asked, .. } = &self.current;
        self.nboard.process.fail(&format!("{problem}; since pong {ping}: {asked:?} in {}", board.text()))
    }

    fn rage(mut self) {
        while self.searches < SEARCHES {
            self.send_request();
            linger(&mut self.rng);
            while let Some(line) = self.nboard.line_now() {
                self.judge(line);
            }
            // NBoard waits for its opponent's pong, though not for its analyst's.
            while self.sent.len() > self.rng.random_range(1..20) {
                let line = self.nboard.line();
                self.judge(line);
            }
        }
        let ping = self.nboard.send_ping();
        let board = self.current.board.clone();
        self.sent.push_back(Request { ping, board, asked: Asked::Nothing, answers: 0 });
        while !self.sent.is_empty() {
            let line = self.nboard.line();
            self.judge(line);
        }
        self.nboard.quit();
    }
}

#[test]
fn nboard_storm_with_one_thread() {
    NBoardStorm::new("1", 13).rage();
}

#[test]
fn nboard_storm_with_two_threads() {
    NBoardStorm::new("2", 14).rage();
}
