//! The account: its events, its challenges and its games.

use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, select, tick, unbounded};
use log::{error, info, warn};
use thiserror::Error;

use crate::api::Api;
use crate::challenge::{Decline, Load, judge};
use crate::config::{Config, OnInterrupt, Variant};
use crate::game::{GameLoop, Outcome};
use crate::http::{HttpError, Stream};
use crate::ndjson::Line;
use crate::site::{Account, Challenge, Event, GamePreview, Id};

/// How often in a row the token may be refused.
const REFUSALS: u32 = 5;

#[derive(Debug, Error)]
pub enum BotError {
    #[error("{0}. Make a new token with the scope bot:play")]
    Unauthorized(String),
    #[error(
        "{0} is not a bot account. `ollehto-bot upgrade` makes it one: that is for ever, and only possible before its \
         first game"
    )]
    NotABot(String),
    #[error("the account {0} is closed")]
    Closed(String),
    #[error("the system has no thread left: {0}")]
    Thread(#[from] io::Error),
}

enum Message {
    /// The event stream has begun.
    Connected,
    Event(Event),
    Playing(Vec<GamePreview>),
    /// None if its thread has panicked.
    GameOver(Id, Option<Outcome>),
    /// A challenge could not be accepted.
    NotAccepted(Id),
    Unauthorized(String),
}

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    won: u32,
    lost: u32,
    drawn: u32,
    other: u32,
}

pub struct Bot {
    api: Api,
    config: Arc<Config>,
    account: Account,
    sender: Sender<Message>,
    messages: Receiver<Message>,
    /// The opponent of each running game.
    games: HashMap<Id, String>,
    /// Accepted challenges that have not become games yet, with the challenger.
    accepted: HashMap<Id, (Instant, String)>,
    /// Games that ended, and challenges that were answered: events about them come again.
    done: HashMap<Id, Instant>,
    /// Offers with the identifier of a game that still runs here: rematches that came before its end.
    early: HashMap<Id, Box<Challenge>>,
    /// Closed by the last thread that talks to an opponent.
    talks: (Sender<()>, Receiver<()>),
    is_closing: bool,
    totals: Totals,
}

impl Bot {
    /// # Errors
    /// If the account cannot play.
    pub fn new(api: Api, config: Arc<Config>, account: Account) -> Result<Self, BotError> {
        if account.closed {
            return Err(BotError::Closed(account.username));
        }
        if !account.is_bot() {
            return Err(BotError::NotABot(account.username));
        }
        let (sender, messages) = unbounded();
        Ok(Self {
            api,
            config,
            account,
            sender,
            messages,
            games: HashMap::new(),
            accepted: HashMap::new(),
            done: HashMap::new(),
            early: HashMap::new(),
            talks: bounded(0),
            is_closing: false,
            totals: Totals::default(),
        })
    }

    /// Plays until interrupted.
    ///
    /// # Errors
    /// If the site refuses the token.
    pub fn run(mut self, interrupted: &Receiver<()>) -> Result<(), BotError> {
        self.read_events()?;
        let (_stay, leave) = bounded::<()>(0);
        let refresh = tick(self.config.network.refresh.into());
        loop {
            select! {
                recv(self.messages) -> message => match message {
                    Ok(message) => self.take(message, &leave)?,
                    Err(_) => return Ok(()),
                },
                recv(interrupted) -> _ => self.close(),
                recv(refresh) -> _ => self.list_games()?,
                default(self.patience()) => self.list_games()?,
            }
            if self.is_closing && (!self.is_expected() || self.config.on_interrupt == OnInterrupt::Leave) {
                self.say_farewell();
                return Ok(());
            }
        }
    }

    /// Whether there are games, or challenges that will become games.
    fn is_expected(&mut self) -> bool {
        self.forget_unanswered();
        !(self.games.is_empty() && self.accepted.is_empty())
    }

    /// How long to wait for news before asking for it: only the last game of all has to be asked for.
    fn patience(&self) -> Duration {
        let is_urgent = self.is_closing && !self.accepted.is_empty();
        if is_urgent { self.config.network.confirm.into() } else { Duration::MAX }
    }

