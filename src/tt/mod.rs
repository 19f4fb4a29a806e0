//! The transposition table.
//!
//! All search threads share it through `&self`, without locks. A slot is two words, key XOR data and data; one torn by two
//! writers matches no key, so a reader finds nothing rather than something wrong.

mod entry;
mod growth;
#[cfg(all(loom, test))]
mod loom;
mod table;

pub use entry::Entry;
#[cfg(test)]
pub(crate) use table::TableDamage;
pub use table::{Table, TableUse};
