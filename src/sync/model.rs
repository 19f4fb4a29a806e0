//! Loom's atomics as they are, and its locks with the interface of `parking_lot`.

use std::ops::{Deref, DerefMut};

use loom::sync;

pub(crate) use sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize};

pub(crate) struct Mutex<T>(sync::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(sync::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard(Some(self.0.lock().expect(UNPOISONED)))
    }
}

/// Empty only while a [`Condvar`] waits with it.
pub(crate) struct MutexGuard<'a, T>(Option<sync::MutexGuard<'a, T>>);

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0.as_deref().expect(HELD)
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_deref_mut().expect(HELD)
    }
}

pub(crate) struct Condvar(sync::Condvar);

impl Condvar {
    pub(crate) fn new() -> Self {
        Self(sync::Condvar::new())
    }

    pub(crate) fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        let held = guard.0.take().expect(HELD);
        guard.0 = Some(self.0.wait(held).expect(UNPOISONED));
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }
}

const UNPOISONED: &str = "a model ends with its first panic";
const HELD: &str = "a guard holds its lock";

/// Runs a model under every interleaving with at most so many preemptions, and prints how many there were.
#[cfg(test)]
pub(crate) fn check(preemptions: usize, model: impl Fn() + Send + Sync + 'static) {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64 as Counter, Ordering::Relaxed};

    let runs = Arc::new(Counter::new(0));
    let counted = Arc::clone(&runs);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    let began = std::time::Instant::now();
    builder.check(move || {
        counted.fetch_add(1, Relaxed);
        model();
    });
    println!("{} orders in {:.1?}", runs.load(Relaxed), began.elapsed());
}
