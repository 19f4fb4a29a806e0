//! Clocks, as in `TI[15:00/0:10/2:00]`.

use std::fmt;
use std::time::Duration;

use crate::number::{decimal, to_duration};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Of a record that names no grace time.
const USUAL_GRACE: Duration = Duration::from_secs(2 * MINUTE);

/// A player's time for the game.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct GgfClock {
    pub main: Duration,
    /// Added by each move.
    pub increment: Duration,
    /// Added once, when the main time is over.
    pub grace: Duration,
}

impl GgfClock {
    /// No clock at all, as in `TI[0//0]`.
    pub const UNLIMITED: GgfClock =
        GgfClock { main: Duration::ZERO, increment: Duration::ZERO, grace: Duration::ZERO };

    /// Neither main time nor increment.
    pub fn is_unlimited(&self) -> bool {
        self.main.is_zero() && self.increment.is_zero()
    }

    /// Takes unreadable parts for zero: a bad clock must not cost the whole game.
    pub(crate) fn read(text: &str) -> GgfClock {
        let mut parts = text.split('/').map(read_part);
        GgfClock {
            main: parts.next().unwrap_or_default(),
            increment: parts.next().unwrap_or_default(),
            grace: parts.next().unwrap_or(USUAL_GRACE),
        }
    }
}

impl fmt::Display for GgfClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_part(self.main, f)?;
        if !self.increment.is_zero() {
            f.write_str("/")?;
            write_part(self.increment, f)?;
        }
        if self.grace != USUAL_GRACE {
            f.write_str(if self.increment.is_zero() { "//" } else { "/" })?;
            write_part(self.grace, f)?;
        }
        Ok(())
    }
}

/// `[[d.]h:]m:s`; a number alone is seconds. What servers add after a comma is ignored.
fn read_part(text: &str) -> Duration {
    let time = text.split(',').next().unwrap_or(text).trim();
    let mut fields = time.rsplit(':');
    let seconds = fields.next().and_then(decimal).and_then(to_duration);
    let minutes = fields.next().map_or(Some(0), |minutes| minutes.trim().parse::<u64>().ok());
    let hours = fields.next().map_or(Some(0), read_hours);
    let total = || {
        let whole = minutes?.checked_mul(MINUTE)?.checked_add(hours?)?;
        seconds?.checked_add(Duration::from_secs(whole))
    };
    total().unwrap_or_default()
}

/// `[d.]h`, in seconds.
fn read_hours(text: &str) -> Option<u64> {
    let (days, hours) = text.trim().split_once('.').unwrap_or(("0", text.trim()));
    let days: u64 = days.parse().ok()?;
    let hours: u64 = hours.parse().ok()?;
    days.checked_mul(DAY)?.checked_add(hours.checked_mul(HOUR)?)
}

fn write_part(time: Duration, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let whole = time.as_secs();
    let (hours, minutes, seconds) = (whole / HOUR, whole % HOUR / MINUTE, whole % MINUTE);
    match (hours, minutes, seconds) {
        (0, 0, 0) if time.is_zero() => return f.write_str("0"),
        (0, _, _) => write!(f, "{minutes}:{seconds:02}")?,
        _ => write!(f, "{hours}:{minutes:02}:{seconds:02}")?,
    }
    if time.subsec_nanos() > 0 {
        write!(f, ".{}", format!("{:09}", time.subsec_nanos()).trim_end_matches('0'))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(main: u64, increment: u64, grace: u64) -> GgfClock {
        let [main, increment, grace] = [main, increment, grace].map(Duration::from_millis);
        GgfClock { main, increment, grace }
    }

    #[test]
    fn clocks_as_found_in_records() {
        let table = [
            ("5:00", ms(300_000, 0, 120_000), "5:00"),
            ("15:00//02:00", ms(900_000, 0, 120_000), "15:00"),
            ("0//0", GgfClock::UNLIMITED, "0//0"),
            ("01:00/0:10/0:30", ms(60_000, 10_000, 30_000), "1:00/0:10/0:30"),
            ("1:00/0:10", ms(60_000, 10_000, 120_000), "1:00/0:10"),
            ("0:30//1:00", ms(30_000, 0, 60_000), "0:30//1:00"),
            ("30", ms(30_000, 0, 120_000), "0:30"),
            ("0.005", ms(5, 0, 120_000), "0:00.005"),
            ("1:02:03", ms(3_723_000, 0, 120_000), "1:02:03"),
            ("2.01:00:00.5", ms(176_400_500, 0, 120_000), "49:00:00.5"),
            ("5:00,1/0:10,25/2:00", ms(300_000, 10_000, 120_000), "5:00/0:10"),
            ("", ms(0, 0, 120_000), "0"),
            ("soon/never", ms(0, 0, 120_000), "0"),
            ("-5:00", ms(0, 0, 120_000), "0"),
            ("99999999999999999999:00", ms(0, 0, 120_000), "0"),
            ("18446744073709551615:00", ms(0, 0, 120_000), "0"),
        ];
        for (text, clock, canonical) in table {
            assert_eq!(GgfClock::read(text), clock, "{text:?}");
            assert_eq!(clock.to_string(), canonical);
            assert_eq!(GgfClock::read(canonical), clock, "{canonical:?}");
        }
    }

    #[test]
    fn without_time_there_is_no_clock() {
        assert!(GgfClock::UNLIMITED.is_unlimited());
        assert!(GgfClock::read("").is_unlimited());
        assert!(GgfClock::read("0//2:00").is_unlimited());
        assert!(!GgfClock::read("0/0:01").is_unlimited());
        assert!(!GgfClock::read("5:00").is_unlimited());
    }
}
