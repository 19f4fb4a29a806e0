//! The engine's options, which GTP and NBoard can set.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use nom::combinator;

use crate::error::TextError;
use crate::number::{decimal, to_duration};
use crate::text::{self, GrammarError, Parsed};

pub const THREADS: RangeInclusive<u32> = 1..=256;
/// The ratings that were measured.
pub const ELO: RangeInclusive<u16> = 800..=3200;
pub const HASH_MIB: RangeInclusive<u32> = 1..=65_536;
/// A game has 60 moves: no search goes deeper and no level is higher.
pub(crate) const PLIES: RangeInclusive<u8> = 1..=60;

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum RulesName {
    Reversed,
    Standard,
}

impl fmt::Display for RulesName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            RulesName::Reversed => "reversed",
            RulesName::Standard => "standard",
        })
    }
}

#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum BookName {
    Off,
    /// Built into the program.
    Shipped,
    File(String),
}

impl fmt::Display for BookName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            BookName::Off => "off",
            BookName::Shipped => "on",
            BookName::File(file) => file,
        })
    }
}

/// An option with its value. `None` takes a limit or a file away.
///
/// Displays as the value alone, in the form that [`parse_setting`] reads.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Setting {
    Rules(RulesName),
    /// The edge of the board: 4, 6 or 8.
    Size(u8),
    Threads(u32),
    /// Transposition table, in MiB.
    Hash(u32),
    /// In plies.
    Depth(Option<u8>),
    Nodes(Option<u64>),
    Level(Option<u8>),
    /// The strength of the moves that are played.
    Elo(Option<u16>),
    /// For each move.
    Time(Option<Duration>),
    Ponder(bool),
    Book(BookName),
    /// What a move from the book may lose against the best one, in hundredths of a disc.
    Variety(u16),
    Log(Option<String>),
}

impl Setting {
    pub fn name(&self) -> SettingName {
        match self {
            Setting::Rules(_) => SettingName::Rules,
            Setting::Size(_) => SettingName::Size,
            Setting::Threads(_) => SettingName::Threads,
            Setting::Hash(_) => SettingName::Hash,
            Setting::Depth(_) => SettingName::Depth,
            Setting::Nodes(_) => SettingName::Nodes,
            Setting::Level(_) => SettingName::Level,
            Setting::Elo(_) => SettingName::Elo,
            Setting::Time(_) => SettingName::Time,
            Setting::Ponder(_) => SettingName::Ponder,
            Setting::Book(_) => SettingName::Book,
            Setting::Variety(_) => SettingName::Variety,
            Setting::Log(_) => SettingName::Log,
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Rules(rules) => rules.fmt(f),
            Setting::Size(size) => size.fmt(f),
            Setting::Threads(threads) => threads.fmt(f),
            Setting::Hash(mib) => mib.fmt(f),
            Setting::Depth(limit) | Setting::Level(limit) => or_off(limit.as_ref(), f),
            Setting::Nodes(limit) => or_off(limit.as_ref(), f),
            Setting::Elo(limit) => or_off(limit.as_ref(), f),
            Setting::Time(limit) => or_off(limit.map(|time| time.as_secs_f64()).as_ref(), f),
            Setting::Ponder(on) => f.write_str(if *on { "on" } else { "off" }),
            Setting::Book(book) => book.fmt(f),
            Setting::Variety(hundredths) => (f64::from(*hundredths) / 100.0).fmt(f),
            Setting::Log(file) => or_off(file.as_ref(), f),
        }
    }
}

fn or_off(value: Option<&impl fmt::Display>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Some(value) => value.fmt(f),
        None => f.write_str("off"),
    }
}

#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum SettingName {
    Rules,
    Size,
    Threads,
    Hash,
    Depth,
    Nodes,
    Level,
    Elo,
    Time,
    Ponder,
    Book,
    Variety,
    Log,
}

impl SettingName {
    pub const ALL: [SettingName; 13] = [
        SettingName::Rules,
        SettingName::Size,
        SettingName::Threads,
        SettingName::Hash,
        SettingName::Depth,
        SettingName::Nodes,
        SettingName::Level,
        SettingName::Elo,
        SettingName::Time,
        SettingName::Ponder,
        SettingName::Book,
        SettingName::Variety,
        SettingName::Log,
    ];

    pub fn parse(name: &str) -> Option<SettingName> {
        SettingName::ALL.into_iter().find(|option| option.as_str() == name)
    }

