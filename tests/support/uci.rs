//! A UCI client, as strict as the clients of Fairy-Stockfish: its moves, its FEN, and the lines it reads.

use super::mailbox::{Mailbox, Move, Side};
use super::process::Process;

/// Where a cell is on a board whose ranks count from the bottom.
fn square(board: &Mailbox, cell: usize) -> String {
    let (column, row) = (cell % board.size(), cell / board.size());
    format!("{}{}", char::from(b'a' + column as u8), board.size() - row)
}

/// A pass is named after the lowest own disc.
pub fn name(board: &Mailbox, turn: Move) -> String {
    match turn {
        Move::Place(cell) => format!("P@{}", square(board, cell)),
        Move::Pass => {
            let symbol = if board.to_move() == Side::Black { 'X' } else { 'O' };
            let cells = board.cells_text('X');
            let own = cells.char_indices().filter(|&(_, cell)| cell == symbol).map(|(at, _)| at);
            let lowest = own.max_by_key(|&cell| (cell / board.size(), board.size() - cell % board.size()));
            square(board, lowest.expect("a player without discs cannot pass")).repeat(2)
        }
    }
}

/// A legal turn by its name.
pub fn read(board: &Mailbox, text: &str) -> Option<Move> {
    board.moves().into_iter().find(|&turn| name(board, turn) == text)
}

pub fn fen(board: &Mailbox) -> String {
    let cells = board.cells_text('X');
    let ranks: Vec<String> = cells
        .as_bytes()
        .chunks(board.size())
        .map(|rank| {
            let mut text = String::new();
            for run in rank.chunk_by(|one, next| *one == b'-' && *next == b'-') {
                match run {
                    b"X" => text.push('P'),
                    b"O" => text.push('p'),
                    empty => text += &empty.len().to_string(),
                }
            }
            text
        })
        .collect();
    let side = if board.to_move() == Side::Black { 'w' } else { 'b' };
    format!("{}[] {side} - - 0 1", ranks.join("/"))
}

/// A line from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Ready,
    /// Of a search: the rank, the score as written, the line of moves.
    Info {
        rank: usize,
        score: String,
        moves: Vec<String>,
    },
    Best {
        best: String,
        ponder: Option<String>,
    },
    Other(String),
}

pub fn parse(line: &str) -> Result<Line, String> {
    let words: Vec<&str> = line.split(' ').collect();
    match words.as_slice() {
        ["readyok"] => Ok(Line::Ready),
        ["bestmove", best] => Ok(Line::Best { best: (*best).to_owned(), ponder: None }),
        ["bestmove", best, "ponder", reply] => {
            Ok(Line::Best { best: (*best).to_owned(), ponder: Some((*reply).to_owned()) })
        }
        ["info", "string", ..] => Ok(Line::Other(line.to_owned())),
        ["info", ..] => parse_info(&words).ok_or_else(|| format!("{line:?} is no info")),
        ["id" | "option", ..] | ["uciok"] => Ok(Line::Other(line.to_owned())),
        _ => Err(format!("{line:?} is no line of UCI")),
    }
}

fn parse_info(words: &[&str]) -> Option<Line> {
    let after = |name: &str| Some(&words[words.iter().position(|&word| word == name)? + 1..]);
    let number = |name: &str| after(name)?.first()?.parse::<u64>().ok();
    number("depth")?;
    let score = match after("score")? {
        [kind @ ("cp" | "mate"), value, ..] if value.parse::<i32>().is_ok() => format!("{kind} {value}"),
        _ => return None,
    };
    let moves: Vec<String> = after("pv").unwrap_or_default().iter().map(|&name| name.to_owned()).collect();
    if !moves.is_empty() && (number("nodes").is_none() || number("nps").is_none() || number("time").is_none())
    {
        return None;
    }
    Some(Line::Info { rank: number("multipv").unwrap_or(1) as usize, score, moves })
}

pub struct Uci {
    pub process: Process,
}

impl Uci {
    /// Starts the engine and introduces itself.
    pub fn ollehto(arguments: &[&str]) -> Self {
        let mut process = Process::ollehto(arguments);
        process.send("uci");
        while process.receive().is_some_and(|line| line != "uciok") {}
        Self { process }
    }

    pub fn send(&mut self, line: &str) {
        self.process.send(line);
    }

    #[track_caller]
    fn judged(&self, line: &str) -> Line {
        parse(line).unwrap_or_else(|problem| self.process.fail(&problem))
    }

    #[track_caller]
    pub fn line(&mut self) -> Line {
        match self.process.receive() {
            Some(line) => self.judged(&line),
            None => self.process.fail("the output has ended"),
        }
    }

    #[track_caller]
    pub fn line_now(&mut self) -> Option<Line> {
        let line = self.process.receive_now()?;
        Some(self.judged(&line))
    }

    /// Asks for a move: the best one, and the infos before it.
    #[track_caller]
    pub fn go(&mut self, limits: &str) -> (String, Vec<Line>) {
        self.send(&format!("go {limits}"));
        let mut before = Vec::new();
        loop {
            match self.line() {
                Line::Best { best, .. } => return (best, before),
                line => before.push(line),
            }
        }
    }

    #[track_caller]
    pub fn quit(mut self) {
        self.send("quit");
        let status = self.process.wait();
        if !status.success() {
            self.process.fail(&format!("ended with {status}"));
        }
    }
}
