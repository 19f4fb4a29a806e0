//! The configuration file.

mod values;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ollehto::rules::Rules;
use ollehto::search::Limits;
use serde::Deserialize;
use thiserror::Error;

pub use values::{ChatText, EloRating, Level, Positive, PositiveSeconds, Seconds};

/// Where games are played unless told otherwise.
pub const SITE: &str = "https://playstrategy.org";

/// A configuration with every key, its default and what it means.
pub const EXAMPLE: &str = include_str!("../../example.toml");

#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("cannot read the configuration {}: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("the configuration {} is wrong: {error}", path.display())]
    Wrong { path: PathBuf, error: Box<toml::de::Error> },
    #[error(
        "`{url}` would send the token unencrypted: https:// is needed, or http:// to this very computer (localhost)"
    )]
    Unencrypted { url: String },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub url: String,
    /// Relative to the configuration file.
    pub token_file: Option<PathBuf>,
    pub on_interrupt: OnInterrupt,
    pub challenges: Challenges,
    pub strength: Strength,
    pub chat: Chat,
    pub game: GamePolicy,
    pub network: Network,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            url: SITE.to_owned(),
            token_file: None,
            on_interrupt: OnInterrupt::default(),
            challenges: Challenges::default(),
            strength: Strength::default(),
            chat: Chat::default(),
            game: GamePolicy::default(),
            network: Network::default(),
        }
    }
}

/// What the first Ctrl-C does. The second one always leaves at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnInterrupt {
    /// Plays running games to their end and accepts no others.
    #[default]
    Finish,
    /// Games go on at the site; the next start resumes them.
    Leave,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    AntiFlipello,
    Flipello,
}

