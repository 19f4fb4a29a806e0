//! Which games a process still has to play.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

use crate::training::records::file::RecordContents;

/// Games that a thread plays before they are written.
pub const BLOCK_GAMES: u64 = 64;

/// The part of all games that one process plays: block `number`, then every `of`-th one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    number: u64,
    of: u64,
}

impl Shard {
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RemainingGames {
    /// Games of this shard that are in the file.
    pub(super) done: u64,
    /// The numbers of those that are not, by block.
    pub(super) blocks: Vec<Range<u64>>,
}

impl RemainingGames {
    pub(super) fn new(games: u64, shard: Shard, contents: &RecordContents) -> Self {
        let mut plan = Self { done: 0, blocks: Vec::new() };
        for block in (0..games.div_ceil(BLOCK_GAMES)).filter(|&block| shard.has(block)) {
            let first = block * BLOCK_GAMES;
            let end = (first + BLOCK_GAMES).min(games);
            let missing = contents.missing_from(first).min(end);
            plan.done += missing - first;
            if missing < end {
                plan.blocks.push(missing..end);
            }
        }
        plan
    }

    /// All games of the shard.
    pub(super) fn games(&self) -> u64 {
        self.done + self.blocks.iter().map(|range| range.end - range.start).sum::<u64>()
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

    #[test]
    fn shards_share_all_games_out() {
        let nothing = RecordContents::default();
        let whole = RemainingGames::new(1000, Shard::WHOLE, &nothing);
        assert_eq!((whole.games(), whole.blocks.len()), (1000, 16));
        let mut blocks: Vec<_> = (1..=3)
            .flat_map(|number| RemainingGames::new(1000, Shard { number, of: 3 }, &nothing).blocks)
            .collect();
        blocks.sort_by_key(|range| range.start);
        assert_eq!(blocks, whole.blocks);
    }
}
