//! A node counter shared by the threads of a search.

use std::array;
use std::sync::atomic::Ordering::Relaxed;

use crate::sync::AtomicU64;

/// More threads than this share counters. A loom model has two.
const COUNTERS: usize = if cfg!(loom) { 2 } else { 16 };

/// Two cache lines apart: CPUs prefetch lines in pairs.
#[derive(Debug)]
#[repr(align(128))]
struct Counter(AtomicU64);

#[derive(Debug)]
pub(super) struct NodeCounter([Counter; COUNTERS]);

impl NodeCounter {
    pub(super) fn new() -> Self {
        Self(array::from_fn(|_| Counter(AtomicU64::new(0))))
    }

    #[inline]
    pub(super) fn add(&self, thread: usize, count: u64) {
        self.0[thread % COUNTERS].0.fetch_add(count, Relaxed);
    }

    pub(super) fn total(&self) -> u64 {
        self.0.iter().map(|lane| lane.0.load(Relaxed)).sum()
    }
}
