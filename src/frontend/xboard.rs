//! XBoard: the engine plays one colour, or none, and moves when it is its turn.

use std::io::{self, Write};
use std::time::Duration;

use crossbeam_channel::Receiver;
use ollehto_protocol::coord::Vertex;
use ollehto_protocol::notation::PositionText;
use ollehto_protocol::setting::{HASH_MIB, Setting, THREADS};
use ollehto_protocol::xboard::{self, Command, print_move};

use crate::board::{Bitboard, Color, Position, Size, Square};
use crate::clock::Clock;
use crate::engine::{Event, RunningSearch, SearchReport};
use crate::game::Game;
use crate::notation;
use crate::rules::Rules;
use crate::search::{Iteration, Limits, SearchResult};
use crate::time_source::Timestamp;

use super::backlog::Backlog;
use super::deadline::Deadline;
use super::session::{Begun, Session};
use super::{Flow, Frontend};

/// The only variant.
const VARIANT: &str = "reversi";

const FEATURES: &str = "setboard=1 playother=1 ping=1 usermove=1 draw=0 sigint=0 sigterm=0 analyze=0 colors=0 \
                        memory=1 smp=1 variants=\"reversi\"";

/// A time control, as `level` sets it.
#[derive(Clone, Copy)]
struct Level {
    /// How many moves it is for; none: all.
    moves: Option<u32>,
    base: Duration,
    increment: Duration,
}

impl Level {
    fn clock(self) -> Clock {
        Clock { left: self.base, increment: self.increment, moves: self.moves }
    }

    /// The clock after a move. Clients tell the time that is left, but not the moves.
    fn charge(self, clock: &mut Clock, spent: Duration) {
        clock.left = clock.left.saturating_sub(spent).saturating_add(self.increment);
        clock.moves = clock.moves.map(|moves| moves - 1);
        if clock.moves == Some(0) {
            clock.left = clock.left.saturating_add(self.base);
            clock.moves = self.moves;
        }
    }
}

struct RunningMove {
    search: RunningSearch,
    position: Position,
    start: Timestamp,
    deadline: Deadline,
}

pub struct XBoard<W> {
    session: Session,
    output: W,
    /// The colour that the engine plays; none: it only watches.
    plays: Option<Color>,
    /// The engine's own.
    clock: Option<(Level, Clock)>,
    /// What `st` and `sd` ask for, beside the limits of the command line.
    time: Option<Duration>,
    depth: Option<u8>,
    /// Whether the client wants to see the search.
    posts: bool,
    /// Prints a pass so that othelloTk reads it.
    pads_passes: bool,
    running: Option<RunningMove>,
    /// Answered when the search ends.
    pings: Backlog<String>,
    input_ended: bool,
}

impl<W: Write> XBoard<W> {
    /// Plays by `rules`, or by standard ones, as the clients mean. othelloTk cuts seven characters off a move, off a pass
    /// too: `pads_passes` makes up for it.
    pub fn new(mut session: Session, output: W, rules: Option<Rules>, pads_passes: bool) -> Self {
        session.set_rules(rules.unwrap_or(Rules::Standard));
        session.get_ready();
        let mut xboard = Self {
            session,
            output,
            plays: None,
            clock: None,
            time: None,
            depth: None,
            posts: false,
            pads_passes,
            running: None,
            pings: Backlog::default(),
            input_ended: false,
        };
        xboard.begin(start());
        xboard
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        // What was repeated from a command may be nothing.
        writeln!(self.output, "{}", line.trim_end())?;
        self.output.flush()
    }

    /// A new game from a position.
    fn begin(&mut self, position: Position) {
        self.session.game = Game::from_position(self.session.game.rules(), position);
        self.session.review_pondering();
    }

