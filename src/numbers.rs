//! Numbers that users write, on the command line and in player options. Options that a client can set too have the
//! ranges of the protocol.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::str::FromStr;
use std::time::Duration;

use ollehto_protocol::setting::{Setting, SettingName, parse_setting};

use crate::search::Elo;

/// In seconds: more than eleven days.
const LONGEST: f64 = 1e6;

/// Parses the value of a protocol option; `off` is not accepted.
fn read<T>(name: SettingName, text: &str, value: fn(Setting) -> Option<T>) -> Result<T, String> {
    let read = parse_setting(name, text.as_bytes()).ok().and_then(value);
    read.ok_or_else(|| format!("{name} takes {}, not '{text}'", name.accepted().trim_end_matches(", or off")))
}

/// # Errors
/// Outside the range of the protocol option, as for all functions here.
pub(crate) fn threads(text: &str) -> Result<u32, String> {
    read(SettingName::Threads, text, |setting| match setting {
        Setting::Threads(threads) => Some(threads),
        _ => None,
    })
}

/// In MiB.
pub(crate) fn hash(text: &str) -> Result<u32, String> {
    read(SettingName::Hash, text, |setting| match setting {
        Setting::Hash(mebibytes) => Some(mebibytes),
        _ => None,
    })
}

/// In plies.
pub(crate) fn depth(text: &str) -> Result<u8, String> {
    read(SettingName::Depth, text, |setting| match setting {
        Setting::Depth(plies) => plies,
        _ => None,
    })
}

pub(crate) fn nodes(text: &str) -> Result<u64, String> {
    read(SettingName::Nodes, text, |setting| match setting {
        Setting::Nodes(nodes) => nodes,
        _ => None,
    })
}

pub(crate) fn level(text: &str) -> Result<u8, String> {
    read(SettingName::Level, text, |setting| match setting {
        Setting::Level(level) => level,
        _ => None,
    })
}

pub(crate) fn elo(text: &str) -> Result<Elo, String> {
    read(SettingName::Elo, text, |setting| match setting {
        Setting::Elo(rating) => rating.and_then(Elo::new),
        _ => None,
    })
}

/// Per move.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let time = read(SettingName::Time, text, |setting| match setting {
        Setting::Time(time) => time,
        _ => None,
    })?;
    if time.as_secs_f64() <= LONGEST {
        Ok(time)
    } else {
        Err(format!("at most {LONGEST} seconds, not '{text}'"))
    }
}

/// In hundredths of a disc.
#[cfg(feature = "cli")]
pub(crate) fn discs(text: &str) -> Result<u16, String> {
    match parse_setting(SettingName::Variety, text.as_bytes()) {
        Ok(Setting::Variety(hundredths)) => Ok(hundredths),
        _ => Err(format!("{} is needed, such as 0.5, not '{text}'", SettingName::Variety.accepted())),
    }
}

pub(crate) fn whole<T, R>(range: R) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display,
    R: RangeBounds<T> + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let from = match range.start_bound() {
                Bound::Included(first) | Bound::Excluded(first) => format!(" from {first}"),
                Bound::Unbounded => String::new(),
            };
            let to = match range.end_bound() {
                Bound::Included(last) | Bound::Excluded(last) => format!(" to {last}"),
                Bound::Unbounded => String::new(),
            };
            let is_large = text.parse::<T>().is_err() && text.bytes().all(|byte| byte.is_ascii_digit());
            let why = if is_large && !text.is_empty() { ", which is too large" } else { "" };
            format!("a whole number{from}{to} is needed, not '{text}'{why}")
        })
    }
}

/// May be zero.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let time = within(text, 0.0..=LONGEST).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| {
        format!("a number of seconds from 0 to {LONGEST} is needed, such as 0.2, not '{text}'")
    })
}

/// From 0 to 1.
#[cfg(feature = "cli")]
pub(crate) fn part(text: &str) -> Result<f32, String> {
    let number = within(text, 0.0..=1.0).map(|number| number as f32);
    number.ok_or_else(|| format!("a number from 0 to 1 is needed, such as 0.5, not '{text}'"))
}

/// Above 0.
#[cfg(feature = "cli")]
pub(crate) fn weight(text: &str) -> Result<f32, String> {
    const LARGEST: f64 = 1e6;
    let number = within(text, 1e-6..=LARGEST).map(|number| number as f32);
    number.ok_or_else(|| format!("a number above 0 and up to {LARGEST} is needed, such as 1.6, not '{text}'"))
}

/// NaN is in no range.
fn within(text: &str, range: RangeInclusive<f64>) -> Option<f64> {
    text.trim().parse().ok().filter(|number| range.contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_protocols() {
        assert_eq!(threads("256"), Ok(256));
        assert_eq!(threads("0"), Err("threads takes a whole number from 1 to 256, not '0'".into()));
        assert_eq!(
            hash("9999999"),
            Err("hash takes a whole number of MiB from 1 to 65536, not '9999999'".into())
        );
        assert_eq!(level("99"), Err("level takes a whole number from 1 to 60, not '99'".into()));
        assert_eq!(depth("off"), Err("depth takes a whole number from 1 to 60, not 'off'".into()));
        assert_eq!(nodes("-1"), Err("nodes takes a whole number from 1, not '-1'".into()));
        assert_eq!(time("nan"), Err("time takes a number of seconds above 0, not 'nan'".into()));
    }

    #[test]
    fn whole_numbers_are_within_their_range() {
        let (plies, many) = (whole::<u8, _>(1..=60), whole::<u64, _>(2..));
        assert_eq!((plies("60"), many("18446744073709551615")), (Ok(60), Ok(u64::MAX)));
        assert_eq!(plies("-1"), Err("a whole number from 1 to 60 is needed, not '-1'".into()));
        assert_eq!(many("1"), Err("a whole number from 2 is needed, not '1'".into()));
        for wrong in ["", "x", "0", "61", "256", "1.5", "nan", "inf", "-inf"] {
            assert!(plies(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_checked() {
        assert_eq!(time("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!((seconds("0"), seconds("0.2")), (Ok(Duration::ZERO), Ok(Duration::from_millis(200))));
        for wrong in ["", "x", "nan", "inf", "-inf", "-1", "1e7", "1e300"] {
            assert!(seconds(wrong).is_err() && time(wrong).is_err(), "{wrong}");
        }
        assert!(time("0").is_err() && time("off").is_err());
    }

    #[test]
    fn parts_and_weights_are_finite() {
        assert_eq!((part("0"), part("1"), weight("1.6")), (Ok(0.0), Ok(1.0), Ok(1.6)));
        for wrong in ["", "x", "nan", "inf", "-inf", "-1", "-0.1", "1e30"] {
            assert!(part(wrong).is_err() && weight(wrong).is_err(), "{wrong}");
        }
        assert!(part("1.1").is_err() && weight("0").is_err());
    }

    #[test]
    fn what_is_too_large_is_said_to_be() {
        let read = whole::<u8, _>(1..);
        assert_eq!(read("255"), Ok(255));
        for (text, why) in [("999", ", which is too large"), ("x", ""), ("0", ""), ("-1", ""), ("", "")] {
            assert_eq!(read(text), Err(format!("a whole number from 1 is needed, not '{text}'{why}")));
        }
    }
}
