//! What all protocols share: game, settings, engine, pondering.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use ollehto_protocol::setting::{BookName, Setting, SettingName};

use crate::board::{Bitboard, Move, Position, Size};
use crate::book::{BookError, BookMove, BookPlayer, BookSource};
use crate::engine::{Engine, Event, RunningSearch, Search, SearchReport};
use crate::game::Game;
use crate::notation;
use crate::random::Random;
use crate::rules::Rules;
use crate::search::{
    AnswerDelay, Budget, Elo, Iteration, Limits, Line, SearchMode, SearchResult, Searcher, Task,
    static_choice,
};
use crate::selectivity::Selectivity;
use crate::stdio::TrafficLog;
use crate::time_source::{TimeSource, Timestamp};

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Unless a game record names others.
    pub rules: Rules,
    pub size: Size,
    pub threads: u32,
    /// In MiB.
    pub hash: u32,
    pub limits: Limits,
    pub ponder: bool,
    /// What an answer may take to its client, if more than usual.
    pub overhead: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            size: Size::default(),
            threads: 1,
            // Keeps the process below 100 MB.
            hash: 64,
            limits: Limits::default(),
            ponder: false,
            overhead: Duration::ZERO,
        }
    }
}

#[derive(Debug)]
pub enum SettingError {
    BoardSize(u8),
    /// A named opponent has no book.
    NoBook {
        player: String,
    },
    Book(BookError),
    Log {
        path: PathBuf,
        error: io::Error,
    },
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BoardSize(side) => write!(f, "no board has {side} squares a side"),
            Self::NoBook { player } => write!(f, "{player} plays without a book"),
            Self::Book(error) => error.fmt(f),
            Self::Log { path, error } => write!(f, "cannot write the log {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for SettingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::BoardSize(_) | Self::NoBook { .. } => None,
            Self::Book(error) => Some(error),
            Self::Log { error, .. } => Some(error),
        }
    }
}

struct Ponder {
    search: RunningSearch,
    task: Task,
    /// The position before the opponent's move.
    base: Position,
    /// The last completed iteration.
    last: Option<Iteration>,
    /// If it ended before it was needed.
    result: Option<SearchResult>,
}

pub enum Begun {
    /// A search, and what it has found already as a ponder search.
    Search(RunningSearch, Option<Iteration>),
    /// From the book, or pondered to the end.
    Known(Box<SearchResult>),
}

pub struct Session {
    pub game: Game,
    pub settings: Settings,
    name: String,
    engine: Engine,
    log: TrafficLog,
    ponder: Option<Ponder>,
    /// None for a named opponent.
    opening: Option<BookPlayer>,
    time: TimeSource,
    delay: AnswerDelay,
    /// For the mistakes of a weaker player.
    random: Random,
    /// Whether the engine prepares for searches.
    ready: bool,
}

impl Session {
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn new(
        name: String,
        searcher: Box<dyn Search>,
        settings: Settings,
        log: TrafficLog,
    ) -> io::Result<Self> {
        Self::with_time(name, searcher, settings, log, TimeSource::default())
    }

    /// # Errors
    /// If the system has no thread left.
    pub fn with_time(
        name: String,
        searcher: Box<dyn Search>,
        settings: Settings,
        log: TrafficLog,
        time: TimeSource,
    ) -> io::Result<Self> {
        Ok(Self::with_engine(name, Engine::start(searcher, time)?, settings, log))
    }

    #[must_use]
    pub fn with_engine(name: String, engine: Engine, settings: Settings, log: TrafficLog) -> Self {
        Self {
            game: Game::new(settings.rules, settings.size),
            settings,
            name,
            time: engine.time().clone(),
            engine,
            log,
            ponder: None,
            opening: None,
            delay: AnswerDelay::default(),
            random: Random::new(0),
            ready: false,
        }
    }

