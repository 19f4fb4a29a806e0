//! What the threads of a search share values with: atomics and locks, or stand-ins that a model checker sees through.
//!
//! Under `cfg(loom)` the very same sources run on loom's twins. The tests named `loom` then go through the orders in
//! which small groups of threads may act, and through the old values that a relaxed load may still see.

#[cfg(loom)]
mod model;

#[cfg(not(loom))]
pub(crate) use parking_lot::{Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize};

#[cfg(all(loom, test))]
pub(crate) use model::check;
#[cfg(loom)]
pub(crate) use model::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Condvar, Mutex, MutexGuard};
