//! Cassio: every command gets its answer and a `ready.`, in order; a stop takes away the searches that wait.

use std::collections::VecDeque;

use arbitrary::{Result, Unstructured};
use ollehto::board::Size;
use ollehto::frontend::Cassio;
use ollehto_protocol::cassio::{Command, parse_line};

use super::super::mailbox::{Mailbox, Move, Side};
use super::{Model, converse, one_of};

pub fn cassio(data: &[u8]) {
    let start = |session, output| Cassio::new(session, output, None);
    let mut model = CassioModel::default();
    let _ = converse(&mut Unstructured::new(data), Size::Eight, start, &mut model);
}

#[derive(Default)]
struct CassioModel {
    /// Commands behind a search.
    queue: VecDeque<Command>,
    /// The board of the search.
    searched: Option<Mailbox>,
    /// How often `ready.` has to come at once.
    ready: usize,
    /// Finished games whose values have to come at once.
    finished: VecDeque<Mailbox>,
    /// Answers to what is asked during a search, which have to come at once.
    remarks: usize,
    /// Farewells that have to come at once.
    farewells: usize,
    has_quit: bool,
}

impl Model for CassioModel {
    fn line(&mut self, script: &mut Unstructured<'_>) -> Result<Vec<u8>> {
        let words = one_of(script, &COMMANDS)?;
        let line = if script.ratio(1, 8)? { String::new() } else { format!("ENGINE-PROTOCOL {words}") };
        Ok(line.into_bytes())
    }

    fn is_harmless(&self, _: &[u8]) -> bool {
        true
    }

    fn sent(&mut self, line: &[u8]) {
        match parse_line(line) {
            Command::Alive | Command::SearchInfos if self.searched.is_some() => self.remarks += 1,
            command @ (Command::Stop | Command::Quit) if self.searched.is_some() => {
                self.queue.retain(|command| !matches!(command, Command::Search(_)));
                self.queue.extend(Some(command).filter(|command| *command == Command::Quit));
            }
            command => self.queue.push_back(command),
        }
        self.work();
    }

    fn sent_overlong(&mut self) {
        self.queue.push_back(Command::Bad(String::new()));
        self.work();
    }

    fn received(&mut self, text: &str) {
        for line in text.lines() {
            super::super::lines::check_line(line);
            if line == "ready." {
                self.ready = self.ready.checked_sub(1).expect("ready for nothing");
            } else if line == "ok." || line.starts_with("node ") {
                self.remarks = self.remarks.checked_sub(1).expect("nobody asked");
            } else if line == "bye bye." {
                self.farewells = self.farewells.checked_sub(1).expect("nobody has quit");
            } else if line.contains("<= v <=") {
                if let Some(board) = self.finished.pop_front() {
                    check_answer(&board, line);
                } else {
                    let board = self.searched.take();
                    check_answer(&board.unwrap_or_else(|| panic!("a value of nothing: {line}")), line);
                    self.ready += 1;
                    self.work();
                }
            }
        }
        let missing = (self.ready, self.finished.len(), self.remarks, self.farewells);
        assert_eq!(missing, (0, 0, 0, 0), "no answer after {text:?}");
    }

    fn ended(&mut self, quit: bool) {
        assert!(!quit || self.has_quit, "ends without quit");
        assert!(self.queue.is_empty() && self.searched.is_none(), "{:?} wait", self.queue);
    }
}

impl CassioModel {
    /// Carries out commands up to a search.
    fn work(&mut self) {
        while self.searched.is_none()
            && let Some(command) = self.queue.pop_front()
        {
            match command {
                Command::Search(request) => {
                    let board = Mailbox::parse(&request.position.to_string()).expect("the same form");
                    // An empty board is an error; a finished game has its value.
                    if !board.is_over() {
                        self.searched = Some(board);
                        continue;
                    }
                    self.ready += 1;
                    if board.empties() < board.size() * board.size() {
                        self.finished.push_back(board);
                    }
                }
                Command::Quit => {
                    self.farewells += 1;
                    self.has_quit = true;
                    self.queue.clear();
                }
                _ => self.ready += 1,
            }
        }
    }
}

/// Names the board and a line of legal moves, those of White in small letters; none where the game is over.
fn check_answer(board: &Mailbox, answer: &str) {
    let parts: Vec<&str> = answer.split(", ").collect();
    let &[position, best, _, _, _, line, ..] = parts.as_slice() else { panic!("{answer}") };
    assert_eq!(position, board.text().replace(' ', ""), "{answer}");
    let names: Vec<&str> =
        line.as_bytes().chunks(2).map(|name| str::from_utf8(name).expect("ASCII")).collect();
    assert_eq!(best, format!("move {}", names.first().unwrap_or(&"--")), "{answer}");
    assert_eq!(names.is_empty(), board.is_over(), "{answer}");
    let mut board = board.clone();
    for name in names {
        let is_white = board.to_move() == Side::White;
        let cased = if is_white { name.to_ascii_lowercase() } else { name.to_ascii_uppercase() };
        assert_eq!(name, cased, "{answer}");
        let turn = if cased.eq_ignore_ascii_case("ps") { Some(Move::Pass) } else { board.read(name) };
        let played = turn.map(|turn| board.play(turn));
        assert!(matches!(played, Some(Ok(()))), "{name} in {answer}");
    }
}

const COMMANDS: [&str; 16] = [
    "init",
    "get-version",
    "new-position",
    "empty-hash",
    "feed-hash x",
    "get-search-infos",
    "get-search-infos",
    "stop",
    "endgame-search -----OX--XO-----X -64 +64 100",
    "midgame-search ---------------------------OX------XO---------------------------X -64 64 5 73",
    "midgame-search -OX--XO--XX-OO--O -64 64 1e9 -5",
    "endgame-search XXXXXXXXXXXXXXXXO -64 64 0",
    "endgame-search OX--------------O 0 0 100",
    "endgame-search ----------------O 0 0 100",
    "quit",
    "nonsense",
];
