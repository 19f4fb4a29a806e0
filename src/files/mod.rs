//! Files that commands write: whole ones, which replace nothing unasked, and logs that only grow.

pub mod append_log;
pub mod output;
