//! An allocator that counts. A test that wants it declares one with `#[global_allocator]`.
#![allow(unsafe_code, reason = "an allocator is unsafe by its nature")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// The system's allocator, and how often it was asked for memory while somebody counted, by any thread.
pub struct Counting {
    on: AtomicBool,
    count: AtomicUsize,
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

    fn count(&self) {
        if self.on.load(SeqCst) {
            self.count.fetch_add(1, SeqCst);
        }
    }
}

// SAFETY: every call is handed on as it is to the system's allocator, which keeps the contract; counting neither
// allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count();
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.count();
        // SAFETY: as above; the memory came from there.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above; the memory came from there.
        unsafe { System.dealloc(memory, layout) }
    }
}
