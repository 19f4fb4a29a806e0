//! Learned weights: a table for each stage of the game, with a weight for every number of every shape, and for every
//! number of moves that either side has. Patterns see moves only where these lie within one of them.

mod file;
mod stage;

use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use crate::board::Size;
use crate::rules::Rules;
use crate::score::Score;

use super::features::PatternState;
use super::pattern;

pub use file::{Effort, LONGEST_ORIGIN, VERSION, WeightsError, decode, encode};

use file::File;
use stage::Stage;
#[cfg(avx512)]
pub(super) use stage::{PLACES, Steps};

/// How many numbers of empty squares share a stage.
pub const STAGE_WIDTH: usize = 2;

/// How many stages there are. The last holds all earlier plies: there are few positions to tell apart then.
pub const STAGES: usize = 27;

/// Numbers of moves that are told apart; more are taken for the most.
pub const MOBILITIES: usize = 40;

/// How many weights' units make a unit of a score.
pub const UNITS_PER_SCORE: i32 = 2;

/// The stage of a board with so many empty squares.
#[must_use]
#[inline]
pub const fn stage(empties: usize) -> usize {
    let stage = empties / STAGE_WIDTH;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// The least and the greatest number of empty squares of a stage.
#[must_use]
pub const fn span(stage: usize) -> (usize, usize) {
    let first = stage * STAGE_WIDTH;
    (first, if stage + 1 < STAGES { first + STAGE_WIDTH - 1 } else { 60 })
}

/// The file of the weights that come with the program; none while there are none.
#[must_use]
pub const fn shipped_file(rules: Rules) -> Option<&'static [u8]> {
    let bytes: &[u8] = match rules {
        Rules::Reversed => include_bytes!("../shipped/reversed.weights"),
        Rules::Standard => include_bytes!("../shipped/standard.weights"),
    };
    if bytes.is_empty() { None } else { Some(bytes) }
}

/// How many moves the player to move and the opponent have, as far as they are told apart.
#[must_use]
#[inline]
pub fn mobilities(view: &PatternState) -> [usize; 2] {
    let area = Size::Eight.squares();
    let moves = [view.moves(area), view.board.passed().moves(area)];
    moves.map(|moves| (moves.len() as usize).min(MOBILITIES - 1))
}

/// Weights as they are learned and stored: mirror images share theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The rule set they are for.
    pub rules: Rules,
    /// Where they come from, for people to read.
    pub origin: String,
    /// For each number of empty squares, what being to move is worth.
    pub tempo: [i16; 64],
    /// For each stage the different weights in the order of [`pattern::ties`], then those of the own moves, then those of
    /// the opponent's.
    pub stages: Vec<Vec<i16>>,
}

impl Packed {
    /// Weights that say nothing.
    #[must_use]
    pub fn zeroes(rules: Rules) -> Self {
        let stages = vec![vec![0; Self::stage_length()]; STAGES];
        Self { rules, origin: String::new(), tempo: [0; 64], stages }
    }

    /// How many weights a stage has.
    #[must_use]
    pub fn stage_length() -> usize {
        pattern::different() + 2 * MOBILITIES
    }
}

const SHIPPED_IS_WHOLE: &str = "the shipped weights are whole";

/// The stages that nearly all positions are in which are valued while solving.
const SOLVED: Range<usize> = stage(12)..stage(17) + 1;

/// Weights ready for use, each stage from the first time that somebody asks for it.
#[derive(Debug)]
pub struct Weights {
    rules: Rules,
    origin: String,
    tempo: [i16; 64],
    stages: [OnceLock<Stage>; STAGES],
    source: Source,
}

/// Where weights get their stages from.
#[derive(Debug)]
enum Source {
    /// What was learned.
    Packed(Vec<Vec<i16>>),
    /// A file that is known to be whole.
    Shipped(File<'static>),
    /// Those of another thread.
    Thread(Arc<Weights>),
}

impl Weights {
    /// Those that were learned.
    #[must_use]
    pub fn new(packed: Packed) -> Self {
        Self::from_source(packed.rules, packed.origin, packed.tempo, Source::Packed(packed.stages))
    }

    fn from_source(rules: Rules, origin: String, tempo: [i16; 64], source: Source) -> Self {
        Self { rules, origin, tempo, stages: [const { OnceLock::new() }; STAGES], source }
    }

    /// The weights that come with the program.
    #[must_use]
    pub fn shipped(rules: Rules) -> Option<Arc<Self>> {
        static SHIPPED: [LazyLock<Option<Arc<Weights>>>; 2] =
            [LazyLock::new(|| opened(Rules::Reversed)), LazyLock::new(|| opened(Rules::Standard))];
        fn opened(rules: Rules) -> Option<Arc<Weights>> {
            let mut file = File::open(shipped_file(rules)?).expect(SHIPPED_IS_WHOLE);
            let origin = std::mem::take(&mut file.origin);
            Some(Arc::new(Weights::from_source(rules, origin, file.tempo, Source::Shipped(file))))
        }
        let [reversed, standard] = &SHIPPED;
        match rules {
            Rules::Reversed => LazyLock::force(reversed).clone(),
            Rules::Standard => LazyLock::force(standard).clone(),
        }
    }

    /// The same weights for another thread: what it looks up most while solving is there once more. Processors that look
    /// up the same memory all the time wait for each other, and all of it for each thread would be too much.
    #[must_use]
    pub fn for_another_thread(self: &Arc<Self>) -> Self {
        Self::from_source(self.rules, self.origin.clone(), self.tempo, Source::Thread(Arc::clone(self)))
    }

    /// Unpacks everything that may come after a position with so many empty squares, so that nobody has to wait for it
    /// later.
    pub fn prepare(&self, empties: usize) {
        while self.prepare_stage(empties) {}
    }

    /// Unpacks one more stage, in about a millisecond: the first that a game comes to after a position with so many empty
    /// squares. Returns whether there was one left.
    pub fn prepare_stage(&self, empties: usize) -> bool {
        let left = (0..=stage(empties)).rev().find(|&at| self.stages[at].get().is_none());
        if let Some(at) = left {
            self.stage(at);
        }
        left.is_some()
    }

    #[inline]
    fn stage(&self, at: usize) -> &Stage {
        self.stages[at].get_or_init(|| self.unpacked(at))
    }

    #[cold]
    fn unpacked(&self, at: usize) -> Stage {
        match &self.source {
            Source::Packed(stages) => Stage::unfolded(&stages[at]),
            Source::Shipped(file) => Stage::unfolded(&file.stage(at).expect(SHIPPED_IS_WHOLE)),
            Source::Thread(weights) if SOLVED.contains(&at) => weights.stage(at).apart(),
            Source::Thread(weights) => weights.stage(at).clone(),
        }
    }

    /// The rule set they are for.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Where they come from, for people to read.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The value for the player to move.
    #[must_use]
    #[inline]
    pub fn evaluate(&self, view: &PatternState) -> Score {
        let empties = 64 - view.board.discs().len() as usize;
        let sum = self.stage(stage(empties)).sum(view) + i32::from(self.tempo[empties]);
        Score::from_units(sum / UNITS_PER_SCORE)
    }
}