    fn execute(&mut self, command: Command, arrived: Timestamp) -> io::Result<()> {
        match command {
            Command::ProtocolVersion => {
                let name = format!("{} {}", self.session.name(), env!("CARGO_PKG_VERSION"));
                self.say(&format!("feature myname=\"{name}\" {FEATURES} done=1"))
            }
            Command::Variant(name) if name == VARIANT => Ok(()),
            Command::Variant(name) => self.say(&format!("Error (only reversi is played): variant {name}")),
            Command::New => {
                self.abandon()?;
                self.begin(start());
                self.plays = Some(Color::Black);
                self.depth = None;
                Ok(())
            }
            Command::SetBoard(text) => self.set_board(text),
            Command::Force => {
                self.abandon()?;
                self.plays = None;
                Ok(())
            }
            Command::Go => {
                self.plays = Some(self.session.game.position().side());
                self.move_if_its_turn(arrived)
            }
            Command::PlayOther => {
                self.plays = Some(self.session.game.position().side().opponent());
                Ok(())
            }
            Command::UserMove(text, vertex) => self.user_move(&text, vertex, arrived),
            Command::Undo(count) => {
                self.abandon()?;
                if !self.session.game.undo(count) {
                    return self.say("Error (no move to take back): undo");
                }
                self.session.review_pondering();
                Ok(())
            }
            Command::Unknown(line) => self.say(&format!("Error (unknown command): {line}")),
            other => {
                self.set(other);
                Ok(())
            }
        }
    }

    /// Limits and settings.
    fn set(&mut self, command: Command) {
        let setting = match command {
            Command::MoveTime(time) => {
                (self.clock, self.time) = (None, Some(time));
                return;
            }
            Command::Depth(depth) => {
                self.depth = Some(depth);
                return;
            }
            Command::Level { moves, base, increment } => {
                let level = Level { moves, base, increment };
                (self.clock, self.time) = (Some((level, level.clock())), None);
                return;
            }
            Command::TimeLeft { own: true, left } => {
                if let Some((_, clock)) = &mut self.clock {
                    clock.left = left;
                }
                return;
            }
            Command::Ponder(on) => Setting::Ponder(on),
            Command::Memory(mebibytes) => Setting::Hash(mebibytes.clamp(*HASH_MIB.start(), *HASH_MIB.end())),
            Command::Cores(cores) => Setting::Threads(cores.clamp(*THREADS.start(), *THREADS.end())),
            Command::Post(on) => {
                self.posts = on;
                return;
            }
            _ => return,
        };
        let applied = self.session.apply(setting);
        debug_assert!(applied.is_ok(), "it names no file");
    }

    fn set_board(&mut self, text: Option<PositionText>) -> io::Result<()> {
        let position = text.and_then(|text| notation::position(&text).ok());
        let Some(position) = position else { return self.say("tellusererror Illegal position") };
        self.abandon()?;
        self.begin(position);
        Ok(())
    }

    fn user_move(&mut self, text: &str, vertex: Option<Vertex>, arrived: Timestamp) -> io::Result<()> {
        let action = vertex.and_then(|vertex| notation::action(vertex, Size::Eight));
        let side = self.session.game.position().side();
        let played = action.map(|action| self.session.game.play(side, action));
        if !matches!(played, Some(Ok(()))) {
            return self.say(&format!("Illegal move: {text}"));
        }
        self.abandon()?;
        self.session.review_pondering();
        self.tell_result()?;
        self.move_if_its_turn(arrived)
    }

    /// Stops the search without a move. Pings no longer wait for it.
    fn abandon(&mut self) -> io::Result<()> {
        self.running = None;
        self.answer_pings()
    }

    fn answer_pings(&mut self) -> io::Result<()> {
        while let Some(ping) = self.pings.pop() {
            self.say(&format!("pong {ping}"))?;
        }
        Ok(())
    }

    /// The client's limits, and those of the command line.
    fn limits(&self) -> Limits {
        let settings = self.session.settings.limits;
        Limits {
            clock: self.clock.map(|(_, clock)| clock),
            time: [settings.time, self.time].into_iter().flatten().min(),
            depth: [settings.depth, self.depth].into_iter().flatten().min(),
            ..settings
        }
    }

    fn move_if_its_turn(&mut self, arrived: Timestamp) -> io::Result<()> {
        let position = *self.session.game.position();
        if self.plays != Some(position.side()) || position.is_over() || self.running.is_some() {
            return Ok(());
        }
        let limits = self.limits();
        let budget = self.session.budget(&limits, &position, arrived);
        match self.session.search(position, &budget) {
            Begun::Known(result) => self.conclude(&position, &result, arrived),
            Begun::Search(search, pondered) => {
                let deadline = Deadline::new(&self.session, &budget, pondered);
                self.running = Some(RunningMove { search, position, start: arrived, deadline });
                Ok(())
            }
        }
    }

