//! What the search expects of a null-window node.

/// Knuth and Moore's types of the nodes beside the principal variation, as a perfect move ordering would have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeType {
    /// A move, most likely the first, will cause a cutoff.
    Cut,
    /// No move will: all are searched.
    All,
}

impl NodeType {
    /// The type of the nodes after its moves.
    pub(super) const fn child(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }
}
