//! Types of matches, as in `TY[s8r18]`.

use std::fmt;

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, digit0, digit1, one_of};
use nom::combinator::{eof, map};
use nom::multi::many_till;
use nom::sequence::preceded;

use crate::coord::Side;
use crate::text::Parsed;

const USUAL_SIZE: u8 = 8;

/// Displays in the usual order, with the colour at the end.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct MatchType {
    /// The edge of the board as written, or 88 for the octagon.
    pub size: u8,
    /// Whether two games are played at once with colours exchanged.
    pub synchro: bool,
    /// Whether the players bid for the colours.
    pub komi: bool,
    /// Whether the fewest discs win.
    pub anti: bool,
    /// The number of discs in a random opening; 0 where none is named.
    pub random: Option<u8>,
    /// The colour that the proposer of the match takes.
    pub color: Option<Side>,
}

impl MatchType {
    pub fn new(size: u8) -> MatchType {
        MatchType { size, synchro: false, komi: false, anti: false, random: None, color: None }
    }

    /// Letters and numbers in any order; unknown ones are ignored.
    pub(crate) fn read(text: &str) -> MatchType {
        let mut kind = MatchType::new(USUAL_SIZE);
        if let Ok((_, marks)) = marks(text) {
            marks.into_iter().for_each(|mark| kind.apply(mark));
        }
        kind
    }

    fn apply(&mut self, mark: Mark) {
        match mark {
            Mark::Size(size) => self.size = size,
            Mark::Random(discs) => self.random = Some(discs),
            Mark::Letter('s' | 'S') => self.synchro = true,
            Mark::Letter('k' | 'K') => self.komi = true,
            Mark::Letter('a' | 'A') => self.anti = true,
            Mark::Letter('b' | 'B') => self.color = Some(Side::Black),
            Mark::Letter('w' | 'W') => self.color = Some(Side::White),
            Mark::Letter(_) => {}
        }
    }
}

enum Mark {
    Size(u8),
    Random(u8),
    Letter(char),
}

fn marks(input: &str) -> Parsed<'_, Vec<Mark>> {
    let random = preceded(one_of("rR"), digit0);
    let mark = alt((
        map(digit1, |digits| Mark::Size(saturated(digits))),
        map(random, |digits| Mark::Random(saturated(digits))),
        map(anychar, Mark::Letter),
    ));
    map(many_till(mark, eof), |(marks, _)| marks).parse(input)
}

/// No digits are 0; numbers too large are the largest.
fn saturated(digits: &str) -> u8 {
    if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u8::MAX) }
}

impl fmt::Display for MatchType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |set, letter| if set { letter } else { "" };
        let (synchro, komi, anti) =
            (letter(self.synchro, "s"), letter(self.komi, "k"), letter(self.anti, "a"));
        write!(f, "{synchro}{}{komi}{anti}", self.size)?;
        match self.random {
            Some(0) => f.write_str("r")?,
            Some(discs) => write!(f, "r{discs}")?,
            None => {}
        }
        match self.color {
            Some(Side::Black) => f.write_str("b"),
            Some(Side::White) => f.write_str("w"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_numbers_in_any_order() {
        let plain = MatchType::new(8);
        let table = [
            ("8", plain, "8"),
            ("", plain, "8"),
            ("s8r18", MatchType { synchro: true, random: Some(18), ..plain }, "s8r18"),
            ("8k", MatchType { komi: true, ..plain }, "8k"),
            ("8a", MatchType { anti: true, ..plain }, "8a"),
            ("a8", MatchType { anti: true, ..plain }, "8a"),
            ("s8ar20", MatchType { synchro: true, anti: true, random: Some(20), ..plain }, "s8ar20"),
            (
                "8br20a",
                MatchType { anti: true, random: Some(20), color: Some(Side::Black), ..plain },
                "8ar20b",
            ),
            ("8ar", MatchType { anti: true, random: Some(0), ..plain }, "8ar"),
            ("10w", MatchType { size: 10, color: Some(Side::White), ..plain }, "10w"),
            ("88", MatchType::new(88), "88"),
            ("é8?", plain, "8"),
            ("9999r9999", MatchType { size: 255, random: Some(255), ..plain }, "255r255"),
        ];
        for (text, kind, canonical) in table {
            assert_eq!(MatchType::read(text), kind, "{text:?}");
            assert_eq!(kind.to_string(), canonical);
            assert_eq!(MatchType::read(canonical), kind, "{canonical:?}");
        }
    }
}
