//! GTP: commands are answered strictly in order; only `stop` and `# interrupt` overtake.

mod advice;
mod clock;
mod commands;
mod text;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::{self, Write};

use crossbeam_channel::Receiver;
use ollehto_protocol::gtp::{self, Command, GtpId, GtpRequest, Response};

use crate::board::{Color, Move, Position};
use crate::engine::{Event, RunningSearch, SearchReport};
use crate::game::Game;
use crate::search::{Budget, Iteration, Limits, SearchResult};
use crate::stdio::LONGEST_LINE;
use crate::time_source::Timestamp;

use super::session::{Begun, Session};
use super::{Flow, Frontend, GRACE};
use clock::Clocks;

/// What the answer to a command is: text, or the reason why not.
type Answer = Result<String, String>;

/// What a command leads to.
enum Step {
    Answer(Answer),
    Search(Wanted),
    Quit,
}

/// A search that a command asks for.
struct Wanted {
    purpose: Purpose,
    position: Position,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// A move, to be played on our own board.
    Move(Color),
    /// A move, not to be played.
    Advice,
    /// Values on the board, within the limits of a move.
    Hints,
    /// The same until told to stop.
    Analysis,
    /// Best play.
    Variation,
    /// Values in pairs.
    Values,
    /// One line about the position.
    Evaluation,
}

/// A move that the engine chose, for the status line.
struct LastMove {
    color: Color,
    action: Move,
    /// The position after it: the value is of interest no longer than this is on the board.
    after: Position,
    /// Its value, with the depth of the search.
    value: String,
}

impl LastMove {
    /// Whether it is the last move of the game on the board.
    fn is_of(&self, game: &Game) -> bool {
        *game.position() == self.after && game.moves().last() == Some(&(self.color, self.action))
    }
}

/// The command that a search runs for.
struct Running {
    id: Option<GtpId>,
    search: RunningSearch,
    purpose: Purpose,
    position: Position,
    start: Timestamp,
    /// The end of its time, if it has one.
    end: Option<Timestamp>,
    /// Nothing but a stop ends it.
    endless: bool,
    /// The last depth that it has told of.
    last: Option<Iteration>,
}

/// A command that waits, or what is wrong with it.
struct Queued {
    id: Option<GtpId>,
    command: Result<Command, Refusal>,
    arrived: Timestamp,
}

/// Why a line is no command.
enum Refusal {
    /// It cannot be understood.
    NoCommand(gtp::GtpError),
    /// It has so many bytes.
    Overlong(usize),
}

/// A conversation in GTP.
pub struct Gtp<W> {
    session: Session,
    output: W,
    /// Where GoGui reads pictures of running searches, once it has said that it is there.
    graphics: Option<Box<dyn Write + Send>>,
    graphics_wanted: bool,
    clocks: Clocks,
    last_move: Option<LastMove>,
    queue: VecDeque<Queued>,
    /// How many `stop`s wait in the queue: every search before them ends as it begins.
    stops_queued: usize,
    running: Option<Running>,
    /// When the last command was answered: one that had to wait has its time counted from then.
    answered: Timestamp,
    /// Whether this copy of the engine has been asked for anything that one which only knows the rules is not asked for.
    may_play: bool,
    input_ended: bool,
}

impl<W: Write> Gtp<W> {
    /// A conversation whose answers go to `output`, and pictures of running searches to `graphics`.
    pub fn new(session: Session, output: W, graphics: Option<Box<dyn Write + Send>>) -> Self {
        Self {
            answered: session.now(),
            session,
            output,
            graphics,
            graphics_wanted: false,
            clocks: Clocks::default(),
            last_move: None,
            queue: VecDeque::new(),
            stops_queued: 0,
            running: None,
            may_play: false,
            input_ended: false,
        }
    }

    /// Carries out what waits, as far as that is possible without waiting for a search.
    fn work(&mut self) -> io::Result<Flow> {
        while self.running.is_none() {
            let Some(Queued { id, command, arrived }) = self.queue.pop_front() else {
                return Ok(if self.input_ended { Flow::Exit } else { Flow::Continue });
            };
            let step = match command {
                Ok(command) => {
                    if command == Command::Stop {
                        self.stops_queued -= 1;
                    }
                    if !self.may_play && !asks_a_referee(&command) {
                        self.may_play = true;
                        self.session.get_ready();
                    }
                    self.execute(command)
                }
                Err(refusal) => Step::Answer(Err(self.explain(&refusal))),
            };
            match step {
                Step::Answer(answer) => self.answer(id, answer)?,
                Step::Search(wanted) => self.begin(id, &wanted, arrived.max(self.answered))?,
                Step::Quit => {
                    self.answer(id, Ok(String::new()))?;
                    return Ok(Flow::Exit);
                }
            }
        }
        Ok(Flow::Continue)
    }

    /// Why a line was refused, and what to write instead. What the protocol prescribes comes first.
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

    fn begin(&mut self, id: Option<GtpId>, wanted: &Wanted, start: Timestamp) -> io::Result<()> {
        let &Wanted { purpose, position } = wanted;
        let limits = self.session.settings.limits;
        let clock = self.clocks.clock(position.side());
        let budget = |limits: Limits| self.session.budget(&limits, &position, start);
        let (lines, budget) = match purpose {
            Purpose::Move(_) | Purpose::Advice => (1, budget(Limits { clock, ..limits })),
            Purpose::Variation | Purpose::Evaluation => (1, budget(limits)),
            Purpose::Hints | Purpose::Values => (usize::MAX, budget(limits)),
            Purpose::Analysis => (usize::MAX, limits.untimed(position.empties().len() as u8)),
        };
        let begun = match purpose {
            Purpose::Move(_) => self.session.search(position, &budget),
            _ => Begun::Search(self.session.analyse(position, lines, &budget)),
        };
        match begun {
            Begun::Search(search) => {
                let endless = budget == Budget::UNLIMITED;
                if self.stops_queued > 0 || (self.input_ended && endless) {
                    search.stop();
                }
                let end = budget.hard;
                self.running =
                    Some(Running { id, search, purpose, position, start, end, endless, last: None });
                Ok(())
            }
            Begun::Known(outcome) => self.conclude(id, purpose, &position, start, &outcome),
        }
    }

