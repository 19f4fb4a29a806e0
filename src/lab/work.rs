//! Doing the same to many things at a time.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::unbounded;

use crate::terminal::progress;

/// What `act` makes of every item, in the order of the items, so many of them at a time. Each thread has a state of its
/// own; what is found must not depend on what it has seen before. `things` is what the bar calls the items.
pub(super) fn each<T: Sync, S, R: Send>(
    things: &str,
    items: &[T],
    jobs: usize,
    state: impl Fn() -> S + Sync,
    act: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let mut results = Vec::with_capacity(items.len());
    let kept = as_found(things, items, jobs, state, act, |at, result| {
        results.push((at, result));
        Ok::<_, Infallible>(())
    });
    let Ok(()) = kept;
    results.sort_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The same, but `keep` is told the place of each item and what was made of it as soon as it is.
///
/// # Errors
/// The first that `keep` has; the work ends then.
pub(super) fn as_found<T: Sync, S, R: Send, E>(
    things: &str,
    items: &[T],
    jobs: usize,
    state: impl Fn() -> S + Sync,
    act: impl Fn(&mut S, &T) -> R + Sync,
    mut keep: impl FnMut(usize, R) -> Result<(), E>,
) -> Result<(), E> {
    let bar = progress::bar_of(things, items.len(), 0);
    let next = AtomicUsize::new(0);
    let (sender, found) = unbounded();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (sender, next, state, act) = (sender.clone(), &next, &state, &act);
            scope.spawn(move || {
                let mut state = state();
                loop {
                    let at = next.fetch_add(1, Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if sender.send((at, act(&mut state, item))).is_err() {
                        // What we find can no longer be kept.
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Moved in here, so that it is gone as soon as keeping has failed and the threads see it.
        let found = found;
        found.iter().try_for_each(|(at, result)| {
            bar.inc(1);
            keep(at, result)
        })
    })?;
    bar.finish_and_clear();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        for jobs in [1, 3] {
            let doubled = each("numbers", &items, jobs, || (), |(), &item| item * 2);
            assert_eq!(doubled, items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
        assert!(each("numbers", &[0_u8; 0], 4, || (), |(), _| ()).is_empty());
    }

    #[test]
    fn work_ends_when_nothing_can_be_kept() {
        let items: Vec<u32> = (0..100).collect();
        let mut kept = 0;
        let ended = as_found(
            "numbers",
            &items,
            2,
            || (),
            |(), &item| item,
            |_, _| {
                kept += 1;
                if kept < 3 { Ok(()) } else { Err("full") }
            },
        );
        assert_eq!((ended, kept), (Err("full"), 3));
    }
}
