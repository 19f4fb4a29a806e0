//! GTP: commands are answered strictly in order; only `stop` and `# interrupt` overtake.

mod advice;
mod clock;
mod commands;
mod searches;
mod text;

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use crossbeam_channel::Receiver;
use ollehto_protocol::gtp::{self, Command, GtpId, GtpRequest, Response};

use crate::board::{Bitboard, Color, Move, Position};
use crate::engine::{Event, SearchReport};
use crate::game::Game;
use crate::stdio::LONGEST_LINE;
use crate::time_source::Timestamp;

use super::backlog::Backlog;
use super::session::Session;
use super::{Flow, Frontend};
use clock::Clocks;
use searches::{RunningCommand, Ticket};

/// The text of a success or a failure.
type Answer = Result<String, String>;

enum Step {
    Answer(Answer),
    /// Its search has begun, and may be over already.
    Searching,
    Quit,
}

/// The engine's last move, for the status line.
struct LastMove {
    color: Color,
    action: Move,
    /// The value is shown as long as this position is on the board.
    after: Position,
    /// With the depth of the search.
    value: String,
}

impl LastMove {
    fn is_of(&self, game: &Game) -> bool {
        *game.position() == self.after && game.moves().last() == Some(&(self.color, self.action))
    }
}

struct Queued {
    id: Option<GtpId>,
    command: Result<Command, Refusal>,
    arrived: Timestamp,
}

/// Why a line is no command.
enum Refusal {
    NoCommand(gtp::GtpError),
    /// Its length in bytes.
    Overlong(usize),
}

pub struct Gtp<W> {
    session: Session,
    output: W,
    /// Where GoGui reads live graphics, once it has announced itself by `gogui-version`.
    graphics: Option<Box<dyn Write + Send>>,
    graphics_wanted: bool,
    clocks: Clocks,
    last_move: Option<LastMove>,
    queue: Backlog<Queued>,
    /// `stop`s in the queue: every search before them ends as it begins.
    stops_queued: usize,
    running: Option<RunningCommand>,
    /// When the last command was answered: the time of a queued one counts from then.
    answered: Timestamp,
    /// Whether a command came that GoGui does not send to its rules copy.
    is_player: bool,
    input_ended: bool,
}

impl<W: Write> Gtp<W> {
    /// Live graphics go to `graphics`.
    pub fn new(session: Session, output: W, graphics: Option<Box<dyn Write + Send>>) -> Self {
        Self {
            answered: session.now(),
            session,
            output,
            graphics,
            graphics_wanted: false,
            clocks: Clocks::default(),
            last_move: None,
            queue: Backlog::default(),
            stops_queued: 0,
            running: None,
            is_player: false,
            input_ended: false,
        }
    }

    /// Carries out queued commands until one waits for its search.
    fn work(&mut self) -> io::Result<Flow> {
        while self.running.is_none() {
            let Some(Queued { id, command, arrived }) = self.queue.pop() else {
                return Ok(if self.input_ended { Flow::Exit } else { Flow::Continue });
            };
            let step = match command {
                Ok(command) => {
                    if command == Command::Stop {
                        self.stops_queued -= 1;
                    }
                    if !self.is_player && !is_for_rules_copy(&command) {
                        self.is_player = true;
                        self.session.get_ready();
                    }
                    let start = arrived.max(self.answered);
                    self.execute(command, Ticket { id, start })?
                }
                Err(refusal) => Step::Answer(Err(self.explain(&refusal))),
            };
            match step {
                Step::Answer(answer) => self.answer(id, answer)?,
                Step::Searching => {}
                Step::Quit => {
                    self.answer(id, Ok(String::new()))?;
                    return Ok(Flow::Exit);
                }
            }
        }
        Ok(Flow::Continue)
    }

    fn stop_endless(&self) {
        if let Some(running) = self.running.as_ref().filter(|running| running.endless) {
            running.search.stop();
        }
    }

