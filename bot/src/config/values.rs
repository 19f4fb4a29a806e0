//! Values of the configuration, checked as they are read, so that an error names their line.

use std::time::Duration;

use ollehto::search::Elo;
use serde::Deserialize;

/// Seconds, with fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "f64")]
pub struct Seconds(Duration);

impl Seconds {
    #[must_use]
    pub const fn new(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    #[must_use]
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(Duration::from_millis(milliseconds))
    }
}

impl TryFrom<f64> for Seconds {
    type Error = &'static str;

    fn try_from(seconds: f64) -> Result<Self, Self::Error> {
        const YEAR: f64 = 366.0 * 86400.0;
        (0.0..=YEAR)
            .contains(&seconds)
            .then(|| Self(Duration::from_secs_f64(seconds)))
            .ok_or("seconds from 0 to a year are expected")
    }
}

impl From<Seconds> for Duration {
    fn from(seconds: Seconds) -> Self {
        seconds.0
    }
}

/// More than none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "f64")]
pub struct PositiveSeconds(Duration);

impl PositiveSeconds {
    /// 0 becomes 1.
    #[must_use]
    pub const fn new(seconds: u64) -> Self {
        Self(Duration::from_secs(if seconds == 0 { 1 } else { seconds }))
    }

    /// 0 becomes 1.
    #[must_use]
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(Duration::from_millis(if milliseconds == 0 { 1 } else { milliseconds }))
    }
}

impl TryFrom<f64> for PositiveSeconds {
    type Error = &'static str;

    fn try_from(seconds: f64) -> Result<Self, Self::Error> {
        let time = Seconds::try_from(seconds).ok().map(Duration::from).filter(|time| !time.is_zero());
        time.map(Self).ok_or("seconds above 0, a year at most, are expected")
    }
}

impl From<PositiveSeconds> for Duration {
    fn from(seconds: PositiveSeconds) -> Self {
        seconds.0
    }
}

/// At least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i64")]
pub struct Positive(u32);

impl Positive {
    /// 0 becomes 1.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(if number == 0 { 1 } else { number })
    }

    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl TryFrom<i64> for Positive {
    type Error = &'static str;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        u32::try_from(number)
            .ok()
            .filter(|number| (1..=65536).contains(number))
            .map(Self)
            .ok_or("a number from 1 to 65536 is expected")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i64")]
pub struct EloRating(Elo);

impl EloRating {
    #[must_use]
    pub const fn elo(self) -> Elo {
        self.0
    }
}

impl TryFrom<i64> for EloRating {
    type Error = String;

    fn try_from(rating: i64) -> Result<Self, Self::Error> {
        let (min, max) = (Elo::MIN.rating(), Elo::MAX.rating());
        let elo = u16::try_from(rating).ok().and_then(Elo::new).map(Self);
        elo.ok_or_else(|| {
            format!("a rating from {min} to {max} is expected; leave `elo` out for full strength")
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i64")]
pub struct Level(u8);

impl Level {
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<i64> for Level {
    type Error = &'static str;

    fn try_from(level: i64) -> Result<Self, Self::Error> {
        u8::try_from(level)
            .ok()
            .filter(|level| (1..=60).contains(level))
            .map(Self)
            .ok_or("a number from 1 to 60 is expected")
    }
}

/// A line of chat. Empty: nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ChatText(String);

impl ChatText {
    /// With the opponent's name, cut to what the site takes.
    #[must_use]
    pub fn to(&self, opponent: &str) -> Option<String> {
        let text: String = self.0.replace("{opponent}", opponent).chars().take(LONGEST_CHAT).collect();
        (!text.is_empty()).then_some(text)
    }
}

/// What the site takes, in characters.
const LONGEST_CHAT: usize = 140;

impl TryFrom<String> for ChatText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.chars().count() {
            0..=LONGEST_CHAT => Ok(Self(text)),
            length => Err(format!("at most {LONGEST_CHAT} characters are possible, not {length}")),
        }
    }
}