    fn close(&mut self) {
        self.is_closing = true;
        if self.config.on_interrupt == OnInterrupt::Finish && self.is_expected() {
            info!(
                "finishing {} games and accepting no others; Ctrl-C again leaves at once, and the next start resumes \
                 the games",
                self.games.len() + self.accepted.len()
            );
        }
    }

    fn say_farewell(self) {
        if self.config.on_interrupt == OnInterrupt::Finish {
            // Nothing is sent: it ends when all have closed it.
            let (talking, talks) = self.talks;
            drop(talking);
            let _ = talks.recv_timeout(self.config.network.timeout.into());
        }
        let Totals { won, lost, drawn, other } = self.totals;
        info!("{won} won, {lost} lost, {drawn} drawn, {other} aborted or given up");
        for (id, opponent) in &self.games {
            info!("game {id} against {opponent} goes on at the site; the next start resumes it");
        }
    }

    fn take(&mut self, message: Message, leave: &Receiver<()>) -> Result<(), BotError> {
        match message {
            Message::Connected => self.list_games()?,
            Message::Event(Event::Challenge(challenge)) => self.answer(challenge)?,
            Message::Event(Event::ChallengeGone(id)) => {
                self.accepted.remove(&id);
                self.early.remove(&id);
            }
            Message::Event(Event::GameStart(game)) => self.start_game(game, leave)?,
            // The game's own stream tells the same.
            Message::Event(Event::GameFinish(_) | Event::Other) => {}
            Message::Playing(games) => {
                for game in games {
                    self.start_game(game, leave)?;
                }
            }
            Message::GameOver(id, outcome) => self.end_game(id, outcome)?,
            Message::NotAccepted(id) => {
                self.accepted.remove(&id);
                self.done.remove(&id);
            }
            Message::Unauthorized(reason) => return Err(BotError::Unauthorized(reason)),
        }
        Ok(())
    }

    fn start_game(&mut self, game: GamePreview, leave: &Receiver<()>) -> Result<(), BotError> {
        let id = game.game_id;
        self.accepted.remove(&id);
        if self.games.contains_key(&id) || self.is_done(&id) {
            return Ok(());
        }
        let is_playable = game.compat.is_none_or(|compat| compat.bot);
        if !is_playable || Variant::from_key(&game.variant.key).is_none() {
            warn!("game {id} ({}) cannot be played by a bot; left alone", game.variant.key);
            self.done.insert(id, Instant::now());
            return Ok(());
        }
        let opponent = game
            .opponent
            .map_or_else(|| "stranger".into(), |opponent| opponent.id.unwrap_or(opponent.username));
        let talking = self.talks.0.clone();
        let game = GameLoop::new(
            self.api.clone(),
            Arc::clone(&self.config),
            id.clone(),
            self.account.id.clone(),
            talking,
        );
        let (leave, sender, thread_id) = (leave.clone(), self.sender.clone(), id.clone());
        thread::Builder::new().name(format!("game {id}")).spawn(move || {
            // A fault in one game is no reason to lose the others; the site still lists the game, and it starts anew.
            let outcome = catch_unwind(AssertUnwindSafe(|| game.run(&leave))).ok().and_then(Result::ok);
            let _ = sender.send(Message::GameOver(thread_id, outcome));
        })?;
        self.games.insert(id, opponent);
        Ok(())
    }

    fn end_game(&mut self, id: Id, outcome: Option<Outcome>) -> Result<(), BotError> {
        self.games.remove(&id);
        let rematch = self.early.remove(&id);
        let Some(outcome) = outcome else {
            error!("game {id}: the bot failed; the game starts anew when the site lists it again");
            return Ok(());
        };
        info!("game {id}: {outcome}");
        match &outcome {
            Outcome::Finished { result: "won", .. } => self.totals.won += 1,
            Outcome::Finished { result: "lost", .. } => self.totals.lost += 1,
            Outcome::Finished { result: "drawn", .. } => self.totals.drawn += 1,
            Outcome::Finished { .. } | Outcome::Gone(_) => self.totals.other += 1,
            Outcome::Left => {}
        }
        if matches!(outcome, Outcome::Finished { .. }) {
            self.done.insert(id, Instant::now());
        }
        rematch.map_or(Ok(()), |challenge| self.answer(challenge))
    }