    /// A session with our own search.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn with_search(settings: Settings, log: TrafficLog) -> io::Result<Self> {
        let searcher = Searcher::new(settings.threads as usize, settings.hash as usize).for_play();
        Self::new("Ollehto".into(), Box::new(searcher), settings, log)
    }

    #[must_use]
    pub fn with_opening(mut self, opening: BookPlayer) -> Self {
        self.opening = Some(opening);
        self
    }

    /// With other mistakes of a weaker player than a session without a seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.random = Random::new(seed);
        self
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.time.now()
    }

    #[must_use]
    pub fn since(&self, start: Timestamp) -> Duration {
        self.now().saturating_duration_since(start)
    }

    /// Prepares the evaluation in the background.
    pub fn get_ready(&mut self) {
        self.ready = true;
        self.engine.prepare_evaluation(self.game.rules(), self.game.position().size());
    }

    /// Prepares all that a game on the clock needs, in the background.
    pub fn prepare_table(&mut self) {
        self.get_ready();
        self.engine.prepare_table();
    }

    /// The budget of a search that was asked for at `start`.
    #[must_use]
    pub fn budget(&self, limits: &Limits, position: &Position, start: Timestamp) -> Budget {
        let empties = position.empties().len() as u8;
        limits.budget(start, empties, self.game.rules(), self.delay.reserve().max(self.settings.overhead))
    }

    /// Learns how late answers leave. `end` is the deadline of the search, if it had one.
    pub fn note_answer(&mut self, end: Option<Timestamp>, left: Timestamp) {
        if let Some(end) = end {
            self.delay.note(end, left);
        }
    }

    /// Finds a move to play: from the book, by the ponder search if that is of this position, or by a new search.
    pub fn search(&mut self, position: Position, budget: &Budget) -> Begun {
        let mode = self.mode();
        if mode != SearchMode::BestMove {
            // Neither from the book nor pondered on: both would be stronger.
            let task = Task { mode, ..self.task_for_play(position) };
            return Begun::Search(self.engine.search(task, budget), None);
        }
        if let Some(known) = self.book_move(&position) {
            self.ponder = None;
            return Begun::Known(Box::new(known));
        }
        let task = self.task_for_play(position);
        match self.ponder.take().filter(|ponder| ponder.task == task) {
            Some(Ponder { result: Some(result), .. }) => Begun::Known(Box::new(result)),
            Some(Ponder { search, last, .. }) => {
                search.set_budget(budget);
                Begun::Search(search, last)
            }
            None => Begun::Search(self.engine.search(task, budget), None),
        }
    }

    /// How to search for a move to play, by the strength that is set.
    pub fn mode(&mut self) -> SearchMode {
        self.settings.limits.mode(&mut self.random)
    }

    pub fn book_move(&mut self, position: &Position) -> Option<SearchResult> {
        let rules = self.game.rules();
        self.opening.as_mut()?.choose(position, rules).map(|found| result(&found))
    }

    /// What to answer where a search has not even begun in its time.
    #[must_use]
    pub fn static_choice(&self, position: Position, lines: usize, only: Bitboard) -> SearchResult {
        static_choice(&Task { only, ..self.task(position, lines) })
    }

    /// Begins a multi-PV search.
    pub fn analyse(&mut self, position: Position, lines: usize, budget: &Budget) -> RunningSearch {
        let task = self.task(position, lines);
        self.search_task(task, budget)
    }

    /// Begins any search.
    pub fn search_task(&mut self, task: Task, budget: &Budget) -> RunningSearch {
        self.ponder = None;
        self.engine.search(task, budget)
    }

    fn task(&self, position: Position, lines: usize) -> Task {
        Task { lines, ..Task::new(position, self.game.rules()) }
    }

    fn task_for_play(&self, position: Position) -> Task {
        Task { for_play: true, ..self.task(position, 1) }
    }

    /// Begins to ponder, if pondering is on: on the position after the expected reply to `base`.
    pub fn ponder(&mut self, base: Position, reply: Option<Move>) {
        if !self.settings.ponder || self.settings.limits.elo.is_some() || base.is_over() {
            return;
        }
        let position = reply.and_then(|reply| base.play(reply)).filter(|p| !p.is_over()).unwrap_or(base);
        let task = self.task_for_play(position);
        let search = self.engine.search(task, &Budget::UNLIMITED);
        self.ponder = Some(Ponder { search, task, base, last: None, result: None });
    }

    pub fn stop_pondering(&mut self) {
        self.ponder = None;
    }

    /// Stops pondering unless the game may still come to the pondered position.
    pub fn review_pondering(&mut self) {
        let (position, rules) = (*self.game.position(), self.game.rules());
        let useful = |ponder: &Ponder| {
            let expected = ponder.task.position;
            ponder.task.rules == rules
                && (position == ponder.base || position.with_side(expected.side()) == expected)
        };
        if !self.ponder.as_ref().is_some_and(useful) {
            self.ponder = None;
        }
    }

    /// Takes a report that no command waits for: of the ponder search, or late.
    pub fn note(&mut self, report: SearchReport) {
        let Some(ponder) = self.ponder.as_mut().filter(|ponder| ponder.search.id() == report.id) else {
            return;
        };
        match report.event {
            Event::Iteration(iteration) => ponder.last = Some(iteration),
            Event::Done(result) => ponder.result = Some(result),
        }
    }

    pub fn clear_cache(&mut self) {
        self.ponder = None;
        self.engine.clear();
    }

    /// # Errors
    /// If a log or book cannot be opened. Nothing is changed then.
    pub fn apply(&mut self, setting: Setting) -> Result<(), SettingError> {
        match setting {
            Setting::Rules(name) => self.set_rules(notation::rules(name)),
            Setting::Size(side) => {
                self.restart(Size::from_side(side.into()).ok_or(SettingError::BoardSize(side))?);
            }
            Setting::Threads(threads) => {
                self.settings.threads = threads;
                self.engine.set_threads(threads as usize);
            }
            Setting::Hash(mebibytes) => {
                self.settings.hash = mebibytes;
                self.ponder = None;
                self.engine.resize(mebibytes as usize);
            }
            Setting::Depth(depth) => self.settings.limits.depth = depth,
            Setting::Nodes(nodes) => self.settings.limits.nodes = nodes,
            Setting::Level(level) => self.settings.limits.level = level,
            Setting::Elo(rating) => {
                self.settings.limits.elo = rating.and_then(Elo::new);
                self.ponder = None;
            }
            Setting::Time(time) => self.settings.limits.time = time,
            Setting::Ponder(ponder) => {
                self.settings.ponder = ponder;
                if ponder {
                    self.prepare_table();
                } else {
                    self.ponder = None;
                }
            }
            Setting::Book(book) => {
                let opening = self.opening_mut()?;
                opening.source = match book {
                    BookName::Off => BookSource::Off,
                    BookName::Shipped => BookSource::Shipped,
                    BookName::File(path) => BookSource::load(path.into()).map_err(SettingError::Book)?,
                };
            }
            Setting::Variety(hundredths) => self.opening_mut()?.variety = hundredths,
            Setting::Log(path) => {
                let path = path.map(PathBuf::from);
                let unusable = |error| SettingError::Log { path: path.clone().unwrap_or_default(), error };
                self.log.open(path.as_deref()).map_err(unusable)?;
            }
        }
        Ok(())
    }

    /// As the user would write it.
    #[must_use]
    pub fn value(&self, name: SettingName) -> String {
        let limits = &self.settings.limits;
        let setting = match name {
            SettingName::Rules => Setting::Rules(notation::rules_name(self.game.rules())),
            SettingName::Size => Setting::Size(self.game.position().size().side()),
            SettingName::Threads => Setting::Threads(self.settings.threads),
            SettingName::Hash => Setting::Hash(self.settings.hash),
            SettingName::Depth => Setting::Depth(limits.depth),
            SettingName::Nodes => Setting::Nodes(limits.nodes),
            SettingName::Level => Setting::Level(limits.level),
            SettingName::Elo => Setting::Elo(limits.elo.map(Elo::rating)),
            SettingName::Time => Setting::Time(limits.time),
            SettingName::Ponder => Setting::Ponder(self.settings.ponder),
            SettingName::Book => Setting::Book(self.book_name()),
            SettingName::Variety => Setting::Variety(self.opening.as_ref().map_or(0, |o| o.variety)),
            SettingName::Log => Setting::Log(self.log.path().map(|path| path.display().to_string())),
        };
        setting.to_string()
    }

    fn opening_mut(&mut self) -> Result<&mut BookPlayer, SettingError> {
        self.opening.as_mut().ok_or_else(|| SettingError::NoBook { player: self.name.clone() })
    }

    fn book_name(&self) -> BookName {
        match self.opening.as_ref().map(|opening| &opening.source) {
            None | Some(BookSource::Off) => BookName::Off,
            Some(BookSource::Shipped) => BookName::Shipped,
            Some(BookSource::File { path, .. }) => BookName::File(path.display().to_string()),
        }
    }

    pub fn set_rules(&mut self, rules: Rules) {
        self.settings.rules = rules;
        self.game.set_rules(rules);
        self.review_pondering();
        if self.ready {
            self.get_ready();
        }
    }

    pub fn restart(&mut self, size: Size) {
        let is_other = size != self.game.position().size();
        self.game = Game::new(self.game.rules(), size);
        self.review_pondering();
        if self.ready && is_other {
            self.get_ready();
        }
    }
}

