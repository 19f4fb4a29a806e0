//! Which games are to be played, by whom.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::training::records::file::Contents;

/// How many games one thread plays before they are kept.
pub const BLOCK_GAMES: u64 = 64;

/// The part of a campaign that one process plays: every so manieth block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: u64,
    of: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    const fn has(self, block: u64) -> bool {
        block % self.of == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A text names no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoShard;

impl fmt::Display for NoShard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a shard is its number from 1 and how many there are, such as 2/4")
    }
}

impl std::error::Error for NoShard {}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (number, of) = text.split_once('/').ok_or(NoShard)?;
        let [number, of] = [number, of].map(|text| text.parse().map_err(|_| NoShard));
        let shard = Self { number: number?, of: of? };
        if (1..=shard.of).contains(&shard.number) { Ok(shard) } else { Err(NoShard) }
    }
}

/// What a shard has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Games of this shard that are there already.
    pub(super) done: u64,
    /// The numbers of those that are not, a block or the rest of one each.
    pub(super) open: Vec<Range<u64>>,
}

impl Plan {
    /// What is left to do of so many games.
    pub(super) fn new(games: u64, shard: Shard, contents: &Contents) -> Self {
        let mut plan = Self { done: 0, open: Vec::new() };
        for block in (0..games.div_ceil(BLOCK_GAMES)).filter(|&block| shard.has(block)) {
            let first = block * BLOCK_GAMES;
            let end = (first + BLOCK_GAMES).min(games);
            let missing = contents.missing_from(first).min(end);
            plan.done += missing - first;
            if missing < end {
                plan.open.push(missing..end);
            }
        }
        plan
    }

    /// How many games it is in all.
    pub(super) fn games(&self) -> u64 {
        self.done + self.open.iter().map(|range| range.end - range.start).sum::<u64>()
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
            assert_eq!(text.parse::<Shard>(), Err(NoShard), "{text}");
        }
    }

    #[test]
    fn shards_share_all_games_out() {
        let nothing = Contents::default();
        let whole = Plan::new(1000, Shard::WHOLE, &nothing);
        assert_eq!((whole.games(), whole.open.len()), (1000, 16));
        let mut open: Vec<_> =
            (1..=3).flat_map(|number| Plan::new(1000, Shard { number, of: 3 }, &nothing).open).collect();
        open.sort_by_key(|range| range.start);
        assert_eq!(open, whole.open);
    }
}