    /// Rules and size.
    ///
    /// GoGui asks a second copy of the engine for the rules, and a settings dialog reaches only the first: there these
    /// options must be on the command line, which both copies get.
    pub fn decides_the_game(self) -> bool {
        matches!(self, SettingName::Rules | SettingName::Size)
    }

    /// The values that the option takes, in words.
    pub fn accepted(self) -> &'static str {
        match self {
            SettingName::Rules => "reversed or standard",
            SettingName::Size => "4, 6 or 8",
            SettingName::Threads => "a whole number from 1 to 256",
            SettingName::Hash => "a whole number of MiB from 1 to 65536",
            SettingName::Depth | SettingName::Level => "a whole number from 1 to 60, or off",
            SettingName::Elo => "a whole number from 800 to 3200, or off",
            SettingName::Nodes => "a whole number from 1, or off",
            SettingName::Time => "a number of seconds above 0, or off",
            SettingName::Ponder => "on or off",
            SettingName::Book => "on, off or a file name",
            SettingName::Variety => "a number of discs from 0 to 64",
            SettingName::Log => "a file name, or off",
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            SettingName::Rules => "rules",
            SettingName::Size => "size",
            SettingName::Threads => "threads",
            SettingName::Hash => "hash",
            SettingName::Depth => "depth",
            SettingName::Nodes => "nodes",
            SettingName::Level => "level",
            SettingName::Elo => "elo",
            SettingName::Time => "time",
            SettingName::Ponder => "ponder",
            SettingName::Book => "book",
            SettingName::Variety => "variety",
            SettingName::Log => "log",
        }
    }
}

impl fmt::Display for SettingName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Reads the value of an option.
pub fn parse_setting(name: SettingName, value: &[u8]) -> Result<Setting, TextError> {
    let text = text::clean(value);
    text::read_all(&text, &text, setting(name))
}

/// Reads the rest of a text as the value of an option.
pub(crate) fn setting<'a>(name: SettingName) -> impl Fn(&'a str) -> Parsed<'a, Setting> {
    move |input| {
        // A file name may contain blanks; every other value is one word.
        let is_file = matches!(name, SettingName::Book | SettingName::Log);
        let (rest, value) = if is_file { combinator::rest(input)? } else { text::word(input)? };
        match read_value(name, value) {
            Some(setting) => Ok((rest, setting)),
            None => Err(GrammarError::bad_value(input, name.as_str(), name.accepted())),
        }
    }
}

fn read_value(name: SettingName, value: &str) -> Option<Setting> {
    match name {
        SettingName::Rules => read_rules(value).map(Setting::Rules),
        SettingName::Size => within(value, 4..=8).filter(|size| size % 2 == 0).map(Setting::Size),
        SettingName::Threads => within(value, THREADS).map(Setting::Threads),
        SettingName::Hash => within(value, HASH_MIB).map(Setting::Hash),
        SettingName::Depth => unless_off(value, |value| within(value, PLIES)).map(Setting::Depth),
        SettingName::Nodes => unless_off(value, |value| within(value, 1..=u64::MAX)).map(Setting::Nodes),
        SettingName::Level => unless_off(value, |value| within(value, PLIES)).map(Setting::Level),
        SettingName::Elo => unless_off(value, |value| within(value, ELO)).map(Setting::Elo),
        SettingName::Time => unless_off(value, read_time).map(Setting::Time),
        SettingName::Ponder => read_switch(value).map(Setting::Ponder),
        SettingName::Book => read_book(value).map(Setting::Book),
        SettingName::Variety => read_variety(value).map(Setting::Variety),
        SettingName::Log => unless_off(value, read_file).map(Setting::Log),
    }
}

