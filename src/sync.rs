//! The atomics and locks of the search, replaced by loom's under `cfg(loom)`.
//!
//! The tests named `loom` then run the same sources under every interleaving of a few threads, with every value that a
//! relaxed load may see.

#[cfg(loom)]
mod model;

#[cfg(not(loom))]
pub(crate) use parking_lot::{Condvar, Mutex};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize};

#[cfg(all(loom, test))]
pub(crate) use model::check;
#[cfg(loom)]
pub(crate) use model::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Condvar, Mutex};
