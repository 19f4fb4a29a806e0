//! Doing the same to many things at a time.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crossbeam_channel::unbounded;

use super::super::progress;

/// What `act` makes of every item, in the order of the items, so many of them at a time. Each thread has a state of its
/// own; what is found must not depend on what it has seen before. `things` is what the bar calls the items.
pub(super) fn each<T: Sync, S, R: Send>(
    things: &str,
    items: &[T],
    jobs: usize,
    state: impl Fn() -> S + Sync,
    act: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let bar = progress::bar_of(things, items.len(), 0);
    let next = AtomicUsize::new(0);
    let (sender, found) = unbounded();
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (sender, next, state, act) = (sender.clone(), &next, &state, &act);
            scope.spawn(move || {
                let mut state = state();
                loop {
                    let at = next.fetch_add(1, Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if sender.send((at, act(&mut state, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        found.iter().inspect(|_| bar.inc(1)).collect()
    });
    bar.finish_and_clear();
    results.sort_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
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
}
