//! An NBoard client that reads what NBoard's own parser reads, and takes nothing else.

use super::mailbox::{Mailbox, Move, Rules, Side};
use super::process::Process;

/// A line from the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// `pong N`.
    Pong(String),
    /// `=== move/eval/seconds`.
    Answer {
        /// The move as written.
        turn: String,
        /// Discs for the side to move.
        eval: Option<f64>,
        /// Time used.
        seconds: Option<f64>,
    },
    /// `search pv eval 0 depth`, or `book`, which looks the same.
    Search {
        /// The moves of the line as written.
        moves: Vec<String>,
        /// Discs for the side to move.
        eval: f64,
        /// The depth as written.
        depth: String,
    },
    /// `nodestats nodes seconds`.
    Nodes(u64, f64),
    /// `analysis turns-made eval`.
    Analysis(usize, f64),
    /// `status text`.
    Status(String),
    /// `set myname name`.
    Name(String),
    /// `learned`.
    Learned,
}

/// Reads a line; NBoard shows an error for each of ours that this refuses.
pub fn parse(line: &str) -> Result<Line, String> {
    let bad = |what: &str| format!("{what} in {line:?}");
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    match words[..] {
        ["pong", number] => Ok(Line::Pong(number.to_owned())),
        ["===", answer] => parse_answer(answer).ok_or_else(|| bad("no answer")),
        ["search", pv, eval, games, depth, ..] | ["book", pv, eval, games, depth, ..] => {
            let moves = parse_line(pv).ok_or_else(|| bad("no line of moves"))?;
            let eval = decimal(eval).ok_or_else(|| bad("no evaluation"))?;
            integer(games).ok_or_else(|| bad("no number of games"))?;
            if !depth.starts_with(|first: char| first.is_ascii_digit()) {
                return Err(bad("no depth"));
            }
            if words[0] == "search" && games != "0" {
                return Err(bad("games outside the book"));
            }
            Ok(Line::Search { moves, eval, depth: depth.to_owned() })
        }
        ["nodestats", nodes, seconds] => {
            let nodes = integer(nodes).ok_or_else(|| bad("no node count"))?;
            Ok(Line::Nodes(nodes, decimal(seconds).ok_or_else(|| bad("no seconds"))?))
        }
        ["analysis", made, eval] => {
            let made = integer(made).ok_or_else(|| bad("no number of moves"))? as usize;
            Ok(Line::Analysis(made, decimal(eval).ok_or_else(|| bad("no evaluation"))?))
        }
        ["status", ..] => Ok(Line::Status(words[1..].join(" "))),
        ["set", "myname", name] if !name.contains(']') => Ok(Line::Name(name.to_owned())),
        ["learned"] => Ok(Line::Learned),
        _ => Err(bad("nothing NBoard knows")),
    }
}

fn parse_answer(text: &str) -> Option<Line> {
    let mut parts = text.split('/');
    let turn = parse_line(parts.next()?)?;
    let [turn] = &turn[..] else { return None };
    let mut number = || match parts.next() {
        None | Some("") => Some(None),
        Some(text) => decimal(text).map(Some),
    };
    let (eval, seconds) = (number()?, number()?);
    parts.next().is_none().then(|| Line::Answer { turn: turn.clone(), eval, seconds })
}

/// `F5d6C3` or `F5-D6-C3`.
fn parse_line(pv: &str) -> Option<Vec<String>> {
    let text = pv.replace('-', "").to_ascii_uppercase();
    let moves: Vec<String> =
        text.as_bytes().chunks(2).map(|two| String::from_utf8_lossy(two).into()).collect();
    let board = Mailbox::start(8);
    (!moves.is_empty() && moves.iter().all(|turn| board.read(turn).is_some())).then_some(moves)
}

/// A decimal number without an exponent, without a comma, finite.
fn decimal(text: &str) -> Option<f64> {
    let plain = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = plain.bytes().filter(u8::is_ascii_digit).count();
    let dots = plain.bytes().filter(|byte| *byte == b'.').count();
    (digits > 0 && dots <= 1 && digits + dots == plain.len()).then(|| text.parse().ok())?
}

