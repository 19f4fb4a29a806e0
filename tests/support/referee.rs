//! Games under a referee who keeps the board and the rules himself. The clock is not his: see the tests on a simulated one
//! in `src/frontend/clock_tests.rs`.

use std::time::{Duration, Instant};

use rand::rngs::StdRng;

use super::gtp::Gtp;
use super::mailbox::{Mailbox, Move, Rules, Side};
use super::nboard::{NBoard, Record};
use super::positions::random_turn;

/// Somebody at the board.
pub trait Player {
    /// Chooses a legal turn, or fails the test.
    fn choose(&mut self, board: &Mailbox) -> Move;
    /// Hears of another's turn, from the position before it.
    fn told(&mut self, board: &Mailbox, turn: Move);
    /// Says what it believes about a position, which must be the truth.
    fn inspect(&mut self, _board: &Mailbox) {}
    /// Agrees to the end of the game.
    fn finish(&mut self, _board: &Mailbox) {}
}

/// Plays a game to its end; `seats` gives the player of Black and of White.
pub fn play(mut board: Mailbox, players: &mut [&mut dyn Player], seats: [usize; 2]) -> Mailbox {
    loop {
        for player in players.iter_mut() {
            player.inspect(&board);
        }
        if board.is_over() {
            break;
        }
        let seat = seats[usize::from(board.to_move() == Side::White)];
        let turn = players[seat].choose(&board);
        for (_, other) in players.iter_mut().enumerate().filter(|(index, _)| *index != seat) {
            other.told(&board, turn);
        }
        board = board.after(turn);
    }
    for player in players.iter_mut() {
        player.finish(&board);
    }
    board
}

/// Plays anything legal.
pub struct RandomPlayer(pub StdRng);

impl Player for RandomPlayer {
    fn choose(&mut self, board: &Mailbox) -> Move {
        random_turn(&mut self.0, board)
    }

    fn told(&mut self, _board: &Mailbox, _turn: Move) {}
}

/// How passes go over the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// As GoGui does it: a pass is a move like any other.
    Explicit,
    /// As Quarry does it: nobody mentions a pass, the side that can move is asked again.
    Implied,
}

/// An engine that speaks GTP.
pub struct GtpPlayer {
    gtp: Gtp,
    rules: Rules,
    passes: Passes,
    is_ours: bool,
    /// A pass has not been mentioned, so the engine still has the board before it.
    is_behind: bool,
}

impl GtpPlayer {
    /// Our engine in a position; it is asked for everything it knows.
    pub fn ours(mut gtp: Gtp, first: &Mailbox, rules: Rules, passes: Passes) -> Self {
        gtp.done(&format!("boardsize {}", first.size()));
        gtp.done("clear_board");
        gtp.done(&format!("rules {}", rules.word()));
        if *first != Mailbox::start(first.size()) {
            gtp.done(&format!("setboard {}", first.text()));
        }
        Self { gtp, rules, passes, is_ours: true, is_behind: false }
    }

    /// A foreign engine at the start of a standard game; it is asked only for moves and the result.
    pub fn foreign(mut gtp: Gtp) -> Self {
        for command in ["set_game Othello", "boardsize 8", "clear_board"] {
            gtp.done(command);
        }
        Self { gtp, rules: Rules::Standard, passes: Passes::Implied, is_ours: false, is_behind: false }
    }

    /// The connection, for a test that has something else to ask.
    pub fn gtp(&mut self) -> &mut Gtp {
        &mut self.gtp
    }

    /// Ends the engine.
    pub fn quit(self) {
        self.gtp.quit();
    }

    /// Each dialect has its own words for the colours.
    fn colour(&self, side: Side) -> String {
        match self.passes {
            Passes::Explicit => side.letter().to_string(),
            Passes::Implied => side.word().to_owned(),
        }
    }

    /// Compares a reply with the referee's own.
    fn agree(&mut self, command: &str, expected: &str, board: &Mailbox) {
        let text = self.gtp.ok(command);
        if text != expected {
            let problem = format!("{command} says {text:?}, the referee {expected:?} in {}", board.text());
            self.gtp.process.fail(&problem);
        }
    }
}

impl Player for GtpPlayer {
    fn choose(&mut self, board: &Mailbox) -> Move {
        self.is_behind = board.must_pass() && self.passes == Passes::Implied;
        if self.is_behind {
            return Move::Pass;
        }
        let command = format!("genmove {}", self.colour(board.to_move()));
        let text = self.gtp.ok(&command);
        let turn = board.read(&text).filter(|turn| board.moves().contains(turn));
        turn.unwrap_or_else(|| {
            self.gtp.process.fail(&format!("{command}: {text:?} is illegal in {}", board.text()))
        })
    }

