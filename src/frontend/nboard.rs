//! NBoard: every line stops the running search and is then carried out in turn.

use std::io::{self, Write};
use std::time::Duration;

use crossbeam_channel::Receiver;
use ollehto_protocol::coord::Side;
use ollehto_protocol::ggf;
use ollehto_protocol::nboard::{self, Command, DepthText, MoveText, Reply};
use ollehto_protocol::setting::Setting;

use crate::board::{Bitboard, Color, Move, Position, Size};
use crate::clock::Clock;
use crate::engine::{Event, RunningSearch, SearchReport};
use crate::notation;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::{Iteration, Limits, SearchResult};
use crate::stdio::LONGEST_LINE;
use crate::time_source::Timestamp;

use super::backlog::Backlog;
use super::deadline::Deadline;
use super::session::{Begun, Session};
use super::{Flow, Frontend};

/// The level of `analyze` if none is set.
const ANALYSIS_LEVEL: u8 = 8;

struct RunningRequest {
    search: RunningSearch,
    request: Request,
    position: Position,
    start: Timestamp,
}

enum Request {
    Go {
        /// By a later line: only its move may still be printed.
        stopped: bool,
        deadline: Deadline,
    },
    Hint,
    /// From the last position of the game to the first.
    Analysis(Analysis),
}

struct Analysis {
    /// Still to do; the last one is being searched.
    positions: Vec<Position>,
    /// Black's value of the position after it.
    later: Option<Score>,
}

/// A player's thinking time by the game record.
#[derive(Clone, Copy, Default)]
struct Spent {
    time: Duration,
    moves: u32,
}

pub struct NBoard<W> {
    session: Session,
    output: W,
    /// Set by the user: for game records that do not name the goal.
    rules: Option<Rules>,
    /// Black's value of a draw, in discs; in printed values only.
    contempt: f64,
    clocks: [ggf::GgfClock; 2],
    spent: [Spent; 2],
    queue: Backlog<(Result<Command, nboard::NBoardError>, Timestamp)>,
    running: Option<RunningRequest>,
    input_ended: bool,
}