    /// Whether an event about it is a repetition.
    fn is_done(&mut self, id: &Id) -> bool {
        const REMEMBERED: Duration = Duration::from_mins(10);
        self.done.retain(|_, since| since.elapsed() < REMEMBERED);
        self.done.contains_key(id)
    }

    fn answer(&mut self, challenge: Box<Challenge>) -> Result<(), BotError> {
        let is_me = |id: &str| id.eq_ignore_ascii_case(&self.account.id);
        let is_own = challenge.challenger.as_ref().is_some_and(|user| is_me(&user.id));
        if is_own || challenge.dest_user.as_ref().is_some_and(|user| !is_me(&user.id)) {
            return Ok(());
        }
        // A rematch has the identifier of the game that ended.
        let id = challenge.id.clone();
        self.forget_unanswered();
        let is_rematch = self.done.contains_key(&id) && !self.accepted.contains_key(&id);
        if self.accepted.contains_key(&id) {
            return Ok(());
        }
        if self.games.contains_key(&id) {
            self.early.insert(id, challenge);
            return Ok(());
        }
        let challenger =
            challenge.challenger.as_ref().map_or_else(|| "stranger".to_owned(), |user| user.id.clone());
        let load = self.load(&challenger, is_rematch);
        let verdict = judge(&challenge, &self.config.challenges, load);
        info!(
            "challenge {id} from {challenger}, {} {}: {}",
            challenge.variant.key,
            challenge.time_control.show,
            verdict.map_or_else(|reason| format!("declined ({})", reason.key()), |()| "accepted".into())
        );
        if verdict.is_ok() {
            self.accepted.insert(id.clone(), (Instant::now(), challenger));
        }
        self.send_answer(id, verdict)
    }

    /// Accepted challenges that no game has come of for long.
    fn forget_unanswered(&mut self) {
        const BECOMES_A_GAME: Duration = Duration::from_secs(30);
        self.accepted.retain(|_, (since, _)| since.elapsed() < BECOMES_A_GAME);
    }

    fn load(&self, challenger: &str, is_rematch: bool) -> Load {
        let opponents =
            || self.games.values().chain(self.accepted.values().map(|(_, challenger)| challenger));
        Load {
            games: opponents().count() as u32,
            games_with_challenger: opponents().filter(|&opponent| opponent == challenger).count() as u32,
            is_closing: self.is_closing,
            is_rematch,
        }
    }

    /// In a thread of its own: games must not wait for it.
    fn send_answer(&self, id: Id, verdict: Result<(), Decline>) -> Result<(), BotError> {
        let (api, sender) = (self.api.clone(), self.sender.clone());
        let answer = move || {
            let result = match verdict {
                Ok(()) => api.accept(&id),
                Err(reason) => api.decline(&id, reason),
            };
            if let Err(error) = result {
                // "Not found" may mean that an earlier attempt was heard: then the game begins all the same.
                info!("challenge {id}: {error}");
                if verdict.is_ok() && !error.is_not_found() {
                    let _ = sender.send(Message::NotAccepted(id));
                }
            }
        };
        thread::Builder::new().name("challenge".into()).spawn(answer)?;
        Ok(())
    }

    /// Asks for the running games: an event may be lost, or come from before the start.
    fn list_games(&self) -> Result<(), BotError> {
        let (api, sender) = (self.api.clone(), self.sender.clone());
        let list = move || match api.now_playing() {
            Ok(playing) => drop(sender.send(Message::Playing(playing.games))),
            Err(error) => warn!("cannot list the running games: {error}"),
        };
        thread::Builder::new().name("running games".into()).spawn(list)?;
        Ok(())
    }

