//! How strong the opponent plays.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::search::{Elo, Limits};

/// The tightest limit decides; without any it is full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    pub elo: Option<Elo>,
    /// As in [`Limits::level`].
    pub level: Option<u8>,
    /// For each move.
    pub time: Option<Duration>,
}

/// The longest that a player with a rating thinks about a move: people wait for it.
const PATIENCE: Duration = Duration::from_secs(5);

impl Default for Strength {
    /// A casual player: a person may win.
    fn default() -> Self {
        Self::elo(1400)
    }
}

impl Strength {
    pub const FULL: Self = Self { elo: None, level: None, time: None };

    /// Those of the start menu, with names for people.
    #[must_use]
    pub fn choices() -> [(&'static str, Self); 8] {
        [
            ("beginner", Self::elo(800)),
            ("novice", Self::elo(1100)),
            ("casual", Self::elo(1400)),
            ("club player", Self::elo(1700)),
            ("strong", Self::elo(2000)),
            ("expert", Self::elo(2300)),
            ("master", Self::elo(2600)),
            ("the strongest", Self::FULL),
        ]
    }

    /// Full strength outside of the range of ratings.
    fn elo(rating: u16) -> Self {
        Self { elo: Elo::new(rating), ..Self::FULL }
    }

    #[must_use]
    pub const fn level(level: u8) -> Self {
        Self { level: Some(level), ..Self::FULL }
    }

    /// The limits of a search, without those of a game clock.
    #[must_use]
    pub fn limits(self) -> Limits {
        let patience = self.elo.map(|_| PATIENCE);
        Limits { elo: self.elo, level: self.level, time: self.time.or(patience), ..Limits::default() }
    }
}

const FULL: &str = "full strength";
const ELO: &str = "Elo ";
const LEVEL: &str = "level ";
const TIME: &str = " s a move";

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.elo.map(|elo| format!("{ELO}{}", elo.rating())),
            self.level.map(|level| format!("{LEVEL}{level}")),
            self.time.map(|time| format!("{}{TIME}", time.as_secs_f64())),
        ];
        match parts.into_iter().flatten().collect::<Vec<_>>().join(", ") {
            limits if limits.is_empty() => f.pad(FULL),
            limits => f.pad(&limits),
        }
    }
}

/// No strength is written like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownStrength;

/// Reads what [`Display`](fmt::Display) writes: records name the engine with its strength.
impl FromStr for Strength {
    type Err = UnknownStrength;

    fn from_str(text: &str) -> Result<Self, UnknownStrength> {
        let mut strength = Self::FULL;
        for part in text.split(", ").filter(|&part| part != FULL) {
            if let Some(rating) = part.strip_prefix(ELO) {
                let elo = rating.parse().ok().and_then(Elo::new);
                strength.elo = Some(elo.ok_or(UnknownStrength)?);
            } else if let Some(level) = part.strip_prefix(LEVEL) {
                strength.level = Some(level.parse().map_err(|_| UnknownStrength)?);
            } else {
                let seconds = part.strip_suffix(TIME).and_then(|seconds| seconds.parse().ok());
                let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                strength.time = Some(time.ok_or(UnknownStrength)?);
            }
        }
        Ok(strength)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strengths_read_back() {
        let timed = Strength { time: Some(Duration::from_millis(1500)), ..Strength::FULL };
        let both = Strength { level: Some(7), ..timed };
        for strength in Strength::choices().map(|(_, strength)| strength).into_iter().chain([timed, both]) {
            assert_eq!(strength.to_string().parse(), Ok(strength));
        }
        assert_eq!(Strength::choices().iter().filter(|(_, choice)| choice.elo.is_none()).count(), 1);
        for text in ["", "level", "level x", "Elo 100", "fast", "nan s a move"] {
            assert_eq!(text.parse::<Strength>(), Err(UnknownStrength), "{text:?}");
        }
    }
}