impl<W: Write> NBoard<W> {
    /// Game records that do not name their rules are played by `rules`, or by standard ones, as NBoard means.
    pub fn new(mut session: Session, output: W, rules: Option<Rules>) -> Self {
        session.set_rules(rules.unwrap_or(Rules::Standard));
        session.get_ready();
        Self {
            session,
            output,
            rules,
            contempt: 0.0,
            clocks: [ggf::GgfClock::UNLIMITED; 2],
            spent: [Spent::default(); 2],
            queue: Backlog::default(),
            running: None,
            input_ended: false,
        }
    }

    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }

    fn status(&mut self, text: impl Into<String>) -> io::Result<()> {
        self.say(&Reply::Status(text.into()))
    }

    /// Stops the search. Only `go` still gets its answer.
    fn interrupt(&mut self) {
        match &mut self.running {
            Some(RunningRequest { search, request: Request::Go { stopped, .. }, .. }) => {
                search.stop();
                *stopped = true;
            }
            _ => self.running = None,
        }
    }

    fn is_choosing(&self) -> bool {
        matches!(self.running, Some(RunningRequest { request: Request::Go { .. }, .. }))
    }

    /// Carries out queued lines, up to one that waits for a stopped `go`. At the end of the input only `go` is waited
    /// for: it has a limit, while hints and analyses go on until somebody ends them.
    fn work(&mut self) -> io::Result<Flow> {
        while !self.is_choosing() {
            let Some((command, arrived)) = self.queue.pop() else { break };
            if self.execute(command, arrived)? == Flow::Exit {
                return Ok(Flow::Exit);
            }
            if !self.queue.is_empty() {
                self.interrupt();
            }
        }
        let done = self.input_ended && !self.is_choosing();
        Ok(if done { Flow::Exit } else { Flow::Continue })
    }

    fn execute(
        &mut self,
        command: Result<Command, nboard::NBoardError>,
        arrived: Timestamp,
    ) -> io::Result<Flow> {
        match command {
            Ok(Command::Quit) => return Ok(Flow::Exit),
            Ok(Command::Blank) | Err(nboard::NBoardError::Unknown) => {}
            // NBoard shows "Loading" until the first status.
            Ok(Command::Version(_)) => self.status(format!("{} is ready", self.session.name()))?,
            Ok(Command::SetGame(game)) => self.set_game(&game)?,
            Ok(Command::SetContempt(hundredths)) => self.contempt = f64::from(hundredths) / 100.0,
            Ok(Command::SetDepth(level)) => {
                self.session.settings.limits.level = Some(level);
                let name = format!("{}{level}", self.session.name());
                self.say(&Reply::MyName(name))?;
            }
            Ok(Command::Set(setting)) => self.set(setting)?,
            Ok(Command::Move(text)) => self.play(&text)?,
            Ok(Command::Ping(text)) => self.say(&Reply::Pong(text))?,
            Ok(Command::Hint(lines)) => self.hint(lines as usize)?,
            Ok(Command::Go) => self.go(arrived)?,
            Ok(Command::Analyze) => self.analyze()?,
            Ok(Command::Learn) => self.say(&Reply::Learned)?,
            Ok(Command::Clear) => self.session.clear_cache(),
            Ok(Command::New) => self.begin_game(self.session.game.position().size()),
            Err(error @ nboard::NBoardError::Bad { .. }) => self.status(error.to_string())?,
        }
        Ok(Flow::Continue)
    }

    fn set(&mut self, setting: Setting) -> io::Result<()> {
        if let Setting::Rules(name) = setting {
            self.rules = Some(notation::rules(name));
        }
        if let Setting::Size(side) = setting {
            let size = Size::from_side(side.into()).unwrap_or_default();
            self.begin_game(size);
        } else if let Err(error) = self.session.apply(setting) {
            self.status(error.to_string())?;
        }
        Ok(())
    }

    /// A new game without a record.
    fn begin_game(&mut self, size: Size) {
        self.session.set_rules(self.rules.unwrap_or(Rules::Standard));
        self.session.restart(size);
        self.clocks = [ggf::GgfClock::UNLIMITED; 2];
        self.spent = [Spent::default(); 2];
    }

    /// Keeps the old game if the record is not playable.
    fn set_game(&mut self, text: &ggf::GgfGame) -> io::Result<()> {
        let rules = if text.kind.anti { Rules::Reversed } else { self.rules.unwrap_or(Rules::Standard) };
        let game = match notation::game(text, rules) {
            Ok(game) => game,
            Err(illegal) => return self.status(format!("bad game text: {illegal}")),
        };
        self.spent = [Spent::default(); 2];
        for turn in &text.moves {
            self.spent[index(turn.side)].add(&turn.text);
        }
        self.session.game = game;
        self.session.review_pondering();
        self.clocks = [Side::Black, Side::White].map(|side| text.clock(side));
        Ok(())
    }

    fn play(&mut self, text: &MoveText) -> io::Result<()> {
        let game = &mut self.session.game;
        let played = notation::action(text.vertex, game.position().size()).map(|action| game.follow(action));
        if !matches!(played, Some(Ok(()))) {
            return self.status(format!("illegal move: {}", text.vertex));
        }
        let mover = notation::side(game.position().side().opponent());
        self.spent[index(mover)].add(text);
        self.session.review_pondering();
        Ok(())
    }

    /// The clock of the side to move, by the game record.
    fn clock(&self) -> Option<Clock> {
        let mover = index(notation::side(self.session.game.position().side()));
        let (clock, spent) = (self.clocks[mover], self.spent[mover]);
        if clock.is_unlimited() {
            return None;
        }
        let gained = clock.increment.saturating_mul(spent.moves);
        let left = clock.main.saturating_add(gained).saturating_sub(spent.time);
        Some(Clock { left, increment: clock.increment, moves: None })
    }

    fn go(&mut self, arrived: Timestamp) -> io::Result<()> {
        let position = *self.session.game.position();
        if position.moves().is_empty() {
            let vertex = notation::vertex(Move::Pass, position.size());
            return self.say(&Reply::Move { vertex, eval: None, seconds: None });
        }
        self.status("Thinking")?;
        let limits = Limits { clock: self.clock(), ..self.session.settings.limits };
        let budget = self.session.budget(&limits, &position, arrived);
        match self.session.search(position, &budget) {
            Begun::Known(result) => self.conclude_go(&position, arrived, &result, false),
            Begun::Search(search, pondered) => {
                let deadline = Deadline::new(&self.session, &budget, pondered);
                let request = Request::Go { stopped: false, deadline };
                self.running = Some(RunningRequest { search, request, position, start: arrived });
                Ok(())
            }
        }
    }

    fn conclude_go(
        &mut self,
        position: &Position,
        start: Timestamp,
        result: &SearchResult,
        stopped: bool,
    ) -> io::Result<()> {
        let elapsed = self.session.since(start);
        if !stopped {
            self.say(&Reply::NodeStats { nodes: result.last.nodes, elapsed })?;
        }
        let best = result.best();
        let eval =
            result.last.lines.first().map(|line| self.shown(line.score, result.last.exact, position.side()));
        let vertex = notation::vertex(best, position.size());
        self.say(&Reply::Move { vertex, eval, seconds: Some(elapsed) })?;
        if let Some(base) = position.play(best).filter(|_| !stopped && !self.input_ended) {
            self.session.ponder(base, result.reply());
        }
        Ok(())
    }

    fn hint(&mut self, lines: usize) -> io::Result<()> {
        let position = *self.session.game.position();
        if position.is_over() {
            return self.status("The game is over");
        }
        self.status("Analyzing")?;
        let budget = self.session.settings.limits.untimed(position.empties().len() as u8);
        let search = self.session.analyse(position, lines, &budget);
        self.running =
            Some(RunningRequest { search, request: Request::Hint, position, start: self.session.now() });
        Ok(())
    }

    /// All lines of an iteration, best first.
    fn show_hints(&mut self, position: &Position, start: Timestamp, iteration: &Iteration) -> io::Result<()> {
        let depth = if iteration.exact { DepthText::Exact } else { DepthText::Plies(iteration.depth) };
        for line in &iteration.lines {
            let eval = self.shown(line.score, iteration.exact, position.side());
            let line = line.moves.iter().map(|&action| notation::vertex(action, position.size())).collect();
            self.say(&Reply::Search { line, eval, depth })?;
        }
        self.say(&Reply::NodeStats { nodes: iteration.nodes, elapsed: self.session.since(start) })
    }

    fn analyze(&mut self) -> io::Result<()> {
        self.status("Analyzing the game")?;
        let positions = self.session.game.positions();
        self.analyze_next(Analysis { positions, later: None })
    }

    fn analyze_next(&mut self, analysis: Analysis) -> io::Result<()> {
        let Some(&position) = analysis.positions.last() else { return self.status("") };
        let limits = self.session.settings.limits;
        let limits = if limits.untimed(60).depth.is_none() {
            Limits { level: Some(ANALYSIS_LEVEL), ..limits }
        } else {
            limits
        };
        let budget = limits.untimed(position.empties().len() as u8);
        let search = self.session.analyse(position, 1, &budget);
        let request = Request::Analysis(analysis);
        self.running = Some(RunningRequest { search, request, position, start: self.session.now() });
        Ok(())
    }

    fn conclude_analysis(
        &mut self,
        mut analysis: Analysis,
        position: &Position,
        result: &SearchResult,
    ) -> io::Result<()> {
        let for_black = |score: Score| if position.side() == Color::Black { score } else { -score };
        let final_score = self.session.game.rules().result(position.board(), position.size());
        let mut value = result.last.lines.first().map_or(final_score.into(), |line| line.score);
        if let Some(later) = analysis.later {
            // The game's move is open to the mover too, and was searched one ply deeper.
            value = value.max(for_black(later));
        }
        analysis.positions.pop();
        analysis.later = Some(for_black(value));
        let eval = self.shown(for_black(value), result.last.exact, Color::Black);
        self.say(&Reply::Analysis { moves_made: analysis.positions.len() as u32, eval })?;
        self.analyze_next(analysis)
    }

    /// The value to print: a certain draw counts as contempt says, without outweighing a win or loss.
    fn shown(&self, score: Score, exact: bool, side: Color) -> f64 {
        if exact && score == Score::default() {
            let for_black = self.contempt.clamp(-1.0, 1.0);
            return if side == Color::Black { for_black } else { -for_black };
        }
        score.discs()
    }
}

