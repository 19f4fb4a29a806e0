//! A count that all threads of a search add to.

use std::array;
use std::sync::atomic::Ordering::Relaxed;

use crate::sync::AtomicU64;

/// How many threads count apart from each other; more of them share. A model has two.
const COUNTERS: usize = if cfg!(loom) { 2 } else { 16 };

/// Far enough from the next one that no processor waits for another's count: they fetch lines in pairs.
#[derive(Debug)]
#[repr(align(128))]
struct Counter(AtomicU64);

/// What all threads have counted, each for itself.
#[derive(Debug)]
pub(super) struct NodeCounter([Counter; COUNTERS]);

impl NodeCounter {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self(array::from_fn(|_| Counter(AtomicU64::new(0))))
    }

    /// Adds what one thread has counted.
    #[inline]
    pub(super) fn add(&self, thread: usize, count: u64) {
        self.0[thread % COUNTERS].0.fetch_add(count, Relaxed);
    }

    /// All of it.
    pub(super) fn total(&self) -> u64 {
        self.0.iter().map(|lane| lane.0.load(Relaxed)).sum()
    }
}
