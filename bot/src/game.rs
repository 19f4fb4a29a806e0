//! One game from its first state to its end.

mod policy;

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvError, Sender, never, select};
use log::{debug, info, warn};
use ollehto::board::Position;
use ollehto::engine::SearchReport;
use ollehto::time_source::Timestamp;

use crate::api::Api;
use crate::backoff::Backoff;
use crate::config::Config;
use crate::feed::{Feed, FeedEvent, FeedMessage};
use crate::http::HttpError;
use crate::notation::print_move;
use crate::player::{Found, Player};
use crate::site::{GameFull, GameLine, GameState, Id};
use crate::tracker::{News, TrackError, Tracker};
use policy::Patience;

/// How often in a row the site may say that it does not know the game.
const NOT_FOUND_LIMIT: u32 = 6;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The result for us, and the site's word for the end.
    Finished { result: &'static str, status: String },
    /// The site no longer knows the game, or cannot let us play it.
    Gone(String),
    /// It goes on at the site.
    Left,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished { result, status } => write!(f, "{result} ({status})"),
            Self::Gone(reason) => write!(f, "given up: {reason}"),
            Self::Left => f.write_str("left running"),
        }
    }
}

/// A move that the site has accepted.
#[derive(Clone, Copy, Debug)]
struct Sent {
    /// The number of moves before it.
    plies: usize,
    /// Streams up to this one may begin with a state from before the move.
    connection: u32,
}

pub struct GameLoop {
    api: Api,
    config: Arc<Config>,
    id: Id,
    my_id: String,
    /// What still talks has a copy.
    talking: Sender<()>,
    feed: Feed,
    /// None until the stream has begun.
    tracker: Option<Tracker>,
    player: Option<Player>,
    /// The present connection has brought the whole game.
    is_synchronised: bool,
    /// The fate of a move is unknown: the next one waits for a new connection.
    must_reread: bool,
    arrived: Timestamp,
    found: Option<Found>,
    sent: Option<Sent>,
    /// Refusals of moves since the game last went on.
    refusals: usize,
    /// No move is sent before.
    retry_at: Option<Instant>,
    reread_at: Instant,
    stream_pauses: Backoff,
    move_pauses: Backoff,
    rate_pauses: Backoff,
    not_found: u32,
    patience: Patience,
    outcome: Option<Outcome>,
}

impl GameLoop {
    #[must_use]
    pub fn new(api: Api, config: Arc<Config>, id: Id, my_id: String, talking: Sender<()>) -> Self {
        let now = Instant::now();
        Self {
            feed: Feed::new(api.clone(), id.clone()),
            tracker: None,
            player: None,
            is_synchronised: false,
            must_reread: false,
            arrived: Timestamp::now(),
            found: None,
            sent: None,
            refusals: 0,
            retry_at: None,
            reread_at: now + Duration::from(config.network.refresh),
            stream_pauses: api.backoff(),
            move_pauses: api.backoff(),
            rate_pauses: api.rate_backoff(),
            not_found: 0,
            patience: Patience::default(),
            outcome: None,
            api,
            config,
            id,
            my_id,
            talking,
        }
    }

