//! The site's bot API, one function a route.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::thread;

use log::warn;
use serde::Deserialize;
use serde_json::Value;

use crate::backoff::Backoff;
use crate::challenge::Decline;
use crate::config::Network;
use crate::http::{Http, HttpError, Stream};
use crate::site::{Account, Id, NowPlaying};

/// For requests that nothing else repeats.
const ATTEMPTS: u32 = 6;

#[derive(Clone, Debug)]
pub struct Api {
    http: Http,
    network: Network,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Abort,
    Resign,
    AcceptDraw,
}

impl Command {
    const fn path(self) -> &'static str {
        match self {
            Self::Abort => "abort",
            Self::Resign => "resign",
            Self::AcceptDraw => "draw/yes",
        }
    }
}

impl Api {
    #[must_use]
    pub const fn new(http: Http, network: Network) -> Self {
        Self { http, network }
    }

    /// # Errors
    /// If the site does not answer, or refuses the token.
    pub fn account(&self) -> Result<Account, HttpError> {
        read(self.insist("the account", || self.http.get("/api/account"))?)
    }

    /// Makes the account a bot account, for ever.
    ///
    /// # Errors
    /// If the site refuses, as for an account with games.
    pub fn upgrade(&self) -> Result<(), HttpError> {
        self.http.post("/api/bot/account/upgrade", &[]).map(drop)
    }

    /// # Errors
    /// If the site does not answer.
    pub fn now_playing(&self) -> Result<NowPlaying, HttpError> {
        read(self.insist("the running games", || self.http.get("/api/account/playing?nb=50"))?)
    }

    /// # Errors
    /// If the site does not begin a stream.
    pub fn events(&self) -> Result<Stream, HttpError> {
        self.http.stream("/api/stream/event")
    }

    /// # Errors
    /// If the challenge is gone, or the site does not answer.
    pub fn accept(&self, id: &Id) -> Result<(), HttpError> {
        let path = format!("/api/challenge/{id}/accept");
        self.insist("a challenge", || self.http.post(&path, &[])).map(drop)
    }

    /// # Errors
    /// If the challenge is gone, or the site does not answer.
    pub fn decline(&self, id: &Id, reason: Decline) -> Result<(), HttpError> {
        let path = format!("/api/challenge/{id}/decline");
        self.insist("a challenge", || self.http.post(&path, &[("reason", reason.key())])).map(drop)
    }

    /// # Errors
    /// If the site does not begin a stream.
    pub fn game(&self, id: &Id) -> Result<Stream, HttpError> {
        self.http.stream(&format!("/api/bot/game/stream/{id}"))
    }

    /// One attempt: who repeats it must know the present state of the game.
    ///
    /// # Errors
    /// If the site refuses the move, or does not answer: then it may have taken it.
    pub fn play(&self, id: &Id, uci: &str) -> Result<(), HttpError> {
        self.http.post(&format!("/api/bot/game/{id}/move/{uci}"), &[]).map(drop)
    }

    /// One attempt.
    ///
    /// # Errors
    /// If the site refuses, or does not answer.
    pub fn command(&self, id: &Id, command: Command) -> Result<(), HttpError> {
        self.http.post(&format!("/api/bot/game/{id}/{}", command.path()), &[]).map(drop)
    }

    /// One attempt, so that nothing is said twice.
    ///
    /// # Errors
    /// If the site refuses, or does not answer.
    pub fn chat(&self, id: &Id, text: &str) -> Result<(), HttpError> {
        let form = [("room", "player"), ("text", text)];
        self.http.post(&format!("/api/bot/game/{id}/chat"), &form).map(drop)
    }

    /// Pauses between attempts of one kind.
    #[must_use]
    pub fn backoff(&self) -> Backoff {
        Backoff::new(self.network.first_pause.into(), self.network.longest_pause.into(), chance())
    }

    /// Pauses after "too many requests".
    #[must_use]
    pub fn rate_backoff(&self) -> Backoff {
        let network = &self.network;
        let longest = network.longest_pause.max(network.rate_limit_pause);
        Backoff::new(network.rate_limit_pause.into(), longest.into(), chance())
    }

    /// Repeats a harmless request after temporary errors.
    fn insist(&self, what: &str, request: impl Fn() -> Result<Value, HttpError>) -> Result<Value, HttpError> {
        let (mut backoff, mut rate_backoff) = (self.backoff(), self.rate_backoff());
        for attempt in 1.. {
            let error = match request() {
                Err(error) if error.is_temporary() && attempt < ATTEMPTS => error,
                other => return other,
            };
            let pause = match error {
                HttpError::TooMany(asked) => asked.unwrap_or_else(|| rate_backoff.pause()),
                _ => backoff.pause(),
            };
            warn!("{what}: {error}; trying again in {:.1} s", pause.as_secs_f64());
            thread::sleep(pause);
        }
        unreachable!("the last attempt returns")
    }
}

/// Another number each time, so that games that lose their streams together do not come back together.
fn chance() -> u64 {
    RandomState::new().hash_one(())
}

fn read<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, HttpError> {
    serde_json::from_value(value).map_err(|error| HttpError::Temporary(format!("unexpected answer: {error}")))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::token::Token;

    #[test]
    fn no_two_games_pause_alike() {
        let network = Network::default();
        let token = Token::new("token").expect("a word");
        let api = Api::new(Http::new("http://localhost", token, &network), network);
        let pauses: HashSet<_> =
            (0..8).flat_map(|_| [api.backoff().pause(), api.rate_backoff().pause()]).collect();
        assert_eq!(pauses.len(), 16);
    }
}
