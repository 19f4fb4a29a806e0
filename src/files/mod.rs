//! Files of commands: whole ones, which replace nothing unasked, logs that only grow, and those of strangers.

pub mod append_file;
pub mod append_log;
pub mod bounded;
pub mod checksum;
pub mod damage;
mod disk;
pub mod output;
#[cfg(test)]
pub mod trial;
