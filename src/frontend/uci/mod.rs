//! UCI: a position and the options are set, `go` searches, `stop` ends the search; each `go` gets one `bestmove`.
//!
//! Only `go` waits for a search before it. All other commands are carried out at once, and in order.

mod board;
mod options;
mod searches;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

use crossbeam_channel::Receiver;
use ollehto_protocol::uci::{self, Command, Reply, UciError};

use crate::engine::{Event, SearchReport};
use crate::notation::uci::{Counters, Variant};
use crate::stdio::LONGEST_LINE;
use crate::time_source::Timestamp;

use super::backlog::Backlog;
use super::session::Session;
use super::{Flow, Frontend};
use options::Options;
use searches::{RunningGo, State};

struct Queued {
    command: Result<Command, UciError>,
    arrived: Timestamp,
    /// A `stop` came after it.
    stopped: bool,
}

pub struct Uci<W> {
    session: Session,
    output: W,
    options: Options,
    counters: Counters,
    /// Just before the present position.
    passes: u32,
    queue: Backlog<Queued>,
    running: Option<RunningGo>,
    /// When the last `go` was answered: the time of a queued one counts from then.
    answered: Timestamp,
    input_ended: bool,
}

impl<W: Write> Uci<W> {
    /// Plays the variant of the session's rules and size, or that of 8×8 if it has none.
    pub fn new(mut session: Session, output: W) -> Self {
        session.get_ready();
        let options = Options::new(&session);
        let Variant { size, .. } = options.variant;
        if session.game.position().size() != size {
            session.restart(size);
        }
        Self {
            answered: session.now(),
            session,
            output,
            options,
            counters: Counters::start(size),
            passes: 0,
            queue: Backlog::default(),
            running: None,
            input_ended: false,
        }
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }

    fn tell(&mut self, text: impl Into<String>) -> io::Result<()> {
        self.say(&Reply::Text(text.into()))
    }

    /// Carries out queued commands, up to a `go` that has to wait. It waits in vain for a search that only a stop ends.
    fn work(&mut self) -> io::Result<Flow> {
        while let Some(Queued { command, .. }) = self.queue.front() {
            if matches!(command, Ok(Command::Go(_))) && self.running.is_some() {
                self.release(true)?;
                if self.running.is_some() {
                    return Ok(Flow::Continue);
                }
            }
            let Some(Queued { command, arrived, stopped }) = self.queue.pop() else { break };
            self.execute(command, arrived, stopped)?;
        }
        let done = self.input_ended && self.running.is_none();
        Ok(if done { Flow::Exit } else { Flow::Continue })
    }

    fn execute(
        &mut self,
        command: Result<Command, UciError>,
        arrived: Timestamp,
        stopped: bool,
    ) -> io::Result<()> {
        match command {
            Ok(Command::SetOption { name, value }) => self.set_option(&name, value.as_deref()),
            Ok(Command::NewGame) => {
                self.session.clear_cache();
                self.begin_game();
                Ok(())
            }
            Ok(Command::Position { start, moves }) => self.set_position(&start, &moves),
            Ok(Command::Go(request)) => self.go(&request, arrived.max(self.answered), stopped),
            Ok(Command::Display) => self.show_board(),
            Err(error) => self.tell(error.to_string()),
            // Those that do not wait in the queue.
            Ok(
                Command::Uci
                | Command::IsReady
                | Command::PonderHit
                | Command::Stop
                | Command::Quit
                | Command::Blank
                | Command::Ignored,
            ) => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        let name = format!("{} {}", self.session.name(), env!("CARGO_PKG_VERSION"));
        self.say(&Reply::Id { name, author: "the Ollehto developers".into() })?;
        for text in self.options.texts(&self.session) {
            self.say(&Reply::Option(text))?;
        }
        self.say(&Reply::UciOk)
    }

    /// Ends all searches that were asked for so far.
    fn stop(&mut self) -> io::Result<()> {
        self.queue.iter_mut().for_each(|queued| queued.stopped = true);
        self.release(false)
    }
}

impl<W: Write> Frontend for Uci<W> {
    fn line(&mut self, text: &[u8], arrived: Timestamp) -> io::Result<Flow> {
        let command = uci::parse_line(text);
        match command {
            Ok(Command::Blank | Command::Ignored) => {}
            Ok(Command::Quit) => {
                // A script that sends `stop` and `quit` at once wants the moves.
                while self.running.as_ref().is_some_and(|running| running.stopped) {
                    self.overdue()?;
                }
                return Ok(Flow::Exit);
            }
            Ok(Command::Uci) => self.introduce()?,
            Ok(Command::IsReady) => {
                self.session.prepare_table();
                self.say(&Reply::ReadyOk)?;
            }
            Ok(Command::Stop) => self.stop()?,
            Ok(Command::PonderHit) => self.ponder_hit(arrived)?,
            command => self.queue.push(Queued { command, arrived, stopped: false }, text.len()),
        }
        self.work()
    }

    fn overlong_line(&mut self, _start: &[u8], length: usize) -> io::Result<Flow> {
        self.tell(format!("line of {length} bytes ignored; at most {LONGEST_LINE} are read"))?;
        Ok(Flow::Continue)
    }

    /// A `go` with a limit is still answered in full, as in a script.
    fn end_of_input(&mut self) -> io::Result<Flow> {
        self.input_ended = true;
        self.release(true)?;
        self.work()
    }

    fn report(&mut self, report: SearchReport) -> io::Result<Flow> {
        let Some(mut running) = self.running.take_if(|running| running.is_of(report.id)) else {
            self.session.note(report);
            return Ok(Flow::Continue);
        };
        match report.event {
            Event::Iteration(iteration) => {
                self.show(&mut running, iteration)?;
                self.running = Some(running);
                Ok(Flow::Continue)
            }
            Event::Done(result) => {
                self.finish(running, result)?;
                self.work()
            }
        }
    }

    fn overdue_at(&self) -> Option<Timestamp> {
        match &self.running.as_ref()?.state {
            State::Searching { deadline, .. } => deadline.at(),
            State::Answered(_) => None,
        }
    }

    fn overdue(&mut self) -> io::Result<Flow> {
        let Some(running) = self.running.take() else { return Ok(Flow::Continue) };
        let State::Searching { deadline, .. } = &running.state else {
            self.running = Some(running);
            return Ok(Flow::Continue);
        };
        let lines = self.options.lines;
        let result = deadline.result(&self.session, running.position, lines, running.only);
        self.finish(running, result)?;
        self.work()
    }

    fn searcher_died(&mut self) -> io::Result<()> {
        self.tell("internal error: the searcher has died")
    }

    fn reports(&self) -> Receiver<SearchReport> {
        self.session.engine().reports().clone()
    }

    fn is_congested(&self) -> bool {
        self.queue.is_full()
    }
}
