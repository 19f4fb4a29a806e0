//! Trained weights: for each stage of the game a weight for every index of every pattern, and for the mobility of either
//! side, which patterns see only within themselves; and a hidden layer, if they have one.

mod file;
mod layout;
mod network;
mod packed;
mod stage;

use std::sync::{Arc, LazyLock, OnceLock};

use crate::memory::ZeroedBuffer;
use crate::rules::Rules;
use crate::score::Score;

use super::kernel::sum_entries;
use super::pattern_state::PatternState;
use super::rows::Entry;

pub use file::{Compression, MAX_ORIGIN_BYTES, VERSION, WeightsError, decode, encode};
pub use layout::{MOBILITY_WEIGHTS, STAGE_WIDTH, STAGES, UNITS_PER_SCORE, span, stage};
pub use network::{BIAS_LIMIT, LEAST_EMPTIES, OUTPUT_LIMIT, PackedNetwork, ROW_COUNT};

pub use super::rows::StageOutput;
pub use packed::PackedWeights;
pub use stage::mobility;

use file::WeightsFile;
use network::{Network, entries_with_rows, in_units};
use stage::StageWeights;

/// The weights file built into the program; none where it is empty.
#[must_use]
pub const fn shipped_file(rules: Rules) -> Option<&'static [u8]> {
    let bytes: &[u8] = match rules {
        Rules::Reversed => include_bytes!("../shipped/reversed.weights"),
        Rules::Standard => include_bytes!("../shipped/standard.weights"),
    };
    if bytes.is_empty() { None } else { Some(bytes) }
}

const SHIPPED_IS_WHOLE: &str = "the shipped weights are whole";

/// Weights ready for use; each stage is unpacked when it is first needed.
#[derive(Debug)]
pub struct Weights {
    rules: Rules,
    origin: String,
    tempo: [i16; 64],
    stages: [OnceLock<StageWeights>; STAGES],
    tables: OnceLock<Tables>,
    source: StageSource,
}

/// What all stages share.
#[derive(Debug)]
struct Tables {
    /// For each index of the shapes with rows, its weights once their stage is unpacked.
    entries: ZeroedBuffer<Entry>,
    network: Network,
}

#[derive(Debug)]
enum StageSource {
    Packed(Vec<Vec<i16>>, Option<PackedNetwork>),
    /// A file that is known to be whole.
    Shipped(WeightsFile<'static>),
}

impl Weights {
    #[must_use]
    pub fn new(packed: PackedWeights) -> Self {
        let PackedWeights { rules, origin, tempo, stages, network } = packed;
        Self::from_source(rules, origin, tempo, StageSource::Packed(stages, network))
    }

    fn from_source(rules: Rules, origin: String, tempo: [i16; 64], source: StageSource) -> Self {
        let stages = [const { OnceLock::new() }; STAGES];
        Self { rules, origin, tempo, stages, tables: OnceLock::new(), source }
    }

    /// The weights built into the program.
    #[must_use]
    pub fn shipped(rules: Rules) -> Option<Arc<Self>> {
        static SHIPPED: [LazyLock<Option<Arc<Weights>>>; 2] =
            [LazyLock::new(|| opened(Rules::Reversed)), LazyLock::new(|| opened(Rules::Standard))];
        fn opened(rules: Rules) -> Option<Arc<Weights>> {
            let mut file = WeightsFile::open(shipped_file(rules)?).expect(SHIPPED_IS_WHOLE);
            let origin = std::mem::take(&mut file.origin);
            Some(Arc::new(Weights::from_source(rules, origin, file.tempo, StageSource::Shipped(file))))
        }
        let [reversed, standard] = &SHIPPED;
        match rules {
            Rules::Reversed => LazyLock::force(reversed).clone(),
            Rules::Standard => LazyLock::force(standard).clone(),
        }
    }

    /// Unpacks all stages that a position with so many empty squares may lead to, so that no search waits for them.
    pub fn prepare(&self, empties: usize) {
        while self.prepare_stage(empties) {}
    }

    /// Unpacks one stage, in about a millisecond: the next one that a game with so many empty squares reaches. Before
    /// the first one it unpacks the hidden layer, which takes a few. Returns false when all are unpacked.
    pub fn prepare_stage(&self, empties: usize) -> bool {
        self.tables();
        let next = (0..=stage(empties)).rev().find(|&at| self.stages[at].get().is_none());
        if let Some(at) = next {
            self.stage(at);
        }
        next.is_some()
    }

    #[inline]
    fn stage(&self, at: usize) -> &StageWeights {
        self.stages[at].get_or_init(|| self.unpack_stage(at))
    }

    #[cold]
    fn unpack_stage(&self, at: usize) -> StageWeights {
        let entries = self.tables().entries.items();
        match &self.source {
            StageSource::Packed(stages, _) => StageWeights::unpack(&stages[at], entries, at),
            StageSource::Shipped(file) => {
                StageWeights::unpack(&file.stage(at).expect(SHIPPED_IS_WHOLE), entries, at)
            }
        }
    }

    #[inline]
    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| self.unpack_tables())
    }

    #[cold]
    fn unpack_tables(&self) -> Tables {
        let unpack = |packed: Option<&PackedNetwork>| match packed {
            Some(packed) => Tables { entries: entries_with_rows(packed), network: Network::unpack(packed) },
            None => {
                let none = PackedNetwork::zeroes();
                Tables { entries: entries_with_rows(&none), network: Network::unpack(&none) }
            }
        };
        match &self.source {
            StageSource::Packed(_, network) => unpack(network.as_ref()),
            StageSource::Shipped(file) => unpack(file.network().expect(SHIPPED_IS_WHOLE).as_ref()),
        }
    }

    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Where they come from, for people to read.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// For the player to move.
    #[must_use]
    #[inline]
    pub fn evaluate(&self, state: &PatternState) -> Score {
        let empties = 64 - state.board.discs().len() as usize;
        let (at, moves) = (stage(empties), mobility(state));
        let (weights, Tables { entries, network }) = (self.stage(at), self.tables());
        let (of_entries, squares) = sum_entries(
            entries.items(),
            at,
            state.indices(),
            network.mobility(moves),
            network.output(at, empties),
        );
        let of_weights = weights.sum(of_entries, state.indices(), moves);
        let sum = of_weights + in_units(squares) + i32::from(self.tempo[empties]);
        Score::from_units(sum / UNITS_PER_SCORE)
    }
}
