//! An allocator that counts. A test that wants it declares one with `#[global_allocator]`.
#![allow(unsafe_code, reason = "an allocator is unsafe by its nature")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// The system's allocator, and how often it was asked while somebody counted, by any thread.
pub struct Counting {
    on: AtomicBool,
    count: AtomicUsize,
}

thread_local! {
    /// Bytes that this thread has taken and not given back; below zero if it gives back what others took.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    /// The most of them since the counting began.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

impl Counting {
    /// Nothing is counted yet.
    pub const fn new() -> Self {
        Self { on: AtomicBool::new(false), count: AtomicUsize::new(0) }
    }

    /// What some work brings, and how often memory was asked for while it was done.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> (T, usize) {
        self.count.store(0, SeqCst);
        self.on.store(true, SeqCst);
        let result = work();
        self.on.store(false, SeqCst);
        (result, self.count.load(SeqCst))
    }

    /// What some work brings, and how many bytes more this thread had in use while it was done than before it. Memory
    /// that was reserved and never touched counts too.
    pub fn peak_during<T>(&self, work: impl FnOnce() -> T) -> (T, usize) {
        let before = LIVE.get();
        PEAK.set(before);
        let result = work();
        (result, (PEAK.get() - before).unsigned_abs())
    }

    fn count(&self) {
        if self.on.load(SeqCst) {
            self.count.fetch_add(1, SeqCst);
        }
    }

    fn taken(&self, bytes: usize) {
        let live = LIVE.get().wrapping_add_unsigned(bytes);
        LIVE.set(live);
        PEAK.set(PEAK.get().max(live));
    }

    fn given_back(&self, bytes: usize) {
        LIVE.set(LIVE.get().wrapping_sub_unsigned(bytes));
    }
}

// SAFETY: every call is handed on as it is to the system's allocator, which keeps the contract; counting neither
// allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count();
        self.taken(layout.size());
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count();
        self.taken(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.count();
        self.taken(size);
        self.given_back(layout.size());
        // SAFETY: as above; the memory came from there.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.given_back(layout.size());
        // SAFETY: as above; the memory came from there.
        unsafe { System.dealloc(memory, layout) }
    }
}
