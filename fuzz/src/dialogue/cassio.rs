//! Cassio: every command gets its answer and a `ready.`, in order; a stop takes away what waits.

use std::collections::VecDeque;

use arbitrary::{Result, Unstructured};
use ollehto::board::Size;
use ollehto::frontend::Cassio;
use ollehto_protocol::cassio::{Command, parse_line};

use super::super::mailbox::Mailbox;
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
    is_searching: bool,
    /// How often `ready.` has to come at once.
    ready: usize,
    /// Values of finished games that have to come at once.
    values: usize,
    /// Answers to what is asked during a search, which have to come at once.
    remarks: usize,
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
            Command::Alive | Command::SearchInfos if self.is_searching => self.remarks += 1,
            command @ (Command::Stop | Command::Quit) if self.is_searching => {
                self.queue.clear();
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
            } else if line.contains("<= v <=") && self.values > 0 {
                self.values -= 1;
            } else if line.contains("<= v <=") {
                assert!(std::mem::take(&mut self.is_searching), "a value of nothing: {line}");
                self.ready += 1;
                self.work();
            }
        }
        assert!(
            self.has_quit || (self.ready, self.values, self.remarks) == (0, 0, 0),
            "no answer after {text:?}"
        );
    }

    fn ended(&mut self, quit: bool) {
        let is_done = self.queue.is_empty() && !self.is_searching;
        assert!(quit || self.has_quit || is_done, "{:?} wait", self.queue);
    }
}

impl CassioModel {
    /// Carries out commands up to a search.
    fn work(&mut self) {
        while !self.is_searching
            && let Some(command) = self.queue.pop_front()
        {
            match command {
                Command::Search(request) => {
                    let board = Mailbox::parse(&request.position.to_string()).expect("the same form");
                    // An empty board is an error; a finished game has its value.
                    self.is_searching = !board.is_over();
                    self.ready += usize::from(board.is_over());
                    let is_empty = board.empties() == board.size() * board.size();
                    self.values += usize::from(board.is_over() && !is_empty);
                }
                Command::Quit => {
                    self.has_quit = true;
                    self.queue.clear();
                }
                _ => self.ready += 1,
            }
        }
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