impl<W: Write> Frontend for NBoard<W> {
    fn line(&mut self, text: &[u8], arrived: Timestamp) -> io::Result<Flow> {
        let command = nboard::parse_line(text);
        if command == Ok(Command::Blank) {
            return Ok(Flow::Continue);
        }
        self.interrupt();
        self.queue.push((command, arrived), text.len());
        self.work()
    }

    fn overlong_line(&mut self, _start: &[u8], length: usize) -> io::Result<Flow> {
        self.interrupt();
        self.status(format!("line of {length} bytes ignored; at most {LONGEST_LINE} are read"))?;
        Ok(Flow::Continue)
    }

    fn end_of_input(&mut self) -> io::Result<Flow> {
        self.input_ended = true;
        self.session.stop_pondering();
        self.work()
    }

    fn report(&mut self, report: SearchReport) -> io::Result<Flow> {
        let Some(running) = self.running.take_if(|running| running.search.id() == report.id) else {
            self.session.note(report);
            return Ok(Flow::Continue);
        };
        let RunningRequest { position, start, .. } = running;
        match report.event {
            Event::Iteration(iteration) => {
                let mut running = running;
                match &mut running.request {
                    Request::Go { deadline, .. } => deadline.last = Some(iteration),
                    Request::Hint => self.show_hints(&position, start, &iteration)?,
                    Request::Analysis(_) => {}
                }
                self.running = Some(running);
            }
            Event::Done(result) => match running.request {
                Request::Go { stopped, deadline } => {
                    self.conclude_go(&position, start, &result, stopped)?;
                    self.session.note_answer(deadline.end, self.session.now());
                    return self.work();
                }
                Request::Hint => self.status("")?,
                Request::Analysis(analysis) => self.conclude_analysis(analysis, &position, &result)?,
            },
        }
        Ok(Flow::Continue)
    }

