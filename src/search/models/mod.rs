//! How far the selective search may trust each evaluation.

pub(super) mod hand_made;
pub(super) mod learned;
