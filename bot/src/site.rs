//! What the site sends. The table in `docs/bot.md` names the source of each field.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

/// Eight characters that are safe in an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Id(String);

impl TryFrom<String> for Id {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let fits = (1..=16).contains(&text.len()) && text.bytes().all(is_safe);
        fits.then_some(Self(text)).ok_or("no identifier")
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Account {
    pub id: String,
    pub username: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub closed: bool,
}

impl Account {
    #[must_use]
    pub fn is_bot(&self) -> bool {
        self.title.as_deref() == Some("BOT")
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct User {
    pub id: String,
    pub name: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub rating: Option<i32>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct VariantName {
    pub key: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Challenge {
    pub id: Id,
    #[serde(default)]
    pub challenger: Option<User>,
    #[serde(default)]
    pub dest_user: Option<User>,
    pub variant: VariantName,
    pub rated: bool,
    #[serde(default)]
    pub speed: String,
    pub time_control: ChallengeClock,
    #[serde(default)]
    pub initial_fen: Option<String>,
}

/// In seconds. Only `show` tells the kinds of clocks apart.
#[derive(Clone, Debug, Deserialize)]
pub struct ChallengeClock {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub limit: u64,
    #[serde(default)]
    pub increment: u64,
    #[serde(default)]
    pub show: String,
}

/// A running game in a list or an event.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GamePreview {
    #[serde(alias = "id")]
    pub game_id: Id,
    pub variant: VariantName,
    #[serde(default)]
    pub compat: Option<Compat>,
    #[serde(default)]
    pub opponent: Option<Opponent>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Compat {
    pub bot: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Opponent {
    #[serde(default)]
    pub id: Option<String>,
    pub username: String,
}

#[derive(Clone, Debug)]
pub enum Event {
    GameStart(GamePreview),
    GameFinish(GamePreview),
    Challenge(Box<Challenge>),
    /// Declined or taken back.
    ChallengeGone(Id),
    /// Of a kind that needs no reaction.
    Other,
}

/// What a line should be but is not.
#[derive(Debug)]
pub struct Unexpected(pub String);

impl Event {
    /// # Errors
    /// If a known event lacks what it needs.
    pub fn read(value: &Value) -> Result<Self, Unexpected> {
        let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
        match kind {
            "gameStart" => game(value).map(Self::GameStart),
            "gameFinish" => game(value).map(Self::GameFinish),
            "challenge" => part(value, "challenge").map(|challenge| Self::Challenge(Box::new(challenge))),
            "challengeDeclined" | "challengeCanceled" => {
                part(value, "challenge").map(|challenge: Challenge| Self::ChallengeGone(challenge.id))
            }
            _ => Ok(Self::Other),
        }
    }
}

/// The event repeats the identifier under two names, which a list of games does not.
fn game(value: &Value) -> Result<GamePreview, Unexpected> {
    let mut game = value.get("game").cloned().unwrap_or_default();
    if let Some(fields) = game.as_object_mut()
        && fields.contains_key("gameId")
    {
        fields.remove("id");
    }
    serde_json::from_value(game).map_err(|error| Unexpected(error.to_string()))
}

fn part<T: for<'de> Deserialize<'de>>(value: &Value, name: &str) -> Result<T, Unexpected> {
    T::deserialize(value.get(name).unwrap_or(&Value::Null)).map_err(|error| Unexpected(error.to_string()))
}

#[derive(Clone, Debug, Deserialize)]
pub struct NowPlaying {
    #[serde(rename = "nowPlaying")]
    pub games: Vec<GamePreview>,
}

/// In milliseconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameClock {
    pub clock_type: String,
    #[serde(default)]
    pub increment: u64,
    #[serde(default)]
    pub delay: u64,
    #[serde(default)]
    pub byoyomi: u64,
    #[serde(default)]
    pub periods: u32,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct GamePlayer {
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default)]
    pub name: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameFull {
    pub variant: VariantName,
    #[serde(default)]
    pub clock: Option<GameClock>,
    pub p1: GamePlayer,
    pub p2: GamePlayer,
    #[serde(default = "startpos")]
    pub initial_fen: String,
    pub state: GameState,
}

fn startpos() -> String {
    "startpos".to_owned()
}

/// `w` is the first player, `b` the second one.
#[derive(Clone, Debug, Deserialize)]
pub struct GameState {
    pub moves: String,
    #[serde(default, rename = "activeplayer")]
    pub active_player: Option<String>,
    /// In milliseconds; without a clock the largest number of 32 bits.
    pub wtime: u64,
    pub btime: u64,
    #[serde(default)]
    pub wdraw: bool,
    #[serde(default)]
    pub bdraw: bool,
    pub status: String,
    #[serde(default)]
    pub abortable: bool,
    #[serde(default)]
    pub winner: Option<String>,
}

impl GameState {
    #[must_use]
    pub fn is_running(&self) -> bool {
        matches!(self.status.as_str(), "created" | "started")
    }
}

#[derive(Clone, Debug)]
pub enum GameLine {
    Full(Box<GameFull>),
    State(GameState),
    /// Chat, and whatever may come.
    Other,
}

impl GameLine {
    /// # Errors
    /// If a known line lacks what it needs.
    pub fn read(value: &Value) -> Result<Self, Unexpected> {
        let unexpected = |error: serde_json::Error| Unexpected(error.to_string());
        match value.get("type").and_then(Value::as_str).unwrap_or_default() {
            "gameFull" => {
                GameFull::deserialize(value).map(|full| Self::Full(Box::new(full))).map_err(unexpected)
            }
            "gameState" => GameState::deserialize(value).map(Self::State).map_err(unexpected),
            _ => Ok(Self::Other),
        }
    }
}