    /// Plays until the game is over, or until the other end of `leave` is dropped.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn run(mut self, leave: &Receiver<()>) -> io::Result<Outcome> {
        self.reread(Duration::ZERO)?;
        let nothing = never();
        loop {
            let reports = self.player.as_ref().map_or(&nothing, Player::reports).clone();
            let timeout = self.next_deadline().saturating_duration_since(Instant::now());
            select! {
                recv(self.feed.messages()) -> message => {
                    if let Ok(message) = message { self.take_message(message)?; }
                }
                recv(reports) -> report => self.take_report(report),
                recv(leave) -> _ => return Ok(Outcome::Left),
                default(timeout) => {}
            }
            if self.outcome.is_none() {
                self.act()?;
            }
            if let Some(outcome) = self.outcome.take() {
                self.say_goodbye(&outcome);
                return Ok(outcome);
            }
        }
    }

    fn next_deadline(&self) -> Instant {
        let retry_at = self.retry_at.filter(|_| self.found.is_some());
        [retry_at, self.patience.abort_at()].into_iter().flatten().fold(self.reread_at, Instant::min)
    }

    fn take_message(&mut self, message: FeedMessage) -> io::Result<()> {
        if message.connection != self.feed.connection() {
            return Ok(());
        }
        match message.event {
            FeedEvent::Alive => self.stream_pauses.reset(),
            FeedEvent::Line(GameLine::Other) => {}
            FeedEvent::Line(GameLine::Full(full)) if !self.is_synchronised => {
                self.synchronise(*full, message.arrived)?;
            }
            FeedEvent::Line(GameLine::Full(full)) => self.follow(full.state, message.arrived)?,
            FeedEvent::Line(GameLine::State(state)) => self.follow(state, message.arrived)?,
            FeedEvent::Ended(error) => self.reconnect(&error)?,
        }
        Ok(())
    }

    /// The first whole game of a connection is the truth, even if moves are missing that the site had accepted.
    fn synchronise(&mut self, full: GameFull, arrived: Timestamp) -> io::Result<()> {
        let is_running = full.state.is_running();
        let tracker = match Tracker::new(full, &self.my_id) {
            Ok(tracker) => tracker,
            Err(error @ (TrackError::Variant(_) | TrackError::NotMine)) => {
                self.outcome = Some(Outcome::Gone(error.to_string()));
                return Ok(());
            }
            Err(error) if !is_running => {
                self.outcome = Some(Outcome::Gone(error.to_string()));
                return Ok(());
            }
            Err(error) => {
                warn!("game {}: {error}", self.id);
                let pause = self.stream_pauses.pause();
                return self.reread(pause);
            }
        };
        self.is_synchronised = true;
        self.reread_at = Instant::now() + Duration::from(self.config.network.refresh);
        self.not_found = 0;
        if let Some(sent) =
            self.sent.filter(|sent| tracker.plies() <= sent.plies && tracker.state().is_running())
        {
            if self.feed.connection() <= sent.connection {
                // From before our move, perhaps.
                self.reread_soon();
                return Ok(());
            }
            warn!("game {}: the site has forgotten a move", self.id);
            self.sent = None;
        }
        self.must_reread = false;
        if self.tracker.as_ref().is_some_and(|known| tracker.plies() > known.plies()) {
            self.stream_pauses.reset();
        }
        let is_first = self.tracker.is_none();
        self.tracker = Some(tracker);
        self.note_state(arrived, true);
        if is_first {
            self.begin();
        }
        Ok(())
    }

    fn follow(&mut self, state: GameState, arrived: Timestamp) -> io::Result<()> {
        let Some(tracker) = &mut self.tracker else { return Ok(()) };
        let plies = tracker.plies();
        match tracker.follow(state) {
            Ok(News::Current) => {
                if tracker.plies() > plies {
                    self.stream_pauses.reset();
                    if self.is_synchronised {
                        self.reread_at = Instant::now() + Duration::from(self.config.network.refresh);
                    }
                }
                self.note_state(arrived, false);
            }
            Ok(News::Doubtful) => self.reread_soon(),
            Err(error) => {
                warn!("game {}: {error}", self.id);
                let pause = self.stream_pauses.pause();
                self.reread(pause)?;
            }
        }
        Ok(())
    }

    /// The game stands as the tracker says.
    fn note_state(&mut self, arrived: Timestamp, is_fresh: bool) {
        let Some(tracker) = &self.tracker else { return };
        self.arrived = arrived;
        if !tracker.state().is_running() {
            let (result, status) = (tracker.result(), tracker.state().status.clone());
            self.outcome = Some(Outcome::Finished { result, status });
            return;
        }
        if let Some(player) = &mut self.player {
            player.follow(tracker.game());
        }
        if self.found.as_ref().is_some_and(|found| Some(found.position) != tracker.my_turn()) {
            self.found = None;
            self.refusals = 0;
        }
        self.patience.note(tracker, is_fresh, self.config.game.abort_after.into());
    }

    fn begin(&mut self) {
        let Some(tracker) = &self.tracker else { return };
        let (opponent, variant) = (tracker.opponent().to_owned(), tracker.variant());
        info!(
            "game {}: {variant:?} as {} against {opponent}, {} moves played",
            self.id,
            tracker.me(),
            tracker.plies()
        );
        if tracker.plies() <= 1 && self.outcome.is_none() {
            self.say(self.config.chat.greeting.to(&opponent));
        }
    }

    fn reconnect(&mut self, error: &HttpError) -> io::Result<()> {
        debug!("game {}: {error}", self.id);
        if matches!(error, HttpError::Rejected(..)) {
            self.not_found += 1;
            if self.not_found >= NOT_FOUND_LIMIT {
                self.outcome = Some(Outcome::Gone(error.to_string()));
                return Ok(());
            }
        }
        let pause = match error {
            HttpError::TooMany(asked) => asked.unwrap_or_else(|| self.rate_pauses.pause()),
            _ => self.stream_pauses.pause(),
        };
        self.reread(pause)
    }

    /// Opens a new stream, which begins with the present state.
    fn reread(&mut self, pause: Duration) -> io::Result<()> {
        self.is_synchronised = false;
        // Its beginning is an answer like any other.
        let network = &self.config.network;
        self.reread_at = Instant::now() + pause + Duration::from(network.timeout.min(network.refresh));
        self.feed.open(pause)
    }

    /// Unless the stream goes on as it should.
    fn reread_soon(&mut self) {
        self.reread_at = self.reread_at.min(Instant::now() + Duration::from(self.config.network.confirm));
    }

    fn take_report(&mut self, report: Result<SearchReport, RecvError>) {
        match (report, &mut self.player) {
            (Ok(report), Some(player)) => self.found = player.take(report).or(self.found.take()),
            _ => {
                warn!("game {}: the engine failed and is started again", self.id);
                self.player = None;
            }
        }
    }

    /// Does what the state of the game asks for.
    fn act(&mut self) -> io::Result<()> {
        // Forgotten only here: the next look at the clock may be a moment later.
        self.retry_at = self.retry_at.filter(|&at| Instant::now() < at);
        if Instant::now() >= self.reread_at {
            self.reread(Duration::ZERO)?;
        }
        self.abort_if_due()?;
        let Some(tracker) = &self.tracker else { return Ok(()) };
        let Some(position) = tracker.my_turn() else { return Ok(()) };
        if self.sent.is_some_and(|sent| sent.plies >= tracker.plies()) {
            return Ok(());
        }
        if self.found.is_none() {
            self.think(position)?;
        }
        if let Some(found) = self.found.clone()
            && found.position == position
            && !self.must_reread
            && self.retry_at.is_none()
        {
            self.play(&found)?;
        }
        Ok(())
    }

    fn think(&mut self, position: Position) -> io::Result<()> {
        let Some(tracker) = &self.tracker else { return Ok(()) };
        let player = match &mut self.player {
            Some(player) => player,
            none => {
                let mut seed = DefaultHasher::new();
                (std::process::id(), &self.id).hash(&mut seed);
                let (rules, reserve) = (tracker.variant().rules(), self.config.network.reserve.into());
                none.insert(Player::new(&self.config.strength, rules, reserve, seed.finish())?)
            }
        };
        player.follow(tracker.game());
        self.found = player.think(position, tracker.move_clock(), self.arrived);
        Ok(())
    }

    fn play(&mut self, found: &Found) -> io::Result<()> {
        if self.end_early(found) {
            return Ok(());
        }
        let Some(tracker) = &self.tracker else { return Ok(()) };
        let plies = tracker.plies();
        let uci = print_move(found.action, &found.position, self.refusals);
        let result = self.api.play(&self.id, &uci);
        match result {
            Ok(()) => {
                debug!("game {}: move {} is {uci}", self.id, plies + 1);
                self.sent = Some(Sent { plies, connection: self.feed.connection() });
                self.move_pauses.reset();
                self.rate_pauses.reset();
                self.reread_soon();
                if let Some(player) = &mut self.player {
                    player.ponder(found);
                }
            }
            Err(HttpError::TooMany(asked)) => {
                let pause = asked.unwrap_or_else(|| self.rate_pauses.pause());
                warn!("game {}: too many requests; waiting {:.1} s", self.id, pause.as_secs_f64());
                self.retry_at = Some(Instant::now() + pause);
            }
            Err(error) => {
                let pause = self.move_pauses.pause();
                warn!(
                    "game {}: {uci} failed ({error}); reading the game again in {:.1} s",
                    self.id,
                    pause.as_secs_f64()
                );
                self.refusals += usize::from(matches!(error, HttpError::Rejected(..)));
                self.must_reread = true;
                self.reread(pause)?;
            }
        }
        Ok(())
    }

    /// In a thread of its own: the game does not wait for chat.
    fn say(&self, text: Option<String>) {
        let Some(text) = text else { return };
        let (api, id, talking) = (self.api.clone(), self.id.clone(), self.talking.clone());
        let talk = move || {
            let _talking = talking;
            if let Err(error) = api.chat(&id, &text) {
                debug!("game {id}: chat failed: {error}");
            }
        };
        if let Err(error) = thread::Builder::new().name("chat".into()).spawn(talk) {
            debug!("no thread for chat: {error}");
        }
    }

    fn say_goodbye(&self, outcome: &Outcome) {
        // A game that was over from the start is one of the past.
        if let (Outcome::Finished { status, .. }, Some(tracker), Some(_)) =
            (outcome, &self.tracker, &self.player)
            && status != "aborted"
        {
            self.say(self.config.chat.goodbye.to(tracker.opponent()));
        }
    }
}

#[cfg(test)]
#[path = "game_tests.rs"]
mod tests;