impl Variant {
    /// By the site's key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        match key {
            "antiflipello" => Some(Self::AntiFlipello),
            "flipello" => Some(Self::Flipello),
            _ => None,
        }
    }

    #[must_use]
    pub const fn rules(self) -> Rules {
        match self {
            Self::AntiFlipello => Rules::Reversed,
            Self::Flipello => Rules::Standard,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockKind {
    Fischer,
    Bronstein,
    Delay,
    ByoYomi,
    /// Days for a move.
    Correspondence,
    Unlimited,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Challenges {
    pub variants: Vec<Variant>,
    pub clocks: Vec<ClockKind>,
    pub rated: bool,
    pub casual: bool,
    pub humans: bool,
    pub bots: bool,
    pub anonymous: bool,
    pub rematches: bool,
    pub max_games: Positive,
    pub max_games_with_one: Positive,
    /// Main time.
    pub min_initial: Seconds,
    pub max_initial: Seconds,
    /// Increment, delay or byo-yomi period.
    pub min_increment: Seconds,
    pub max_increment: Seconds,
    pub min_rating: u16,
    pub max_rating: u16,
    /// If not empty, nobody else.
    pub allow: Vec<String>,
    pub block: Vec<String>,
}

impl Default for Challenges {
    fn default() -> Self {
        use ClockKind::{Bronstein, ByoYomi, Delay, Fischer};
        Self {
            variants: vec![Variant::AntiFlipello, Variant::Flipello],
            clocks: vec![Fischer, Bronstein, Delay, ByoYomi],
            rated: true,
            casual: true,
            humans: true,
            bots: true,
            anonymous: true,
            rematches: true,
            max_games: Positive::new(4),
            max_games_with_one: Positive::new(1),
            min_initial: Seconds::new(30),
            max_initial: Seconds::new(3600),
            min_increment: Seconds::new(0),
            max_increment: Seconds::new(60),
            min_rating: 0,
            max_rating: u16::MAX,
            allow: Vec::new(),
            block: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Strength {
    pub elo: Option<EloRating>,
    pub level: Option<Level>,
    pub depth: Option<Level>,
    pub nodes: Option<u64>,
    /// The longest for a move.
    pub time: Option<Seconds>,
    /// The longest for a move of a game without a clock.
    pub time_without_clock: Seconds,
    /// For each game.
    pub threads: Positive,
    /// In MiB, for each game.
    pub hash: Positive,
    pub ponder: bool,
    pub book: bool,
}

impl Default for Strength {
    fn default() -> Self {
        Self {
            elo: None,
            level: None,
            depth: None,
            nodes: None,
            time: None,
            time_without_clock: Seconds::new(5),
            threads: Positive::new(1),
            hash: Positive::new(64),
            ponder: false,
            book: true,
        }
    }
}

impl Strength {
    /// All but the clock.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth.map(Level::get),
            nodes: self.nodes,
            level: self.level.map(Level::get),
            elo: self.elo.map(EloRating::elo),
            time: self.time.map(Duration::from),
            clock: None,
        }
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Chat {
    pub greeting: ChatText,
    pub goodbye: ChatText,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GamePolicy {
    /// How long the opponent may wait with the first move.
    pub abort_after: Seconds,
    /// Resigns after so many own moves in a row that lose for certain. 0: never.
    pub resign_after: u8,
    /// Resigns only if it loses by at least so many discs.
    pub resign_margin: u8,
    /// Accepts a draw that is the best result for certain.
    pub accept_draws: bool,
}

impl Default for GamePolicy {
    fn default() -> Self {
        Self { abort_after: Seconds::new(60), resign_after: 0, resign_margin: 1, accept_draws: true }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Network {
    /// For the answer to a request, and for the beginning of a stream.
    pub timeout: PositiveSeconds,
    /// A stream without a sign of life for so long is dead. The site sends one every 6 s.
    pub silence: PositiveSeconds,
    /// Between attempts: the first pause and the longest.
    pub first_pause: PositiveSeconds,
    pub longest_pause: PositiveSeconds,
    /// The first pause if the site says "too many requests" and not for how long.
    pub rate_limit_pause: PositiveSeconds,
    /// Kept back on the clock for the way of each move.
    pub reserve: Seconds,
    /// How soon the stream must show a move that the site has accepted.
    pub confirm: PositiveSeconds,
    /// How often running games and the list of them are read again without need.
    pub refresh: PositiveSeconds,
    /// How often the event stream is opened anew without need.
    pub renew: PositiveSeconds,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            timeout: PositiveSeconds::new(15),
            silence: PositiveSeconds::new(20),
            first_pause: PositiveSeconds::from_millis(500),
            longest_pause: PositiveSeconds::new(60),
            rate_limit_pause: PositiveSeconds::new(5),
            reserve: Seconds::from_millis(300),
            confirm: PositiveSeconds::new(5),
            refresh: PositiveSeconds::new(60),
            renew: PositiveSeconds::new(300),
        }
    }
}

impl Config {
    /// # Errors
    /// If the file cannot be read, or a key or value is wrong: the error names it and its line.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
        Self::parse(path, &text)
    }

    /// The configuration of a text; the path is for messages and relative paths.
    ///
    /// # Errors
    /// If a key or value is wrong: the error names it and its line.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let mut config: Self = toml::from_str(text)
            .map_err(|error| ConfigError::Wrong { path: path.to_owned(), error: Box::new(error) })?;
        config.token_file = config.token_file.map(|file| path.parent().unwrap_or(Path::new("")).join(file));
        Ok(config)
    }

    /// The address of the site without a slash at its end.
    ///
    /// # Errors
    /// If the token would travel in the open.
    pub fn site(&self) -> Result<&str, ConfigError> {
        // In http://localhost:x@example.org the host comes last, after a user.
        let authority = self.url.strip_prefix("http://").and_then(|rest| rest.split(['/', '?', '#']).next());
        let is_local = authority.is_some_and(|authority| {
            let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
            matches!(host, "localhost" | "127.0.0.1") && port.bytes().all(|byte| byte.is_ascii_digit())
        });
        let is_safe = is_local || self.url.starts_with("https://");
        let unencrypted = || ConfigError::Unencrypted { url: self.url.clone() };
        is_safe.then(|| self.url.trim_end_matches('/')).ok_or_else(unencrypted)
    }
}

#[cfg(test)]
mod tests;