    /// Answers the command that a search was for.
    fn conclude(
        &mut self,
        id: Option<GtpId>,
        purpose: Purpose,
        position: &Position,
        start: Timestamp,
        outcome: &SearchResult,
    ) -> io::Result<()> {
        let spent = self.session.since(start);
        log::debug!("{purpose:?}: depth {}, {} nodes, {spent:?}", outcome.last.depth, outcome.last.nodes);
        self.draw("CLEAR");
        let (size, last) = (position.size(), &outcome.last);
        let text = match purpose {
            Purpose::Move(color) => {
                self.clocks.charge(color, spent);
                let action = outcome.best();
                let played = self.session.game.play(color, action);
                debug_assert!(played.is_ok(), "the searcher plays by the rules");
                let after = *self.session.game.position();
                let value = text::best_value(last);
                self.last_move = Some(LastMove { color, action, after, value });
                text::name(action, size)
            }
            Purpose::Advice => text::name(outcome.best(), size),
            Purpose::Hints | Purpose::Analysis => text::hints(last, size),
            Purpose::Variation => text::principal_variation(last, size),
            Purpose::Values => text::values(last, size),
            Purpose::Evaluation => text::summary(last, size),
        };
        self.answer(id, Ok(text))?;
        if matches!(purpose, Purpose::Move(_)) && !self.input_ended {
            self.session.ponder(*self.session.game.position(), outcome.reply());
        }
        Ok(())
    }

    /// Answers the command that a search was for and goes on with those that wait.
    fn finish(&mut self, running: Running, outcome: &SearchResult) -> io::Result<Flow> {
        let Running { id, search, purpose, position, start, end, .. } = running;
        // It may still run if its time is over.
        drop(search);
        self.conclude(id, purpose, &position, start, outcome)?;
        self.session.note_answer(end, self.answered);
        self.work()
    }

    fn show_progress(&mut self, purpose: Purpose, iteration: &Iteration, position: &Position) {
        match purpose {
            Purpose::Hints | Purpose::Analysis => {
                self.draw(&format!("\n{}\n", text::hints(iteration, position.size())))
            }
            _ => self.draw(&format!("TEXT {}", text::summary(iteration, position.size()))),
        }
    }

    /// Shows something on GoGui's board while a command runs.
    fn draw(&mut self, commands: &str) {
        if let Some(graphics) = self.graphics.as_mut().filter(|_| self.graphics_wanted) {
            // A picture that cannot be shown is no reason to end a game.
            let _ = writeln!(graphics, "gogui-gfx: {commands}");
        }
    }
}

/// Whether a command is one that GoGui sends to the copy of the engine which only knows the rules. That copy never searches,
/// and there are several of them.
fn asks_a_referee(command: &Command) -> bool {
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
        self.queue.push_back(Queued { id, command: command.map_err(Refusal::NoCommand), arrived });
        self.work()
    }

    fn overlong_line(&mut self, start: &[u8], length: usize) -> io::Result<Flow> {
        // Whatever it says, it gets one answer, with its id if it has one.
        if let gtp::GtpLine::Request(GtpRequest { id, .. }) = gtp::parse_line(start) {
            let command = Err(Refusal::Overlong(length));
            self.queue.push_back(Queued { id, command, arrived: self.session.now() });
        }
        self.work()
    }

    fn end_of_input(&mut self) -> io::Result<Flow> {
        self.input_ended = true;
        self.session.stop_pondering();
        if let Some(running) = self.running.as_ref().filter(|running| running.endless) {
            running.search.stop();
        }
        self.work()
    }

    fn report(&mut self, report: SearchReport) -> io::Result<Flow> {
        let Some(running) = self.running.take_if(|running| running.search.id() == report.id) else {
            self.session.note(report);
            return Ok(Flow::Continue);
        };
        match report.event {
            Event::Iteration(iteration) => {
                self.show_progress(running.purpose, &iteration, &running.position);
                self.running = Some(Running { last: Some(iteration), ..running });
                Ok(Flow::Continue)
            }
            Event::Done(outcome) => self.finish(running, &outcome),
        }
    }

    fn overdue_at(&self) -> Option<Timestamp> {
        let running = self.running.as_ref().filter(|running| running.last.is_some())?;
        running.end?.checked_add(GRACE)
    }

    fn overdue(&mut self) -> io::Result<Flow> {
        let Some(mut running) = self.running.take() else { return Ok(Flow::Continue) };
        match running.last.take() {
            Some(last) => self.finish(running, &SearchResult { last }),
            None => {
                self.running = Some(running);
                Ok(Flow::Continue)
            }
        }
    }

    fn searcher_died(&mut self) -> io::Result<()> {
        match self.running.take() {
            Some(running) => self.answer(running.id, Err("internal error: the searcher has died".into())),
            None => Ok(()),
        }
    }

    fn reports(&self) -> Receiver<SearchReport> {
        self.session.engine().reports().clone()
    }
}
