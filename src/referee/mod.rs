//! Matches between any engines, and results one can trust.

pub mod journal;