    /// Makes the move.
    fn conclude(&mut self, position: &Position, result: &SearchResult, start: Timestamp) -> io::Result<()> {
        let spent = self.session.since(start);
        if let Some((level, clock)) = &mut self.clock {
            level.charge(clock, spent);
        }
        let action = result.best();
        let played = self.session.game.play(position.side(), action);
        debug_assert!(played.is_ok(), "the search returns legal moves");
        let name = print_move(notation::vertex(action, position.size()));
        let padded = if self.pads_passes && !name.starts_with('P') { "P@" } else { "" };
        self.say(&format!("move {padded}{name}"))?;
        self.tell_result()?;
        self.answer_pings()?;
        if !self.input_ended {
            self.session.ponder(*self.session.game.position(), result.reply());
        }
        Ok(())
    }

    /// Claims the result at the end of the game.
    fn tell_result(&mut self) -> io::Result<()> {
        let game = &self.session.game;
        if !game.position().is_over() {
            return Ok(());
        }
        let [black, white] = [Color::Black, Color::White].map(|color| game.position().discs(color).len());
        let (result, winner) = match game.result(Color::White).0 {
            0 => ("1/2-1/2", "Draw"),
            1.. => ("1-0", "White wins"),
            _ => ("0-1", "Black wins"),
        };
        self.say(&format!("{result} {{{winner}: Black {black}, White {white}}}"))
    }

    /// `ply score time nodes pv`, in hundredths.
    fn post(&mut self, running: &RunningMove, iteration: &Iteration) -> io::Result<()> {
        let Some(line) = iteration.lines.first().filter(|_| self.posts) else { return Ok(()) };
        let score = (line.score.discs() * 100.0).round();
        let time = self.session.since(running.start).as_millis() / 10;
        let names: Vec<String> = line
            .moves
            .iter()
            .map(|&action| print_move(notation::vertex(action, running.position.size())))
            .collect();
        let (depth, nodes) = (iteration.depth, iteration.nodes);
        self.say(&format!("{depth} {score} {time} {nodes} {}", names.join(" ")))
    }

    fn finish(&mut self, running: RunningMove, result: &SearchResult) -> io::Result<Flow> {
        let RunningMove { search, position, deadline, start } = running;
        // Stops it: it may still run if its time is over.
        drop(search);
        self.conclude(&position, result, start)?;
        self.session.note_answer(deadline.end, self.session.now());
        Ok(self.flow())
    }

    fn flow(&self) -> Flow {
        if self.input_ended && self.running.is_none() { Flow::Exit } else { Flow::Continue }
    }
}

/// White begins, with the discs that Othello's Black has.
fn start() -> Position {
    let pair = |one, other| [one, other].into_iter().collect::<Bitboard>();
    Position::new(pair(Square::D4, Square::E5), pair(Square::D5, Square::E4), Color::White, Size::Eight)
        .expect("four different squares")
}

impl<W: Write> Frontend for XBoard<W> {
    fn line(&mut self, text: &[u8], arrived: Timestamp) -> io::Result<Flow> {
        match xboard::parse_line(text) {
            Command::Quit => return Ok(Flow::Exit),
            Command::Ping(number) if self.running.is_some() => self.pings.push(number, text.len()),
            Command::Ping(number) => self.say(&format!("pong {number}"))?,
            Command::MoveNow => {
                if let Some(running) = &self.running {
                    running.search.stop();
                }
            }
            command => self.execute(command, arrived)?,
        }
        Ok(Flow::Continue)
    }

    fn overlong_line(&mut self, _start: &[u8], length: usize) -> io::Result<Flow> {
        self.say(&format!("Error (line too long): {length} bytes"))?;
        Ok(Flow::Continue)
    }

    fn end_of_input(&mut self) -> io::Result<Flow> {
        self.input_ended = true;
        self.session.stop_pondering();
        Ok(self.flow())
    }

