//! Cassio: values of positions, one after the other; `ready.` after each command.

use std::io::{self, Write};

use crossbeam_channel::Receiver;
use ollehto_protocol::cassio::{self, Command, SearchAnswer, SearchRequest};

use crate::board::Position;
use crate::engine::{Event, RunningSearch, SearchReport};
use crate::notation;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Budget, Iteration, Line, SearchMode, SearchResult, Task};
use crate::selectivity::Selectivity;
use crate::time_source::Timestamp;

use super::backlog::Backlog;
use super::session::Session;
use super::{Flow, Frontend};

const READY: &str = "ready.";

struct Running {
    search: RunningSearch,
    position: Position,
    start: Timestamp,
}

pub struct Cassio<W> {
    session: Session,
    output: W,
    rules: Rules,
    queue: Backlog<(Command, Timestamp)>,
    running: Option<Running>,
    /// When the last search was answered: the time of a queued one counts from then.
    answered: Timestamp,
    input_ended: bool,
}

impl<W: Write> Cassio<W> {
    /// By `rules`, or by standard ones, as Cassio means.
    pub fn new(mut session: Session, output: W, rules: Option<Rules>) -> Self {
        let rules = rules.unwrap_or(Rules::Standard);
        session.set_rules(rules);
        session.get_ready();
        Self {
            answered: session.now(),
            session,
            output,
            rules,
            queue: Backlog::default(),
            running: None,
            input_ended: false,
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    /// Carries out queued commands until one waits for its search.
    fn work(&mut self) -> io::Result<Flow> {
        while self.running.is_none() {
            let Some((command, arrived)) = self.queue.pop() else {
                return Ok(if self.input_ended { Flow::Exit } else { Flow::Continue });
            };
            match command {
                Command::Search(request) => {
                    self.search(&request, arrived.max(self.answered))?;
                    continue;
                }
                Command::Version => {
                    let name = format!("{} {}", self.session.name(), env!("CARGO_PKG_VERSION"));
                    self.say(&format!("version: {name}"))?;
                }
                Command::EmptyHash => self.session.clear_cache(),
                Command::Quit => {
                    self.say("bye bye.")?;
                    return Ok(Flow::Exit);
                }
                Command::Bad(problem) => self.say(&format!("ERROR: {problem}"))?,
                _ => {}
            }
            self.say(READY)?;
        }
        Ok(Flow::Continue)
    }

    fn search(&mut self, request: &SearchRequest, start: Timestamp) -> io::Result<()> {
        let position = match notation::position(&request.position) {
            Ok(position) => position,
            Err(error) => {
                self.say(&format!("ERROR: {error}"))?;
                return self.say(READY);
            }
        };
        if position.is_over() {
            let result = self.rules.result(position.board(), position.size());
            let line = Line { score: result.into(), moves: Vec::new() };
            return self.answer(&position, &over(line), start);
        }
        let empties = position.empties().len() as u8;
        let depth = request.depth.unwrap_or(empties).min(empties);
        // A search to the end of the game goes on until it is exact.
        let mode = match selectivity(request.precision) {
            _ if depth == empties => SearchMode::BestMove,
            Selectivity::Off => SearchMode::FullWidth,
            other => SearchMode::Confident(other),
        };
        let task = Task { mode, ..Task::new(position, self.rules) };
        let budget = Budget { depth: Some(depth), ..Budget::UNLIMITED };
        let search = self.session.search_task(task, &budget);
        self.running = Some(Running { search, position, start });
        Ok(())
    }

    fn answer(&mut self, position: &Position, last: &Iteration, start: Timestamp) -> io::Result<()> {
        let (value, line) = match last.lines.first() {
            Some(line) => {
                let moves = notation::with_passes(*position, &line.moves).into_iter();
                (line.score, moves.map(|(at, action)| notation::vertex(action, at.size())).collect())
            }
            None => (Score::default(), Vec::new()),
        };
        let answer = SearchAnswer {
            position: notation::position_text(position),
            depth: last.depth,
            precision: last.selectivity.percent(),
            value: value.discs(),
            line,
            nodes: last.nodes,
            elapsed: self.session.since(start),
        };
        self.say(&answer.to_string())?;
        self.say(READY)?;
        self.answered = self.session.now();
        Ok(())
    }
}

fn over(line: Line) -> Iteration {
    Iteration { depth: 0, selectivity: Selectivity::Off, exact: true, lines: vec![line], nodes: 0 }
}

/// The least confidence that is enough.
fn selectivity(percent: u8) -> Selectivity {
    Selectivity::ALL.into_iter().find(|selectivity| selectivity.percent() >= percent).unwrap_or_default()
}

impl<W: Write> Frontend for Cassio<W> {
    fn line(&mut self, text: &[u8], arrived: Timestamp) -> io::Result<Flow> {
        let command = cassio::parse_line(text);
        match (command, &self.running) {
            (Command::Alive, Some(_)) => self.say("ok.")?,
            (Command::SearchInfos, Some(running)) => {
                let (nodes, start) = (running.search.nodes(), running.start);
                let time = self.session.since(start).as_secs_f64();
                self.say(&format!("node {nodes}, time {time:.3}"))?;
            }
            (command @ (Command::Stop | Command::Quit), Some(running)) => {
                running.search.stop();
                // Searches that wait are not wanted any more.
                self.queue.retain(|(command, _)| !matches!(command, Command::Search(_)));
                if command == Command::Quit {
                    self.queue.push((command, arrived), text.len());
                }
            }
            (command, _) => self.queue.push((command, arrived), text.len()),
        }
        self.work()
    }

    fn overlong_line(&mut self, _start: &[u8], length: usize) -> io::Result<Flow> {
        let problem = Command::Bad(format!("a line of {length} bytes"));
        self.queue.push((problem, self.session.now()), 0);
        self.work()
    }

    fn end_of_input(&mut self) -> io::Result<Flow> {
        self.input_ended = true;
        self.work()
    }

    fn report(&mut self, report: SearchReport) -> io::Result<Flow> {
        let Event::Done(SearchResult { last }) = report.event else { return Ok(Flow::Continue) };
        match self.running.take_if(|running| running.search.id() == report.id) {
            Some(Running { position, start, .. }) => self.answer(&position, &last, start)?,
            None => return Ok(Flow::Continue),
        }
        self.work()
    }

    fn overdue_at(&self) -> Option<Timestamp> {
        None
    }

    fn overdue(&mut self) -> io::Result<Flow> {
        Ok(Flow::Continue)
    }

    fn searcher_died(&mut self) -> io::Result<()> {
        self.say("ERROR: internal error: the searcher has died")
    }

    fn reports(&self) -> Receiver<SearchReport> {
        self.session.engine().reports().clone()
    }

    fn is_congested(&self) -> bool {
        self.queue.is_full()
    }
}
