//! Which games a process still has to play.

use std::ops::Range;

use crate::shard::Shard;
use crate::training::records::file::RecordContents;

/// Games that a thread plays before they are written.
pub const BLOCK_GAMES: u64 = 64;

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
    fn shards_share_all_games_out() {
        let nothing = RecordContents::default();
        let whole = RemainingGames::new(1000, Shard::WHOLE, &nothing);
        assert_eq!((whole.games(), whole.blocks.len()), (1000, 16));
        let shards = ["1/3", "2/3", "3/3"].map(|text| text.parse().expect("a shard"));
        let mut blocks: Vec<_> =
            shards.into_iter().flat_map(|shard| RemainingGames::new(1000, shard, &nothing).blocks).collect();
        blocks.sort_by_key(|range| range.start);
        assert_eq!(blocks, whole.blocks);
    }
}
