//! How often patterns occur in recorded games.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::super::WeightsCommandError;
use crate::eval::PatternState;
use crate::eval::pattern::{self, CENTRES};
use crate::eval::weights::stage;
use crate::rules::Rules;
use crate::training::records::BlockReader;

/// For some stages, how often each different pattern was seen. Mirror images count as one.
#[derive(Debug)]
pub(super) struct Counts(BTreeMap<usize, Vec<u32>>);

impl Counts {
    /// Goes through all positions by some rules in files of records.
    pub(super) fn read(
        records: &[PathBuf],
        rules: Rules,
        empties: &[u8],
        ties: &[u32],
    ) -> Result<Self, WeightsCommandError> {
        let different = pattern::different();
        let mut stages: BTreeMap<_, _> =
            empties.iter().map(|&empties| (stage(empties.into()), vec![0_u32; different])).collect();
        let mut seen = false;
        for path in records {
            for block in BlockReader::open(path).map_err(WeightsCommandError::Records)? {
                let block = block.map_err(WeightsCommandError::Records)?;
                let games = block.games.iter().filter(|_| block.settings.rules == rules);
                for (board, _) in games.flat_map(|game| game.positions()) {
                    seen = true;
                    let Some(counts) = stages.get_mut(&stage(64 - board.discs().len() as usize)) else {
                        continue;
                    };
                    let view = PatternState::new(board);
                    for (&centre, &number) in CENTRES.iter().zip(&view.numbers().0) {
                        counts[ties[(centre + i32::from(number)) as usize] as usize] += 1;
                    }
                }
            }
        }
        if seen { Ok(Self(stages)) } else { Err(WeightsCommandError::NoPositions(rules)) }
    }

    /// How often each number was seen in a stage.
    pub(super) fn of_stage(&self, stage: usize, ties: &[u32]) -> Vec<u32> {
        let counts = self.0.get(&stage);
        ties.iter().map(|&tie| counts.map_or(0, |counts| counts[tie as usize])).collect()
    }
}