    fn overdue_at(&self) -> Option<Timestamp> {
        match &self.running.as_ref()?.request {
            Request::Go { deadline, .. } => deadline.at(),
            _ => None,
        }
    }

    fn overdue(&mut self) -> io::Result<Flow> {
        match self.running.take() {
            Some(RunningRequest { request: Request::Go { stopped, deadline }, position, start, .. }) => {
                let result = deadline.result(&self.session, position, 1, Bitboard::EMPTY);
                self.conclude_go(&position, start, &result, stopped)?;
                self.session.note_answer(deadline.end, self.session.now());
                self.work()
            }
            running => {
                self.running = running;
                Ok(Flow::Continue)
            }
        }
    }

    fn searcher_died(&mut self) -> io::Result<()> {
        self.status("internal error: the searcher has died")
    }

    fn reports(&self) -> Receiver<SearchReport> {
        self.session.engine().reports().clone()
    }

    fn is_congested(&self) -> bool {
        self.queue.is_full()
    }
}

impl Spent {
    fn add(&mut self, text: &MoveText) {
        self.moves += 1;
        self.time = self.time.saturating_add(text.seconds.unwrap_or_default());
    }
}

const fn index(side: Side) -> usize {
    match side {
        Side::Black => 0,
        Side::White => 1,
    }
}