    fn told(&mut self, board: &Mailbox, turn: Move) {
        self.is_behind = turn == Move::Pass && self.passes == Passes::Implied;
        if self.is_behind {
            return;
        }
        let (colour, name) = (self.colour(board.to_move()), board.name(turn));
        let command = match self.passes {
            // GoGui's spelling.
            Passes::Explicit => format!("play {} {}", colour.to_uppercase(), name.to_uppercase()),
            Passes::Implied => format!("play {colour} {name}"),
        };
        self.gtp.done(&command);
        // GoGui plays every move again and relies on the refusal.
        if turn != Move::Pass && self.is_ours && self.gtp.refused(&command) != "illegal move" {
            self.gtp.process.fail(&format!("{command} again: the wrong error"));
        }
    }

    fn inspect(&mut self, board: &Mailbox) {
        if !self.is_ours || self.is_behind {
            return;
        }
        let names: Vec<String> = board.moves().into_iter().map(|turn| board.name(turn)).collect();
        self.agree("gogui-rules_legal_moves", &names.join(" "), board);
        self.agree("gogui-rules_side_to_move", board.to_move().word(), board);
        let [black, white] = [Side::Black, Side::White].map(|side| board.count(side));
        self.agree("gogui-rules_captured_count", &format!("{white} {black}"), board);
        let cells = board.cells_text('X').replace('-', ".");
        let rows: Vec<String> = cells
            .as_bytes()
            .chunks(board.size())
            .rev()
            .map(|row| row.iter().map(|cell| char::from(*cell).to_string()).collect::<Vec<_>>().join(" "))
            .collect();
        self.agree("gogui-rules_board", &rows.join("\n"), board);
        self.agree("showposition", &board.text(), board);
        self.inspect_picture(board);
    }

    fn finish(&mut self, board: &Mailbox) {
        if self.is_ours {
            for side in [board.to_move(), board.to_move().other()] {
                self.agree(&format!("genmove {}", self.colour(side)), "pass", board);
            }
            if self.passes == Passes::Explicit {
                self.gtp.done("play B PASS");
                self.gtp.done("play W PASS");
            }
        }
        self.agree("final_score", &board.result(self.rules), board);
    }
}

impl GtpPlayer {
    /// The picture for people must show the truth too: the rows, both counts, the legal moves.
    fn inspect_picture(&mut self, board: &Mailbox) {
        let picture = self.gtp.ok("showboard");
        let words: Vec<&str> = picture.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let mut expected: Vec<String> =
            [Side::Black, Side::White].map(|side| board.count(side).to_string()).into();
        expected.extend(board.moves().into_iter().map(|turn| board.name(turn)));
        for word in expected {
            if !words.iter().any(|shown| shown.eq_ignore_ascii_case(&word)) {
                self.gtp.process.fail(&format!("showboard lacks {word:?} of {}", board.text()));
            }
        }
    }
}

/// Our engine at the other end of the NBoard protocol.
pub struct NBoardPlayer {
    nboard: NBoard,
    record: Record,
}

impl NBoardPlayer {
    /// An engine in a game with a clock as in `TI[...]`.
    pub fn new(nboard: NBoard, first: &Mailbox, rules: Rules, clock: &str) -> Self {
        Self { nboard, record: Record::new(first, rules, clock) }
    }

    /// Ends the engine.
    pub fn quit(self) {
        self.nboard.quit();
    }

    fn write_down(&mut self, turn: Move, eval: Option<f64>, used: Duration) {
        let written = self.record.add(turn, eval, used.as_secs_f64());
        written.unwrap_or_else(|problem| self.nboard.process.fail(&problem));
    }
}

impl Player for NBoardPlayer {
    fn choose(&mut self, board: &Mailbox) -> Move {
        self.nboard.send(&format!("set game {}", self.record.ggf()));
        self.nboard.quiet_ping();
        let asked = Instant::now();
        self.nboard.send("go");
        let (name, eval, _) = self.nboard.answer();
        let used = asked.elapsed();
        let Some(turn) = board.read(&name).filter(|turn| board.moves().contains(turn)) else {
            self.nboard.process.fail(&format!("{name:?} is illegal in {}", board.text()));
        };
        self.write_down(turn, eval, used);
        turn
    }

    fn told(&mut self, _board: &Mailbox, turn: Move) {
        self.write_down(turn, None, Duration::from_millis(7));
    }

    fn finish(&mut self, board: &Mailbox) {
        // NBoard never asks for a move here, others do.
        self.nboard.send(&format!("set game {}", self.record.ggf()));
        self.nboard.quiet_ping();
        self.nboard.send("go");
        let (name, ..) = self.nboard.answer();
        if !name.eq_ignore_ascii_case("PA") {
            self.nboard.process.fail(&format!("{name:?} after the end of the game in {}", board.text()));
        }
    }
}
