//! How much a search may prune on the word of shallower searches (ProbCut).

/// The confidence that ProbCut asks for before it cuts.
///
/// Each level is a number of standard deviations and the share of a normal distribution within them, as in Edax. Edax's
/// six levels are 1.1 (73 %), 1.5 (87 %), 2.0 (95 %), 2.6 (98 %), 3.3 (99 %) and no cuts (100 %). These four are its
/// first, third, fourth, which is called 99 % here, and last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Selectivity {
    P73,
    P95,
    P99,
    /// No cuts: the search is exact for its depth.
    #[default]
    Off,
}

impl Selectivity {
    /// From the least to the greatest confidence.
    pub const ALL: [Self; 4] = [Self::P73, Self::P95, Self::P99, Self::Off];

    /// 100 for [`Off`](Self::Off).
    #[must_use]
    pub const fn percent(self) -> u8 {
        match self {
            Self::P73 => 73,
            Self::P95 => 95,
            Self::P99 => 99,
            Self::Off => 100,
        }
    }

    /// The inverse of [`percent`](Self::percent).
    #[must_use]
    pub fn from_percent(percent: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|selectivity| selectivity.percent() == percent)
    }

    /// How many standard deviations a prediction must be beyond the bound for a cut.
    pub(crate) const fn deviations(self) -> Option<f32> {
        match self {
            Self::P73 => Some(1.1),
            Self::P95 => Some(2.0),
            Self::P99 => Some(2.6),
            Self::Off => None,
        }
    }
}
