//! Files that commands write: whole ones, which replace nothing unasked, and logs that only grow.

pub mod append_file;
pub mod append_log;
pub mod checksum;
pub mod damage;
mod disk;
pub mod output;
#[cfg(test)]
pub mod trial;
