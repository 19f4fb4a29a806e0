//! How much a search may leave out on the word of shallower ones.

/// How sure a search is that nothing it left out would have changed its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Certainty {
    /// Each cut is right about three times in four.
    Low,
    /// 95 %.
    High,
    /// 99 %.
    VeryHigh,
    /// Nothing was left out.
    #[default]
    Full,
}

impl Certainty {
    /// From the least sure to the surest.
    pub const ALL: [Self; 4] = [Self::Low, Self::High, Self::VeryHigh, Self::Full];

    /// The share of cuts that are right, in percent.
    #[must_use]
    pub const fn percent(self) -> u8 {
        match self {
            Self::Low => 73,
            Self::High => 95,
            Self::VeryHigh => 99,
            Self::Full => 100,
        }
    }

    /// How many standard deviations a prediction must be beyond the bound for a cut; none: there are no cuts.
    pub(crate) const fn deviations(self) -> Option<f32> {
        match self {
            Self::Low => Some(1.1),
            Self::High => Some(2.0),
            Self::VeryHigh => Some(2.6),
            Self::Full => None,
        }
    }
}
