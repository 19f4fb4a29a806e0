//! The control under every order of steps: whatever ends a search is seen, whenever it comes.

use std::sync::atomic::Ordering::{Acquire, Release};

use ::loom::thread;

use super::*;
use crate::sync::check;
use crate::time_source::Timestamp;

/// A search goes on until `act` ends it, while a helper counts nodes too. Loom does not end a model in which a search
/// need not end, nor is it fair: only one thread may go on for ever.
fn ends_by(preemptions: usize, act: impl Fn(SearchHandle) + Copy + Send + Sync + 'static) {
    check(preemptions, move || {
        let (handle, control) = SearchHandle::new(&Budget::UNLIMITED, TimeSource::default());
        control.begin_iteration(12);
        let [searcher, helper] = [Arc::clone(&control), Arc::clone(&control)];
        let searcher = thread::spawn(move || {
            let mut visited = 1;
            while searcher.count_nodes(0, 1).is_ok() {
                visited += 1;
                thread::yield_now();
            }
            visited
        });
        let helper = thread::spawn(move || assert!(helper.count_nodes(1, 1).is_ok() || helper.is_stopped()));
        act(handle);
        let visited: u64 = searcher.join().expect("no panic");
        // A thread that knows of another's stop is stopped too.
        assert_eq!(control.count_nodes(0, 1), Err(Stopped));
        assert!(!control.allows(1));
        helper.join().expect("no panic");
        assert_eq!(control.nodes(), visited + 2);
    });
}

/// Limits that a running search exceeds already when they are set.
fn ends_by_limit(preemptions: usize, budget: impl Fn() -> Budget + Copy + Send + Sync + 'static) {
    ends_by(preemptions, move |handle| {
        handle.set_budget(&budget());
        // Dropping the handle would end it.
        std::mem::forget(handle);
    });
}

#[test]
fn a_stop_ends_every_thread() {
    ends_by(2, |handle| handle.stop());
}

#[test]
fn a_dropped_handle_ends_every_thread() {
    ends_by(2, drop);
}

#[test]
fn a_node_limit_ends_every_thread() {
    // Without the helper, more orders are tried below.
    ends_by_limit(1, || Budget { nodes: Some(2), ..Budget::UNLIMITED });
}

#[test]
fn a_depth_limit_ends_every_thread() {
    ends_by_limit(2, || Budget { depth: Some(4), ..Budget::UNLIMITED });
}

#[test]
fn a_deadline_ends_every_thread() {
    ends_by_limit(2, || Budget { hard: Some(Timestamp::now()), ..Budget::UNLIMITED });
}

/// A stop before the start is seen at the first poll, whatever its source; no other budget revokes it.
#[test]
fn a_stop_is_never_lost() {
    check(3, || {
        let (handle, control) = SearchHandle::new(&Budget::UNLIMITED, TimeSource::default());
        let told = Arc::new(AtomicBool::new(false));
        let teller = Arc::clone(&told);
        let other = Arc::clone(&control);
        let imposer =
            thread::spawn(move || other.set_budget(&Budget { nodes: Some(100), ..Budget::UNLIMITED }));
        let stopper = thread::spawn(move || {
            handle.stop();
            teller.store(true, Release);
        });
        let told = told.load(Acquire);
        assert!(!told || !control.allows(1));
        assert!(!told || control.count_nodes(0, 1).is_err());
        imposer.join().expect("no panic");
        stopper.join().expect("no panic");
        assert_eq!(control.count_nodes(0, 1), Err(Stopped));
        assert!(!control.allows(1));
    });
}

/// A node limit counts from when it is set: no more nodes, and no fewer than its setter can know.
#[test]
fn a_node_limit_counts_from_when_it_was_set() {
    const GRANTED: u64 = 3;
    check(3, || {
        let control = Arc::new(Control::new(&Budget::UNLIMITED));
        let imposed = Arc::new(AtomicBool::new(false));
        let (searcher, known) = (Arc::clone(&control), Arc::clone(&imposed));
        let search = thread::spawn(move || {
            let (mut all, mut budget_set) = (0, 0);
            loop {
                let late = known.load(Acquire);
                if searcher.count_nodes(0, 1).is_err() {
                    return (all, budget_set);
                }
                all += 1;
                budget_set += u64::from(late);
                thread::yield_now();
            }
        });
        let before = control.nodes();
        control.set_budget(&Budget { nodes: Some(GRANTED), ..Budget::UNLIMITED });
        imposed.store(true, Release);
        let (all, budget_set) = search.join().expect("no panic");
        assert!(budget_set < GRANTED);
        assert!(all + 1 >= before + GRANTED);
    });
}
