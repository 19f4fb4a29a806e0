//! The two rule sets; they differ only in who wins.

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, Size};
use crate::score::Discs;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Rules {
    /// The fewest discs win: Reversed Reversi
    #[default]
    Reversed,
    /// The most discs win: Othello
    Standard,
}

impl Rules {
    pub const ALL: [Self; 2] = [Self::Reversed, Self::Standard];

    /// The factor from the standard result to this one.
    #[must_use]
    #[inline]
    pub const fn sign(self) -> i32 {
        match self {
            Self::Reversed => -1,
            Self::Standard => 1,
        }
    }

    /// The word for the rule set in files, options and messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reversed => "reversed",
            Self::Standard => "standard",
        }
    }

    /// The byte for the rule set in binary files.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Reversed => 0,
            Self::Standard => 1,
        }
    }

    /// The inverse of [`code`](Self::code).
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.code() == code)
    }

    /// The result of a finished game for the player to move.
    ///
    /// Empty squares count for the side with more discs; the reversed result is the standard one negated.
    #[must_use]
    pub fn result(self, board: Board, size: Size) -> Discs {
        let own = board.own().len() as i32;
        let other = board.other().len() as i32;
        let empty = i32::from(size.area()) - own - other;
        let standard = own - other + empty * (own - other).signum();
        Discs((self.sign() * standard) as i8)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// Neither `reversed` nor `standard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRules;

impl fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected reversed or standard")
    }
}

impl std::error::Error for UnknownRules {}

impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(word: &str) -> Result<Self, UnknownRules> {
        Self::ALL.into_iter().find(|rules| rules.word() == word).ok_or(UnknownRules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;

    fn board(own: u64, other: u64) -> Board {
        Board::new(Bitboard(own), Bitboard(other)).expect("the sets are disjoint")
    }

    #[test]
    fn words_and_codes_read_back() {
        for rules in Rules::ALL {
            assert_eq!(rules.to_string().parse(), Ok(rules));
            assert_eq!(Rules::from_code(rules.code()), Some(rules));
        }
        assert_eq!("anti".parse::<Rules>(), Err(UnknownRules));
        assert_eq!(Rules::from_code(2), None);
    }

    #[test]
    fn empty_squares_go_to_the_side_with_more_discs() {
        assert_eq!(Rules::Standard.result(board(0b111, 0b1000), Size::Eight), Discs(62));
        assert_eq!(Rules::Reversed.result(board(0b111, 0b1000), Size::Eight), Discs(-62));
        assert_eq!(Rules::Reversed.result(board(0, 0b1000), Size::Eight), Discs(64));
        assert_eq!(Rules::Standard.result(board(0b11, 0b1100), Size::Eight), Discs(0));
        assert_eq!(Rules::Standard.result(board(1 << 20, 0), Size::Four), Discs(16));
    }
}
