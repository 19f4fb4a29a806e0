//! What long-running commands show and hear: tables, plain text, progress bars, Ctrl-C.

pub mod interrupts;
pub mod plain;
pub mod progress;
pub mod table;