    /// The reason of a failure and what to write instead. The protocol's own words come first.
    fn explain(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Overlong(length) => {
                format!("syntax error: the line has {length} bytes; at most {LONGEST_LINE} are read")
            }
            Refusal::NoCommand(error @ gtp::GtpError::UnknownCommand(word)) => {
                match advice::advice(word, self.session.game.position()) {
                    Some(advice) => format!("{error}: {advice}"),
                    None => error.to_string(),
                }
            }
            Refusal::NoCommand(error @ gtp::GtpError::Syntax { .. }) => error.to_string(),
        }
    }

    fn answer(&mut self, id: Option<GtpId>, answer: Answer) -> io::Result<()> {
        let response = match answer {
            Ok(text) => Response::success(id, text),
            Err(reason) => Response::failure(id, reason),
        };
        write!(self.output, "{response}")?;
        self.output.flush()?;
        self.answered = self.session.now();
        Ok(())
    }
}

/// Whether GoGui sends a command to the copies of the engine that it uses for the rules only. They never search, and
/// there are several.
fn is_for_rules_copy(command: &Command) -> bool {
    matches!(
        command,
        Command::ListCommands
            | Command::KnownCommand(_)
            | Command::BoardSize(_)
            | Command::ClearBoard
            | Command::Play { .. }
            | Command::Undo
            | Command::GoguiInterrupt
            | Command::RulesGameId
            | Command::RulesBoardSize
            | Command::RulesBoard
            | Command::RulesLegalMoves
            | Command::RulesSideToMove
            | Command::RulesCapturedCount
            | Command::RulesFinalResult
            | Command::RulesBoardGfx
            | Command::Quit
    )
}

impl<W: Write> Frontend for Gtp<W> {
    fn line(&mut self, text: &[u8], arrived: Timestamp) -> io::Result<Flow> {
        let GtpRequest { id, command } = match gtp::parse_line(text) {
            gtp::GtpLine::Blank => return Ok(Flow::Continue),
            gtp::GtpLine::Interrupt => {
                if let Some(running) = &self.running {
                    running.search.stop();
                }
                return Ok(Flow::Continue);
            }
            gtp::GtpLine::Request(request) => request,
        };
        if command == Ok(Command::Stop) {
            self.stops_queued += 1;
            if let Some(running) = &self.running {
                running.search.stop();
            }
        }
        let command = command.map_err(Refusal::NoCommand);
        self.queue.push(Queued { id, command, arrived }, text.len());
        if self.queue.is_full() {
            // The stop that it waits for may be among the lines that are not read.
            self.stop_endless();
        }
        self.work()
    }

    fn overlong_line(&mut self, start: &[u8], length: usize) -> io::Result<Flow> {
        // It gets one answer like any other line.
        if let gtp::GtpLine::Request(GtpRequest { id, .. }) = gtp::parse_line(start) {
            let command = Err(Refusal::Overlong(length));
            self.queue.push(Queued { id, command, arrived: self.session.now() }, 0);
        }
        self.work()
    }

    fn end_of_input(&mut self) -> io::Result<Flow> {
        self.input_ended = true;
        self.session.stop_pondering();
        self.stop_endless();
        self.work()
    }

    fn report(&mut self, report: SearchReport) -> io::Result<Flow> {
        let Some(mut running) = self.running.take_if(|running| running.search.id() == report.id) else {
            self.session.note(report);
            return Ok(Flow::Continue);
        };
        match report.event {
            Event::Iteration(iteration) => {
                self.show_iteration(&running, &iteration);
                running.deadline.last = Some(iteration);
                self.running = Some(running);
                Ok(Flow::Continue)
            }
            Event::Done(result) => self.finish(running, &result),
        }
    }

    fn overdue_at(&self) -> Option<Timestamp> {
        self.running.as_ref()?.deadline.at()
    }

    fn overdue(&mut self) -> io::Result<Flow> {
        let Some(running) = self.running.take() else { return Ok(Flow::Continue) };
        let (position, lines) = (running.position, running.kind.lines());
        let result = running.deadline.result(&self.session, position, lines, Bitboard::EMPTY);
        self.finish(running, &result)
    }

    fn searcher_died(&mut self) -> io::Result<()> {
        match self.running.take() {
            Some(running) => {
                self.answer(running.ticket.id, Err("internal error: the searcher has died".into()))
            }
            None => Ok(()),
        }
    }

    fn reports(&self) -> Receiver<SearchReport> {
        self.session.engine().reports().clone()
    }

    fn is_congested(&self) -> bool {
        self.queue.is_full()
    }
}
