//! What long-running commands show and hear: tables, progress bars, Ctrl-C.

pub mod interrupts;
pub mod progress;
pub mod table;
