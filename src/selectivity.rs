//! How much a search may leave out on the word of shallower ones.

/// How sure a search is that nothing it left out would have changed its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Selectivity {
    /// Each cut is right about three times in four.
    P73,
    /// 95 %.
    P95,
    /// 99 %.
    P99,
    /// Nothing was left out.
    #[default]
    Off,
}

impl Selectivity {
    /// From the least sure to the surest.
    pub const ALL: [Self; 4] = [Self::P73, Self::P95, Self::P99, Self::Off];

    /// The share of cuts that are right, in percent.
    #[must_use]
    pub const fn percent(self) -> u8 {
        match self {
            Self::P73 => 73,
            Self::P95 => 95,
            Self::P99 => 99,
            Self::Off => 100,
        }
    }

    /// How many standard deviations a prediction must be beyond the bound for a cut; none: there are no cuts.
    pub(crate) const fn deviations(self) -> Option<f32> {
        match self {
            Self::P73 => Some(1.1),
            Self::P95 => Some(2.0),
            Self::P99 => Some(2.6),
            Self::Off => None,
        }
    }
}
