//! Numbers as clients write them and as they can read them.

use std::str::FromStr;
use std::time::Duration;

use nom::Parser;
use nom::character::complete::digit1;
use nom::combinator::{map_opt, rest};

use crate::text::Parsed;

/// What messages call the thing [`whole`] reads.
pub(crate) const A_WHOLE_NUMBER: &str = "a whole number";
/// What messages call the thing [`seconds`] reads.
pub(crate) const SECONDS: &str = "a number of seconds (0 or more)";

/// Keeps infinities off the wire.
const LARGEST_EVAL: f64 = 9999.0;

/// Reads digits.
pub(crate) fn whole<T: FromStr>(input: &str) -> Parsed<'_, T> {
    map_opt(digit1, |digits: &str| digits.parse().ok()).parse(input)
}

/// Reads a whole text as decimal seconds.
pub(crate) fn seconds(input: &str) -> Parsed<'_, Duration> {
    map_opt(rest, |text| decimal(text).and_then(to_duration)).parse(input)
}

/// A finite decimal number.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// A decimal number from a program that may have printed it by its user's locale.
pub(crate) fn foreign_decimal(text: &str) -> Option<f64> {
    decimal(&text.trim().replace(',', "."))
}

/// None if negative or too large.
pub(crate) fn to_duration(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// An evaluation fit for printing with two decimals: finite, and never a negative zero.
pub(crate) fn printable_eval(eval: f64) -> f64 {
    let eval = if eval.is_nan() { 0.0 } else { eval.clamp(-LARGEST_EVAL, LARGEST_EVAL) };
    // Adding zero turns the negative zero left by rounding into the positive one.
    (eval * 100.0).round() / 100.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evals_print_plainly() {
        let table = [
            (-0.43, "-0.43"),
            (1.765, "1.77"),
            (-0.004, "0.00"),
            (-0.0, "0.00"),
            (f64::NAN, "0.00"),
            (f64::INFINITY, "9999.00"),
            (-1e300, "-9999.00"),
        ];
        for (eval, text) in table {
            assert_eq!(format!("{:.2}", printable_eval(eval)), text);
        }
        assert_eq!(format!("{:+.2}", printable_eval(-0.001)), "+0.00");
    }

    #[test]
    fn decimals_are_finite() {
        for text in ["", "inf", "NaN", "1e999", "x", "1.5s", " 1"] {
            assert_eq!(decimal(text), None, "{text:?}");
        }
        assert_eq!(foreign_decimal("-0,43"), Some(-0.43));
        assert_eq!(foreign_decimal("5.0E-4"), Some(0.0005));
        assert_eq!(
            foreign_decimal("2.7680000000000002").and_then(to_duration),
            Some(Duration::from_millis(2768))
        );
    }

    #[test]
    fn seconds_are_not_negative() {
        assert_eq!(seconds("1.5"), Ok(("", Duration::from_millis(1500))));
        assert_eq!(seconds("0"), Ok(("", Duration::ZERO)));
        assert!(seconds("-1").is_err() && seconds("1e300").is_err() && seconds("").is_err());
    }

    #[test]
    fn whole_numbers_fit_their_type() {
        assert_eq!(whole::<u32>("12"), Ok(("", 12)));
        assert!(whole::<u32>("4294967296").is_err() && whole::<u32>("-1").is_err());
    }
}