    fn report(&mut self, report: SearchReport) -> io::Result<Flow> {
        let Some(mut running) = self.running.take_if(|running| running.search.id() == report.id) else {
            self.session.note(report);
            return Ok(Flow::Continue);
        };
        match report.event {
            Event::Iteration(iteration) => {
                self.post(&running, &iteration)?;
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
        let result = running.deadline.result(&self.session, running.position, 1, Bitboard::EMPTY);
        self.finish(running, &result)
    }

    fn searcher_died(&mut self) -> io::Result<()> {
        self.say("tellusererror internal error: the searcher has died")
    }

    fn reports(&self) -> Receiver<SearchReport> {
        self.session.engine().reports().clone()
    }

    fn is_congested(&self) -> bool {
        self.pings.is_full()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Search};
    use crate::frontend::Settings;
    use crate::score::Score;
    use crate::search::{Control, Line, Task};
    use crate::selectivity::Selectivity;
    use crate::stdio::TrafficLog;
    use crate::time_source::TimeSource;

    #[test]
    fn moves_to_the_next_control_are_counted() {
        let second = Duration::from_secs(1);
        let level = Level { moves: Some(2), base: 10 * second, increment: second };
        let mut clock = level.clock();
        let mut after = |spent: u32| {
            level.charge(&mut clock, spent * second);
            (clock.left, clock.moves)
        };
        assert_eq!(after(4), (7 * second, Some(1)));
        assert_eq!(after(20), (11 * second, Some(2)), "the next control");
        let all = Level { moves: None, ..level };
        let mut clock = all.clock();
        all.charge(&mut clock, 3 * second);
        assert_eq!((clock.left, clock.moves), (8 * second, None));
    }

    /// Plays the first legal move.
    struct FirstMove;

    impl Search for FirstMove {
        fn search(&mut self, task: &Task, _: &Control, _: &mut dyn FnMut(&Iteration)) -> SearchResult {
            let first = task.position.moves().first().map(crate::board::Move::Place);
            let lines = vec![Line { score: Score::default(), moves: first.into_iter().collect() }];
            let last = Iteration { depth: 1, selectivity: Selectivity::Off, exact: false, lines, nodes: 1 };
            SearchResult { last }
        }
    }

    fn xboard(settings: Settings) -> XBoard<Vec<u8>> {
        let engine = Engine::in_calling_thread(Box::new(FirstMove), TimeSource::default());
        let session = Session::with_engine("test".into(), engine, settings, TrafficLog::default());
        XBoard::new(session, Vec::new(), None, false)
    }

    #[test]
    fn the_command_line_limits_what_the_client_asks_for() {
        let (second, limits) = (Duration::from_secs(1), Limits::default());
        let own = Limits { depth: Some(9), time: Some(2 * second), ..limits };
        let mut xboard = xboard(Settings { limits: own, ..Settings::default() });
        let mut after = |lines: &str| {
            for line in lines.split(", ") {
                xboard.line(line.as_bytes(), Timestamp::now()).expect("written to memory");
            }
            let Limits { depth, time, clock, .. } = xboard.limits();
            (depth, time, clock.map(|clock| clock.left))
        };
        assert_eq!(after("force, sd 4, st 1"), (Some(4), Some(second), None));
        assert_eq!(after("sd 20, st 5"), (Some(9), Some(2 * second), None));
        assert_eq!(after("sd 4, new, force"), (Some(9), Some(2 * second), None));
        assert_eq!(after("st 1, level 0 5 0"), (Some(9), Some(2 * second), Some(300 * second)));
    }

    #[test]
    fn a_ping_is_answered_when_the_search_is_abandoned() {
        for line in ["force", "new", "undo", "usermove d3", "setboard 8/8/8/3pP3/3Pp3/8/8/8 w"] {
            let mut xboard = xboard(Settings::default());
            // The search waits for its report to be delivered, which nobody does.
            for line in ["go", "ping 1", "ping 2", line] {
                xboard.line(line.as_bytes(), Timestamp::now()).expect("written to memory");
            }
            let text = String::from_utf8_lossy(&xboard.output).into_owned();
            assert!(text.starts_with("pong 1\npong 2\n"), "{line}: {text}");
        }
    }
}