    fn read_events(&self) -> Result<(), BotError> {
        let (api, sender, renew) = (self.api.clone(), self.sender.clone(), self.config.network.renew.into());
        thread::Builder::new().name("events".into()).spawn(move || read_events(&api, &sender, renew))?;
        Ok(())
    }
}

/// Reads the event stream for ever, one connection after the other.
fn read_events(api: &Api, sender: &Sender<Message>, renew: Duration) {
    let (mut pauses, mut rate_pauses, mut refusals) = (api.backoff(), api.rate_backoff(), 0);
    let mut was_lost = false;
    loop {
        let error = match api.events() {
            Ok(stream) => {
                refusals = 0;
                if std::mem::take(&mut was_lost) {
                    info!("event stream: connected again");
                }
                if sender.send(Message::Connected).is_err() {
                    return;
                }
                let until = Instant::now() + renew;
                let end = forward_events(stream, sender, until, || {
                    pauses.reset();
                    rate_pauses.reset();
                });
                match end {
                    StreamEnd::Due => continue,
                    StreamEnd::Lost(reason) => HttpError::Temporary(reason),
                }
            }
            Err(error) => error,
        };
        if let HttpError::Unauthorized(reason) = &error {
            refusals += 1;
            if refusals >= REFUSALS {
                let _ = sender.send(Message::Unauthorized(reason.clone()));
                return;
            }
        }
        let pause = match &error {
            HttpError::TooMany(asked) => asked.unwrap_or_else(|| rate_pauses.pause()),
            _ => pauses.pause(),
        };
        was_lost = true;
        warn!("event stream: {error}; connecting again in {:.1} s", pause.as_secs_f64());
        thread::sleep(pause);
    }
}

enum StreamEnd {
    /// It is time for a new one.
    Due,
    Lost(String),
}

fn forward_events(
    mut stream: Stream,
    sender: &Sender<Message>,
    until: Instant,
    mut on_life: impl FnMut(),
) -> StreamEnd {
    loop {
        match stream.next_line() {
            Ok(Some(Line::Value(value))) => match Event::read(&value) {
                Ok(event) => drop(sender.send(Message::Event(event))),
                Err(unexpected) => warn!("an odd event: {}", unexpected.0),
            },
            Ok(Some(Line::KeepAlive)) => on_life(),
            Ok(Some(Line::Garbage(text))) => warn!("garbage in the event stream: {text}"),
            Ok(None) => return StreamEnd::Lost("the stream ended".into()),
            Err(error) => return StreamEnd::Lost(format!("the stream broke: {error}")),
        }
        // A blank line comes every few seconds.
        if Instant::now() >= until {
            return StreamEnd::Due;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Http;
    use crate::token::Token;
    use serde_json::json;

    #[test]
    fn a_challenge_that_never_became_a_game_is_answered_again() {
        let Some(long_ago) = Instant::now().checked_sub(Duration::from_mins(1)) else { return };
        let (config, token) = (Config::default(), Token::new("token").expect("a word"));
        // Nobody serves it: what comes of the answer does not matter.
        let api = Api::new(Http::new("http://127.0.0.1:9", token, &config.network), config.network.clone());
        let account = json!({"id": "ollehto", "username": "Ollehto", "title": "BOT"});
        let account = serde_json::from_value(account).expect("an account");
        let mut bot = Bot::new(api, Arc::new(config), account).expect("it can play");
        let challenge: Box<Challenge> = serde_json::from_value(json!({
            "id": "abcd1234",
            "challenger": {"id": "ann", "name": "Ann"},
            "variant": {"key": "antiflipello"},
            "rated": true,
            "speed": "blitz",
            "timeControl": {"type": "clock", "limit": 180, "increment": 2, "show": "3+2"},
        }))
        .expect("a challenge");
        let id = challenge.id.clone();
        bot.accepted.insert(id.clone(), (long_ago, "ann".into()));
        bot.answer(challenge).expect("there is a thread");
        assert!(bot.accepted.get(&id).is_some_and(|&(since, _)| since > long_ago));
    }
}