/// A book move in the form of a search result.
fn result(found: &BookMove) -> SearchResult {
    let moves = found.line.iter().copied().map(Move::Place).collect();
    let lines = vec![Line { score: found.value, moves }];
    SearchResult {
        last: Iteration { depth: 0, selectivity: Selectivity::P73, exact: false, lines, nodes: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    fn session() -> Session {
        let settings = Settings { ponder: true, hash: 1, ..Settings::default() };
        Session::with_search(settings, TrafficLog::default()).expect("a thread")
    }

    fn play(session: &mut Session, square: Square) {
        let side = session.game.position().side();
        session.game.play(side, Move::Place(square)).expect("legal");
        session.review_pondering();
    }

    fn depth_of(report: &SearchReport) -> Option<u8> {
        match &report.event {
            Event::Iteration(iteration) => Some(iteration.depth),
            Event::Done(_) => None,
        }
    }

    #[test]
    fn a_ponder_hit_keeps_the_running_search() {
        let mut session = session();
        play(&mut session, Square::D3);
        session.ponder(*session.game.position(), Some(Move::Place(Square::C3)));
        let reports = session.engine().reports().clone();
        let pondered = reports.iter().find(|report| depth_of(report) == Some(5)).expect("it deepens");
        play(&mut session, Square::C3);
        let position = *session.game.position();
        let budget = Budget { depth: Some(8), ..Budget::UNLIMITED };
        let Begun::Search(search, _) = session.search(position, &budget) else {
            panic!("it cannot be solved yet")
        };
        assert_eq!(search.id(), pondered.id);
        let depths: Vec<_> = reports.iter().map_while(|report| depth_of(&report)).collect();
        let wanted: Vec<u8> = (6..6 + depths.len() as u8).collect();
        assert_eq!(depths, wanted, "the depth goes on where it was");
        assert!(depths.len() >= 3);
    }

    #[test]
    fn a_ponder_hit_beyond_the_depth_asked_for_answers_at_once() {
        let mut session = session();
        play(&mut session, Square::D3);
        session.ponder(*session.game.position(), Some(Move::Place(Square::C3)));
        let reports = session.engine().reports().clone();
        reports.iter().find(|report| depth_of(report) == Some(8)).expect("it deepens");
        play(&mut session, Square::C3);
        let budget = Budget { depth: Some(4), ..Budget::UNLIMITED };
        let begun = session.search(*session.game.position(), &budget);
        assert!(matches!(begun, Begun::Search(..)), "it cannot be solved yet");
        // On a busy machine any number of depths may be told of by now; only one can still be under way.
        let told = reports.len();
        let all = reports.iter().map_while(|report| depth_of(&report)).count();
        assert!(all <= told + 1, "{} more depths after the limit was set", all - told);
    }

    #[test]
    fn another_reply_ends_the_pondering() {
        let mut session = session();
        play(&mut session, Square::D3);
        session.ponder(*session.game.position(), Some(Move::Place(Square::C3)));
        play(&mut session, Square::E3);
        assert!(session.ponder.is_none());
    }

    #[test]
    fn a_solved_ponder_answers_at_once() {
        let mut session = session();
        session.restart(Size::Four);
        let first = session.game.position().moves().first().expect("four moves");
        play(&mut session, first);
        let reply = session.game.position().moves().first().map(Move::Place);
        session.ponder(*session.game.position(), reply);
        let reports = session.engine().reports().clone();
        let done = reports.iter().find(|report| depth_of(report).is_none()).expect("4×4 is soon solved");
        session.note(done);
        let Some(Move::Place(square)) = reply else { panic!("a move there is") };
        play(&mut session, square);
        let position = *session.game.position();
        assert!(matches!(session.search(position, &Budget::UNLIMITED), Begun::Known(_)));
    }
}
