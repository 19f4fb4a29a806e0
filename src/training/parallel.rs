//! The same work on many items, on several threads.
//!
//! This is not rayon because each thread keeps one state for all its items, such as a searcher with a table of up to
//! 64 MiB (`map_init` makes a new state for each split), results reach a single writer as they are finished, and a
//! command may be asked for more threads than there are processors.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::{Sender, unbounded};

use crate::threads::spawn_helper;

/// The number of threads asked for, or one for each processor.
#[must_use]
pub fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Passes the result for each item, with the item's index, to `keep` on the calling thread as soon as it is there.
/// Results must not depend on what a thread's state has seen before. `None` from `work` ends its thread.
///
/// # Errors
/// The first error of `keep`; the work ends then.
pub fn for_each<T: Sync, S, R: Send, E>(
    items: &[T],
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> Option<R> + Sync,
    mut keep: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, results) = unbounded();
    let work_on = |sender: Sender<(usize, R)>| {
        let mut state = state();
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(result) = items.get(at).and_then(|item| work(&mut state, item)) else { return };
            if sender.send((at, result)).is_err() {
                return;
            }
        }
    };
    let work_on = &work_on;
    thread::scope(|scope| {
        let threads = threads.max(1).min(items.len());
        for started in 0..threads {
            let of_thread = sender.clone();
            if let Err(error) = spawn_helper(scope, move || work_on(of_thread)) {
                log::warn!("working with {} of {threads} threads: {}", started.max(1), error);
                if started == 0 {
                    work_on(sender.clone());
                }
                break;
            }
        }
        drop(sender);
        // Moved in here: it is dropped as soon as `keep` has failed, which the threads notice.
        let results = results;
        results.iter().try_for_each(|(at, result)| keep(at, result))
    })
}

/// The results in the order of the items; none if `work` had none for an item. `on_result` is called for each.
pub fn try_map<T: Sync, S, R: Send>(
    items: &[T],
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> Option<R> + Sync,
    mut on_result: impl FnMut(),
) -> Option<Vec<R>> {
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let Ok(()) = for_each(items, threads, state, work, |at, result| {
        results[at] = Some(result);
        on_result();
        Ok::<_, Infallible>(())
    });
    results.into_iter().collect()
}

/// The results in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    try_map(items, threads, || (), |(), item| Some(work(item)), || {}).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        for threads in [1, 3] {
            let doubled = map(&items, threads, |&item| item * 2);
            assert_eq!(doubled, items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
        assert!(map(&[0_u8; 0], 4, |_| ()).is_empty());
        assert_eq!(try_map(&items, 2, || (), |(), &item| (item != 7).then_some(item), || {}), None);
    }

    #[test]
    fn the_work_ends_when_a_result_cannot_be_kept() {
        let items: Vec<u32> = (0..100).collect();
        let mut kept = 0;
        let keep = |_, _| {
            kept += 1;
            if kept < 3 { Ok(()) } else { Err("full") }
        };
        assert_eq!(for_each(&items, 2, || (), |(), &item| Some(item), keep), Err("full"));
        assert_eq!(kept, 3);
    }
}
