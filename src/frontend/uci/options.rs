//! Options that `setoption` changes.

use std::fmt::Display;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::time::Duration;

use ollehto_protocol::setting::{ELO, HASH_MIB, Setting, SettingName, THREADS, parse_setting};

use crate::board::Size;
use crate::frontend::session::Session;
use crate::notation::uci::Variant;
use crate::search::Elo;

use super::Uci;

/// What `MultiPV` takes: more moves than any position has.
const LINES: RangeInclusive<usize> = 1..=64;

/// Milliseconds.
const OVERHEAD: RangeInclusive<u64> = 0..=5000;

/// Unless the command line names a rating.
const DEFAULT_ELO: u16 = 1500;

/// `Skill Level`, as Fairy-Stockfish has it; the highest is full strength.
const SKILL: RangeInclusive<i32> = -20..=20;

/// The skill with the lowest rating. Servers give it to the weakest of their levels.
const LOWEST_SKILL: i32 = -9;

/// What the session does not know.
pub(super) struct Options {
    pub(super) variant: Variant,
    pub(super) lines: usize,
    /// Neither book nor limited strength.
    pub(super) analyses: bool,
    pub(super) own_book: bool,
    limits_strength: bool,
    elo: u16,
    /// Counts unless `UCI_LimitStrength` is set.
    skill: i32,
}

impl Options {
    pub(super) fn new(session: &Session) -> Self {
        let rules = session.game.rules();
        let variant = Variant::of(rules, session.game.position().size()).next();
        let elo = session.settings.limits.elo.map(Elo::rating);
        Self {
            variant: variant.or_else(|| Variant::of(rules, Size::Eight).next()).unwrap_or(Variant::ALL[0]),
            lines: 1,
            analyses: false,
            own_book: true,
            limits_strength: elo.is_some(),
            elo: elo.unwrap_or(DEFAULT_ELO),
            skill: *SKILL.end(),
        }
    }

    /// The lines after `uci`.
    pub(super) fn texts(&self, session: &Session) -> Vec<String> {
        let names: Vec<_> = Variant::ALL.iter().map(|variant| format!("var {}", variant.name)).collect();
        let settings = &session.settings;
        vec![
            format!("UCI_Variant type combo default {} {}", self.variant.name, names.join(" ")),
            format!("Threads type spin default {} {}", settings.threads, limits(&THREADS)),
            format!("Hash type spin default {} {}", settings.hash, limits(&HASH_MIB)),
            "Clear Hash type button".into(),
            "Ponder type check default false".into(),
            format!("MultiPV type spin default 1 {}", limits(&LINES)),
            format!("UCI_LimitStrength type check default {}", self.limits_strength),
            format!("UCI_Elo type spin default {} {}", self.elo, limits(&ELO)),
            format!("Skill Level type spin default {} {}", self.skill, limits(&SKILL)),
            "UCI_AnalyseMode type check default false".into(),
            "OwnBook type check default true".into(),
            format!("Move Overhead type spin default 0 {}", limits(&OVERHEAD)),
            "Debug Log File type string default <empty>".into(),
        ]
    }
}

/// As UCI writes them.
fn limits<T: Display>(range: &RangeInclusive<T>) -> String {
    format!("min {} max {}", range.start(), range.end())
}

impl<W: Write> Uci<W> {
    /// Options of other engines are none of ours: clients send them to all.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        let value = value.unwrap_or_default();
        let set = match name.to_ascii_lowercase().as_str() {
            "uci_variant" => self.set_variant(value),
            "threads" => self.apply(SettingName::Threads, value),
            "hash" => self.apply(SettingName::Hash, value),
            "clear hash" => {
                self.session.clear_cache();
                Ok(())
            }
            "multipv" => number(value, LINES).map(|lines| self.options.lines = lines),
            "uci_limitstrength" => switch(value).map(|on| {
                self.options.limits_strength = on;
                self.limit_strength();
            }),
            "uci_elo" => number(value, ELO).map(|elo| {
                self.options.elo = elo;
                self.limit_strength();
            }),
            "skill level" => number(value, SKILL).map(|skill| {
                self.options.skill = skill;
                self.limit_strength();
            }),
            "uci_analysemode" => switch(value).map(|on| self.options.analyses = on),
            "ownbook" => switch(value).map(|on| self.options.own_book = on),
            "move overhead" => number(value, OVERHEAD)
                .map(|milliseconds| self.session.settings.overhead = Duration::from_millis(milliseconds)),
            "debug log file" => {
                let is_none = value.is_empty() || value == "<empty>";
                self.apply(SettingName::Log, if is_none { "off" } else { value })
            }
            _ => Ok(()),
        };
        match set {
            Ok(()) => Ok(()),
            Err(problem) => self.tell(format!("setoption {name}: {problem}")),
        }
    }

    fn apply(&mut self, name: SettingName, value: &str) -> Result<(), String> {
        let setting = parse_setting(name, value.as_bytes()).map_err(|error| error.to_string())?;
        self.session.apply(setting).map_err(|error| error.to_string())
    }

    fn set_variant(&mut self, name: &str) -> Result<(), String> {
        let Some(variant) = Variant::by_name(name) else {
            let names = Variant::ALL.map(|variant| variant.name).join(", ");
            return Err(format!("there is no variant '{name}'; there are {names}"));
        };
        self.options.variant = variant;
        self.begin_game();
        Ok(())
    }

    fn limit_strength(&mut self) {
        let Options { limits_strength, elo, skill, .. } = self.options;
        let elo = if limits_strength { Some(elo) } else { rating(skill) };
        let applied = self.session.apply(Setting::Elo(elo));
        debug_assert!(applied.is_ok(), "the rating is in range");
    }
}

/// None for full strength. The levels between have equal distances.
fn rating(skill: i32) -> Option<u16> {
    let (lowest, highest) = (i32::from(*ELO.start()), i32::from(*ELO.end()));
    let above = skill.max(LOWEST_SKILL) - LOWEST_SKILL;
    let rating = lowest + above * (highest - lowest) / (SKILL.end() - LOWEST_SKILL);
    (skill < *SKILL.end()).then(|| u16::try_from(rating).unwrap_or(*ELO.end()))
}

fn number<T>(value: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + Display,
{
    let wrong =
        || format!("expected a whole number from {} to {}, found '{value}'", range.start(), range.end());
    value.parse().ok().filter(|number| range.contains(number)).ok_or_else(wrong)
}

fn switch(value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("expected true or false, found '{value}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skill_levels_are_ratings() {
        let ratings = [-20, -9, -5, -1, 0, 3, 7, 11, 16, 19].map(|skill| rating(skill).expect("weaker"));
        assert_eq!(ratings, [800, 800, 1131, 1462, 1544, 1793, 2124, 2455, 2868, 3117]);
        assert_eq!(rating(20), None);
    }
}
