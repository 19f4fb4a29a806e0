//! The part of a command's work that one of several processes does.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Every `of`-th unit of work, starting with unit `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: u64,
    of: u64,
}

impl Shard {
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Units are counted from 0.
    #[must_use]
    pub const fn has(self, unit: u64) -> bool {
        unit % self.of == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a shard is its number from 1 and how many there are, such as 2/4")]
pub struct ShardError;

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, of) = text.split_once('/').ok_or(ShardError)?;
        let [number, of] = [number, of].map(|text| text.parse().map_err(|_| ShardError));
        let shard = Self { number: number?, of: of? };
        if (1..=shard.of).contains(&shard.number) { Ok(shard) } else { Err(ShardError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_and_refused() {
        assert_eq!("2/4".parse(), Ok(Shard { number: 2, of: 4 }));
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
        for text in ["0/4", "5/4", "1/0", "0/0", "1", "a/b", "", "-1/2"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError), "{text}");
        }
    }
}