fn integer(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A process that speaks NBoard.
pub struct NBoard {
    /// The process, for whatever is not a line of the protocol.
    pub process: Process,
    pings: u32,
}

impl NBoard {
    /// Starts the engine under test and introduces itself as the GUI does.
    pub fn ollehto(arguments: &[&str]) -> Self {
        let mut client = Self { process: Process::ollehto(arguments), pings: 0 };
        client.send("nboard 2");
        client
    }

    /// Sends a line.
    #[track_caller]
    pub fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    /// Sends the next ping and gives its number.
    #[track_caller]
    pub fn send_ping(&mut self) -> String {
        self.pings += 1;
        self.send(&format!("ping {}", self.pings));
        self.pings.to_string()
    }

    /// The next line, which has to be there.
    #[track_caller]
    pub fn line(&mut self) -> Line {
        match self.process.receive() {
            Some(line) => self.read(&line),
            None => self.process.fail("the output ended"),
        }
    }

    /// The next line if it is there already.
    #[track_caller]
    pub fn line_now(&mut self) -> Option<Line> {
        self.process.receive_now().map(|line| self.read(&line))
    }

    #[track_caller]
    fn read(&self, line: &str) -> Line {
        parse(line).unwrap_or_else(|problem| self.process.fail(&problem))
    }

    /// Pings, and gives what came before the pong.
    #[track_caller]
    pub fn ping(&mut self) -> Vec<Line> {
        let number = self.send_ping();
        let mut before = Vec::new();
        loop {
            match self.line() {
                Line::Pong(pong) if pong == number => return before,
                Line::Pong(pong) => self.process.fail(&format!("pong {pong} instead of {number}")),
                line => before.push(line),
            }
        }
    }

    /// Pings when nothing runs: before the pong nothing comes but the tail of what is done.
    #[track_caller]
    pub fn quiet_ping(&mut self) {
        let before = self.ping();
        if !before.iter().all(|line| matches!(line, Line::Status(_) | Line::Name(_) | Line::Nodes(..))) {
            self.process.fail(&format!("no request was open, still there came {before:?}"));
        }
    }

    /// Ends the engine as NBoard does, by closing the pipe. All of its output must have come before
    /// the last pong, and none of it on stderr, which NBoard mixes into stdout.
    #[track_caller]
    pub fn quit(mut self) {
        self.ping();
        self.process.finish();
        let errors = self.process.stderr();
        if !errors.is_empty() {
            self.process.fail(&format!("on stderr came {errors:?}"));
        }
    }

    /// Reads on until the answer to `go`; gives the move, the evaluation and the seconds.
    #[track_caller]
    pub fn answer(&mut self) -> (String, Option<f64>, Option<f64>) {
        loop {
            match self.line() {
                Line::Answer { turn, eval, seconds } => return (turn, eval, seconds),
                Line::Search { .. } | Line::Nodes(..) | Line::Status(_) | Line::Name(_) => {}
                line => self.process.fail(&format!("{line:?} does not belong to go")),
            }
        }
    }
}

/// A game as NBoard writes it down.
pub struct Record {
    header: String,
    first: Mailbox,
    moves: String,
    /// The position after the last move.
    pub board: Mailbox,
}

impl Record {
    /// A game that begins here, with `clock` as in `TI[...]`.
    pub fn new(first: &Mailbox, rules: Rules, clock: &str) -> Self {
        let kind = if rules == Rules::Reversed { "8a" } else { "8" };
        let header = format!(
            "(;GM[Othello]PC[NBoard]DT[2026-11-15 00:23:06 GMT]PB[human]PW[other]RE[?]TI[{clock}]TY[{kind}]"
        );
        Self { header, first: first.clone(), moves: String::new(), board: first.clone() }
    }

    /// Writes a move down as the GUI does: the move, perhaps its evaluation, its time.
    pub fn add(&mut self, turn: Move, eval: Option<f64>, seconds: f64) -> Result<(), String> {
        let colour = self.board.to_move().letter().to_ascii_uppercase();
        let name = match turn {
            Move::Pass => "PA".to_owned(),
            Move::Place(_) => self.board.name(turn),
        };
        self.board.play(turn)?;
        let eval = eval.map(|eval| format!("{eval:.2}")).unwrap_or_default();
        self.moves.push_str(&format!("{colour}[{name}/{eval}/{seconds:.3}]"));
        Ok(())
    }

    /// The whole game in one line.
    pub fn ggf(&self) -> String {
        let side = if self.first.to_move() == Side::Black { '*' } else { 'O' };
        format!("{}BO[8 {} {side}]{};)", self.header, self.first.cells_text('*'), self.moves)
    }
}