fn is_one_of(value: &str, words: &[&str]) -> bool {
    words.iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn unless_off<T>(value: &str, read: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    if is_one_of(value, &["off", "none"]) { Some(None) } else { read(value).map(Some) }
}

fn within<T: FromStr + PartialOrd>(value: &str, range: RangeInclusive<T>) -> Option<T> {
    value.parse().ok().filter(|number| range.contains(number))
}

fn read_rules(value: &str) -> Option<RulesName> {
    // The second word of each pair is what other programs call the same rules.
    if is_one_of(value, &["reversed", "anti"]) {
        Some(RulesName::Reversed)
    } else if is_one_of(value, &["standard", "normal"]) {
        Some(RulesName::Standard)
    } else {
        None
    }
}

fn read_switch(value: &str) -> Option<bool> {
    if is_one_of(value, &["on", "1", "true"]) {
        Some(true)
    } else if is_one_of(value, &["off", "0", "false"]) {
        Some(false)
    } else {
        None
    }
}

fn read_time(value: &str) -> Option<Duration> {
    decimal(value).and_then(to_duration).filter(|time| !time.is_zero())
}

fn read_book(value: &str) -> Option<BookName> {
    match read_switch(value) {
        Some(true) => Some(BookName::Shipped),
        Some(false) => Some(BookName::Off),
        None if is_one_of(value, &["none"]) => Some(BookName::Off),
        None => read_file(value).map(BookName::File),
    }
}

fn read_variety(value: &str) -> Option<u16> {
    decimal(value).filter(|discs| (0.0..=64.0).contains(discs)).map(|discs| (discs * 100.0).round() as u16)
}

fn read_file(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: SettingName, value: &str) -> Option<Setting> {
        parse_setting(name, value.as_bytes()).ok()
    }

    #[test]
    fn names_read_back_and_are_lower_case() {
        for name in SettingName::ALL {
            assert_eq!(SettingName::parse(&name.to_string()), Some(name));
        }
        assert_eq!(SettingName::parse("Rules"), None);
        assert_eq!(SettingName::parse(""), None);
    }

    #[test]
    fn ranges_hold_at_their_ends() {
        use SettingName as Name;
        let table: [(Name, &[&str], &[&str]); 13] = [
            (Name::Rules, &["reversed", "Standard", "anti", "normal"], &["", "othello", "reversed x"]),
            (Name::Size, &["4", "6", "8"], &["", "3", "5", "7", "9", "10", "8x8"]),
            (Name::Threads, &["1", "256"], &["0", "257", "-1", "off", "1.5"]),
            (Name::Hash, &["1", "65536"], &["0", "65537", "none", "16M"]),
            (Name::Depth, &["1", "60", "off", "none", "OFF"], &["0", "61", "256", ""]),
            (Name::Nodes, &["1", "18446744073709551615", "off"], &["0", "18446744073709551616", "-5"]),
            (Name::Level, &["1", "60", "off"], &["0", "61", "x"]),
            (Name::Elo, &["800", "1234", "3200", "off"], &["0", "799", "3201", "-1000", "strong"]),
            (
                Name::Time,
                &["0.001", "5", "1e3", ".5", "off"],
                &["0", "-1", "inf", "nan", "1e300", "1e-30", "5s"],
            ),
            (Name::Ponder, &["on", "off", "1", "0", "true", "False"], &["", "yes", "2"]),
            (Name::Book, &["on", "off", "none", "1", "false", "my opening.book"], &["", "  "]),
            (Name::Variety, &["0", "0.5", ".25", "64"], &["", "-0.1", "64.1", "nan", "much", "off"]),
            (Name::Log, &["off", "none", "game.log", "a file.log"], &["", "  "]),
        ];
        for (name, good, bad) in table {
            for value in good {
                let setting = read(name, value).unwrap_or_else(|| panic!("{name} {value}"));
                assert_eq!(setting.name(), name);
                assert_eq!(read(name, &setting.to_string()), Some(setting), "{name} {value}");
            }
            for value in bad {
                assert_eq!(read(name, value), None, "{name} {value}");
            }
        }
    }

    #[test]
    fn values_print_as_people_write_them() {
        let time = Setting::Time(Some(Duration::from_millis(1500)));
        assert_eq!(time.to_string(), "1.5");
        assert_eq!(Setting::Depth(None).to_string(), "off");
        assert_eq!(Setting::Ponder(true).to_string(), "on");
        assert_eq!(Setting::Rules(RulesName::Reversed).to_string(), "reversed");
        assert_eq!(Setting::Log(Some("a b".to_owned())).to_string(), "a b");
        assert_eq!(Setting::Book(BookName::Shipped).to_string(), "on");
        assert_eq!(Setting::Book(BookName::File("a b".to_owned())).to_string(), "a b");
        assert_eq!(Setting::Variety(50).to_string(), "0.5");
        assert_eq!(Setting::Variety(200).to_string(), "2");
    }

    #[test]
    fn errors_name_the_option_and_its_range() {
        let error = parse_setting(SettingName::Depth, b"99").unwrap_err();
        assert_eq!(
            error.to_string(),
            "depth takes a whole number from 1 to 60, or off, found '99' at column 1"
        );
        let error = parse_setting(SettingName::Hash, b" \r\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "hash takes a whole number of MiB from 1 to 65536, found nothing at column 1"
        );
        let error = parse_setting(SettingName::Hash, b"16 MiB").unwrap_err();
        assert_eq!(error.to_string(), "expected nothing more at column 4, found 'MiB'");
    }
}
